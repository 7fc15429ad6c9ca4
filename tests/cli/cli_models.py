"""Small models as .pt2 files, each named after what is special about it."""

from pathlib import Path

import torch


class Plain(torch.nn.Module):
    def forward(self, x, y):
        return torch.relu(x + y) * 2.0


class Undecomposed(torch.nn.Module):
    """torch's default decompositions remove smooth_l1_loss."""

    def forward(self, x):
        return torch.nn.functional.smooth_l1_loss(x, x + 1.0)


class Counter(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(2, 3))

    def forward(self, x):
        self.total.add_(x)
        return self.total * 2.0


class Custom(torch.nn.Module):
    def forward(self, x):
        return torch.ops.sixrung_test.twice(torch.ops.sixrung_test.twice(x)) + 1.0


class Unsupported(torch.nn.Module):
    def forward(self, x):
        return torch.linalg.eigh(x @ x.T).eigenvalues + 1.0


class TwoUnsupported(torch.nn.Module):
    def forward(self, x):
        return torch.linalg.eigh(x @ x.T).eigenvalues + torch.linalg.svdvals(x)


class Mutating(torch.nn.Module):
    def forward(self, x):
        out = torch.zeros_like(x)
        torch.ops.sixrung_test.fill_in(x, out)
        return out + 1.0


class Scan(torch.nn.Module):
    def forward(self, x):
        from torch._higher_order_ops.scan import scan

        return scan(lambda carry, row: (carry + row, carry * row), torch.zeros(3), x)


class Attention(torch.nn.Module):
    def forward(self, x):
        return torch.nn.functional.scaled_dot_product_attention(x, x, x, is_causal=True)


@torch.library.custom_op("sixrung_test::fill_in", mutates_args=("out",))
def fill_in(x: torch.Tensor, out: torch.Tensor) -> None:
    out.copy_(x * 2)


@torch.library.custom_op("sixrung_test::twice", mutates_args=())
def twice(x: torch.Tensor) -> torch.Tensor:
    return x * 2


@twice.register_fake
def _(x):
    return torch.empty_like(x)


def save(model: torch.nn.Module, inputs: tuple, path: Path, decompose: bool = True) -> Path:
    exported = torch.export.export(model.eval(), inputs)
    if decompose:
        exported = exported.run_decompositions()
    torch.export.save(exported, path)
    return path


X = torch.arange(6.0).reshape(2, 3)


def save_all(folder: Path) -> dict:
    return {
        "plain": save(Plain(), (X, X - 4), folder / "plain.pt2"),
        "undecomposed": save(Undecomposed(), (X,), folder / "undecomposed.pt2", decompose=False),
        "counter": save(Counter(), (X,), folder / "counter.pt2"),
        "custom": save(Custom(), (X,), folder / "custom.pt2"),
        "unsupported": save(Unsupported(), (X,), folder / "unsupported.pt2"),
        "two_unsupported": save(TwoUnsupported(), (X,), folder / "two_unsupported.pt2"),
        "mutating": save(Mutating(), (X,), folder / "mutating.pt2"),
        "scan": save(Scan(), (X,), folder / "scan.pt2"),
        "attention": save(Attention(), (torch.ones(1, 2, 8, 16),), folder / "attention.pt2", decompose=False),
    }
