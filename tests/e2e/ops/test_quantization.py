"""plugins/aten/quantization against eager: fake quantization."""

import torch
from harness import case, check, ints, normal, uniform

X = normal(3, 4, 5, scale=2)
# Ties, where rounding before or after the odd zero point is added tells; and values beyond the bounds.
TIES = torch.tensor([0.25, 0.75, 1.25, -0.25, -0.75, 1.75, 100.0, -100.0, 0.0])
SCALES, ZEROS = uniform(0.01, 0.2, 4), ints(-5, 6, 4)

CASES = [
    case("fake", lambda x: torch.fake_quantize_per_tensor_affine(x, 0.1, 3, -128, 127), X),
    case("fake-ties", lambda x: torch.fake_quantize_per_tensor_affine(x, 0.5, 3, -10, 127), TIES),
    case("fake-few-levels", lambda x: torch.fake_quantize_per_tensor_affine(x, 0.3, 0, 0, 15), X),
    case("fake-f16", lambda x: torch.fake_quantize_per_tensor_affine(x, 0.1, 3, -128, 127), X.half()),
    case(
        "fake-parameters",
        lambda x, s, z: torch.fake_quantize_per_tensor_affine(x, s, z, -128, 127),
        X,
        torch.tensor([0.1]),
        torch.tensor([3], dtype=torch.int32),
    ),
    case(
        "fake-mask",
        lambda x: torch.ops.aten.fake_quantize_per_tensor_affine_cachemask(x, 0.1, 3, -9, 9),
        TIES,
        raw=True,
    ),
    case(
        "fake-switch",
        lambda x, on: torch.ops.aten._fake_quantize_per_tensor_affine_cachemask_tensor_qparams(
            x, torch.tensor(0.1), torch.tensor(3, dtype=torch.int32), on, -9, 9
        ),
        TIES,
        torch.tensor([0]),
        raw=True,
    ),
    case(
        "fake-channel", lambda x, s, z: torch.fake_quantize_per_channel_affine(x, s, z, 1, -128, 127), X, SCALES, ZEROS
    ),
    case(
        "fake-channel-floats",
        lambda x, s, z: torch.fake_quantize_per_channel_affine(x, s, z, 1, -128, 127),
        X,
        SCALES,
        ZEROS.float(),
        expect_error="zero points that are no integers",
    ),
    case("int_mm", torch._int_mm, ints(-128, 128, 32, 16, dtype=torch.int8), ints(-128, 128, 16, 24, dtype=torch.int8)),
]


def test_quantization(case):
    check(CASES, case)
