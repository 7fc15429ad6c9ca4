"""Op functions of the coreai dialect, generated from it: ``coreai.add(x, y)``.

Operands are values, numbers, lists, NumPy arrays or tensors, by position or by name; attributes are given
by name. Result types are inferred unless ``result_types`` says them. ``loc`` is accepted and not needed.
"""

from __future__ import annotations

import keyword
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from . import _core
from .element_type import element_type
from .values import TensorType, Value, as_value, constant, current_call

_PREFIX = "coreai."
_MISSING = object()


def _attribute(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, (list, tuple)):
        return [_attribute(entry) for entry in value]
    if value is None or isinstance(value, (bool, int, float, complex, str)):
        return value
    return _core.DTypeCode(element_type(value).code)


def _types(given: Any) -> list[tuple[_core.DTypeCode, list[int | None]]]:
    entries = given if isinstance(given, (list, tuple)) else [given]
    types = []
    for entry in entries:
        kind = entry.type if isinstance(entry, Value) else entry
        if not isinstance(kind, TensorType):
            raise TypeError(f"a result type is a sixrung.TensorType, not a {type(entry).__name__}")
        types.append((_core.DTypeCode(kind.element_type.code), list(kind.shape)))
    return types


def build(op: str, *args: Any, result_types: Any = None, loc: Any = None, **kwargs: Any) -> Any:
    """Builds the op called `op`, for example ``"coreai.add"``; one value, or a list of several."""
    call = current_call()
    if op not in _OPS:
        raise AttributeError(f"the dialect has no op {op}")
    operands, attributes, results, _ = _OPS[op]
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
            named.append((name, _attribute(value)))
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
            values += [as_value(entry)._id for entry in entries]
            segments.append(len(entries))
        elif value is _MISSING:
            raise TypeError(f"{op} misses its operand '{name}'")
        else:
            values.append(as_value(value)._id)
            segments.append(1)
    if sum(operand[-1] in "*?" for operand in operands) > 1:
        named.append(("operandSegmentSizes", segments))
    ids = call.build(op, values, named, None if result_types is None else _types(result_types), len(results))
    built = [Value(call, id) for id in ids]
    return built[0] if len(built) == 1 else built


_OPS: dict[str, tuple[list[str], list[str], list[str], bool]] = _core.dialect_ops()


def _make(op: str, name: str) -> Callable[..., Any]:
    operands, attributes, results, _ = _OPS[op]

    def function(*args: Any, result_types: Any = None, loc: Any = None, **kwargs: Any) -> Any:
        return build(op, *args, result_types=result_types, loc=loc, **kwargs)

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


_OWN = {"build", "cast", "constant"}
__all__ = sorted(_OWN)
for _op in _OPS:
    _name = _op.removeprefix(_PREFIX).replace(".", "_")
    if not _op.startswith(_PREFIX) or _name in _OWN:
        continue
    _name += "_" if keyword.iskeyword(_name) else ""
    globals()[_name] = _make(_op, _name)
    __all__.append(_name)


def __getattr__(name: str) -> Any:
    near: Sequence[str] = [known for known in __all__ if name in known or known in name]
    hint = f"; did you mean {', '.join(sorted(near)[:4])}?" if near else ""
    raise AttributeError(f"the coreai dialect has no op '{name}'{hint}")
