"""plugins/aten/pooling against eager: windows over the last axes."""

import itertools

import torch
import torch.nn.functional as F
from harness import case, check, grid, ints, normal
from harness.values import INF, NAN

X = {1: normal(2, 3, 11), 2: normal(2, 3, 9, 10), 3: normal(2, 2, 5, 6, 7)}
CASES = []


def settings(**options):
    """Every combination, by name."""
    for values in itertools.product(*options.values()):
        chosen = dict(zip(options, values, strict=True))
        yield (
            "-".join(f"{k[:3]}{v}" for k, v in chosen.items()).replace("(", "").replace(")", "").replace(", ", "x"),
            chosen,
        )


for dims, x in X.items():
    average, largest = getattr(F, f"avg_pool{dims}d"), getattr(F, f"max_pool{dims}d")
    for name, chosen in settings(
        kernel_size=(2, 3), stride=(None, 2), padding=(0, 1), ceil_mode=(False, True), count_include_pad=(True, False)
    ):
        CASES.append(case(f"average{dims}-{name}", lambda x, f=average, c=chosen: f(x, **c), x))
    for name, chosen in settings(
        kernel_size=(2, 3), stride=(None, 2), padding=(0, 1), ceil_mode=(False, True), dilation=(1, 2)
    ):
        CASES.append(case(f"max{dims}-{name}", lambda x, f=largest, c=chosen: f(x, return_indices=True, **c), x))
    for kind, convert in {"f16": lambda x: x.half(), "bf16": lambda x: x.bfloat16()}.items():
        if dims < 3:  # eager has no 3-d average of halves
            CASES.append(
                case(
                    f"average{dims}-{kind}",
                    lambda x, f=average: (f(x, 2), f(x, 3, 2, 1, count_include_pad=False)),
                    convert(x),
                )
            )
        CASES.append(
            case(f"max{dims}-{kind}", lambda x, f=largest: (*f(x, 2, return_indices=True), f(x, 3, 2, 1)), convert(x))
        )
    CASES += [
        case(f"average{dims}-unbatched", lambda x, f=average: (f(x, 2), f(x, 3, 2, 1, ceil_mode=True)), x[0]),
        case(f"max{dims}-unbatched", lambda x, f=largest: (*f(x, 2, return_indices=True), f(x, 3, 2, 1)), x[0]),
        case(f"average{dims}-no-batch", lambda x, f=average: f(x, 2), x[:0]),
        case(f"max{dims}-no-batch", lambda x, f=largest: f(x, 2), x[:0]),
        case(f"max{dims}-ties", lambda x, f=largest: f(x, 3, 1, 1, return_indices=True), (x > 0).float()),
        case(f"max{dims}-lowest", lambda x, f=largest: f(x, 2, 1, 1, return_indices=True), torch.full_like(x, -INF)),
        case(
            f"max{dims}-lowest-dilated",
            lambda x, f=largest: f(x, 3, 1, 1, 2, return_indices=True),
            torch.full_like(x, -INF),
        ),
        case(
            f"max{dims}-lowest-i32",
            lambda x, f=largest: f(x, 2, 1, 1, return_indices=True),
            torch.full(x.shape, -(2**31), dtype=torch.int32),
        ),
        case(
            f"max{dims}-nan",
            lambda x, f=largest: f(x, 3, 2, 1, return_indices=True),
            torch.where(x > 0.8, NAN, torch.where(x < -1, -INF, x)),
        ),
        case(
            f"average{dims}-nan",
            lambda x, f=average: f(x, 3, 2, 1),
            torch.where(x > 1.5, NAN, torch.where(x < -1.5, -INF, x)),
        ),
    ]
    for divisor in (1, 3, -2) if dims > 1 else ():
        CASES.append(
            case(
                f"average{dims}-divisor{divisor}",
                lambda x, f=average, d=divisor: (f(x, 2, divisor_override=d), f(x, 3, 2, 1, True, False, d)),
                x,
            )
        )
    last = x.shape[3:]
    sized = lambda n, x=x: (normal(2, 2, n + 4, *x.shape[3:]),)  # noqa: E731
    every = lambda n, d=dims: (normal(n, 2, *[n + 3 + i for i in range(d)]),)  # noqa: E731
    for name, chosen in settings(padding=(0, 1), ceil_mode=(False, True), count_include_pad=(True, False)):
        CASES.append(case(f"dynamic-average{dims}-{name}", lambda x, f=average, c=chosen: f(x, 3, 2, **c), sized))
        CASES.append(case(f"dynamic-average{dims}-all-{name}", lambda x, f=average, c=chosen: f(x, 2, **c), every))
    for name, chosen in settings(padding=(0, 1), ceil_mode=(False, True), dilation=(1, 2)):
        CASES.append(
            case(
                f"dynamic-max{dims}-{name}", lambda x, f=largest, c=chosen: f(x, 3, 2, return_indices=True, **c), sized
            )
        )
    CASES += [
        case(f"dynamic-max{dims}-indices", lambda x, f=largest: f(x, 2, return_indices=True), every),
        case(
            f"dynamic-pool{dims}-batch",
            lambda x, f=largest, g=average: (f(x, 2), g(x, 2)),
            lambda n, x=x: (normal(n, *x.shape[1:]),),
        ),
    ]
    if dims > 1:  # eager has no 1-d pool of integers
        CASES += [
            case(f"dynamic-max{dims}-all", lambda x, f=largest: (f(x, 2), f(x, 3, 1, 1)), every),
            case(f"max{dims}-i32", lambda x, f=largest: (f(x, 2), *f(x, 3, 2, 1, return_indices=True)), (x * 9).int()),
            case(f"max{dims}-i64", lambda x, f=largest: f(x, 3, 1, 1), (x * 9).long()),
        ]

P = X[2]
CASES += [
    case(
        "average-uneven",
        lambda x: (
            F.avg_pool2d(x, (2, 3), (3, 1), (1, 0)),
            F.avg_pool2d(x, (3, 1)),
            F.avg_pool2d(x, (1, 4), (1, 2), (0, 2), True, False),
        ),
        P,
    ),
    case(
        "max-uneven",
        lambda x: (
            F.max_pool2d(x, (2, 3), (3, 1), (1, 0), (1, 2)),
            F.max_pool2d(x, (3, 1)),
            *F.max_pool2d(x, (1, 4), (2, 3), (0, 1), return_indices=True),
        ),
        P,
    ),
    case("average-whole-plane", lambda x: (F.avg_pool2d(x, (9, 10)), F.max_pool2d(x, (9, 10))), P),
    case("average-f16-large", lambda x: F.avg_pool2d(x, 2), torch.full((1, 1, 4, 4), 60000.0).half()),
    case("average-f16-long", lambda x: F.avg_pool2d(x, 64), torch.full((1, 1, 64, 64), 0.1).half()),
    case("max-u8", lambda x: F.max_pool2d(x, 2), ints(0, 255, 1, 2, 4, 4, dtype=torch.uint8)),
    case("lp", lambda x: F.lp_pool2d(x.abs(), 2, 2), P),
    case(
        "whole",
        lambda x: (
            F.max_pool2d(x, 2),
            F.avg_pool2d(x, 3, 2, 1),
            F.max_pool2d(x, 3, 2, 1, ceil_mode=True),
            F.adaptive_avg_pool2d(x, (3, 5)),
        ),
        P,
        raw=True,
    ),
    case("whole-3", lambda x: (F.max_pool3d(x, 2), F.avg_pool3d(x, 3, 2, 1)), X[3], raw=True),
    # --- adaptive
    *grid(
        "adaptive",
        lambda x: (F.adaptive_avg_pool2d(x, 1), F.adaptive_avg_pool2d(x, (3, 5)), F.adaptive_avg_pool2d(x, (4, 3))),
        {"f32": (P,), "f16": (P.half(),), "bf16": (P.bfloat16(),)},
    ),
    case(
        "adaptive-up",
        lambda x: (
            F.adaptive_avg_pool2d(x, (12, 11)),
            F.adaptive_avg_pool2d(x, (9, 23)),
            F.adaptive_avg_pool2d(x, (20, 1)),
        ),
        P,
    ),
    case("adaptive-same", lambda x: (F.adaptive_avg_pool2d(x, (9, 10)), F.adaptive_avg_pool2d(x, (None, 2))), P),
    case("adaptive-unbatched", lambda x: (F.adaptive_avg_pool2d(x, (4, 3)), F.adaptive_avg_pool2d(x, 1)), P[0]),
    case(
        "adaptive-1",
        lambda x: (
            F.adaptive_avg_pool1d(x, 1),
            F.adaptive_avg_pool1d(x, 4),
            F.adaptive_avg_pool1d(x, 14),
            F.adaptive_avg_pool1d(x[0], 3),
        ),
        X[1],
    ),
    case(
        "adaptive-3",
        lambda x: (
            F.adaptive_avg_pool3d(x, 1),
            F.adaptive_avg_pool3d(x, (2, 3, 4)),
            F.adaptive_avg_pool3d(x, (6, 2, 9)),
            F.adaptive_avg_pool3d(x[0], 2),
        ),
        X[3],
    ),
    case("adaptive-3-f16", lambda x: F.adaptive_avg_pool3d(x, (2, 3, 4)), X[3].half()),
    case(
        "adaptive-nan",
        lambda x: (F.adaptive_avg_pool2d(x, (4, 3)), F.adaptive_max_pool2d(x, (4, 3))),
        torch.where(P > 1.5, NAN, torch.where(P < -1.5, -INF, P)),
    ),
    case("adaptive-no-batch", lambda x: F.adaptive_avg_pool2d(x, (4, 3)), P[:0]),
    case("adaptive-none", lambda x: F.adaptive_avg_pool2d(x, (0, 3)), P),
    case(
        "adaptive-max",
        lambda x: (
            F.adaptive_max_pool2d(x, 1),
            F.adaptive_max_pool2d(x, (4, 3)),
            F.adaptive_max_pool2d(x, (12, 5)),
            F.adaptive_max_pool2d(x[0], 3),
        ),
        P,
    ),
    case("adaptive-max-f16", lambda x: F.adaptive_max_pool2d(x, (4, 3)), P.half()),
    case("adaptive-max-1", lambda x: (F.adaptive_max_pool1d(x, 4), F.adaptive_max_pool1d(x, 1)), X[1]),
    case(
        "dynamic-adaptive",
        lambda x: (F.adaptive_avg_pool2d(x, 1), F.adaptive_avg_pool2d(x, (1, 4)), F.adaptive_max_pool2d(x, (1, 3))),
        lambda n: (normal(n, 3, n + 4, 10),),
    ),
    case(
        "dynamic-adaptive-batch",
        lambda x: (
            F.adaptive_avg_pool2d(x, (4, 3)),
            F.adaptive_avg_pool2d(x, (12, 5)),
            F.adaptive_max_pool2d(x, (4, 3)),
        ),
        lambda n: (normal(n, 3, 9, 10),),
    ),
    case("dynamic-adaptive-1", lambda x: F.adaptive_avg_pool1d(x, 1), lambda n: (normal(2, 3, n),)),
    case(
        "dynamic-adaptive-cells",
        lambda x: (
            F.adaptive_avg_pool2d(x, 3),
            F.adaptive_avg_pool2d(x, (12, 4)),
            F.adaptive_max_pool2d(x, (2, 3)),
            F.adaptive_avg_pool1d(x[0], 7),
        ),
        lambda n: (normal(2, 3, n + 4, n + 6),),
    ),
    case("dynamic-adaptive-3", lambda x: F.adaptive_avg_pool3d(x, (3, 2, 2)), lambda n: (normal(2, n + 1, n, n + 2),)),
    case(
        "dynamic-adaptive-nan",
        lambda x: (F.adaptive_avg_pool1d(x, 3), F.adaptive_max_pool1d(x, 3)),
        lambda n: (torch.where(torch.arange(n + 5) == 2, torch.nan, normal(1, 2, n + 5)),),
    ),
    case("adaptive-max-3", lambda x: (F.adaptive_max_pool3d(x, 1), F.adaptive_max_pool3d(x, (2, 3, 4))), X[3]),
    case("adaptive-max-indices", lambda x: F.adaptive_max_pool2d(x, (2, 3), return_indices=True), normal(2, 3, 7, 8)),
    case("adaptive-max-indices-1d", lambda x: F.adaptive_max_pool1d(x, 3, return_indices=True), normal(2, 3, 8)),
    case("adaptive-max-indices-whole", lambda x: F.adaptive_max_pool2d(x, 1, return_indices=True), normal(2, 3, 4, 4)),
    case("adaptive-max-indices-unbatched", lambda x: F.adaptive_max_pool2d(x, 2, return_indices=True), normal(3, 7, 5)),
    case(
        "adaptive-max-indices-ties", lambda x: F.adaptive_max_pool2d(x, 2, return_indices=True), torch.ones(1, 1, 5, 5)
    ),
    case(
        "adaptive-max-indices-nan",
        lambda x: F.adaptive_max_pool2d(x, 2, return_indices=True),
        torch.where(normal(1, 2, 7, 7) > 1, float("nan"), normal(1, 2, 7, 7)),
    ),
    case("adaptive-max-3d", lambda x: F.adaptive_max_pool3d(x, (2, 3, 1)), normal(2, 3, 5, 6, 4)),
    case("adaptive-max-3d-indices", lambda x: F.adaptive_max_pool3d(x, 2, return_indices=True), normal(1, 2, 5, 6, 4)),
]


def test_pooling(case):
    check(CASES, case)
