"""plugins/aten/elementwise against eager: one tensor in, one out."""

import torch
import torch.nn.functional as F
from harness import case, check, grid, ints, normal, uniform
from harness.values import BOOL, EDGE, I8, I32, POSITIVE, U8, UNIT, I, X

CASES = []

for name in ["sin", "cos", "tan", "tanh", "sinh", "cosh", "asinh", "atan", "erf", "exp", "expm1", "sigmoid", "exp2"]:
    fn = getattr(torch, name)
    CASES += grid(name, fn, {"f32": (X,), "f16": (X.half(),), "bf16": (X.bfloat16(),), "i32": (ints(-3, 4, 6),)})
for name in ["acos", "asin"]:
    CASES += grid(name, getattr(torch, name), {"f32": (UNIT,), "f16": (UNIT.half(),), "i32": (ints(-1, 2, 6),)})
CASES += grid("atanh", torch.atanh, {"f32": (UNIT,), "f16": (UNIT.half(),)})
CASES += grid("acosh", torch.acosh, {"f32": (POSITIVE + 1,), "i32": (ints(1, 9, 6),)})
for name in ["log", "log2", "log10", "log1p", "sqrt", "rsqrt", "reciprocal"]:
    fn = getattr(torch, name)
    CASES += grid(
        name,
        fn,
        {
            "f32": (POSITIVE,),
            "f16": (POSITIVE.half(),),
            "bf16": (POSITIVE.bfloat16(),),
            "i32": (ints(1, 9, 6),),
            "edge": (EDGE,),
        },
    )
AT_EDGES = ["exp", "expm1", "tanh", "sigmoid", "atan", "sinh", "asinh", "erf", "abs", "neg", "sign", "relu"]
AT_EDGES += ["isnan", "isinf", "isfinite", "floor", "ceil", "trunc", "round"]
for name in AT_EDGES:
    CASES.append(case(f"{name}-edge", getattr(torch, name), EDGE))
for name in ["floor", "ceil", "trunc", "round", "frac"]:
    fn = getattr(torch, name)
    CASES += grid(name, fn, {"f32": (X,), "f16": (X.half(),), "bf16": (X.bfloat16(),)})
    if name != "frac":
        CASES.append(case(f"{name}-i32", fn, I))
CASES.append(case("floor-large", torch.floor, torch.tensor([8388607.5, 16777216.0, -8388607.5, 3e9])))
for name in ["abs", "neg", "sign", "square"]:
    fn = getattr(torch, name)
    CASES += grid(
        name,
        fn,
        {
            "f32": (X,),
            "f16": (X.half(),),
            "bf16": (X.bfloat16(),),
            "i32": (I,),
            "i8": (torch.tensor([-128, -1, 0, 1, 127], dtype=I8),),
        },
    )
    if name != "sign":
        CASES.append(case(f"{name}-u8", fn, torch.tensor([0, 1, 255], dtype=U8)))
CASES += [
    case("round-decimals", lambda x: torch.round(x, decimals=2), normal(20) * 10),
    case("round-decimals-negative", lambda x: torch.round(x, decimals=-1), normal(20) * 100),
    case("round-ties", torch.round, torch.tensor([0.5, 1.5, 2.5, -0.5, -1.5, 4503599.5])),
    case("signbit", torch.signbit, EDGE[:-1]),
    case("signbit-i32", torch.signbit, I),
    case("sgn", torch.sgn, EDGE),
    case("erfc", torch.erfc, torch.linspace(-6, 9, 61)),
    case(
        "erfinv",
        torch.erfinv,
        torch.tensor([-1.0, -0.999, -0.9, -0.5, -0.1, -1e-3, 0.0, 0.3, 0.7, 0.99, 0.99999, 1.0, 2.0]),
        rtol=3e-5,
    ),
    case("log1p-small", torch.log1p, torch.tensor([1e-7, -1e-7, 1e-10, -1e-10, 1e-4, -1e-4, 1e-2, 2e-7]), atol=0.0),
    case("expm1-tiny", torch.expm1, torch.tensor([1e-7, -1e-7, 1e-10, -1e-10, 1e-4, -1e-4, 1e-2, 2e-7]), atol=0.0),
    case(
        "soft-tails",
        lambda x: (F.softplus(x), F.logsigmoid(-x), F.mish(x), torch.logaddexp(x, x * 0), F.softplus(x, beta=2.0)),
        torch.tensor([-16.0, -18.0, -6.0, -30.0, -80.0, 0.0, 5.0]),
        atol=0.0,
    ),
    case(
        "bce-tails",
        lambda x, y: F.binary_cross_entropy_with_logits(x, y, reduction="none"),
        torch.tensor([18.0, -18.0, 6.0, 0.5]),
        torch.tensor([1.0, 0.0, 1.0, 0.5]),
        atol=0.0,
    ),
    case(
        "expm1-small",
        torch.expm1,
        torch.tensor([1e-7, -1e-7, 1e-10, 1e-4, -1e-4, 0.49, 0.51, -0.49, -0.51, 88.0, -100.0]),
    ),
    case("isposinf", torch.isposinf, EDGE),
    case("isneginf", torch.isneginf, EDGE),
    case("isnan-i32", torch.isnan, I),
    case("isinf-i32", torch.isinf, I),
    case("isinf-f16", torch.isinf, EDGE.half()),
    case("nan_to_num", torch.nan_to_num, EDGE),
    case("nan_to_num-given", lambda x: torch.nan_to_num(x, nan=1.0, posinf=2.0, neginf=3.0), EDGE),
    case("nan_to_num-f16", torch.nan_to_num, EDGE.half()),
    case("logit", torch.logit, uniform(0.01, 0.99, 9)),
    case("logit-eps", lambda x: torch.logit(x, eps=0.1), uniform(-0.2, 1.2, 9)),
    case("sinc", torch.sinc, X),
    case("deg2rad", torch.deg2rad, X),
    case("bitwise_not-i32", torch.bitwise_not, torch.tensor([0, 1, -1, 16777217, 2147483647, -2147483648], dtype=I32)),
    case("bitwise_not-u8", torch.bitwise_not, torch.tensor([0, 1, 255], dtype=U8)),
    case("bitwise_not-i8", torch.bitwise_not, torch.tensor([0, 1, -128, 127], dtype=I8)),
    case("bitwise_not-bool", torch.bitwise_not, BOOL),
    case("logical_not-f32", torch.logical_not, EDGE),
    case("logical_not-i32", torch.logical_not, I),
    case("logical_not-bool", torch.logical_not, BOOL),
    case("positive", lambda x: +x + 0, X),
]


def test_unary(case):
    check(CASES, case)
