"""Defines acme::scaled_add, exports a model that uses it, converts it and compares with eager.

python example.py build/libacme_scaled_add.so [--sixrung PATH]
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


@torch.library.custom_op("acme::scaled_add", mutates_args=())
def scaled_add(x: torch.Tensor, y: torch.Tensor, *, scale: float = 1.0, relu: bool = False) -> torch.Tensor:
    out = x + scale * y
    return out.relu() if relu else out


@scaled_add.register_fake
def _(x, y, *, scale=1.0, relu=False):
    return torch.empty(torch.broadcast_shapes(x.shape, y.shape), dtype=x.dtype)


class Model(torch.nn.Module):
    def forward(self, x, y):
        z = torch.ops.acme.scaled_add(x, y)
        return torch.ops.acme.scaled_add(z, x, scale=-0.75, relu=True)


async def run(asset: Path, inputs: dict) -> np.ndarray:
    async with AIModelAsset.load(asset).executable() as model:
        outputs = await model.load_function("main")({k: NDArray(v.numpy()) for k, v in inputs.items()})
    (output,) = outputs.values()
    return np.array(output.numpy())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("plugin", help="the built plugin")
    parser.add_argument("--sixrung", default="sixrung", help="the command line tool")
    options = parser.parse_args()

    torch.manual_seed(0)
    model, inputs = Model().eval(), {"x": torch.randn(4, 8), "y": torch.randn(8)}
    exported = torch.export.export(model, tuple(inputs.values())).run_decompositions()
    with tempfile.TemporaryDirectory() as folder:
        program, asset = Path(folder) / "model.pt2", Path(folder) / "model.aimodel"
        torch.export.save(exported, program)
        command = [options.sixrung, "convert", str(program), "-o", str(asset), "--plugin", options.plugin]
        print("$", *command, flush=True)
        # The asset is saved by the coreai-core of this very Python.
        subprocess.run([*command, "--python", sys.executable], check=True)
        got = asyncio.run(run(asset, inputs))
    expected = model(**inputs).numpy()
    difference = float(np.abs(got - expected).max())
    print(f"max abs difference to eager: {difference:.3g}")
    if not difference <= 1e-5 * np.abs(expected).max():
        sys.exit("the results differ")


if __name__ == "__main__":
    main()
