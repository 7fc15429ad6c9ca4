"""A custom op with a lowering in Python.

The op is a gated product that PyTorch knows from its eager function alone. Its lowering computes it in a private graph,
which Core AI sees as one operation called "swish_gate"; both call sites of the model share that graph.
"""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

import numpy as np
import torch

import sixrung
from sixrung import coreai


@torch.library.custom_op("acme::swish_gate", mutates_args=())
def swish_gate(x: torch.Tensor, gate: torch.Tensor, beta: float) -> torch.Tensor:
    return x * gate * torch.sigmoid(beta * gate)


@swish_gate.register_fake
def _(x: torch.Tensor, gate: torch.Tensor, beta: float) -> torch.Tensor:
    return torch.empty_like(x)


class Model(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.up = torch.nn.Linear(16, 32)
        self.gate = torch.nn.Linear(16, 32)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        once = torch.ops.acme.swish_gate(self.up(x), self.gate(x), 1.5)
        return torch.ops.acme.swish_gate(once, self.gate(x), 1.5)


def lower_swish_gate(values_map, node, loc):
    x, gate, beta = sixrung.get_operands(values_map, node, [0, 1, 2], loc)
    declared = sixrung.generate_composite_decl(x.context, "swish_gate", ["input", "gate", "beta"], ["output"], {})

    @coreai.graph(private=True, no_inline=True, composite_decl=declared)
    def swish_gate(x, gate, beta):
        swish = coreai.mul(gate, coreai.sigmoid(coreai.broadcasting_mul(gate, beta)))
        return coreai.mul(x, swish)

    return swish_gate(x, gate, beta)[0]


async def run(asset, inputs: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    from coreai.runtime import NDArray

    async with asset.executable() as model:
        results = await model.load_function("main")({name: NDArray(value) for name, value in inputs.items()})
        return {name: np.array(value.numpy()) for name, value in results.items()}


def main() -> None:
    torch.manual_seed(0)
    model, x = Model().eval(), torch.randn(4, 16)
    program = torch.export.export(model, (x,)).run_decompositions(sixrung.get_decomp_table())

    converter = sixrung.TorchConverter()
    converter.register_torch_lowering("acme::swish_gate.default")(lower_swish_gate)
    converted = converter.add_exported_program(program, output_names=["y"]).to_coreai()
    print(converted.explain())
    print("graphs of the composite:", str(converted).count("coreai.graph private noinline @swish_gate_"))

    with tempfile.TemporaryDirectory() as folder:
        asset = converted.save_asset(Path(folder) / "gated.aimodel")
        y = asyncio.run(run(asset, {"x": x.numpy()}))["y"]
    difference = float(np.abs(y - model(x).detach().numpy()).max())
    print(f"max abs difference to eager: {difference:.1e}")
    if difference > 1e-5:
        raise SystemExit("the asset differs from eager PyTorch")


if __name__ == "__main__":
    main()
