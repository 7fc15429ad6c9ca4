"""Private graphs written in Python: ``@sixrung.coreai.graph`` and what declares one a known operation."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, get_args, get_origin, get_type_hints, overload

import numpy as np

from . import arguments
from .errors import InvalidInputError
from .values import TensorType, Value, as_value, current_call, inside_graph

Body = Callable[..., Any]


@dataclass(frozen=True)
class CompositeDeclaration:
    """Says that a graph spells out an operation that Core AI knows by name."""

    name: str
    input_names: tuple[str, ...]
    output_names: tuple[str, ...]
    attributes: Mapping[str, Any]
    version: int = 1


def generate_composite_decl(
    context: Any,
    composite_name: str,
    input_names: Sequence[str],
    output_names: Sequence[str],
    op_attributes: Mapping[str, Any],
    version: int = 1,
) -> CompositeDeclaration:
    """A declaration for ``coreai.graph(composite_decl=...)``.

    Attributes are bools, ints, floats, strings and lists of one of them; what is ``None`` is left out, and an
    attribute called "version" gives way to `version`. `op_attributes` is not changed. `context` is not needed.
    """
    arguments.text(composite_name, "composite_name", "a string")
    for names, what in ((input_names, "input_names"), (output_names, "output_names")):
        if names is None:
            arguments.refuse(what, "a list of strings", names)
        arguments.names(names, what)
    if not isinstance(op_attributes, Mapping) or not all(isinstance(name, str) for name in op_attributes):
        arguments.refuse("op_attributes", "a dict of names and values", op_attributes)
    if not isinstance(version, int) or isinstance(version, bool) or not 0 <= version < 2**32:
        arguments.refuse("version", "an int from 0 on", version)
    attributes = {name: _attribute(name, value) for name, value in op_attributes.items() if name != "version"}
    return CompositeDeclaration(composite_name, tuple(input_names), tuple(output_names), attributes, version)


def _attribute(name: str, value: Any) -> Any:
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple)):
        entries = [_attribute(name, entry) for entry in value]
        kinds = {type(entry) for entry in entries}
        if len(kinds) <= 1 and kinds <= {bool, int, float, str}:
            return entries
    takes = "None, a bool, an int, a float, a string or a list of one of them"
    arguments.refuse(f"Unsupported value provided in composite declaration: {name!r}", takes, value)


class Graph:
    """A function over values as a private graph; see ``coreai.graph``."""

    def __init__(self, function: Body, name: str | None, composite: CompositeDeclaration | None) -> None:
        functools.update_wrapper(self, function)
        self._function = function
        self._name = name or re.sub(r"[^\w.]", "", getattr(function, "__name__", "graph"))
        self._signature = inspect.signature(function)
        self._composite = composite

    def __call__(self, *args: Any, **kwargs: Any) -> list[Value]:
        """Builds the graph for these operands and calls it; gives its results, also where there is one."""
        call = current_call()
        if "loc" not in self._signature.parameters:
            kwargs.pop("loc", None)  # as op functions take it: ops know their place by themselves
        bound = self._signature.bind(*args, **kwargs)
        bound.apply_defaults()
        operands = {name: as_value(value) for name, value in self._flat(bound)}
        self._check_types(operands)
        names = self._input_names(list(operands))
        inputs = [(name, value._id) for name, value in zip(names, operands.values(), strict=True)]
        graph, inner = call.open_graph(self._name, inputs, self._declaration())
        try:
            with inside_graph(self._name):
                self._refill(bound, iter([Value(call, argument) for argument in inner]))
                outputs = self._outputs(self._function(*bound.args, **bound.kwargs))
                call.close_graph(graph, [value._id for value in outputs])
        except BaseException:
            call.abandon_graph(graph)
            raise
        ids = call.invoke(graph, [value._id for value in operands.values()], len(outputs))
        return [Value(call, id) for id in ids]

    def __repr__(self) -> str:
        return f"<sixrung.coreai.graph {self._name}>"

    def _kind(self, name: str) -> Any:
        return self._signature.parameters[name].kind

    def _flat(self, bound: inspect.BoundArguments) -> list[tuple[str, Any]]:
        flat: list[tuple[str, Any]] = []
        for name, value in bound.arguments.items():
            if self._kind(name) is inspect.Parameter.VAR_POSITIONAL:
                flat += [(f"{name}_{i}", entry) for i, entry in enumerate(value)]
            elif self._kind(name) is inspect.Parameter.VAR_KEYWORD:
                flat += list(value.items())
            else:
                flat.append((name, value))
        return flat

    def _refill(self, bound: inspect.BoundArguments, values: Any) -> None:
        for name, value in bound.arguments.items():
            if self._kind(name) is inspect.Parameter.VAR_POSITIONAL:
                bound.arguments[name] = tuple(next(values) for _ in value)
            elif self._kind(name) is inspect.Parameter.VAR_KEYWORD:
                bound.arguments[name] = {key: next(values) for key in value}
            else:
                bound.arguments[name] = next(values)

    def _check_types(self, operands: dict[str, Value]) -> None:
        try:
            hints = get_type_hints(self._function, include_extras=True)
        except NameError:  # of a name that is only known where the function was written
            return
        for name, hint in hints.items():
            wanted = get_args(hint)[1] if get_origin(hint) is Annotated else None
            if isinstance(wanted, TensorType) and name in operands and operands[name].type != wanted:
                raise TypeError(
                    f"expected parameter `{name}` of {self._name} to have type `{wanted}`, "
                    f"got type `{operands[name].type}`"
                )

    def _input_names(self, parameters: list[str]) -> list[str]:
        if self._composite is None:
            return parameters
        names = list(self._composite.input_names)
        if len(names) != len(parameters):
            raise InvalidInputError(
                f"the composite {self._composite.name} declares the inputs {names}, and {self._name} has {parameters}"
            )
        return names

    def _declaration(self) -> tuple[str, list[tuple[str, Any]], list[str], int] | None:
        if self._composite is None:
            return None
        declared = self._composite
        return declared.name, list(declared.attributes.items()), list(declared.output_names), declared.version

    def _outputs(self, returned: Any) -> list[Value]:
        entries = list(returned) if isinstance(returned, (list, tuple)) else [returned]
        if not entries or any(entry is None for entry in entries):
            raise TypeError(f"the graph {self._name} returned {returned!r}; it must return its values")
        if self._composite is not None and len(entries) != len(self._composite.output_names):
            raise InvalidInputError(
                f"the composite {self._composite.name} declares the outputs {list(self._composite.output_names)}, "
                f"and {self._name} returned {len(entries)} values"
            )
        return [as_value(entry) for entry in entries]


@overload
def graph(
    fn: Body,
    *,
    private: bool = ...,
    externalize: bool = ...,
    no_inline: bool = ...,
    provided_name: str | None = ...,
    composite_decl: CompositeDeclaration | None = ...,
) -> Graph: ...


@overload
def graph(
    fn: None = ...,
    *,
    private: bool = ...,
    externalize: bool = ...,
    no_inline: bool = ...,
    provided_name: str | None = ...,
    composite_decl: CompositeDeclaration | None = ...,
) -> Callable[[Body], Graph]: ...


def graph(
    fn: Body | None = None,
    *,
    private: bool = True,
    externalize: bool = False,
    no_inline: bool = True,
    provided_name: str | None = None,
    composite_decl: CompositeDeclaration | None = None,
) -> Graph | Callable[[Body], Graph]:
    """Makes a function over values a private graph, which calls of it invoke.

    The function runs at each call, inside a lowering, with the graph's arguments in place of the operands; its
    graph has the operands' types. A graph of equal content is in the program once, so calls with operands of the
    same types share it. Its symbol is the function's name and a suffix made of the content. A call gives a list,
    of one value too, as coreai-core's decorator does: ``scaled(x, y)[0]``.

    Values from outside cannot be used in the body: pass them as operands. A parameter may be annotated
    ``Annotated[Value, TensorType(...)]`` and then takes that type only. ``composite_decl`` comes from
    ``generate_composite_decl``. The graph is always private, and never inlined: ``private=False`` is refused, for
    entrypoints come from ``add_exported_program``, and ``no_inline=False`` allows what is not done.
    """
    if not arguments.flag(private, "private"):
        raise InvalidInputError("a graph of a lowering is private; entrypoints come from add_exported_program()")
    if arguments.flag(externalize, "externalize"):
        raise InvalidInputError(
            "a graph of a lowering cannot be externalized; to_coreai(externalize=...) cuts nodes out"
        )
    arguments.flag(no_inline, "no_inline")
    if provided_name is not None:
        arguments.text(provided_name, "provided_name", "a string")
    if composite_decl is not None and not isinstance(composite_decl, CompositeDeclaration):
        arguments.refuse("composite_decl", "what sixrung.generate_composite_decl() gives", composite_decl)

    def decorate(function: Body) -> Graph:
        if not callable(function) or isinstance(function, type):
            arguments.refuse("coreai.graph", "applied to a function", function)
        return Graph(function, provided_name, composite_decl)

    return decorate if fn is None else decorate(fn)


__all__ = ["CompositeDeclaration", "Graph", "generate_composite_decl", "graph"]
