"""plugins/aten/indexing against eager: gathers by index tensors and masks."""

import torch
import torch.nn.functional as F
from harness import case, check, grid, ints, normal
from harness.values import I32, INF, NAN, U8

X = normal(3, 4, 5)
S = torch.tensor(2.5)
IDX = torch.tensor([1, 0, 2, -1])
TWO_D = torch.tensor([[0, 2], [-1, 1]])
ZERO_D = torch.tensor(1)
NONE = torch.zeros(0, dtype=torch.int64)
KINDS = {
    "f32": (X, IDX),
    "f16": (X.half(), IDX),
    "bf16": (X.bfloat16(), IDX),
    "i32": (ints(-9, 9, 3, 4, 5), IDX),
    "i64": (ints(-9, 9, 3, 4, 5).long(), IDX),
    "u8": (ints(0, 9, 3, 4, 5, dtype=U8), IDX),
    "bool": (ints(0, 2, 3, 4, 5).bool(), IDX),
    "complex": (torch.complex(X, X.flip(0)), IDX),
}
ROW = torch.tensor([True, False, True])
COLUMN = torch.tensor([False, True, True, False])
LAST = torch.tensor([True, False, False, True, True])
PLANE = ints(0, 2, 3, 4).bool()
INNER = ints(0, 2, 4, 5).bool()
N = lambda n: (normal(n, 4, 5),)  # noqa: E731

CASES = []
CASES += grid(
    "index",
    lambda x, i: (x[:, i], x[i % 3], x[:, i, i], x[i % 3, :, i], x[i % 3, i], x[..., i], x[i % 3, i, i]),
    KINDS,
)
CASES += grid(
    "index_select", lambda x, i: (x.index_select(1, i % 4), x.index_select(-1, i % 4), x.index_select(0, i % 3)), KINDS
)
CASES += [
    case("index-2d", lambda x, i: (x[i], x[:, i], x[..., i], x[i, :, i], x[i, i], x[:, i, i]), X, TWO_D),
    case("index-0d", lambda x, i: (x[i], x[:, i], x[i, i], x[i, :, i], x[..., i]), X, ZERO_D),
    case(
        "index-broadcast",
        lambda x, i, j: (x[i, j], x[i[:, None], j[:, 0]], x[:, i[:, None], j[0]]),
        X,
        torch.tensor([0, 2]),
        TWO_D,
    ),
    case(
        "index-broadcast-0d",
        lambda x, i, z: (
            torch.ops.aten.index(x, [z, i]),
            torch.ops.aten.index(x, [z, None, i]),
        ),
        X,
        IDX,
        ZERO_D,
    ),
    case(
        "index-apart",
        lambda x, i: (x[:, i, :, i], x[i, :, i], x[:, i, :, i % 2], x[None, i, :, i]),
        normal(3, 4, 5, 6),
        torch.tensor([0, -1, 2]),
    ),
    case(
        "index-middle",
        lambda x, i: (x[:, i], x[:, :, i], x[:, i, i], x[:, :, i, i]),
        normal(2, 3, 3, 4),
        torch.tensor([[0, -1, 2]]),
    ),
    case("index-i32-index", lambda x, i: (x[i], x[:, i]), X, IDX.int() % 3),
    case("index-mixed-widths", lambda x, i: x[i, i.int()], X, torch.tensor([0, 2, -1])),
    case("index-op-i32", lambda x, i: torch.ops.aten.index(x, [i]), X, torch.tensor([0, 2], dtype=torch.int32)),
    case("index-duplicates", lambda x, i: x[i], X, torch.tensor([1, 1, 1, -2, 0, 1])),
    case("index-nothing", lambda x, i: (x[i], x[:, i], x[i, i]), X, NONE),
    case("index-of-empty", lambda x, i: (x[:, i], x[..., i]), torch.zeros(0, 4, 5), IDX),
    case("index-constant", lambda x: (x[torch.tensor([0, -1])], x[:, [3, 1, 0]], x[[0, 1], [1, 2]]), X),
    case("index-none", lambda x, i: x[None, i, None], X, torch.tensor([0, 2])),
    case("index-slices", lambda x, i: (x[1:, i], x[:, 1:3, i], x[i % 3, ..., 1:]), X, IDX),
    case("take", lambda x, i: (torch.take(x, i), x.take(torch.tensor([[0, 59], [-1, 3]]))), X, IDX),
    case("index-unsafe", lambda x, i: torch.ops.aten._unsafe_index(x, [None, i]), X, IDX),
    case("index-large", lambda x, i: x[i], normal(300, 3), torch.tensor([299, -300, 150])),
    case("index_select-0d", lambda s, i: s.index_select(0, i), S, torch.tensor([0])),
    case("index_select-0d-index", lambda x, i: x.index_select(1, i), X, torch.tensor(2)),
    case("index_select-nothing", lambda x, i: x.index_select(1, i), X, NONE),
    case("index_select-i32-index", lambda x, i: x.index_select(-2, i), X, torch.tensor([3, 3, 0], dtype=I32)),
    # --- gather
    case("gather", lambda x, i: (x.gather(1, i), x.gather(-2, i[:, :2])), X, ints(0, 4, 3, 4, 5).long()),
    case(
        "gather-smaller",
        lambda x, i: (x.gather(1, i), x.gather(0, i[:, :1] % 3), x.gather(2, i)),
        X,
        ints(0, 4, 2, 3, 4).long(),
    ),
    case("gather-longer", lambda x, i: x.gather(1, i), X, ints(0, 4, 3, 9, 5).long()),
    case("gather-1d", lambda x, i: x.gather(0, i), X[0, 0], torch.tensor([4, 4, 0, 1, 2, 3, 0])),
    case("gather-0d", lambda s, i: (s.gather(0, i), s.gather(0, i[None])), S, torch.tensor(0)),
    case("gather-0d-index", lambda x, i: x.gather(0, i), X[0, 0], torch.tensor(3)),
    case("gather-nothing", lambda x, i: x.gather(1, i), X, torch.zeros(3, 0, 5, dtype=torch.int64)),
    case("gather-i32-values", lambda x, i: x.gather(1, i), ints(-9, 9, 3, 4), ints(0, 4, 3, 2).long()),
    case("gather-bool", lambda x, i: x.gather(1, i), PLANE, ints(0, 4, 3, 2).long()),
    case("gather-f16", lambda x, i: x.gather(1, i), X[0].half(), ints(0, 5, 4, 3).long()),
    case("gather-nan", lambda x, i: x.gather(0, i), torch.tensor([NAN, INF, -INF, 1.0]), torch.tensor([0, 1, 2, 3, 0])),
    case(
        "take_along_dim",
        lambda x, i: (x.take_along_dim(i, 1), torch.take_along_dim(x, i)),
        X[0],
        torch.tensor([[0, 1], [2, 3], [4, 4], [0, 0]]),
    ),
    # --- embedding
    case(
        "embedding",
        lambda w, i: (F.embedding(i, w), F.embedding(i[0], w), F.embedding(i.int(), w)),
        normal(5, 3),
        torch.tensor([[0, 4], [2, 1]]),
    ),
    case(
        "embedding-padding", lambda w, i: F.embedding(i, w, padding_idx=1), normal(5, 3), torch.tensor([[0, 1], [1, 4]])
    ),
    case("embedding-0d", lambda w, i: F.embedding(i, w), normal(5, 3), torch.tensor(4)),
    case("embedding-3d", lambda w, i: F.embedding(i, w), normal(5, 3).half(), ints(0, 5, 2, 3, 4).long()),
    case("embedding-nothing", lambda w, i: F.embedding(i, w), normal(5, 3), NONE),
    case("one_hot", lambda i: F.one_hot(i, 5), torch.tensor([0, 4, 2])),
    # --- masks
    case("mask", lambda x: (x[x > 0], torch.masked_select(x, x > 0)), X),
    case("mask-row", lambda x, m: (x[m], x[m, 1], x[m, :, 1:]), X, ROW),
    case("mask-column", lambda x, m: (x[:, m], x[1:, m], x[:, m, 0]), X, COLUMN),
    case("mask-last", lambda x, m: (x[..., m], x[:, :, m]), X, LAST),
    case("mask-plane", lambda x, m: (x[m], x[m, 1:]), X, PLANE),
    case("mask-inner", lambda x, m: x[:, m], X, INNER),
    case(
        "mask-none-true",
        lambda x: (x[x > 99], x[:, torch.zeros(4, dtype=torch.bool)], torch.masked_select(x, x > 99)),
        X,
    ),
    case("mask-all-true", lambda x: x[x < 99], X),
    case("mask-i32", lambda x: x[x > 0], ints(-9, 9, 3, 4)),
    case("mask-bool", lambda x: x[x], PLANE),
    case("mask-f16", lambda x: x[x > 0], X.half()),
    case("mask-bf16", lambda x: x[x > 0], X.bfloat16()),
    case(
        "masked_select-broadcast",
        lambda x, m: (torch.masked_select(x, m), torch.masked_select(x[0, 0], m[:, None])),
        X[:, :, 0],
        COLUMN,
    ),
    case("masked_select-0d", lambda x, m: torch.masked_select(x, m), S, torch.tensor(True)),
    case("mask-then-sum", lambda x: x[x > 0].sum(), X),
    case("nonzero", lambda x: (torch.nonzero(x > 0), torch.nonzero(x[0, 0] > 0)), X),
    case(
        "nonzero-kinds",
        lambda x: (torch.nonzero(x), torch.nonzero(x.int()), torch.nonzero(x.half())),
        torch.tensor([[0.0, -0.0, NAN], [1.0, 0.0, -2.0]]),
    ),
    case("nonzero-0d", lambda s: torch.nonzero(s), S),
    case("nonzero-none", lambda x: torch.nonzero(x > 99), X),
    case("nonzero-tuple", lambda x: torch.nonzero(x > 0, as_tuple=True), X),
    case("where-one", lambda x: torch.where(x > 0), X),
    case("argwhere", lambda x: torch.argwhere(x > 0), X),
    # --- masked writes
    case(
        "masked_fill",
        lambda x: (
            x.masked_fill(x > 0, 7.0),
            x.masked_fill(x > 0, -INF),
            x.masked_fill(x > 0, S),
            x.masked_fill(x[0] > 0, 1),
        ),
        X,
    ),
    case(
        "masked_fill-kinds",
        lambda x: (x.masked_fill(x > 0, 7), x.half().masked_fill(x > 0, 0.1), (x > 0).masked_fill(x < -3, True)),
        ints(-9, 9, 3, 4),
    ),
    case(
        "masked_fill-whole",
        lambda x, s: (x.masked_fill(x > 0, 7.0), x.masked_fill(x > 0, s), x.masked_fill(x[:, :1] > 0, 0)),
        X,
        S,
        raw=True,
    ),
    case(
        "masked_fill-whole-kinds",
        lambda x: (x.masked_fill(x > 0, 7), x.half().masked_fill(x > 0, 0.1), x.masked_fill(x > 0, 2.0)),
        ints(-9, 9, 3, 4),
        raw=True,
    ),
    case("masked_fill-0d", lambda s: s.masked_fill(s > 0, 1.0), S, raw=True),
    case(
        "masked_scatter",
        lambda x, s: (
            x.masked_scatter(x > 0, s),
            x.masked_scatter(x[0, :, :1] > 0, s),
            x.masked_scatter(x > 99, s[:3]),
        ),
        X,
        normal(60),
    ),
    case("masked_scatter-2d-source", lambda x, s: x.masked_scatter(x > 0, s), X, normal(9, 7)),
    case(
        "masked_scatter-short",
        lambda x, s: x.masked_scatter(torch.tensor([True, False, True, False, False]), s),
        X[0, 0],
        torch.tensor([8.0, 9.0]),
    ),
    case("masked_scatter-i32", lambda x, s: x.masked_scatter(x > 0, s), ints(-9, 9, 3, 4), ints(50, 99, 12)),
    # --- sizes known only at run time
    case(
        "dynamic-index", lambda x, i: (x[:, i], x[i % 3], x[i % 3, :, i], x[:, i, i]), lambda n: (normal(n, 4, 5), IDX)
    ),
    case(
        "dynamic-index-own", lambda x, i: (x[i], x[:, i], x[i, i]), lambda n: (normal(4, 4, 5), torch.arange(n) % 3 - 1)
    ),
    case(
        "dynamic-index-2d",
        lambda x, i: (x[i], x[:, i], x[..., i]),
        lambda n: (normal(4, 4, 5), torch.arange(2 * n).reshape(n, 2) % 4),
    ),
    case(
        "dynamic-index-two",
        lambda x, i, j: (x[i[:, None], j], x[:, i[:, None], j]),
        lambda n: (normal(4, 4, 5), torch.arange(n) % 4, torch.arange(n + 1) % 4),
    ),
    case(
        "dynamic-index_select",
        lambda x, i: (x.index_select(0, i), x.index_select(1, i)),
        lambda n: (normal(n, 4, 5), torch.tensor([1, 0, 2])),
    ),
    case(
        "dynamic-gather",
        lambda x, i: (x.gather(1, i), x.gather(0, i[:2] * 0)),
        lambda n: (normal(n, 4), ints(0, 4, n, 2).long()),
    ),
    case("dynamic-gather-axis", lambda x, i: x.gather(1, i), lambda n: (normal(2, n), ints(0, 3, 2, 7).long())),
    case(
        "dynamic-embedding",
        lambda w, i: F.embedding(i, w),
        lambda n: (normal(5, 3), torch.arange(2 * n).reshape(2, n) % 5),
    ),
    case("dynamic-mask", lambda x: (x[x > 0], torch.masked_select(x, x > 0)), N),
    case("dynamic-mask-row", lambda x: (x[x[:, 0, 0] > 0], x[:, x[0, :, 0] > 0]), N),
    case("dynamic-nonzero", lambda x: torch.nonzero(x > 0), N),
    case("dynamic-masked_fill", lambda x: x.masked_fill(x > 0, 7.0), N),
    case("dynamic-masked_scatter", lambda x, s: x.masked_scatter(x > 0, s), lambda n: (normal(n, 4), normal(40))),
    case(
        "dynamic-take-last",
        lambda x, i: x[torch.arange(x.shape[0]), i],
        lambda n: (normal(n, 4, 5), torch.arange(n) % 4),
    ),
    case("nonzero-empty", torch.nonzero, torch.zeros(5, 0, 3)),
    case("argwhere-empty", torch.argwhere, torch.zeros(5, 0)),
    case("nonzero_static", lambda x: torch.nonzero_static(x, size=5), torch.tensor([[0.0, 1.0], [2.0, 0.0]])),
    case("nonzero_static-cut", lambda x: torch.nonzero_static(x, size=2, fill_value=7), torch.ones(2, 2)),
    case(
        "repeat_interleave",
        lambda x, r: x.repeat_interleave(r, 0, output_size=6),
        normal(4, 3),
        torch.tensor([1, 0, 3, 2]),
    ),
    case(
        "repeat_interleave-open", lambda x, r: x.repeat_interleave(r, 0) * 2, normal(4, 3), torch.tensor([1, 0, 3, 2])
    ),
]
BAGS = (normal(7, 4), torch.tensor([0, 6, 2, 2, 5, 1]), torch.tensor([0, 2, 2, 5]))
for mode in ("sum", "mean", "max"):
    CASES += [
        case(f"embedding_bag-{mode}", lambda w, i, o, m=mode: F.embedding_bag(i, w, o, mode=m), *BAGS),
        case(
            f"embedding_bag-{mode}-padded",
            lambda w, i, o, m=mode: F.embedding_bag(i, w, o, mode=m, padding_idx=2),
            *BAGS,
        ),
        case(
            f"embedding_bag-{mode}-f16",
            lambda w, i, o, m=mode: F.embedding_bag(i, w, o, mode=m),
            BAGS[0].half(),
            *BAGS[1:],
        ),
        case(
            f"embedding_bag-{mode}-rows",
            lambda w, i, m=mode: F.embedding_bag(i, w, mode=m),
            BAGS[0],
            BAGS[1].reshape(2, 3),
        ),
        case(
            f"embedding_bag-{mode}-last",
            lambda w, i, o, m=mode: F.embedding_bag(i, w, o, mode=m, include_last_offset=True),
            *BAGS[:2],
            torch.tensor([0, 2, 6]),
        ),
    ]
CASES += [
    case(
        "embedding_bag-weights",
        lambda w, i, o, s: F.embedding_bag(i, w, o, mode="sum", per_sample_weights=s),
        *BAGS,
        normal(6),
    ),
    case(
        "embedding_bag-dynamic",
        lambda w, i, o: F.embedding_bag(i, w, o, mode="sum"),
        lambda n: (BAGS[0], torch.arange(2 * n) % 7, torch.tensor([0, 2, 4])),
    ),
]


def test_indexing(case):
    check(CASES, case)
