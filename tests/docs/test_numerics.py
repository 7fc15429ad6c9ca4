"""The claims of docs/numerics.md: converted, run on the Core AI runtime, and equal to eager PyTorch."""

from __future__ import annotations

import asyncio
import tempfile
import warnings

import numpy as np
import pytest
import torch
from torch.nn import functional

NAN, INF = float("nan"), float("inf")


def f32(*values):
    return torch.tensor(values, dtype=torch.float32)


def i32(*values):
    return torch.tensor(values, dtype=torch.int32)


PLANE = torch.arange(36.0).reshape(1, 1, 6, 6)
QUERY, KEY = torch.linspace(-1, 1, 8).reshape(1, 1, 2, 4), torch.linspace(-2, 1, 12).reshape(1, 1, 3, 4)
MASK = torch.tensor([[True, True, False], [False, False, False]])
# Each row of the page: a function and its inputs.
CASES = {
    "add-alpha": (lambda x, y: torch.add(x, y, alpha=2), f32(1, 2), f32(10, 20)),
    "int-float": (lambda x: (x + 1.5, x * 0.1, x > 2048.5, x**2.0), i32(4097, 100000, 2048)),
    "not": (lambda x, y: (~x, ~y), i32(16777217, -5), torch.tensor([0, 7, 255], dtype=torch.uint8)),
    "clamp-int": (lambda x: x.clamp(max=16777217), i32(16777219, 5)),
    "compare-nan": (lambda x: (x >= 1, x <= 1, x == x), f32(NAN, 1, 2)),
    "round-infinity": (lambda x: (x.floor(), x.ceil(), x.trunc()), f32(INF, -INF, 1.5, -1.5)),
    "sign-nan": (torch.sign, f32(NAN, -2, 0)),
    "largest-nan": (lambda x: (x.argmax(), x.max(), *torch.topk(x, 2), *torch.sort(x)), f32(1, NAN, 3)),
    "to-int8": (lambda x, y: (x.to(torch.int8), y.to(torch.int8)), f32(300, -1.5), i32(300, -200)),
    "factors-apart": (
        lambda x: ((x * 3) // 2, (x // 3) * 2, (x // 65536) // 65536, x + 5_000_000_000),
        i32(7, -7, 100, 2147483647),
    ),
    "terms-apart": (lambda x: ((x + 1e8) - 1e8, (x * 1e30) / 1e-30), f32(7.3, 0, -2)),
    "nearest": (lambda x: functional.interpolate(x, size=(5, 11), mode="nearest"), PLANE),
    "mask": (lambda x, m: x[m], f32(1, 2, 3, 4), torch.tensor([True, False, True, False])),
    "max-pool": (lambda x: functional.max_pool2d(x, 2, return_indices=True), torch.zeros(1, 1, 4, 4)),
    "average-pool": (
        lambda x: (
            functional.avg_pool2d(x, 3, 2, 1, count_include_pad=False),
            functional.avg_pool2d(x, 3, 2, ceil_mode=True),
            functional.avg_pool2d(x, 2, divisor_override=3),
        ),
        PLANE,
    ),
    "bools": (lambda x, y: (x * y, x + y, torch.stack([x, y]).max(dim=0)[0]), MASK[0], MASK[1]),
    "int-division": (
        lambda x, y: (
            torch.div(x, y, rounding_mode="floor"),
            torch.div(x, y, rounding_mode="trunc"),
            torch.remainder(x, y),
            torch.fmod(x, y),
            x ** i32(-1),
        ),
        i32(7, -7, 7, -7),
        i32(2, 2, -2, -2),
    ),
    "masked-row": (lambda q, k, m: functional.scaled_dot_product_attention(q, k, k, attn_mask=m), QUERY, KEY, MASK),
    "causal": (lambda q: functional.scaled_dot_product_attention(q * 500, q * 500, q, is_causal=True), KEY),
    "careful": (
        lambda x: (x.erfc(), (x / 1e6).log1p(), (x / 1e6).expm1(), functional.softplus(x), (x * 100).logsumexp(0)),
        f32(-9, 0.5, 3, 8),
    ),
    "half-mean": (torch.mean, torch.full((70000,), 2.0, dtype=torch.float16)),
    "int-sum": (lambda x: (x.sum(), x.cumsum(0)), i32(2147483647, 5)),
    "wide-constant": (lambda x: x + 5_000_000_000, torch.tensor([1])),
    "shapes": (lambda x: (x.view([]), x.amax(), x.mean(dim=None), x.expand(2).squeeze(0)), f32(3)),
    "unbatched": (functional.conv2d, torch.randn(2, 5, 5), torch.randn(3, 2, 2, 2)),
    "transposed-3d": (functional.conv_transpose3d, torch.randn(1, 2, 3, 3, 3), torch.randn(2, 3, 2, 2, 2)),
    "batch-norm": (torch.nn.BatchNorm2d(3, affine=False).eval(), torch.randn(1, 3, 4, 4)),
    "value-head": (functional.scaled_dot_product_attention, QUERY, KEY, KEY.repeat(1, 1, 1, 2)[..., :6]),
}


ALONE = ("mask",)  # a size known at run time only; export guards a whole program by it


class Together(torch.nn.Module):
    """Several cases in one program."""

    def __init__(self, cases):
        super().__init__()
        self.cases = cases

    def forward(self, *inputs):
        outputs, at = [], 0
        for function, *own in self.cases:
            outputs += flat(function(*inputs[at : at + len(own)]))
            at += len(own)
        return tuple(outputs)


def flat(result) -> list[torch.Tensor]:
    return [result] if isinstance(result, torch.Tensor) else list(result)


def run(module, inputs, **options) -> list[np.ndarray]:
    sixrung = pytest.importorskip("sixrung")
    runtime = pytest.importorskip("coreai.runtime")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        program = torch.export.export(module, tuple(inputs)).run_decompositions(sixrung.get_decomp_table())
    converted = sixrung.TorchConverter(**options).add_exported_program(program).to_coreai()
    arrays = {
        port.name: runtime.NDArray(value.to(getattr(torch, port.dtype)).numpy())
        for port, value in zip(converted.inputs(), inputs, strict=True)
    }

    async def call(asset):
        async with asset.executable() as model:
            results = await model.load_function("main")(arrays)
            return [np.array(results[port.name].numpy()) for port in converted.outputs()]

    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(call(converted.save_asset(f"{folder}/m.aimodel")))


@pytest.fixture(scope="module")
def results() -> dict[str, list[np.ndarray]]:
    found = {}
    for names in ([name for name in CASES if name not in ALONE], *([name] for name in ALONE)):
        cases = [CASES[name] for name in names]
        arrays = iter(run(Together(cases), [value.clone() for _, *own in cases for value in own]))
        with torch.no_grad():
            for name, (function, *own) in zip(names, cases, strict=True):
                found[name] = [next(arrays) for _ in flat(function(*own))]
    return found


@pytest.mark.parametrize("name", CASES)
def test_as_eager(results, name):
    function, *inputs = CASES[name]
    with torch.no_grad():
        expected = flat(function(*inputs))
    for got, want in zip(results[name], expected, strict=True):
        # An integer of 64 bits may have 32 here; nothing else may change its type.
        assert got.dtype == want.numpy().dtype or (want.dtype == torch.int64 and got.dtype == np.int32)
        if want.is_floating_point():
            np.testing.assert_allclose(got, want.numpy(), rtol=1e-5, atol=1e-6)
        else:
            np.testing.assert_array_equal(got, want.numpy())


class Square(torch.nn.Module):
    def forward(self, x):
        return x * x


def test_the_64_bit_rule_and_its_way_out():
    big = torch.tensor([100000])
    assert run(Square(), [big])[0].tolist() == [1410065408]
    assert run(Square(), [big], wide_io=True)[0].tolist() == [10000000000]


class ToInteger(torch.nn.Module):
    def forward(self, x):
        return x.to(torch.int32)


def test_casts_beyond_the_range_saturate():
    assert run(ToInteger(), [f32(3e9, NAN, -1.9, -INF)])[0].tolist() == [2147483647, 0, -1, -2147483648]
