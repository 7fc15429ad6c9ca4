"""Deployment files, and what the installed plugins lower."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import torch  # noqa: F401  (before the host, which shares its libraries)

from . import _core, arguments
from .entry_points import places, plugin_files
from .errors import PluginError
from .paths import plugin_dir


@dataclass(frozen=True)
class DeployedPlugin:
    """One ``[[plugin]]`` of a deployment; what the file leaves out is empty."""

    path: str
    id: str
    version: str
    sha256: str


class Deployment:
    """A deployment file: plugins, in their order, who may replace whom, and what is forbidden."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(arguments.path(path))
        self._read()

    def _read(self) -> None:
        read = _core.read_deployment(str(self.path))
        self.name: str = read["name"]
        self.sha256: str = read["sha256"]
        self.strict: bool = read["strict"]
        self.plugins = tuple(DeployedPlugin(*plugin) for plugin in read["plugins"])
        self.overrides: Mapping[str, str] = read["overrides"]

    def check(self) -> list[str]:
        """Loads it in a session of its own; gives the warnings, raises what would be refused."""
        return _core.check_deployment(str(self.path), plugin_dir())

    def lock(self) -> int:
        """Writes the SHA-256 of every plugin into the file; gives how many changed.

        Warns of each that was pinned to another file before.
        """
        written, replaced = _core.lock_deployment(str(self.path), plugin_dir())
        self._read()
        for text in replaced:
            warnings.warn(text, stacklevel=2)
        return written

    def __repr__(self) -> str:
        return f"<sixrung.Deployment {self.name!r}: {len(self.plugins)} plugins{', strict' if self.strict else ''}>"


def new_session() -> _core.Session:
    """A session with what is found without being asked for: built-ins, ``SIXRUNG_PLUGIN_PATH``, entry points."""
    session = _core.Session(plugin_dir())
    for origin, path in plugin_files():
        try:
            session.load_plugin(path, set())
        except PluginError as error:
            raise PluginError(f"{error} (brought by {origin})", error.payload) from None
    return session


@lru_cache(maxsize=1)
def _served_by(_: object) -> frozenset[str]:
    return frozenset(new_session().served_keys())


def _served() -> frozenset[str]:
    """The keys of the plugins that are found now."""
    return _served_by((places(), plugin_dir(), os.environ.get("SIXRUNG_PLUGIN_PATH")))


def supported(key: str) -> bool:
    """Whether the plugins found without being asked for lower this op, in any spelling of its name."""
    arguments.text(key, "key", 'the name of an op, such as "aten::add.Tensor"')
    return _core.canonical_key(key) in _served()


def overloads(name: str) -> list[str]:
    """The overloads of an op that are lowered: ``overloads("aten::add")``."""
    canonical = _core.canonical_key(arguments.text(name, "name", 'the name of an op, such as "aten::add"'))
    stem = f"aten::{canonical}" if "::" not in canonical else canonical
    return sorted(key for key in _served() if key == canonical or key.partition(".")[0] == stem)


__all__ = ["DeployedPlugin", "Deployment", "new_session", "overloads", "supported"]
