"""Small configurations of real architectures, random weights, nothing downloaded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch


@dataclass
class Case:
    """A module with example inputs and, for the dynamic variant, one dynamic dimension."""

    module: torch.nn.Module
    inputs: tuple[torch.Tensor, ...]
    dynamic_shapes: Any
    # Inputs of another size along the dynamic dimension.
    other_inputs: tuple[torch.Tensor, ...]


class _Picks(torch.nn.Module):
    """Calls a transformers model and returns the named outputs as a tuple."""

    def __init__(self, model: torch.nn.Module, argument: str, names: tuple[str, ...], **constants: Any):
        super().__init__()
        self.model = model
        self.argument = argument
        self.names = names
        self.constants = constants

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        result = self.model(**{self.argument: x}, **self.constants)
        return tuple(getattr(result, name) for name in self.names)


def _tokens(batch: int, length: int, vocabulary: int) -> torch.Tensor:
    generator = torch.Generator().manual_seed(length)
    return torch.randint(0, vocabulary, (batch, length), generator=generator)


def _noise(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(sum(shape)))


def gpt2() -> Case:
    from transformers import GPT2Config, GPT2LMHeadModel

    config = GPT2Config(n_layer=2, n_head=4, n_embd=64, vocab_size=256, n_positions=64)
    model = _Picks(GPT2LMHeadModel(config), "input_ids", ("logits",), use_cache=False)
    length = torch.export.Dim("length", min=2, max=64)
    return Case(model, (_tokens(1, 12, 256),), ({1: length},), (_tokens(1, 23, 256),))


def bert() -> Case:
    from transformers import BertConfig, BertModel

    config = BertConfig(
        num_hidden_layers=2,
        num_attention_heads=4,
        hidden_size=64,
        intermediate_size=128,
        vocab_size=256,
        max_position_embeddings=64,
    )
    model = _Picks(BertModel(config), "input_ids", ("last_hidden_state", "pooler_output"))
    length = torch.export.Dim("length", min=2, max=64)
    return Case(model, (_tokens(2, 12, 256),), ({1: length},), (_tokens(2, 31, 256),))


def resnet() -> Case:
    from transformers import ResNetConfig, ResNetForImageClassification

    config = ResNetConfig(embedding_size=16, hidden_sizes=[16, 32, 64, 64], depths=[1, 1, 1, 1], num_labels=10)
    model = _Picks(ResNetForImageClassification(config), "pixel_values", ("logits",))
    batch = torch.export.Dim("batch", min=2, max=16)
    return Case(model, (_noise(2, 3, 64, 64),), ({0: batch},), (_noise(5, 3, 64, 64),))


def whisper_encoder() -> Case:
    from transformers import WhisperConfig
    from transformers.models.whisper.modeling_whisper import WhisperEncoder

    config = WhisperConfig(
        encoder_layers=2,
        encoder_attention_heads=4,
        d_model=64,
        encoder_ffn_dim=128,
        num_mel_bins=16,
        max_source_positions=40,
    )
    model = _Picks(WhisperEncoder(config), "input_features", ("last_hidden_state",))
    batch = torch.export.Dim("batch", min=2, max=16)
    return Case(model, (_noise(2, 16, 80),), ({0: batch},), (_noise(3, 16, 80),))


MODELS: dict[str, Callable[[], Case]] = {
    "gpt2": gpt2,
    "bert": bert,
    "resnet": resnet,
    "whisper_encoder": whisper_encoder,
}


def build(name: str, dtype: torch.dtype = torch.float32) -> Case:
    """The case called `name` with seeded weights in eval mode, floats in `dtype`."""
    torch.manual_seed(0)
    case = MODELS[name]()
    case.module.eval().to(dtype)
    # Random weights give near-constant batch statistics; move the buffers off their defaults.
    for key, buffer in case.module.named_buffers():
        if key.endswith("running_mean"):
            buffer.normal_(0.0, 0.1)
        elif key.endswith("running_var"):
            buffer.uniform_(0.5, 1.5)

    def cast(tensors: tuple[torch.Tensor, ...]) -> tuple[torch.Tensor, ...]:
        return tuple(t.to(dtype) if t.is_floating_point() else t for t in tensors)

    return Case(case.module, cast(case.inputs), case.dynamic_shapes, cast(case.other_inputs))


def export(case: Case, table: Any, dynamic: bool = False) -> torch.export.ExportedProgram:
    """Exports and decomposes with `table`."""
    shapes = case.dynamic_shapes if dynamic else None
    program = torch.export.export(case.module, case.inputs, dynamic_shapes=shapes)
    return program.run_decompositions(table)
