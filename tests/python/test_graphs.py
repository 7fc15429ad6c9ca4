"""Private graphs written in Python: what they look like, when they are shared, and what is refused."""

from __future__ import annotations

import re
from typing import Annotated

import numpy as np
import pytest
import torch

import sixrung
from programs import PROGRAMS
from running import Apply, run
from sixrung import coreai

KEY = "sixrung_test::scaled_add.default"


@coreai.graph(private=True, no_inline=True)
def axpy(x, y, scale):
    return coreai.broadcasting_add(x, coreai.broadcasting_mul(y, scale))


def export(function, *inputs: torch.Tensor, **kwargs) -> torch.export.ExportedProgram:
    return torch.export.export(Apply(function), inputs, **kwargs).run_decompositions(sixrung.get_decomp_table())


def convert(lowering, program: torch.export.ExportedProgram | None = None, key: str = KEY) -> sixrung.Program:
    converter = sixrung.TorchConverter(mode=sixrung.Mode.RELEASE)
    converter.add_exported_program(program or PROGRAMS["custom_op"]())
    converter.register_torch_lowering(key, allow_override=True)(lowering)
    return converter.to_coreai()


def graphs(program: sixrung.Program) -> list[str]:
    return re.findall(r"coreai\.graph private noinline @([\w.]+)\(", str(program))


def test_a_function_becomes_a_graph_and_a_call() -> None:
    def lowering(values_map, node, loc):
        x, y = sixrung.get_operands(values_map, node, [0, 1])
        results = axpy(x, y, 0.5)
        assert isinstance(results, list) and results[0].type == x.type
        return results[0]

    program = convert(lowering)
    (symbol,) = graphs(program)
    assert re.fullmatch(r"axpy_[a-z]{8}", symbol)
    assert f"coreai.invoke @{symbol}(" in str(program) and 'coreai.name = "scale"' in str(program)
    assert [node.ops[-1] for node in program.nodes] == ["coreai.invoke"]
    x, y = torch.randn(4, 8), torch.randn(4, 8)
    torch.testing.assert_close(run(program, x, y)[0], x + 0.5 * y)


def test_calls_of_the_same_types_share_one_graph_and_others_have_their_own() -> None:
    def lowering(values_map, node, loc):
        x = sixrung.get_operand(values_map, node, 0)
        return axpy(x, x, 2.0)[0]

    program = convert(
        lowering,
        export(lambda x: torch.relu(torch.relu(x)) + torch.relu(x[:2]).sum(), torch.randn(4, 3)),
        "aten::relu.default",
    )
    assert len(graphs(program)) == 2 and str(program).count("coreai.invoke @axpy_") == 3
    x = torch.randn(4, 3)
    torch.testing.assert_close(run(program, x)[0], 9 * x + 3 * x[:2].sum())


def test_what_the_body_captures_makes_another_graph() -> None:
    """Nothing is remembered between calls: the content alone tells whether two graphs are one."""
    factors = iter((2.0, 3.0))

    def lowering(values_map, node, loc):
        factor = next(factors)

        @coreai.graph
        def scaled(x):
            return coreai.broadcasting_mul(x, factor)

        return scaled(sixrung.get_operand(values_map, node, 0))[0]

    program = convert(lowering, export(lambda x: torch.relu(torch.relu(x)), torch.randn(4, 3)), "aten::relu.default")
    assert len(set(graphs(program))) == 2
    x = torch.randn(4, 3)
    torch.testing.assert_close(run(program, x)[0], 6 * x)


def test_graphs_call_graphs_and_the_ladder() -> None:
    @coreai.graph
    def inner(x):
        return sixrung.lower("aten::mul.Tensor", x, 2.0, results=[x])

    @coreai.graph
    def outer(x, y):
        doubled = inner(y)[0]
        return coreai.add(x, inner(doubled)[0]), coreai.sub(x, doubled)

    def lowering(values_map, node, loc):
        both = outer(*sixrung.get_operands(values_map, node, [0, 1]))
        assert len(both) == 2
        return coreai.mul(*both)

    program = convert(lowering)
    symbols = graphs(program)
    assert len(symbols) == 2 and str(program).count("coreai.invoke @inner_") == 2
    x, y = torch.randn(4, 8), torch.randn(4, 8)
    torch.testing.assert_close(run(program, x, y)[0], (x + 4 * y) * (x - 2 * y))


def test_two_entrypoints_share_a_graph() -> None:
    converter = sixrung.TorchConverter()
    converter.add_exported_program(PROGRAMS["custom_op"](), entrypoint_name="first")
    converter.add_exported_program(PROGRAMS["custom_op"](), entrypoint_name="second")

    @converter.register_torch_lowering(KEY)
    def lowering(values_map, node, loc):
        return axpy(*sixrung.get_operands(values_map, node, [0, 1]), 0.5)[0]

    program = converter.to_coreai()
    assert len(graphs(program)) == 1 and str(program).count("coreai.invoke @axpy_") == 2
    assert converter.to_coreai().bytecode() == program.bytecode()


def test_sizes_known_at_run_time() -> None:
    def lowering(values_map, node, loc):
        x = sixrung.get_operand(values_map, node, 0)
        return axpy(x, x, 1.0)[0]

    rows = torch.export.Dim("rows", min=2, max=9)
    exported = export(lambda x: torch.relu(x), torch.randn(3, 4), dynamic_shapes=(({0: rows},),))
    program = convert(lowering, exported, "aten::relu.default")
    assert "tensor<?x4xf32>" in str(program).split("coreai.graph @main")[0]
    for size in (2, 7):
        x = torch.randn(size, 4)
        torch.testing.assert_close(run(program, x)[0], 2 * x)


def test_a_declared_composite_as_written_for_coreai_torch() -> None:
    def lowering(values_map, node, loc):
        x = values_map[node.args[0].name]
        attributes = {"slope": 0.5, "axes": [0, 1], "mode": "sum", "flag": True, "count": 3, "version": 9}
        composite_decl = sixrung.generate_composite_decl(
            x.context, "axpy", ["input", "other"], ["output"], attributes, 2
        )
        assert attributes["version"] == 9  # not written into

        @coreai.graph(private=True, no_inline=True, composite_decl=composite_decl)
        def axpy(input: sixrung.Value, other: sixrung.Value) -> sixrung.Value:
            half = coreai.constant(0.5, dtype=input.type.element_type)
            return coreai.broadcasting_add(input, coreai.broadcasting_mul(other, half))

        return axpy(x, values_map[node.args[1].name])[0]

    program = convert(lowering)
    text = str(program)
    assert 'composite_decl = #coreai.composite_declaration<"axpy" = {input_names = ["input", "other"], ' in text
    for part in (
        "slope = 5.000000e-01 : f32",
        "axes = [0 : si64, 1 : si64]",
        'mode = "sum"',
        "flag = true",
        "count = 3 : si64",
        "version = 2 : si64",
        'output_names = ["output"]',
        'template_op = "axpy"',
    ):
        assert part in text, part
    x, y = torch.randn(4, 8), torch.randn(4, 8)
    torch.testing.assert_close(run(program, x, y)[0], x + 0.5 * y)


def test_parameters_of_every_kind() -> None:
    @coreai.graph(provided_name="total")
    def add_all(first, *rest, last=1.0):
        for value in (*rest, last):
            first = coreai.broadcasting_add(first, value)
        return first

    def lowering(values_map, node, loc):
        x, y = sixrung.get_operands(values_map, node, [0, 1])
        return coreai.add(add_all(x, y, np.float32(2), loc=loc)[0], add_all(first=x, last=y)[0])

    program = convert(lowering)
    assert all(symbol.startswith("total_") for symbol in graphs(program))
    assert 'coreai.name = "rest_1"' in str(program)
    x, y = torch.randn(4, 8), torch.randn(4, 8)
    torch.testing.assert_close(run(program, x, y)[0], (x + y + 3) + (x + y))


def test_annotated_types_are_held_to() -> None:
    wanted = sixrung.TensorType((4, 8), torch.float32)
    assert wanted.element_type == "f32"

    def body(x, y):
        return coreai.add(x, y)

    body.__annotations__ = {"x": Annotated[sixrung.Value, wanted], "return": sixrung.Value}
    typed = coreai.graph(body)

    def lowering(values_map, node, loc):
        x, y = sixrung.get_operands(values_map, node, [0, 1])
        with pytest.raises(TypeError, match="expected parameter `x` of body to have type `tensor<4x8xf32>`"):
            typed(coreai.cast(x, torch.float16), y)
        return typed(x, y)[0]

    assert len(graphs(convert(lowering))) == 1


def test_a_body_that_raises_leaves_the_lowering_as_it_was() -> None:
    @coreai.graph
    def broken(x):
        coreai.relu(x)
        raise ZeroDivisionError("in the body")

    def lowering(values_map, node, loc):
        x, y = sixrung.get_operands(values_map, node, [0, 1])
        with pytest.raises(ZeroDivisionError, match="in the body"):
            coreai.graph(lambda a: broken(a))(x)
        return axpy(x, y, 0.5)[0]

    program = convert(lowering)
    assert len(graphs(program)) == 1 and "relu" not in str(program)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (lambda outside: coreai.graph(lambda x: coreai.add(x, outside[0])), "enter a private graph as its inputs only"),
        (lambda outside: coreai.graph(lambda x: None), "must return its values"),
        (lambda outside: coreai.graph(lambda x: ()), "must return its values"),
        (lambda outside: coreai.graph(lambda x: outside[1]["y"]), "pass it as an operand"),
        (lambda outside: coreai.graph(lambda x, y: x), "missing a required argument: 'y'"),
    ],
)
def test_what_a_body_may_not(body, message: str) -> None:
    def lowering(values_map, node, loc):
        x, y = sixrung.get_operands(values_map, node, [0, 1])
        return body((y, values_map))(x)[0]

    with pytest.raises(sixrung.Error, match=message) as caught:
        convert(lowering)
    assert caught.value.payload["node"] == "scaled_add"


def test_a_graph_that_calls_itself_is_stopped() -> None:
    @coreai.graph
    def endless(x):
        return endless(x)[0]

    with pytest.raises(sixrung.Error, match="nest deeper than 32"):
        convert(lambda values_map, node, loc: endless(values_map["x"])[0])


def test_what_is_refused_before_it_runs() -> None:
    with pytest.raises(RuntimeError, match="inside a lowering"):
        axpy(1.0, 2.0, 3.0)
    with pytest.raises(sixrung.InvalidInputError, match="entrypoints come from add_exported_program"):
        coreai.graph(private=False)
    with pytest.raises(sixrung.InvalidInputError, match="externalize"):
        coreai.graph(externalize=True)
    with pytest.raises(TypeError, match="generate_composite_decl"):
        coreai.graph(composite_decl="axpy")
    with pytest.raises(TypeError, match="Unsupported value provided in composite declaration"):
        sixrung.generate_composite_decl(None, "axpy", ["x"], ["y"], {"bad": {"nested": 1}})
    with pytest.raises(TypeError, match="input_names"):
        sixrung.generate_composite_decl(None, "axpy", "x", ["y"], {})


@pytest.mark.parametrize(
    ("inputs", "outputs", "message"),
    [(["a"], ["b"], r"declares the inputs \['a'\]"), (["a", "b"], ["c", "d"], "declares the outputs")],
)
def test_a_declaration_that_does_not_fit(inputs: list[str], outputs: list[str], message: str) -> None:
    declared = sixrung.generate_composite_decl(None, "axpy", inputs, outputs, {})

    def lowering(values_map, node, loc):
        x, y = sixrung.get_operands(values_map, node, [0, 1])
        return coreai.graph(lambda x, y: coreai.add(x, y), composite_decl=declared)(x, y)[0]

    with pytest.raises(sixrung.Error, match=message):
        convert(lowering)
