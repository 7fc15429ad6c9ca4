"""Arguments of the public functions: one of a wrong type is told by its name, before anything is done with it."""

from __future__ import annotations

import os
import reprlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

from .errors import ArgumentTypeError, InvalidInputError

_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = 60


def shown(value: object) -> str:
    """The value and its type, in a few words."""
    if value is None:
        return "None"
    if isinstance(value, type):
        return f"the class {value.__name__}"
    kind = type(value).__name__
    if isinstance(value, (str, bytes, bool, int, float, complex, list, tuple, set, frozenset, dict)):
        return f"the {kind} {_SHORT.repr(value)}"
    return f"{'an' if kind[:1].lower() in 'aeiou' else 'a'} {kind}"


def brief(value: object) -> str:
    """Its repr, shortened unless it is a string; also of what has none."""
    return repr(value) if isinstance(value, str) else _SHORT.repr(value)


def refuse(name: str, takes: str, got: object) -> NoReturn:
    raise ArgumentTypeError(f"{name} is {takes}, not {shown(got)}")


def flag(value: object, name: str) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        refuse(name, "True or False", value)
    return bool(value)


def integer(value: int, name: str) -> int:
    if not -(1 << 63) <= value < 1 << 63:
        refuse(name, "an int of 64 bits", value)
    return value


def text(value: object, name: str, takes: str) -> str:
    """A string that is not empty; `takes` describes it."""
    if not isinstance(value, str):
        refuse(name, takes, value)
    if not value:
        raise InvalidInputError(f"{name} is empty; it is {takes}")
    return value


def path(value: object, name: str = "path") -> str:
    takes = "a str or an os.PathLike"
    given = value.__fspath__() if isinstance(value, os.PathLike) else value
    if not isinstance(given, str):
        refuse(name, takes, value)
    return text(given, name, takes)


def names(value: Sequence[str] | None, name: str, takes: str = "a list of strings") -> list[str]:
    """Names in an order that counts: no string, which is a sequence of its letters, and no set."""
    if value is None:
        return []
    if isinstance(value, str):
        raise ArgumentTypeError(f"{name} is {takes}, not {shown(value)}; write [{value!r}]")
    if not isinstance(value, Sequence) or isinstance(value, (bytes, bytearray)):
        refuse(name, takes, value)
    for index, entry in enumerate(value):
        text(entry, f"entry {index} of {name}", "a string")
    return list(value)


def keys(value: Iterable[str], name: str, takes: str) -> set[str]:
    """Strings in no order; one alone may stand for itself."""
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, Iterable) or isinstance(value, (bytes, bytearray)):
        refuse(name, takes, value)
    return {text(entry, f"an entry of {name}", "a string") for entry in value}


def strategies(value: Mapping[str, Sequence[str]] | None, name: str) -> list[tuple[str, dict[str, list[str]]]]:
    """Externalization strategies, and the paths each is given."""
    takes = 'a dict of strategies and their paths, such as {"module_path": ["encoder.layers.*"]}'
    if value is None:
        return []
    if not isinstance(value, Mapping):
        refuse(name, takes, value)
    out: list[tuple[str, dict[str, list[str]]]] = []
    for strategy, paths in value.items():
        text(strategy, f"a key of {name}", "the name of a strategy")
        if paths is None:
            refuse(f"{name}[{strategy!r}]", "a list of paths", paths)
        given = names(paths, f"{name}[{strategy!r}]", "a list of paths")
        out.append((strategy, {"paths": given} if given else {}))
    return out


def instance(value: object, kind: Any, name: str, takes: str) -> None:
    if not isinstance(value, kind):
        refuse(name, takes, value)
