"""What the tests of this folder share."""

import ctypes
import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("SIXRUNG_BUILD", ROOT / "build"))
PLUGINS = BUILD / "plugins"
SIXRUNG = BUILD / "bin" / "sixrung"

OK, REFUSED, USAGE, BAD_INPUT, PLUGIN, IO = 0, 1, 2, 3, 4, 5


def plugin(name: str) -> Path:
    return PLUGINS / f"libsixrung_{name}.so"


def only(folder: Path) -> set:
    """The names in a folder."""
    return {path.name for path in folder.iterdir()}


def as_ordinary_user():
    """Before exec. Root may write anywhere: take that from the next program."""
    if os.geteuid() == 0:
        for capability in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
            ctypes.CDLL(None).prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP


def sixrung(*words, env=None, **kwargs):
    kwargs = {"capture_output": True, "text": True, **kwargs}
    return subprocess.run([SIXRUNG, *map(str, words)], env={**os.environ, **(env or {})}, **kwargs)


def fails(code, *words, **kwargs) -> str:
    """Runs a command that must fail; gives its words, which are on stderr alone and free of escapes."""
    done = sixrung(*words, **kwargs)
    assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
    assert done.stderr.startswith("error: ") and "\033" not in done.stderr
    return done.stderr


# As the worker: saves an asset that holds the program, and the metadata it was given.
SAVING = """
while [ $# -gt 0 ]; do
  case "$1" in
    --bytecode) bytecode="$2"; shift;;
    --out) out="$2"; shift;;
    --metadata) metadata="$2"; shift;;
    --optimize) optimize=1;;
  esac
  shift
done
mkdir "$out" && cp "$bytecode" "$out/main.mlirb"
[ -z "$metadata" ] || cp "$metadata" "$out/metadata.json"
[ -z "$optimize" ] || touch "$out/optimized"
"""
