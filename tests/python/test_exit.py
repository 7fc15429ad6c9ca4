"""A script that ran an asset ends with its own exit code, however late the runtime's threads leave Python."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import torch

import sixrung

pytestmark = pytest.mark.slow  # it waits

# The thread that delivers the result is held up inside call_soon_threadsafe, until the interpreter is at its end or
# for `wait` seconds: what happens once in some dozen runs happens in each.
SCRIPT = """
import asyncio, atexit, sys, threading, time, types
from asyncio import selector_events
import numpy as np
{imports}
from coreai.authoring import AIModelAsset
from coreai.runtime import NDArray

ending = threading.Lock()
ending.acquire()
wake = selector_events.BaseSelectorEventLoop._write_to_self

def wake_late(self):
    wake(self)
    if threading.get_ident() not in {{thread.ident for thread in threading.enumerate()}}:
        ending.acquire(timeout={wait})

class Slow:
    def __del__(self, monotonic=time.monotonic, ending=ending):
        ending.release()
        end = monotonic() + 1
        while monotonic() < end:
            pass

async def run():
    async with AIModelAsset.load({path!r}).executable() as model:
        await model.load_function("main")({{"x": NDArray(np.ones(3, np.float32))}})

selector_events.BaseSelectorEventLoop._write_to_self = wake_late
asyncio.run(run())
sys.modules["slow"] = types.ModuleType("slow")
sys.modules["slow"].slow = Slow()
sys.exit(3)
"""


@pytest.fixture(scope="module")
def asset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("coreai.runtime")

    class Model(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.relu(x)

    program = torch.export.export(Model(), (torch.ones(3),)).run_decompositions(sixrung.get_decomp_table())
    path = tmp_path_factory.mktemp("exit") / "model.aimodel"
    converter = sixrung.TorchConverter().add_exported_program(program, input_names=["x"])
    converter.to_coreai().save_asset(path)
    return path


def end_of(asset: Path, imports: str, wait: float) -> int:
    script = SCRIPT.format(path=str(asset), imports=imports, wait=wait)
    return subprocess.run([sys.executable, "-c", script], capture_output=True).returncode


def test_a_script_that_imports_sixrung_ends_as_it_says(asset: Path) -> None:
    assert [end_of(asset, "import sixrung", wait=0.4) for _ in range(2)] == [3, 3]


def test_without_it_the_runtime_aborts(asset: Path) -> None:
    """When this fails, coreai-core has mended it, and the wait at exit can go."""
    assert end_of(asset, "", wait=20) == -6
