"""convert and explain: what they write, say, and leave behind."""

import json
import os
import pty
import shutil
import signal
import subprocess

import pytest
from cli_support import BAD_INPUT, IO, OK, REFUSED, SAVING, SIXRUNG, USAGE, fails, only, sixrung

# --- convert -------------------------------------------------------------------


def test_summary(pt2, out):
    done = sixrung("convert", pt2["plain"], "-o", out / "a.mlir")
    assert done.returncode == OK and done.stderr == ""
    assert f"wrote {out / 'a.mlir'}" in done.stdout
    assert "3 lowered to" in done.stdout and "org.sixrung.aten.elementwise" in done.stdout and "3 nodes" in done.stdout
    assert "main(x:float32[2x3], y:float32[2x3]) -> mul:float32[2x3]" in done.stdout
    assert only(out) == {"a.mlir"}


def test_summary_as_json(pt2, out):
    done = sixrung("convert", pt2["counter"], "-o", out / "a.mlirb", "--json")
    result = json.loads(done.stdout)
    assert done.returncode == OK and result["output"] == str(out / "a.mlirb")
    assert result["nodes"] == 2 and result["ops"] > 2
    assert [state["entrypoint"] for state in result["states"]] == ["main"] and result["states"][0]["has_initial"]
    assert result["plugins"][0]["id"] == "org.sixrung.aten.elementwise" and len(result["plugins"][0]["sha256"]) == 64
    assert set(result["seconds"]) == {"read", "convert", "save"}


def test_output_is_the_same_run_after_run(pt2, out):
    for name in ("a.mlirb", "b.mlirb"):
        assert sixrung("convert", pt2["plain"], "-o", out / name).returncode == OK
    assert (out / "a.mlirb").read_bytes() == (out / "b.mlirb").read_bytes()


def test_mode(pt2, out):
    sixrung("convert", pt2["plain"], "-o", out / "debug.mlir")
    sixrung("convert", pt2["plain"], "-o", out / "debug.mlirb", "--mode", "debug")
    sixrung("convert", pt2["plain"], "-o", out / "release.mlirb", "--mode", "release")
    assert b"cli_models.py" in (out / "debug.mlirb").read_bytes()
    assert b"cli_models.py" not in (out / "release.mlirb").read_bytes()


def test_names(pt2, out):
    done = sixrung(
        "convert",
        pt2["plain"],
        "-o",
        out / "a.mlir",
        "--entrypoint",
        "forward",
        "--input-name",
        "left",
        "--input-name",
        "right",
        "--output-name",
        "sum",
    )
    assert done.returncode == OK and "forward(left:float32[2x3], right:float32[2x3]) -> sum:" in done.stdout
    assert "coreai.graph @forward" in (out / "a.mlir").read_text()


def test_several_models_are_several_entrypoints(pt2, out):
    done = sixrung(
        "convert",
        f"first={pt2['plain']}",
        f"second={pt2['counter']}",
        "-o",
        out / "a.mlir",
        "--output-name",
        "first=sum",
        "--state-name",
        "second=memory",
    )
    assert done.returncode == OK, done.stderr
    text = (out / "a.mlir").read_text()
    assert "@first" in text and "@second" in text and '"sum"' in text and '"memory"' in text


def test_clashing_and_missing_entrypoints(pt2, out):
    said = fails(USAGE, "convert", pt2["plain"], pt2["counter"], "-o", out / "a.mlir")
    assert "two models for the entrypoint 'main'" in said and "prefill=" in said
    said = fails(
        USAGE, "convert", f"a={pt2['plain']}", f"b={pt2['counter']}", "-o", out / "a.mlir", "--input-name", "x"
    )
    assert "which entrypoint?" in said and "a=x" in said
    assert "no entrypoint 'c'" in fails(USAGE, "convert", pt2["plain"], "-o", out / "a.mlir", "--input-name", "c=x")


def test_path_with_an_equals_sign(pt2, tmp_path, out):
    folder = tmp_path / "lr=3"
    folder.mkdir()
    shutil.copy(pt2["plain"], folder / "a.pt2")
    assert sixrung("convert", folder / "a.pt2", "-o", out / "a.mlir").returncode == OK
    assert sixrung("convert", "lr=3/a.pt2", "-o", out / "b.mlir", cwd=tmp_path).returncode == OK


def test_too_many_names(pt2, out):
    said = fails(BAD_INPUT, "convert", pt2["plain"], "-o", out / "a.mlir", *["--input-name", "x"] * 3)
    assert "input" in said and only(out) == set()


def test_missing_output_folder_is_told_before_the_work(pt2, out):
    said = fails(IO, "convert", pt2["plain"], "-o", out / "no" / "a.mlir")
    assert "mkdir -p" in said


def test_failure_leaves_the_old_output(pt2, out):
    (out / "a.mlir").write_text("old")
    fails(REFUSED, "convert", pt2["unsupported"], "-o", out / "a.mlir")
    assert (out / "a.mlir").read_text() == "old"
    assert sixrung("convert", pt2["plain"], "-o", out / "a.mlir").returncode == OK
    assert "coreai.graph" in (out / "a.mlir").read_text() and only(out) == {"a.mlir"}


# --- .aimodel ------------------------------------------------------------------


def test_asset_by_coreai_core(pt2, out, python_with_coreai):
    done = sixrung("convert", pt2["plain"], "-o", out / "a.aimodel", "--python", python_with_coreai)
    assert done.returncode == OK, done.stderr
    assert {"main.mlirb", "main.hash", "metadata.json"} <= only(out / "a.aimodel")
    assert "org.sixrung.aten.elementwise" in (out / "a.aimodel" / "metadata.json").read_text()
    first = (out / "a.aimodel" / "main.mlirb").read_bytes()
    # By the variable, and over the asset that is there.
    done = sixrung("convert", pt2["plain"], "-o", out / "a.aimodel", env={"SIXRUNG_PYTHON": python_with_coreai})
    assert done.returncode == OK and (out / "a.aimodel" / "main.mlirb").read_bytes() == first
    assert only(out) == {"a.aimodel"}


def test_optimize_reaches_the_worker(pt2, out, fake_python):
    done = sixrung("convert", pt2["plain"], "-o", out / "a.aimodel", "--optimize", "--python", fake_python(SAVING))
    assert done.returncode == OK, done.stderr
    assert "optimized" in only(out / "a.aimodel")
    record = json.loads((out / "a.aimodel" / "metadata.json").read_text())["sixrung"]
    assert record["version"] == "0.1.0" and record["abi"] == "1.1"
    assert "org.sixrung.aten.elementwise" in [p["id"] for p in record["plugins"]]
    assert {n["plugin"] for n in record["entrypoints"][0]["nodes"]} == {"org.sixrung.aten.elementwise"}
    assert str(out) not in json.dumps(record)  # nothing of the machine


def test_python_without_coreai_core(pt2, out, fake_python):
    python = fake_python("exit 1", probe=17)
    said = fails(IO, "convert", pt2["plain"], "-o", out / "a.aimodel", env={"SIXRUNG_PYTHON": str(python)})
    assert "has no coreai-core" in said and f"{python} -m pip install coreai-core" in said
    assert only(out) == set()


@pytest.mark.parametrize("how, word", [("ABRT", "Aborted"), ("SEGV", "Segmentation fault"), ("KILL", "Killed")])
def test_a_worker_that_aborts(pt2, out, fake_python, how, word):
    python = fake_python(f"echo LLVM ERROR: not that >&2; kill -{how} $$")
    said = fails(IO, "convert", pt2["plain"], "-o", out / "a.aimodel", "--python", python)
    assert word in said and "LLVM ERROR: not that" in said and only(out) == set()


def test_interrupted_convert_leaves_nothing(pt2, out, tmp_path, fake_python):
    started = tmp_path / "started"
    python = fake_python(f"touch {started}; exec sleep 30")
    command = [SIXRUNG, "convert", pt2["plain"], "-o", out / "a.aimodel", "--python", python]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while not started.exists():
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == -signal.SIGINT
    assert only(out) == set()


# --- explain -------------------------------------------------------------------


def test_explain_table(pt2, out):
    done = sixrung("explain", pt2["plain"], cwd=out)
    assert done.returncode == OK and done.stderr == ""
    head, *rows = done.stdout.splitlines()
    assert head.split() == ["NODE", "OP", "SOURCE", "RUNG", "PLUGIN", "OPS"]
    add = next(row for row in rows if row.startswith("add "))
    assert (
        "aten::add.Tensor" in add
        and "cli_models.py:" in add
        and "3 aten" in add
        and "org.sixrung.aten.elementwise" in add
    )
    assert add.split()[-1].endswith("add")
    assert "3 nodes, " in rows[-1] and only(out) == set()


def test_explain_as_json(pt2):
    nodes = json.loads(sixrung("explain", pt2["plain"], "--json").stdout)["nodes"]
    assert [n["node"] for n in nodes] == ["add", "relu", "mul"]
    assert nodes[1] | {"source": "", "version": ""} == {
        "entrypoint": "main",
        "node": "relu",
        "key": "aten::relu.default",
        "source": "",
        "rung": 3,
        "rung_name": "aten",
        "plugin": "org.sixrung.aten.elementwise",
        "version": "",
        "detail": "",
        "overridden": [],
        "ops": ["coreai.relu"],
        "remarks": [],
    }


def test_explain_of_what_cannot_be_converted(pt2):
    done = sixrung("explain", pt2["custom"])
    assert done.returncode == REFUSED and "6 error" in done.stdout and "3 aten" in done.stdout
    assert done.stderr.startswith("error: ") and "sixrung_test::twice.default" in done.stderr
    done = sixrung("explain", pt2["custom"], "--json")
    assert done.returncode == REFUSED and json.loads(done.stdout)["error"]["kind"] == "unsupported"


# --- progress ------------------------------------------------------------------


def test_progress_only_on_a_terminal(pt2, out):
    assert "\r" not in sixrung("convert", pt2["plain"], "-o", out / "a.mlir").stderr
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [SIXRUNG, "convert", pt2["plain"], "-o", out / "b.mlir"],
        stdout=subprocess.PIPE,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm"},
    )
    process.communicate()
    os.close(theirs)
    seen = os.read(ours, 65536).decode()
    os.close(ours)
    assert "reading " in seen and "saving " in seen and seen.endswith("\r\033[K")  # cleared at the end
