"""plugins/aten/attention against eager."""

import torch
import torch.nn.functional as F
from harness import case, check, grid, normal
from harness.values import INF, NAN

attend = F.scaled_dot_product_attention
Q, K, V = normal(2, 4, 5, 8), normal(2, 4, 7, 8), normal(2, 4, 7, 6)
MASK = normal(5, 7) > 0
HOLES = MASK.clone()
HOLES[1] = False
FLOAT = torch.where(HOLES, 0.0, -INF)
KINDS = {"f32": (Q, K, V), "f16": (Q.half(), K.half(), V.half()), "bf16": (Q.bfloat16(), K.bfloat16(), V.bfloat16())}

CASES = []
CASES += grid("plain", lambda q, k, v: attend(q, k, v), KINDS)
CASES += grid("causal", lambda q, k, v: attend(q, k, v, is_causal=True), KINDS)
CASES += grid(
    "scale",
    lambda q, k, v: (attend(q, k, v, scale=0.3), attend(q, k, v, scale=1.0), attend(q, k, v, scale=-0.5)),
    KINDS,
)
CASES += grid("masked", lambda q, k, v, m: attend(q, k, v, attn_mask=m), {n: (*t, MASK) for n, t in KINDS.items()})
CASES += grid(
    "masked-float",
    lambda q, k, v, m: attend(q, k, v, attn_mask=m.to(q.dtype)),
    {n: (*t, normal(5, 7)) for n, t in KINDS.items()},
)
CASES += [
    case("masked-rows", lambda q, k, v, m: attend(q, k, v, attn_mask=m), Q, K, V, HOLES),
    case("masked-rows-float", lambda q, k, v, m: attend(q, k, v, attn_mask=m), Q, K, V, FLOAT),
    case("masked-rows-f16", lambda q, k, v, m: attend(q, k, v, attn_mask=m), *KINDS["f16"], HOLES),
    case(
        "masked-everything",
        lambda q, k, v, m: attend(q, k, v, attn_mask=m),
        Q,
        K,
        V,
        torch.zeros(5, 7, dtype=torch.bool),
    ),
    case("mask-keys", lambda q, k, v, m: attend(q, k, v, attn_mask=m), Q, K, V, normal(1, 7) > 0),
    case("mask-batch", lambda q, k, v, m: attend(q, k, v, attn_mask=m), Q, K, V, normal(2, 1, 1, 7) > 0),
    case("mask-heads", lambda q, k, v, m: attend(q, k, v, attn_mask=m), Q, K, V, normal(4, 5, 7)),
    case("mask-query", lambda q, k, v, m: attend(q, k, v, attn_mask=m), Q, K, V, normal(2, 4, 5, 1) > 0),
    case("mask-full", lambda q, k, v, m: attend(q, k, v, attn_mask=m), Q, K, V, normal(2, 4, 5, 7) > -0.5),
    case(
        "mask-large-negative", lambda q, k, v, m: attend(q, k, v, attn_mask=m), Q, K, V, torch.where(HOLES, 0.0, -1e9)
    ),
    case(
        "mask-min",
        lambda q, k, v, m: attend(q, k, v, attn_mask=m),
        Q,
        K,
        V,
        torch.where(HOLES, 0.0, torch.finfo(torch.float32).min),
    ),
    case(
        "mask-made-inside",
        lambda q, k, v: attend(q, k, v, attn_mask=torch.ones(5, 7, dtype=torch.bool).tril(1)),
        Q,
        K,
        V,
    ),
    case("causal-more-queries", lambda q, k, v: attend(k, q, q, is_causal=True), Q, K, V),
    case("causal-square", lambda q: attend(q, q, q, is_causal=True), Q),
    case("gqa", lambda q, k, v: attend(q, k[:, :2], v[:, :2], enable_gqa=True), Q, K, V),
    case("gqa-one", lambda q, k, v: attend(q, k[:, :1], v[:, :1], enable_gqa=True), Q, K, V),
    case("gqa-causal", lambda q, k, v: attend(q, k[:, :2], v[:, :2], is_causal=True, enable_gqa=True), *KINDS["f16"]),
    case("gqa-mask", lambda q, k, v, m: attend(q, k[:, :2], v[:, :2], attn_mask=m, enable_gqa=True), Q, K, V, MASK),
    case("one-head-broadcast", lambda q, k, v: attend(q, k[:, :1], v[:, :1]), Q, K, V),
    case("batch-broadcast", lambda q, k, v: attend(q, k[:1], v[:1]), Q, K, V),
    case("3d", lambda q, k, v: (attend(q[0], k[0], v[0]), attend(q[0], k[0], v[0], is_causal=True)), Q, K, V),
    case(
        "2d",
        lambda q, k, v: (attend(q[0, 0], k[0, 0], v[0, 0]), attend(q[0, 0], k[0, 0], v[0, 0], is_causal=True)),
        Q,
        K,
        V,
    ),
    case("5d", lambda q, k, v: attend(q[None], k[None], v[None]), Q, K, V),
    case("no-keys", lambda q, k, v: attend(q, k[:, :, :0], v[:, :, :0]), Q, K, V),
    case("no-queries", lambda q, k, v: attend(q[:, :, :0], k, v), Q, K, V),
    case("no-batch", lambda q, k, v: attend(q[:0], k[:0], v[:0]), Q, K, V),
    case("one-key", lambda q, k, v: attend(q, k[:, :, :1], v[:, :, :1]), Q, K, V),
    case("one-query", lambda q, k, v: attend(q[:, :, :1], k, v), Q, K, V),
    case("large-scores", lambda q, k, v: attend(q * 300, k * 300, v), Q, K, V, rtol=1e-4),
    case("large-scores-f16", lambda q, k, v: attend(q * 100, k * 100, v), *KINDS["f16"]),
    case("nan-value", lambda q, k, v: attend(q, k, torch.where(v > 1, NAN, v)), Q, K, V),
    case("nan-query", lambda q, k, v: attend(torch.where(q > 1.5, NAN, q), k, v), Q, K, V),
    case(
        "whole", lambda q, k, v, m: (attend(q, k, v), attend(q, k, v, attn_mask=m, scale=0.2)), Q, K, V, MASK, raw=True
    ),
    case(
        "dynamic-length",
        lambda q: (attend(q, q, q), attend(q, q, q, is_causal=True)),
        lambda n: (normal(2, 4, n + 2, 8),),
    ),
    case(
        "dynamic-cache",
        lambda q, k, v: (attend(q, k, v), attend(q, k, v, is_causal=True)),
        lambda n: (normal(2, 4, 3, 8), normal(2, 4, n + 2, 8), normal(2, 4, n + 2, 6)),
    ),
    case(
        "dynamic-batch",
        lambda q, k, v: (attend(q, k, v), attend(q, k[:, :2], v[:, :2], enable_gqa=True)),
        lambda n: (normal(n, 4, 5, 8), normal(n, 4, 7, 8), normal(n, 4, 7, 6)),
    ),
    case(
        "dynamic-mask",
        lambda q, m: (attend(q, q, q, attn_mask=m), attend(q, q, q, attn_mask=m > 0)),
        lambda n: (normal(2, 4, n, 8), normal(1, 1, n, n)),
    ),
    case(
        "dynamic-both",
        lambda q, k, m: attend(q, k, k, attn_mask=m),
        lambda n: (normal(2, 4, n, 8), normal(2, 4, n + 3, 8), normal(n, n + 3) > -1),
    ),
    case("dynamic-f16", lambda q: attend(q, q, q, is_causal=True), lambda n: (normal(2, 4, n, 8).half(),)),
    case(
        "dynamic-gqa",
        lambda q, k: attend(q, k, k, is_causal=True, enable_gqa=True),
        lambda n: (normal(2, 4, n, 8), normal(2, 2, n, 8)),
    ),
    case("dynamic-head-size", lambda q: attend(q, q, q), lambda n: (normal(2, 4, 5, n),)),
    case(
        "multi_head",
        lambda x, w, o: F.multi_head_attention_forward(
            x, x, x, 8, 2, w, None, None, None, False, 0.0, o, None, need_weights=False
        )[0],
        normal(5, 2, 8),
        normal(24, 8),
        normal(8, 8),
    ),
    case(
        "multi_head-weights",
        lambda x, w, o: F.multi_head_attention_forward(
            x, x, x, 8, 2, w, None, None, None, False, 0.0, o, None, need_weights=True
        ),
        normal(5, 2, 8),
        normal(24, 8),
        normal(8, 8),
        atol=1e-5,
    ),
]


def test_attention(case):
    check(CASES, case)
