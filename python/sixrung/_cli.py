"""The console script: becomes the C++ program."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def main() -> None:
    program = Path(__file__).parent / "bin" / "sixrung"
    if not program.exists():
        sys.exit(f"{program} is missing; reinstall sixrung")
    # The worker that saves assets runs in this Python, unless the user chose one.
    os.environ.setdefault("SIXRUNG_PYTHON", sys.executable)
    os.execv(program, ["sixrung", *sys.argv[1:]])
