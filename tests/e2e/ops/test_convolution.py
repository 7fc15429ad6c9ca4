"""plugins/aten/convolution against eager: 1-d to 3-d, plain and transposed."""

import torch
import torch.nn.functional as F
from harness import case, check, ints, normal
from harness.values import INF, NAN

SIZES = {1: (9,), 2: (9, 8), 3: (4, 5, 6)}
CASES = []


def conv(dims, transposed=False):
    return getattr(F, f"conv_transpose{dims}d" if transposed else f"conv{dims}d")


def add(name, dims, x, weight, bias=None, transposed=False, **options):
    settings = {
        k: options.pop(k) for k in ("stride", "padding", "dilation", "groups", "output_padding") if k in options
    }
    call = conv(dims, transposed)
    inputs = (x, weight) if bias is None else (x, weight, bias)
    CASES.append(case(name, lambda *a, call=call, settings=settings: call(*a, **settings), *inputs, **options))


for dims, size in SIZES.items():
    x, w, b = normal(2, 4, *size), normal(6, 4, *([3] * dims)), normal(6)
    k = dims
    add(f"conv{k}", k, x, w, b)
    add(f"conv{k}-no-bias", k, x, w)
    add(f"conv{k}-stride", k, x, w, b, stride=2)
    add(f"conv{k}-padding", k, x, w, b, padding=1)
    add(f"conv{k}-uneven", k, x, w, b, stride=(1, 2, 3)[:k], padding=(2, 0, 1)[:k], dilation=(1, 2, 1)[:k])
    add(f"conv{k}-dilation", k, x, normal(6, 4, *([2] * k)), b, dilation=2)
    add(f"conv{k}-groups", k, x, normal(6, 2, *([3] * k)), b, groups=2, padding=1)
    add(f"conv{k}-depthwise", k, x, normal(4, 1, *([3] * k)), normal(4), groups=4)
    add(f"conv{k}-depthwise-twice", k, x, normal(8, 1, *([2] * k)), normal(8), groups=4, stride=2)
    add(f"conv{k}-point", k, x, normal(6, 4, *([1] * k)), b)
    add(f"conv{k}-unbatched", k, x[0], w, b, padding=1)
    add(f"conv{k}-f16", k, x.half(), w.half(), b.half(), padding=1, rtol=4e-3, atol=8e-3)
    add(f"conv{k}-bf16", k, x.bfloat16(), w.bfloat16(), b.bfloat16(), padding=1, rtol=2e-2, atol=6e-2)
    add(f"conv{k}-valid", k, x, w, b, padding="valid")
    add(f"conv{k}-same", k, x, w, b, padding="same")
    add(f"conv{k}-same-dilated", k, x, normal(6, 4, *([2] * k)), b, padding="same", dilation=2)
    add(f"conv{k}-no-batch", k, x[:0], w, b)
    add(f"conv{k}-whole", k, x, w, b, stride=2, padding=1, raw=True)
    add(f"conv{k}-whole-no-bias", k, x, w, raw=True)
    add(f"conv{k}-whole-unbatched", k, x[0], normal(6, 2, *([3] * k)), b, groups=2, raw=True)
    t = normal(4, 6, *([3] * k))
    small = normal(2, 4, *[n - 1 for n in size])
    add(f"transposed{k}", k, small, t, b, transposed=True)
    add(f"transposed{k}-no-bias", k, small, t, transposed=True)
    add(f"transposed{k}-stride", k, small, t, b, transposed=True, stride=2)
    add(f"transposed{k}-output_padding", k, small, t, b, transposed=True, stride=2, padding=1, output_padding=1)
    add(
        f"transposed{k}-uneven",
        k,
        small,
        t,
        b,
        transposed=True,
        stride=(2, 3, 1)[:k],
        padding=(1, 0, 2)[:k],
        output_padding=(1, 2, 0)[:k],
    )
    add(f"transposed{k}-dilation", k, small, t, b, transposed=True, dilation=2, padding=1)
    add(f"transposed{k}-dilation-output_padding", k, small, t, b, transposed=True, dilation=2, output_padding=1)
    add(f"transposed{k}-groups", k, small, normal(4, 3, *([3] * k)), b, transposed=True, groups=2, stride=2)
    add(f"transposed{k}-depthwise", k, small, normal(4, 1, *([2] * k)), normal(4), transposed=True, groups=4, stride=2)
    add(f"transposed{k}-unbatched", k, small[0], t, b, transposed=True, stride=2)
    add(f"transposed{k}-over-padded", k, small, t, b, transposed=True, padding=2)
    add(f"transposed{k}-f16", k, small.half(), t.half(), b.half(), transposed=True, stride=2, rtol=4e-3, atol=8e-3)
    add(
        f"transposed{k}-bf16",
        k,
        small.bfloat16(),
        t.bfloat16(),
        b.bfloat16(),
        transposed=True,
        stride=2,
        rtol=2e-2,
        atol=6e-2,
    )
    call, back = conv(k), conv(k, True)
    CASES += [
        case(
            f"dynamic-conv{k}-batch",
            lambda x, w, b, f=call: f(x, w, b, padding=1),
            lambda n, s=size, w=w, b=b: (normal(n, 4, *s), w, b),
        ),
        case(
            f"dynamic-conv{k}",
            lambda x, w, b, f=call: f(x, w, b, stride=2, padding=1),
            lambda n, s=size, w=w, b=b: (normal(2, 4, n + 4, *s[1:]), w, b),
        ),
        case(
            f"dynamic-conv{k}-all",
            lambda x, w, b, f=call, k=k: f(x, w, b),
            lambda n, w=w, b=b, k=k: (normal(n, 4, *[n + i for i in range(k)]), w, b),
        ),
        case(
            f"dynamic-conv{k}-dilated",
            lambda x, w, f=call: f(x, w, dilation=2, stride=3, padding=2),
            lambda n, s=size, w=w: (normal(2, 4, n + 4, *s[1:]), w),
        ),
        case(
            f"dynamic-transposed{k}",
            lambda x, w, b, f=back: f(x, w, b, stride=2, padding=1, output_padding=1),
            lambda n, s=size, t=t, b=b: (normal(2, 4, n + 2, *s[1:]), t, b),
        ),
        case(
            f"dynamic-transposed{k}-batch",
            lambda x, w, b, f=back: f(x, w, b, stride=2),
            lambda n, s=size, t=t, b=b: (normal(n, 4, *s), t, b),
        ),
    ]

X, W = ints(-9, 9, 2, 4, 6, 5), ints(-9, 9, 6, 4, 3, 3)
CASES += [
    case("conv2-i32", lambda x, w: F.conv2d(x, w, padding=1), X, W),
    case("conv2-i64", lambda x, w: F.conv2d(x, w), X.long(), W.long()),
    case(
        "conv2-large-f16",
        lambda x, w: F.conv2d(x, w),
        torch.full((1, 64, 4, 4), 40.0).half(),
        torch.full((1, 64, 3, 3), 2.0).half(),
    ),
    case(
        "conv2-f16-passes-over",
        lambda x, w: F.conv2d(x, w),
        torch.tensor([60000.0, 60000.0, -60000.0]).half().reshape(1, 3, 1, 1),
        torch.ones(1, 3, 1, 1).half(),
    ),
    case(
        "conv2-edge",
        lambda x, w: F.conv2d(x, w, padding=1),
        torch.tensor([[1.0, NAN, 2.0], [INF, 0.0, -1.0], [3.0, 4.0, 5.0]]).reshape(1, 1, 3, 3),
        torch.ones(1, 1, 1, 1),
    ),
    case(
        "conv2-constant",
        lambda x: F.conv2d(x, torch.arange(24.0).reshape(2, 3, 2, 2), torch.tensor([1.0, -1.0])),
        normal(1, 3, 5, 5),
    ),
    case("conv2-kernel-of-whole", lambda x, w: F.conv2d(x, w), normal(2, 4, 6, 5), normal(3, 4, 6, 5)),
    case(
        "conv2-patches",
        lambda x, w: F.conv2d(x, w, stride=4).flatten(2).transpose(1, 2),
        normal(1, 3, 8, 8),
        normal(5, 3, 4, 4),
    ),
    case("conv2-wide-padding", lambda x, w: F.conv2d(x, w, padding=(5, 7)), normal(1, 2, 3, 3), normal(2, 2, 3, 3)),
    case("conv1-causal", lambda x, w: F.conv1d(F.pad(x, (2, 0)), w), normal(1, 3, 7), normal(2, 3, 3)),
    case("conv1-same-even", lambda x, w: F.conv1d(x, w, padding="same"), normal(1, 3, 7), normal(2, 3, 4)),
    case("conv2-same-even", lambda x, w: F.conv2d(x, w, padding="same"), normal(1, 3, 7, 6), normal(2, 3, 4, 2)),
    case(
        "conv2-same-whole",
        lambda x, w: (F.conv2d(x, w, padding="same"), F.conv2d(x, w, padding="valid")),
        normal(1, 3, 7, 6),
        normal(2, 3, 3, 5),
        raw=True,
    ),
    case("unfold", lambda x: F.unfold(x, 3, padding=1), normal(1, 2, 4, 5)),
    case("fold", lambda x: F.fold(x, (4, 5), 2), normal(1, 8, 12)),
]


for c in CASES:  # sums of many terms, added up in another order
    c.atol = c.atol or 1e-5


def test_convolution(case):
    check(CASES, case)
