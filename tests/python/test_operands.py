"""Operands of op functions and of delegated keys: what they may be, and how numbers are promoted."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import sixrung
from programs import PROGRAMS
from running import Apply, run
from sixrung import coreai

KEY = "sixrung_test::scaled_add.default"


def export(module: torch.nn.Module, *inputs: torch.Tensor) -> torch.export.ExportedProgram:
    return torch.export.export(module, inputs).run_decompositions(sixrung.get_decomp_table())


def _mix() -> str:
    if not hasattr(torch.ops.sixrung_test, "mix"):

        @torch.library.custom_op("sixrung_test::mix", mutates_args=())
        def mix(x: torch.Tensor, y: torch.Tensor, scale: float, count: int, flag: bool) -> torch.Tensor:
            return x.float() + y.float() * scale

        @mix.register_fake
        def _(x: torch.Tensor, y: torch.Tensor, scale: float, count: int, flag: bool) -> torch.Tensor:
            return torch.empty_like(x, dtype=torch.float32)

    return "sixrung_test::mix.default"


HALF, BRAIN, SINGLE, INTEGER = torch.float16, torch.bfloat16, torch.float32, torch.int32


@pytest.mark.parametrize(
    ("dtypes", "expected"),
    [
        ((HALF, HALF), "f16"),
        ((HALF, INTEGER), "f16"),  # all of the floats are
        ((HALF, SINGLE), "f32"),
        ((HALF, BRAIN), "f32"),
        ((BRAIN, BRAIN), "f32"),
        ((SINGLE, SINGLE), "f32"),
        ((SINGLE, INTEGER), "f32"),
        ((INTEGER, INTEGER), "f32"),  # no float tensor, no promotion
    ],
)
def test_floats_are_promoted_by_the_tensors_beside_them(dtypes: tuple[torch.dtype, ...], expected: str) -> None:
    key = _mix()
    x, y = (torch.arange(6).reshape(2, 3).to(dtype) for dtype in dtypes)
    program = export(Apply(lambda x, y: torch.ops.sixrung_test.mix(x, y, 0.3, 7, True)), x, y)
    converter = sixrung.TorchConverter().add_exported_program(program)
    seen = []

    @converter.register_torch_lowering(key)
    def lowering(values_map, node, loc):
        x, y, scale, count, flag = sixrung.get_operands(values_map, node, range(5))
        seen.extend(str(value.element_type) for value in (scale, count, flag))
        wide = [coreai.cast(value, torch.float32) for value in (x, y, scale)]
        return coreai.add(wide[0], coreai.broadcasting_mul(wide[1], wide[2]))

    converted = converter.to_coreai()
    assert seen == [expected, "si32", "i1"]
    if BRAIN not in dtypes:  # whose arrays NumPy has not
        scale = float(torch.tensor(0.3, dtype=HALF if expected == "f16" else SINGLE))
        torch.testing.assert_close(run(converted, x, y)[0], x.float() + y.float() * scale)


def test_operands_of_every_kind() -> None:
    converter = sixrung.TorchConverter().add_exported_program(PROGRAMS["custom_op"]())

    @converter.register_torch_lowering(KEY)
    def lowering(values_map, node, loc):
        total = values_map["x"]
        assert total.type.element_type == torch.float32 and total.type.shape == (4, 8) and total.type.rank == 2
        for operand in (
            2.0,
            [1.0] * 8,
            np.full((4, 1), 3, np.float32),
            torch.ones(8),
            np.float32(0.5),
            values_map["y"],
        ):
            total = coreai.broadcasting_add(total, operand)
        total = coreai.reshape(total, (8, 4))
        total = coreai.transpose(total, permutation=np.array([1, 0], np.uint32))
        return coreai.reshape(total, torch.tensor([4, 8], dtype=torch.int32))

    x, y = torch.randn(4, 8), torch.randn(4, 8)
    expected = (x + y + 2 + 1 + 3 + 1 + 0.5).reshape(8, 4).T.reshape(4, 8)
    torch.testing.assert_close(run(converter.to_coreai(), x, y)[0], expected)


def test_a_delegated_key_takes_lists_and_keywords() -> None:
    converter = sixrung.TorchConverter().add_exported_program(PROGRAMS["custom_op"]())

    @converter.register_torch_lowering(KEY)
    def lowering(values_map, node, loc):
        x, y = sixrung.get_operands(values_map, node, [0, 1])
        turned = sixrung.lower("aten::permute.default", y, [1, 0], results=[sixrung.TensorType((8, 4), torch.float32)])
        back = sixrung.lower("torch.ops.aten.transpose.int", turned, dim0=0, dim1=1, results=[y])
        first, second = sixrung.lower(
            "aten::split_with_sizes.default", x, [1, 3], results=[torch.empty(1, 8), torch.empty(3, 8)]
        )
        return coreai.add(sixrung.lower("aten::cat.default", [second, first], results=[x]), back)

    x, y = torch.randn(4, 8), torch.randn(4, 8)
    torch.testing.assert_close(run(converter.to_coreai(), x, y)[0], torch.cat([x[1:], x[:1]]) + y)


def test_a_shape_that_does_not_fit_names_the_op_that_broadcasts() -> None:
    converter = sixrung.TorchConverter().add_exported_program(PROGRAMS["custom_op"]())
    converter.register_torch_lowering(KEY)(lambda values_map, node, loc: coreai.mul(values_map["x"], 0.1))
    with pytest.raises(sixrung.Error, match=r"coreai\.decomposable\.broadcasting_mul broadcasts"):
        converter.to_coreai()


def test_a_key_that_torch_does_not_know() -> None:
    """Between lowerings, a key needs no op behind it."""
    converter = sixrung.TorchConverter().add_exported_program(PROGRAMS["custom_op"]())
    seen = []

    @converter.register_torch_lowering("sixrung_test::halve.default")
    def halve(values_map, node, loc):
        seen.append(node.target.__name__)
        return coreai.broadcasting_mul(sixrung.get_operand(values_map, node, 0), 0.5)

    @converter.register_torch_lowering(KEY)
    def lowering(values_map, node, loc):
        x, y = sixrung.get_operands(values_map, node, [0, 1])
        with pytest.raises(sixrung.Error, match=r"nothing lowers sixrung_test::double\.default"):
            sixrung.lower("sixrung_test::double.default", y, results=[y])
        return coreai.add(x, sixrung.lower("sixrung_test::halve.default", y, results=[y]))

    x, y = torch.randn(4, 8), torch.randn(4, 8)
    torch.testing.assert_close(run(converter.to_coreai(), x, y)[0], x + 0.5 * y)
    assert seen == ["sixrung_test::halve.default"]
