"""plugins/aten/elementwise against eager: comparisons, selection."""

import torch
import torch.nn.functional as F
from harness import case, check, grid, normal, uniform
from harness.values import BOOL, EDGE, F16, I32, INF, NAN, I

A, B = normal(3, 4), normal(4) + 3
IA, IB = torch.tensor([7, -7, 7, -7, 100, 0], dtype=I32), torch.tensor([2, 2, -2, -2, 7, 5], dtype=I32)

CASES = []

for op in ["eq", "ne", "lt", "gt", "le", "ge"]:
    fn = getattr(torch, op)
    CASES += grid(
        op,
        fn,
        {
            "edge": (EDGE, EDGE.roll(1)),
            "same": (EDGE, EDGE.clone()),
            "i32": (IA, IB),
            "i32-f32": (IA, IB.float() + 0.5),
            "f16": (EDGE.half(), EDGE.half()),
            "bool-i32": (BOOL, torch.tensor([1, 1, 0, 0], dtype=I32)),
            "i64": (IA.long(), IA.long()),
            "bf16": (A.bfloat16(), A.bfloat16()),
        },
    )
    CASES.append(case(f"{op}-scalar", lambda x, fn=fn: fn(x, 0.1), torch.tensor([0.1, 0.2, NAN])))
    CASES.append(case(f"{op}-scalar-f16", lambda x, fn=fn: fn(x, 0.1), torch.tensor([0.1, 0.2, 0.05], dtype=F16)))
    CASES.append(case(f"{op}-scalar-int", lambda x, fn=fn: fn(x, 2), IA))
CASES += [
    case("logical_and-nan", torch.logical_and, EDGE, torch.ones(12)),
    case("logical_xor-mixed", torch.logical_xor, I[:4], BOOL),
    case("where", torch.where, BOOL, A[0], B),
    case("where-broadcast", torch.where, A > 0, A, B),
    case("where-scalar", lambda c, x: torch.where(c, x, 2.0), A > 0, A),
    case("where-scalar-f16", lambda c, x: torch.where(c, x, 0.1), A > 0, A.half()),
    case("where-scalars", lambda c: torch.where(c, 1.0, 2.0), BOOL),
    case("where-promote", torch.where, BOOL, torch.tensor([1, 2, 3, 4], dtype=I32), B),
    case("masked_fill", lambda x: x.masked_fill(x > 0, -INF), A),
    case("clamp", lambda x: x.clamp(-0.5, 0.5), A),
    case("clamp-edge", lambda x: x.clamp(-1.0, 1.0), EDGE),
    case("clamp-crossed", lambda x: x.clamp(3.0, 2.0), EDGE),
    case("clamp-nan", lambda x: x.clamp(min=NAN), A),
    case("clamp-min", lambda x: x.clamp(min=0.3), A.half()),
    case("clamp-i32-exact", lambda x: x.clamp(max=16777217), torch.tensor([16777216, 16777217, 16777218], dtype=I32)),
    case("clamp-i64-idle", lambda x: x.clamp(min=0, max=2**62), IA.long()),
    case("clamp-i32-float", lambda x: x.clamp(min=1.5), IA),
    case("clamp-tensor", torch.clamp, A, A - 0.1, B * 0),
    case("clamp-tensor-promote", lambda x, lo: torch.clamp(x, min=lo), IA, uniform(0, 3, 6)),
    case("clamp_max", lambda x: torch.clamp_max(x, 0.25), A),
    case("hardtanh", lambda x: F.hardtanh(x, -0.5, 0.75), EDGE),
    case("relu6", F.relu6, EDGE),
]


def test_compare(case):
    check(CASES, case)
