"""Defines acme::rotate_half, exports a model that uses it, converts it and compares with eager.

python example.py build/libacme_rotate_half.so [--sixrung PATH]
"""

import argparse
import asyncio
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import torch
from coreai.authoring import AIModelAsset
from coreai.runtime import NDArray


@torch.library.custom_op("acme::rotate_half", mutates_args=())
def rotate_half(x: torch.Tensor, *, interleaved: bool = False) -> torch.Tensor:
    if interleaved:
        return torch.stack((-x[..., 1::2], x[..., 0::2]), dim=-1).flatten(-2)
    first, second = x.chunk(2, dim=-1)
    return torch.cat((-second, first), dim=-1)


@rotate_half.register_fake
def _(x, *, interleaved=False):
    return torch.empty_like(x)


class Rope(torch.nn.Module):
    """Rotary position embedding, in either order of the pairs."""

    def forward(self, x, cos, sin):
        halves = x * cos + torch.ops.acme.rotate_half(x) * sin
        pairs = x * cos + torch.ops.acme.rotate_half(x, interleaved=True) * sin
        return halves, pairs


async def run(asset: Path, inputs: dict) -> list[np.ndarray]:
    async with AIModelAsset.load(asset).executable() as model:
        outputs = await model.load_function("main")({k: NDArray(v.numpy()) for k, v in inputs.items()})
    return [np.array(outputs[name].numpy()) for name in ("halves", "pairs")]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("plugin", help="the built plugin")
    parser.add_argument("--sixrung", default="sixrung", help="the command line tool")
    options = parser.parse_args()

    torch.manual_seed(0)
    angles = torch.arange(6.0)[:, None] * 10000 ** (-torch.arange(0, 8, 2.0) / 8)
    angles = torch.cat((angles, angles), dim=-1)
    inputs = {"x": torch.randn(2, 6, 8), "cos": angles.cos(), "sin": angles.sin()}
    model = Rope().eval()
    exported = torch.export.export(model, tuple(inputs.values())).run_decompositions()
    with tempfile.TemporaryDirectory() as folder:
        program, asset = Path(folder) / "model.pt2", Path(folder) / "model.aimodel"
        torch.export.save(exported, program)
        command = [options.sixrung, "convert", str(program), "-o", str(asset), "--plugin", options.plugin]
        command += ["--output-name", "halves", "--output-name", "pairs"]
        print("$", *command, flush=True)
        # The asset is saved by the coreai-core of this very Python.
        subprocess.run([*command, "--python", sys.executable], check=True)
        results = asyncio.run(run(asset, inputs))
    for got, expected in zip(results, model(**inputs), strict=True):
        difference = float(np.abs(got - expected.numpy()).max())
        print(f"max abs difference to eager: {difference:.3g}")
        if not difference <= 1e-5 * expected.abs().max():
            sys.exit("the results differ")


if __name__ == "__main__":
    main()
