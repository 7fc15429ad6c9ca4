"""Chains that coreai-core's own rewrite would merge to other numbers, and integers that wrap."""

import torch
from harness import case, check

I = torch.tensor([7, -7, 5, 1, 0, 100, 2**31 - 1, -(2**31), 40000], dtype=torch.int32)  # noqa: E741
X = torch.tensor([7.3, -7.0, 5e-3, 1.0, 0.0, 123.456, -2.5])
MAGIC = 1.5 * 2**23
LARGE, ROW = torch.linspace(1, 3, 12).reshape(3, 4), torch.tensor([1.5, -2.0, 0.5, 3.0])


def divide(x, by):
    return torch.div(x, by, rounding_mode="trunc")


U = torch.tensor([200, 100, 250, 7], dtype=torch.uint8)
M = torch.tensor([2**31 - 1] * 3, dtype=torch.int32)
AT = torch.tensor([0, 0, 1])

CASES = [
    case(
        "scans-wrap",
        lambda u, m: (
            u.cumsum(0, dtype=torch.uint8),
            u.to(torch.int8).cumprod(0, dtype=torch.int8),
            m.cumsum(0, dtype=torch.int32),
            (u > 0).cumsum(0, dtype=torch.uint8),
        ),
        U,
        M,
    ),
    case(
        "sums-at-one-place-wrap",
        lambda m, at: (
            m.scatter_add(0, at, m),
            m.index_put((at,), m, accumulate=True),
            m.index_add(0, at, m),
        ),
        M,
        AT,
    ),
    case("times-then-divide", lambda i: (divide(i * 3, 2), (i * 3) // 2, divide(3 * i, 2)), I),
    case("divide-then-times", lambda i: (divide(i, 3) * 2, (i // 3) * 2, 2 * divide(i, 3)), I),
    case("divide-twice", lambda i: (divide(divide(i, 3), 2), divide(divide(i, 65536), 65536)), I),
    case("wraps-then-divide", lambda i: divide(i * 65536, 65536), I),
    case("reshaped-between", lambda i: divide((i * 3).reshape(3, 3), 2), I),
    case("broadcast-between", lambda i: divide((i * 3).expand(2, 9), 2), I),
    case("vectors", lambda i: divide(i * torch.arange(1, 10, dtype=torch.int32), 2), I),
    case("i64", lambda i: (divide(i.long() * 3, 2), divide(i.long(), 3) * 2), I.clamp(-(2**20), 2**20)),
    case("beyond-32-bits", lambda i: (i + 5_000_000_000, i * 5_000_000_000, 5_000_000_000 - i), I),
    case("u8", lambda i: (divide(i * 3, 2), divide(i, 3) * 2), I.to(torch.uint8)),
    case("sizes", lambda x: x.new_ones((x.shape[0] * 3) // 2, (x.shape[0] // 2) * 2), lambda n: (torch.ones(n, 2),)),
    case("huge-factors", lambda x: ((x * 1e30) / 1e-30, (x / 1e30) * 1e-30, (x * 1e30) * 1e30), X),
    case("absorbed-terms", lambda x: ((x + 1e8) - 1e8, (x - 1e8) + 1e8, (1e8 + x) + -1e8), X),
    case("any-terms", lambda x: ((x + 1) - 1, (x - 1) + 1, 1 - (1 - x), 2 - (x + 2), (x + 100) - 100 - x), X / 1e5),
    case("half-terms", lambda x: ((x + 500) - 500, (x * 16) * 0.0625, (x * 300) / 300), (X * 40).half()),
    case(
        "large-constants",
        lambda x: ((x + 3) + LARGE, (x * ROW) * LARGE, (x + ROW) - LARGE, (x / ROW) / LARGE, LARGE - (ROW + x)),
        torch.arange(12.0).reshape(3, 4),
    ),
    case(
        "constants-worked-out",
        lambda x: (
            (x * ROW[:1]) * LARGE.cos(),
            (x + ROW.sin()) + LARGE.cos(),
            (x / ROW.exp()) / LARGE.cos(),
            (x + LARGE.cos()) + ROW.sin(),
            (x * LARGE.cos()) * ROW[:1].expand(3, 1).exp(),
        ),
        torch.arange(12.0).reshape(3, 4),
    ),
    case("round-by-adding", lambda x: (x + MAGIC) - MAGIC, X),
    case("round-by-adding-tensor", lambda x, m: (x + m) - m, X, torch.tensor(MAGIC)),
]


def test_kept_apart(case):
    check(CASES, case)
