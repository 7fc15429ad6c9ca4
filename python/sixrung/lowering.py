"""Python lowerings: what stands between the host and a callable (values_map, node, loc)."""

from __future__ import annotations

import hashlib
import inspect
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import torch

from . import _core, arguments
from .element_types import element_type, from_code
from .values import Location, TensorType, Value, as_value, current_call, open_graph, running

LoweringFunction = Callable[[Mapping[str, Any], torch.fx.Node, Location], Value | Sequence[Value]]
_TENSOR = 1


class ValuesMap(Mapping[str, Any]):
    """Values by FX node name, and by ``"name#i"`` for the results of a node that gives several."""

    def __init__(self, call: _core.Call, node: torch.fx.Node, given: Mapping[str, Any] | None = None) -> None:
        self._call = call
        self._node = node
        self._given = given or {}

    def __getitem__(self, name: str) -> Any:
        if name in self._given:
            return self._given[name]
        found = self._call.value(name)
        if found is None:
            for other in self._spellings(name):
                found = self._call.value(other)
                if found is not None:
                    break
        if found is None:
            if graph := open_graph():
                raise KeyError(f"{name}: the graph {graph} cannot use a value from outside; pass it as an operand")
            raise KeyError(name)
        return Value(self._call, found)

    def _spellings(self, name: str) -> Iterator[str]:
        """Other names of the same value: results are called as the first getitem that takes them."""
        producer, _, index = name.rpartition("#")
        for node in self._node.graph.nodes:
            if node.name == name and node.target is operator.getitem:
                producer, index = node.args[0].name, str(node.args[1])
            if node.op == "call_function" and node.target is operator.getitem:
                source = node.args[0]
                if isinstance(source, torch.fx.Node) and (source.name, str(node.args[1])) == (producer, index):
                    yield node.name
        # A getitem may stand before the one asked for; look again now that its producer is known.
        if producer and "#" not in name:
            yield from self._spellings(f"{producer}#{index}")

    def __contains__(self, name: object) -> bool:
        try:
            self[str(name)]
        except KeyError:
            return False
        return True

    def __iter__(self) -> Iterator[str]:
        if self._given:
            yield from self._given
            return
        for node in self._node.graph.nodes:
            if node is self._node:
                return
            if node.name in self:
                yield node.name

    def __len__(self) -> int:
        return sum(1 for _ in self)


def source_sha256(function: Callable[..., Any]) -> str:
    """Of a lowering's own source text; of its code where there is no text, as in an interactive session."""
    target = inspect.unwrap(function)
    try:
        text = inspect.getsource(target).encode()
    except (OSError, TypeError):
        code = getattr(target, "__code__", None)
        if code is None:
            return ""
        text = code.co_code + repr(code.co_names).encode()
    return hashlib.sha256(text).hexdigest()


def describe(function: Callable[..., Any]) -> tuple[str, str]:
    """("module.qualname", source file) of a lowering, for provenance."""
    target = inspect.unwrap(function)
    name = f"{getattr(target, '__module__', '?')}.{getattr(target, '__qualname__', type(target).__qualname__)}"
    try:
        return name, inspect.getsourcefile(target) or ""
    except TypeError:
        return name, ""


def runner(key: str, function: LoweringFunction) -> Callable[[_core.Call, Any], list[_core.ValueId | None]]:
    """What the host calls for `key`."""

    def run(call: _core.Call, node: Any) -> list[_core.ValueId | None]:
        info = call.node()
        results = call.results()
        given: dict[str, Any] = {}
        with running(call):
            if node is None:
                node, given = _stand_in(call, info["key"], results)
            loc = Location(info["source_file"], info["source_line"])
            returned = function(ValuesMap(call, node, given), node, loc)
            return _ids(key, returned, results)

    return run


def _ids(key: str, returned: object, results: list[Any]) -> list[_core.ValueId | None]:
    if returned is None and not any(used for *_, used in results):
        return []
    many = isinstance(returned, (list, tuple))
    values = list(returned) if many else [returned]  # type: ignore[call-overload]
    if len(values) != len(results):
        raise TypeError(
            f"the lowering of {key} returned {len(values)} value{'s' if len(values) != 1 else ''}; "
            f"the node has {len(results)} result{'s' if len(results) != 1 else ''}"
        )
    ids: list[_core.ValueId | None] = []
    for value in values:
        if value is None:
            ids.append(None)
        elif isinstance(value, Value):
            ids.append(value._id)
        elif isinstance(value, (bool, int, float)):
            ids.append(as_value(value)._id)
        else:
            raise TypeError(f"the lowering of {key} returned a {type(value).__name__}, not a sixrung.Value")
    return ids


def _meta(kind: int, dtype: Any, dims: tuple[int | None, ...]) -> Any:
    if kind != _TENSOR:
        return None
    # A size known at run time only has no number; -1 would not make a tensor.
    return torch.empty([1 if dim is None else dim for dim in dims], dtype=from_code(dtype.code).torch, device="meta")


def _stand_in(call: _core.Call, key: str, results: list[Any]) -> tuple[torch.fx.Node, dict[str, Any]]:
    """A node for a call that stands in no program: another lowering asked for this key."""
    graph = torch.fx.Graph()
    given: dict[str, Any] = {}

    def read(argument: Any) -> Any:
        if isinstance(argument, _core.ValueId):
            value = Value(call, argument)
            placeholder = graph.placeholder(f"operand_{len(given)}")
            given[placeholder.name] = value
            kind = value.type
            if kind.kind == "tensor" and kind.element_type.torch_name:
                sizes = [1 if dim is None else dim for dim in kind.shape]
                placeholder.meta["val"] = torch.empty(sizes, dtype=kind.element_type.torch, device="meta")
            return placeholder
        if isinstance(argument, _core.DTypeCode):
            return from_code(argument.code).torch
        if isinstance(argument, list):
            return [read(entry) for entry in argument]
        return argument

    names = [(name, read(argument)) for name, argument in call.arguments()]
    target = _target(key)
    keyword_only = {a.name for a in target._schema.arguments if a.kwarg_only} if hasattr(target, "_schema") else set()
    node = graph.call_function(
        target,
        tuple(value for name, value in names if name not in keyword_only),
        {name: value for name, value in names if name in keyword_only},
    )
    metas = [_meta(kind, dtype, dims) for kind, dtype, _, dims, _ in results]
    node.meta["val"] = metas[0] if len(metas) == 1 else metas
    return node, given


def is_operator(key: str) -> bool:
    """Whether a key without a namespace is a Python operator, which exported programs hold for sizes."""
    return callable(getattr(operator, key, None)) or (key.startswith("sym_") and hasattr(torch, key))


def _target(key: str) -> Any:
    """The op or operator of torch that a key means; a stand-in of that name where there is none."""
    namespace, _, name = key.rpartition("::")
    try:
        if not namespace:
            return getattr(operator, name, None) or getattr(torch, name)
        found: Any = getattr(torch.ops, namespace)
        for part in name.split("."):
            found = getattr(found, part)
        return found
    except AttributeError:

        def nowhere(*args: Any, **kwargs: Any) -> Any:
            raise NotImplementedError(f"torch has no {key}")

        nowhere.__name__ = nowhere.__qualname__ = key
        return nowhere


def lower(key: str, *args: Any, results: Sequence[Any], **kwargs: Any) -> Value | list[Value]:
    """Lowers `key` through the ladder, so that overrides apply, and gives its value or values.

    `results` tells what it gives: one entry a result, a ``TensorType``, a tensor (only its shape and
    dtype count, as in ``node.meta["val"]``), or a value of the same type.
    """
    arguments.text(key, "key", 'the key of an op, such as "aten::mul.Tensor"')
    if isinstance(results, (Value, TensorType, torch.Tensor)) or not isinstance(results, Sequence):
        arguments.refuse("results", "a list with an entry for each result", results)
    call = current_call()

    def write(argument: Any) -> Any:
        if isinstance(argument, Value):
            return argument._id
        if isinstance(argument, torch.dtype):
            return _core.DTypeCode(element_type(argument).code)
        if isinstance(argument, (list, tuple)):
            return [write(entry) for entry in argument]
        if isinstance(argument, int):
            return arguments.integer(argument, f"an argument of {key}")
        if argument is None or isinstance(argument, (float, complex, str)):
            return argument
        arguments.refuse(f"an argument of {key}", "a value, a number, a string, a dtype or a list of them", argument)

    names = _parameter_names(key)
    given = [(names[i] if i < len(names) else "", write(arg)) for i, arg in enumerate(args)]
    given += [(name, write(value)) for name, value in kwargs.items()]
    ids = call.lower(key, given, [_wanted(result) for result in results])
    values = [Value(call, id) for id in ids]
    return values[0] if len(values) == 1 else values


def _parameter_names(key: str) -> list[str]:
    schema = getattr(_target(_core.canonical_key(key)), "_schema", None)
    return [argument.name for argument in schema.arguments] if schema is not None else []


def _wanted(result: Any) -> tuple[int, _core.DTypeCode, list[int | None]]:
    if isinstance(result, Value):
        result = result.type
    if isinstance(result, TensorType):
        return _TENSOR, _core.DTypeCode(result.element_type.code), list(result.shape)
    if isinstance(result, torch.Tensor):
        dims: list[int | None] = [size if isinstance(size, int) else None for size in result.shape]
        return _TENSOR, _core.DTypeCode(element_type(result.dtype).code), dims
    arguments.refuse("an entry of results", "a sixrung.TensorType, a tensor or a value", result)


__all__ = ["lower"]
