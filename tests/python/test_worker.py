"""The worker: bytecode in, asset out, in a process that may die."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import torch

import sixrung

PACKAGE = Path(sixrung.__file__).parent


@pytest.fixture(scope="module")
def bytecode(tmp_path_factory: pytest.TempPathFactory) -> Path:
    program = torch.export.export(torch.nn.ReLU(), (torch.ones(2),)).run_decompositions(sixrung.get_decomp_table())
    file = tmp_path_factory.mktemp("worker") / "program.mlirb"
    file.write_bytes(sixrung.TorchConverter().add_exported_program(program).to_coreai().bytecode())
    return file


def work(start: list[str], *arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *start, *arguments], capture_output=True, text=True, cwd=cwd)


@pytest.fixture(params=["module", "file"])
def start(request: pytest.FixtureRequest, tmp_path: Path) -> list[str]:
    if request.param == "module":
        return ["-m", "sixrung.worker"]
    # Two files alone, beside a module called coreai as in the package.
    for name in ("worker.py", "_coreai_core.py", "coreai.py"):
        shutil.copy(PACKAGE / name, tmp_path / name)
    return [str(tmp_path / "worker.py")]


def test_it_saves_an_asset_with_metadata(start: list[str], bytecode: Path, tmp_path: Path) -> None:
    metadata = tmp_path / "metadata.json"
    metadata.write_text(json.dumps({"sixrung": {"nodes": ["a", 1, True]}, "note": "x"}))
    out = tmp_path / "model.aimodel"
    done = work(start, "save", "--bytecode", str(bytecode), "--out", str(out), "--metadata", str(metadata))
    assert done.returncode == 0, done.stderr
    written = json.loads((out / "metadata.json").read_text())
    assert written["creatorDefinedMetadata"]["sixrung"] == {"nodes": ["a", 1, True]}
    assert (out / "main.mlirb").stat().st_size > 0


def test_it_needs_no_torch(start: list[str], bytecode: Path, tmp_path: Path) -> None:
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    (hidden / "torch.py").write_text("raise ImportError('torch was imported')\n")
    environment = {**os.environ, "PYTHONPATH": f"{hidden}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"}
    out = tmp_path / "model.aimodel"
    done = subprocess.run(
        [sys.executable, *start, "save", "--bytecode", str(bytecode), "--out", str(out), "--optimize"],
        capture_output=True,
        text=True,
        env=environment,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("content", [b"", b"garbage", b"ML\xefR\x0d"])
def test_bad_bytecode_is_told(start: list[str], content: bytes, tmp_path: Path) -> None:
    bad = tmp_path / "bad.mlirb"
    bad.write_bytes(content)
    out = tmp_path / "model.aimodel"
    done = work(start, "save", "--bytecode", str(bad), "--out", str(out))
    assert done.returncode != 0 and not out.exists()
    if content:
        assert "Error" in done.stderr and "Traceback" not in done.stderr


def test_a_bad_suffix_and_bad_metadata_are_told(start: list[str], bytecode: Path, tmp_path: Path) -> None:
    done = work(start, "save", "--bytecode", str(bytecode), "--out", str(tmp_path / "model.txt"))
    assert done.returncode == 1 and ".aimodel" in done.stderr
    metadata = tmp_path / "metadata.json"
    metadata.write_text("[1]")
    out = str(tmp_path / "m.aimodel")
    done = work(start, "save", "--bytecode", str(bytecode), "--out", out, "--metadata", str(metadata))
    assert done.returncode == 1 and "no JSON object" in done.stderr
