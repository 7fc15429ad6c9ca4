"""plugins/aten/normalization against eager."""

import torch
import torch.nn.functional as F
from harness import case, check, grid, normal, uniform
from harness.values import F16, INF, NAN

X = normal(3, 4, 5)
IMAGE = normal(2, 6, 4, 5)
W, B = normal(5), normal(5, scale=0.5)
CW, CB, CM, CV = normal(6), normal(6, scale=0.3), normal(6, scale=0.2), uniform(0.5, 2, 6)

CASES = []


def halves(*tensors):
    return {"f32": tensors, "f16": tuple(t.half() for t in tensors), "bf16": tuple(t.bfloat16() for t in tensors)}


for name, fn in {"softmax": torch.softmax, "log_softmax": torch.log_softmax}.items():
    for dim in (0, 1, -1):
        CASES += grid(f"{name}-{dim}", lambda x, f=fn, d=dim: f(x, d), halves(X))
    CASES += [
        case(f"{name}-large", lambda x, f=fn: f(x, 0), torch.tensor([1e4, 1e4, -1e4, 0.0])),
        case(f"{name}-f16-large", lambda x, f=fn: f(x, 0), torch.tensor([60000.0, 60000.0, -60000.0, 0.0], dtype=F16)),
        case(
            f"{name}-masked",
            lambda x, f=fn: f(x, 1),
            torch.tensor([[0.0, -INF, 1.0], [-INF, -INF, -INF], [INF, 0.0, 1.0], [NAN, 0.0, 1.0]]),
        ),
        case(f"{name}-f16-long", lambda x, f=fn: f(x, 0), normal(3000, dtype=F16)),
        case(f"{name}-zero-d", lambda x, f=fn: f(x, 0), torch.tensor(2.5)),
        case(f"{name}-to-f32", lambda x, f=fn: f(x, 1, dtype=torch.float32), X.half()),
        case(f"{name}-dynamic", lambda x, f=fn: f(x, 1), lambda n: (normal(2, n),)),
        case(f"{name}-dynamic-other", lambda x, f=fn: f(x, -1), lambda n: (normal(n, 3),)),
        case(f"{name}-empty", lambda x, f=fn: f(x, 1), torch.zeros(0, 3)),
    ]
CASES += [
    case("softmin", lambda x: F.softmin(x, 1), X),
    *grid("layer_norm", lambda x, w, b: F.layer_norm(x, (5,), w, b), halves(X, W, B), rtol=None, atol=None),
    case("layer_norm-no-affine", lambda x: F.layer_norm(x, (5,)), X),
    case("layer_norm-no-bias", lambda x, w: F.layer_norm(x, (5,), w), X, W),
    case("layer_norm-two-dims", lambda x: F.layer_norm(x, (4, 5), torch.ones(4, 5) * 2, eps=1e-3), X),
    case("layer_norm-f16-large", lambda x: F.layer_norm(x, (2,)), torch.tensor([[600.0, -600.0]], dtype=F16)),
    case("layer_norm-offset", lambda x: F.layer_norm(x, (5,)), X + 1000, rtol=1e-3, atol=1e-3),
    case("layer_norm-constant", lambda x: F.layer_norm(x, (5,)), torch.full((2, 5), 3.0)),
    case("layer_norm-statistics", lambda x, w, b: torch.native_layer_norm(x, (5,), w, b, 1e-5), X, W, B),
    case("layer_norm-f16-statistics", lambda x: torch.native_layer_norm(x, (5,), None, None, 1e-5)[0], X.half()),
    case("layer_norm-dynamic", lambda x, w, b: F.layer_norm(x, (5,), w, b), lambda n: (normal(2, n, 5), W, B)),
    *grid("group_norm", lambda x, w, b: F.group_norm(x, 3, w, b), halves(IMAGE, CW, CB)),
    case("group_norm-no-affine", lambda x: F.group_norm(x, 2), IMAGE),
    case("group_norm-1d", lambda x: F.group_norm(x, 2), normal(3, 6)),
    case("group_norm-dynamic", lambda x, w: F.group_norm(x, 3, w), lambda n: (normal(2, 6, n, n + 1), CW)),
    case("group_norm-dynamic-batch", lambda x, w: F.group_norm(x, 3, w), lambda n: (normal(n, 6, 4), CW)),
    *grid("batch_norm", lambda x, w, b, m, v: F.batch_norm(x, m, v, w, b), halves(IMAGE, CW, CB, CM, CV)),
    case("batch_norm-constants", lambda x: F.batch_norm(x, CM, CV, CW, CB), IMAGE),
    case(
        "batch_norm-constants-f16", lambda x: F.batch_norm(x, CM.half(), CV.half(), CW.half(), CB.half()), IMAGE.half()
    ),
    case("batch_norm-no-affine", lambda x: F.batch_norm(x, CM, CV), IMAGE),
    case("batch_norm-1d", lambda x: F.batch_norm(x, CM, CV, CW, CB), normal(4, 6)),
    case("batch_norm-3d", lambda x: F.batch_norm(x, CM, CV, CW, CB), normal(2, 6, 2, 3, 2)),
    case("batch_norm-eps", lambda x: F.batch_norm(x, CM, CV * 0, CW, CB, eps=1e-2), IMAGE),
    case("batch_norm-dynamic", lambda x: F.batch_norm(x, CM, CV, CW, CB), lambda n: (normal(n, 6, n + 1, 3),)),
    case(
        "batch_norm-batch-statistics", lambda x, w, b: F.batch_norm(x, None, None, w, b, training=True), IMAGE, CW, CB
    ),
    *grid("instance_norm", lambda x, w, b: F.instance_norm(x, weight=w, bias=b), halves(IMAGE, CW, CB)),
    case("instance_norm-1d", lambda x: F.instance_norm(x), normal(2, 3, 8)),
    case("instance_norm-running", lambda x: F.instance_norm(x, CM, CV, CW, CB, use_input_stats=False), IMAGE),
    case("instance_norm-dynamic", lambda x: F.instance_norm(x), lambda n: (normal(2, 3, n),)),
    *grid("rms_norm", lambda x, w: F.rms_norm(x, (5,), w), halves(X, W)),
    case("rms_norm-eps", lambda x: F.rms_norm(x, (5,), eps=1e-2), X),
    case("local_response_norm", lambda x: F.local_response_norm(x, 2), IMAGE),
    case("renorm", lambda x: torch.renorm(x, 2, 0, 1.0), X),
    case("softmax-empty-axes", lambda x: (x.softmax(-1), x.log_softmax(-1)), torch.zeros(5, 0, 0)),
]


def test_normalization(case):
    check(CASES, case)
