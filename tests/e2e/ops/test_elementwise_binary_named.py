"""plugins/aten/elementwise against eager: two operands."""

import torch
from harness import case, check, grid, ints, normal, uniform
from harness.values import BOOL, EDGE, F16, I8, I32, INF, NAN, POSITIVE, U8, I, X

A, B = normal(3, 4), normal(4) + 3
IA, IB = torch.tensor([7, -7, 7, -7, 100, 0], dtype=I32), torch.tensor([2, 2, -2, -2, 7, 5], dtype=I32)

CASES = []

CASES += [
    case("mul-f16-0d-large", torch.mul, A.half() * 1e-3, torch.tensor(1e5)),
    case("div-f16-0d-large", torch.div, A.half() * 1e3, torch.tensor(1e6)),
    case("mul-f16-0d-int", torch.mul, A.half(), torch.tensor(3)),
    case("add-alpha", lambda x, y: torch.add(x, y, alpha=2), A, B),
    case("add-alpha-f16", lambda x, y: torch.add(x, y, alpha=0.1), A.half(), B.half()),
    case("add-alpha-i32", lambda x, y: torch.add(x, y, alpha=3), IA, IB),
    case("sub-alpha", lambda x, y: torch.sub(x, y, alpha=0.3), A, B),
    case("add-int-float-exact", lambda x: x + 1.5, torch.tensor([4097, 100000, 16777216], dtype=I32)),
    case("mul-int-float", lambda x: x * 0.1, torch.tensor([4097, 100000], dtype=I32)),
    case("gt-int-float", lambda x: x > 2048.5, torch.tensor([2048, 2049, 100000], dtype=I32)),
    case("pow-int-float", lambda x: x**2.0, torch.tensor([4097, 1000], dtype=I32)),
    case("add-bool-i32", torch.add, BOOL, torch.tensor([3, 4, 5, 6], dtype=I32)),
    case("add-bool-int", lambda x: x + 1, BOOL),
    case("add-bool-float", lambda x: x * 0.5, BOOL),
    case("add-i64-widens", lambda x: x + 2**40, IA.long()),
    case("gt-i64-large", lambda x: x > 2**40, IA.long()),
    case("add-i8-wraps", lambda x: x + 100, torch.tensor([100, -100, 27], dtype=I8)),
    case("rsub", lambda x: torch.rsub(x, 2.0), A),
    case("rsub-f16", lambda x: torch.rsub(x, 0.1), A.half()),
    case("rsub-alpha", lambda x, y: torch.rsub(x, y, alpha=2), A, B),
    case("rsub-i32", lambda x: 5 - x, IA),
    case("div-floor-i32", lambda x, y: torch.div(x, y, rounding_mode="floor"), IA, IB),
    case("div-trunc-i32", lambda x, y: torch.div(x, y, rounding_mode="trunc"), IA, IB),
    case("div-floor-f32", lambda x, y: torch.div(x, y, rounding_mode="floor"), IA.float() / 2, IB.float()),
    case("div-trunc-f32", lambda x, y: torch.div(x, y, rounding_mode="trunc"), IA.float() / 2, IB.float()),
    case("div-floor-f16", lambda x, y: torch.div(x, y, rounding_mode="floor"), IA.half() / 2, IB.half()),
    case("div-floor-f16-scalar", lambda x: x // 0.7, torch.tensor([3.0, 7.0], dtype=F16)),
    case("div-floor-scalar", lambda x: x // 0.7, torch.tensor([3.0, 7.0, -7.0, 0.1])),
    case(
        "div-floor-edge",
        lambda x, y: x // y,
        torch.tensor([7.0, -7.0, INF, -INF, 1.0, -1.0, 0.0, NAN, 7.0, -7.0]),
        torch.tensor([INF, INF, 2.0, 2.0, 0.0, 0.0, 0.0, 1.0, -INF, -INF]),
    ),
    case(
        "div-trunc-edge",
        lambda x, y: torch.div(x, y, rounding_mode="trunc"),
        torch.tensor([7.0, INF, 1.0, NAN, -7.5]),
        torch.tensor([INF, 2.0, 0.0, 1.0, 2.0]),
    ),
    case("floor_divide-u8", lambda x: x // 3, ints(0, 255, 6, dtype=U8)),
    case("remainder-i32", torch.remainder, IA, IB),
    case("remainder-f32", torch.remainder, IA.float() / 2, IB.float()),
    case("remainder-f16", torch.remainder, IA.half() / 2, IB.half()),
    case("remainder-scalar", lambda x: x % 3, IA),
    case("remainder-scalar-negative", lambda x: x % -3, IA),
    case("remainder-scalar-float", lambda x: x % 0.7, IA.float()),
    case("remainder-scalar-f16", lambda x: x % 0.7, torch.tensor([3.0, 7.0], dtype=F16)),
    case("remainder-scalar-tensor", lambda x: torch.remainder(3, x), IB),
    case(
        "remainder-edge",
        torch.remainder,
        torch.tensor([7.0, -7.0, INF, 1.0, NAN]),
        torch.tensor([INF, INF, 2.0, 0.0, 1.0]),
    ),
    case("remainder-i8", torch.remainder, IA.to(I8), IB.to(I8)),
    case("remainder-u8", lambda x: x % 7, ints(0, 255, 6, dtype=U8)),
    case("fmod-i32", torch.fmod, IA, IB),
    case("fmod-f32", torch.fmod, IA.float() / 2, IB.float()),
    case("fmod-scalar", lambda x: torch.fmod(x, 2.5), IA.float()),
    case("fmod-edge", torch.fmod, torch.tensor([7.0, -7.0, INF, 1.0, NAN]), torch.tensor([INF, INF, 2.0, 0.0, 1.0])),
    case("pow-2-f16", lambda x: x**2, X.half()),
    case("pow-3", lambda x: x**3, X),
    case("pow-half", lambda x: x**0.5, POSITIVE),
    case("pow-half-edge", lambda x: x**0.5, EDGE),
    case("pow-minus-half", lambda x: x**-0.5, POSITIVE),
    case("pow-minus-one", lambda x: x**-1, POSITIVE),
    case("pow-minus-two", lambda x: x**-2, POSITIVE),
    case("pow-zero", lambda x: x**0, EDGE),
    case("pow-one", lambda x: x**1, EDGE),
    case("pow-1.7", lambda x: x**1.7, POSITIVE),
    case("pow-1.7-f16", lambda x: x**1.7, POSITIVE[:8].half()),
    case("pow-tensor", torch.pow, POSITIVE[:6], torch.tensor([0.0, 0.5, 2.0, -1.0, 3.3, -0.7])),
    case(
        "pow-tensor-edge",
        torch.pow,
        torch.tensor([0.0, -1.0, -2.0, -8.0, INF, NAN, 1.0]),
        torch.tensor([0.0, 0.5, 2.0, 3.0, -1.0, 0.0, NAN]),
    ),
    case(
        "pow-i32",
        torch.pow,
        torch.tensor([2, -3, 1, -1, 0, 5], dtype=I32),
        torch.tensor([10, 3, 7, 5, 0, 2], dtype=I32),
    ),
    case(
        "pow-i32-negative",
        torch.pow,
        torch.tensor([1, -1, -1, 2, -2], dtype=I32),
        torch.tensor([-1, -1, -2, -1, -3], dtype=I32),
    ),
    case("pow-i32-scalar", lambda x: x**5, I[:9]),
    case("pow-i64", lambda x: x**2, IA.long()),
    case("pow-scalar-base", lambda x: 2.5**x, X),
    case("pow-scalar-base-one", lambda x: 1**x, I[4:]),
    case("pow-scalar-base-int", lambda x: 3**x, I[4:9]),
    case("fmax", torch.fmax, EDGE, EDGE.flip(0)),
    case("fmin", torch.fmin, EDGE, EDGE.flip(0)),
    case(
        "atan2",
        torch.atan2,
        torch.tensor([0.0, -0.0, 0.0, -0.0, 1.0, -1.0, 1.0, -1.0, INF, INF, -INF, 3.0, NAN, 0.0, 2.0]),
        torch.tensor([-1.0, -1.0, 0.0, -0.0, 0.0, 0.0, -1.0, -1.0, INF, -INF, -INF, INF, 1.0, NAN, 3.0]),
    ),
    case("atan2-broadcast", torch.atan2, A, B),
    case(
        "hypot",
        torch.hypot,
        torch.tensor([3.0, 3e30, 0.0, INF, NAN, 1e-30]),
        torch.tensor([4.0, 4e30, 0.0, 1.0, 1.0, 1e-30]),
    ),
    case("copysign", torch.copysign, EDGE[:-1], EDGE[:-1].flip(0)),
    case("ldexp", torch.ldexp, A[0], torch.tensor([1, -2, 3, 0], dtype=I32)),
    case(
        "logaddexp",
        torch.logaddexp,
        torch.tensor([0.0, 100.0, -INF, INF, -1e4]),
        torch.tensor([1.0, -100.0, -INF, 1.0, -1e4]),
    ),
    case("logaddexp2", torch.logaddexp2, A, B),
    case("hypot-infinite-nan", torch.hypot, torch.tensor([INF, NAN, -INF, NAN]), torch.tensor([NAN, INF, 1.0, 1.0])),
    case("xlogy", torch.xlogy, torch.tensor([0.0, 0.0, 2.0, 0.0]), torch.tensor([0.0, NAN, 3.0, INF])),
    case("heaviside", torch.heaviside, EDGE, torch.full((12,), 0.5)),
    case("float_power", lambda x: torch.float_power(x, 2), IA),
    case("lshift", lambda x: x << 3, I),
    case("lshift-wide", lambda x: x << 33, I),
    case("lshift-tensor", lambda x, y: x << y, I[:6], torch.tensor([0, 1, 31, 5, 3, 30], dtype=I32)),
    case("lshift-i8", lambda x: x << 3, torch.tensor([100, -100, 1], dtype=I8)),
    case("rshift", lambda x: x >> 1, I),
    case("rshift-wide", lambda x: x >> 40, I),
    case("rshift-tensor", lambda x, y: x >> y, I[:6], torch.tensor([0, 1, 31, 2, 3, 30], dtype=I32)),
    case("lerp", lambda x, y: torch.lerp(x, y, 0.3), A, normal(3, 4, scale=2)),
    case("lerp-tensor", torch.lerp, A, normal(3, 4, scale=2), uniform(0, 1, 3, 4)),
    case("addcmul", lambda x, y, z: torch.addcmul(x, y, z, value=0.5), A, A, B),
    case("addcmul-f16", lambda x, y, z: torch.addcmul(x, y, z, value=0.1), A.half(), A.half(), B.half()),
    case("addcdiv", lambda x, y, z: torch.addcdiv(x, y, z, value=0.5), A, A, B),
]
for op in ["bitwise_and", "bitwise_or", "bitwise_xor"]:
    CASES += grid(
        op,
        getattr(torch, op),
        {"i32": (IA, IB), "i64": (IA.long(), IB.long()), "u8": (ints(0, 255, 6, dtype=U8), ints(0, 255, 6, dtype=U8))},
    )
    CASES.append(case(f"{op}-scalar", lambda x, op=op: getattr(torch, op)(x, 5), IA))
CASES += [
    case(
        "div-trunc-f16-rounds-first",
        lambda x, y: torch.div(x, y, rounding_mode="trunc"),
        (normal(4000) * 9).half(),
        uniform(0.1, 2, 4000).half(),
    ),
    case(
        "div-trunc-bf16-rounds-first",
        lambda x, y: torch.div(x, y, rounding_mode="trunc"),
        (normal(4000) * 9).bfloat16(),
        uniform(0.1, 2, 4000).bfloat16(),
    ),
    case("div-trunc-f16-number", lambda x: torch.div(x, 0.3, rounding_mode="trunc"), (normal(4000) * 9).half()),
    case(
        "div-trunc-f16-0d",
        lambda x, y: torch.div(x, y, rounding_mode="trunc"),
        (normal(4000) * 9).half(),
        torch.tensor(0.3).half(),
    ),
]
CASES += [  # torch's decompositions leave prims of these
    case("xlogy-number", lambda x: torch.xlogy(x, 2.0), X),
    case("number-xlogy", lambda x: torch.xlogy(2.0, x), POSITIVE),
    case("renorm-f16", lambda x: torch.renorm(x, 2, 1, 0.5), normal(3, 4).half()),
]


def test_binary_named(case):
    check(CASES, case)
