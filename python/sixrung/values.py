"""Values of the graph being built, as Python lowerings see them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from . import _core, arguments
from .element_types import ElementType, element_type, from_code
from .errors import ArgumentTypeError

Dim = int | None
_KINDS = {1: "tensor", 2: "token", 3: "handle"}
_current: ContextVar[_core.Call | None] = ContextVar("sixrung_call", default=None)
_graph: ContextVar[str] = ContextVar("sixrung_graph", default="")


@contextmanager
def running(call: _core.Call) -> Iterator[None]:
    """Makes `call` the one that op functions build into."""
    token = _current.set(call)
    outside = _graph.set("")
    try:
        yield
    finally:
        _graph.reset(outside)
        _current.reset(token)


@contextmanager
def inside_graph(name: str) -> Iterator[None]:
    """While the body of the private graph `name` runs."""
    token = _graph.set(name)
    try:
        yield
    finally:
        _graph.reset(token)


def open_graph() -> str:
    """The private graph whose body runs; empty for none."""
    return _graph.get()


def current_call() -> _core.Call:
    call = _current.get()
    if call is None:
        raise RuntimeError("values are built inside a lowering only, while a program is converted")
    return call


@dataclass(frozen=True)
class Location:
    """Where the node being lowered comes from. Ops get it by themselves."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" if self.file else "unknown"


def _size(size: Any) -> Dim:
    if size is None or isinstance(size, torch.SymInt):
        return None
    if not isinstance(size, (int, np.integer)) or isinstance(size, bool) or size < 0:
        arguments.refuse("a size of a shape", "an int from 0 on, or None", size)
    return int(size)


@dataclass(frozen=True)
class TensorType:
    """Shape and element type of a value. Sizes known only at run time are ``None``."""

    shape: tuple[Dim, ...]
    element_type: ElementType
    kind: str = "tensor"

    def __post_init__(self) -> None:
        shape: Any = self.shape
        if isinstance(shape, str) or not isinstance(shape, Sequence):
            arguments.refuse("shape", "a list of sizes, None where one is known at run time only", shape)
        object.__setattr__(self, "shape", tuple(_size(size) for size in shape))
        object.__setattr__(self, "element_type", element_type(self.element_type))

    @property
    def rank(self) -> int:
        return len(self.shape)

    @property
    def has_static_shape(self) -> bool:
        return None not in self.shape

    def is_dynamic_dim(self, dim: int) -> bool:
        return self.shape[dim] is None

    def __str__(self) -> str:
        sizes = "".join(f"{'?' if size is None else size}x" for size in self.shape)
        return f"{self.kind}<{sizes}{self.element_type}>"


class Value:
    """A value of the graph being built."""

    __slots__ = ("_call", "_id")

    def __init__(self, call: _core.Call, id: _core.ValueId) -> None:
        self._call = call
        self._id = id

    @property
    def type(self) -> TensorType:
        kind, dtype, dims = self._call.type(self._id)
        return TensorType(tuple(dims), from_code(dtype.code), _KINDS.get(kind, "other"))

    @property
    def shape(self) -> tuple[Dim, ...]:
        return self.type.shape

    @property
    def element_type(self) -> ElementType:
        return self.type.element_type

    @property
    def rank(self) -> int:
        return self.type.rank

    @property
    def context(self) -> Any:
        """For ``generate_composite_decl``, which takes one as coreai-torch's does."""
        return self._call

    def constant(self) -> np.ndarray | None:
        """The elements, when this is a constant whose dtype NumPy has; else ``None``."""
        found = self._call.constant_bytes(self._id)
        if found is None:
            return None
        dtype, dims, data, splat = found
        name = from_code(dtype.code).numpy_name
        if not name:
            return None
        flat = np.frombuffer(data, dtype=name)
        return np.full(dims, flat[0]) if splat else flat.reshape(dims)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Value) and self._id == other._id

    def __hash__(self) -> int:
        return hash(self._id)

    def __repr__(self) -> str:
        return f"Value({self.type})"


ValueLike = Value | bool | int | float | complex | Sequence[Any] | np.ndarray | torch.Tensor


def _tensor(data: Any, dtype: object) -> tuple[ElementType, torch.Tensor]:
    if isinstance(data, torch.Tensor):
        tensor = data.detach().cpu()
    else:
        try:
            array = np.asarray(data)
        except ValueError:  # lists of several lengths
            array = np.asarray(None)
        if array.dtype.kind not in "biufc":
            arguments.refuse("a constant", "made of a number, a list of numbers, an array or a tensor", data)
        if array.size == 0 and not isinstance(data, np.ndarray) and dtype is None:
            array = array.astype(np.int32)  # an empty list of sizes or axes
        tensor = torch.from_numpy(np.ascontiguousarray(array).reshape(array.shape).copy())
    if dtype is not None:
        kind = element_type(dtype)
        return kind, tensor.to(kind.torch)
    # The 64-bit rule: what fits 32 bits has them.
    if tensor.dtype == torch.float64:
        tensor = tensor.to(torch.float32)
    elif tensor.dtype == torch.complex128:
        tensor = tensor.to(torch.complex64)
    elif tensor.dtype == torch.int64:
        bounds = torch.iinfo(torch.int32)
        if tensor.numel() == 0 or (tensor.min() >= bounds.min and tensor.max() <= bounds.max):
            tensor = tensor.to(torch.int32)
    return element_type(tensor.dtype), tensor


def constant(value: ValueLike, dtype: object = None) -> Value:
    """A constant from a number, list, NumPy array or tensor; of `dtype`, when given.

    Without one, integers that fit are si32 and Python floats are f32.
    """
    call = current_call()
    if isinstance(value, Value):
        raise TypeError("this is a value of the graph already; coreai.cast() converts it")
    kind, tensor = _tensor(value, dtype)
    flat = tensor.contiguous().reshape(-1)
    data = flat.view(torch.uint8).numpy() if flat.numel() else np.zeros(0, np.uint8)
    return Value(call, call.constant(kind.code, list(tensor.shape), data))


def as_value(value: ValueLike) -> Value:
    """`value` itself, or a constant made of it."""
    return value if isinstance(value, Value) else constant(value)


def _fits_half(number: float) -> bool:
    half = float(torch.tensor(number, dtype=torch.float16))
    if not math.isfinite(half):
        return half == number or math.isnan(number)
    return abs(number - half) <= torch.finfo(torch.float16).eps * max(abs(number), 1.0)


def _all_floats_are_half(node: torch.fx.Node) -> bool:
    dtypes = [getattr(n.meta.get("val"), "dtype", None) for n in node.all_input_nodes]
    floats = [d for d in dtypes if d is not None and d.is_floating_point]
    return bool(floats) and all(d == torch.float16 for d in floats)


def _argument(node: torch.fx.Node, index: int | str) -> Any:
    arguments.instance(node, torch.fx.Node, "node", "the torch.fx.Node that the lowering is given")
    if isinstance(index, bool) or not isinstance(index, (int, str)):
        arguments.refuse("index", "the number of an argument, or the name of a keyword argument", index)
    given: Any = node.kwargs if isinstance(index, str) else node.args
    try:
        return given[index]
    except (IndexError, KeyError) as error:
        names = ", ".join(map(repr, node.kwargs)) or "none"
        said = f"{node.name} has no argument {index!r}: {len(node.args)} by position, by keyword {names}"
        raise type(error)(f"{said}; one left at its default is in neither") from None


def get_operand(
    values_map: Mapping[str, Any], node: torch.fx.Node, index: int | str, loc: Location | None = None
) -> Value:
    """The value of ``node.args[index]``, or of a keyword argument; numbers, lists and tensors become constants.

    A Python float is f16 where the node has float tensors, all of them are, and f16 can hold it.
    """
    arg = _argument(node, index)
    if isinstance(arg, torch.fx.Node):
        return as_value(values_map[arg.name])
    if isinstance(arg, (list, tuple)) and any(isinstance(entry, torch.fx.Node) for entry in arg):
        from . import coreai

        parts = [
            as_value(values_map[entry.name]) if isinstance(entry, torch.fx.Node) else constant([entry], np.int32)
            for entry in arg
        ]
        return parts[0] if len(parts) == 1 else coreai.concat(constant(0), parts)
    if isinstance(arg, float) and _all_floats_are_half(node) and _fits_half(arg):
        return constant(arg, torch.float16)
    if arg is None or isinstance(arg, (str, torch.dtype, torch.device)):
        said = f"argument {index!r} of {node.name} is {arg!r}, which is no value; read it from node.args"
        raise ArgumentTypeError(said)
    return constant(arg)


def get_operands(
    values_map: Mapping[str, Any], node: torch.fx.Node, indices: Sequence[int | str], loc: Location | None = None
) -> list[Value]:
    """`get_operand` of each index."""
    if isinstance(indices, str) or not isinstance(indices, Sequence):
        arguments.refuse("indices", "a list of numbers or names of arguments", indices)
    return [get_operand(values_map, node, index, loc) for index in indices]


__all__ = ["Location", "TensorType", "Value", "constant", "get_operand", "get_operands"]
