"""`sixrung plugin check`: the table, the JSON and the exit code. The checks themselves: tests/core/conformance."""

import json
import shutil

import pytest
from cli_support import BAD_INPUT, BUILD, OK, PLUGIN, PLUGINS, ROOT, USAGE, fails, plugin, sixrung

UNRULY = BUILD / "tests" / "unruly"
KEY = "lowers probe::unruly.default"


@pytest.fixture(scope="session")
def sample(tmp_path_factory):
    """A model that calls probe::unruly, which the test plugins lower as a relu."""
    torch = pytest.importorskip("torch")

    @torch.library.custom_op("probe::unruly", mutates_args=())
    def unruly(x: torch.Tensor) -> torch.Tensor:
        return x.relu()

    @unruly.register_fake
    def _(x):
        return torch.empty_like(x)

    class Model(torch.nn.Module):
        def forward(self, x):
            return unruly(x) + 1

    path = tmp_path_factory.mktemp("sample") / "unruly.pt2"
    torch.export.save(torch.export.export(Model(), (torch.ones(2, 3),)).run_decompositions(), path)
    return path


def report(code, *words) -> dict:
    done = sixrung("plugin", "check", *words, "--json")
    assert done.returncode == code and done.stderr == "", done.stderr
    return json.loads(done.stdout)


def check(found: dict, name: str) -> dict:
    (one,) = [check for check in found["checks"] if check["name"] == name]
    return one


def test_a_good_plugin_is_a_table_of_passes(sample):
    done = sixrung("plugin", "check", UNRULY / "good.so", "--sample", sample)
    assert done.returncode == OK and done.stderr == "", done.stdout
    head, *lines, total = done.stdout.splitlines()
    assert head.split() == ["CHECK", "RESULT", "DETAIL"] and total == f"{len(lines)} passed, 0 failed, 0 not run"
    assert all(" pass " in line for line in lines)
    assert any(line.startswith(f"{KEY} ") and "in unruly.pt2" in line for line in lines)


def test_json(sample):
    found = report(OK, UNRULY / "good.so", "--sample", sample)
    assert (found["id"], found["version"], found["native"]) == ("org.sixrung.test.unruly", "1.0.0", True)
    assert found["passed"] == len(found["checks"]) and found["failed"] == found["not_run"] == 0
    assert set(found["checks"][0]) == {"name", "result", "detail", "remedy"}


def test_a_failed_check_says_why_and_what_to_do(sample):
    done = sixrung("plugin", "check", UNRULY / "second_symbol.so", "--sample", sample)
    assert done.returncode == PLUGIN and done.stderr == ""
    (failed,) = [line for line in done.stdout.splitlines() if " FAIL " in line]
    assert failed.startswith("exports ") and "unruly_second_symbol. link with the version script" in failed
    found = report(PLUGIN, UNRULY / "crash.so", "--sample", sample)
    assert "crashed: signal" in check(found, "stale handles")["detail"]


def test_samples_beside_the_library_are_tried(sample, tmp_path):
    library = tmp_path / "good.so"
    shutil.copy(UNRULY / "good.so", library)
    untried = check(report(OK, library), KEY)
    assert untried["result"] == "not_run" and "--sample" in untried["remedy"]
    (tmp_path / "samples").mkdir()
    shutil.copy(sample, tmp_path / "samples" / "mine.pt2")
    assert check(report(OK, library), KEY)["detail"] == "in mine.pt2"


def test_a_key_no_sample_uses_is_not_passed(sample, pt2):
    found = report(OK, UNRULY / "good.so", "--sample", pt2["plain"])
    assert check(found, KEY)["result"] == "not_run" and "no sample uses it" in check(found, KEY)["detail"]


def test_a_built_in_of_many_keys_stays_readable(pt2):
    done = sixrung("plugin", "check", plugin("aten_elementwise"), "--sample", pt2["plain"])
    assert done.returncode == OK and len(done.stdout.splitlines()) < 60, done.stdout
    found = report(OK, plugin("aten_elementwise"), "--sample", pt2["plain"])
    assert check(found, "failing calls")["result"] == "pass"
    assert check(found, "lowers aten::relu.default")["result"] == "pass"


@pytest.mark.parametrize("name", ["emit_mlir", "composites_hard_sigmoid", "externalize_module_path"])
def test_other_built_ins_pass(name, pt2):
    found = report(OK, plugin(name), "--sample", pt2["plain"])
    assert found["failed"] == 0
    if name == "emit_mlir":
        assert check(found, "writes mlir")["result"] == "pass"


def test_every_built_in_and_archived_plugin_passes():
    libraries = [*PLUGINS.rglob("*.so"), *(ROOT / "tests/abi/archive").rglob("*.so")]
    assert len(libraries) > 20
    for library in libraries:
        assert report(OK, library)["failed"] == 0, library


def test_a_library_of_another_machine_is_read(tmp_path, sample):
    data = bytearray((UNRULY / "good.so").read_bytes())
    data[18] = 183  # e_machine: aarch64
    library = tmp_path / "foreign.so"
    library.write_bytes(data)
    found = report(OK, library, "--sample", sample)
    assert found["built"] == "Linux aarch64" and not found["native"]
    assert check(found, "exports")["result"] == "pass"
    assert check(found, "opens") == {
        "name": "opens",
        "result": "not_run",
        "detail": "built for Linux aarch64",
        "remedy": "",
    }


def test_a_hang_is_bounded():
    found = report(PLUGIN, UNRULY / "hangs.so", "--timeout", "2")
    assert "still running after 2 s" in check(found, "shutdown")["detail"]


def test_files_that_are_none(tmp_path, sample):
    assert "No such file" in fails(PLUGIN, "plugin", "check", tmp_path / "no.so")
    (tmp_path / "text.so").write_text("no library")
    assert check(report(PLUGIN, tmp_path / "text.so"), "object")["result"] == "fail"
    (tmp_path / "no.pt2").write_text("no model")
    fails(BAD_INPUT, "plugin", "check", UNRULY / "good.so", "--sample", tmp_path / "no.pt2")
    fails(USAGE, "plugin", "check", UNRULY / "good.so", "--timeout", "0")
