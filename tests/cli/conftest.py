"""Fixtures of the command line's tests. SIXRUNG_BUILD names the build folder."""

import subprocess
import sys
from pathlib import Path

import pytest
from cli_support import ROOT


@pytest.fixture
def out(tmp_path):
    """An empty folder for what is written."""
    folder = tmp_path / "out"
    folder.mkdir()
    return folder


@pytest.fixture(scope="session")
def emitter_host(tmp_path_factory) -> Path:
    """The test host of emitter_host.c, built once."""
    program = tmp_path_factory.mktemp("host") / "emitter_host"
    source = Path(__file__).with_name("emitter_host.c")
    subprocess.run(
        [
            "cc",
            "-std=c11",
            "-D_DEFAULT_SOURCE",
            "-Wall",
            "-Werror",
            f"-I{ROOT / 'plugin_api'}",
            source,
            "-o",
            program,
            "-ldl",
        ],
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


@pytest.fixture(scope="session")
def python_with_coreai() -> str:
    pytest.importorskip("coreai.runtime")
    return sys.executable


@pytest.fixture(scope="session")
def pt2(tmp_path_factory):
    pytest.importorskip("torch")
    import cli_models

    return cli_models.save_all(tmp_path_factory.mktemp("models"))
