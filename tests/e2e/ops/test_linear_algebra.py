"""plugins/aten/linear_algebra against eager: products of matrices and vectors."""

import torch
import torch.nn.functional as F
from harness import case, check, grid, ints, normal
from harness.values import I8, I32, INF, NAN, U8

A, B, C = normal(2, 3, 4), normal(2, 4, 3), normal(2, 3, 3)
IA, IB = ints(-9, 9, 2, 3, 4), ints(-9, 9, 2, 4, 3)
BIG = torch.full((3, 4), 2**30, dtype=I32)
KINDS = {
    "f32": (A, B, C),
    "f16": (A.half(), B.half(), C.half()),
    "bf16": (A.bfloat16(), B.bfloat16(), C.bfloat16()),
    "i32": (IA, IB, ints(-9, 9, 2, 3, 3)),
    "i64": (IA.long(), IB.long(), ints(-9, 9, 2, 3, 3).long()),
    "u8": (ints(0, 9, 2, 3, 4, dtype=U8), ints(0, 9, 2, 4, 3, dtype=U8), ints(0, 9, 2, 3, 3, dtype=U8)),
    "i8": (IA.to(I8), IB.to(I8), ints(-9, 9, 2, 3, 3, dtype=I8)),
}
FUNCTIONS = {
    "mm": lambda a, b, c: (a[0] @ b[0], torch.mm(a[1], b[0]), a[0].t().mm(a[1])),
    "bmm": lambda a, b, c: (torch.bmm(a, b), a @ b, a @ b[0], a[0] @ b),
    "mv": lambda a, b, c: (torch.mv(a[0], b[0, :, 0]), a[0] @ b[0, :, 1], a[0, 0] @ b[0], a @ b[0, :, 0]),
    "dot": lambda a, b, c: (torch.dot(a[0, 0], b[0, :, 0]), a[0, 0] @ b[1, :, 1]),
    "addmm": lambda a, b, c: (
        torch.addmm(c[0], a[0], b[0]),
        torch.addmm(c[0, 0], a[0], b[0]),
        torch.addmm(c[0], a[0], b[0], beta=2, alpha=3),
    ),
    "baddbmm": lambda a, b, c: (
        torch.baddbmm(c, a, b),
        torch.baddbmm(c[0], a, b, beta=3, alpha=2),
        torch.baddbmm(c, a, b, beta=0),
    ),
    "addmv": lambda a, b, c: (
        torch.addmv(c[0, 0], a[0], b[0, :, 0]),
        torch.addmv(c[0, 0], a[0], b[0, :, 0], beta=2, alpha=-1),
    ),
    "addbmm": lambda a, b, c: (torch.addbmm(c[0], a, b), torch.addbmm(c[0], a, b, beta=2, alpha=3)),
}
CASES = []
for name, fn in FUNCTIONS.items():
    # addbmm accumulates in place in halves: eager rounds once per batch.
    CASES += (
        grid(name, fn, KINDS, atol=None if name in ("mm", "dot") else 2e-2)
        if name == "addbmm"
        else grid(name, fn, KINDS)
    )
    CASES += grid(f"{name}-whole", fn, {"f32": KINDS["f32"], "i32": KINDS["i32"]}, raw=True)
CASES += [
    case(
        "alpha-float",
        lambda a, b, c: (torch.baddbmm(c, a, b, beta=0.5, alpha=0.1), torch.addmm(c[0], a[0], b[0], beta=-1.5)),
        A,
        B,
        C,
    ),
    case(
        "alpha-float-f16",
        lambda a, b, c: torch.addmm(c[0], a[0], b[0], beta=0.1, alpha=0.3),
        A.half(),
        B.half(),
        C.half(),
        atol=2e-3,
    ),
    case(
        "beta-zero-nan",
        lambda a, b: (
            torch.addmm(torch.full((3, 3), NAN), a[0], b[0], beta=0),
            torch.baddbmm(torch.full((2, 3, 3), INF), a, b, beta=0),
        ),
        A,
        B,
    ),
    case("beta-nan-spreads", lambda a, b: torch.addmm(torch.full((3, 3), NAN), a[0], b[0]), A, B),
    case("i32-wraps", lambda a, b: (a @ b, torch.mv(a, b[:, 0])), BIG, torch.full((4, 2), 3, dtype=I32)),
    case("i64-wide", lambda a, b: a @ b, BIG.long(), torch.full((4, 2), 3)),
    case("i8-wraps", lambda a, b: a @ b, torch.full((2, 5), 100, dtype=I8), torch.full((5, 2), 3, dtype=I8)),
    case("u8-wraps", lambda a, b: a @ b, torch.full((2, 5), 200, dtype=U8), torch.full((5, 2), 3, dtype=U8)),
    case(
        "f16-long",
        lambda a, b: a @ b,
        torch.full((2, 4096), 0.1, dtype=torch.float16),
        torch.full((4096, 2), 0.1, dtype=torch.float16),
    ),
    case(
        "f16-passes-over",
        lambda a, b: a @ b,
        torch.tensor([[60000.0, 60000.0, -60000.0]], dtype=torch.float16),
        torch.ones(3, 1, dtype=torch.float16),
    ),
    case(
        "bf16-long",
        lambda a, b: a @ b,
        torch.full((2, 512), 0.1, dtype=torch.bfloat16),
        torch.full((512, 2), 0.1, dtype=torch.bfloat16),
    ),
    case(
        "edge",
        lambda a, b: a @ b,
        torch.tensor([[INF, 1.0], [NAN, 0.0], [0.0, 1.0]]),
        torch.tensor([[1.0, 0.0], [2.0, -INF]]),
    ),
    case("complex", lambda a, b: a @ b, torch.complex(A, A.flip(0)), torch.complex(B, B.flip(1))),
    case(
        "no-terms",
        lambda a, b: (a @ b, torch.addmm(torch.ones(3, 2), a, b), torch.mv(a, b[:, 0]), torch.dot(a[0], b[:, 0])),
        torch.zeros(3, 0),
        torch.zeros(0, 2),
    ),
    case("no-rows", lambda a, b: (a @ b, torch.bmm(a[None], b[None])), torch.zeros(0, 4), normal(4, 2)),
    case("no-batch", lambda a, b: torch.bmm(a, b), torch.zeros(0, 3, 4), torch.zeros(0, 4, 2)),
    case("no-batch-no-terms-i32", lambda a, b: a @ b, torch.zeros(3, 0, dtype=I32), torch.zeros(0, 2, dtype=I32)),
    case("one", lambda a, b: (a @ b, torch.dot(a[0], b[:, 0])), torch.tensor([[3.0]]), torch.tensor([[4.0]])),
    case(
        "broadcast-batches",
        lambda a, b: (a @ b, torch.matmul(a[:1, 0], b), torch.matmul(a, b[0, 0])),
        normal(2, 1, 3, 4),
        normal(1, 5, 4, 2),
    ),
    case(
        "linear",
        lambda x, w, b: (
            F.linear(x, w, b),
            F.linear(x, w),
            F.linear(x[0], w, b),
            F.linear(x[0, 0], w, b),
            F.linear(x[0, 0], w[0]),
        ),
        A,
        normal(5, 4),
        normal(5),
    ),
    case(
        "linear-whole",
        lambda x, w, b: (
            F.linear(x, w, b),
            F.linear(x, w),
            F.linear(x[0], w, b),
            F.linear(x[0, 0], w, b),
            F.linear(x[0], w[0]),
            F.linear(x[0, 0], w[0]),
        ),
        A,
        normal(5, 4),
        normal(5),
        raw=True,
    ),
    case(
        "linear-whole-f16", lambda x, w, b: F.linear(x, w, b), A.half(), normal(5, 4).half(), normal(5).half(), raw=True
    ),
    case(
        "linear-constant",
        lambda x: F.linear(x, C[0, 0].expand(2, 3).contiguous()[:, :1].expand(2, 4), torch.tensor([1.0, 2.0])),
        A,
    ),
    case(
        "matmul-whole",
        lambda a, b: (
            a @ b,
            a[0] @ b,
            a[0, 0] @ b,
            a @ b[0, :, 0],
            a[0, 0] @ b[0, :, 0],
            a[0] @ b[0, :, 0],
            a[0, 0] @ b[0],
        ),
        A,
        B,
        raw=True,
    ),
    case("matmul-whole-i64", lambda a, b: (a @ b, a[0] @ b[0, :, 0]), IA.long(), IB.long(), raw=True),
    case(
        "outer",
        lambda a, b: (
            torch.outer(a[0, 0], b[0, 0]),
            torch.einsum("bij,bjk->bik", a, b),
            torch.einsum("bij,bij->b", a, a),
        ),
        A,
        B,
    ),
    case(
        "tensordot", lambda a, b: (torch.tensordot(a, b, ([2], [1])), torch.kron(a[0], b[0]), torch.inner(a, a)), A, B
    ),
    case("chain", lambda a, b: torch.linalg.multi_dot([a[0], b[0], a[1]]), A, B),
    case(
        "dynamic-mm",
        lambda a, b: (a @ b[0], a.mT @ a, torch.mm(a[0], b[0])),
        lambda n: (normal(n, 3, 4), normal(2, 4, 3)),
    ),
    case("dynamic-bmm", lambda a, b: (a @ b, torch.bmm(a, b)), lambda n: (normal(n, 3, 4), normal(n, 4, 2))),
    case("dynamic-terms", lambda a, b: (a @ b, a[0] @ b[:, 0]), lambda n: (normal(2, n), normal(n, 3))),
    case(
        "dynamic-rows",
        lambda a, b, c: (a @ b, torch.addmm(c, a, b), torch.addmm(c, a, b, beta=0.5, alpha=2), torch.mv(a, b[:, 0])),
        lambda n: (normal(n, 4), normal(4, 3), normal(3)),
    ),
    case(
        "dynamic-linear",
        lambda x, w, b: (F.linear(x, w, b), F.linear(x, w)),
        lambda n: (normal(2, n, 4), normal(5, 4), normal(5)),
    ),
    case(
        "dynamic-linear-whole",
        lambda x, w, b: (F.linear(x, w, b), F.linear(x, w), x @ w.t()),
        lambda n: (normal(2, n, 4), normal(5, 4), normal(5)),
        raw=True,
    ),
    case("dynamic-int", lambda a, b: a @ b, lambda n: (ints(-9, 9, n, 4), ints(-9, 9, 4, 2))),
    case("dynamic-attention-scores", lambda q: (q @ q.mT).softmax(-1) @ q, lambda n: (normal(2, 3, n, 4),)),
    case("bilinear", lambda x, y, w, b: F.bilinear(x, y, w, b), normal(4, 3), normal(4, 5), normal(6, 3, 5), normal(6)),
    case("bilinear-batches", lambda x, y, w: F.bilinear(x, y, w), normal(2, 4, 3), normal(2, 4, 5), normal(6, 3, 5)),
    case(
        "bilinear-f16",
        lambda x, y, w: F.bilinear(x, y, w),
        normal(4, 3).half(),
        normal(4, 5).half(),
        normal(6, 3, 5).half(),
        rtol=5e-3,
        atol=5e-3,
    ),
    case(
        "dynamic-bilinear", lambda x, y, w: F.bilinear(x, y, w), lambda n: (normal(n, 3), normal(n, 5), normal(6, 3, 5))
    ),
]


def test_linear_algebra(case):
    check(CASES, case)
