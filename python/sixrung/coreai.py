"""Op functions of the coreai dialect, generated from it: ``coreai.add(x, y)``.

Operands are values, numbers, lists, NumPy arrays or tensors, by position or by name; attributes are given
by name. Result types are inferred unless ``result_types`` says them. ``loc`` is accepted and not needed.
"""

# Functions called `any`, `range` or `abs` stand in this module: nothing here may mean the builtins.
from __future__ import annotations

from typing import Any

from . import op_functions
from .graphs import graph
from .op_functions import build, cast
from .values import constant

__all__ = ["build", "cast", "constant", "graph", *op_functions.functions()]
globals().update({name: op_functions.make(op, name) for name, op in op_functions.functions().items()})


def __getattr__(name: str) -> Any:
    near = sorted(known for known in __all__ if name in known or known in name)[:4]
    hint = f"; did you mean {', '.join(near)}?" if near else ""
    raise AttributeError(f"the coreai dialect has no op '{name}'{hint}")
