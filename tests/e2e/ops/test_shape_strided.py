"""as_strided against eager: storage read by the layout the program recorded."""

import torch
import torch.nn.functional as F
from harness import case, check, normal

X = normal(4, 6)
IMAGE = normal(2, 5, 6, 3)

CASES = [
    case("same", lambda x: x.as_strided((4, 6), (6, 1)), X),
    case("transposed", lambda x: x.as_strided((6, 4), (1, 6)), X),
    case("of-transposed", lambda x: (x.t() + 0).as_strided((6, 4), (4, 1)), X),
    case("windows", lambda x: (x + 1).as_strided((4, 5, 2), (6, 1, 1)), X),
    case("diagonal", lambda x: (x * 2).as_strided((4,), (7,)), X),
    case("offset", lambda x: (x * 2).as_strided((2, 3), (6, 2), 7), X),
    case("overlapping", lambda x: (x * 2).as_strided((3, 3), (1, 1)), X),
    case("broadcast", lambda x: (x * 2).as_strided((3, 6), (0, 1)), X),
    case("scalar", lambda x: (x * 2).as_strided((), (), 5), X),
    case("empty", lambda x: (x * 2).as_strided((0, 3), (3, 1)), X),
    case("i32", lambda x: (x * 2).as_strided((6, 4), (1, 6)), (X * 9).int()),
    case("beyond", lambda x: x[1:].as_strided((4, 6), (6, 1), 0), X, expect_error="beyond its input"),
    # The default table makes as_strided of these.
    case("pool-channels-last", lambda x: F.adaptive_avg_pool2d(x.permute(0, 3, 1, 2), 1) * 2, IMAGE),
    case("pool-channels-last-batch", lambda x: F.adaptive_avg_pool2d(x.permute(0, 3, 1, 2), 1) * 2,
         lambda n: (normal(n, 5, 6, 3),)),
    case("pool-1d", lambda x: F.adaptive_avg_pool1d(x.transpose(1, 2), 1), normal(2, 7, 4)),
    case("scatter-strided", lambda x, s: (x + 1).as_strided_scatter(s, (2, 3), (6, 2), 7), X, normal(2, 3)),
    case("scatter-strided-beyond", lambda x, s: x[1:].as_strided_scatter(s, (2, 3), (6, 2), 0), X, normal(2, 3),
         expect_error="beyond its input"),
    case("copy-strided", lambda x: torch.as_strided_copy(x * 2, (6, 4), (1, 6)), X),
    case("unfold", lambda x: x.unfold(1, 3, 1), X),
    case("unfold-step", lambda x: x.unfold(0, 2, 2), X),
    case("unfold-gap", lambda x: x.unfold(-1, 2, 4), X),
    case("unfold-whole", lambda x: x.unfold(1, 6, 1), X),
    case("unfold-middle", lambda x: x.unfold(2, 3, 2), IMAGE),
    case("unfold-twice", lambda x: x.unfold(1, 3, 1).unfold(2, 2, 2), IMAGE),
    case("unfold-scalar", lambda x: x.sum().unfold(0, 1, 1), X),
    case("unfold-nothing", lambda x: x.unfold(1, 0, 1), X),
    case("unfold-bool", lambda x: (x > 0).unfold(1, 3, 2), X),
    case("unfold-dynamic", lambda x: x.unfold(1, 3, 2), lambda n: (normal(2, n + 4),)),
    case("unfold-dynamic-batch", lambda x: x.unfold(1, 3, 2), lambda n: (normal(n, 9),)),
]  # fmt: skip


def test_shape_strided(case):
    check(CASES, case)
