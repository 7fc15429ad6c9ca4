"""plugins/aten/elementwise against eager: two operands."""

import torch
from harness import case, check, grid, ints, normal, uniform
from harness.values import BOOL, EDGE, I8, I32, OTHER_BOOL, U8, I

A, B = normal(3, 4), normal(4) + 3
IA, IB = torch.tensor([7, -7, 7, -7, 100, 0], dtype=I32), torch.tensor([2, 2, -2, -2, 7, 5], dtype=I32)

CASES = []

for name in ["add", "sub", "mul", "div", "maximum", "minimum"]:
    fn = getattr(torch, name)
    CASES += grid(
        name,
        fn,
        {
            "f32": (A, B),
            "f16": (A.half(), B.half()),
            "bf16": (A.bfloat16(), B.bfloat16()),
            "i32": (IA, IB),
            "i64": (IA.long(), IB.long()),
            "i8": (IA.to(I8), IB.to(I8)),
            "f16-f32": (A.half(), B),
            "i32-f32": (I[:6], uniform(1, 2, 6)),
            "f32-0d": (A, torch.tensor(2.5)),
            "f16-0df32": (A.half(), torch.tensor(0.1)),
            "i32-0df32": (IA, torch.tensor(1.5)),
            "u8-i8": (ints(0, 9, 6, dtype=U8), IB.to(I8)),
            "0d-0d": (torch.tensor(2), torch.tensor(1.5)),
            "edge": (EDGE, EDGE.flip(0)),
            "bf16-f16": (A.bfloat16(), B.half()),
            "bool-u8": (BOOL.to(U8), BOOL.to(U8) + 1),
        },
    )
BOOLEAN = ["add", "mul", "maximum", "minimum"]
BOOLEAN += [f"bitwise_{op}" for op in ("and", "or", "xor")] + [f"logical_{op}" for op in ("and", "or", "xor")]
for name in [*BOOLEAN, "eq", "ne", "lt", "gt", "le", "ge"]:
    CASES.append(case(f"{name}-bool", getattr(torch, name), BOOL, OTHER_BOOL))
for name, fn in {"add": torch.add, "sub": torch.sub, "mul": torch.mul, "div": torch.div}.items():
    for label, scalar in {"int": 3, "float": 0.1, "large": 1e5, "exact": 0.5}.items():
        for kind, x in {
            "f32": A,
            "f16": A.half() * 0.01,
            "bf16": A.bfloat16(),
            "i32": IA,
            "i64": IA.long(),
            "u8": ints(0, 9, 6, dtype=U8),
        }.items():
            CASES.append(case(f"{name}-{kind}-{label}", lambda x, fn=fn, s=scalar: fn(x, s), x))


def test_binary(case):
    check(CASES, case)
