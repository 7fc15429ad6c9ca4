"""What the tests of this folder share."""

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("SIXRUNG_BUILD", ROOT / "build"))
SIXRUNG = BUILD / "bin" / "sixrung"


def run(*words, **kwargs) -> subprocess.CompletedProcess:
    return subprocess.run([*map(str, words)], capture_output=True, text=True, **kwargs)


def succeeds(*words, **kwargs) -> str:
    done = run(*words, **kwargs)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
