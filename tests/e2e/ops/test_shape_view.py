"""plugins/aten/shape against eager: views, permutations and pixel rearrangements."""

import torch
import torch.nn.functional as F
from harness import case, check, grid, ints, normal
from harness.values import U8

X = normal(2, 3, 4)
BOOL = ints(0, 2, 2, 3, 4).bool()
S = torch.tensor(2.5)
E = torch.zeros(2, 0, 4)
KINDS = {
    "f16": (X.half(),),
    "bf16": (X.bfloat16(),),
    "i32": (ints(-9, 9, 2, 3, 4),),
    "i64": (ints(-9, 9, 2, 3, 4).long(),),
    "u8": (ints(0, 9, 2, 3, 4, dtype=U8),),
    "bool": (BOOL,),
    "complex": (torch.complex(X, X.flip(0)),),
}
ROWS = lambda n: (normal(n, 3, 4),)  # noqa: E731
MIDDLE = lambda n: (normal(2, n, 4),)  # noqa: E731
TWO = lambda n: (normal(n, n + 1, 4),)  # noqa: E731

CASES = []
FUNCTIONS = {
    "reshape": lambda x: (x.reshape(6, 4), x.reshape(-1), x.view(2, 12), x.reshape(4, -1), x.view(1, 2, 3, 4, 1)),
    "permute": lambda x: (x.permute(2, 0, 1), x.permute(-1, 1, 0), x.transpose(0, 2), x.transpose(-1, -2), x.mT),
    "unsqueeze": lambda x: (x.unsqueeze(0), x.unsqueeze(1), x.unsqueeze(-1), x.unsqueeze(-3), x[None, :, None]),
    "expand": lambda x: (x.expand(5, -1, -1, -1), x[:, :1].expand(2, 6, 4), x[None].expand(2, 2, 3, 4)),
    "flatten": lambda x: (x.flatten(), x.flatten(1), x.flatten(0, 1), x.flatten(-2, -1), x.ravel()),
    "squeeze": lambda x: (x[:1].squeeze(), x[:1].squeeze(0), x[:1, :, :1].squeeze((0, 2)), x.squeeze(1)),
}
for name, fn in FUNCTIONS.items():
    CASES += grid(name, fn, {"f32": (X,), **KINDS})
CASES += [
    case("view-to-0d", lambda x: x.view([]), X[:1, :1, :1]),
    case("view-from-0d", lambda x: (x.view(1), x.view(1, 1), x.reshape(-1)), S),
    case("zero-d-moves", lambda x: (x.permute(()), x.t(), x.squeeze(), x.unsqueeze(-1), x.unsqueeze(0)), S),
    case("zero-d-expand", lambda x: (x.expand(2, 3), x.expand(()), x.expand(1)), S),
    case("t", lambda x: (x[0].t(), x[0, 0].t()), X),
    case("squeeze-non-unit", lambda x: (x.squeeze(0), x.squeeze(-1), x.squeeze((0, 1))), X),
    case("squeeze-all", lambda x: x.squeeze(), X[:1, :1, :1]),
    case("swap-same", lambda x: x.transpose(1, 1), X),
    case("movedim", lambda x: (x.movedim(0, -1), x.movedim((0, 1), (1, 0))), X),
    case("unflatten", lambda x: (x.unflatten(-1, (2, 2)), x.unflatten(2, (-1, 2))), X),
    case("empty-reshape", lambda x: (x.reshape(0, 2), x.reshape(4, 0), x.reshape(-1), x.reshape(-1, 2, 4)), E),
    case("empty-moves", lambda x: (x.permute(2, 1, 0), x.unsqueeze(1), x[:1].squeeze(0), x.transpose(0, 1)), E),
    case("empty-expand", lambda x: (x.expand(3, 2, 0, 4), x[:, :, :1].expand(2, 0, 5)), E),
    case("expand-to-empty", lambda x: x[:, :1].expand(2, 0, 4), X),
    case("view-chain", lambda x: x.reshape(6, 4).t().reshape(3, 8).unsqueeze(0).permute(2, 0, 1).flatten(), X),
    case("view-dtype-kept", lambda x: x.view(-1) * 2, X.half()),
    case("broadcast_to", lambda x: torch.broadcast_to(x, (3, 2, 3, 4)), X),
    case("expand_as", lambda x, y: x.expand_as(y), X[:, :1], X),
    case("broadcast_tensors", lambda x, y: torch.broadcast_tensors(x, y), X[:, :1], X[0]),
    case("atleast", lambda x: (torch.atleast_1d(x), torch.atleast_2d(x), torch.atleast_3d(x)), S),
    # --- sizes known only at run time
    case(
        "dynamic-reshape", lambda x: (x.reshape(-1, 4), x.reshape(x.shape[0] * 3, 4), x.flatten(), x.view(-1, 12)), ROWS
    ),
    case("dynamic-reshape-kept", lambda x: (x.reshape(x.shape[0], -1), x.view(x.shape[0], 2, 6)), ROWS),
    case(
        "dynamic-reshape-moved", lambda x: (x.permute(1, 0, 2).reshape(3, -1), x.transpose(0, 2).reshape(12, -1)), ROWS
    ),
    case("dynamic-reshape-split", lambda x: x.reshape(x.shape[0] // 2, 2, 4), lambda n: (normal(2 * n, 4),)),
    case("dynamic-two", lambda x: (x.flatten(), x.flatten(1), x.reshape(x.shape[1], -1), x.permute(1, 2, 0)), TWO),
    case("dynamic-two-joined", lambda x: (x.reshape(x.shape[0] * x.shape[1], 4), x.reshape(-1, 2)), TWO),
    case("dynamic-expand", lambda x: (x[None].expand(5, -1, -1, -1), x[:, :1].expand(-1, 7, -1)), ROWS),
    case("dynamic-expand-to-size", lambda x: (x[:1].expand(x.shape[0], -1, -1), x[0, 0].expand(x.shape[0], 4)), ROWS),
    case(
        "dynamic-expand-other", lambda x, y: y.expand(x.shape[0], -1, -1), lambda n: (normal(n, 3, 4), normal(1, 3, 2))
    ),
    case("dynamic-expand-0d", lambda x: x.sum().expand(x.shape[0], 2), ROWS),
    case("dynamic-unsqueeze", lambda x: (x.unsqueeze(0), x.unsqueeze(-1), x.unsqueeze(1).squeeze(1)), MIDDLE),
    case("dynamic-permute", lambda x: (x.permute(2, 1, 0), x.mT, x.transpose(0, 1)), MIDDLE),
    case("dynamic-squeeze", lambda x: (x[:1].squeeze(0), x[:, :, :1].squeeze(-1), x[:1].squeeze()), MIDDLE),
    case("dynamic-unflatten", lambda x: (x.unflatten(-1, (2, 2)), x.unflatten(0, (2, 1))), MIDDLE),
    case("dynamic-int", lambda x: x.reshape(-1), lambda n: (ints(-9, 9, n, 4),)),
    case("dynamic-bool", lambda x: (x > 0).reshape(-1, 2).expand(2, -1, -1), ROWS),
    case("dynamic-heads", lambda x: x.view(x.shape[0], x.shape[1], 2, 2).transpose(1, 2), TWO),
    case(
        "dynamic-windows",
        lambda x: x.view(x.shape[0] // 2, 2, x.shape[1] // 2, 2, 3).permute(0, 2, 1, 3, 4).reshape(-1, 4, 3),
        lambda n: (normal(2 * n, 4 * n, 3),),
    ),
]

# --- pixels -------------------------------------------------------------------------------------------
P = normal(1, 4, 4, 6)
CASES += grid(
    "pixel_shuffle",
    lambda x: (F.pixel_shuffle(x, 2), F.pixel_shuffle(x[0], 2), F.pixel_shuffle(x[None], 2), F.pixel_shuffle(x, 1)),
    {"f32": (P,), "f16": (P.half(),), "i32": (ints(-9, 9, 1, 4, 4, 6),)},
)
CASES += grid(
    "pixel_unshuffle",
    lambda x: (F.pixel_unshuffle(x, 2), F.pixel_unshuffle(x[0], 2), F.pixel_unshuffle(x[None], 2)),
    {"f32": (P,), "bf16": (P.bfloat16(),), "u8": (ints(0, 9, 1, 4, 4, 6, dtype=U8),)},
)
CASES += [
    case("pixel_shuffle-3", lambda x: F.pixel_shuffle(x, 3), normal(2, 18, 2, 3)),
    case("pixel-there-and-back", lambda x: F.pixel_unshuffle(F.pixel_shuffle(x, 2), 2), P),
    case("dynamic-pixel_shuffle", lambda x: F.pixel_shuffle(x, 2), lambda n: (normal(n, 4, n + 2, 6),)),
    case("dynamic-pixel_unshuffle", lambda x: F.pixel_unshuffle(x, 2), lambda n: (normal(n, 3, 2 * n, 4),)),
    case("channel_shuffle", lambda x: F.channel_shuffle(x, 2), P),
    case("pixel_unshuffle-whole", lambda x: F.pixel_unshuffle(x, 2), P, raw=True),
    case("pixel_shuffle-whole", lambda x: F.pixel_shuffle(x, 2), P, raw=True),
]

# --- ops the decompositions would take apart --------------------------------------------------------
CASES += [
    case(
        "whole-reshape",
        lambda x: (x.reshape(6, 4), torch.reshape(x, (-1, 2)), x.t() if x.dim() < 3 else x),
        X,
        raw=True,
    ),
    case("whole-transpose", lambda x: (x.transpose(0, -1), x[0].t(), x[0, 0].t()), X, raw=True),
    case("whole-unsafe-view", lambda x: torch.ops.aten._unsafe_view(x, [6, -1]), X, raw=True),
    case("whole-dynamic", lambda x: (x.reshape(x.shape[0], -1), x.transpose(0, 1), x[0].t()), ROWS, raw=True),
]


def test_shape_view(case):
    check(CASES, case)
