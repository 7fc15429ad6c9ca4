"""Writes the small archives the reader's tests run on: python tests/data/make_pt2.py tests/data/pt2

They are committed, so that the C++ tests need no Python. Written by torch 2.13; write them again when the
reader learns a newer one.
"""

import re
import sys
import warnings
from pathlib import Path

import torch
from torch.export import Dim, ExportedProgram, export, save

warnings.filterwarnings("ignore")
torch.manual_seed(0)


class Constants(torch.nn.Module):
    """Tied, strided, expanded, offset, empty and scalar tensors of several dtypes."""

    def __init__(self) -> None:
        super().__init__()
        self.first = torch.nn.Linear(4, 4, bias=False)
        self.second = torch.nn.Linear(4, 4, bias=False)
        self.second.weight = self.first.weight
        base = torch.arange(24.0)
        self.register_buffer("transposed", base.view(4, 6).t())
        self.register_buffer("expanded", torch.arange(3.0).expand(2, 3))
        self.register_buffer("offset", base[5:9])
        self.register_buffer("every_other", torch.arange(8, dtype=torch.int64)[1::2], persistent=False)
        self.register_buffer("empty", torch.zeros(0, 4))
        self.register_buffer("narrow", torch.tensor([0.5, -1.5], dtype=torch.float16))
        self.register_buffer("brain", torch.tensor([0.5, -1.5], dtype=torch.bfloat16), persistent=False)
        self.register_buffer("flags", torch.tensor([True, False, True]))
        self.scalar = torch.tensor(7, dtype=torch.int32)

    def forward(self, x: torch.Tensor):
        y = self.second(self.first(x))
        z = self.transposed.sum() + self.expanded.sum() + self.offset.sum() + self.every_other.sum()
        w = self.empty.sum() + self.narrow.sum() + self.brain.sum() + self.flags.sum() + self.scalar
        return y + z + w


class Control(torch.nn.Module):
    """Symbolic and constant inputs, branches, a loop, partly used results, mutations."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("count", torch.zeros(3))

    def forward(self, x: torch.Tensor, cache: torch.Tensor, k: int, scale: float, mode: str, flag: None):
        rows = x.shape[0]
        a, _, c = torch.split(x, 1, dim=1)
        values, _ = x.max(dim=0)
        branch = torch.cond(x.sum() > 0, lambda t: t * t.shape[0], lambda t: t - 1, (x,))
        _, looped = torch.while_loop(lambda i, t: i < 3, lambda i, t: (i + 1, t * 2), (torch.tensor(0), x))
        self.count.add_(1)
        cache.mul_(2)
        return x.view(rows * 3) + k, a + c, values + self.count, branch, looped * scale, rows, None


class Arguments(torch.nn.Module):
    """One custom op that takes an argument of every kind torch can write."""

    def forward(self, x: torch.Tensor, k: int):
        first = torch.ops.fixture.everything(
            x,
            [x, None],
            [1, -2],
            [0.5, float("inf")],
            [True, False],
            "text \u00e9\n",
            ["a", "b"],
            torch.float16,
            torch.device("cpu"),
            torch.strided,
            torch.channels_last,
            3,
            2.5,
            [x.shape[0], 4],
            k * 2.0,
            layout2=None,
        )
        second, third = torch.ops.fixture.lists(first, [x, first])
        return second, third[1]


def define_ops() -> None:
    torch.library.define(
        "fixture::everything",
        "(Tensor x, Tensor?[] holes, int[] ints, float[] floats, bool[] bools, str text, str[] texts, ScalarType dtype,"
        " Device device, Layout layout, MemoryFormat format, Scalar number, Scalar real, SymInt[] sizes,"
        " float symbolic, *, Layout? layout2=None) -> Tensor",
    )
    torch.library.define("fixture::lists", "(Tensor x, Tensor[] all) -> (Tensor, Tensor[])")

    @torch.library.register_fake("fixture::everything")
    def everything(x, *args, **kwargs):
        return torch.empty_like(x)

    @torch.library.register_fake("fixture::lists")
    def lists(x, all):
        return torch.empty_like(x), [torch.empty_like(t) for t in all]


def portable(program: ExportedProgram) -> ExportedProgram:
    """Drops what the machine that exports leaves in the metadata."""
    for module in program.graph_module.modules():
        for node in getattr(module, "graph", torch.fx.Graph()).nodes:
            node.meta.pop("from_node", None)
            if trace := node.meta.get("stack_trace"):
                trace = re.sub(r'"[^"\n]*/site-packages/', '"site-packages/', trace)
                node.meta["stack_trace"] = re.sub(r'"[^"\n]*/make_pt2.py"', '"make_pt2.py"', trace)
    return program


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    define_ops()
    save(portable(export(Constants(), (torch.randn(2, 4),))), folder / "constants.pt2")
    rows = Dim("rows", min=2, max=10)
    control = export(
        Control(),
        (torch.randn(5, 3), torch.randn(2), 7, 0.5, "sum", None),
        dynamic_shapes={"x": {0: rows}, "cache": None, "k": Dim.DYNAMIC, "scale": None, "mode": None, "flag": None},
    )
    save(portable(control), folder / "control.pt2")
    save(portable(control.run_decompositions()), folder / "control_decomposed.pt2")
    arguments = export(Arguments(), (torch.randn(5, 3), 7), dynamic_shapes={"x": {0: rows}, "k": Dim.DYNAMIC})
    save(portable(arguments), folder / "arguments.pt2")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
