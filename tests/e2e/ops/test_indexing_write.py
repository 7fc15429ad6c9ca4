"""plugins/aten/indexing against eager: index_put and the scatters."""

import torch
from harness import case, check, grid, ints, normal
from harness.values import I8, I32, INF, NAN, U8

X = normal(3, 4, 5)
I = torch.tensor([1, 0, 2, -1])  # noqa: E741
ROW = torch.tensor([True, False, True])
COLUMN = torch.tensor([False, True, True, False])
PLANE = ints(0, 2, 3, 4).bool()
KINDS = {
    "f32": (X, I),
    "f16": (X.half(), I),
    "bf16": (X.bfloat16(), I),
    "i32": (ints(-9, 9, 3, 4, 5), I),
    "i64": (ints(-9, 9, 3, 4, 5).long(), I),
    "u8": (ints(0, 9, 3, 4, 5, dtype=U8), I),
    "bool": (ints(0, 2, 3, 4, 5).bool(), I),
}
SUMS = {k: v for k, v in KINDS.items() if k != "bool"}
E_IDX = torch.zeros(0, dtype=torch.int64)


def put(*indices, accumulate=False):
    return lambda x, v: torch.ops.aten.index_put(x, list(indices), v, accumulate)


BACK = torch.tensor([[0, 0, 1, 2], [0, 1, 1, 2], [2, 0, 1, 2]])
MASK5 = torch.tensor([True, False, True, True, False])

CASES = []
CASES += grid(
    "index_put",
    lambda x, i: (
        torch.index_put(x, (i % 3,), x[0, 0, 0]),
        torch.index_put(x, (i[:3] % 3,), x[0]),
        torch.ops.aten.index_put(x, [None, i], x[:, :, :1]),
        torch.ops.aten.index_put(x, [None, i, i], x[0, 0, :4]),
        torch.index_put(x, (i % 3, i, i), x[0, :, 0]),
    ),
    KINDS,
)
CASES += grid(
    "accumulate",
    lambda x, i: (
        torch.index_put(x, (i % 3,), x[0, 0, 0], accumulate=True),
        torch.index_put(x, (i * 0,), x[0], accumulate=True),
        torch.ops.aten.index_put(x, [None, i], x[:, :, :1], True),
        torch.index_put(x, (i * 0, i * 0), x[0, 0], accumulate=True),
    ),
    SUMS,
    rtol=4e-3,
    atol=4e-2,
)
CASES += [
    case(
        "accumulate-f32-exact",
        lambda x, i: torch.index_put(x, (i,), x[:1], accumulate=True),
        X,
        torch.tensor([0, 0, -1, 0]),
    ),
    case(
        "accumulate-bool",
        lambda x, i: torch.index_put(x, (i,), x[:1], accumulate=True),
        PLANE,
        torch.tensor([0, 0, -1, 0]),
    ),
    case(
        "accumulate-apart",
        lambda x, i: torch.ops.aten.index_put(x, [i, None, i], x[:2, :, 0], True),
        X,
        torch.tensor([0, -1]),
    ),
    case("accumulate-mask", lambda x, m: torch.index_put(x, (m,), torch.tensor(2.0), accumulate=True), X, ROW),
    case(
        "accumulate-2d",
        lambda x, i: torch.index_put(x, (i,), x[:1], accumulate=True),
        X,
        torch.tensor([[0, 1], [1, -1]]),
    ),
    case("accumulate-nothing", lambda x, i: torch.index_put(x, (i,), x[0], accumulate=True), X, E_IDX),
    case(
        "accumulate-i8-wraps",
        lambda x, i: torch.index_put(x, (i,), x, accumulate=True),
        torch.tensor([100, 100, 100], dtype=I8),
        torch.tensor([0, 0, 0]),
    ),
    case("put-apart", lambda x, i: torch.ops.aten.index_put(x, [i, None, i], x[:2, :, 0]), X, torch.tensor([0, -1])),
    case(
        "put-2d",
        lambda x, i: (torch.index_put(x, (i,), x[:1]), torch.ops.aten.index_put(x, [None, i], x[:, :1, None])),
        X,
        torch.tensor([[0, 2], [1, -3]]) % 3,
    ),
    case(
        "put-0d",
        lambda x, i: (torch.index_put(x, (i,), x[0]), torch.ops.aten.index_put(x, [None, i], x[:, 0] * 2)),
        X,
        torch.tensor(-1),
    ),
    case("put-nothing", lambda x, i: torch.index_put(x, (i,), x[0]), X, E_IDX),
    case("put-unsafe", lambda x, i: torch.ops.aten._unsafe_index_put(x, [i], x[0] * 2), X, torch.tensor([1, 2])),
    case("put-other-type", lambda x, i: torch.index_put(x, (i,), x[0] * 0.1), X.half(), torch.tensor([1])),
    case(
        "put-mask", lambda x, m: (torch.index_put(x, (m,), torch.tensor(7.0)), torch.index_put(x, (m,), x[1])), X, ROW
    ),
    case(
        "put-mask-plane",
        lambda x, m: (torch.index_put(x, (m,), torch.tensor(7.0)), torch.index_put(x, (m,), x[0, 0])),
        X,
        PLANE,
    ),
    case(
        "put-mask-column",
        lambda x, m: (
            torch.ops.aten.index_put(x, [None, m], torch.tensor(7.0)),
            torch.ops.aten.index_put(x, [None, m], x[0, 0]),
        ),
        X,
        COLUMN,
    ),
    case(
        "put-mask-values",
        lambda x, v: torch.index_put(x, (x > 0,), v),
        torch.tensor([1.0, -1.0, 2.0, -2.0]),
        torch.tensor([8.0, 9.0]),
    ),
    case(
        "put-mask-rows",
        lambda x, v: torch.index_put(x, (x[:, 0] > 0,), v),
        torch.tensor([[1.0, 2.0], [-1.0, 3.0], [4.0, 5.0]]),
        torch.tensor([[8.0, 9.0], [10.0, 11.0]]),
    ),
    case("put-mask-none-true", lambda x: torch.index_put(x, (x > 99,), torch.tensor([1.0])), X),
    case("put-mask-and-index", lambda x, m: torch.index_put(x, (m, torch.tensor([0, 3])), torch.tensor(7.0)), X, ROW),
    case("put-mask-one-element", lambda x, m: torch.index_put(x, (m,), torch.tensor([7.0])), X, ROW),
    case("put-mask-i32", lambda x: torch.index_put(x, (x > 0,), torch.tensor(3, dtype=I32)), ints(-9, 9, 3, 4)),
    case(
        "index_fill", lambda x, i: (x.index_fill(1, i, 7.0), x.index_fill(0, i[:2], -INF)), X, torch.tensor([0, 2, -1])
    ),
    case(
        "index_copy",
        lambda x, i: (x.index_copy(1, i, x[:, 1:] * 2), x.index_copy(-1, i, x[..., :3])),
        X,
        torch.tensor([0, 3, 1]),
    ),
    case(
        "index_add",
        lambda x, i: (x.index_add(1, i, x[:, 1:]), x.index_add(0, i, x, alpha=2)),
        X,
        torch.tensor([0, 0, 2]),
    ),
]


def writes(x, i):
    a, b, c = x.clone(), x.clone(), x.clone()
    a[:, i] = 1.5
    b[x > 0] = 0
    c[i % 3, i] = x[0, 0]
    c[1:, 2] += 1
    return a, b, c


CASES += [
    case("writes", writes, X, torch.tensor([1, 0, 2])),
    case("writes-f16", writes, X.half(), torch.tensor([1, 0, 2])),
    case(
        "dynamic-put",
        lambda x, i: (torch.index_put(x, (i,), x[0] * 2), torch.ops.aten.index_put(x, [None, i], x[:, :1] * 2)),
        lambda n: (normal(n, 4, 5), torch.tensor([0, 2, -1])),
    ),
    case(
        "dynamic-put-index",
        lambda x, i: torch.index_put(x, (i,), torch.tensor(7.0)),
        lambda n: (normal(7, 4), torch.arange(n)),
    ),
    case(
        "dynamic-put-rows",
        lambda x, v: torch.index_put(x, (torch.arange(v.shape[0]),), v),
        lambda n: (normal(7, 4), normal(n, 4)),
    ),
    case(
        "dynamic-put-cache",
        lambda x, i, v: torch.ops.aten.index_put(x, [None, None, i], v),
        lambda n: (normal(1, 2, 8, 3), torch.arange(n), normal(1, 2, n, 3)),
    ),
    case(
        "dynamic-accumulate",
        lambda x, i, v: torch.index_put(x, (i,), v, accumulate=True),
        lambda n: (normal(7, 4), torch.arange(n) % 2, normal(n, 4)),
    ),
    case(
        "dynamic-put-mask",
        lambda x: (torch.index_put(x, (x > 0,), torch.tensor(7.0)), torch.index_put(x, (x[:, 0, 0] > 0,), x[0] * 0)),
        lambda n: (normal(n, 4, 5),),
    ),
]

# --- scatter ------------------------------------------------------------------------------------------
AT = torch.tensor([[[0, 1, 2, 0]], [[1, 0, 3, 2]]])
SAME = torch.tensor([[0, 0, 1, 1, 2], [2, 2, 2, 0, 0]])
MATRIX, SOURCE = normal(4, 5), normal(2, 5)
SCATTERS = {
    "f32": (MATRIX, SOURCE, SAME),
    "f16": (MATRIX.half(), SOURCE.half(), SAME),
    "bf16": (MATRIX.bfloat16(), SOURCE.bfloat16(), SAME),
    "i32": (ints(1, 9, 4, 5), ints(1, 9, 2, 5), SAME),
    "i64": (ints(1, 9, 4, 5).long(), ints(1, 9, 2, 5).long(), SAME),
    "u8": (ints(1, 4, 4, 5, dtype=U8), ints(1, 4, 2, 5, dtype=U8), SAME),
}
CASES += grid(
    "scatter",
    lambda x, s, i: (x.scatter(0, i[:1], s), x.scatter(1, i[:1, :1], s), x.scatter(0, i[:1], 3)),
    {**SCATTERS, "bool": (MATRIX > 0, SOURCE > 0, SAME)},
)
CASES += grid(
    "scatter_add",
    lambda x, s, i: (x.scatter_add(0, i, s), x.scatter_add(1, i, s), x.scatter_add(-1, i[:, :2], s)),
    SCATTERS,
    rtol=4e-3,
    atol=2e-2,
)
CASES += grid(
    "scatter-reduce-arg",
    lambda x, s, i: (
        x.scatter(0, i, s, reduce="add"),
        x.scatter(0, i, s, reduce="multiply"),
        x.scatter(0, i, 2, reduce="multiply"),
        x.scatter(1, i, 2, reduce="add"),
    ),
    SCATTERS,
    rtol=4e-3,
    atol=2e-2,
)
for how in ("sum", "prod", "mean", "amax", "amin"):
    for own in (True, False):
        CASES += grid(
            f"scatter_reduce-{how}-{'with' if own else 'without'}-self",
            lambda x, s, i, how=how, own=own: (
                x.scatter_reduce(0, i, s, how, include_self=own),
                x.scatter_reduce(-1, i[:, :3], s, how, include_self=own),
            ),
            SCATTERS,
            rtol=8e-3,
            atol=2e-2,
        )
ODD = torch.tensor([NAN, 1.0, INF, -INF, 2.0])
CASES += [
    case("scatter-3d", lambda x, i: (x.scatter(1, i, x[:, :1]), x.scatter(1, i, 3.0), x.scatter(2, i, x)), X[:2], AT),
    case("scatter-negative-axis", lambda x, i: x.scatter(-2, i, x), X[:2], AT),
    case(
        "scatter-nothing",
        lambda x, i: (x.scatter(0, i, x), x.scatter_add(0, i, x), x.scatter(0, i, 1.0)),
        MATRIX,
        torch.zeros(0, 5, dtype=torch.int64),
    ),
    case(
        "scatter-0d",
        lambda x, i: (x.scatter(0, i, 7.0), x.scatter_add(0, i, x), x.scatter(0, i, x * 2)),
        torch.tensor(2.5),
        torch.tensor(0),
    ),
    case("scatter-value-f16", lambda x, i: x.scatter(0, i, 0.1), MATRIX.half(), SAME[:1]),
    case(
        "scatter_reduce-nan",
        lambda x, i, s: tuple(
            x.scatter_reduce(0, i, s, how, include_self=own)
            for how in ("sum", "prod", "mean", "amax", "amin")
            for own in (True, False)
        ),
        torch.ones(5),
        torch.tensor([0, 0, 1, 2, 3]),
        ODD,
    ),
    case(
        "scatter_reduce-nan-self",
        lambda x, i, s: tuple(
            x.scatter_reduce(0, i, s, how, include_self=own)
            for how in ("sum", "prod", "mean", "amax", "amin")
            for own in (True, False)
        ),
        ODD,
        torch.tensor([0, 2, 3, 4]),
        torch.ones(4),
    ),
    case(
        "scatter_reduce-mean-negative",
        lambda x, i, s: (x.scatter_reduce(0, i, s, "mean"), x.scatter_reduce(0, i, s, "mean", include_self=False)),
        torch.tensor([-5, 3, -7]),
        torch.tensor([0, 0, 1, 2]),
        torch.tensor([-2, 1, 4, -6]),
    ),
    case(
        "scatter_reduce-limits",
        lambda x, i, s: (
            x.scatter_reduce(0, i, s, "amax", include_self=False),
            x.scatter_reduce(0, i, s, "amin", include_self=False),
        ),
        torch.tensor([0, 0, 0], dtype=I8),
        torch.tensor([0, 1]),
        torch.tensor([-128, 127], dtype=I8),
    ),
    case(
        "scatter_reduce-0d",
        lambda x, i: (x.scatter_reduce(0, i, x, "sum"), x.scatter_reduce(0, i, x, "mean", include_self=False)),
        torch.tensor(2.5),
        torch.tensor(0),
    ),
    case("scatter_add-i32-index", lambda x, s, i: x.scatter_add(0, i, s), MATRIX, SOURCE, SAME),
    case(
        "dynamic-scatter",
        lambda x, i, s: (x.scatter(0, i, s), x.scatter_add(0, i, s)),
        lambda n: (normal(7, 4), torch.arange(4 * n).reshape(n, 4) // 4, normal(n, 4)),
    ),
    case(
        "dynamic-scatter-value",
        lambda x, i: (x.scatter(0, i, 1.0), x.scatter(0, i, 2.0, reduce="multiply")),
        lambda n: (normal(7, 4), torch.arange(4 * n).reshape(n, 4) // 4),
    ),
    case(
        "dynamic-scatter_reduce",
        lambda x, i, s: (x.scatter_reduce(0, i, s, "mean"), x.scatter_reduce(0, i, s, "amax", include_self=False)),
        lambda n: (normal(7, 4), torch.arange(4 * n).reshape(n, 4) % 7, normal(n, 4)),
    ),
    case(
        "dynamic-scatter-base",
        lambda x, i: x.scatter_add(0, i, x),
        lambda n: (normal(n, 4), torch.arange(4 * n).reshape(n, 4) % 3),
    ),
    case("mask-add-row", lambda x, m, v: x.index_put((m,), v, accumulate=True), normal(5, 4), MASK5, normal(4)),
    case("mask-add-one", lambda x, m, v: x.index_put((m,), v, accumulate=True), normal(5, 4), MASK5, torch.tensor(2.0)),
    case("mask-row-2d", lambda x, m, v: x.index_put((m,), v), normal(5, 4, 3), normal(5, 4) > 0, normal(3)),
    case("mask-row-kept", lambda x, m, v: x.index_put((m,), v), normal(5, 4, 3), normal(5, 4) > 0, normal(1, 3)),
    case(
        "mask-later-axis",
        lambda x, m, v: torch.ops.aten.index_put.default(x, [None, m], v),
        normal(2, 5, 4),
        MASK5,
        normal(2, 1, 4),
    ),
    case(
        "mask-later-axis-all",
        lambda x, m, v: torch.ops.aten.index_put.default(x, [None, m], v),
        normal(2, 5, 4),
        MASK5,
        normal(2, 3, 4),
    ),
    case(
        "mask-add-i8",
        lambda x, m, v: x.index_put((m,), v, accumulate=True),
        torch.full((5, 4), 100, dtype=torch.int8),
        MASK5,
        torch.full((4,), 100, dtype=torch.int8),
    ),
    case(
        "mask-add-bool", lambda x, m, v: x.index_put((m,), v, accumulate=True), normal(5, 4) > 0, MASK5, normal(4) > 0
    ),
    case(
        "scatter_reduce-amax-bool",
        lambda x, i, s: x.scatter_reduce(0, i, s, "amax", include_self=False),
        PLANE,
        BACK,
        ~PLANE,
    ),
    case(
        "scatter_reduce-amin-bool",
        lambda x, i, s: x.scatter_reduce(0, i, s, "amin", include_self=False),
        PLANE,
        BACK,
        ~PLANE,
    ),
    case("put", lambda x, i, s: x.put(i, s), normal(3, 4), torch.tensor([[0, 5], [-1, 7]]), normal(2, 2)),
    case("put-add", lambda x, i, s: x.put(i, s, accumulate=True), normal(3, 4), torch.tensor([0, 5, 5]), normal(3)),
] + [
    case(
        f"index_reduce-{how}-{own}",
        lambda x, i, s, how=how, own=own: x.index_reduce(1, i, s, how, include_self=own),
        normal(3, 4, 2),
        torch.tensor([0, 2, 2]),
        normal(3, 3, 2),
    )
    for how in ("prod", "mean", "amax", "amin")
    for own in (True, False)
]


def test_indexing_write(case):
    check(CASES, case)
