"""The command line: exit codes, words, JSON, and what lies on the disk afterwards."""

import json
import os
import pty
import shutil
import signal
import subprocess
from pathlib import Path

import pytest
from cli_support import PLUGINS, ROOT, SAVING, SIXRUNG, as_ordinary_user, only

torch = pytest.importorskip("torch")
import cli_models  # noqa: E402

OK, REFUSED, USAGE, BAD_INPUT, PLUGIN, IO = 0, 1, 2, 3, 4, 5


@pytest.fixture(scope="session")
def pt2(tmp_path_factory):
    return cli_models.save_all(tmp_path_factory.mktemp("models"))


def sixrung(*words, env=None, **kwargs):
    kwargs = {"capture_output": True, "text": True, **kwargs}
    return subprocess.run([SIXRUNG, *map(str, words)], env={**os.environ, **(env or {})}, **kwargs)


def fails(code, *words, **kwargs) -> str:
    """Runs a command that must fail; gives its words, which are on stderr alone and free of escapes."""
    done = sixrung(*words, **kwargs)
    assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
    assert done.stderr.startswith("error: ") and "\033" not in done.stderr
    return done.stderr


# --- usage --------------------------------------------------------------------


def test_version_tells_the_abi():
    done = sixrung("--version")
    assert done.returncode == OK
    assert done.stdout.strip() == "sixrung 0.1.0 (plugin ABI 1.0)"


@pytest.mark.parametrize("words", [["--help"], ["convert", "--help"], ["explain", "--help"]])
def test_help_documents_the_exit_codes(words):
    done = sixrung(*words)
    assert done.returncode == OK and done.stderr == ""
    for line in (
        "0   done",
        "1   something",
        "2   wrong usage",
        "3   a malformed",
        "4   a plugin",
        "5   reading",
        "70  an error",
    ):
        assert line in done.stdout


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["translate"],
        ["convert"],
        ["convert", "a.pt2"],
        ["convert", "-o", "a.mlir"],
        ["plugin"],
        ["plugin", "list", "--no"],
        ["convert", "a.pt2", "-o", "a.mlir", "--mode", "fast"],
    ],
)
def test_wrong_usage(words):
    assert "--help" in fails(USAGE, *words)


def test_wrong_usage_as_json():
    done = sixrung("convert", "--json")
    error = json.loads(done.stdout)["error"]
    assert done.returncode == USAGE and done.stderr == ""
    assert error["kind"] == "usage" and error["exit_code"] == USAGE and "--help" in error["details"]["hint"]


def test_unknown_suffix_lists_the_known_ones(pt2, out):
    said = fails(USAGE, "convert", pt2["plain"], "-o", out / "model.onnx")
    assert "model.onnx" in said and ".aimodel, .mlir, .mlirb" in said
    assert only(out) == set()


def test_unknown_suffix_is_told_before_the_model_is_read(out):
    fails(USAGE, "convert", "missing.pt2", "-o", out / "model.onnx")


def test_no_plugins_at_all(pt2, out):
    said = fails(USAGE, "convert", pt2["plain"], "-o", out / "a.mlir", env={"SIXRUNG_BUILTIN_PLUGINS": str(out)})
    assert "SIXRUNG_BUILTIN_PLUGINS" in said


# --- input --------------------------------------------------------------------


def test_missing_input(out):
    said = fails(IO, "convert", out / "no.pt2", "-o", out / "a.mlir")
    assert "no.pt2': No such file or directory" in said and "torch.export.save" in said
    assert only(out) == set()


def test_folder_as_input(out):
    assert "it is a folder" in fails(IO, "explain", out)


def test_special_file_as_input(out):
    os.mkfifo(out / "a.pt2")
    assert "no regular file" in fails(IO, "explain", out / "a.pt2", timeout=20)


def test_unreadable_input(pt2, out):
    shutil.copy(pt2["plain"], out / "a.pt2")
    (out / "a.pt2").chmod(0)
    assert "Permission denied" in fails(IO, "explain", out / "a.pt2", preexec_fn=as_ordinary_user)


@pytest.mark.parametrize("cut", [0, 1, 100, -30])
def test_damaged_input(pt2, out, cut):
    whole = pt2["plain"].read_bytes()
    (out / "a.pt2").write_bytes(whole[:cut])
    said = fails(BAD_INPUT, "convert", out / "a.pt2", "-o", out / "a.mlir")
    assert "a.pt2" in said
    assert only(out) == {"a.pt2"}


def test_garbage_input(out):
    (out / "a.pt2").write_bytes(b"this is no archive\n" * 100)
    fails(BAD_INPUT, "explain", out / "a.pt2")
    done = sixrung("explain", out / "a.pt2", "--json")
    error = json.loads(done.stdout)["error"]
    assert done.returncode == BAD_INPUT and error["kind"] == "invalid_input" and error["message"]


# --- what cannot be converted ---------------------------------------------------


def test_undecomposed_program_gets_the_lines_that_fix_it(pt2, out):
    said = fails(REFUSED, "convert", pt2["undecomposed"], "-o", out / "a.mlir")
    assert "non-decomposed ops" in said and "aten::smooth_l1_loss.default" in said and "cli_models.py" in said
    assert "run_decompositions(" in said and "torch.export.save(" in said
    assert only(out) == set()


def test_unsupported_op_is_named_with_its_line(pt2, out):
    said = fails(REFUSED, "convert", pt2["unsupported"], "-o", out / "a.mlir")
    assert "aten::_linalg_eigh.default" in said and "cli_models.py:" in said
    done = sixrung("convert", pt2["unsupported"], "-o", out / "a.mlir", "--json")
    error = json.loads(done.stdout)["error"]
    assert done.returncode == REFUSED and error["kind"] == "unsupported" and "aten::_linalg_eigh" in error["message"]
    assert only(out) == set()


def test_custom_op_without_a_plugin(pt2, out):
    said = fails(REFUSED, "convert", pt2["custom"], "-o", out / "a.mlir")
    assert "sixrung_test::twice.default" in said and "cli_models.py:" in said


# --- plugins --------------------------------------------------------------------


def test_plugin_that_is_none(pt2, out):
    for content in (b"", b"\x7fELF" + b"\0" * 200, b"hello" * 50):
        (out / "libno.so").write_bytes(content)
        said = fails(PLUGIN, "convert", pt2["plain"], "-o", out / "a.mlir", "--plugin", out / "libno.so")
        assert "libno.so" in said
    assert only(out) == {"libno.so"}


def test_missing_plugin(pt2, out):
    said = fails(PLUGIN, "convert", pt2["plain"], "-o", out / "a.mlir", "--plugin", out / "libno.so")
    assert "libno.so" in said


def test_unused_permission_is_a_warning(pt2, out):
    done = sixrung("convert", pt2["plain"], "-o", out / "a.mlir", "--allow-override", "aten.add.Tensro")
    assert done.returncode == OK
    assert "warning: --allow-override aten::add.Tensro" in done.stderr


def test_plugin_list_runs_no_code_and_shows_every_plugin():
    done = sixrung("plugin", "list")
    assert done.returncode == OK and done.stderr == ""
    lines = done.stdout.splitlines()
    assert lines[0].split()[:3] == ["PLUGIN", "VERSION", "ABI"]
    assert len(lines) == 1 + len(list(PLUGINS.glob("*.so")))
    assert any(line.startswith("org.sixrung.emit.mlir ") and " mlir " in line for line in lines)


def test_plugin_list_as_json():
    plugins = {p["id"]: p for p in json.loads(sixrung("plugin", "list", "--json").stdout)["plugins"]}
    emitter = plugins["org.sixrung.emit.aimodel"]
    assert emitter["emitters"] == ["aimodel"] and emitter["abi"] == "1.0" and emitter["builtin"] is True
    assert "aten::relu.default" in plugins["org.sixrung.aten.elementwise"]["lowerings"]


def test_plugin_list_by_key():
    done = sixrung("plugin", "list", "--serves", "torch.ops.aten.relu.default")
    assert done.returncode == OK and len(done.stdout.splitlines()) == 2
    assert "no plugin listed here lowers acme::no.default" in fails(
        REFUSED, "plugin", "list", "--serves", "acme::no.default"
    )
    assert "  aten::relu.default\n" in sixrung("plugin", "list", "--keys").stdout


def test_one_bad_plugin_does_not_hide_the_others(out):
    (out / "libno.so").write_bytes(b"hello")
    done = sixrung("plugin", "list", "--plugin", out / "libno.so")
    assert done.returncode == PLUGIN and "org.sixrung.emit.mlir" in done.stdout
    assert done.stderr.startswith("error: ") and "libno.so" in done.stderr
    done = sixrung("plugin", "list", "--plugin", out / "libno.so", "--json")
    listed = json.loads(done.stdout)
    assert done.returncode == PLUGIN and listed["plugins"] and listed["refused"][0]["file"].endswith("libno.so")


def test_standard_output_that_is_full():
    with open("/dev/full", "w") as full:
        done = sixrung("plugin", "list", capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == IO and "No space left on device" in done.stderr


OVERRIDE = """
#include "sixrung/sdk.hpp"
using namespace sixrung;
static Value relu(Node n, Builder &b) {
  b.warn("relu is lowered as a maximum");
  return b.maximum(n.tensor(0), 0.0);
}
constexpr Lowering kLowerings[] = {Lowering{"aten::relu.default", relu}.overriding()};
SIXRUNG_PLUGIN("com.acme.relu", "2.0.0", kLowerings);
"""


@pytest.fixture(scope="session")
def override(tmp_path_factory) -> Path:
    """A private plugin that takes aten::relu.default from the built-in."""
    folder = tmp_path_factory.mktemp("override")
    (folder / "relu.cpp").write_text(OVERRIDE)
    headers = [f"-I{ROOT / 'plugin_api'}", f"-I{ROOT / 'sdk/include'}"]
    symbols = f"-Wl,--version-script={ROOT / 'sdk/cmake/one_symbol.map'}"
    flags = ["-std=c++20", "-fPIC", "-shared", "-fvisibility=hidden"]
    subprocess.run(["c++", *flags, *headers, symbols, "relu.cpp", "-o", "librelu.so"], cwd=folder, check=True)
    return folder / "librelu.so"


@pytest.mark.slow
def test_override_needs_permission_and_is_told(pt2, out, override):
    command = ["convert", pt2["plain"], "-o", out / "a.mlir", "--plugin", override]
    said = fails(PLUGIN, *command)
    for word in ("aten::relu.default", "com.acme.relu", "org.sixrung.aten.elementwise", "--allow-override"):
        assert word in said
    assert only(out) == set()
    done = sixrung(*command, "--allow-override", "aten.relu.default")
    assert done.returncode == OK and "com.acme.relu" in done.stdout
    assert done.stderr.startswith("warning: relu (") and "relu is lowered as a maximum" in done.stderr
    assert "maximum" in (out / "a.mlir").read_text()
    words = ["--plugin", override, "--allow-override", "aten::relu.default"]
    said = sixrung("explain", pt2["plain"], *words).stdout
    assert "2 user" in said and "relu: com.acme.relu overrides org.sixrung.aten.elementwise" in said
    assert "  aten::relu.default  (override)\n" in sixrung("plugin", "list", "--plugin", override, "--keys").stdout


# --- convert --------------------------------------------------------------------


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


# --- .aimodel -------------------------------------------------------------------


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
    assert record["version"] == "0.1.0" and record["abi"] == "1.0"
    assert [p["id"] for p in record["plugins"]] == ["org.sixrung.aten.elementwise"]
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


# --- explain --------------------------------------------------------------------


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


# --- progress -------------------------------------------------------------------


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
