"""One converter, one program, one process: seconds, memory and op count as one JSON line.

Runs in the environment of the converter it measures: `measure.py sixrung|coreai-torch MODEL.pt2 OUT.aimodel`.
Memory is counted from after the libraries are loaded; anonymous memory is sampled every 2 ms.
"""

from __future__ import annotations

import json
import re
import sys
import threading
import time
from pathlib import Path


def _kilobytes(field: str) -> int:
    match = re.search(rf"^{field}:\s+(\d+) kB", Path("/proc/self/status").read_text(), re.M)
    return int(match.group(1)) if match else 0


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

    return walk(program._module.operation)  # type: ignore[attr-defined]


def sixrung(model: str, out: str) -> dict[str, float]:
    import torch  # noqa: F401  both sides have torch in the process before the clock starts

    import sixrung as product

    with AnonymousPeak() as memory:
        start = time.perf_counter()
        staged = product.load_pt2(model)
        loaded = time.perf_counter()
        program = product.convert_pt2(staged)
        converted = time.perf_counter()
        program.save(str(Path(out).with_suffix(".mlirb")))
        written = time.perf_counter()
    ops = program.op_count
    saving = time.perf_counter()
    program.save_asset(Path(out))
    saved = time.perf_counter()
    return {
        "load": loaded - start,
        "convert": converted - loaded,
        "bytecode": written - converted,
        "save": saved - saving,
        "anonymous": memory.megabytes,
        "ops": ops,
        "peak": _kilobytes("VmHWM") / 1024,
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
