"""Real architectures: both doors give the same bytes, run after run, and the asset agrees with eager."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

import models
import sixrung
from ops.harness.runtime import Runtime, RuntimeFailure

TOLERANCE = {torch.float32: 1e-4, torch.float16: 2e-2}  # of the largest value


_runtime = Runtime()


def _convert_by_cli(archive: Path, out: Path) -> bytes:
    command = shutil.which("sixrung")
    assert command, "the sixrung command is not on PATH"
    done = subprocess.run([command, "convert", str(archive), "-o", str(out)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return out.read_bytes()


@pytest.mark.parametrize("dynamic", [False, True], ids=["static", "dynamic"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16], ids=["fp32", "fp16"])
@pytest.mark.parametrize("name", models.MODELS)
def test_model(name: str, dtype: torch.dtype, dynamic: bool, tmp_path: Path) -> None:
    case = models.build(name, dtype)
    exported = models.export(case, sixrung.get_decomp_table(), dynamic)
    program = sixrung.TorchConverter().add_exported_program(exported).to_coreai()

    # One program, one sequence of bytes: by Python twice and by the command twice.
    torch.export.save(exported, tmp_path / "model.pt2")
    first = program.bytecode()
    again = sixrung.TorchConverter().add_exported_program(exported).to_coreai().bytecode()
    assert first == again
    for turn in range(2):
        assert _convert_by_cli(tmp_path / "model.pt2", tmp_path / f"{turn}.mlirb") == first

    runs = [case.inputs, case.other_inputs] if dynamic else [case.inputs]
    for inputs in runs:
        feed = {port.name: x.numpy().astype(port.dtype) for port, x in zip(program.inputs(), inputs, strict=True)}
        result = _runtime.run(first, feed)
        assert not isinstance(result, RuntimeFailure), result
        with torch.no_grad():
            expected = case.module(*inputs)
        for port, eager in zip(program.outputs(), expected, strict=True):
            truth = eager.float().numpy()
            largest = np.abs(truth).max()
            assert largest > 0.1, "an output near zero proves nothing"
            difference = np.abs(result[port.name].astype(np.float32) - truth).max()
            assert difference <= TOLERANCE[dtype] * largest


def test_asset_by_cli_runs(tmp_path: Path) -> None:
    case = models.build("bert")
    exported = models.export(case, sixrung.get_decomp_table())
    torch.export.save(exported, tmp_path / "bert.pt2")
    command = [shutil.which("sixrung"), "convert", str(tmp_path / "bert.pt2"), "-o", str(tmp_path / "bert.aimodel")]
    done = subprocess.run([*command, "--python", sys.executable], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert sorted(p.name for p in (tmp_path / "bert.aimodel").iterdir()) == ["main.hash", "main.mlirb", "metadata.json"]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["bert.aimodel", "bert.pt2"]
