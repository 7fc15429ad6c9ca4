"""`make check` runs what takes seconds; whole folders that convert, compile or run models are slow."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

# A shell's background jobs ignore SIGINT, and so would every command the tests start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

SLOW = (
    "abi",
    "cli",
    "docs",
    "e2e",
    "examples",
    "ir",
    "python/test_doors.py",
    "python/test_deployments.py",
    "python/test_imports.py",
)
HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        place = item.path.relative_to(HERE).as_posix() if item.path.is_relative_to(HERE) else ""
        if place.startswith(SLOW):
            item.add_marker(pytest.mark.slow)
