"""Which ops stay whole when a program is decomposed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

# Lowered as they are, or kept as composites; everything else follows torch's own table.
KEPT = (
    "hardsigmoid.default",
    "hardswish.default",
    "instance_norm.default",
    "pixel_shuffle.default",
    "reflection_pad1d.default",
    "reflection_pad2d.default",
    "reflection_pad3d.default",
    "replication_pad1d.default",
    "replication_pad2d.default",
    "replication_pad3d.default",
    "scaled_dot_product_attention.default",
    "silu.default",
)

# Decomposed into other numbers than eager's: torch counts the targets behind the first -1. Refused instead.
WRONG = ("multilabel_margin_loss_forward.default",)


def get_decomp_table() -> dict[torch._ops.OperatorBase, Callable[..., Any]]:
    """A table for ``ExportedProgram.run_decompositions()``: torch's default without the ops kept whole.

    A fresh copy each time; changing it changes no other.
    """
    table: dict[torch._ops.OperatorBase, Callable[..., Any]] = torch.export.default_decompositions()
    for name in KEPT:
        table.pop(_op(name), None)
    for name in WRONG:
        table[_op(name)] = _left_whole
    return table


def _op(name: str) -> torch._ops.OperatorBase:
    packet, overload = name.split(".")
    op: torch._ops.OperatorBase = getattr(getattr(torch.ops.aten, packet), overload)
    return op


def _left_whole(*_: Any, **__: Any) -> Any:
    """A decomposition that declines, as torch asks of one."""
    return NotImplemented


__all__ = ["get_decomp_table"]
