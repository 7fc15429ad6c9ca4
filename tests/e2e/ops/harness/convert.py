"""The way in and out: an ExportedProgram to numbers from the Core AI runtime."""

from __future__ import annotations

import copy
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import torch

from .runtime import Runtime, RuntimeFailure

ROOT = Path(__file__).resolve().parents[4]
# Ops with a lowering of their own: left whole by the decompositions.
KEPT = (
    ["hardsigmoid", "hardswish", "instance_norm", "pixel_shuffle", "scaled_dot_product_attention", "silu"]
    + [f"reflection_pad{n}d" for n in (1, 2, 3)]
    + [f"replication_pad{n}d" for n in (1, 2, 3)]
)

_table = None
_runtime = Runtime()


class ConversionError(Exception):
    """The converter refused the program; the text says why."""


def decompositions() -> dict:
    global _table
    if _table is None:
        _table = torch.export.default_decompositions()
        for name in KEPT:
            _table.pop(getattr(torch.ops.aten, name).default, None)
    return copy.copy(_table)


def cli() -> str:
    return os.environ.get("SIXRUNG_CLI") or shutil.which("sixrung") or str(ROOT / "build" / "bin" / "sixrung")


def convert_and_run(program: torch.export.ExportedProgram, runs: list[list[torch.Tensor]]) -> list:
    """Outputs of each run, in the program's order: lists of arrays, or the RuntimeFailure it met."""
    outputs = [f"o{i}" for i in range(len(program.graph_signature.user_outputs))]
    inputs = [f"i{i}" for i in range(len(program.graph_signature.user_inputs))]
    bytecode = through_python(program, inputs, outputs) if live() else through_cli(program, inputs, outputs)
    results = []
    for tensors in runs:
        answer = _runtime.run(bytecode, {name: to_array(x) for name, x in zip(inputs, tensors, strict=True)})
        results.append(answer if isinstance(answer, RuntimeFailure) else [answer[name] for name in outputs])
    return results


def live() -> bool:
    """Whether programs go in live (SIXRUNG_DOOR=live, the faster way) or as .pt2 files (SIXRUNG_DOOR=pt2)."""
    if door := os.environ.get("SIXRUNG_DOOR"):
        return door == "live"
    if importlib.util.find_spec("sixrung") is None and (ROOT / "build" / "python").is_dir():
        sys.path.insert(0, str(ROOT / "build" / "python"))
    return importlib.util.find_spec("sixrung") is not None


def through_python(program, inputs, outputs) -> bytes:
    import sixrung

    converter = sixrung.TorchConverter(mode=sixrung.Mode.RELEASE)
    try:
        converter.add_exported_program(program, input_names=inputs, output_names=outputs)
        return converter.to_coreai().bytecode()
    except Exception as error:
        raise ConversionError(str(error)) from error


def through_cli(program, inputs, outputs) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        source, target = f"{folder}/m.pt2", f"{folder}/m.mlirb"
        torch.export.save(program, source)
        names = [f"--input-name={name}" for name in inputs] + [f"--output-name={name}" for name in outputs]
        command = [cli(), "convert", source, "-o", target, "--mode=release", *names]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise ConversionError(done.stderr.strip() or done.stdout.strip())
        return Path(target).read_bytes()


def to_array(x: torch.Tensor) -> np.ndarray:
    """As the converted program takes it: 64 bits narrowed."""
    narrowed = {torch.int64: torch.int32, torch.float64: torch.float32}
    x = x.to(narrowed.get(x.dtype, x.dtype)).contiguous()
    if x.dtype == torch.bfloat16:
        import ml_dtypes

        return x.view(torch.int16).numpy().view(ml_dtypes.bfloat16)
    return x.numpy()


def to_tensor(a: np.ndarray) -> torch.Tensor:
    if a.dtype.name == "bfloat16":
        return torch.from_numpy(a.view(np.int16).copy()).view(torch.bfloat16)
    return torch.from_numpy(np.array(a))
