"""Composites and externalized submodules: on Core AI's parser, saved, run, and compared with eager."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

import sixrung
from ops.harness.runtime import Runtime, RuntimeFailure

_runtime = Runtime()


class Block(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.norm = torch.nn.LayerNorm(8)
        self.linear = torch.nn.Linear(8, 8)
        self.gate = torch.nn.Hardsigmoid()

    def forward(self, x):
        return x + self.gate(self.linear(self.norm(x)))


class Stack(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = torch.nn.ModuleList(Block() for _ in range(3))
        self.head = torch.nn.Linear(8, 4)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return self.head(x)


class Counter(torch.nn.Module):
    """A submodule whose graph reads a state."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("total", torch.zeros(8))
        self.block = Block()

    def forward(self, x):
        self.total.add_(x.sum(0))
        return self.block(x + self.total)


def _export(model, *inputs, dynamic=None):
    exported = torch.export.export(model.eval(), inputs, dynamic_shapes=dynamic)
    return exported.run_decompositions(sixrung.get_decomp_table())


def _run(program, *inputs):
    feed = {port.name: x.numpy() for port, x in zip(program.inputs(), inputs, strict=True)}
    result = _runtime.run(program.bytecode(), feed)
    assert not isinstance(result, RuntimeFailure), result
    return [torch.from_numpy(np.array(result[port.name])) for port in program.outputs()]


def _assert_near(got, want):
    limit = 1e-5 if want.dtype == torch.float32 else 2e-3
    assert want.abs().max() > 0.1
    assert (got.float() - want.float()).abs().max() <= limit * want.abs().max()


@pytest.fixture(autouse=True)
def _seed():
    torch.manual_seed(0)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16], ids=["fp32", "fp16"])
def test_hard_sigmoid_is_a_composite(dtype: torch.dtype) -> None:
    model, x = torch.nn.Hardsigmoid(), torch.linspace(-5, 5, 24, dtype=dtype).reshape(4, 6)
    program = sixrung.TorchConverter(mode=sixrung.Mode.RELEASE).add_exported_program(_export(model, x)).to_coreai()
    text = str(program)
    assert 'composite_decl = #coreai.composite_declaration<"hard_sigmoid" = {input_names = ["input"], ' in text
    assert "op_attrs = {version = 1 : si64}" in text
    assert 'output_names = ["output"]' in text and 'template_op = "hard_sigmoid"' in text
    (got,) = _run(program, x)
    _assert_near(got, model(x))


def test_equal_calls_share_one_graph() -> None:
    class Three(torch.nn.Module):
        def forward(self, x):
            gate = torch.nn.functional.hardsigmoid
            return gate(gate(x)) + gate(x[:2]).sum()

    x = torch.linspace(-5, 5, 24).reshape(4, 6)
    program = sixrung.TorchConverter().add_exported_program(_export(Three(), x)).to_coreai()
    assert str(program).count("coreai.graph private noinline @hard_sigmoid_") == 2  # one a shape
    (got,) = _run(program, x)
    _assert_near(got, Three()(x))


@pytest.mark.parametrize("dynamic", [False, True], ids=["static", "dynamic"])
def test_submodules_become_graphs(dynamic: bool) -> None:
    model, x = Stack(), torch.randn(5, 8)
    shapes = {"x": {0: torch.export.Dim("n", min=2, max=64)}} if dynamic else None
    exported = _export(model, x, dynamic=shapes)
    plain = sixrung.TorchConverter().add_exported_program(exported).to_coreai()
    converter = sixrung.TorchConverter().add_exported_program(exported)
    program = converter.to_coreai(externalize={"module_path": ["layers.*"]})
    text = str(program)
    for i in range(3):
        assert f"coreai.graph private noinline @layers.{i}(" in text
        assert text.count(f"coreai.invoke @layers.{i}(") == 1
    assert text == str(converter.to_coreai(externalize={"module_path": ["layers.*"]}))
    cut = [node for node in program.nodes if node.rung == "externalized"]
    assert [node.plugin for node in cut] == ["org.sixrung.externalize.module_path"] * 3
    runs = [x, torch.randn(3, 8)] if dynamic else [x]
    for inputs in runs:
        (got,), (other,) = _run(program, inputs), _run(plain, inputs)
        _assert_near(got, model(inputs).detach())
        assert torch.equal(got, other)


def test_a_cut_beside_state() -> None:
    model, x = Counter(), torch.randn(2, 8)
    converter = sixrung.TorchConverter().add_exported_program(_export(model, x))
    program = converter.to_coreai(externalize={"module_path": ["block"]})
    assert "coreai.invoke @block(" in str(program)


def test_what_is_asked_for_in_vain_is_named() -> None:
    converter = sixrung.TorchConverter().add_exported_program(_export(Stack(), torch.randn(5, 8)))
    with pytest.raises(sixrung.InvalidInputError, match=r"no node lies in a submodule 'layer\.0'") as told:
        converter.to_coreai(externalize={"module_path": ["layer.0"]})
    assert "layers.0.linear" in told.value.payload["hint"]
    with pytest.raises(sixrung.InvalidInputError, match="it is given no paths"):
        converter.to_coreai(externalize={"module_path": []})
    with pytest.raises(sixrung.InvalidInputError, match="no externalization strategy 'modules'; known are module_path"):
        converter.to_coreai(externalize={"modules": ["layers.0"]})
    with pytest.raises(sixrung.InvalidInputError, match="is a list of paths, not the str"):
        converter.to_coreai(externalize={"module_path": "layers.0"})


def test_a_python_lowering_sees_its_node_inside_a_cut() -> None:
    seen = []
    converter = sixrung.TorchConverter().add_exported_program(_export(Stack(), torch.randn(5, 8)))

    @converter.register_torch_lowering("aten::hardsigmoid.default", allow_override=True)
    def gate(values_map, node, loc):
        seen.append(node.name)
        return values_map[node.args[0].name]

    converter.to_coreai(externalize={"module_path": ["layers.*"]})
    assert len(seen) == 3 and all(name.startswith("hardsigmoid") for name in seen)


def test_by_the_command_saved_and_run(tmp_path: Path) -> None:
    from coreai.authoring import AIModelAsset
    from coreai.runtime import NDArray

    model, x = Stack(), torch.randn(5, 8)
    torch.export.save(_export(model, x), tmp_path / "stack.pt2")
    command = [shutil.which("sixrung"), "convert", tmp_path / "stack.pt2", "-o", tmp_path / "stack.aimodel"]
    command += ["--externalize", "module_path:layers.0,layers.2", "--python", sys.executable]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "org.sixrung.externalize.module_path" in done.stdout

    async def run():
        async with AIModelAsset.load(tmp_path / "stack.aimodel").executable() as loaded:
            return await loaded.load_function("main")({"x": NDArray(x.numpy())})

    import asyncio

    (got,) = asyncio.run(run()).values()
    _assert_near(torch.from_numpy(np.array(got.numpy())), model(x).detach())
