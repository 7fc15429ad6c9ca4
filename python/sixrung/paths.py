"""Where the parts of the product lie."""

from __future__ import annotations

import os
from pathlib import Path

_PACKAGE = Path(__file__).parent


def sdk_dir() -> str:
    """The SDK's prefix, for ``cmake -DCMAKE_PREFIX_PATH=$(python -m sixrung.sdk_path)``."""
    return str(_PACKAGE / "sdk")


def plugin_dir() -> str:
    """The folder of the built-in plugins; ``SIXRUNG_BUILTIN_PLUGINS`` overrides it."""
    if chosen := os.environ.get("SIXRUNG_BUILTIN_PLUGINS"):
        return chosen
    build = _PACKAGE.parent.parent
    for folder in (_PACKAGE / "plugins", build / "plugins" if (build / "CMakeCache.txt").exists() else None):
        if folder is not None and folder.is_dir():
            return str(folder)
    return ""
