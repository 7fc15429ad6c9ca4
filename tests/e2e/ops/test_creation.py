"""plugins/aten/creation against eager: tensors from numbers."""

import torch
from harness import case, check, ints, normal
from harness.values import BF16, F16, F32, I8, I32, I64, INF, NAN, U8

X = normal(2, 3)
N = lambda n: (normal(n, 3),)  # noqa: E731
DTYPES = {"f32": F32, "f16": F16, "bf16": BF16, "i32": I32, "i64": I64, "i8": I8, "u8": U8, "bool": torch.bool}


def made(fn):
    """Something that has to be computed beside an input, or the program would be a constant."""
    return lambda x: (x, *fn(x))


CASES = []
for name, dtype in DTYPES.items():
    fill = lambda x, d=dtype: (  # noqa: E731
        torch.full((2, 3), 1, dtype=d),
        torch.zeros(2, 3, dtype=d),
        torch.ones((), dtype=d),
        torch.zeros_like(x, dtype=d),
        torch.ones_like(x, dtype=d),
        torch.full_like(x, 3, dtype=d),
        x.new_full((2,), 4, dtype=d),
        x.new_zeros(3, dtype=d),
        x.new_ones((1, 2), dtype=d),
        torch.scalar_tensor(1, dtype=d),
        torch.full((0, 2), 1, dtype=d),
    )
    CASES.append(case(f"fill-{name}", made(fill), X))
    CASES.append(case(f"fill-whole-{name}", made(fill), X, raw=True))
    if name != "bool":
        CASES.append(
            case(
                f"arange-{name}",
                made(
                    lambda x, d=dtype: (
                        torch.arange(5, dtype=d),
                        torch.arange(1, 10, 3, dtype=d),
                        torch.arange(9, 1, -2, dtype=d),
                    )
                ),
                X,
            )
        )
    CASES.append(
        case(
            f"eye-{name}",
            made(lambda x, d=dtype: (torch.eye(3, dtype=d), torch.eye(2, 4, dtype=d), torch.eye(4, 1, dtype=d))),
            X,
        )
    )
    CASES.append(
        case(
            f"eye-whole-{name}", made(lambda x, d=dtype: (torch.eye(3, dtype=d), torch.eye(2, 4, dtype=d))), X, raw=True
        )
    )
CASES += [
    case(
        "full-kinds",
        made(
            lambda x: (
                torch.full((2,), 1.5),
                torch.full((2,), True),
                torch.full((2,), 7),
                torch.full((2,), 1.5, dtype=I32),
                torch.full((), -3.7, dtype=I64),
            )
        ),
        X,
    ),
    case(
        "full-odd",
        made(
            lambda x: (
                torch.full((2,), NAN),
                torch.full((2,), INF),
                torch.full((2,), -INF, dtype=F16),
                torch.full((2,), 6e4, dtype=F16),
                torch.full((2,), 0.1, dtype=BF16),
            )
        ),
        X,
    ),
    case(
        "full-complex",
        made(
            lambda x: (
                torch.full((2,), 1 + 2j),
                torch.full((2, 2), 3, dtype=torch.complex64),
                torch.zeros(2, dtype=torch.complex64),
            )
        ),
        X,
    ),
    case("full-wide", made(lambda x: (torch.full((2,), 2**40), torch.full((2,), -(2**40)) + 1)), X),
    case("full-large", made(lambda x: (torch.full((300, 3), 1.5), torch.zeros(1000))), X),
    case(
        "full-tensor-fill",
        lambda x, s: (torch.full((2, 2), 2.0) * s, x.new_full((2, 3), 1.0) + x),
        X,
        torch.tensor(2.5),
    ),
    case("full-from-item", lambda x, s: torch.full((2, 3), s.item()) + x, X, torch.tensor(2.5)),
    case(
        "full_like-kinds",
        lambda x: (torch.full_like(x, 2.7), torch.full_like(x, True), torch.zeros_like(x), torch.ones_like(x)),
        ints(0, 9, 2, 3),
    ),
    case(
        "full_like-bool",
        lambda x: (torch.full_like(x, True), torch.zeros_like(x), torch.ones_like(x, dtype=F32)),
        X > 0,
    ),
    case(
        "empty-shaped",
        lambda x: (
            torch.zeros_like(x),
            torch.ones_like(x),
            torch.full_like(x, 2.0),
            x.new_zeros(0),
            torch.full((0,), 1),
        ),
        torch.zeros(2, 0),
    ),
    case(
        "zero-d",
        lambda s: (torch.zeros_like(s), torch.full_like(s, 2.0), s.new_ones(()), s.new_full((), 3)),
        torch.tensor(2.5),
    ),
    case(
        "uninitialized",
        lambda x: tuple(
            t.shape[0] * 0 + torch.zeros_like(t) for t in (torch.empty(2, 3), torch.empty_like(x), x.new_empty(4))
        ),
        X,
    ),
    case(
        "uninitialized-written",
        lambda x: (
            torch.empty(2, 3).fill_(2.0) + x,
            torch.empty_like(x).copy_(x),
            x.new_empty(2, 3).zero_(),
            torch.empty_permuted((2, 3), (1, 0)).fill_(1.0),
            torch.empty_strided((2, 3), (3, 1)).fill_(1.0),
        ),
        X,
    ),
    case(
        "uninitialized-whole",
        lambda x: tuple(
            torch.zeros_like(t) + x
            for t in (
                torch.empty_like(x),
                torch.empty(2, 3),
                x.new_empty(2, 3),
                torch.empty_strided((2, 3), (3, 1)),
                torch.empty_permuted((2, 3), (1, 0)),
            )
        ),
        X,
        raw=True,
    ),
    # --- arange
    case(
        "arange-int",
        made(
            lambda x: (
                torch.arange(5),
                torch.arange(-3, 4),
                torch.arange(3, -4, -1),
                torch.arange(0, 10, 3),
                torch.arange(10, 0, -3),
            )
        ),
        X,
    ),
    case(
        "arange-float",
        made(
            lambda x: (
                torch.arange(5.0),
                torch.arange(0.5, 3.0),
                torch.arange(0, 1, 0.1),
                torch.arange(1.0, -1.0, -0.25),
                torch.arange(0, 2, 0.3),
            )
        ),
        X,
    ),
    case(
        "arange-empty",
        made(lambda x: (torch.arange(0), torch.arange(3, 3), torch.arange(0.0), torch.arange(5, 5, -1))),
        X,
    ),
    case(
        "arange-float-to-int",
        made(
            lambda x: (
                torch.arange(0.5, 5.7, dtype=I64),
                torch.arange(1.9, 8.1, 2, dtype=I32),
                torch.arange(5.5, dtype=I64),
            )
        ),
        X,
    ),
    case(
        "arange-int-to-float",
        made(
            lambda x: (
                torch.arange(5, dtype=F32),
                torch.arange(1, 10, 3, dtype=F16),
                torch.arange(3, -3, -2, dtype=BF16),
            )
        ),
        X,
    ),
    case(
        "arange-large",
        made(
            lambda x: (
                torch.arange(2**31 - 3, 2**31 + 3),
                torch.arange(2**40, 2**40 + 6, 3),
                torch.arange(1e6, 1e6 + 5),
                torch.arange(3000),
            )
        ),
        X,
    ),
    case(
        "arange-large-half",
        made(
            lambda x: (
                torch.arange(2045, 2055, dtype=F16),
                torch.arange(254, 262, dtype=BF16),
                torch.arange(0, 70, 7.3, dtype=F16),
            )
        ),
        X,
    ),
    case(
        "arange-third",
        made(lambda x: (torch.arange(0, 1, 1 / 3), torch.arange(0, 100, 0.7), torch.arange(-1, 1, 0.01))),
        X,
    ),
    case(
        "arange-whole",
        made(lambda x: (torch.arange(5), torch.arange(1, 4), torch.arange(1.0, 3.0), torch.arange(0, 10, 3))),
        X,
        raw=True,
    ),
    case(
        "linspace",
        made(
            lambda x: (
                torch.linspace(0, 1, 5),
                torch.linspace(-2, 3, 7),
                torch.linspace(1, 1, 1),
                torch.logspace(0, 2, 3),
            )
        ),
        X,
    ),
    case(
        "tri",
        lambda x: (
            torch.tril(x),
            torch.triu(x, 1),
            torch.tril(x, -1),
            torch.tril_indices(3, 3),
            torch.triu_indices(2, 3, 1),
            torch.tril_indices(2, 2, -5),
        ),
        X,
    ),
    case("eye-odd", made(lambda x: (torch.eye(0), torch.eye(1), torch.eye(3, 0))), X),
    case("one-hot-by-eye", lambda i: torch.eye(4)[i], torch.tensor([3, 0, 1])),
    case("meshgrid", made(lambda x: torch.meshgrid(torch.arange(3), torch.arange(2), indexing="ij")), X),
    case(
        "scalar_tensor",
        made(
            lambda x: (
                torch.scalar_tensor(1.5),
                torch.scalar_tensor(7, dtype=I64),
                torch.scalar_tensor(True, dtype=torch.bool),
                torch.tensor(0.1),
            )
        ),
        X,
    ),
    # --- sizes known only at run time
    case(
        "dynamic-full",
        lambda x: (
            torch.full((x.shape[0], 3), 1.5),
            torch.full((2, x.shape[0]), True),
            torch.full((x.shape[0],), 7, dtype=I64),
            torch.full((x.shape[0] * 2, 1), -INF),
        ),
        N,
    ),
    case(
        "dynamic-like",
        lambda x: (
            torch.zeros_like(x),
            torch.ones_like(x, dtype=torch.bool),
            torch.full_like(x, 2.5),
            torch.full_like(x, 2, dtype=F16),
        ),
        N,
    ),
    case(
        "dynamic-new",
        lambda x: (
            x.new_zeros(x.shape[0], 2),
            x.new_ones(x.shape[0]),
            x.new_full((1, x.shape[0]), 4.0),
            torch.ones(x.shape[0], x.shape[0], dtype=torch.bool),
        ),
        N,
    ),
    case(
        "dynamic-whole",
        lambda x: (
            x.new_zeros(x.shape[0], 2),
            torch.ones(x.shape[0], 2),
            torch.zeros(2, x.shape[0]),
            x.new_ones(x.shape[0]),
        ),
        N,
        raw=True,
    ),
    case(
        "dynamic-fill",
        lambda x: (
            torch.full((2, 2), x.shape[0]),
            torch.full((x.shape[0],), x.shape[0]),
            torch.full_like(x, x.shape[0]),
        ),
        N,
    ),
    case(
        "dynamic-arange",
        lambda x: (
            torch.arange(x.shape[0]),
            torch.arange(1, x.shape[0]),
            torch.arange(0, x.shape[0], 2),
            torch.arange(x.shape[0], 0, -1),
        ),
        N,
    ),
    case(
        "dynamic-arange-float",
        lambda x: (
            torch.arange(x.shape[0] * 1.0),
            torch.arange(0, x.shape[0], 0.5),
            torch.arange(0.5, x.shape[0]),
            torch.arange(x.shape[0], dtype=F32),
        ),
        N,
    ),
    case(
        "dynamic-arange-step",
        lambda x: (
            torch.arange(0, 10 * x.shape[0], x.shape[0]),
            torch.arange(x.shape[0], dtype=F16),
            torch.arange(x.shape[0], 2 * x.shape[0]),
        ),
        N,
    ),
    case(
        "dynamic-arange-offset",
        lambda x, y: torch.arange(y.shape[0], y.shape[0] + x.shape[0]),
        lambda n: (normal(n, 3), normal(n + 2, 1)),
    ),
    case("dynamic-arange-half", lambda x: (torch.arange(x.shape[0] / 2), torch.arange(0, x.shape[0], 1.5)), N),
    case("dynamic-eye", lambda x: (torch.eye(x.shape[0]), torch.eye(x.shape[0], 4), torch.eye(2, x.shape[0])), N),
    case("dynamic-eye-whole", lambda x: (torch.eye(x.shape[0]), torch.eye(x.shape[0], 4)), N, raw=True),
    case(
        "dynamic-tri",
        lambda x: (torch.tril(x), torch.triu(x, 1), torch.tril(torch.ones(x.shape[0], x.shape[0], dtype=torch.bool))),
        N,
    ),
    case("dynamic-positions", lambda x: torch.arange(x.shape[0]).unsqueeze(0).expand(2, -1), N),
]


def test_creation(case):
    check(CASES, case)
