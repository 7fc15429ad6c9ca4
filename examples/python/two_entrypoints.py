"""Two entrypoints and a state: a small cached decoder, converted once and driven step by step.

"prefill" writes the keys of a whole prompt into the cache and "decode" those of one token. Each exported program
has a buffer of its own; under one state name the caller hands both the same memory.
"""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

import numpy as np
import torch

import sixrung

WIDTH, LENGTH = 8, 16


class Decoder(torch.nn.Module):
    """Attends from the newest tokens over all that came before."""

    def __init__(self) -> None:
        super().__init__()
        self.query = torch.nn.Linear(WIDTH, WIDTH)
        self.key = torch.nn.Linear(WIDTH, WIDTH)
        self.register_buffer("cache", torch.zeros(LENGTH, WIDTH))

    def forward(self, tokens: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        self.cache.index_copy_(0, positions, self.key(tokens))
        scores = self.query(tokens) @ self.cache.T / WIDTH**0.5
        seen = torch.arange(LENGTH)[None, :] <= positions[:, None]
        return torch.softmax(scores.masked_fill(~seen, float("-inf")), -1) @ self.cache


def export(model: torch.nn.Module, count: int) -> torch.export.ExportedProgram:
    example = (torch.randn(count, WIDTH), torch.arange(count))
    return torch.export.export(model, example).run_decompositions(sixrung.get_decomp_table())


async def drive(asset, converted: sixrung.Program, tokens: np.ndarray, prompt: int) -> list[np.ndarray]:
    from coreai.runtime import NDArray

    async with asset.executable() as model:
        prefill, decode = model.load_function("prefill"), model.load_function("decode")
        state = {name: NDArray(value) for name, value in converted.initial_state("prefill").items()}
        rows = []
        for begin, end, function in [(0, prompt, prefill), *((i, i + 1, decode) for i in range(prompt, len(tokens)))]:
            inputs = {"tokens": tokens[begin:end], "positions": np.arange(begin, end, dtype=np.int32)}
            results = await function({name: NDArray(value) for name, value in inputs.items()}, state=state)
            rows.append(np.array(results["attended"].numpy()))
        return rows


def main() -> None:
    torch.manual_seed(0)
    model, tokens, prompt = Decoder().eval(), torch.randn(7, WIDTH), 4
    converter = sixrung.TorchConverter()
    for name, count in (("prefill", prompt), ("decode", 1)):
        converter.add_exported_program(
            export(model, count), entrypoint_name=name, output_names=["attended"], state_names=["cache"]
        )
    converted = converter.to_coreai()
    print(repr(converted))
    for name in converted.entrypoints:
        ports = ", ".join(f"{port.name}: {port.dtype}{list(port.shape)}" for port in converted.inputs(name))
        print(f"{name}({ports}); states: {', '.join(converted.initial_state(name))}")

    with tempfile.TemporaryDirectory() as folder:
        asset = converted.save_asset(Path(folder) / "decoder.aimodel")
        got = np.concatenate(asyncio.run(drive(asset, converted, tokens.numpy(), prompt)))
    with torch.no_grad():
        eager = model(tokens, torch.arange(len(tokens))).numpy()
    difference = float(np.abs(got - eager).max())
    print(f"{len(got)} rows, max abs difference to eager: {difference:.1e}")
    if difference > 1e-5:
        raise SystemExit("the asset differs from eager PyTorch")


if __name__ == "__main__":
    main()
