"""A live program and its archive give the same graph, node by node."""

from __future__ import annotations

import difflib
from pathlib import Path

import pytest
import torch

import models
import sixrung  # noqa: F401  (loads torch first)
from programs import PROGRAMS
from sixrung import _core


def both(program: torch.export.ExportedProgram, folder: Path) -> tuple[_core.GraphProgram, _core.GraphProgram]:
    path = folder / "model.pt2"
    torch.export.save(program, path)
    return _core.read_exported_program(program), _core.load_pt2(str(path))


def same(program: torch.export.ExportedProgram, folder: Path) -> None:
    live, loaded = both(program, folder)
    if live.dump() != loaded.dump():
        lines = difflib.unified_diff(loaded.dump().splitlines(), live.dump().splitlines(), "archive", "live", n=1)
        pytest.fail("\n".join(list(lines)[:60]))
    signature = program.graph_signature
    for fqn in {spec.target for spec in signature.input_specs if spec.target} & (
        set(program.state_dict) | {k for k, v in program.constants.items() if isinstance(v, torch.Tensor)}
    ):
        assert live.packed(fqn) == loaded.packed(fqn), fqn


@pytest.mark.parametrize("name", PROGRAMS)
def test_small_programs(name: str, tmp_path: Path) -> None:
    same(PROGRAMS[name](), tmp_path)


@pytest.mark.parametrize("dynamic", [False, True], ids=["static", "dynamic"])
@pytest.mark.parametrize("decomposed", [False, True], ids=["raw", "decomposed"])
@pytest.mark.parametrize("name", models.MODELS)
def test_real_models(name: str, decomposed: bool, dynamic: bool, tmp_path: Path) -> None:
    case = models.build(name)
    shapes = case.dynamic_shapes if dynamic else None
    program = torch.export.export(case.module, case.inputs, dynamic_shapes=shapes)
    if decomposed:
        program = program.run_decompositions(torch.export.default_decompositions())
    same(program, tmp_path)


def test_a_list_result_takes_its_getitem_names(tmp_path: Path) -> None:
    dump = _core.read_exported_program(PROGRAMS["lists"]()).dump()
    split = dump[dump.index("node split") :]
    results = [line.strip() for line in split.splitlines() if line.strip().startswith("->")][:3]
    assert results[0] == "-> %getitem" and results[1] == "-> %getitem_1" and results[2].startswith("-> %")


def test_strided_constants_are_packed_row_major() -> None:
    program = PROGRAMS["strided_constants"]()
    live = _core.read_exported_program(program)
    for fqn in ("transposed", "offset", "expanded", "empty"):
        assert live.packed(fqn) == program.constants[fqn].contiguous().numpy().tobytes()
