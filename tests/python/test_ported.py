"""Lowerings as they are written for coreai-torch, with nothing changed but their imports."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from running import Apply, run

# For `coreai_torch`, `coreai_torch._utils`, `coreai._compiler.ir` and `coreai._compiler.dialects`.
from sixrung import TorchConverter, Value, coreai, generate_composite_decl, get_decomp_table, get_operand, get_operands


def lower_adaptive_avg_pool2d_static(values_map, node, loc):
    x = get_operand(values_map, node, 0, loc)
    output_h, output_w = node.args[1]
    input_h, input_w = x.type.shape[2], x.type.shape[3]
    stride_h, stride_w = input_h // output_h, input_w // output_w
    kernel_h = input_h - (output_h - 1) * stride_h
    kernel_w = input_w - (output_w - 1) * stride_w
    return coreai.broadcasting_divide(
        coreai.sumpool2d(
            x,
            kernel_size=np.array([kernel_h, kernel_w], dtype=np.uint32),
            strides=np.array([stride_h, stride_w], dtype=np.uint32),
            dilation=coreai.constant([1, 1], dtype=np.uint32),
        ),
        coreai.cast(float(kernel_h * kernel_w), x.type.element_type),
    )


def build_hard_sigmoid_composite(context: Any):
    """Build a hard_sigmoid composite graph: min(max(x + 3, 0), 6) / 6."""
    composite_decl = generate_composite_decl(context, "hard_sigmoid", ["input"], ["output"], {})

    @coreai.graph(private=True, no_inline=True, composite_decl=composite_decl)
    def hard_sigmoid(input: Value) -> Value:
        dtype = input.type.element_type
        three = coreai.constant(3.0, dtype=dtype)
        zero = coreai.constant(0.0, dtype=dtype)
        six = coreai.constant(6.0, dtype=dtype)
        add_three = coreai.broadcasting_add(input, three)
        max_val = coreai.broadcasting_maximum(add_three, zero)
        min_val = coreai.broadcasting_minimum(max_val, six)
        return coreai.broadcasting_divide(min_val, six)

    return hard_sigmoid


def replace_hardsigmoid(values_map, node, loc):
    x = get_operand(values_map, node, 0)
    return build_hard_sigmoid_composite(x.context)(x)[0]


@torch.library.custom_op("ported::slice_update", mutates_args=())
def slice_update(x: torch.Tensor, update: torch.Tensor, begin: torch.Tensor, end: torch.Tensor) -> torch.Tensor:
    out = x.clone()
    out[begin[0] : end[0], begin[1] : end[1]] = update
    return out


@slice_update.register_fake
def _(x: torch.Tensor, update: torch.Tensor, begin: torch.Tensor, end: torch.Tensor) -> torch.Tensor:
    return torch.empty_like(x)


def custom_lowering_slice_update(values_map, node, loc):
    x, update, begin, end = get_operands(values_map, node, [0, 1, 2, 3])
    strides = [1] * x.type.rank
    return coreai.slice_update(x, begin, end, strides, update)


def custom_lowering_two_outputs(values_map, node, loc):
    x, y = values_map[node.args[0].name], values_map[node.args[1].name]
    composite_decl = generate_composite_decl(x.context, "sum_and_product", ["a", "b"], ["sum", "product"], {"k": 0.5})

    @coreai.graph(no_inline=True, composite_decl=composite_decl)
    def sum_and_product(a: Value, b: Value) -> tuple[Value, Value]:
        return coreai.broadcasting_add(a, b), coreai.broadcasting_mul(a, b)

    total, product = sum_and_product(x, y)
    return [total, product]


@torch.library.custom_op("ported::sum_and_product", mutates_args=())
def sum_and_product(x: torch.Tensor, y: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    return x + y, x * y


@sum_and_product.register_fake
def _(x: torch.Tensor, y: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    return torch.empty_like(x), torch.empty_like(x)


def updated(x: torch.Tensor, update: torch.Tensor) -> torch.Tensor:
    return torch.ops.ported.slice_update(x, update, torch.tensor([1, 2]), torch.tensor([3, 5]))


CASES = {
    "aten::_adaptive_avg_pool2d.default": (
        lower_adaptive_avg_pool2d_static,
        lambda x: torch.nn.functional.adaptive_avg_pool2d(x, (2, 3)),
        (torch.randn(1, 3, 8, 6),),
    ),
    "aten::hardsigmoid.default": (replace_hardsigmoid, torch.nn.functional.hardsigmoid, (torch.linspace(-5, 5, 24),)),
    "ported::slice_update.default": (custom_lowering_slice_update, updated, (torch.randn(4, 6), torch.randn(2, 3))),
    "ported::sum_and_product.default": (
        custom_lowering_two_outputs,
        lambda x, y: torch.ops.ported.sum_and_product(x, y),
        (torch.randn(2, 3), torch.randn(2, 3)),
    ),
}


@pytest.mark.parametrize("key", CASES)
def test_ported(key: str) -> None:
    lowering, function, inputs = CASES[key]
    program = torch.export.export(Apply(function), inputs).run_decompositions(get_decomp_table())
    converter = TorchConverter().add_exported_program(program)
    converter.register_torch_lowering(key, allow_override=True)(lowering)
    converted = converter.to_coreai()
    assert {node.plugin for node in converted.nodes if node.key == key} == {"python"}
    expected = function(*inputs)
    results = run(converted, *inputs)
    for got, want in zip(results, expected if isinstance(expected, tuple) else (expected,), strict=True):
        torch.testing.assert_close(got, want)
