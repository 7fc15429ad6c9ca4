"""plugins/aten/control_flow against eager: branches and loops."""

import torch
from harness import case, check, ints, normal
from torch._higher_order_ops.while_loop import while_loop

X = normal(2, 3)
N = lambda n: (normal(n, 3),)  # noqa: E731
CAPTURED = torch.tensor([1.0, 2.0, 3.0])
CASES = []


def both(name, fn, *inputs, **options):
    """Two cases: one for each way the condition goes."""
    CASES.append(case(f"{name}-true", fn, *inputs, **options))
    CASES.append(case(f"{name}-false", fn, *[-x.abs() if i == 0 else x for i, x in enumerate(inputs)], **options))


P = X.abs()
both("cond", lambda a: torch.cond(a.sum() > 0, lambda t: t + 1, lambda t: t * 2, (a,)), P)
both(
    "cond-two-results",
    lambda a: torch.cond(a.sum() > 0, lambda t: (t + 1, t.sum()), lambda t: (t * 2, t.mean()), (a,)),
    P,
)
both("cond-two-inputs", lambda a, b: torch.cond(a.sum() > 0, lambda t, u: t + u, lambda t, u: t * u - t, (a, b)), P, X)
both("cond-captured", lambda a: torch.cond(a.sum() > 0, lambda t: t + CAPTURED, lambda t: t * CAPTURED, (a,)), P)
both("cond-int", lambda a: torch.cond(a.sum() > 0, lambda t: t + 1, lambda t: t // 2, (a,)), ints(1, 9, 2, 3))
both(
    "cond-int64", lambda a: torch.cond(a.sum() > 0, lambda t: t.sum(), lambda t: t.max(), (a,)), ints(1, 9, 2, 3).long()
)
both(
    "cond-count",
    lambda a: torch.cond(a.sum() > 0, lambda t: (t > 0).sum(), lambda t: torch.zeros((), dtype=torch.int64), (a,)),
    P,
)
both("cond-bool", lambda a: torch.cond(a.sum() > 0, lambda t: t > 0, lambda t: t < -1, (a,)), P)
both("cond-f16", lambda a: torch.cond(a.sum() > 0, lambda t: t + 1, lambda t: t * 0.1, (a,)), P.half())
both(
    "cond-constants",
    lambda a: torch.cond(a.sum() > 0, lambda t: torch.ones(2, 3), lambda t: torch.zeros(2, 3), (a,)),
    P,
)
both("cond-unused", lambda a, b: torch.cond(a.sum() > 0, lambda t, u: t.clone(), lambda t, u: u.clone(), (a, b)), P, X)
both("cond-then-used", lambda a: torch.cond(a.sum() > 0, lambda t: t + 1, lambda t: t - 1, (a,)).sum() * a, P)


def nested(a):
    def deep(t):
        return torch.cond(t.max() > 1, lambda u: u * 2, lambda u: u - 1, (t,))

    return torch.cond(a.sum() > 0, deep, lambda t: t * 3, (a,))


both("cond-nested", nested, P)
both("cond-nested-small", nested, P * 0.1)


def in_a_row(a):
    b = torch.cond(a.sum() > 0, lambda t: t + 1, lambda t: t * 2, (a,))
    return torch.cond(b.sum() > 3, lambda t: t * 2, lambda t: t - 1, (b,))


both("cond-in-a-row", in_a_row, P)
CASES += [
    case(
        "cond-tensor-predicate",
        lambda a, p: torch.cond(p, lambda t: t + 1, lambda t: t * 2, (a,)),
        X,
        torch.tensor(False),
    ),
    case(
        "cond-one-element-predicate",
        lambda a, p: torch.cond(p, lambda t: t + 1, lambda t: t * 2, (a,)),
        X,
        torch.tensor([True]),
    ),
    case("cond-dynamic", lambda a: torch.cond(a.sum() > 0, lambda t: t + 1, lambda t: t * 2, (a,)), N),
    case("cond-on-size", lambda a: torch.cond(a.shape[0] > 4, lambda t: t + 1, lambda t: t * 2, (a,)), N),
    case(
        "cond-size-inside",
        lambda a: torch.cond(a.sum() > 0, lambda t: t * t.shape[0], lambda t: t.reshape(-1, 3) - t.shape[0], (a,)),
        N,
    ),
    case("cond-dynamic-result", lambda a: torch.cond(a.sum() > 0, lambda t: t.sum(0), lambda t: t.mean(0), (a,)), N),
    case(
        "cond-softmax", lambda a: torch.cond(a.sum() > 0, lambda t: t.softmax(-1), lambda t: t.log_softmax(-1), (a,)), N
    ),
]


def size_operand(a):
    n = a.shape[0] * 2
    return torch.cond(a.sum() > 0, lambda t: t + n, lambda t: t * n, (a,))


CASES.append(case("cond-size-operand", size_operand, N))


CASES += [
    case("while", lambda a: while_loop(lambda i, t: i < 4, lambda i, t: (i + 1, t * 1.5), (torch.tensor(0), a)), X),
    case(
        "while-never", lambda a: while_loop(lambda i, t: i < 0, lambda i, t: (i + 1, t * 1.5), (torch.tensor(0), a)), X
    ),
    case(
        "while-three",
        lambda a: while_loop(
            lambda i, t, u: i < 3, lambda i, t, u: (i + 1, t + u, u * 0.5), (torch.tensor(0), a, a + 1)
        ),
        X,
    ),
    case(
        "while-captured",
        lambda a: while_loop(lambda i, t: i < 3, lambda i, t: (i + 1, t + CAPTURED), (torch.tensor(0), a)),
        X,
    ),
    case(
        "while-captured-input",
        lambda a, b: while_loop(lambda i, t: i < 3, lambda i, t: (i + 1, t @ b), (torch.tensor(0), a)),
        X,
        normal(3, 3),
    ),
    case("while-until", lambda a: while_loop(lambda t: t.sum() < 20, lambda t: (t * 2,), (a,)), X.abs()),
    case(
        "while-int32",
        lambda a: while_loop(
            lambda i, t: i < 3, lambda i, t: (i + 1, t * 2 - 1), (torch.tensor(0, dtype=torch.int32), a)
        ),
        ints(-9, 9, 2, 3),
    ),
    case(
        "while-int64",
        lambda a: while_loop(lambda i, t: i < 40, lambda i, t: (i + 1, t * 2), (torch.tensor(0), a)),
        torch.tensor([1, 3]),
    ),
    case(
        "while-bool",
        lambda a: while_loop(lambda go, t: go.clone(), lambda go, t: (t.sum() < 5, t + 1), (torch.tensor(True), a)),
        X,
    ),
    case(
        "while-swap",
        lambda a, b: while_loop(
            lambda i, t, u: i < 3, lambda i, t, u: (i + 1, u.clone(), t.clone()), (torch.tensor(0), a, b)
        ),
        X,
        X + 3,
    ),
    case(
        "while-flip", lambda a: while_loop(lambda i, t: i < 3, lambda i, t: (i + 1, t.flip(0)), (torch.tensor(0), a)), X
    ),
    case(
        "while-flip-i32",
        lambda a: while_loop(lambda i, t: i < 3, lambda i, t: (i + 1, t.flip(0)), (torch.tensor(0), a)),
        ints(-9, 9, 2, 3),
    ),
    case(
        "while-flip-bool",
        lambda a: while_loop(lambda i, t: i < 3, lambda i, t: (i + 1, t.flip(0)), (torch.tensor(0), a)),
        X > 0,
    ),
    case(
        "while-shift",
        lambda a: while_loop(
            lambda i, t: i < 3, lambda i, t: (i + 1, torch.cat([t[1:], t[:1] + 1])), (torch.tensor(0), a)
        ),
        normal(4, 2),
    ),
    case(
        "while-constant-product",
        lambda a: while_loop(lambda i, t: i < 3, lambda i, t: (i + 1, t @ torch.eye(3).flip(0)), (torch.tensor(0), a)),
        X,
    ),
    case(
        "while-f16",
        lambda a: while_loop(lambda i, t: i < 3, lambda i, t: (i + 1, t * 0.1), (torch.tensor(0), a)),
        X.half(),
    ),
    case(
        "while-sum-counter",
        lambda a: while_loop(lambda i, t: i < 9, lambda i, t: (i + (t > 0).sum() + 1, t + 1), (torch.tensor(0), a)),
        X,
    ),
    case(
        "while-dynamic",
        lambda a: while_loop(lambda i, t: i < 4, lambda i, t: (i + 1, t * 1.5 + t.shape[0]), (torch.tensor(0), a)),
        N,
    ),
    case(
        "while-then-used",
        lambda a: while_loop(lambda i, t: i < 4, lambda i, t: (i + 1, t * 1.5), (torch.tensor(0), a))[1].sum() + a,
        X,
    ),
]


def conditional_body(a):
    def body(i, t):
        return i + 1, torch.cond(t.sum() > 0, lambda u: u - 1, lambda u: u * 2, (t,))

    return while_loop(lambda i, t: i < 4, body, (torch.tensor(0), a))


CASES += [
    case("while-cond", conditional_body, X),
]


def complex_loop(i, z, w):
    step = lambda i, z, w: (i + 1, w * z + 0.5, z.clone())  # noqa: E731
    i, z, w = while_loop(lambda i, z, w: i < 5, step, (i, z, w))
    return torch.view_as_real(z), torch.view_as_real(w), i


CASES.append(
    case(
        "while-complex", complex_loop, torch.tensor(0), torch.complex(X, X.flip(1)) / 2, torch.complex(X.flip(0), X) / 2
    )
)
both(
    "cond-complex",
    lambda a: torch.view_as_real(
        torch.cond(a.sum() > 0, lambda t: torch.complex(t, t + 1), lambda t: torch.complex(t * 2, -t) * 1j, (a,))
    ),
    P,
)


def test_control_flow(case):
    check(CASES, case)
