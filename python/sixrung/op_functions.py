"""Building ops of the dialect by name; ``sixrung.coreai`` has one function an op over this."""

from __future__ import annotations

import builtins
import keyword
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from . import _core, arguments
from .element_types import ElementType, element_type
from .errors import ArgumentTypeError
from .values import TensorType, Value, as_value, constant, current_call

_PREFIX = "coreai."
_MISSING = object()


def _attribute(name: str, value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, (list, tuple)):
        return [_attribute(name, entry) for entry in value]
    if isinstance(value, int):
        return arguments.integer(value, f"the attribute {name}")
    if value is None or isinstance(value, (float, complex, str)):
        return value
    if isinstance(value, (torch.dtype, np.dtype, ElementType, type)):
        return _core.DTypeCode(element_type(value).code)
    arguments.refuse(f"the attribute {name}", "a number, a string, a dtype or a list of them", value)


def _operand(op: str, name: str, value: Any) -> _core.ValueId:
    try:
        return as_value(value)._id
    except ArgumentTypeError:
        takes = "a value, a number, a list of numbers, an array or a tensor"
        arguments.refuse(f"the operand '{name}' of {op}", takes, value)


def _types(given: Any) -> list[tuple[_core.DTypeCode, list[int | None]]]:
    entries = given if isinstance(given, (list, tuple)) else [given]
    types = []
    for entry in entries:
        kind = entry.type if isinstance(entry, Value) else entry
        if not isinstance(kind, TensorType):
            arguments.refuse("a result type", "a sixrung.TensorType, or a value of the same type", entry)
        types.append((_core.DTypeCode(kind.element_type.code), list(kind.shape)))
    return types


def build(
    op: str, *args: Any, result_types: Any = None, result_count: int | None = None, loc: Any = None, **kwargs: Any
) -> Any:
    """Builds the op called `op`, for example ``"coreai.add"``; one value, or a list of several.

    Ops whose number of results varies need ``result_count`` or ``result_types``.
    """
    call = current_call()
    arguments.text(op, "op", 'the name of an op, such as "coreai.add"')
    if result_count is not None and not (type(result_count) is int and 0 <= result_count < 1 << 16):
        arguments.refuse("result_count", "the number of results", result_count)
    if op not in OPS:
        raise AttributeError(f"the dialect has no op {op}")
    operands, attributes, results, _ = OPS[op]
    if len(args) > len(operands):
        raise TypeError(f"{op} takes {len(operands)} operands ({', '.join(operands)}), and {len(args)} are given")
    given = dict(zip((name.rstrip("*?") for name in operands), args, strict=False))
    named: list[tuple[str, Any]] = []
    for name, value in kwargs.items():
        if name in given:
            raise TypeError(f"{op} got two values for its operand '{name}'")
        if any(name == operand.rstrip("*?") for operand in operands):
            given[name] = value
        elif name in attributes:
            named.append((name, _attribute(name, value)))
        else:
            known = ", ".join([*(o.rstrip("*?") for o in operands), *attributes])
            raise TypeError(f"{op} has no operand or attribute '{name}'; it has {known or 'none'}")
    values: list[Any] = []
    segments: list[int] = []
    for operand in operands:
        name = operand.rstrip("*?")
        value = given.get(name, _MISSING)
        if operand != name:  # variadic or optional
            entries = [] if value is _MISSING or value is None else value
            entries = list(entries) if isinstance(entries, (list, tuple)) else [entries]
            values += [_operand(op, name, entry) for entry in entries]
            segments.append(len(entries))
        elif value is _MISSING:
            raise TypeError(f"{op} misses its operand '{name}'")
        else:
            values.append(_operand(op, name, value))
            segments.append(1)
    if sum(operand[-1] in "*?" for operand in operands) > 1:
        named.append(("operandSegmentSizes", segments))
    varies = results != [name.rstrip("*") for name in results]
    if varies and result_count is None and result_types is None:
        raise TypeError(f"{op} has a varying number of results; say result_count or result_types")
    types = None if result_types is None else _types(result_types)
    ids = call.build(op, values, named, types, len(results) if result_count is None else result_count)
    built = [Value(call, id) for id in ids]
    return built[0] if len(built) == 1 and not varies else built


OPS: dict[str, tuple[list[str], list[str], list[str], bool]] = _core.dialect_ops()


def make(op: str, name: str) -> Callable[..., Any]:
    operands, attributes, results, _ = OPS[op]

    def function(*args: Any, **kwargs: Any) -> Any:
        return build(op, *args, **kwargs)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"{op}\n\nOperands: {', '.join(operands) or 'none'}\nAttributes: {', '.join(attributes) or 'none'}\n"
        f"Results: {', '.join(results) or 'none'}"
    )
    return function


def cast(value: Any, dtype: Any = None, *, loc: Any = None, **kwargs: Any) -> Value:
    """`value` with the element type `dtype`; a number becomes a constant of it."""
    kind = element_type(kwargs.pop("element_type", dtype))
    if kwargs:
        raise TypeError(f"coreai.cast has no {', '.join(kwargs)}")
    if not isinstance(value, Value):
        return constant(value, kind)
    built: Value = build("coreai.cast", value, result_types=TensorType(value.type.shape, kind))
    return built


# Spellings of coreai-core's own op functions, where they differ.
_ALIASES = {
    "maxpool2d": "max_pool_2d",
    "maxpool3d": "max_pool_3d",
    "sumpool2d": "sum_pool_2d",
    "sumpool3d": "sum_pool_3d",
}
OWN = ("build", "cast", "constant", "graph")


def functions() -> dict[str, str]:
    """What the functions of ``sixrung.coreai`` are called, and the op each builds."""
    named: dict[str, str] = {}
    for op in OPS:
        name = op.removeprefix(_PREFIX).removeprefix("decomposable.")
        if not op.startswith(_PREFIX) or name in OWN:
            continue
        if keyword.iskeyword(name):
            named[f"{name}_"] = op
            continue
        named[name] = op
        if hasattr(builtins, name):
            named[f"{name}_"] = op
    named |= {alias: _PREFIX + name for alias, name in _ALIASES.items() if _PREFIX + name in OPS}
    return named
