"""Where the built files are, and a few files to convert. Run with SIXRUNG_BUILD=<build folder>."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("SIXRUNG_BUILD", ROOT / "build"))
PLUGINS = BUILD / "plugins"


def plugin(name: str) -> Path:
    return PLUGINS / f"libsixrung_{name}.so"


@pytest.fixture(scope="session")
def emitter_host(tmp_path_factory) -> Path:
    """The test host of emitter_host.c, built once."""
    program = tmp_path_factory.mktemp("host") / "emitter_host"
    source = Path(__file__).with_name("emitter_host.c")
    subprocess.run(
        ["cc", "-std=c11", "-D_DEFAULT_SOURCE", "-Wall", "-Werror", f"-I{ROOT / 'plugin_api'}", source, "-o", program, "-ldl"],
        check=True,
    )
    return program


@pytest.fixture
def fake_python(tmp_path):
    """A stand-in for the Python of SIXRUNG_PYTHON: answers the probe, then does what `body` says as the worker."""

    def make(body: str, probe: int = 0, name: str = "python") -> Path:
        path = tmp_path / "bin" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f'#!/bin/sh\nif [ "$1" = -c ]; then exit {probe}; fi\n{body}\n')
        path.chmod(0o755)
        return path

    return make


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


@pytest.fixture(scope="session")
def python_with_coreai() -> str:
    pytest.importorskip("coreai.runtime")
    return sys.executable
