"""Deployments from Python: read, used, explained; what is supported."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

import sixrung


class Model(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x) + 1.0


@pytest.fixture
def converter() -> sixrung.TorchConverter:
    program = torch.export.export(Model(), (torch.ones(2, 3),)).run_decompositions(sixrung.get_decomp_table())
    return sixrung.TorchConverter().add_exported_program(program)


def deployment(folder: Path, text: str) -> sixrung.Deployment:
    (folder / "d.toml").write_text(text)
    return sixrung.Deployment(folder / "d.toml")


def test_reads_and_shows(tmp_path: Path) -> None:
    read = deployment(tmp_path, 'name = "edge"\nstrict = true\n[deny]\nkeys = ["aten::none.default"]\n')
    assert (read.name, read.strict, read.plugins) == ("edge", True, ()) and len(read.sha256) == 64
    assert "'edge'" in repr(read)
    with pytest.raises(sixrung.PluginError, match="nobody serves it"):
        read.check()
    with pytest.raises(sixrung.InvalidInputError, match=r"d\.toml:1: 'nam' is no key.*did you mean 'name'"):
        deployment(tmp_path, 'nam = "a"\n')
    with pytest.raises(sixrung.FileError, match="no such file"):
        sixrung.Deployment(tmp_path / "none.toml")


def test_denials_hold_and_are_told(converter: sixrung.TorchConverter, tmp_path: Path) -> None:
    used = converter.use(deployment(tmp_path, 'name = "d"\n[deny]\nkeys = ["aten.relu.default"]\n'))
    assert used is converter
    with pytest.raises(sixrung.UnsupportedError, match=r"aten::relu\.default is denied by deployment 'd'"):
        converter.to_coreai()
    assert "relu" in str(converter.explain())  # who would lower it, all the same
    with pytest.raises(sixrung.PluginError, match="one session, one deployment"):
        converter.use(tmp_path / "d.toml")


def test_a_refused_deployment_leaves_the_converter(converter: sixrung.TorchConverter, tmp_path: Path) -> None:
    bad = deployment(tmp_path, 'name = "d"\n[[plugin]]\npath = "none.so"\n')
    before = repr(converter)
    with pytest.raises(sixrung.PluginError, match=r"none\.so"):
        converter.use(bad)
    assert repr(converter) == before
    converter.to_coreai()


def test_explain_prints_a_table_before_conversion(converter: sixrung.TorchConverter) -> None:
    said = converter.explain()
    assert "lowered by" in str(said) and [node.key for node in said] == ["aten::relu.default", "aten::add.Tensor"]


def test_record_beside_the_output(converter: sixrung.TorchConverter, tmp_path: Path) -> None:
    import hashlib
    import inspect
    import json

    @converter.register_torch_lowering("aten::relu.default", allow_override=True)
    def relu(values, node, loc):  # type: ignore[no-untyped-def]
        return sixrung.coreai.relu(values[node.args[0].name])

    converter.use(deployment(tmp_path, 'name = "d"\n'))
    converter.to_coreai().save(tmp_path / "a.mlir")
    told = json.loads((tmp_path / "a.mlir.provenance.json").read_text())["sixrung"]
    assert told["deployment"]["name"] == "d"
    (lowering,) = told["python"]
    assert lowering["key"] == "aten::relu.default" and lowering["name"].endswith("relu")
    assert lowering["source_sha256"] == hashlib.sha256(inspect.getsource(relu).encode()).hexdigest()
    assert told["overrides"][0]["winner"]["id"] == "python"


def test_supported_and_overloads() -> None:
    assert sixrung.supported("aten::add.Tensor") and sixrung.supported("torch.ops.aten.add.Tensor")
    assert not sixrung.supported("aten::nonsense.default")
    assert "aten::add.Tensor" in sixrung.overloads("aten::add")
    assert all(key.startswith("aten::add.") or key == "add" for key in sixrung.overloads("aten::add"))
    assert sixrung.overloads("acme::none") == []
