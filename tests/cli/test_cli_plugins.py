"""Plugins on the command line: refused, listed, overriding."""

import json
import subprocess
from pathlib import Path

import pytest
from cli_support import IO, OK, PLUGIN, PLUGINS, REFUSED, ROOT, fails, only, sixrung

# --- plugins -------------------------------------------------------------------


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
    assert (
        "warning: --allow-override aten::add.Tensro" in done.stderr and "did you mean aten::add.Tensor?" in done.stderr
    )
    done = sixrung("convert", pt2["plain"], "-o", out / "a.mlir", "--allow-override", "aten::relu")
    assert "no plugin overrides this key; did you mean aten::relu.default?" in done.stderr


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
    assert emitter["emitters"] == ["aimodel"] and emitter["abi"] == "1.1" and emitter["builtin"] is True
    assert "aten::relu.default" in plugins["org.sixrung.aten.elementwise"]["lowerings"]


def test_plugin_list_by_key():
    done = sixrung("plugin", "list", "--serves", "torch.ops.aten.relu.default")
    assert done.returncode == OK and len(done.stdout.splitlines()) == 2
    assert "no plugin listed here lowers acme::no.default" in fails(
        REFUSED, "plugin", "list", "--serves", "acme::no.default"
    )
    assert "  aten::relu.default\n" in sixrung("plugin", "list", "--keys").stdout


def test_a_key_without_its_overload_is_told_the_overloads():
    said = fails(REFUSED, "plugin", "list", "--serves", "aten::relu")
    assert "aten::relu lacks the overload; lowered are aten::relu.default" in said
    assert "write --serves aten::relu.default" in said
    done = sixrung("plugin", "list", "--serves", "aten::truediv")  # one of Python's operators
    assert done.returncode == OK and "org.sixrung.aten.symbolic" in done.stdout


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
