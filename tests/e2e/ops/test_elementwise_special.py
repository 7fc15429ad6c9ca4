"""plugins/aten/elementwise, the special functions, against eager."""

import torch
from harness import case, check
from harness.values import BF16, EDGE, F16, INF, NAN, I

WIDE = torch.cat([torch.linspace(-9.05, 20, 291), torch.tensor([1e-30, 1e-6, -1e-6, 100.0, 3e4, 1e10, 1e30, INF, NAN])])
POLES = torch.tensor([0.0, -1.0, -2.0, -7.0, -1e10])
NEAR_ROOTS = torch.tensor([0.99, 0.9999, 1.0, 1.0001, 1.01, 1.9999, 2.0, 2.0001, 2.01])
BESSEL = torch.cat([torch.linspace(-60, 60, 241), torch.tensor([1e-6, 3.999, 4.0, 4.001, -4.001])])
LARGE = torch.tensor([500.0, -1e4, 1e30])

CASES = [
    case("lgamma", torch.lgamma, WIDE, rtol=1e-5, atol=2e-6),
    case("lgamma-poles", torch.lgamma, POLES),
    case("lgamma-near-roots", torch.lgamma, NEAR_ROOTS, rtol=3e-5, atol=1e-10),
    case("lgamma-edge", lambda x: torch.lgamma(x), torch.tensor([INF, -INF, NAN, 3e38])),
    case("lgamma-ints", torch.lgamma, I),
    case("mvlgamma", lambda x: torch.mvlgamma(x, 3), torch.linspace(1.5, 9, 21)),
    case("digamma", torch.digamma, WIDE, rtol=1e-4, atol=1e-5),
    case("digamma-poles", torch.digamma, POLES),
    case("digamma-minus-zero", torch.digamma, torch.tensor([-0.0])),
    case("digamma-ints", torch.digamma, I),
    case("i0", torch.i0, BESSEL),
    case("i0e", torch.special.i0e, torch.cat([BESSEL, LARGE])),
    case("i1", torch.special.i1, BESSEL),
    case("i1e", torch.special.i1e, torch.cat([BESSEL, LARGE])),
    case("i0-ints", torch.i0, I),
    case("i0-nan", torch.i0, torch.tensor([NAN, 0.0])),
    case("erfcx", torch.special.erfcx, torch.cat([torch.linspace(-9, 30, 118), torch.tensor([1e4, 1e10, INF, NAN])])),
]
for name, fn, x in [
    ("lgamma", torch.lgamma, EDGE[2:]),
    ("digamma", torch.digamma, WIDE[200:291]),
    ("i0", torch.i0, WIDE[60:160]),
]:
    CASES += [
        case(f"{name}-f16", fn, x.to(F16), rtol=4e-3, atol=4e-3),
        case(f"{name}-bf16", fn, x.to(BF16), rtol=2e-2, atol=2e-2),
    ]


def test_elementwise_special(case):
    check(CASES, case)
