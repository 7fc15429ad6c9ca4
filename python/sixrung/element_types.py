"""Element types of values, comparable with what PyTorch, NumPy and Core AI call them."""

from __future__ import annotations

from typing import Any, Final

from .arguments import brief
from .errors import ArgumentTypeError

# By number, as in sixrung/plugin.h: name in the dialect, name in torch, name in NumPy.
_ROWS: Final[tuple[tuple[int, str, str, str], ...]] = (
    (1, "i1", "bool", "bool"),
    (2, "si8", "int8", "int8"),
    (3, "si16", "int16", "int16"),
    (4, "si32", "int32", "int32"),
    (5, "si64", "int64", "int64"),
    (6, "ui8", "uint8", "uint8"),
    (7, "ui16", "uint16", "uint16"),
    (8, "ui32", "uint32", "uint32"),
    (9, "ui64", "uint64", "uint64"),
    (10, "f16", "float16", "float16"),
    (11, "bf16", "bfloat16", ""),
    (12, "f32", "float32", "float32"),
    (13, "f64", "float64", "float64"),
    (14, "f8E5M2", "float8_e5m2", ""),
    (15, "f8E4M3FN", "float8_e4m3fn", ""),
    (16, "complex<f16>", "complex32", ""),
    (17, "complex<f32>", "complex64", "complex64"),
    (18, "complex<f64>", "complex128", "complex128"),
    (19, "si2", "", ""),
    (20, "si4", "", ""),
    (21, "ui1", "", ""),
    (22, "ui2", "", ""),
    (23, "ui3", "", ""),
    (24, "ui4", "", ""),
    (25, "ui6", "", ""),
    (26, "f4E2M1FN", "", ""),
    (27, "f8E8M0FNU", "float8_e8m0fnu", ""),
)


class ElementType:
    """One element type; equal to the torch dtype, NumPy dtype and name that mean the same."""

    __slots__ = ("code", "name", "numpy_name", "torch_name")

    def __init__(self, code: int, name: str, torch_name: str, numpy_name: str) -> None:
        self.code = code
        self.name = name
        self.torch_name = torch_name
        self.numpy_name = numpy_name

    @property
    def torch(self) -> Any:
        """The torch dtype; ``TypeError`` when torch has none."""
        import torch

        if not self.torch_name:
            raise TypeError(f"torch has no dtype for {self.name}")
        return getattr(torch, self.torch_name)

    @property
    def is_float(self) -> bool:
        return self.code in range(10, 16) or self.code in (26, 27)

    @property
    def is_integer(self) -> bool:
        return self.code in range(2, 10) or self.code in range(19, 26)

    def __eq__(self, other: object) -> bool:
        try:
            return self is element_type(other)
        except TypeError:
            return NotImplemented

    def __hash__(self) -> int:
        return hash(self.code)

    def __repr__(self) -> str:
        return f"ElementType({self.name})"

    def __str__(self) -> str:
        return self.name


_BY_CODE: Final = {row[0]: ElementType(*row) for row in _ROWS}
_BY_NAME: Final[dict[str, ElementType]] = {}
for _type in _BY_CODE.values():
    for _name in (_type.name, _type.torch_name, _type.numpy_name):
        if _name:
            _BY_NAME[_name] = _type


def from_code(code: int) -> ElementType:
    """The element type of a number in sixrung/plugin.h."""
    return _BY_CODE[code]


def element_type(like: object) -> ElementType:
    """The element type that a torch dtype, NumPy dtype or scalar type, Python type or name means."""
    if isinstance(like, ElementType):
        return like
    if like is bool:
        return _BY_NAME["i1"]
    if like is int:
        return _BY_NAME["si32"]
    if like is float:
        return _BY_NAME["f32"]
    if isinstance(like, str):
        name = like
    elif isinstance(like, type):  # numpy.float32
        name = like.__name__
    else:
        try:
            name = str(like)
        except Exception:  # of a type of someone's own
            name = ""
    found = _BY_NAME.get(name.removeprefix("torch."))
    if found is None:
        raise ArgumentTypeError(f"{brief(like)} names no element type; torch.float32, numpy.int8 and 'f16' do")
    return found


__all__ = ["ElementType", "element_type", "from_code"]
