"""What a converted program gives: text, bytecode, assets, states, records."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

import models
import sixrung
from programs import PROGRAMS
from running import run
from sixrung import _coreai_core
from sixrung.program import Explanation


def convert(program: torch.export.ExportedProgram, **names) -> sixrung.Program:
    return sixrung.TorchConverter().add_exported_program(program, **names).to_coreai()


def relu() -> torch.export.ExportedProgram:
    model = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.ReLU())
    return torch.export.export(model, (torch.randn(2, 4),)).run_decompositions(sixrung.get_decomp_table())


@pytest.fixture(scope="module")
def converted() -> sixrung.Program:
    return convert(relu(), input_names=["x"], output_names=["y"])


def test_it_prints_as_mlir(converted: sixrung.Program) -> None:
    assert str(converted).count("coreai.graph @main") == 1 and 'coreai.name = "x"' in str(converted)
    assert re.fullmatch(r"<sixrung.Program main: \d+ ops>", repr(converted))
    assert converted.op_count > 2
    assert converted.inputs()[0] == sixrung.Port("x", "float32", (2, 4))
    assert converted.outputs("main")[0].name == "y"
    with pytest.raises(ValueError, match="no entrypoint 'other'"):
        converted.inputs("other")


def test_large_constants_are_left_out_of_str_alone(tmp_path: Path) -> None:
    model = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.ReLU())
    program = torch.export.export(model, (torch.randn(2, 64),)).run_decompositions(sixrung.get_decomp_table())
    converted = convert(program)
    assert len(str(converted)) < 4000 and "dense<[" in str(converted)  # the bias: 256 bytes are no large constant
    assert "dense_resource<" in str(converted) and "{-#" not in str(converted)
    assert model[0].weight.detach().numpy().tobytes().hex().upper() in converted.text()
    assert converted.text(large_constants=False) == str(converted) and len(repr(converted)) < 60
    converted.save(tmp_path / "whole.mlir")
    assert (tmp_path / "whole.mlir").read_text().strip() == converted.text().strip()
    assert "coreai.graph @main" in str(_coreai_core.parse(tmp_path / "whole.mlir"))


def test_long_lists_of_ops_are_cut_short_in_print_alone() -> None:
    record = sixrung.NodeRecord("main", "n", "k", "m.py:1", "aten", "p", "1", "", (), (), ())
    many = ("coreai.add", "coreai.add", *(f"coreai.decomposable.broadcasting_{i}" for i in range(40)))
    explained = Explanation([replace(record, ops=many), replace(record, ops=("coreai.add",) * 99)])
    first, second = str(explained).splitlines()[1:]
    assert "add*2, decomposable.broadcasting_0" in first and ", ... 42 in all" in first and len(first) < 130
    assert "add*99" in second and explained[0].ops == many


def test_a_path_that_the_system_would_cut_is_refused(converted: sixrung.Program, tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("precious")
    with pytest.raises(sixrung.InvalidInputError, match="NUL"):
        converted.save(str(tmp_path / "kept") + "\0.mlir")
    assert (tmp_path / "kept").read_text() == "precious"


def test_every_node_has_a_record(converted: sixrung.Program) -> None:
    program = relu()
    calls = [n.name for n in program.graph.nodes if n.op == "call_function"]
    assert [record.node for record in converted.nodes] == calls
    assert all(record.rung == "aten" and record.plugin.startswith("org.sixrung.aten.") for record in converted.nodes)
    table = str(converted.explain())
    assert all(name in table for name in calls) and table.splitlines()[0].startswith("node")


def test_bytecode_is_the_same_each_time_and_by_either_door(tmp_path: Path) -> None:
    program = relu()
    codes = {convert(program).bytecode() for _ in range(3)}
    assert len(codes) == 1
    torch.export.save(program, tmp_path / "model.pt2")
    loaded = torch.export.load(tmp_path / "model.pt2")
    assert convert(loaded).bytecode() in codes


def command_line() -> str | None:
    beside = Path(sixrung.__file__).parent / "bin" / "sixrung"
    return str(beside) if beside.exists() else shutil.which("sixrung")


@pytest.mark.slow
@pytest.mark.parametrize("dynamic", [False, True], ids=["static", "dynamic"])
@pytest.mark.parametrize("name", models.MODELS)
def test_real_models_match_the_command_line_byte_for_byte(name: str, dynamic: bool, tmp_path: Path) -> None:
    cli = command_line()
    if cli is None:
        pytest.skip("the command line program is not on the PATH")
    program = models.export(models.build(name), sixrung.get_decomp_table(), dynamic)
    torch.export.save(program, tmp_path / "model.pt2")
    out = tmp_path / "model.mlirb"
    done = subprocess.run(
        [cli, "convert", str(tmp_path / "model.pt2"), "-o", str(out)], capture_output=True, text=True, cwd=os.getcwd()
    )
    assert done.returncode == 0, done.stderr
    assert out.read_bytes() == convert(program).bytecode()


def test_save_writes_what_the_suffix_says(converted: sixrung.Program, tmp_path: Path) -> None:
    converted.save(tmp_path / "a.mlirb")
    converted.save(tmp_path / "a.mlir")
    assert (tmp_path / "a.mlirb").read_bytes() == converted.bytecode()
    assert "coreai.graph @main" in (tmp_path / "a.mlir").read_text()
    with pytest.raises(sixrung.Error, match=r"\.nonsense"):
        converted.save(tmp_path / "a.nonsense")
    with pytest.raises(sixrung.Error):
        converted.save(tmp_path / "missing" / "folder" / "a.mlirb")


@pytest.mark.parametrize("optimize", [False, True])
def test_save_asset_returns_coreai_cores_asset(converted: sixrung.Program, optimize: bool, tmp_path: Path) -> None:
    from coreai.authoring import AIModelAsset

    target = tmp_path / "model.aimodel"
    for _ in range(2):  # the second replaces the first
        asset = converted.save_asset(target, optimize=optimize)
    assert isinstance(asset, AIModelAsset) and AIModelAsset.is_valid(target)
    written = json.loads((target / "metadata.json").read_text())["creatorDefinedMetadata"]["sixrung"]
    assert written["version"] == sixrung.__version__
    assert {plugin["id"] for plugin in written["plugins"]} >= {node.plugin for node in converted.nodes}
    assert [node["node"] for node in written["entrypoints"][0]["nodes"]] == [node.node for node in converted.nodes]
    assert [entry.name for entry in tmp_path.iterdir()] == ["model.aimodel"]


def test_save_asset_keeps_the_older_asset_when_it_fails(
    converted: sixrung.Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "model.aimodel"
    converted.save_asset(target)
    before = (target / "main.mlirb").read_bytes()
    broken = tmp_path / "python"
    broken.write_text("#!/bin/sh\nexec false\n")
    broken.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(broken))
    with pytest.raises(sixrung.Error):
        converted.save_asset(target)
    assert (target / "main.mlirb").read_bytes() == before
    with pytest.raises(ValueError, match=r"\.aimodel"):
        converted.save_asset(tmp_path / "model.txt")


def test_an_absent_or_other_coreai_core_is_told(
    converted: sixrung.Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_coreai_core.metadata, "version", lambda name: "9.9.9")
    with pytest.raises(ImportError, match=r"9\.9\.9 is installed.*1\.0\.0b3 is needed") as caught:
        converted.save_asset(tmp_path / "model.aimodel")
    assert "sixrung[runtime]" in caught.value.payload["hint"]
    monkeypatch.setattr(_coreai_core.util, "find_spec", lambda name: None)
    with pytest.raises(sixrung.MissingRuntimeError, match="not installed"):
        converted.to_aiprogram()
    assert not (tmp_path / "model.aimodel").exists()


def test_an_aiprogram_runs_with_the_numbers_of_eager(converted: sixrung.Program) -> None:
    from coreai.authoring import AIProgram

    program = converted.to_aiprogram()
    assert isinstance(program, AIProgram) and "coreai.graph @main" in str(program)
    model = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.ReLU())
    x = torch.randn(2, 4)
    exported = torch.export.export(model, (x,)).run_decompositions(sixrung.get_decomp_table())
    torch.testing.assert_close(run(convert(exported), x)[0], model(x).detach())


def test_states_start_at_their_initial_values_and_are_updated() -> None:
    converted = convert(PROGRAMS["mutated_buffer"]())
    state = converted.initial_state()
    assert {name: value.tolist() for name, value in state.items()} == {
        "count": [0.0] * 4,
        "scratch": [1.0] * 4,
    } or len(state) == 2
    x = torch.arange(4.0)
    (first,) = run(converted, x, state=state)
    torch.testing.assert_close(first, x + 2)
    (second,) = run(converted, x, state=state)
    torch.testing.assert_close(second, 2 * x + 4)


def test_mutated_inputs_have_no_initial_value() -> None:
    converted = convert(PROGRAMS["mutated_input"]())
    assert converted.initial_state() == {}
    cache = {"cache": np.ones(4, np.float32)}
    (out,) = run(converted, torch.ones(4), state=cache)
    torch.testing.assert_close(out, torch.full((4,), 4.0))
    assert cache["cache"].tolist() == [2.0] * 4


def test_half_and_bfloat_states_keep_their_type() -> None:
    class Half(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("h", torch.full((2,), 1.5, dtype=torch.float16))
            self.register_buffer("b", torch.full((2,), 1.5, dtype=torch.bfloat16))
            self.register_buffer("i", torch.tensor([3, 4]))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            self.h.add_(1)
            self.b.add_(1)
            self.i.add_(1)
            return x + self.i

    program = torch.export.export(Half(), (torch.ones(2),)).run_decompositions(sixrung.get_decomp_table())
    state = convert(program).initial_state()
    kinds = {str(value.dtype) for value in state.values()}
    assert kinds == {"float16", "bfloat16", "int32"}
    assert all(float(value[0]) in (1.5, 3.0) for value in state.values())


def test_weights_may_go_before_the_program_does() -> None:
    program = relu()
    converter = sixrung.TorchConverter().add_exported_program(program)
    expected = converter.to_coreai().bytecode()
    kept = converter.to_coreai()
    del program, converter
    import gc

    gc.collect()
    [torch.randn(1000) for _ in range(100)]
    assert kept.bytecode() == expected


def test_a_line_of_an_explanation_holds_no_control_characters() -> None:
    from sixrung.program import Explanation, NodeRecord

    record = NodeRecord("main", "a\nerror: b", "k\x1b[31m", "", "user", "p", "1", "", (), (), ("note: c\td",))
    text = str(Explanation([record]))
    assert "a\\x0aerror: b" in text and "k\\x1b[31m" in text and "note: c\\x09d" in text
    assert len(text.splitlines()) == 3
