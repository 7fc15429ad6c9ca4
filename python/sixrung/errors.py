"""What can go wrong, as exceptions with a payload."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


class Error(Exception):
    """Base of everything sixrung raises.

    ``payload`` tells where and what to do: "node", "op", "source", "plugin", "hint", "cause", as far as
    they apply. A key given several times holds its values line by line.
    """

    def __init__(self, message: str, payload: Iterable[tuple[str, str]] | Mapping[str, str] = ()) -> None:
        super().__init__(message)
        pairs = payload.items() if isinstance(payload, Mapping) else payload
        self.payload: dict[str, str] = {}
        for key, value in pairs:
            self.payload[key] = f"{self.payload[key]}\n{value}" if key in self.payload else value


class InvalidInputError(Error, ValueError):
    """A program, a file or an argument is malformed."""


class ArgumentTypeError(InvalidInputError, TypeError):
    """An argument of a function has a type it does not take."""


class UnsupportedError(Error, ValueError):
    """Well formed, but nothing lowers it."""


class RegistrationError(Error, ValueError):
    """A lowering cannot be registered under this name."""


class PluginError(Error, RuntimeError):
    """A plugin was refused, clashes with another or failed."""


class LoweringError(PluginError):
    """A Python lowering raised; its own exception is the cause."""


class FileError(Error, OSError):
    """Reading or writing failed."""


class MissingRuntimeError(Error, ImportError):
    """coreai-core is absent or of another version: ``pip install 'sixrung[runtime]'``."""


class InternalError(Error, RuntimeError):
    """A bug in sixrung."""


__all__ = [
    "ArgumentTypeError",
    "Error",
    "FileError",
    "InternalError",
    "InvalidInputError",
    "LoweringError",
    "MissingRuntimeError",
    "PluginError",
    "RegistrationError",
    "UnsupportedError",
]
