"""Complex numbers through every family, against eager."""

import torch
import torch.nn.functional as F
from harness import case, check, normal

Z = torch.complex(normal(3, 4), normal(3, 5)[:, 1:])
W = torch.complex(normal(4, 4)[:3], normal(3, 6)[:, 2:])
R = normal(3, 4, scale=2)
AT = torch.tensor([[0, 3, 1, 1], [2, 0, 0, 3]])

CASES = [
    case("sum", lambda z: (z.sum(), z.sum(1), z.sum((0, 1), keepdim=True)), Z),
    case("sum-dynamic", lambda z: z.sum(0), lambda n: (torch.complex(normal(n, 3), normal(n, 4)[:, 1:]),)),
    case("mean", lambda z: (z.mean(), z.mean(0, keepdim=True)), Z),
    case("cumsum", lambda z: z.cumsum(1), Z),
    case("gather", lambda z: z.gather(1, AT), Z),
    case("take", lambda z: torch.take(z, AT), Z),
    case("scatter", lambda z, w: z.scatter(1, AT, w), Z, W),
    case("scatter-number", lambda z: z.scatter(1, AT, 2 - 1j), Z),
    case("scatter-add", lambda z, w: z.scatter_add(1, AT, w), Z, W),
    case("masked_scatter", lambda z, w, r: z.masked_scatter(r > 0, w), Z, W, R),
    case("index_put", lambda z, w: z.index_put((torch.tensor([2, 0]),), w[:2]), Z, W),
    case("diagonal", lambda z: (z.diagonal(), z.diagonal(1)), Z),
    case("diagonal_scatter", lambda z, w: torch.diagonal_scatter(z, w[:, 0]), Z, W),
    case("pad", lambda z: F.pad(z, (1, 2, 0, 1)), Z),
    case("pad-value", lambda z: torch.ops.aten.constant_pad_nd(z, [1, -1], 2.5), Z),
    case("pad-reflect", lambda z: F.pad(z[None], (2, 1), mode="reflect"), Z),
    case("pow", lambda z, w: (z**2, z**3, z**0.5, z**-1, z**w, 2**z), Z, W, rtol=1e-4, atol=1e-4),
    case("functions", lambda z: (z.exp(), z.log(), z.sin(), z.cos(), z.sinh(), z.cosh(), z.tan(), z.sigmoid()), Z),
    case("silu", F.silu, Z),
    case("matmul", lambda z, w: (z @ w.mT, z @ w[0], torch.dot(z[0], w[0]), torch.outer(z[0], w[1])), Z, W),
    case("addmm", lambda z, w: torch.addmm(z[:, :3], z, w.mT, alpha=2), Z, W),
    case("einsum", lambda z, w: torch.einsum("ij,kj->ik", z, w), Z, W),
    case("layout", lambda z: (z.flip(1), z.roll(1, 1), z.t(), z.expand(2, 3, 4), z.repeat(2, 1), z[1:, ::2]), Z),
    case("where", lambda z, w, r: (torch.where(r > 0, z, w), z.masked_fill(r > 0, 0)), Z, W, R),
    case("compare", lambda z, w: (z == w, z != z, z.isnan()), Z, W),
    case("mixed", lambda z, r: (z * r, r - z, r / z, z + 1, 1 / z, r * 1j, z * (1 + 2j)), Z, R),
    case("norm", lambda z: torch.linalg.vector_norm(z, dim=1), Z),
    case("prod", lambda z: z.prod(1), Z, expect_error="a product of complex numbers"),
    case("cumprod", lambda z: z.cumprod(1), Z, expect_error="cumprod of complex numbers"),
    case("tanh", torch.tanh, Z, expect_error="tanh of complex numbers"),
    case("sqrt", torch.sqrt, Z, expect_error="sqrt of complex numbers"),
    case("var", lambda z: z.var(1), Z, expect_error="the variance of complex numbers"),
    case("scatter-mul", lambda z: z.scatter(1, AT, 2, reduce="multiply"), Z, expect_error="a scatter that multiplies"),
]


def test_complex(case):
    check(CASES, case)
