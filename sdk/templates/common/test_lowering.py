"""Converts a model that calls @IDENTIFIER@::gate, runs it on the Core AI runtime, and compares with eager PyTorch."""

import asyncio
import os
import sys
import tempfile
from pathlib import Path

import numpy as np
import torch
from coreai.runtime import NDArray

import sixrung

SUFFIX = ".dylib" if sys.platform == "darwin" else ".so"
LIBRARY = Path(__file__).parent / "build" / f"lib@IDENTIFIER@{SUFFIX}"


@torch.library.custom_op("@IDENTIFIER@::gate", mutates_args=())
def gate(x: torch.Tensor, g: torch.Tensor, *, scale: float = 1.0) -> torch.Tensor:
    return x * torch.sigmoid(scale * g)


@gate.register_fake
def _(x, g, *, scale=1.0):
    return x.new_empty(torch.broadcast_shapes(x.shape, g.shape))


class Model(torch.nn.Module):
    def forward(self, x, g):
        return gate(gate(x, g), x, scale=0.5)


async def run(asset, inputs: dict) -> np.ndarray:
    async with asset.executable() as model:
        outputs = await model.load_function("main")({name: NDArray(x.numpy()) for name, x in inputs.items()})
    (output,) = outputs.values()
    return np.array(output.numpy())


def test_lowering():
    torch.manual_seed(0)
    model, inputs = Model(), {"x": torch.randn(4, 8), "g": torch.randn(8)}
    program = torch.export.export(model, tuple(inputs.values())).run_decompositions(sixrung.get_decomp_table())
    samples = LIBRARY.parent / "samples"  # where `sixrung plugin check` looks for models to convert
    samples.mkdir(exist_ok=True)
    torch.export.save(program, samples / "model.pt2")

    converter = sixrung.TorchConverter().load_plugin(LIBRARY).add_exported_program(program)
    with tempfile.TemporaryDirectory() as folder:
        asset = converter.to_coreai().save_asset(Path(folder) / "model.aimodel")
        got = asyncio.run(run(asset, inputs))
    difference = np.abs(got - model(**inputs).numpy()).max()
    print(f"max abs difference to eager: {difference:.3g}")
    assert difference <= 1e-5


if __name__ == "__main__":
    test_lowering()
    sys.stdout.flush()
    os._exit(0)  # the runtime's threads sometimes abort a Python that is shutting down
