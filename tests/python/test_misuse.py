"""What the public functions say when they are given something else: the argument, what it got, what it takes."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest
import torch

import sixrung
from programs import PROGRAMS
from sixrung import coreai

KEY = "sixrung_test::scaled_add.default"


class NoRepr:
    def __repr__(self) -> str:
        raise RuntimeError("no repr")


JUNK = [3, 2.5, None, True, "x", b"x", [3], ["x"], [None], {"a": 1}, {"x"}, object(), NoRepr(), int, 10**30]
JUNK += [torch.ones(2), np.ones(2), lambda: 0]


@lru_cache
def exported(name: str) -> torch.export.ExportedProgram:
    return PROGRAMS[name]()


def converter() -> sixrung.TorchConverter:
    return sixrung.TorchConverter().add_exported_program(exported("mutated_buffer"))


@pytest.fixture(scope="module")
def program() -> sixrung.Program:
    return converter().to_coreai()


def said(call, value: object) -> str | None:
    """The message, of an error of sixrung's alone; None when the value is taken."""
    try:
        call(value)
    except sixrung.Error as error:
        return str(error)
    return None


OUTSIDE = {
    "mode": lambda v: sixrung.TorchConverter(mode=v),
    "wide_io": lambda v: sixrung.TorchConverter(wide_io=v),
    "torch.export.ExportedProgram": lambda v: sixrung.TorchConverter().add_exported_program(v),
    "input_names": lambda v: sixrung.TorchConverter().add_exported_program(exported("lists"), input_names=v),
    "output_names": lambda v: sixrung.TorchConverter().add_exported_program(exported("lists"), output_names=v),
    "state_names": lambda v: sixrung.TorchConverter().add_exported_program(exported("lists"), state_names=v),
    "entrypoint_name": lambda v: sixrung.TorchConverter().add_exported_program(exported("lists"), entrypoint_name=v),
    "entrypoints": lambda v: converter().to_coreai(entrypoints=v),
    "externalize": lambda v: converter().to_coreai(externalize=v),
    "qualified_name": lambda v: sixrung.TorchConverter().register_torch_lowering(v),
    "the lowering of": lambda v: sixrung.TorchConverter().register_torch_lowering("acme::x.default")(v),
    "path": lambda v: sixrung.TorchConverter().load_plugin(v),
    "allow_override": lambda v: sixrung.TorchConverter().load_plugin("/none.so", allow_override=v),
    "deployment": lambda v: sixrung.TorchConverter().use(v),
    "path ": sixrung.Deployment,
    "key": sixrung.supported,
    "name": sixrung.overloads,
    "composite_name": lambda v: sixrung.generate_composite_decl(None, v, ["a"], ["b"], {}),
    "input_names ": lambda v: sixrung.generate_composite_decl(None, "n", v, ["b"], {}),
    "op_attributes": lambda v: sixrung.generate_composite_decl(None, "n", ["a"], ["b"], v),
    "'k'": lambda v: sixrung.generate_composite_decl(None, "n", ["a"], ["b"], {"k": v}),
    "version": lambda v: sixrung.generate_composite_decl(None, "n", ["a"], ["b"], {}, v),
    "coreai.graph": coreai.graph,
    "private": lambda v: coreai.graph(private=v),
    "no_inline": lambda v: coreai.graph(no_inline=v),
    "provided_name": lambda v: coreai.graph(provided_name=v),
    "composite_decl": lambda v: coreai.graph(composite_decl=v),
    "element type": sixrung.element_type,
    "shape": lambda v: sixrung.TensorType(v, "f32"),
}
# What is well formed and refused for what it is.
OTHER = re.compile(
    r"no such file|No such file|is staged|there is no strategy|names no|has no state|names? (is|are) given"
)


@pytest.mark.parametrize("name", OUTSIDE)
def test_a_wrong_type_names_the_argument(name: str) -> None:
    taken = 0
    for value in JUNK:
        message = said(OUTSIDE[name], value)
        taken += message is None
        assert message is None or name.strip() in message or OTHER.search(message), message
        assert message is None or len(message) < 250
    assert taken < len(JUNK)


@pytest.mark.parametrize(
    "call, name",
    [
        (lambda p, v: p.text(large_constants=v), "large_constants"),
        (lambda p, v: p.inputs(v), "entrypoint"),
        (lambda p, v: p.states(v), "entrypoint"),
        (lambda p, v: p.initial_state(v), "entrypoint"),
        (lambda p, v: p.save(v), "path"),
        (lambda p, v: p.save("/none/x.mlir", provenance=v), "provenance"),
        (lambda p, v: p.save("/none/x.mlir", python=v), "python"),
        (lambda p, v: p.save_asset(v), "path"),
        (lambda p, v: p.save_asset("/none/x.aimodel", v), "optimize"),
    ],
)
def test_a_wrong_type_given_to_a_program(program: sixrung.Program, call, name: str) -> None:
    for value in JUNK:
        if message := said(lambda v: call(program, v), value):
            assert (
                name in message
                or "entrypoint" in message
                or "/none" in message
                or "emitter" in message
                or (".aimodel" in message)
            ), message


def inside(use) -> None:
    """Calls `use(values_map, node)` inside a lowering; what it raises arrives."""
    converter = sixrung.TorchConverter().add_exported_program(exported("custom_op"))
    node = next(node for node in exported("custom_op").graph.nodes if node.op == "call_function")
    converter.register_torch_lowering(str(node.target).replace(".", "::", 1))(lambda m, n, loc: use(m, n) or m["x"])
    converter.to_coreai()


INSIDE = {
    "constant": lambda m, n, v: sixrung.constant(v),
    "element type": lambda m, n, v: sixrung.constant(1, v),
    "node": lambda m, n, v: sixrung.get_operand(m, v, 0),
    "index": lambda m, n, v: sixrung.get_operand(m, n, v),
    "indices": lambda m, n, v: sixrung.get_operands(m, n, v),
    "key": lambda m, n, v: sixrung.lower(v, m["x"], results=[m["x"]]),
    "aten::relu.default": lambda m, n, v: sixrung.lower("aten::relu.default", v, results=[m["x"]]),
    "results": lambda m, n, v: sixrung.lower("aten::relu.default", m["x"], results=v),
    "entry of results": lambda m, n, v: sixrung.lower("aten::relu.default", m["x"], results=[v]),
    "coreai.add": lambda m, n, v: coreai.add(m["x"], v),
    "element type ": lambda m, n, v: coreai.cast(m["x"], v),
    "op": lambda m, n, v: coreai.build(v, m["x"]),
    "result type": lambda m, n, v: coreai.build("coreai.exp", m["x"], result_types=v),
    "result_count": lambda m, n, v: coreai.build("coreai.exp", m["x"], result_count=v),
    "attribute": lambda m, n, v: coreai.max_pool_2d(m["x"], [1, 1], [1, 1], [1, 1], ceil_mode=v),
}


@pytest.mark.parametrize("name", INSIDE)
def test_a_wrong_type_inside_a_lowering(name: str) -> None:
    strange = [object(), NoRepr(), {"a": 1}, {"x"}, b"x", [object()], ["x", 3], 10**30, lambda: 0]
    messages = []

    def use(values_map, node) -> None:
        for value in strange:
            try:
                INSIDE[name](values_map, node, value)
            except (TypeError, ValueError, LookupError, AttributeError, RuntimeError, OverflowError) as error:
                messages.append(f"{type(error).__name__}: {error}")

    inside(use)
    assert messages
    for message in messages:
        assert "incompatible function arguments" not in message and "pybind11" not in message, message
        assert "object has no attribute" not in message and "not iterable" not in message, message
        assert "Unable to cast" not in message and "no repr" not in message, message


def test_it_is_a_type_error_and_one_of_ours() -> None:
    with pytest.raises(sixrung.ArgumentTypeError) as caught:
        sixrung.supported(3)  # type: ignore[arg-type]
    assert isinstance(caught.value, TypeError) and isinstance(caught.value, sixrung.InvalidInputError)
    assert str(caught.value) == 'key is the name of an op, such as "aten::add.Tensor", not the int 3'


@pytest.mark.parametrize(
    "names, message",
    [
        ({"input_names": "x"}, r"input_names of 'main' is a list of strings, not the str 'x'; write \['x'\]"),
        ({"input_names": {"x"}}, r"input_names of 'main' is a list of strings, not the set \{'x'\}"),
        (
            {"input_names": ["x", "x"]},
            r"main has 1 input \(x\), and 2 input names are given\nhint: give a name for each",
        ),
        ({"input_names": [""]}, r"entry 0 of input_names of 'main' is empty"),
        ({"output_names": ["a", "b"]}, r"main has 1 output \(.*\), and 2 output names are given"),
        ({"state_names": ["a", "a"]}, r"the name 'a' is given to two states of main"),
        ({"state_names": ["a", "b", "c"]}, r"main has 2 states \(.*\), and 3 state names are given"),
        ({"state_names": ["x", "b"]}, r"'x' of main names both an input and a state"),
    ],
)
def test_names_are_checked_when_staging(names: dict, message: str) -> None:
    with pytest.raises(sixrung.InvalidInputError, match=message):
        sixrung.TorchConverter().add_exported_program(exported("mutated_buffer"), **names)


def test_a_program_without_states_takes_no_state_names() -> None:
    with pytest.raises(ValueError, match=r"main has no states, and 1 state name is given\nhint: give no state names"):
        sixrung.TorchConverter().add_exported_program(exported("lists"), state_names=["a"])


def test_what_is_refused_stages_nothing() -> None:
    converter = sixrung.TorchConverter()
    with pytest.raises(ValueError):
        converter.add_exported_program(exported("lists"), state_names=["a"])
    assert "programs: none" in repr(converter)
    converter.add_exported_program(exported("lists"))


def test_states_are_listed_without_their_values(program: sixrung.Program) -> None:
    listed = {port.name: (port.dtype, port.shape) for port in program.states()}
    values = program.initial_state()
    assert listed == {name: (str(value.dtype), value.shape) for name, value in values.items()}
    mutated = sixrung.TorchConverter().add_exported_program(exported("mutated_input")).to_coreai()
    assert mutated.states() and not mutated.initial_state()


def test_element_type_is_a_function_whatever_was_imported_before() -> None:
    import sixrung.converter

    assert sixrung.element_type(torch.float16) == "f16"


def test_paths_may_be_path_objects(program: sixrung.Program, tmp_path: Path) -> None:
    program.save(tmp_path / "a.mlir")
    assert (tmp_path / "a.mlir").stat().st_size
