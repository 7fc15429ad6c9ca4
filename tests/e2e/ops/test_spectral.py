"""plugins/aten/spectral against eager: Fourier transforms of every kind, size and normalization."""

import torch
from harness import case, check, normal

NEAR = {"rtol": 1e-4, "atol": 1e-4}
X, ROWS = normal(12), normal(2, 3, 10)
SPECTRUM = torch.complex(normal(2, 3, 6), normal(2, 3, 7)[..., 1:])

CASES = [
    case("fft", torch.fft.fft, SPECTRUM, **NEAR),
    case("ifft", torch.fft.ifft, SPECTRUM, **NEAR),
    case("fft-axis", lambda x: torch.fft.fft(x, dim=0), SPECTRUM, **NEAR),
    case("fft-of-real", torch.fft.fft, ROWS, **NEAR),
    case("fft-one-signal", torch.fft.fft, X, **NEAR),
    case("rfft-one-signal", torch.fft.rfft, X, **NEAR),
    case("rfft", torch.fft.rfft, ROWS, **NEAR),
    case("rfft-axis", lambda x: torch.fft.rfft(x, dim=1), ROWS, **NEAR),
    case("rfft-padded", lambda x: torch.fft.rfft(x, n=13), ROWS, **NEAR),
    case("rfft-of-one", torch.fft.rfft, normal(3, 1), **NEAR),
    case("irfft", torch.fft.irfft, SPECTRUM, **NEAR),
    case("irfft-odd", lambda x: torch.fft.irfft(x, n=11), SPECTRUM, **NEAR),
    case("irfft-shorter", lambda x: torch.fft.irfft(x, n=6), SPECTRUM, **NEAR),
    case("irfft-one-signal", torch.fft.irfft, SPECTRUM[0, 0], **NEAR),
    case("hfft", torch.fft.hfft, SPECTRUM, **NEAR),
    case("ihfft", lambda x: torch.view_as_real(torch.fft.ihfft(x).resolve_conj()), ROWS, **NEAR),
    case("fft2", torch.fft.fft2, SPECTRUM, **NEAR),
    case("ifft2", torch.fft.ifft2, SPECTRUM, **NEAR),
    case("rfft2", torch.fft.rfft2, ROWS, **NEAR),
    case("irfft2", lambda x: torch.fft.irfft2(x, s=(3, 10)), SPECTRUM, **NEAR),
    case("rfftn", lambda x: torch.fft.rfftn(x, dim=(2, 0)), ROWS, **NEAR),
    case("fftn-real-part", lambda x: torch.fft.fftn(x, dim=(1, 2)).real, ROWS, **NEAR),
    case("fft-dynamic", torch.fft.fft, lambda n: (normal(2, n),), **NEAR),
    case("rfft-dynamic", torch.fft.rfft, lambda n: (normal(2, n),), **NEAR),
    case("rfft-dynamic-rows", torch.fft.rfft, lambda n: (normal(n, 9),), **NEAR),
    case("fft-dynamic-ortho", lambda x: torch.fft.fft2(x, norm="ortho"), lambda n: (normal(n, 4),), **NEAR),
    case(
        "irfft-dynamic",
        lambda x: torch.fft.irfft(torch.complex(x, x * x), n=2 * (x.shape[1] - 1)),
        lambda n: (normal(2, n + 1),),
        **NEAR,
    ),
    case(
        "irfft-dynamic-odd",
        lambda x: torch.fft.irfft(torch.complex(x, x * x), n=2 * x.shape[1] - 1),
        lambda n: (normal(2, n + 1),),
        **NEAR,
    ),
]
for norm in ("forward", "backward", "ortho"):
    CASES += [
        case(f"rfft2-{norm}", lambda x, m=norm: torch.fft.rfft2(x, norm=m), ROWS, **NEAR),
        case(f"irfft-{norm}", lambda x, m=norm: torch.fft.irfft(x, norm=m), SPECTRUM, **NEAR),
        case(f"ifft-{norm}", lambda x, m=norm: torch.fft.ifft(x, norm=m), SPECTRUM, **NEAR),
    ]
# 600 = 24 * 25 and 1331 = 11 * 121 are taken in two steps, 541 is prime; sums of so many grow.
for size in (600, 601, 1331, 541):
    long = {"rtol": 1e-4, "atol": 1e-3}
    CASES += [
        case(f"rfft-{size}", torch.fft.rfft, normal(2, size), **long),
        case(
            f"ifft-{size}", lambda x: torch.fft.ifft(x) * 30, torch.complex(normal(2, size), normal(1, size)[0]), **long
        ),
        case(
            f"irfft-{size}",
            lambda x, n=size: torch.fft.irfft(torch.complex(x, x.flip(0)), n=n) * 30,
            normal(2, size // 2 + 1),
            **long,
        ),
    ]
CASES += [
    case("rfft-large-prime", torch.fft.rfft, normal(4099), expect_error="prime factor above 4096"),
]


def test_spectral(case):
    check(CASES, case)
