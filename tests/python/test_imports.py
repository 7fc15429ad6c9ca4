"""torch, coreai-core and sixrung share a process in every order."""

from __future__ import annotations

import itertools
import subprocess
import sys

import pytest

STEPS = {
    "torch": "import torch",
    "coreai": "import coreai.authoring, coreai.runtime",
    "sixrung": "import sixrung; sixrung.TorchConverter",
}
USE = """
import tempfile, pathlib, torch, sixrung
from torch.export import export
model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU())
program = export(model, (torch.ones(1, 4),)).run_decompositions(sixrung.get_decomp_table())
converted = sixrung.TorchConverter().add_exported_program(program).to_coreai()
with tempfile.TemporaryDirectory() as folder:
    converted.to_aiprogram().save_asset(pathlib.Path(folder) / "m.aimodel")
try:
    sixrung.TorchConverter().to_coreai()
except ValueError:
    print("fine")
"""


def python(code: str) -> str:
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.mark.parametrize("order", list(itertools.permutations(STEPS)), ids="-".join)
def test_every_order(order: tuple[str, ...]) -> None:
    assert python("\n".join(STEPS[name] for name in order) + USE).strip().endswith("fine")


def test_the_host_loads_without_torch_first() -> None:
    assert python("from sixrung import _core; print(_core.abi_version)").strip() == "1.1"


def test_light_parts_load_neither_torch_nor_the_host() -> None:
    code = "import sys, sixrung, sixrung.worker; sixrung.sdk_dir()\n"
    code += "print('torch' in sys.modules, 'sixrung._core' in sys.modules)"
    assert python(code).strip() == "False False"


def test_op_functions_load_by_themselves() -> None:
    code = "from sixrung import coreai; print(callable(coreai.add), callable(coreai.range_))"
    assert python(code).strip() == "True True"
