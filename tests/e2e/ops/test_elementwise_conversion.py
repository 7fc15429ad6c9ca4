"""plugins/aten/elementwise against eager: casts, copies, sizes known at run time, tensors without dims or elements."""

import torch
import torch.nn.functional as F
from harness import case, check, ints, normal
from harness.values import BF16, BOOL, EDGE, F16, I8, I16, I32, I64, NAN, U8, I, X

A, B = normal(3, 4), normal(4) + 3
IA = torch.tensor([7, -7, 7, -7, 100, 0], dtype=I32)

CASES = []

WILD = torch.tensor([300.0, -1.0, -300.5, 2.7, -2.7, 0.0, 255.0, 65536.5, 1e6])
for name, dtype in {
    "i8": I8,
    "u8": U8,
    "i16": I16,
    "i32": I32,
    "i64": I64,
    "f16": F16,
    "bf16": BF16,
    "f64": torch.float64,
    "bool": torch.bool,
}.items():
    CASES.append(case(f"cast-f32-{name}", lambda x, d=dtype: x.to(d), WILD))
    CASES.append(
        case(f"cast-i32-{name}", lambda x, d=dtype: x.to(d), torch.tensor([300, -1, 70000, 5, -129], dtype=I32))
    )
    CASES.append(case(f"cast-u8-{name}", lambda x, d=dtype: x.to(d), torch.tensor([0, 1, 200, 255], dtype=U8)))
    CASES.append(case(f"cast-bool-{name}", lambda x, d=dtype: x.to(d), BOOL))
    CASES.append(case(f"cast-f16-{name}", lambda x, d=dtype: x.to(d), WILD[:7].half()))
CASES += [
    case("cast-nan-bool", lambda x: x.bool(), EDGE),
    case("cast-nan-i8", lambda x: x.to(I8), torch.tensor([NAN, 1.0])),
    case("cast-i64-sum-i32", lambda x: (x.sum(0) + 2**33).to(I32), IA.long()),
    # Alone in their programs: shared casts are not dropped, and would hide what is.
    case("cast-there-and-back", lambda x: x.int().float(), X, batch=False),
    case("cast-there-and-back-long", lambda x: x.long().to(F16), X, batch=False),
    case("cast-there-and-back-half", lambda x: x.int().float(), X.half(), batch=False),
    case("cast-there-and-back-int", lambda x: x.float().int(), torch.tensor([16777217, 3], dtype=I32), batch=False),
    case("cast-there-and-back-promoted", lambda x: x.long() * 0.5, X, batch=False),
    case("type_as", lambda x, y: x.type_as(y), X, I),
    case("clone", lambda x: x.clone() + 1, X),
    case("detach", lambda x: x.detach() * 2, X),
    case("copy", lambda x, y: x.clone().copy_(y) + 1, A, B),
    case("copy-dtype", lambda x, y: x.clone().copy_(y), ints(0, 3, 3, 4), B),
]

# sizes known at run time
CASES += [
    case("dynamic-unary", lambda x: torch.exp(x) + torch.floor(x), lambda n: (normal(2, n),)),
    case("dynamic-binary", lambda x, y: x * y + 1, lambda n: (normal(2, n), normal(n))),
    case("dynamic-outer", lambda x, y: x[:, None] - y[None, :], lambda n: (normal(n), normal(n + 1))),
    case("dynamic-where", lambda x: torch.where(x > 0, x, 0.1 * x), lambda n: (normal(n, 3),)),
    case("dynamic-clamp", lambda x, y: torch.clamp(x, min=y), lambda n: (normal(n, 3), normal(3))),
    case("dynamic-remainder", lambda x: x % 3, lambda n: (ints(-9, 9, n),)),
    case("dynamic-silu", F.silu, lambda n: (normal(n, n + 2),)),
    case("dynamic-cast", lambda x: x.to(I8), lambda n: (normal(n, scale=100),)),
    case("dynamic-pow-one-base", lambda x: 1**x, lambda n: (ints(0, 9, n),)),
    case("dynamic-copy", lambda x, y: x.clone().copy_(y), lambda n: (normal(2, n), normal(n))),
]

# no dims, no elements
CASES += [
    case("zero-d", lambda x: torch.exp(x) + 1, torch.tensor(0.5)),
    case("zero-d-int", lambda x: x // 2, torch.tensor(-7)),
    case("zero-d-where", lambda x: torch.where(x > 0, x, -x), torch.tensor(-0.5)),
    case("empty", lambda x: torch.exp(x) + 1, torch.zeros(0, 3)),
    case("empty-int", lambda x: x % 3 + 2, torch.zeros(0, dtype=I32)),
]


def test_conversion(case):
    check(CASES, case)
