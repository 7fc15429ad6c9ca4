"""plugins/aten/symbolic against eager: arithmetic over sizes, and sizes as outputs."""

import math

import torch
from harness import case, check, ints, normal

N = lambda n: (normal(n, 3),)  # noqa: E731
TWO = lambda n: (normal(n, 3), normal(2 * n + 1, 2))  # noqa: E731


def sized(fn):
    """Sizes beside a tensor made with them: what is not read would not be computed."""
    return lambda x: (x * fn(x.shape[0]), torch.full((2,), 1.0) * fn(x.shape[0]))


INT = {
    "add": lambda n: n + 3,
    "radd": lambda n: 3 + n,
    "sub": lambda n: n - 3,
    "rsub": lambda n: 3 - n,
    "mul": lambda n: n * 3,
    "square": lambda n: n * n,
    "floordiv": lambda n: n // 2,
    "floordiv-negative": lambda n: (n - 9) // 2,
    "floordiv-by-negative": lambda n: n // -2,
    "mod": lambda n: n % 2,
    "mod-4": lambda n: n % 4,
    "mod-negative": lambda n: (n - 9) % 4,
    "pow": lambda n: n**2,
    "neg": lambda n: -n,
    "abs": lambda n: abs(n - 9),
    "max": lambda n: torch.sym_max(n, 4),
    "min": lambda n: torch.sym_min(n, 4),
    "max-two": lambda n: torch.sym_max(n, 2 * n - 4),
    "ceil": lambda n: math.ceil(n / 2),
    "floor": lambda n: math.floor(n / 2),
    "floor-negative": lambda n: math.floor((n - 9) / 2),
    "ceil-negative": lambda n: math.ceil((n - 9) / 2),
    "trunc": lambda n: math.trunc(n / 2),
    "round": lambda n: round(n / 2),
    "ceil-div": lambda n: (n + 1) // 2,
    "round-up": lambda n: (n + 3) // 4 * 4,
    "chain": lambda n: ((n * 2 + 1) // 3 - n) * (n % 3 + 1),
    "sym_int": lambda n: torch.sym_int(n / 2),
}
FLOAT = {
    "truediv": lambda n: n / 2,
    "rtruediv": lambda n: 1 / n,
    "truediv-two": lambda n: (n + 1) / n,
    "float-mul": lambda n: n * 0.5,
    "float-add": lambda n: n + 0.25,
    "float-sub": lambda n: 0.25 - n,
    "sym_float": lambda n: torch.sym_float(n) / 3,
    "sqrt": lambda n: torch.sym_sqrt(n),
    "pow-half": lambda n: n**0.5,
    "pow-negative": lambda n: n**-1,
}
CASES = [case(f"int-{name}", sized(fn), N) for name, fn in INT.items()]
CASES += [case(f"float-{name}", sized(fn), N) for name, fn in FLOAT.items()]
# As outputs: symbolic ints are tensors of one element.
CASES += [case(f"out-{name}", lambda x, f=fn: (x, f(x.shape[0])), N) for name, fn in INT.items()]
CASES += [
    case("out-size", lambda x: (x.shape[0], x.shape[1], x.numel(), x + 1), N),
    case(
        "out-two",
        lambda x, y: (x.shape[0] + y.shape[0], x.shape[0] * y.shape[0], y.shape[0] // x.shape[0], x.sum()),
        TWO,
    ),
    case("out-float", lambda x: (x, x.shape[0] / 2), N),
    case("numel", lambda x: (x / x.numel(), x.sum() / x[0].numel(), x.reshape(x.numel())), N),
    case("dim-sizes", lambda x: x.new_full((x.size(0), x.size(-1)), float(x.dim())), N),
    case(
        "two-sizes",
        lambda x, y: (
            x.sum() * (x.shape[0] + y.shape[0]),
            x.sum() * (y.shape[0] % x.shape[0]),
            x.new_zeros(y.shape[0] - x.shape[0]),
        ),
        TWO,
    ),
    case(
        "slice-by-arithmetic",
        lambda x: (x[: x.shape[0] // 2], x[x.shape[0] % 2 :], x[x.shape[0] - 2 :], x[: -(x.shape[0] // 3) or None]),
        N,
    ),
    case("reshape-by-arithmetic", lambda x: (x.reshape(x.shape[0] * 3), x.reshape(-1, x.shape[0])), N),
    case(
        "compare-tensor",
        lambda x: (torch.arange(x.shape[0]) < x.shape[0] - 1, x > x.shape[0], x.new_full((2,), 4.0) >= x.shape[0]),
        N,
    ),
    case("where-size", lambda x: torch.where(x > 0, x.shape[0], x.shape[0] * 2.0), N),
    case(
        "arithmetic-on-tensor",
        lambda x: (
            x + x.shape[0],
            x.shape[0] - x,
            x / x.shape[0],
            x * (x.shape[0] ** 0.5),
            torch.pow(x.abs(), x.shape[0]),
        ),
        N,
    ),
    case(
        "arithmetic-on-ints",
        lambda x: (x + x.shape[0], x // x.shape[0], x % x.shape[0], x.shape[0] - x),
        lambda n: (ints(-9, 9, n, 3),),
    ),
    case("clamp-by-size", lambda x: (x.clamp(0, x.shape[0]), (x * 10).clamp(max=x.shape[0] - 3)), N),
    case("mean-by-hand", lambda x: x.sum(0) / x.shape[0], N),
    case("item-int", lambda x, i: (x * i.item(), i.item() + 1), normal(2, 3), torch.tensor(3)),
    case("item-float", lambda x, s: (x * s.item(), x + s.item()), normal(2, 3), torch.tensor(2.5)),
    case("item-bool", lambda x, s: x * s.item(), normal(2, 3), torch.tensor(True)),
    case("item-of-one", lambda x, s: x * s.item(), normal(2, 3), torch.tensor([[7]])),
    case("item-of-index", lambda x, i: x * i[1].item(), normal(2, 3), torch.tensor([3, 5])),
    case("tolist", lambda x, i: x * i.tolist()[0] + i.tolist()[1], normal(2, 3), torch.tensor([3, 5])),
]


def item_as_size(x, i):
    n = i.item()
    torch._check(n >= 1)
    torch._check(n <= 2)
    return x.new_zeros(n), x[:n]


def int_division(x):
    a, b = x.shape[0] // 2, x.shape[0] % 2
    return x * a, x * b


def ternary(x):
    n = x.shape[0]
    return x * torch.sym_ite(n > 4, n, 2 * n), x * torch.sym_ite(torch.sym_not(n > 4), 1, 2)


def comparisons(x):
    n = x.shape[0]
    flags = [n > 4, n >= 5, n < 4, n <= 3, torch.sym_not(n > 4)]
    return tuple(x * torch.sym_ite(f, 2, 3) for f in flags)


CASES += [
    case("item-as-size", item_as_size, normal(3, 4), torch.tensor(2)),
    case("division-and-rest", int_division, N),
    case("ternary", ternary, N),
    case("comparisons", comparisons, N),
]


def test_symbolic(case):
    check(CASES, case)
