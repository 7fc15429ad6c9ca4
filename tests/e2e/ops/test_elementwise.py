"""plugins/aten/elementwise against eager."""
import torch
import torch.nn.functional as F
from harness import case, check, grid, ints, normal, uniform

NAN, INF = float("nan"), float("inf")
F16, BF16, F32, I8, I16, I32, I64, U8 = (
    torch.float16, torch.bfloat16, torch.float32, torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8,
)

X = torch.tensor([-3.5, -2.5, -1.5, -1.0, -0.5, -0.25, -1e-4, -0.0, 0.0, 1e-4, 0.25, 0.5, 1.0, 1.5, 2.5, 3.5])
EDGE = torch.tensor([-INF, -1e30, -2.0, -0.5, -0.0, 0.0, 1e-30, 0.5, 2.0, 1e30, INF, NAN])
UNIT = torch.linspace(-1, 1, 17)
POSITIVE = torch.tensor([1e-6, 1e-3, 0.1, 0.5, 1.0, 1.5, 2.0, 8.0, 10.0, 100.0, 1e6])
I = torch.tensor([-7, -3, -2, -1, 0, 1, 2, 3, 7, 100], dtype=I32)
BOOL = torch.tensor([True, False, True, True])
OTHER = torch.tensor([True, True, False, True])

CASES = []

# --- one tensor in, one out ---------------------------------------------------------------------------
for name in "sin cos tan tanh sinh cosh asinh atan erf exp expm1 sigmoid exp2".split():
    fn = getattr(torch, name)
    CASES += grid(name, fn, {"f32": (X,), "f16": (X.half(),), "bf16": (X.bfloat16(),), "i32": (ints(-3, 4, 6),)})
for name in "acos asin".split():
    CASES += grid(name, getattr(torch, name), {"f32": (UNIT,), "f16": (UNIT.half(),), "i32": (ints(-1, 2, 6),)})
CASES += grid("atanh", torch.atanh, {"f32": (UNIT,), "f16": (UNIT.half(),)})
CASES += grid("acosh", torch.acosh, {"f32": (POSITIVE + 1,), "i32": (ints(1, 9, 6),)})
for name in "log log2 log10 log1p sqrt rsqrt reciprocal".split():
    fn = getattr(torch, name)
    CASES += grid(name, fn, {"f32": (POSITIVE,), "f16": (POSITIVE.half(),), "bf16": (POSITIVE.bfloat16(),),
                             "i32": (ints(1, 9, 6),), "edge": (EDGE,)})
for name in "exp expm1 tanh sigmoid atan sinh asinh erf abs neg sign relu isnan isinf isfinite floor ceil trunc round".split():
    CASES.append(case(f"{name}-edge", getattr(torch, name), EDGE))
for name in "floor ceil trunc round frac".split():
    fn = getattr(torch, name)
    CASES += grid(name, fn, {"f32": (X,), "f16": (X.half(),), "bf16": (X.bfloat16(),)})
    if name != "frac":
        CASES.append(case(f"{name}-i32", fn, I))
CASES.append(case("floor-large", torch.floor, torch.tensor([8388607.5, 16777216.0, -8388607.5, 3e9])))
for name in "abs neg sign square".split():
    fn = getattr(torch, name)
    CASES += grid(name, fn, {"f32": (X,), "f16": (X.half(),), "bf16": (X.bfloat16(),), "i32": (I,),
                             "i8": (torch.tensor([-128, -1, 0, 1, 127], dtype=I8),)})
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
    case("erfinv", torch.erfinv, torch.tensor([-1.0, -0.999, -0.9, -0.5, -0.1, -1e-3, 0.0, 0.3, 0.7, 0.99, 0.99999, 1.0, 2.0]),
         rtol=3e-5),
    case("log1p-small", torch.log1p, torch.tensor([1e-7, -1e-7, 1e-10, -1e-10, 1e-4, -1e-4, 1e-2])),
    case("expm1-small", torch.expm1, torch.tensor([1e-7, -1e-7, 1e-10, 1e-4, -1e-4, 0.49, 0.51, -0.49, -0.51, 88.0, -100.0])),
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

# --- two operands -------------------------------------------------------------------------------------
A, B = normal(3, 4), normal(4) + 3
IA, IB = torch.tensor([7, -7, 7, -7, 100, 0], dtype=I32), torch.tensor([2, 2, -2, -2, 7, 5], dtype=I32)
for name in "add sub mul div maximum minimum".split():
    fn = getattr(torch, name)
    CASES += grid(name, fn, {
        "f32": (A, B), "f16": (A.half(), B.half()), "bf16": (A.bfloat16(), B.bfloat16()), "i32": (IA, IB),
        "i64": (IA.long(), IB.long()), "i8": (IA.to(I8), IB.to(I8)), "f16-f32": (A.half(), B),
        "i32-f32": (I[:6], uniform(1, 2, 6)), "f32-0d": (A, torch.tensor(2.5)), "f16-0df32": (A.half(), torch.tensor(0.1)),
        "i32-0df32": (IA, torch.tensor(1.5)), "u8-i8": (ints(0, 9, 6, dtype=U8), IB.to(I8)), "0d-0d": (torch.tensor(2), torch.tensor(1.5)),
        "edge": (EDGE, EDGE.flip(0)), "bf16-f16": (A.bfloat16(), B.half()), "bool-u8": (BOOL.to(U8), BOOL.to(U8) + 1),
    })
for name in "add mul maximum minimum bitwise_and bitwise_or bitwise_xor logical_and logical_or logical_xor eq ne lt gt le ge".split():
    CASES.append(case(f"{name}-bool", getattr(torch, name), BOOL, OTHER))
for name, fn in {"add": torch.add, "sub": torch.sub, "mul": torch.mul, "div": torch.div}.items():
    for label, scalar in {"int": 3, "float": 0.1, "large": 1e5, "exact": 0.5}.items():
        for kind, x in {"f32": A, "f16": A.half() * 0.01, "bf16": A.bfloat16(), "i32": IA, "i64": IA.long(), "u8": ints(0, 9, 6, dtype=U8)}.items():
            CASES.append(case(f"{name}-{kind}-{label}", lambda x, fn=fn, s=scalar: fn(x, s), x))
CASES += [
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
    case("div-floor-edge", lambda x, y: x // y, torch.tensor([7.0, -7.0, INF, -INF, 1.0, -1.0, 0.0, NAN, 7.0, -7.0]),
         torch.tensor([INF, INF, 2.0, 2.0, 0.0, 0.0, 0.0, 1.0, -INF, -INF])),
    case("div-trunc-edge", lambda x, y: torch.div(x, y, rounding_mode="trunc"), torch.tensor([7.0, INF, 1.0, NAN, -7.5]),
         torch.tensor([INF, 2.0, 0.0, 1.0, 2.0])),
    case("floor_divide-u8", lambda x: x // 3, ints(0, 255, 6, dtype=U8)),
    case("remainder-i32", torch.remainder, IA, IB),
    case("remainder-f32", torch.remainder, IA.float() / 2, IB.float()),
    case("remainder-f16", torch.remainder, IA.half() / 2, IB.half()),
    case("remainder-scalar", lambda x: x % 3, IA),
    case("remainder-scalar-negative", lambda x: x % -3, IA),
    case("remainder-scalar-float", lambda x: x % 0.7, IA.float()),
    case("remainder-scalar-f16", lambda x: x % 0.7, torch.tensor([3.0, 7.0], dtype=F16)),
    case("remainder-scalar-tensor", lambda x: torch.remainder(3, x), IB),
    case("remainder-edge", torch.remainder, torch.tensor([7.0, -7.0, INF, 1.0, NAN]), torch.tensor([INF, INF, 2.0, 0.0, 1.0])),
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
    case("pow-tensor-edge", torch.pow, torch.tensor([0.0, -1.0, -2.0, -8.0, INF, NAN, 1.0]), torch.tensor([0.0, 0.5, 2.0, 3.0, -1.0, 0.0, NAN])),
    case("pow-i32", torch.pow, torch.tensor([2, -3, 1, -1, 0, 5], dtype=I32), torch.tensor([10, 3, 7, 5, 0, 2], dtype=I32)),
    case("pow-i32-negative", torch.pow, torch.tensor([1, -1, -1, 2, -2], dtype=I32), torch.tensor([-1, -1, -2, -1, -3], dtype=I32)),
    case("pow-i32-scalar", lambda x: x**5, I[:9]),
    case("pow-i64", lambda x: x**2, IA.long()),
    case("pow-scalar-base", lambda x: 2.5**x, X),
    case("pow-scalar-base-one", lambda x: 1**x, I[4:]),
    case("pow-scalar-base-int", lambda x: 3**x, I[4:9]),
    case("fmax", torch.fmax, EDGE, EDGE.flip(0)),
    case("fmin", torch.fmin, EDGE, EDGE.flip(0)),
    case("atan2", torch.atan2, torch.tensor([0.0, -0.0, 0.0, -0.0, 1.0, -1.0, 1.0, -1.0, INF, INF, -INF, 3.0, NAN, 0.0, 2.0]),
         torch.tensor([-1.0, -1.0, 0.0, -0.0, 0.0, 0.0, -1.0, -1.0, INF, -INF, -INF, INF, 1.0, NAN, 3.0])),
    case("atan2-broadcast", torch.atan2, A, B),
    case("hypot", torch.hypot, torch.tensor([3.0, 3e30, 0.0, INF, NAN, 1e-30]), torch.tensor([4.0, 4e30, 0.0, 1.0, 1.0, 1e-30])),
    case("copysign", torch.copysign, EDGE[:-1], EDGE[:-1].flip(0)),
    case("ldexp", torch.ldexp, A[0], torch.tensor([1, -2, 3, 0], dtype=I32)),
    case("logaddexp", torch.logaddexp, torch.tensor([0.0, 100.0, -INF, INF, -1e4]), torch.tensor([1.0, -100.0, -INF, 1.0, -1e4])),
    case("logaddexp2", torch.logaddexp2, A, B),
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
for op in "bitwise_and bitwise_or bitwise_xor".split():
    CASES += grid(op, getattr(torch, op), {"i32": (IA, IB), "i64": (IA.long(), IB.long()), "u8": (ints(0, 255, 6, dtype=U8), ints(0, 255, 6, dtype=U8))})
    CASES.append(case(f"{op}-scalar", lambda x, op=op: getattr(torch, op)(x, 5), IA))

# --- comparisons, selection ---------------------------------------------------------------------------
for op in "eq ne lt gt le ge".split():
    fn = getattr(torch, op)
    CASES += grid(op, fn, {"edge": (EDGE, EDGE.roll(1)), "same": (EDGE, EDGE.clone()), "i32": (IA, IB), "i32-f32": (IA, IB.float() + 0.5),
                           "f16": (EDGE.half(), EDGE.half()), "bool-i32": (BOOL, torch.tensor([1, 1, 0, 0], dtype=I32)),
                           "i64": (IA.long(), IA.long()), "bf16": (A.bfloat16(), A.bfloat16())})
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

# --- activations --------------------------------------------------------------------------------------
for name, fn in {
    "gelu": F.gelu, "gelu-tanh": lambda x: F.gelu(x, approximate="tanh"), "silu": F.silu, "relu": F.relu, "elu": F.elu,
    "elu-alpha": lambda x: F.elu(x, 0.7), "selu": F.selu, "celu": lambda x: F.celu(x, 0.6), "leaky_relu": F.leaky_relu,
    "hardsigmoid": F.hardsigmoid, "hardswish": F.hardswish, "softplus": F.softplus,
    "softplus-beta": lambda x: F.softplus(x, beta=3, threshold=5), "mish": F.mish, "logsigmoid": F.logsigmoid,
    "tanhshrink": F.tanhshrink, "softshrink": F.softshrink, "hardshrink": F.hardshrink, "softsign": F.softsign,
    "threshold": lambda x: F.threshold(x, 0.1, 0.2), "prelu": lambda x: F.prelu(x, torch.tensor([0.3], dtype=x.dtype)),
}.items():
    wide = torch.cat([X, torch.tensor([-30.0, -10.0, 10.0, 30.0])])
    CASES += grid(name, fn, {"f32": (wide,), "f16": (wide.half(),), "bf16": (wide.bfloat16(),)}, atol=1e-6 if name != "gelu" else None)
for name, fn in {"elu": F.elu, "leaky_relu": F.leaky_relu, "softplus": F.softplus, "hardsigmoid": F.hardsigmoid, "silu": F.silu, "hardswish": F.hardswish}.items():
    CASES.append(case(f"{name}-edge", fn, EDGE))
CASES.append(case("relu-i32", F.relu, I))

# --- casts --------------------------------------------------------------------------------------------
WILD = torch.tensor([300.0, -1.0, -300.5, 2.7, -2.7, 0.0, 255.0, 65536.5, 1e6])
for name, dtype in {"i8": I8, "u8": U8, "i16": I16, "i32": I32, "i64": I64, "f16": F16, "bf16": BF16, "f64": torch.float64, "bool": torch.bool}.items():
    CASES.append(case(f"cast-f32-{name}", lambda x, d=dtype: x.to(d), WILD))
    CASES.append(case(f"cast-i32-{name}", lambda x, d=dtype: x.to(d), torch.tensor([300, -1, 70000, 5, -129], dtype=I32)))
    CASES.append(case(f"cast-u8-{name}", lambda x, d=dtype: x.to(d), torch.tensor([0, 1, 200, 255], dtype=U8)))
    CASES.append(case(f"cast-bool-{name}", lambda x, d=dtype: x.to(d), BOOL))
    CASES.append(case(f"cast-f16-{name}", lambda x, d=dtype: x.to(d), WILD[:7].half()))
CASES += [
    case("cast-nan-bool", lambda x: x.bool(), EDGE),
    case("cast-nan-i8", lambda x: x.to(I8), torch.tensor([NAN, 1.0])),
    case("cast-i64-sum-i32", lambda x: (x.sum(0) + 2**33).to(I32), IA.long()),
    case("cast-round-trip", lambda x: x.int().float(), X),
    case("type_as", lambda x, y: x.type_as(y), X, I),
    case("clone", lambda x: x.clone() + 1, X),
    case("detach", lambda x: x.detach() * 2, X),
    case("copy", lambda x, y: x.clone().copy_(y) + 1, A, B),
    case("copy-dtype", lambda x, y: x.clone().copy_(y), ints(0, 3, 3, 4), B),
]

# --- sizes known at run time ------------------------------------------------------------------------
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

# --- no dims, no elements ---------------------------------------------------------------------------
CASES += [
    case("zero-d", lambda x: torch.exp(x) + 1, torch.tensor(0.5)),
    case("zero-d-int", lambda x: x // 2, torch.tensor(-7)),
    case("zero-d-where", lambda x: torch.where(x > 0, x, -x), torch.tensor(-0.5)),
    case("empty", lambda x: torch.exp(x) + 1, torch.zeros(0, 3)),
    case("empty-int", lambda x: x % 3 + 2, torch.zeros(0, dtype=I32)),
]


def test_elementwise(case):
    check(CASES, case)
