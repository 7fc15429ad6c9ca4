"""An op nobody lowers, and a plugin at hand that would: the error names it, from its manifest alone."""

import subprocess
from pathlib import Path

import pytest
from cli_support import OK, PLUGINS, REFUSED, ROOT, fails, sixrung

SOURCE = """
#include "sixrung/plugin_c.h"
#define TWICE "sixrung_test::twice.default"
static sixrung_status *lower(const sixrung_host *host, void *user, sixrung_call call) {
  sixrung_named_arg x;
  sixrung_value operands[2], sum;
  (void)user;
  SIXRUNG_TRY(host->call_arg(call, 0, &x));
  operands[0].id = operands[1].id = x.value.payload;
  sixrung_op op = {sizeof op};
  op.name.data = "coreai.add";
  op.name.size = 10;
  op.operands = operands;
  op.operand_count = 2;
  op.result_count = 1;
  SIXRUNG_TRY(host->build_op(call, &op, &sum));
  return host->call_set_result(call, 0, sum);
}
/* One that no table should have for itself: it is only ever told of, not loaded. */
#define LOWERINGS(X) X(TWICE, lower) X("aten::linalg_eigh.default", lower) X("aten::_linalg_eigh.default", lower)
SIXRUNG_C_PLUGIN("com.acme.twice", "1.2.0", LOWERINGS, SIXRUNG_NO_ENTRIES);
"""
WOULD = "would be served by com.acme.twice 1.2.0 ({}): enable it with --plugin FILE"


@pytest.fixture(scope="module")
def library(tmp_path_factory) -> Path:
    """In a folder optional/ below one that SIXRUNG_PLUGIN_PATH may name; beside it lies what is no plugin."""
    folder = tmp_path_factory.mktemp("plugins") / "optional"
    folder.mkdir()
    (folder / "libbroken.so").write_bytes(b"\x7fELF" + b"\0" * 100)
    source = folder / "twice.c"
    source.write_text(SOURCE)
    built = folder / "libtwice.so"
    include = [f"-I{ROOT / 'plugin_api'}", f"-I{ROOT / 'sdk/include'}"]
    symbols = f"-Wl,--version-script={ROOT / 'sdk/cmake/one_symbol.map'}"
    subprocess.run(["cc", "-std=c11", "-fPIC", "-shared", *include, symbols, source, "-o", built], check=True)
    return built


def path_of(library: Path) -> dict[str, str]:
    return {"SIXRUNG_PLUGIN_PATH": str(library.parent.parent)}


def test_a_custom_op_names_it(pt2, out, library):
    command = ["convert", pt2["custom"], "-o", out / "a.mlir"]
    said = fails(REFUSED, *command)
    assert "no plugin serves namespace sixrung_test" in said and "would be served" not in said
    said = fails(REFUSED, *command, env=path_of(library))
    assert "sixrung_test::twice.default " + WOULD.format(library) in said
    assert "cli_models.py:" in said and "2 nodes in all" in said
    assert sixrung(*command, "--plugin", library, env=path_of(library)).returncode == OK


def test_an_aten_op_names_it_when_staging(pt2, out, library):
    said = fails(REFUSED, "convert", pt2["unsupported"], "-o", out / "a.mlir", env=path_of(library))
    assert "unsupported ATen ops: " in said and "_linalg_eigh.default " + WOULD.format(library) in said


def test_the_list_names_it(library):
    said = fails(REFUSED, "plugin", "list", "--serves", "sixrung_test::twice.default", env=path_of(library))
    assert f"com.acme.twice 1.2.0 does: list it with --plugin {library}" in said
    (optional,) = (PLUGINS / "optional").glob("*mixture_of_experts*")
    said = fails(REFUSED, "plugin", "list", "--serves", "transformers::grouped_mm_fallback.default")
    assert f"org.sixrung.transformers.mixture_of_experts 0.1.0 does: list it with --plugin {optional}" in said


def test_python_names_it_too(pt2, library, monkeypatch):
    torch = pytest.importorskip("torch")
    package = pytest.importorskip("sixrung")
    monkeypatch.setenv("SIXRUNG_PLUGIN_PATH", str(library.parent.parent))
    program = torch.export.load(pt2["custom"])
    converter = package.TorchConverter().add_exported_program(program)
    with pytest.raises(package.UnsupportedError) as refused:
        converter.to_coreai()
    assert "sixrung_test::twice.default " + WOULD.format(library) in str(refused.value)
    assert "twice" in str(converter.explain())  # which needs no plugin to tell the rungs

    def add(values_map, node, loc):
        x = package.get_operand(values_map, node, 0)
        return package.lower("sixrung_test::twice.default", x, results=[x])

    plain = package.TorchConverter().add_exported_program(torch.export.load(pt2["plain"]))
    plain.register_torch_lowering("aten::add.Tensor", allow_override=True)(add)
    with pytest.raises(package.Error, match=r"nothing lowers sixrung_test::twice\.default") as refused:
        plain.to_coreai()
    assert WOULD.format(library) in str(refused.value)

    converter = package.TorchConverter().add_exported_program(program).load_plugin(library)
    assert {node.plugin for node in converter.to_coreai().nodes if "twice" in node.key} == {"com.acme.twice"}


def test_nothing_of_it_runs(pt2, out, library, tmp_path):
    """A plugin whose code would end the process is named like any other."""
    folder = tmp_path / "optional"
    folder.mkdir()
    source = library.with_name("twice.c").read_text()
    ending = "#include <stdlib.h>\n__attribute__((constructor)) static void now(void) { exit(99); }\n"
    (tmp_path / "ends.c").write_text(ending + source)
    include = [f"-I{ROOT / 'plugin_api'}", f"-I{ROOT / 'sdk/include'}"]
    built = folder / "libends.so"
    subprocess.run(["cc", "-std=c11", "-fPIC", "-shared", *include, tmp_path / "ends.c", "-o", built], check=True)
    said = fails(REFUSED, "convert", pt2["custom"], "-o", out / "a.mlir", env={"SIXRUNG_PLUGIN_PATH": str(tmp_path)})
    assert WOULD.format(built) in said
