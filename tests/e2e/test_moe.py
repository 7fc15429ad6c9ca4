"""Mixture-of-experts models whose experts are a custom op: refused with advice, served by an optional plugin."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

import sixrung
from ops.harness.runtime import Runtime, RuntimeFailure

_runtime = Runtime()
KEY = "transformers::grouped_mm_fallback.default"
PLUGIN = "org.sixrung.transformers.mixture_of_experts"


class _Logits(torch.nn.Module):
    def __init__(self, model: torch.nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        return self.model(input_ids=tokens, use_cache=False).logits


COMMON = {
    "num_hidden_layers": 2,
    "hidden_size": 64,
    "intermediate_size": 64,
    "num_experts_per_tok": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "vocab_size": 128,
}


def _qwen3_moe() -> torch.nn.Module:
    from transformers import Qwen3MoeConfig, Qwen3MoeForCausalLM

    return Qwen3MoeForCausalLM(Qwen3MoeConfig(**COMMON, moe_intermediate_size=48, num_experts=4, head_dim=16))


def _mixtral() -> torch.nn.Module:
    from transformers import MixtralConfig, MixtralForCausalLM

    return MixtralForCausalLM(MixtralConfig(**COMMON, num_local_experts=4))


def _gpt_oss() -> torch.nn.Module:
    from transformers import GptOssConfig, GptOssForCausalLM

    return GptOssForCausalLM(GptOssConfig(**COMMON, num_local_experts=4, head_dim=16, sliding_window=8))


def _exported(
    make: Callable[[], torch.nn.Module],
) -> tuple[torch.nn.Module, torch.Tensor, torch.export.ExportedProgram]:
    torch.manual_seed(0)
    model = _Logits(make().eval())
    for parameter in model.parameters():  # some are made uninitialized
        torch.nn.init.normal_(parameter, std=0.1)
    tokens = torch.randint(0, 128, (1, 12))
    exported = torch.export.export(model, (tokens,)).run_decompositions(sixrung.get_decomp_table())
    return model, tokens, exported


@pytest.fixture(scope="module")
def deployment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A strict one, which enables and pins the plugin."""
    (plugin,) = (Path(sixrung.plugin_dir()) / "optional").glob("*mixture_of_experts*")
    file = tmp_path_factory.mktemp("deployment") / "moe.toml"
    file.write_text(
        f'name = "moe"\nstrict = true\n[[plugin]]\npath = "{plugin}"\nid = "{PLUGIN}"\nversion = ">=0.1,<1"\n'
    )
    assert sixrung.Deployment(file).lock() == 1
    return file


@pytest.mark.slow
@pytest.mark.parametrize("make", [_qwen3_moe, _mixtral, _gpt_oss])
def test_moe(make: Callable[[], torch.nn.Module], deployment: Path) -> None:
    model, tokens, exported = _exported(make)
    with pytest.raises(sixrung.UnsupportedError) as refused:
        sixrung.TorchConverter().add_exported_program(exported).to_coreai()
    (plugin,) = sixrung.Deployment(deployment).plugins
    told = str(refused.value)
    assert "unable to handle call function op: target: grouped_mm_fallback.default, namespace: transformers" in told
    assert re.search(r"node: \w+ \(transformers/[\w/]+\.py:\d+\)", told), told
    assert re.search(r"\d+ nodes in all", told)
    assert f"{KEY} would be served by {PLUGIN} 0.1.0 ({plugin.path}): enable it with --plugin FILE" in told

    converter = sixrung.TorchConverter().use(deployment).add_exported_program(exported)
    program = converter.to_coreai()
    (port,) = program.inputs()
    result = _runtime.run(program.bytecode(), {port.name: tokens.numpy().astype(port.dtype)})
    assert not isinstance(result, RuntimeFailure), result
    (out,) = program.outputs()
    with torch.no_grad():
        truth = model(tokens).numpy()
    assert np.abs(truth).max() > 0.1
    assert np.abs(result[out.name] - truth).max() <= 1e-4 * np.abs(truth).max()
    served = {node.plugin for node in program.nodes if node.key == KEY}
    assert served == {PLUGIN}
