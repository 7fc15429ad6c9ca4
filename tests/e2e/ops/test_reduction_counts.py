"""plugins/aten/reduction against eager: counting, searching, distances, medians."""

import torch
from harness import case, check, ints, normal
from harness.values import F16, INF, NAN

X = normal(3, 4, 5)
EDGES = torch.tensor([-1.0, 0.0, 0.5, 2.0])
LOOKED_UP = torch.tensor([[-2.0, -1.0, 0.25], [0.5, 3.0, NAN], [INF, -INF, 0.0]])
HOLES = torch.tensor([[1.0, NAN, 3.0, NAN], [2.0, 2.0, -1.0, 2.0], [INF, -INF, 0.0, INF], [5.0, 1.0, 4.0, 2.0]])

CASES = [
    case("histc", lambda x: torch.histc(x, bins=7, min=-2, max=2), X),
    case(
        "histc-edges", lambda x: torch.histc(x, bins=4, min=0, max=4), torch.tensor([0.0, 1.0, 4.0, 3.999, -1.0, 5.0])
    ),
    case("histc-own-range", lambda x: torch.histc(x, bins=5), X),
    case("histc-alike", lambda x: torch.histc(x, bins=4), torch.full((3,), 2.0)),
    case("histc-experts", lambda x: torch.histc(x.float(), bins=8, min=0, max=7), ints(0, 8, 40)),
    case("bucketize", lambda x: torch.bucketize(x, EDGES), LOOKED_UP),
    case("bucketize-right", lambda x: torch.bucketize(x, EDGES, right=True), LOOKED_UP),
    case("bucketize-ints", lambda x: torch.bucketize(x, torch.tensor([1, 3, 5])), ints(-2, 9, 10)),
    case("searchsorted", lambda x: torch.searchsorted(EDGES, x), LOOKED_UP),
    case("searchsorted-rows", lambda e, x: torch.searchsorted(e, x, right=True), X[0].sort(-1)[0], normal(4, 3)),
    case("cdist", lambda x, y: torch.cdist(x, y), normal(3, 5), normal(4, 5)),
    case("cdist-1", lambda x, y: torch.cdist(x, y, p=1), normal(2, 3, 5), normal(2, 4, 5)),
    case("cdist-inf", lambda x, y: torch.cdist(x, y, p=INF), normal(3, 5), normal(4, 5)),
    case("cdist-3", lambda x, y: torch.cdist(x, y, p=3), normal(3, 5), normal(4, 5)),
    case("dist", lambda x, y: torch.dist(x, y), normal(3, 5), normal(5)),
    case("dist-1", lambda x, y: torch.dist(x, y, 1), normal(3, 5), normal(5)),
    case("median", torch.median, X),
    case("median-dim", lambda x: torch.median(x, 1), X),
    case("median-dim-keep", lambda x: torch.median(x, -1, keepdim=True), X),
    case("median-nan", torch.median, HOLES),
    case("median-dim-nan", lambda x: torch.median(x, 1)[0], HOLES),
    case("median-ints", lambda x: torch.median(x, 0)[0], ints(-9, 9, 5, 3)),
    case("median-f16", torch.median, HOLES[1:].to(F16)),
    case("median-dynamic", lambda x: torch.median(x, 1), lambda n: (normal(2, n),)),
    case("histc-dynamic", lambda x: torch.histc(x, bins=7, min=-2, max=2), lambda n: (normal(n),)),
    case("bucketize-dynamic", lambda x: torch.bucketize(x, EDGES), lambda n: (normal(n),)),
    case("nanmedian", torch.nanmedian, HOLES),
    case("nanmedian-dim", lambda x: torch.nanmedian(x, 1)[0], HOLES),
    case("nanmedian-dim-keep", lambda x: torch.nanmedian(x, 0, keepdim=True)[0], HOLES),
    case("nanmedian-nothing-else", torch.nanmedian, torch.full((3,), float("nan"))),
    case("nanmedian-ints", torch.nanmedian, ints(-9, 9, 6)),
    case("logcumsumexp", lambda x: torch.logcumsumexp(x, 1), X),
    case("logcumsumexp-first", lambda x: torch.logcumsumexp(x, 0), X),
    case("logcumsumexp-growing", lambda x: torch.logcumsumexp(x, 0), torch.tensor([-500.0, -300.0, 0.0, 800.0])),
    case("logcumsumexp-edge", lambda x: torch.logcumsumexp(x, 1), torch.tensor([[-INF, -INF, 1.0], [1.0, INF, 2.0]])),
    case("logcumsumexp-f16", lambda x: torch.logcumsumexp(x, 1), X.to(F16)),
    case("logcumsumexp-dynamic", lambda x: torch.logcumsumexp(x, 1), lambda n: (normal(2, n),)),
    case("cdist-ranks", torch.cdist, normal(4, 3), normal(2, 3, 3)),
    case("cdist-ranks-other", torch.cdist, normal(2, 3, 3), normal(4, 3)),
    case("cdist-ranks-p1", lambda x, y: torch.cdist(x, y, p=1.0), normal(4, 3), normal(2, 3, 3)),
    case("pdist", torch.pdist, normal(5, 3)),
    case("pdist-p1", lambda x: torch.pdist(x, 1.0), normal(5, 3)),
    case("pdist-inf", lambda x: torch.pdist(x, INF), normal(5, 3)),
    case(
        "searchsorted-sorter",
        lambda e, x, s: torch.searchsorted(e, x, sorter=s),
        torch.tensor([3.0, 1.0, 2.0]),
        torch.tensor([0.5, 2.0, 2.5, 4.0]),
        torch.tensor([1, 2, 0]),
    ),
]


def test_reduction_counts(case):
    check(CASES, case)
