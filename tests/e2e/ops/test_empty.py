"""Tensors without elements: shapes alone, whatever the op. Some kernels of the runtime end the process there."""

import torch
import torch.nn.functional as F
from harness import case, check, normal

NONE = torch.zeros(1, 0, 3)
CASES = [
    case("where", lambda x: torch.where(x > 0, x, 0.0), NONE),
    case("where-scalar", lambda x: torch.where(x > 0, torch.tensor(1.0), x), NONE),
    case("hardshrink", F.hardshrink, NONE),
    case("sinc", torch.sinc, NONE),
    case("sinc-ints", torch.sinc, NONE.int()),
    case("nan_to_num", torch.nan_to_num, NONE),
    case("add-broadcast", lambda x, y: x + y, NONE, normal(4, 1, 1)),
    case("matmul", lambda x, y: x @ y, NONE, normal(3, 5)),
    case("sort", lambda x: torch.sort(x, -1), NONE),
    case("cat", lambda x: torch.cat([x, x], 0), NONE),
    case("softmax", lambda x: x.softmax(-1), NONE),
    case("gather", lambda x, i: torch.gather(x, 0, i), normal(5), torch.zeros(2, 0, dtype=torch.int64)),
    case("index", lambda x, i: x[i], normal(5, 3), torch.zeros(0, dtype=torch.int64)),
    case("conv-no-batch", lambda x, w: F.conv2d(x, w), torch.zeros(0, 3, 8, 8), normal(4, 3, 3, 3)),
    case("pool-no-batch", lambda x: F.adaptive_max_pool2d(x, 3), torch.zeros(0, 3, 8, 8)),
    case("sum-then", lambda x: x.sum(1) + 1, NONE),
    # Sizes of 0 that only show at run time, where a select serves.
    case("put-row-no-hit", lambda x, m, v: x.index_put((m,), v), normal(5, 4),
         torch.zeros(5, dtype=torch.bool), normal(4)),
    case("put-add-row-no-hit", lambda x, m, v: x.index_put((m,), v, accumulate=True), normal(5, 4),
         torch.zeros(5, dtype=torch.bool), normal(4)),
]  # fmt: skip


def test_empty(case):
    check(CASES, case)
