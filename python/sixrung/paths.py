"""Where the parts of the product lie."""

from __future__ import annotations

import os
from pathlib import Path

from .errors import FileError

_PACKAGE = Path(__file__).parent


def sdk_dir() -> str:
    """The SDK's prefix, for ``cmake -DCMAKE_PREFIX_PATH=$(python -m sixrung.sdk_path)``."""
    for folder in (_PACKAGE / "sdk", _PACKAGE.parent.parent / "sdk"):  # the package's, the build tree's
        if (folder / "include" / "sixrung" / "plugin.h").exists():
            return str(folder)
    raise FileError(f"the SDK is not where it was installed: {_PACKAGE / 'sdk'}; install sixrung again")


def plugin_dir() -> str:
    """The folder of the built-in plugins; ``SIXRUNG_BUILTIN_PLUGINS`` overrides it."""
    if chosen := os.environ.get("SIXRUNG_BUILTIN_PLUGINS"):
        return chosen
    build = _PACKAGE.parent.parent
    for folder in (_PACKAGE / "plugins", build / "plugins" if (build / "CMakeCache.txt").exists() else None):
        if folder is not None and folder.is_dir():
            return str(folder)
    return ""
