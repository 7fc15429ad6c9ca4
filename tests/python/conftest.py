"""Makes the tests' helpers importable from wherever pytest is started."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
for folder in (ROOT / "tests" / "e2e", Path(__file__).resolve().parent):
    if str(folder) not in sys.path:
        sys.path.append(str(folder))
