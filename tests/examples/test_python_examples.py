"""The scripts and the notebook of examples/python: run as a user runs them, and saying what they promise."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("coreai.runtime")
sixrung = pytest.importorskip("sixrung")

pytestmark = pytest.mark.slow  # each starts a Python of its own

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "python"
SAYS = {
    "custom_op": [
        r"swish_gate +acme::swish_gate\.default +user +python __main__\.lower_swish_gate",
        "graphs of the composite: 1$",
        r"max abs difference to eager: \d\.\de-0\d",
    ],
    "override_builtin": [
        "<sixrung.Deployment 'release': 0 plugins, strict>",
        "refused: 'aten::silu.default' is already registered",
        "silu: coreai.silu -> coreai.sigmoid, coreai.mul, over org.sixrung.aten.elementwise",
        "deployment: release strict",
        r"python lowering: aten::silu\.default __main__\.lower_silu [0-9a-f]{12}",
    ],
    "two_entrypoints": [
        r"prefill\(tokens: float32\[4, 8\], positions: int32\[4\]\); states: cache",
        r"7 rows, max abs difference to eager: \d\.\de-0\d",
    ],
    "what_ran": [
        r"native_layer_norm +aten::native_layer_norm\.default +aten +org\.sixrung\.aten\.normalization",
        r"org\.sixrung\.aten\.normalization [\d.]+: 1 nodes",
        "two conversions, one program: True",
    ],
}


def environment() -> dict[str, str]:
    package = Path(sixrung.__file__).parent.parent
    return {**os.environ, "PYTHONPATH": f"{package}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"}


def test_every_script_is_run() -> None:
    assert {path.stem for path in FOLDER.glob("*.py")} == {*SAYS, "demo"}  # that one is `make demo`


@pytest.mark.parametrize("name", SAYS)
def test_scripts(name: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, FOLDER / f"{name}.py"], cwd=tmp_path, env=environment(), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    for pattern in SAYS[name]:
        assert re.search(pattern, done.stdout, re.MULTILINE), f"{pattern} is not in\n{done.stdout}"


def texts(cell: dict) -> list[str]:
    """What a cell shows, without the versions."""
    shown = []
    for output in cell["outputs"]:
        if output["output_type"] == "stream" and output["name"] == "stdout":
            shown.append(output["text"])
        elif "data" in output:
            shown.append(output["data"]["text/plain"])
    return [re.sub(r"\d+\.\d+\.\d+", "VERSION", "".join(text)) for text in shown]


def test_the_notebook(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Its cells run, and show what is kept in the file."""
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    notebook = nbformat.read(FOLDER / "tour.ipynb", as_version=4)
    kept = [texts(cell) for cell in notebook.cells if cell.cell_type == "code"]
    assert sum(map(bool, kept)) >= 5, "keep the outputs in the file"
    for name, value in environment().items():
        monkeypatch.setenv(name, value)
    ran = nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert [texts(cell) for cell in ran.cells if cell.cell_type == "code"] == kept
