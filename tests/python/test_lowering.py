"""Python lowerings: what they see, what they build, and how their errors arrive."""

from __future__ import annotations

import threading

import numpy as np
import pytest
import torch

import sixrung
from programs import PROGRAMS
from running import KEY, Apply, export, lower_scaled_add, run
from sixrung import coreai


def test_a_custom_op_gets_its_lowering_after_staging() -> None:
    program = PROGRAMS["custom_op"]()
    converter = sixrung.TorchConverter().add_exported_program(program, input_names=["x", "y"], output_names=["z"])
    assert converter.register_torch_lowering(KEY)(lower_scaled_add) is lower_scaled_add
    converted = converter.to_coreai()
    (record,) = converted.nodes
    assert (record.rung, record.plugin) == ("user", "python")
    assert record.detail == "running.lower_scaled_add"
    x, y = torch.randn(4, 8), torch.randn(4, 8)
    (z,) = run(converted, x, y)
    torch.testing.assert_close(z, x + 0.5 * y)


def test_the_node_is_the_real_one_and_the_location_its_line() -> None:
    program = PROGRAMS["custom_op"]()
    seen = []
    converter = sixrung.TorchConverter().add_exported_program(program)

    @converter.register_torch_lowering(KEY)
    def lowering(values_map, node, loc):
        seen.append((node, loc, list(values_map), values_map["x"].type))
        assert values_map["x"] == values_map["x"] and "nothing" not in values_map
        with pytest.raises(KeyError):
            values_map["nothing"]
        return lower_scaled_add(values_map, node, loc)

    converter.to_coreai()
    node, loc, names, kind = seen[0]
    assert any(node is other for other in program.graph.nodes)
    assert loc.file.endswith("programs.py") and loc.line > 0 and str(loc).startswith(loc.file)
    assert names == ["x", "y"]
    assert kind.shape == (4, 8) and kind.rank == 2 and kind.element_type == torch.float32
    assert kind.element_type == np.float32 and kind.element_type == "f32" and kind.has_static_shape


def test_an_override_is_used_and_recorded() -> None:
    program = export(Apply(lambda x: torch.relu(x)), torch.randn(3))
    converter = sixrung.TorchConverter().add_exported_program(program)

    @converter.register_torch_lowering("aten::relu.default", allow_override=True)
    def relu(values_map, node, loc):
        return coreai.maximum(values_map[node.args[0].name], np.zeros(3, np.float32))

    converted = converter.to_coreai()
    assert "coreai.maximum" in str(converted) and "coreai.relu" not in str(converted)
    (record,) = converted.nodes
    assert record.rung == "user" and record.overridden == ("org.sixrung.aten.elementwise",)
    assert "relu" in str(converted.explain())
    # Another converter does not know of it.
    other = sixrung.TorchConverter().add_exported_program(program).to_coreai()
    assert "coreai.relu" in str(other)


def test_several_results_are_found_by_name_and_by_number() -> None:
    program = export(Apply(lambda x: torch.split(torch.exp(x), 2, dim=0)), torch.randn(4, 3))
    converter = sixrung.TorchConverter().add_exported_program(program)

    @converter.register_torch_lowering("aten::split_with_sizes.default", allow_override=True)
    @converter.register_torch_lowering("aten::split.Tensor", allow_override=True)
    def split(values_map, node, loc):
        return coreai.split(sixrung.get_operand(values_map, node, 0), np.array([2, 2], np.uint32), 0, result_count=2)

    x = torch.randn(4, 3)
    for got, expected in zip(run(converter.to_coreai(), x), torch.split(torch.exp(x), 2), strict=True):
        torch.testing.assert_close(got, expected)


def test_list_results_are_read_as_name_and_number() -> None:
    program = export(Apply(lambda x: torch.split(x, 2, dim=0)[1] * 2), torch.randn(4, 3))
    converter = sixrung.TorchConverter().add_exported_program(program)
    seen = []

    @converter.register_torch_lowering("aten::mul.Tensor", allow_override=True)
    def mul(values_map, node, loc):
        getitem = node.args[0]
        producer, index = getitem.args
        seen.append(values_map[f"{producer.name}#{index}"] == values_map[getitem.name])
        x = values_map[getitem.name]
        return coreai.broadcasting_mul(x, coreai.constant(2, x.element_type))

    x = torch.randn(4, 3)
    torch.testing.assert_close(run(converter.to_coreai(), x)[0], x[2:] * 2)
    assert seen == [True]


def test_dynamic_sizes_are_none() -> None:
    rows = torch.export.Dim("rows", min=2, max=9)
    program = export(Apply(lambda x: torch.relu(x)), torch.randn(3, 4), dynamic_shapes=(({0: rows},),))
    converter = sixrung.TorchConverter().add_exported_program(program)
    seen = []

    @converter.register_torch_lowering("aten::relu.default", allow_override=True)
    def relu(values_map, node, loc):
        x = sixrung.get_operand(values_map, node, 0)
        seen.append(x.type)
        return coreai.relu(x)

    converter.to_coreai()
    assert seen[0].shape == (None, 4) and seen[0].is_dynamic_dim(0) and not seen[0].has_static_shape


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        (lambda x: coreai.reshape(x, [32]), "32"),
        (lambda x: coreai.cast(x, torch.float16), "f16"),
        (lambda x: [x, x], "returned 2 values; the node has 1 result"),
        (lambda x: "x", "returned a str"),
        (lambda x: None, "returned a NoneType|returned 1 value|did not set|was not set"),
    ],
)
def test_results_are_checked(returned, message: str) -> None:
    converter = sixrung.TorchConverter().add_exported_program(PROGRAMS["custom_op"]())
    converter.register_torch_lowering(KEY)(lambda values_map, node, loc: returned(values_map["x"]))
    with pytest.raises(sixrung.Error, match=message) as caught:
        converter.to_coreai()
    assert caught.value.payload["node"] == "scaled_add"


def test_a_refused_op_can_be_caught_and_another_built() -> None:
    converter = sixrung.TorchConverter().add_exported_program(PROGRAMS["custom_op"]())

    @converter.register_torch_lowering(KEY)
    def lowering(values_map, node, loc):
        with pytest.raises(sixrung.PluginError):
            coreai.add(values_map["x"], np.zeros(3, np.float32))
        return lower_scaled_add(values_map, node, loc)

    assert "broadcasting_add" in str(converter.to_coreai())


def test_op_functions_say_what_is_wrong() -> None:
    converter = sixrung.TorchConverter().add_exported_program(PROGRAMS["custom_op"]())
    messages = []

    @converter.register_torch_lowering(KEY)
    def lowering(values_map, node, loc):
        x = values_map["x"]
        for wrong in (
            lambda: coreai.add(x),
            lambda: coreai.add(x, x, x),
            lambda: coreai.add(x, x, colour=1),
            lambda: coreai.add(x, x, y=x),
            lambda: coreai.gelu(x, approximate="nonsense"),
            lambda: coreai.split(x, [1], 0),
            lambda: coreai.constant(x),
            lambda: coreai.cast(x, "f17"),
        ):
            with pytest.raises((TypeError, sixrung.Error)) as caught:
                wrong()
            messages.append(str(caught.value))
        return lower_scaled_add(values_map, node, loc)

    converter.to_coreai()
    assert "'y'" in messages[0] and "takes 2 operands" in messages[1] and "colour" in messages[2]
    assert "two values" in messages[3] and "nonsense" in messages[4] and "result_count" in messages[5]
    with pytest.raises(AttributeError, match="did you mean"):
        coreai.reduce_su  # noqa: B018


def test_values_belong_to_a_running_lowering() -> None:
    kept = []
    converter = sixrung.TorchConverter().add_exported_program(PROGRAMS["custom_op"]())

    @converter.register_torch_lowering(KEY)
    def lowering(values_map, node, loc):
        kept.append(values_map["x"])
        return lower_scaled_add(values_map, node, loc)

    converter.to_coreai()
    with pytest.raises(sixrung.Error):
        kept[0].type  # noqa: B018
    with pytest.raises(RuntimeError, match="inside a lowering"):
        coreai.relu(kept[0])


def test_constants_follow_the_64_bit_rule() -> None:
    converter = sixrung.TorchConverter().add_exported_program(PROGRAMS["custom_op"]())
    kinds = []

    @converter.register_torch_lowering(KEY)
    def lowering(values_map, node, loc):
        for value, dtype in (
            (1, None),
            (1.5, None),
            (True, None),
            ([1, 2], None),
            ([], None),
            (2**40, None),
            (np.arange(3), None),
            (np.arange(3), np.int64),
            (np.float64(1.5), None),
            (torch.ones(2, dtype=torch.bfloat16), None),
            (1.5, torch.float16),
        ):
            constant = sixrung.constant(value, dtype)
            kinds.append(str(constant.type))
            if constant.element_type != "bf16":
                np.testing.assert_array_equal(constant.constant(), np.asarray(value))
        return lower_scaled_add(values_map, node, loc)

    converter.to_coreai()
    assert kinds == [
        "tensor<si32>",
        "tensor<f32>",
        "tensor<i1>",
        "tensor<2xsi32>",
        "tensor<0xsi32>",
        "tensor<si64>",
        "tensor<3xsi32>",
        "tensor<3xsi64>",
        "tensor<f32>",
        "tensor<2xbf16>",
        "tensor<f16>",
    ]


@pytest.mark.parametrize(
    ("dtype", "scalar", "expected"),
    [(torch.float16, 0.5, "f16"), (torch.float16, 1e6, "f32"), (torch.float32, 0.5, "f32"), (torch.int32, 0.5, "f32")],
)
def test_get_operand_makes_floats_half_in_half_graphs(dtype: torch.dtype, scalar: float, expected: str) -> None:
    program = export(Apply(lambda x: x * scalar), torch.ones(3, dtype=dtype))
    converter = sixrung.TorchConverter().add_exported_program(program)
    seen = []

    @converter.register_torch_lowering("aten::mul.Tensor", allow_override=True)
    def mul(values_map, node, loc):
        seen.append(str(sixrung.get_operand(values_map, node, 1).element_type))
        x = sixrung.get_operand(values_map, node, 0)
        result = torch.result_type(torch.ones(1, dtype=dtype), scalar)
        return coreai.mul(coreai.cast(x, result), coreai.constant([scalar] * 3, result))

    converter.to_coreai()
    assert seen == [expected]


def test_a_lowering_may_ask_for_another_key() -> None:
    converter = sixrung.TorchConverter().add_exported_program(PROGRAMS["custom_op"]())

    @converter.register_torch_lowering(KEY)
    def lowering(values_map, node, loc):
        x, y = sixrung.get_operands(values_map, node, [0, 1])
        scaled = sixrung.lower("aten::mul.Tensor", y, 0.5, results=[y])
        return sixrung.lower("aten::add.Tensor", x, scaled, results=[node.meta["val"]])

    x, y = torch.randn(4, 8), torch.randn(4, 8)
    torch.testing.assert_close(run(converter.to_coreai(), x, y)[0], x + 0.5 * y)


def test_a_dispatched_python_lowering_sees_a_node_too() -> None:
    converter = sixrung.TorchConverter().add_exported_program(PROGRAMS["custom_op"]())
    seen = []

    @converter.register_torch_lowering("aten::mul.Tensor", allow_override=True)
    def mul(values_map, node, loc):
        seen.append((node.target, len(node.args), node.args[1], tuple(node.meta["val"].shape)))
        x = sixrung.get_operand(values_map, node, 0)
        return coreai.broadcasting_mul(x, coreai.constant(node.args[1], x.element_type))

    @converter.register_torch_lowering(KEY)
    def lowering(values_map, node, loc):
        x, y = sixrung.get_operands(values_map, node, [0, 1])
        return coreai.add(x, sixrung.lower("aten::mul.Tensor", y, 0.5, results=[y]))

    x, y = torch.randn(4, 8), torch.randn(4, 8)
    torch.testing.assert_close(run(converter.to_coreai(), x, y)[0], x + 0.5 * y)
    assert seen == [(torch.ops.aten.mul.Tensor, 2, 0.5, (4, 8))]


def test_the_same_name_in_two_programs_and_in_a_branch_is_told_apart() -> None:
    class Branch(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            y = torch.exp(x)
            return torch.cond(x.sum() > 0, lambda t: torch.exp(t) + 1, lambda t: torch.exp(t) * 2, (y,))

    first = export(Branch(), torch.randn(3))
    second = export(Apply(torch.exp), torch.randn(3))
    converter = sixrung.TorchConverter()
    converter.add_exported_program(first, entrypoint_name="first")
    converter.add_exported_program(second, entrypoint_name="second")
    seen = []

    @converter.register_torch_lowering("aten::exp.default", allow_override=True)
    def exp(values_map, node, loc):
        seen.append(node)
        return coreai.exp(values_map[node.args[0].name])

    converter.to_coreai()
    graphs = {id(node.graph) for node in seen}
    assert len(seen) == 4 and len(graphs) == 4 and len({id(node) for node in seen}) == 4


def test_two_sessions_convert_at_once() -> None:
    program = PROGRAMS["custom_op"]()
    results: list[object] = []

    def convert(scale: float) -> None:
        converter = sixrung.TorchConverter().add_exported_program(program)

        @converter.register_torch_lowering(KEY)
        def lowering(values_map, node, loc):
            x, y = sixrung.get_operands(values_map, node, [0, 1])
            return coreai.add(x, coreai.broadcasting_mul(y, coreai.constant(scale)))

        try:
            results.append((scale, {converter.to_coreai().bytecode() for _ in range(20)}))
        except BaseException as error:
            results.append(error)

    threads = [threading.Thread(target=convert, args=(scale,)) for scale in (0.5, 2.0)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    texts = [codes for _, codes in results]  # type: ignore[misc]
    assert all(len(codes) == 1 for codes in texts) and texts[0] != texts[1]
