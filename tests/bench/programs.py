"""Exports the bench programs once; both converters read the same decomposed archives."""

from __future__ import annotations

import sys
from pathlib import Path

import torch
from transformers import GPT2Config, GPT2LMHeadModel

# name: layers, width, vocabulary. Three sizes in nodes, one large in weights (about 520 MB).
SIZES = {
    "gpt2-6": (6, 128, 512),
    "gpt2-24": (24, 128, 512),
    "gpt2-48": (48, 128, 512),
    "weights-520MB": (10, 1024, 4096),
}


class Logits(torch.nn.Module):
    """GPT-2 from tokens to logits."""

    def __init__(self, layers: int, width: int, vocabulary: int):
        super().__init__()
        self.model = GPT2LMHeadModel(
            GPT2Config(
                n_layer=layers,
                n_embd=width,
                n_head=4,
                vocab_size=vocabulary,
                n_positions=64,
                bos_token_id=0,
                eos_token_id=0,
            )
        ).eval()

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        return self.model(input_ids=tokens, use_cache=False).logits


def main(folder: str) -> None:
    import sixrung

    tiny = torch.export.export(torch.nn.ReLU(), (torch.zeros(2),))
    torch.export.save(tiny.run_decompositions(sixrung.get_decomp_table()), Path(folder) / "tiny.pt2")
    for name, (layers, width, vocabulary) in SIZES.items():
        path = Path(folder) / f"{name}.pt2"
        if path.exists():
            continue
        torch.manual_seed(0)
        tokens = torch.zeros(1, 16, dtype=torch.int64)
        program = torch.export.export(Logits(layers, width, vocabulary), (tokens,))
        torch.export.save(program.run_decompositions(sixrung.get_decomp_table()), path)


if __name__ == "__main__":
    main(sys.argv[1])
