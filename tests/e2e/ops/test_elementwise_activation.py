"""plugins/aten/elementwise against eager: activations."""

import torch
import torch.nn.functional as F
from harness import case, check, grid
from harness.values import EDGE, I, X

CASES = []

for name, fn in {
    "gelu": F.gelu,
    "gelu-tanh": lambda x: F.gelu(x, approximate="tanh"),
    "silu": F.silu,
    "relu": F.relu,
    "elu": F.elu,
    "elu-alpha": lambda x: F.elu(x, 0.7),
    "selu": F.selu,
    "celu": lambda x: F.celu(x, 0.6),
    "leaky_relu": F.leaky_relu,
    "rrelu": lambda x: F.rrelu(x, 0.1, 0.4),
    "hardsigmoid": F.hardsigmoid,
    "hardswish": F.hardswish,
    "softplus": F.softplus,
    "softplus-beta": lambda x: F.softplus(x, beta=3, threshold=5),
    "mish": F.mish,
    "logsigmoid": F.logsigmoid,
    "tanhshrink": F.tanhshrink,
    "softshrink": F.softshrink,
    "hardshrink": F.hardshrink,
    "softsign": F.softsign,
    "threshold": lambda x: F.threshold(x, 0.1, 0.2),
    "prelu": lambda x: F.prelu(x, torch.tensor([0.3], dtype=x.dtype)),
}.items():
    wide = torch.cat([X, torch.tensor([-30.0, -10.0, 10.0, 30.0])])
    CASES += grid(
        name,
        fn,
        {"f32": (wide,), "f16": (wide.half(),), "bf16": (wide.bfloat16(),)},
        atol=1e-6 if name != "gelu" else None,
    )
for name, fn in {
    "elu": F.elu,
    "leaky_relu": F.leaky_relu,
    "softplus": F.softplus,
    "hardsigmoid": F.hardsigmoid,
    "silu": F.silu,
    "hardswish": F.hardswish,
}.items():
    CASES.append(case(f"{name}-edge", fn, EDGE))
CASES.append(case("relu-i32", F.relu, I))

X3 = torch.tensor([1.0, -2.0, 3.0])
CASES += [
    case("dropout-eval", lambda x: (F.dropout(x, 0.5, False), *torch.native_dropout(x, 0.5, False)), X3, raw=True),
    case("dropout-train", lambda x: F.dropout(x, 0.5, True), X3, expect_error="model.eval()"),
    case("dropout-train-raw", lambda x: F.dropout(x, 0.5, True), X3, raw=True, expect_error="model.eval()"),
]


def test_activation(case):
    check(CASES, case)
