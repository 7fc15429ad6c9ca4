"""From a PyTorch model to a Core AI asset that runs, in one script.

Builds a small GPT-2 of `transformers` with random weights, exports it with a dynamic sequence length, saves the
`.pt2`, converts it with the `sixrung` command, runs the asset on the Core AI runtime, and compares with eager PyTorch.
"""

from __future__ import annotations

import asyncio
import collections
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import torch
from transformers import GPT2Config, GPT2LMHeadModel

import sixrung


class Logits(torch.nn.Module):
    """Tokens to logits."""

    def __init__(self) -> None:
        super().__init__()
        config = GPT2Config(
            n_layer=4, n_head=4, n_embd=128, vocab_size=512, n_positions=128, bos_token_id=0, eos_token_id=0
        )
        self.model = GPT2LMHeadModel(config).eval()

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        return self.model(input_ids=tokens, use_cache=False).logits


async def run(path: Path, inputs: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Runs the entrypoint `main` of an asset."""
    from coreai.authoring import AIModelAsset
    from coreai.runtime import NDArray

    async with AIModelAsset.load(path).executable() as model:
        results = await model.load_function("main")({name: NDArray(value) for name, value in inputs.items()})
        return {name: np.array(value.numpy()) for name, value in results.items()}


def main() -> None:
    torch.manual_seed(0)
    model = Logits()
    example = torch.randint(0, 512, (1, 16))
    length = torch.export.Dim("length", min=2, max=128)
    program = torch.export.export(model, (example,), dynamic_shapes=({1: length},))
    program = program.run_decompositions(sixrung.get_decomp_table())

    with tempfile.TemporaryDirectory() as folder:
        archive, asset = Path(folder) / "gpt2.pt2", Path(folder) / "gpt2.aimodel"
        torch.export.save(program, archive)
        command = shutil.which("sixrung") or sys.exit("the sixrung command is not on PATH")
        print(f"$ sixrung convert {archive.name} -o {asset.name}")
        done = subprocess.run(
            [command, "convert", str(archive), "-o", str(asset), "--python", sys.executable], text=True
        )
        if done.returncode:
            sys.exit(done.returncode)

        worst = 0.0
        for size in (16, 5, 77):
            tokens = torch.randint(0, 512, (1, size))
            with torch.no_grad():
                eager = model(tokens).numpy()
            result = next(iter(asyncio.run(run(asset, {"tokens": tokens.numpy().astype(np.int32)})).values()))
            difference = float(np.abs(result - eager).max())
            worst = max(worst, difference / float(np.abs(eager).max()))
            largest = np.abs(eager).max()
            print(f"length {size:3}: max abs difference to eager {difference:.2e} (largest value {largest:.2f})")

        explained = subprocess.run(
            [command, "explain", str(archive), "--json"], capture_output=True, text=True, check=True
        )
        nodes = collections.Counter()
        for node in json.loads(explained.stdout)["nodes"]:
            if node.get("plugin"):
                nodes[(node["plugin"], node["version"])] += 1
        print("\nplugin                                    version   nodes lowered")
        for (plugin, version), count in sorted(nodes.items()):
            print(f"{plugin:<41} {version:<9} {count:>5}")
    if worst > 1e-4:
        sys.exit(f"the asset differs from eager PyTorch by {worst:.1e} of the largest value")
    print("\nthe asset agrees with eager PyTorch")


if __name__ == "__main__":
    main()
