"""Every use of coreai-core's private names, for one version of it. Runs beside the worker without the package."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Mapping
from importlib import metadata, util
from pathlib import Path
from typing import Any

VERSION = "1.0.0b3"
_INSTALL = f"pip install 'coreai-core=={VERSION}'"


def problem() -> str | None:
    """Why coreai-core cannot be used by this Python, or ``None``."""
    if util.find_spec("coreai") is None or util.find_spec("coreai.authoring") is None:
        return f"coreai-core is not installed for {sys.executable}: {_INSTALL}"
    try:
        found = metadata.version("coreai-core")
    except metadata.PackageNotFoundError:
        from coreai._version import __version__ as found
    if found != VERSION:
        return f"coreai-core {found} is installed for {sys.executable}, and {VERSION} is needed: {_INSTALL}"
    return None


def wait_for_threads(limit: float = 2.0) -> None:
    """At exit: lets threads of coreai-core's runtime leave Python.

    Such a thread hands over a result by ``loop.call_soon_threadsafe`` and may still stand in it when the script that
    awaited the result is done. A thread that asks for an interpreter that is going is ended by it, which Swift
    takes for an exception and aborts the process.
    """
    if "coreai.runtime" not in sys.modules:
        return
    end, quiet = time.monotonic() + limit, 0
    while quiet < 3 and time.monotonic() < end:
        pythons = {thread.ident for thread in threading.enumerate()}
        quiet = quiet + 1 if sys._current_frames().keys() <= pythons else 0
        time.sleep(0.002)  # without the interpreter, which is the point


def require() -> None:
    """Raises ``ImportError`` unless the version this file was written for is there."""
    if reason := problem():
        raise ImportError(reason)


def parse(bytecode: Path) -> Any:
    """An ``AIProgram`` from MLIR bytecode or text. The file's bytes stay mapped, not copied."""
    require()
    from coreai._compiler.ir import Module
    from coreai.authoring import AIProgram, Context

    # A plain MLIR context does not know the dialects.
    context = Context()._mlir_context
    return AIProgram._from_mlir_module(Module.parseFile(str(bytecode), context=context))


def optimize(program: Any) -> None:
    """Runs coreai-core's rewrite in place: leaving the module's scope does."""
    with program._module:
        pass


def save(program: Any, out: Path, custom: Mapping[str, Any]) -> Any:
    """Writes an asset folder and returns coreai-core's ``AIModelAsset``; `custom` goes to its metadata."""
    from coreai.runtime import AIModelAssetMetadata

    described = None
    if custom:
        described = AIModelAssetMetadata()
        for key, value in custom.items():
            described.set_custom(key, _without_none(value))
    return program.save_asset(out, metadata=described)


def _without_none(value: Any) -> Any:
    """The metadata of an asset has no null: what is None is left out."""
    if isinstance(value, Mapping):
        return {key: _without_none(entry) for key, entry in value.items() if entry is not None}
    if isinstance(value, list):
        return [_without_none(entry) for entry in value if entry is not None]
    return value


def load(path: Path) -> Any:
    """coreai-core's ``AIModelAsset`` of a folder."""
    require()
    from coreai.authoring import AIModelAsset

    return AIModelAsset.load(path)
