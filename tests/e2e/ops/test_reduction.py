"""plugins/aten/reduction against eager."""

import torch
from harness import case, check, grid, ints, normal
from harness.values import BF16, F16, I8, I32, INF, NAN, U8

X = normal(3, 4, 5)
WHOLE = ints(-9, 9, 3, 4)
BOOL = torch.tensor([[True, False, True], [True, True, True], [False, False, False]])
HOLES = torch.tensor([[1.0, NAN, 3.0, NAN], [2.0, 2.0, -1.0, 2.0], [INF, -INF, 0.0, INF], [INF, 1.0, NAN, INF]])

CASES = []

# --- sums, products, means ----------------------------------------------------------------------------
for name, fn in {
    "all": lambda f: lambda x: f(x),
    "last": lambda f: lambda x: f(x, dim=-1),
    "first-keep": lambda f: lambda x: f(x, dim=0, keepdim=True),
}.items():
    for op in ["sum", "mean", "prod", "amax", "amin", "var", "std"]:
        call = fn(getattr(torch, op))
        CASES += grid(f"{op}-{name}", call, {"f32": (X,), "f16": (X.half(),), "bf16": (X.bfloat16(),)}, rtol=None)
for op in ["sum", "mean", "amax", "amin", "var", "std", "logsumexp"]:
    f = getattr(torch, op)
    CASES.append(case(f"{op}-two", lambda x, f=f: f(x, dim=(0, 2)), X))
    CASES.append(case(f"{op}-two-keep", lambda x, f=f: f(x, dim=(-1, 0), keepdim=True), X))
CASES += [
    case("sum-none", lambda x: torch.sum(x, dim=None), X),
    case("sum-empty-list", lambda x: torch.sum(x, dim=[]), X),
    case("mean-none", lambda x: torch.mean(x, dim=None), X),
    case("amax-empty-list", lambda x: torch.amax(x, dim=()), X),
    case("amin-no-dims", torch.amin, X),
    case("var-none", lambda x: torch.var(x, dim=None), X),
    case("sum-i32", torch.sum, torch.full((4,), 2**30, dtype=I32)),
    case("sum-i64-dim", lambda x: x.sum(1), torch.full((2, 4), 2**30)),
    case("sum-i8", torch.sum, torch.full((300,), 100, dtype=I8)),
    case("sum-u8", torch.sum, torch.full((300,), 200, dtype=U8)),
    case("sum-bool", torch.sum, BOOL),
    case("sum-i32-as-i32", lambda x: torch.sum(x, dtype=I32), WHOLE),
    case("sum-i32-as-f32", lambda x: torch.sum(x, dtype=torch.float32), WHOLE),
    case("sum-f16-as-f32", lambda x: torch.sum(x, dtype=torch.float32), torch.full((4,), 60000.0, dtype=F16)),
    case("sum-f16-passes-over", torch.sum, torch.tensor([60000.0, 60000.0, -60000.0], dtype=F16)),
    case("sum-f16-long", torch.sum, torch.full((4096,), 0.1, dtype=F16)),
    case("sum-bf16-long", torch.sum, torch.full((4096,), 0.1, dtype=BF16)),
    case("sum-edge", lambda x: x.sum(1), HOLES),
    case("sum-then-add", lambda x: x.sum() + x, WHOLE),
    case("sum-then-index", lambda x: x.sum(0) * 2 - 1, WHOLE.long()),
    case("prod-i32", torch.prod, torch.full((5,), 1000, dtype=I32)),
    case("prod-bool", torch.prod, BOOL),
    case("prod-dim-i32", lambda x: torch.prod(x, 1), WHOLE),
    case("mean-f16-large", torch.mean, torch.full((4,), 60000.0, dtype=F16)),
    case("mean-f16-long", torch.mean, torch.full((4096,), 0.1, dtype=F16)),
    case("mean-i32-as-f32", lambda x: torch.mean(x, dtype=torch.float32), WHOLE),
    case("mean-edge", lambda x: x.mean(1), HOLES),
    case("var-biased", lambda x: torch.var(x, 1, unbiased=False), X),
    case("var-correction", lambda x: torch.var(x, 1, correction=2), X),
    case("var-f16-large", lambda x: torch.var(x, 0), torch.tensor([300.0, -300.0, 100.0], dtype=F16)),
    case("var-one", lambda x: torch.var(x, 0), torch.ones(1, 3)),
    case("var_mean", lambda x: torch.var_mean(x, 1), X),
    case("std_mean", lambda x: torch.std_mean(x, (0, 1), keepdim=True), X),
    case("logsumexp-large", lambda x: torch.logsumexp(x, 1), X[0] * 500),
    case(
        "logsumexp-edge",
        lambda x: torch.logsumexp(x, 1),
        torch.tensor([[-INF, -INF], [INF, 1.0], [-INF, 2.0], [NAN, 1.0]]),
    ),
    case("nansum", torch.nansum, HOLES),
    case("nanmean", lambda x: torch.nanmean(x[:2], 1), HOLES),
    case("count_nonzero", torch.count_nonzero, WHOLE),
    case("count_nonzero-dim", lambda x: torch.count_nonzero(x, 0), WHOLE),
    case("any", torch.any, BOOL),
    case("all", torch.all, BOOL),
    case("any-dim", lambda x: torch.any(x, 1), BOOL),
    case("all-dim", lambda x: torch.all(x, 1, keepdim=True), BOOL),
    case("any-dims", lambda x: torch.any(x, (0, 1)), BOOL),
    case("all-dims", lambda x: torch.all(x, (0, 1)), BOOL),
    case("any-f32", lambda x: torch.any(x, 1), HOLES),
    case("any-i32", lambda x: torch.any(x, 0), WHOLE),
    case("any-u8", torch.any, torch.tensor([0, 3], dtype=U8)),
    case("amax-bool", lambda x: torch.amax(x, 1), BOOL),
    case("amin-bool", lambda x: torch.amin(x, 1), BOOL),
    case("max-all-bool", torch.max, BOOL),
    case("aminmax", lambda x: torch.aminmax(x, dim=1), X),
]
for op in ["amax", "amin", "max", "min"]:
    f = getattr(torch, op)
    CASES.append(case(f"{op}-all-nan", f, HOLES))
    CASES.append(case(f"{op}-all-i32", f, WHOLE))
for p in (0, 1, 2, 3, 0.5, INF, -INF):
    CASES += grid(
        f"vector_norm-{p}", lambda x, p=p: torch.linalg.vector_norm(x, p, dim=1), {"f32": (X,), "f16": (X.half(),)}
    )
CASES += [
    case("vector_norm-all", lambda x: torch.linalg.vector_norm(x), X),
    case("vector_norm-keep", lambda x: torch.linalg.vector_norm(x, dim=(0, 1), keepdim=True), X),
    case("vector_norm-f16-large", lambda x: torch.linalg.vector_norm(x), torch.tensor([300.0, 300.0], dtype=F16)),
    case("norm", lambda x: x.norm(), X),
    case("norm-3", lambda x: x.norm(3, dim=1), X),
    case("normalize", lambda x: torch.nn.functional.normalize(x, dim=1), X),
    case("cosine_similarity", lambda x: torch.cosine_similarity(x, x.flip(0), dim=2), X),
]

# --- where the extreme is -----------------------------------------------------------------------------
for op in ["argmax", "argmin"]:
    f = getattr(torch, op)
    CASES += [
        case(f"{op}-all", f, X),
        case(f"{op}-dim", lambda x, f=f: f(x, dim=1), X),
        case(f"{op}-keep", lambda x, f=f: f(x, dim=-1, keepdim=True), X),
        case(f"{op}-nan", lambda x, f=f: f(x, dim=1), HOLES),
        case(f"{op}-all-nan", f, HOLES),
        case(f"{op}-ties", f, torch.tensor([1.0, 2.0, 2.0, 1.0])),
        case(f"{op}-i32", lambda x, f=f: f(x, dim=0), WHOLE),
        case(f"{op}-u8", f, torch.tensor([3, 0, 255, 0, 255], dtype=U8)),
        case(f"{op}-i8-limits", f, torch.tensor([0, -128, 127, -128, 127], dtype=I8)),
        case(f"{op}-f16", lambda x, f=f: f(x, dim=1), X.half()),
        case(f"{op}-keep-all", lambda x, f=f: f(x, keepdim=True), X),
    ]
for op in ["max", "min"]:
    f = getattr(torch, op)
    CASES += [
        case(f"{op}-dim", lambda x, f=f: f(x, 1), X),
        case(f"{op}-dim-keep", lambda x, f=f: f(x, -1, keepdim=True), X),
        case(f"{op}-dim-nan", lambda x, f=f: f(x, 1), HOLES),
        case(f"{op}-dim-i32", lambda x, f=f: f(x, 1), WHOLE),
        case(f"{op}-dim-bool", lambda x, f=f: f(x, 1), BOOL),
        case(f"{op}-dim-values", lambda x, f=f: f(x, 1)[0], X),
        case(f"{op}-dim-indices", lambda x, f=f: f(x, 1)[1], X),
        case(f"{op}-dim-bf16", lambda x, f=f: f(x, 1), X.bfloat16()),
    ]

# --- running ------------------------------------------------------------------------------------------
for op in ["cumsum", "cumprod"]:
    f = getattr(torch, op)
    CASES += grid(
        op,
        lambda x, f=f: f(x, 1),
        {"f32": (X,), "f16": (X.half(),), "bf16": (X.bfloat16(),), "i32": (WHOLE,), "bool": (BOOL,)},
    )
CASES += [
    case("cumsum-last", lambda x: x.cumsum(-1), X),
    case("cumsum-first", lambda x: x.cumsum(0), X),
    case("cumsum-i32-wide", lambda x: x.cumsum(0), torch.full((4,), 2**30, dtype=I32)),
    case("cumsum-i8", lambda x: x.cumsum(0), torch.full((9,), 100, dtype=I8)),
    case("cumsum-f16-passes-over", lambda x: x.cumsum(0), torch.tensor([60000.0, 60000.0, -60000.0], dtype=F16)),
    case("cumsum-dtype", lambda x: x.cumsum(0, dtype=torch.float32), WHOLE),
    case("cummax", lambda x: x.cummax(1), X),
    case("cummin", lambda x: x.cummin(0), X),
    case("cummax-nan", lambda x: x.cummax(1), HOLES),
    case("cummin-nan", lambda x: x.cummin(1), HOLES),
    case("cummax-i32", lambda x: x.cummax(1), WHOLE),
    case("cummax-ties", lambda x: x.cummax(0), torch.tensor([1.0, 3.0, 3.0, 2.0, 3.0])),
]

# --- order ----------------------------------------------------------------------------------------------
for descending in (False, True):
    tag = "down" if descending else "up"
    CASES += [
        case(f"sort-{tag}", lambda x, d=descending: torch.sort(x, dim=1, descending=d), X),
        case(f"sort-{tag}-nan", lambda x, d=descending: torch.sort(x, dim=1, descending=d, stable=True), HOLES),
        case(f"sort-{tag}-i32", lambda x, d=descending: torch.sort(x, dim=1, descending=d, stable=True), WHOLE),
        case(f"sort-{tag}-bool", lambda x, d=descending: torch.sort(x, dim=1, descending=d, stable=True), BOOL),
        case(f"sort-{tag}-f16", lambda x, d=descending: torch.sort(x, descending=d, stable=True), HOLES.half()),
        case(
            f"sort-{tag}-ties",
            lambda x, d=descending: torch.sort(x, descending=d, stable=True),
            torch.tensor([1.0, 0.0, 1.0, 0.0, 2.0, 1.0]),
        ),
        case(f"argsort-{tag}", lambda x, d=descending: torch.argsort(x, dim=0, descending=d), X),
        case(f"topk-{tag}", lambda x, d=descending: torch.topk(x, 2, dim=1, largest=d), X),
        case(f"topk-{tag}-nan", lambda x, d=descending: torch.topk(x, 3, largest=d)[0], HOLES),
        case(f"topk-{tag}-i32", lambda x, d=descending: torch.topk(x, 3, dim=0, largest=d)[0], WHOLE),
        case(f"topk-{tag}-bf16", lambda x, d=descending: torch.topk(x, 3, largest=d)[0], X.bfloat16()),
    ]
CASES += [
    case("sort-values", lambda x: torch.sort(x)[0], X),
    case("sort-indices", lambda x: torch.sort(x)[1], X),
    case("msort", torch.msort, X),
    case("kthvalue", lambda x: torch.kthvalue(x, 2, dim=1), X),
    case("kthvalue-keep", lambda x: torch.kthvalue(x, 1, dim=-1, keepdim=True), X),
]

# --- sizes known at run time ------------------------------------------------------------------------
N = lambda n: (normal(2, n, 3),)  # noqa: E731
CASES += [
    case("dynamic-sum", lambda x: x.sum(1), N),
    case("dynamic-sum-all", lambda x: x.sum(), N),
    case("dynamic-mean", lambda x: x.mean(-2, keepdim=True), N),
    case("dynamic-mean-other", lambda x: x.mean(0), N),
    case("dynamic-var", lambda x: x.var(1), N),
    case("dynamic-var-all", torch.var, N),
    case("dynamic-argmax", lambda x: x.argmax(1), N),
    case("dynamic-argmax-all", lambda x: x.argmax(), N),
    case("dynamic-max", lambda x: x.max(1), N),
    case("dynamic-cumsum", lambda x: x.cumsum(1), N),
    case("dynamic-cummax", lambda x: x.cummax(1), N),
    case("dynamic-sort", lambda x: x.sort(1, descending=True), N),
    case("dynamic-topk", lambda x: x.topk(2, dim=1), N),
    case("dynamic-norm", lambda x: x.norm(dim=1), N),
    case("dynamic-logsumexp", lambda x: torch.logsumexp(x, 1), N),
    case("dynamic-any", lambda x: (x > 0).any(1), N),
    case("dynamic-sum-int", lambda x: x.sum(0), lambda n: (ints(-9, 9, n, 2),)),
]

# --- no dims, no elements ---------------------------------------------------------------------------
S = torch.tensor(2.5)
CASES += [
    case("zero-d-sum", torch.sum, S),
    case("zero-d-mean", torch.mean, S),
    case("zero-d-amax", torch.amax, S),
    case("zero-d-sum-dim", lambda x: torch.sum(x, 0), S),
    case("zero-d-argmax", torch.argmax, S),
    case("zero-d-max-dim", lambda x: torch.max(x, 0), S),
    case("zero-d-cumsum", lambda x: torch.cumsum(x, 0), S),
    case("zero-d-sort", torch.sort, S),
    case("zero-d-var", lambda x: torch.var(x, unbiased=False), S),
    case("zero-d-sum-i32", torch.sum, torch.tensor(3, dtype=I32)),
    case("zero-d-norm", torch.linalg.vector_norm, S),
    case("zero-d-topk", lambda x: torch.topk(x, 1), S),
    case("zero-d-all", torch.all, torch.tensor(True)),
    case("empty-sum", lambda x: x.sum(0), torch.zeros(0, 3)),
    case("empty-sum-all", torch.sum, torch.zeros(0, 3)),
    case("empty-mean", lambda x: x.mean(0), torch.zeros(0, 3)),
    case("empty-prod", lambda x: x.prod(0), torch.zeros(0, 3)),
    case("empty-any", lambda x: x.any(0), torch.zeros(0, 3, dtype=torch.bool)),
    case("empty-all", lambda x: x.all(0), torch.zeros(0, 3, dtype=torch.bool)),
    case("empty-amax-other", lambda x: x.amax(1), torch.zeros(0, 3)),
    case("empty-cumsum", lambda x: x.cumsum(0), torch.zeros(0, 3)),
    case("empty-sort", lambda x: x.sort(0), torch.zeros(0, 3)),
]


def test_reduction(case):
    check(CASES, case)
