"""Writes sixrung/coreai.pyi from the dialect: ``python python/tools/coreai_stubs.py > python/sixrung/coreai.pyi``."""

from __future__ import annotations

import torch  # noqa: F401  (before the host)

from sixrung import op_functions

HEAD = '''"""Op functions of the coreai dialect. Written by python/tools/coreai_stubs.py."""

from collections.abc import Sequence
from typing import Any

from .graphs import graph as graph
from .values import TensorType, Value, ValueLike
from .values import constant as constant

def build(op: str, *args: Any, result_types: _Types = ..., loc: Any = ..., **kwargs: Any) -> Any: ...
def cast(value: ValueLike, dtype: Any = ..., *, loc: Any = ..., element_type: Any = ...) -> Value: ...

_Types = TensorType | Sequence[TensorType] | None
'''


def function(name: str, op: str) -> str:
    operands, attributes, results, _ = op_functions.OPS[op]
    parameters = []
    optional = False
    for operand in operands:
        plain = operand.rstrip("*?")
        plain += "_" if plain in ("from", "in", "lambda") else ""
        optional = optional or plain != operand
        kind = "Sequence[ValueLike]" if operand.endswith("*") else "ValueLike"
        if operand.endswith("?"):
            kind += " | None"
        parameters.append(f"{plain}: {kind}" + (" = ..." if optional else ""))
    parameters.append("*")
    parameters += [f"{attribute}: Any = ..." for attribute in attributes]
    varies = any(result.endswith("*") for result in results)
    parameters += ["result_types: _Types = ..."] + ["result_count: int = ..."] * varies + ["loc: Any = ..."]
    result = "Value" if len(results) == 1 and not varies else "list[Value]"
    return f"def {name}({', '.join(parameters)}) -> {result}: ..."


def text() -> str:
    named = sorted(op_functions.functions().items())
    return "\n".join([HEAD, *(function(name, op) for name, op in named)]) + "\n"


if __name__ == "__main__":
    print(text(), end="")
