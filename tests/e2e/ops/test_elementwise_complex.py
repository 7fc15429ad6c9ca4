"""plugins/aten/elementwise against eager: complex numbers, made and taken apart."""

import torch
from harness import case, check, normal
from harness.values import EDGE, I

A = normal(3, 4)


def halves_turned(x, a):
    return torch.view_as_real(torch.view_as_complex(x) * torch.polar(torch.ones_like(a), a))


CASES = [
    case("complex", lambda x, y: torch.view_as_real(torch.complex(x, y)), A, normal(3, 4, scale=3)),
    case(
        "complex-mul", lambda x: torch.view_as_real(torch.view_as_complex(x) * torch.view_as_complex(x)), normal(3, 2)
    ),
    case("complex-add", lambda x: torch.view_as_real(torch.view_as_complex(x) + 2), normal(3, 2)),
    case("complex-abs", lambda x: torch.view_as_complex(x).abs(), normal(3, 2)),
    case("complex-angle", lambda x: torch.angle(torch.view_as_complex(x)), normal(3, 2)),
    case("complex-parts", lambda x: (torch.view_as_complex(x).real, torch.view_as_complex(x).imag), normal(3, 2)),
    case("complex-conj", lambda x: torch.view_as_real(torch.view_as_complex(x).conj().resolve_conj()), normal(3, 2)),
    case("polar", lambda m, a: torch.view_as_real(torch.polar(m, a)), A.abs(), normal(3, 4, scale=2)),
    case("rotary", halves_turned, normal(3, 4, 2), normal(4)),
    case("angle", torch.angle, EDGE),
    case("angle-ints", torch.angle, I),
    case("complex-dynamic", lambda x: torch.view_as_real(torch.view_as_complex(x) * 2), lambda n: (normal(n, 2),)),
]


def test_elementwise_complex(case):
    check(CASES, case)
