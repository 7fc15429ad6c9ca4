"""plugins/aten/shape against eager: slices, selects, splits, diagonals and writes into them."""

import torch
from harness import case, check, grid, ints, normal
from harness.values import U8

X = normal(3, 4, 5)
E = torch.zeros(2, 0, 4)
KINDS = {
    "f32": (X,),
    "f16": (X.half(),),
    "bf16": (X.bfloat16(),),
    "i32": (ints(-9, 9, 3, 4, 5),),
    "i64": (ints(-9, 9, 3, 4, 5).long(),),
    "u8": (ints(0, 9, 3, 4, 5, dtype=U8),),
    "bool": (ints(0, 2, 3, 4, 5).bool(),),
}
N = lambda n: (normal(n, 4, 5),)  # noqa: E731
LAST = lambda n: (normal(2, 3, n),)  # noqa: E731
BIG = 2**62

CASES = []
FUNCTIONS = {
    "slice": lambda x: (x[:, 1:], x[:, :-1], x[..., ::2], x[:, -2:], x[1:2, 1:3, 2:4], x[:, 1::3], x[..., -4:-1:2]),
    "select": lambda x: (x[1], x[-1], x[:, 0], x[:, :, -1], x[0, 1, 2], x[..., 3], x.select(-2, -4)),
    "split": lambda x: (*x.split(1, 1), *x.split([1, 3, 1], 2), *x.split(2, -1), *x.tensor_split(2, 1)),
    "unbind": lambda x: (*x.unbind(1), *x.unbind(-1), *x.unbind()),
    "chunk": lambda x: (*x.chunk(2, 2), *x.chunk(3, 1), *x.chunk(9, 0)),
    "diagonal": lambda x: (
        x.diagonal(),
        x.diagonal(0, 1, 2),
        x.diagonal(1, 0, 2),
        x.diagonal(-2, -1, 0),
        x.diagonal(4, 1, 2),
    ),
}
for name, fn in FUNCTIONS.items():
    CASES += grid(name, fn, KINDS)
CASES += [
    case("slice-out-of-range", lambda x: (x[:, 2:99], x[:, -99:2], x[:99], x[-99:]), X),
    case("slice-nothing", lambda x: (x[:, 1:1], x[:, 3:1], x[9:], x[:, :-9], x[:0], x[..., 4:4:2]), X),
    case(
        "slice-large-bounds",
        lambda x: (torch.ops.aten.slice(x, 1, -BIG, BIG), torch.ops.aten.slice(x, 0, 1, BIG, 2)),
        X,
    ),
    case("slice-step-beyond", lambda x: (x[::9], x[:, 1::9], x[..., ::5]), X),
    case("slice-none", lambda x: torch.ops.aten.slice(x, 1, None, None), X),
    case("slice-empty", lambda x: (x[:, :1], x[1:], x[..., ::2], x[:, 0:0]), E),
    case("narrow", lambda x: (x.narrow(1, 1, 2), x.narrow(-1, -3, 2), x.narrow(0, 0, 3), x.narrow(0, 3, 0)), X),
    case("split-uneven", lambda x: (*x.split(2, 0), *x.split(3, 1), *x.split(4, 2), *x.split(9, 2)), X),
    case("split-zero-part", lambda x: x.split([0, 4], 1), X),
    case("split-one", lambda x: x.split([4], 1), X),
    case("split-empty", lambda x: (*x.split(1, 2), *x.split([0, 0], 1)), E),
    case("unbind-empty", lambda x: x.unbind(0), E),
    case("diagonal-none", lambda x: x.diagonal(4, 0, 1), X),
    case("diagonal-empty", lambda x: x.diagonal(0, 0, 1), E),
    case("diag", lambda x: (torch.diag(x[0]), torch.diag(x[0, 0]), torch.diag(x[0, 0], 1), torch.diag_embed(x[0])), X),
    case("trace", lambda x: torch.trace(x[0]), X),
    case("slice-used-once", lambda x: x.split([1, 3], 1)[1], X),
    case("hsplit", lambda x: (*x[0].hsplit(5), *x[0].vsplit(2), *x.dsplit(5)), X),
    case("ellipsis", lambda x: (x[..., 1:3], x[1, ..., 2], x[None, ..., None]), X),
    # --- writes
    case(
        "slice_scatter",
        lambda x: (x.slice_scatter(x[:, :1] * 2, 1, 1, 2), x.slice_scatter(x[..., :2] + 1, -1, 1, 4, 2)),
        X,
    ),
    case("slice_scatter-all", lambda x: (x.slice_scatter(x * 2, 1), x.slice_scatter(x[:, :0], 1, 2, 2)), X),
    case(
        "slice_scatter-out-of-range",
        lambda x: (x.slice_scatter(x[:2] * 2, 0, 1, 99), x.slice_scatter(x[:1] * 2, 0, -99, 1)),
        X,
    ),
    case(
        "select_scatter",
        lambda x: (
            x.select_scatter(x[0] * 2, 0, 1),
            x.select_scatter(x[:, 0], 1, -1),
            x.select_scatter(x[..., 1], -1, 2),
        ),
        X,
    ),
    case(
        "diagonal_scatter",
        lambda x: (torch.diagonal_scatter(x[0], torch.ones(4)), torch.diagonal_scatter(x, x[:, :4, 0], -1, 2, 1)),
        X,
    ),
    case("diagonal_scatter-none", lambda x: torch.diagonal_scatter(x, x[:, :0, 0], 9, 1, 2), X),
    case("dynamic-diagonal_scatter", lambda x: torch.diagonal_scatter(x, x[:, :4, 0] * 2, 0, 1, 2), N),
    case("scatter-ints", lambda x: (x.slice_scatter(x[:, :2], 1, 2), x.select_scatter(x[0], 0, 2)), ints(-9, 9, 3, 4)),
    case(
        "scatter-bool",
        lambda x: (x.slice_scatter(~x[:, :2], 1, 2), x.select_scatter(~x[0], 0, 2)),
        ints(0, 2, 3, 4).bool(),
    ),
    case("scatter-other-type", lambda x: x.slice_scatter(x[:, :2].float(), 1, 2), X.half()),
    case(
        "scatter-half", lambda x: (x.slice_scatter(x[:, :2] * 2, 1, 2), x.select_scatter(x[0] * 2, 0, 2)), X.bfloat16()
    ),
    case("fill-slice", lambda x: torch.ops.aten.slice_scatter(x, torch.zeros(3, 2, 5), 1, 0, 4, 2), X),
]


def assigned(x):
    y = x.clone()
    y[:, 1:3] = 7.0
    y[0] = x[1]
    y[..., -1] += 1
    y[1:, ::2, 2] = x[1:, ::2, 0]
    return y


CASES += [
    case("assigned", assigned, X),
    case("assigned-i32", assigned, ints(-9, 9, 3, 4, 5)),
    case("dynamic-assigned", assigned, N),
    # --- sizes known only at run time
    case("dynamic-slice", lambda x: (x[1:], x[:-1], x[::2], x[-2:], x[:2], x[1:99], x[-99:], x[1:-1]), N),
    case("dynamic-slice-nothing", lambda x: (x[9:], x[2:1], x[:0]), N),
    case(
        "dynamic-slice-bounds",
        lambda x: (x[: x.shape[0] // 2], x[x.shape[0] // 2 :], x[x.shape[0] - 2 :], x[-(x.shape[0] // 2) :]),
        N,
    ),
    case("dynamic-slice-static-axis", lambda x, y: x[:, : y.shape[0] - 2], lambda n: (normal(2, 6), normal(n, 2))),
    case(
        "dynamic-slice-static-axis-start", lambda x, y: x[:, y.shape[0] - 3 :], lambda n: (normal(2, 6), normal(n, 2))
    ),
    case("dynamic-slice-step", lambda x: (x[::3], x[1::2], x[: x.shape[0] - 1 : 2], x[-3::2]), N),
    case("dynamic-slice-other-axis", lambda x: (x[:, 1:3], x[:, -2:], x[..., ::2], x[:, 3:1]), N),
    case("dynamic-select", lambda x: (x[1], x[-1], x[-2], x[:, -1], x[x.shape[0] - 1], x.select(0, -x.shape[0])), N),
    case("dynamic-select-size", lambda x, y: x[:, y.shape[0] - 3], lambda n: (normal(2, 6), normal(n, 2))),
    case("dynamic-narrow", lambda x: (x.narrow(0, 1, x.shape[0] - 1), x.narrow(0, -2, 2), x.narrow(1, 1, 2)), N),
    case("dynamic-split", lambda x: (*x.split([1, 3], 1), *x.unbind(1), *x.chunk(2, 2), *x.split(3, 2)), N),
    case("dynamic-split-sizes", lambda x: x.split([1, x.shape[0] - 1], 0), N),
    case("dynamic-split-own-axis", lambda x: x.split(x.shape[0] // 2), lambda n: (normal(2 * n, 3),)),
    case("dynamic-chunk", lambda x: x.chunk(2, -1), lambda n: (normal(3, 2 * n),)),
    case("dynamic-diagonal", lambda x: (x.diagonal(0, 1, 2), x.diagonal(-1, 2, 1)), N),
    case("dynamic-diagonal-own-axes", lambda x: (x.diagonal(), x.diagonal(1)), lambda n: (normal(n, n, 2),)),
    case(
        "dynamic-slice_scatter",
        lambda x: (
            x.slice_scatter(x[:1] * 2, 0, 1, 2),
            x.slice_scatter(x[1:] * 2, 0, 1),
            x.slice_scatter(x[:, :2], 1, 2),
        ),
        N,
    ),
    case(
        "dynamic-slice_scatter-end",
        lambda x: (x.slice_scatter(x[:-1], 0, 1), x.slice_scatter(x[:1] * 3, 0, -1), x.slice_scatter(x * 2, 0)),
        N,
    ),
    case(
        "dynamic-select_scatter", lambda x: (x.select_scatter(x[0] * 2, 0, -1), x.select_scatter(x[:, 0] * 2, 1, 1)), N
    ),
    case("dynamic-last", lambda x: (x[..., 1:], x[..., -1], x[..., :-1], x[..., ::2]), LAST),
    case("dynamic-shift", lambda x: torch.cat([x[:, :, 1:], x[:, :, :1]], -1), LAST),
    case("dynamic-int", lambda x: (x[1:], x[-1], x[::2]), lambda n: (ints(-9, 9, n, 3),)),
    case("dynamic-bool", lambda x: ((x > 0)[1:], (x > 0)[-1]), N),
    # --- ops the decompositions would take apart
    case(
        "whole-narrow",
        lambda x: (x.narrow(1, 1, 2), x.narrow(-1, -3, 2), x.narrow(0, 0, 3), x.narrow(0, 2, 0)),
        X,
        raw=True,
    ),
    case(
        "whole-split",
        lambda x: (*x.split(2, 1), *x.split([1, 3], 1), *x.split(3, -1), *x.unbind(0), *x.split(9, 0)),
        X,
        raw=True,
    ),
    case(
        "whole-writes",
        lambda x: (x.select_scatter(x[0], 0, 1), x.slice_scatter(x[:2] * 2, 0, 1, 3), x.diagonal(1, 1, 2)),
        X,
        raw=True,
    ),
    case(
        "whole-dynamic-narrow",
        lambda x: (x.narrow(0, 1, x.shape[0] - 1), x.narrow(0, -2, 2), x.narrow(1, 1, 2)),
        N,
        raw=True,
    ),
    case("whole-dynamic-split", lambda x: x.split(x.shape[0] // 2), lambda n: (normal(2 * n, 3),), raw=True),
]


def test_shape_slice(case):
    check(CASES, case)
