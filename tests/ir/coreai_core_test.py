"""What core/ir prints and writes must parse, save and run on coreai-core, with no rewrite.

The modules come from the Samples tests of test_ir. coreai-core may end its process on bad input, so
every trial runs in a child.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("coreai")

BUILD = Path(os.environ.get("SIXRUNG_BUILD", Path(__file__).resolve().parents[2] / "build"))
FORMS = [".mlir", ".generic.mlir", ".mlirb"]

CHILD = """
import asyncio, json, sys, tempfile
from pathlib import Path
import numpy as np
from coreai._compiler.ir import Module
from coreai.authoring import AIProgram, Context
from coreai.runtime import NDArray

path, inputs, state = sys.argv[1], json.loads(sys.argv[2]), json.loads(sys.argv[3])
array = lambda entry: NDArray(np.array(entry["data"], dtype=entry["dtype"]))
plain = lambda value: np.array(value.numpy()).astype(float).tolist()
module = Module.parseFile(path, context=Context()._mlir_context)
program = AIProgram._from_mlir_module(module)

async def go(folder):
    asset = program.save_asset(Path(folder) / "m.aimodel")
    async with asset.executable() as model:
        function = model.load_function("main")
        held = {name: array(entry) for name, entry in state.items()}
        outputs = await function({name: array(entry) for name, entry in inputs.items()}, state=held)
        return {"outputs": {k: plain(v) for k, v in outputs.items()}, "state": {k: plain(v) for k, v in held.items()}}

with tempfile.TemporaryDirectory() as folder:
    print("RESULT" + json.dumps(asyncio.run(go(folder))))
"""


@pytest.fixture(scope="session")
def samples(tmp_path_factory):
    folder = tmp_path_factory.mktemp("samples")
    binary = BUILD / "tests" / "test_ir"
    if not binary.exists():
        pytest.skip(f"{binary} is not built")
    subprocess.run(
        [binary, "--gtest_filter=Samples.*", "--gtest_brief=1"],
        check=True,
        env=os.environ | {"SIXRUNG_SAMPLES": str(folder)},
    )
    return folder


def run(path, inputs, state=None):
    child = subprocess.run(
        [sys.executable, "-c", CHILD, str(path), json.dumps(inputs), json.dumps(state or {})],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert child.returncode == 0, child.stderr[-3000:]
    result = json.loads(child.stdout.split("RESULT", 1)[1])
    return result["outputs"], result["state"]


def f32(data):
    return {"data": data, "dtype": "float32"}


@pytest.mark.parametrize("form", FORMS)
def test_arithmetic(samples, form):
    outputs, _ = run(samples / f"arithmetic{form}", {"x": f32([[0, 1, 2], [3, 4, 5]]), "y": f32([0, 0, 1])})
    assert outputs["r"][0] == pytest.approx([0, 0.841192, 2.996363], abs=1e-5)
    assert outputs["the y"] == [0, 0, 1]


@pytest.mark.parametrize("form", FORMS)
def test_constants(samples, form):
    outputs, _ = run(samples / f"constants{form}", {"x": f32([1] * 300)})
    ramp = list(range(300))
    assert outputs["large"] == [i + 1 for i in ramp]
    assert [i for row in outputs["reshaped"] for i in row] == ramp and len(outputs["reshaped"]) == 3
    assert outputs["flags"] == [i % 3 == 0 for i in ramp]
    assert outputs["fewflags"] == [1, 0, 0, 1, 1]
    assert outputs["sameflags"] == [1] * 7
    assert outputs["ints"] == [-1, 2, 3]
    assert outputs["unsigned"] == [255, 1]
    assert outputs["splat"] == [[7] * 200] * 2
    assert str(outputs["special"]) == "[inf, -inf, -0.0]"
    assert outputs["half"] == [1, 1.875]
    assert outputs["nibbles"] == [1, -2, 7, -8, 3]
    assert outputs["threes"] == [3] * 4
    assert outputs["imaginary"] == [2, -4]
    assert outputs["sameimaginary"] == [2, 2]


@pytest.mark.parametrize("form", FORMS)
def test_state(samples, form):
    ones, twos, threes = ([[v] * 3] * 2 for v in (1.0, 2.0, 3.0))
    outputs, state = run(
        samples / f"state{form}",
        {"x": f32(ones)},
        {"read": f32(twos), "written": f32(twos), "both": f32(threes), "unused": f32(ones)},
    )
    assert state == {"read": twos, "written": threes, "both": [[10.0] * 3] * 2, "unused": ones}
    assert outputs == {"old": threes, "new": [[10.0] * 3] * 2}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("condition, expected", [(True, [8, 16]), (False, [-8, -32])])
def test_control_flow(samples, form, condition, expected):
    outputs, _ = run(
        samples / f"control_flow{form}",
        {"x": f32([1, 2]), "c": {"data": condition, "dtype": "bool"}, "n": {"data": 3, "dtype": "int32"}},
    )
    assert outputs == {"count": 3, "r": expected}


@pytest.mark.parametrize("form", FORMS)
def test_dynamic_shapes(samples, form):
    outputs, _ = run(samples / f"dynamic{form}", {"x": f32([[0, 1, 2, 3]] * 3)})
    assert outputs == {"parts": [[[0, 1], [2, 3]]] * 3, "shape": [3, 4]}


def test_folding_gives_the_numbers_of_the_runtime(samples):
    nan, inf = float("nan"), float("inf")
    outputs, _ = run(
        samples / "folds.mlirb",
        {
            "floats": f32([3e9, -3e9, nan, -1.9, inf, -inf, 2.5, 0.1, -0.0, 65520.0, 1e-7, 0.5, 255.5, -129.0]),
            "ints": {
                "dtype": "int32",
                "data": [-(2**31), 2**31 - 1, -1, 0, 7, -7, 300, 65536, 16777217, -32769, 2049, 1],
            },
            "others": {"dtype": "int32", "data": [3, -2, 5, 1, -3, 2, 7, -4, 9, 11, -2, 1]},
            "wide": {"dtype": "int64", "data": [-(2**63), 2**63 - 1, -1, 0, 5000000000, 9007199254740993]},
        },
    )
    cases = [name.removesuffix(" run") for name in outputs if name.endswith(" run")]
    assert len(cases) > 35
    different = {
        name: (outputs[name + " folded"], outputs[name + " run"])
        for name in cases
        if str(outputs[name + " folded"]) != str(outputs[name + " run"])
    }
    assert not different
