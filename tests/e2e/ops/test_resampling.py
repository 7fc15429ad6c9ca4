"""plugins/aten/resampling against eager: interpolate and grid_sample."""

import torch
import torch.nn.functional as F
from harness import case, check, ints, normal, uniform

X = {1: normal(2, 3, 7), 2: normal(2, 3, 7, 9), 3: normal(2, 2, 4, 5, 6)}
SIZES = {1: [11, 3, 7, 14, 1], 2: [(11, 5), (3, 20), (7, 9), (14, 27), (1, 13)], 3: [(5, 3, 9), (8, 10, 12)]}
FACTORS = [2, 1.5, 0.5, 3, 2.3, 0.7]
LINEAR = {1: "linear", 2: "bilinear", 3: "trilinear"}
CASES = []


NEAR = {"atol": 5e-6}  # weights differ in their last bit; small results come of larger ones cancelling


def resize(**options):
    return lambda x: F.interpolate(x, **options)


for dims, x in X.items():
    for raw in (False, True):  # whole, and as the default table takes it apart
        tag = f"{dims}d-{'raw' if raw else 'table'}"
        for mode in ("nearest", "nearest-exact"):
            for i, size in enumerate(SIZES[dims]):
                CASES.append(case(f"{mode}-{tag}-size{i}", resize(size=size, mode=mode), x, raw=raw))
            for factor in FACTORS:
                CASES.append(case(f"{mode}-{tag}-x{factor}", resize(scale_factor=factor, mode=mode), x, raw=raw))
        for corners in (False, True):
            for i, size in enumerate(SIZES[dims]):
                options = {"size": size, "mode": LINEAR[dims], "align_corners": corners}
                CASES.append(case(f"linear-{tag}-size{i}-{corners}", resize(**options), x, raw=raw, **NEAR))
            for factor in FACTORS:
                options = {"scale_factor": factor, "mode": LINEAR[dims], "align_corners": corners}
                CASES.append(case(f"linear-{tag}-x{factor}-{corners}", resize(**options), x, raw=raw, **NEAR))

x = X[2]
for mode in ("bicubic", "bilinear"):
    for corners in (False, True):
        for antialias in (False, True):
            for i, size in enumerate(SIZES[2]):
                options = {"size": size, "mode": mode, "align_corners": corners, "antialias": antialias}
                CASES.append(case(f"{mode}-{corners}-aa{antialias}-size{i}", resize(**options), x, raw=True, **NEAR))
            options = {"scale_factor": 0.6, "mode": mode, "align_corners": corners, "antialias": antialias}
            CASES.append(case(f"{mode}-{corners}-aa{antialias}-x0.6", resize(**options), x, raw=True, **NEAR))

CASES += [
    case("nearest-f16", resize(size=(11, 5), mode="nearest"), x.half()),
    case("nearest-bf16", resize(scale_factor=2), x.bfloat16()),
    case("nearest-u8", resize(scale_factor=2), ints(0, 256, 2, 3, 5, 6).to(torch.uint8)),
    case("bilinear-f16", resize(size=(11, 5), mode="bilinear"), x.half()),
    case("bilinear-bf16", resize(scale_factor=2, mode="bilinear"), x.bfloat16()),
    case("bicubic-f16", resize(size=(11, 5), mode="bicubic"), x.half(), raw=True),
    case("nearest-one-pixel", resize(size=(4, 3)), normal(1, 2, 1, 1)),
    case("bilinear-one-pixel", resize(size=(4, 3), mode="bilinear", align_corners=True), normal(1, 2, 1, 1)),
    case("nearest-large", resize(size=(29, 41)), normal(1, 1, 97, 103)),
    case("bilinear-large", resize(size=(290, 41), mode="bilinear"), normal(1, 1, 97, 103), atol=1e-4),
    case("nearest-dynamic-x2", resize(scale_factor=2), lambda n: (normal(1, 2, n, n + 2),)),
    case("nearest-dynamic-x1.5", resize(scale_factor=1.5), lambda n: (normal(1, 2, n, n + 2),)),
    case("nearest-dynamic-size", resize(size=(8, 13)), lambda n: (normal(1, 2, n, n + 2),)),
    case(
        "exact-dynamic-size", resize(size=(8, 13), mode="nearest-exact"), lambda n: (normal(1, 2, n, n + 2),), raw=True
    ),
    case("bilinear-dynamic-x2", resize(scale_factor=2, mode="bilinear"), lambda n: (normal(1, 2, n, n + 2),)),
    case("bilinear-dynamic-size", resize(size=(8, 13), mode="bilinear"), lambda n: (normal(1, 2, n, n + 2),)),
    case(
        "bilinear-dynamic-corners",
        resize(size=(8, 13), mode="bilinear", align_corners=True),
        lambda n: (normal(1, 2, n, n + 2),),
    ),
    case(
        "bilinear-like-another",
        lambda x, y: F.interpolate(x, size=y.shape[-2:], mode="bilinear"),
        lambda n: (normal(1, 2, n, n + 2), normal(1, 2, 2 * n, n + 1)),
    ),
    case("bilinear-batch", resize(size=(8, 13), mode="bilinear"), lambda n: (normal(n, 2, 5, 4),)),
    case("bicubic-batch", resize(size=(8, 13), mode="bicubic"), lambda n: (normal(n, 2, 5, 4),), raw=True),
    case("bilinear-no-batch", resize(size=(8, 13), mode="bilinear"), x[:0]),
    case(
        "bilinear-u8",
        resize(scale_factor=2, mode="bilinear"),
        ints(0, 256, 2, 3, 5, 6).to(torch.uint8),
        expect_error="cast to a float type",
    ),
]

GRID = uniform(-1.6, 1.6, 2, 5, 6, 2)
for mode in ("bilinear", "nearest", "bicubic"):
    for padding in ("zeros", "border", "reflection"):
        for corners in (False, True):
            CASES.append(
                case(
                    f"grid-{mode}-{padding}-{corners}",
                    lambda x, g, o=(mode, padding, corners): F.grid_sample(x, g, o[0], o[1], align_corners=o[2]),
                    x,
                    GRID,
                    atol=2e-6,
                )
            )
CASES += [
    case(  # eager finds positions in half precision, a pixel's hundredth off; here they are exact
        "grid-f16",
        lambda x, g: F.grid_sample(x, g, align_corners=False),
        x.half(),
        GRID.half(),
        reference=lambda x, g: F.grid_sample(x.float(), g.float(), align_corners=False).half(),
    ),
    case(
        "grid-dynamic",
        lambda x, g: F.grid_sample(x, g, align_corners=False),
        lambda n: (normal(n, 2, n + 1, 6), uniform(-1.2, 1.2, n, 4, n + 2, 2)),
    ),
    case(
        "grid-one-pixel",
        lambda x, g: F.grid_sample(x, g, padding_mode="reflection", align_corners=True),
        x[:, :, :1, :1],
        GRID,
    ),
    case(
        "affine",
        lambda x, t: F.grid_sample(x, F.affine_grid(t, [2, 3, 5, 6], align_corners=False), align_corners=False),
        x,
        normal(2, 2, 3),
    ),
]
VOLUME, PLACES = normal(2, 3, 4, 5, 6), uniform(-1.4, 1.4, 2, 3, 4, 5, 3)
for mode in ("bilinear", "nearest"):
    for padding in ("zeros", "border", "reflection"):
        CASES.append(
            case(
                f"grid-3d-{mode}-{padding}",
                lambda x, g, o=(mode, padding): F.grid_sample(x, g, *o, align_corners=False),
                VOLUME,
                PLACES,
                atol=2e-6,
            )
        )
CASES.append(case("grid-3d-corners", lambda x, g: F.grid_sample(x, g, align_corners=True), VOLUME, PLACES, atol=2e-6))


def test_resampling(case):
    check(CASES, case)
