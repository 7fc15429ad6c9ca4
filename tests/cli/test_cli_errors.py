"""The command line when something is wrong: usage, input, and what cannot be converted."""

import json
import os
import shutil
import subprocess
import sys
import textwrap

import pytest
from cli_support import BAD_INPUT, IO, OK, REFUSED, USAGE, as_ordinary_user, fails, only, sixrung

# --- usage ---------------------------------------------------------------------


def test_version_tells_the_abi():
    done = sixrung("--version")
    assert done.returncode == OK
    assert done.stdout.strip() == "sixrung 0.1.0 (plugin ABI 1.1)"


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


def test_control_characters_are_shown_not_sent():
    said = fails(IO, "convert", "a\033[31m\x9b.pt2", "-o", "a.mlir")  # which looks for the escape itself
    assert "a\\x1b[31m\\x9b.pt2" in said
    done = sixrung("convert", "a\033.pt2", "-o", "a.mlir", "--json")
    assert "a\033.pt2" in json.loads(done.stdout)["error"]["message"]


def test_unknown_suffix_lists_the_known_ones(pt2, out):
    said = fails(USAGE, "convert", pt2["plain"], "-o", out / "model.onnx")
    assert "model.onnx" in said and ".aimodel, .mlir, .mlirb" in said
    assert only(out) == set()


def test_unknown_suffix_is_told_before_the_model_is_read(out):
    fails(USAGE, "convert", "missing.pt2", "-o", out / "model.onnx")


def test_no_plugins_at_all(pt2, out):
    said = fails(USAGE, "convert", pt2["plain"], "-o", out / "a.mlir", env={"SIXRUNG_BUILTIN_PLUGINS": str(out)})
    assert "SIXRUNG_BUILTIN_PLUGINS" in said


# --- input ---------------------------------------------------------------------


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


# --- what cannot be converted --------------------------------------------------


def test_undecomposed_program_gets_the_lines_that_fix_it(pt2, out, tmp_path):
    model = tmp_path / 'a "model" \\ v1.pt2'
    shutil.copy(pt2["undecomposed"], model)
    said = fails(REFUSED, "convert", model, "-o", out / "a.mlir")
    assert "non-decomposed ops" in said and "aten::smooth_l1_loss.default" in said and "cli_models.py" in said
    assert only(out) == set()
    lines = said.partition("before converting:\n")[2].partition("An op that")[0]
    subprocess.run([sys.executable, "-c", textwrap.dedent(lines)], check=True)
    assert sixrung("convert", model, "-o", out / "a.mlir").returncode == OK


def test_the_model_is_not_its_own_output(pt2, tmp_path):
    model = tmp_path / "model.mlirb"
    shutil.copy(pt2["plain"], model)
    said = fails(USAGE, "convert", model, "-o", tmp_path / "." / "model.mlirb")
    assert "is the model, which the output would replace" in said
    assert model.read_bytes() == pt2["plain"].read_bytes()


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
