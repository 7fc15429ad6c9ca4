"""Plugins that installed Python packages bring: entry points of the group ``sixrung.plugins`` (ABI-14)."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from functools import lru_cache
from importlib import metadata

from .errors import PluginError

GROUP = "sixrung.plugins"


def _origin(entry: metadata.EntryPoint) -> str:
    package = f" of {entry.dist.name} {entry.dist.version}" if entry.dist else ""
    return f"entry point '{entry.name} = {entry.value}'{package}"


def _paths(entry: metadata.EntryPoint) -> list[str]:
    brought = entry.load()
    if callable(brought):
        brought = brought()
    several = [brought] if isinstance(brought, str | os.PathLike) or not isinstance(brought, Iterable) else brought
    return [os.fspath(path) for path in several]


def places() -> tuple[tuple[str, int], ...]:
    """Where packages are looked for, and when each place last changed: installing one changes its folder."""
    found = []
    for place in sys.path:
        try:
            found.append((place, os.stat(place or ".").st_mtime_ns))
        except OSError:
            found.append((place, 0))
    return tuple(found)


@lru_cache(maxsize=1)
def _entries(_: tuple[tuple[str, int], ...]) -> tuple[metadata.EntryPoint, ...]:
    """Reads the metadata of every installed package, which takes milliseconds: once, until one is installed."""
    return tuple(sorted(metadata.entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value)))


def plugin_files() -> list[tuple[str, str]]:
    """(what brought it, path) of every plugin library, sorted by entry point: installing order is no order.

    An entry point names a path, several, or a function of no arguments that gives them.
    """
    files = []
    for entry in _entries(places()):
        try:
            files += [(_origin(entry), path) for path in _paths(entry)]
        except Exception as error:
            hint = "correct that package, or uninstall it"
            raise PluginError(f"{_origin(entry)} brings no plugin: {error}", {"hint": hint}) from error
    return files


__all__ = ["GROUP", "places", "plugin_files"]
