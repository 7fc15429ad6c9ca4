"""The converter's own interface: staging, names, modes, messages."""

from __future__ import annotations

import re

import pytest
import torch

import sixrung
from programs import PROGRAMS

Table = sixrung.get_decomp_table


def small(op=torch.relu) -> torch.export.ExportedProgram:
    class Small(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return op(x) + x

    return torch.export.export(Small(), (torch.randn(3, 4),)).run_decompositions(Table())


def test_staging_returns_the_converter_and_refuses_a_second_program_of_the_name() -> None:
    converter = sixrung.TorchConverter()
    assert converter.add_exported_program(small()) is converter
    with pytest.raises(ValueError, match=re.escape("A program with entrypoint_name='main' is already staged.")):
        converter.add_exported_program(small())


def test_nothing_to_convert() -> None:
    message = re.escape("No programs to convert. Call add_exported_program() first.")
    converter = sixrung.TorchConverter()
    with pytest.raises(ValueError, match=message):
        converter.to_coreai()
    converter.add_exported_program(small())
    converter.clear()
    with pytest.raises(ValueError, match=message):
        converter.to_coreai()


def test_entrypoints_are_chosen_by_name() -> None:
    converter = sixrung.TorchConverter()
    converter.add_exported_program(small(), entrypoint_name="first")
    converter.add_exported_program(small(torch.exp), entrypoint_name="second")
    assert converter.to_coreai().entrypoints == ("first", "second")
    assert converter.to_coreai(entrypoints=["second"]).entrypoints == ("second",)
    with pytest.raises(ValueError, match="'third'; staged: first, second"):
        converter.to_coreai(entrypoints=["third"])
    converter.clear(entrypoints=["first"])
    assert converter.to_coreai().entrypoints == ("second",)


def test_names_are_given_to_inputs_outputs_and_states() -> None:
    converter = sixrung.TorchConverter()
    converter.add_exported_program(
        PROGRAMS["mutated_buffer"](), input_names=["step"], output_names=["total"], state_names=["a", "b"]
    )
    program = converter.to_coreai()
    assert [port.name for port in program.inputs()] == ["step"]
    assert [port.name for port in program.outputs()] == ["total"]
    assert sorted(program.initial_state()) == ["a", "b"]


def test_release_carries_no_source_and_debug_does() -> None:
    texts = {}
    for mode in sixrung.Mode:
        program = sixrung.TorchConverter(mode=mode).add_exported_program(small()).to_coreai()
        texts[mode] = program.bytecode()
    assert b"test_converter.py" in texts[sixrung.Mode.DEBUG]
    assert b"test_converter.py" not in texts[sixrung.Mode.RELEASE]
    assert sixrung.TorchConverter.Mode is sixrung.Mode


def test_repr_shows_programs_lowerings_and_plugins() -> None:
    converter = sixrung.TorchConverter()

    @converter.register_torch_lowering("my_lib::my_op.default")
    def lowering(values_map, node, loc):
        raise NotImplementedError

    converter.add_exported_program(small(), input_names=["x"], output_names=["y"])
    text = repr(converter)
    assert "main: ExportedProgram ['x'] -> ['y']" in text
    assert "custom_lowerings: ['my_lib::my_op.default']" in text
    assert "plugins: []" in text
    converter.clear()
    assert "my_lib::my_op.default" in repr(converter) and "programs: none" in repr(converter)


@pytest.mark.parametrize("name", ["relu", "aten.relu.default", "aten::", "::relu", "", None, "a::b::c"])
def test_a_qualified_name_has_a_namespace(name: object) -> None:
    with pytest.raises(ValueError, match=re.escape(f"qualified_name must be 'namespace::op_name', got {name!r}")):
        sixrung.TorchConverter().register_torch_lowering(name)  # type: ignore[arg-type]


def test_a_taken_name_is_refused() -> None:
    converter = sixrung.TorchConverter()
    taken = "{!r} is already registered; set allow_override=True to replace it"
    with pytest.raises(ValueError, match=re.escape(taken.format("aten::relu.default"))):
        converter.register_torch_lowering("aten::relu.default")(lambda values, node, loc: None)
    converter.register_torch_lowering("mine::op.default")(lambda values, node, loc: None)
    with pytest.raises(ValueError, match=re.escape(taken.format("mine::op.default"))):
        converter.register_torch_lowering("mine::op.default")(lambda values, node, loc: None)
    converter.register_torch_lowering("mine::op.default", allow_override=True)(lambda values, node, loc: None)
    # An overload nobody serves needs no permission.
    converter.register_torch_lowering("aten::relu.out")(lambda values, node, loc: None)


def test_a_name_without_its_overload_is_told_the_overloads() -> None:
    register = sixrung.TorchConverter().register_torch_lowering
    with pytest.raises(sixrung.RegistrationError, match=r"'aten::relu' lacks the overload: write 'aten::relu.default'"):
        register("aten::relu")
    with pytest.raises(
        sixrung.RegistrationError, match=r"lacks the overload: write 'aten::sqrt.default' or 'aten::sqrt.out'"
    ):
        register("aten::sqrt", allow_override=True)  # math.sqrt stands in no program
    with pytest.raises(
        sixrung.RegistrationError, match="'aten::rleu' lacks the overload: no op of torch has that name"
    ):
        register("aten::rleu")
    with pytest.raises(sixrung.RegistrationError, match=r"mine::op\.default"):
        register("mine::op")(lambda values, node, loc: None)
    register("aten::truediv", allow_override=True)(lambda values, node, loc: None)
    register("aten::sym_max", allow_override=True)(lambda values, node, loc: None)
    with pytest.warns(UserWarning, match=r"'aten::mul' is the Python operator mul .* aten::mul\.Tensor"):
        register("aten::mul", allow_override=True)


def test_unsupported_ops_are_told_when_staging() -> None:
    class Sorts(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.linalg.qr(x).Q

    program = torch.export.export(Sorts(), (torch.randn(5, 5),)).run_decompositions(Table())
    with pytest.raises(ValueError, match="unsupported ATen ops") as caught:
        sixrung.TorchConverter().add_exported_program(program)
    assert "aten::linalg_qr.default" in str(caught.value) and "test_converter.py" in str(caught.value)
    assert isinstance(caught.value, sixrung.Error)


def test_undecomposed_programs_are_told_how_to_decompose() -> None:
    model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Hardtanh(), torch.nn.CELU())
    program = torch.export.export(model, (torch.randn(2, 4),))
    with pytest.raises(ValueError, match="non-decomposed ops") as caught:
        sixrung.TorchConverter().add_exported_program(program)
    assert "run_decompositions" in str(caught.value)


def test_custom_namespaces_are_accepted_when_staging_and_told_when_converting() -> None:
    converter = sixrung.TorchConverter().add_exported_program(PROGRAMS["custom_op"]())
    with pytest.raises(ValueError, match="sixrung_test::scaled_add"):
        converter.to_coreai()


def test_only_exported_programs_are_staged() -> None:
    with pytest.raises(ValueError, match=re.escape("torch.export.export()")):
        sixrung.TorchConverter().add_exported_program(torch.nn.Linear(2, 2))  # type: ignore[arg-type]


def test_the_table_leaves_twelve_ops_and_is_a_copy() -> None:
    table, default = Table(), torch.export.default_decompositions()
    missing = set(default) - set(table)
    assert len(missing) == 12 and torch.ops.aten.silu.default in missing
    assert set(table) <= set(default)
    table.clear() if hasattr(table, "clear") else table.pop(torch.ops.aten.addmm.default, None)
    assert len(set(Table())) == len(set(default)) - 12


def test_a_missing_plugin_file_is_an_error_with_its_name(tmp_path) -> None:
    with pytest.raises(RuntimeError, match="nothing_here"):
        sixrung.TorchConverter().load_plugin(tmp_path / "nothing_here.so")


def test_errors_carry_a_payload() -> None:
    error = sixrung.PluginError("no", [("hint", "a"), ("hint", "b"), ("node", "n")])
    assert error.payload == {"hint": "a\nb", "node": "n"}
    assert isinstance(error, RuntimeError) and isinstance(sixrung.UnsupportedError("x"), ValueError)


def test_what_torch_decomposes_to_other_numbers_is_refused() -> None:
    class Loss(torch.nn.Module):
        def forward(self, x: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
            return torch.nn.functional.multilabel_margin_loss(x, target)

    inputs = (torch.randn(2, 5), torch.tensor([[3, 0, -1, 1, 1], [2, -1, 0, 0, 0]]))
    exported = torch.export.export(Loss(), inputs)
    with pytest.raises(sixrung.UnsupportedError, match="multilabel_margin_loss_forward"):
        sixrung.TorchConverter().add_exported_program(exported.run_decompositions(Table())).to_coreai()
