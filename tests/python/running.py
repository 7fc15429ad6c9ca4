"""A function as a program, and a converted program run on the Core AI runtime, in this process."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import torch

import sixrung
from sixrung import coreai


class Apply(torch.nn.Module):
    """A module of one function."""

    def __init__(self, function) -> None:
        super().__init__()
        self.function = function

    def forward(self, *x: torch.Tensor):
        return self.function(*x)


def export(module: torch.nn.Module, *inputs: torch.Tensor, **kwargs) -> torch.export.ExportedProgram:
    return torch.export.export(module, inputs, **kwargs).run_decompositions(sixrung.get_decomp_table())


def arrays(program: sixrung.Program, tensors: tuple[torch.Tensor, ...]) -> dict[str, np.ndarray]:
    ports = program.inputs()
    assert len(ports) == len(tensors)
    return {port.name: t.numpy().astype(port.dtype) for port, t in zip(ports, tensors, strict=True)}


def run(
    program: sixrung.Program, *tensors: torch.Tensor, state: dict[str, np.ndarray] | None = None
) -> list[torch.Tensor]:
    """The outputs in the program's order. `state` is updated in place."""
    from coreai.runtime import NDArray

    async def go(asset: Any) -> dict[str, np.ndarray]:
        async with asset.executable() as model:
            function = model.load_function("main")
            held = {name: NDArray(value) for name, value in (state or {}).items()}
            given = {name: NDArray(value) for name, value in arrays(program, tensors).items()}
            out = await function(given, state=held) if held else await function(given)
            for name, value in held.items():
                state[name][...] = value.numpy()
            return {name: np.array(value.numpy()) for name, value in out.items()}

    with tempfile.TemporaryDirectory() as folder:
        asset = program.to_aiprogram().save_asset(Path(folder) / "model.aimodel")
        out = asyncio.run(go(asset))
    return [torch.from_numpy(out[port.name]) for port in program.outputs()]


# A lowering of the op that PROGRAMS["custom_op"] calls.
KEY = "sixrung_test::scaled_add.default"


def lower_scaled_add(values_map, node, loc):
    x, y = sixrung.get_operands(values_map, node, [0, 1], loc)
    scale = node.kwargs.get("scale", node.args[2] if len(node.args) > 2 else 1.0)
    scaled = coreai.broadcasting_mul(y, coreai.constant(scale, dtype=x.type.element_type), loc=loc)
    return coreai.broadcasting_add(x, scaled, loc=loc)
