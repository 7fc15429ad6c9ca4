"""One converter, one program, one process: seconds, memory and op count as one JSON line.

Runs in the environment of the converter it measures: `measure.py sixrung|coreai-torch MODEL.pt2 OUT.aimodel`.
Memory is counted from after the libraries are loaded; anonymous memory is sampled every 2 ms.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any


def _field(status: str, field: str) -> int:
    match = re.search(rf"^{field}:\s+(\d+) kB", status, re.M)
    return int(match.group(1)) if match else 0


def _kilobytes(field: str) -> int:
    return _field(Path("/proc/self/status").read_text(), field)


class AnonymousPeak:
    """Highest growth of anonymous memory while the block runs, in MB."""

    def __enter__(self) -> AnonymousPeak:
        self.base = self.peak = _kilobytes("RssAnon")
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._sample, daemon=True)
        self._thread.start()
        return self

    def _sample(self) -> None:
        while not self._stop.wait(0.002):
            self.peak = max(self.peak, _kilobytes("RssAnon"))

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        self.peak = max(self.peak, _kilobytes("RssAnon"))

    @property
    def megabytes(self) -> float:
        return (self.peak - self.base) / 1024


def _count(program: object) -> int:
    """Ops of a coreai-core AIProgram, regions included, the module left out."""

    def walk(operation: object) -> int:
        return sum(
            1 + walk(child.operation)
            for region in operation.regions  # type: ignore[attr-defined]
            for block in region.blocks
            for child in block.operations
        )

    return walk(program._module._mlir_module.operation)  # type: ignore[attr-defined]


def _watched(command: list[str]) -> tuple[dict[str, Any], float, float]:
    """Runs a command; its JSON, its highest anonymous memory and its highest resident memory, in MB."""
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    status = Path(f"/proc/{child.pid}/status")
    anonymous = resident = 0
    while child.poll() is None:
        try:
            text = status.read_text()
        except OSError:
            break
        anonymous = max(anonymous, _field(text, "RssAnon"))
        resident = max(resident, _field(text, "VmHWM"))
        time.sleep(0.001)
    out = child.communicate()[0]
    if child.returncode:
        sys.exit(out)
    return json.loads(out), anonymous / 1024, resident / 1024


def sixrung(model: str, out: str) -> dict[str, float]:
    command = shutil.which("sixrung") or sys.exit("the sixrung command is not on PATH")
    bytecode = str(Path(out).with_suffix(".mlirb"))
    smallest = str(Path(model).with_name("tiny.pt2"))
    # What the libraries and plugins take by themselves: the same run on a program of one node.
    base = max(_watched([command, "convert", smallest, "-o", bytecode, "--json"])[1] for _ in range(3))
    done, anonymous, peak = _watched([command, "convert", model, "-o", bytecode, "--json"])
    saved, _, _ = _watched([command, "convert", model, "-o", out, "--json", "--python", sys.executable])
    return {
        "load": done["seconds"]["read"],
        "convert": done["seconds"]["convert"],
        "bytecode": done["seconds"]["save"],
        "save": saved["seconds"]["save"],
        "anonymous": max(0.0, anonymous - base),
        "ops": done["ops"],
        "peak": peak,
    }


def coreai_torch(model: str, out: str) -> dict[str, float]:
    import coreai_torch as product
    import torch

    with AnonymousPeak() as memory:
        start = time.perf_counter()
        exported = torch.export.load(model)
        loaded = time.perf_counter()
        program = product.TorchConverter().add_exported_program(exported).to_coreai()
        converted = time.perf_counter()
    ops = _count(program)
    saving = time.perf_counter()
    program.save_asset(Path(out))
    saved = time.perf_counter()
    return {
        "load": loaded - start,
        "convert": converted - loaded,
        "bytecode": 0.0,
        "save": saved - saving,
        "anonymous": memory.megabytes,
        "ops": ops,
        "peak": _kilobytes("VmHWM") / 1024,
    }


if __name__ == "__main__":
    which = {"sixrung": sixrung, "coreai-torch": coreai_torch}[sys.argv[1]]
    print("RESULT " + json.dumps(which(sys.argv[2], sys.argv[3])))
