"""Small exported programs that between them hold what a graph can hold."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch.export import Dim, ExportedProgram, export


def mutated_buffer() -> ExportedProgram:
    class Counter(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("count", torch.zeros(4))
            self.register_buffer("scratch", torch.ones(4), persistent=False)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            self.count.add_(x)
            self.scratch.mul_(2.0)
            return self.count + self.scratch

    return export(Counter(), (torch.ones(4),)).run_decompositions({})


def mutated_input() -> ExportedProgram:
    class Writes(torch.nn.Module):
        def forward(self, x: torch.Tensor, cache: torch.Tensor) -> torch.Tensor:
            cache.add_(x)
            return cache * 2

    return export(Writes(), (torch.ones(4), torch.zeros(4))).run_decompositions({})


def cond() -> ExportedProgram:
    class Branches(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.cond(x.sum() > 0, lambda t: t.sin() + 1, lambda t: t * 2, (x,))

    return export(Branches(), (torch.randn(3, 4),))


def nested_cond() -> ExportedProgram:
    class Branches(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            def inner(t: torch.Tensor) -> torch.Tensor:
                return torch.cond(t.max() > 1, lambda u: u - 1, lambda u: u + 1, (t,))

            return torch.cond(x.sum() > 0, inner, lambda t: t * 2, (x,))

    return export(Branches(), (torch.randn(3, 4),))


def while_loop() -> ExportedProgram:
    class Loop(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
            def condition(i: torch.Tensor, t: torch.Tensor) -> torch.Tensor:
                return i < 3

            def body(i: torch.Tensor, t: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
                return i + 1, t * 2

            return torch._higher_order_ops.while_loop(condition, body, (torch.tensor(0), x))

    return export(Loop(), (torch.randn(3),))


def lists() -> ExportedProgram:
    class Lists(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
            first, _, third = torch.split(x, 2)
            values, _ = torch.topk(x, 2, dim=1)
            _, indices = torch.max(x, dim=0)
            return torch.cat([first, third]), values, indices, x[:, None, [0, 2]]

    return export(Lists(), (torch.randn(6, 4),))


def repeated_getitem() -> ExportedProgram:
    program = lists()
    graph = program.graph
    split = next(node for node in graph.nodes if "split" in node.name)
    first = next(user for user in split.users if user.args[1] == 0)
    cat = next(node for node in graph.nodes if node.name.startswith("cat"))
    with graph.inserting_before(cat):
        again = graph.call_function(first.target, (split, 0))
        again.meta = dict(first.meta)
        doubled = graph.call_function(torch.ops.aten.add.Tensor, (first, again))
        doubled.meta = dict(first.meta)
    cat.replace_input_with(first, doubled)
    graph.lint()
    program.graph_module.recompile()
    return program


def dynamic() -> ExportedProgram:
    class Dynamic(torch.nn.Module):
        def forward(self, x: torch.Tensor, y: torch.Tensor) -> tuple[torch.Tensor, int]:
            rows = x.shape[0]
            z = x.reshape(rows * 2, 2) + y[: rows * 2]
            a, b = torch.split(z, [1, z.shape[0] - 1])
            return torch.arange(rows) + a.sum() + b.mean(), rows * 3 // 2

    rows = Dim("rows", min=2, max=64)
    return export(
        Dynamic(), (torch.randn(5, 4), torch.randn(200, 2)), dynamic_shapes=({0: rows}, {0: Dim("other", min=130)})
    )


def unbacked() -> ExportedProgram:
    class Unbacked(torch.nn.Module):
        def forward(self, x: torch.Tensor, n: torch.Tensor) -> torch.Tensor:
            size = n.item()
            torch._check(size >= 2)
            torch._check(size <= 10)
            return torch.zeros(size, 4) + x

    return export(Unbacked(), (torch.randn(4), torch.tensor(3)))


def symint_input() -> ExportedProgram:
    class Sized(torch.nn.Module):
        def forward(self, x: torch.Tensor, n: int) -> torch.Tensor:
            return torch.full((n, 2), 1.5) + x.sum() + n

    return export(Sized(), (torch.randn(8, 2), 4), dynamic_shapes=(None, Dim.DYNAMIC))


def constant_inputs() -> ExportedProgram:
    class Constants(torch.nn.Module):
        def forward(self, x: torch.Tensor, n: int, s: str, f: float, none: None, flag: bool) -> torch.Tensor:
            return x * n + f if s == "add" and flag and none is None else x

    return export(Constants(), (torch.randn(4), 3, "add", 0.5, None, True))


def tied_weights() -> ExportedProgram:
    class Tied(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.embedding = torch.nn.Embedding(16, 8)
            self.head = torch.nn.Linear(8, 16, bias=False)
            self.head.weight = self.embedding.weight

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.head(self.embedding(x))

    return export(Tied(), (torch.arange(4),))


def strided_constants() -> ExportedProgram:
    class Strided(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            base = torch.arange(24.0).reshape(4, 6)
            self.transposed = base.t()
            self.offset = base[1:, 2:5]
            self.expanded = torch.ones(3, 1).expand(3, 4)
            self.register_buffer("stepped", base[::2, ::3])
            self.empty = torch.zeros(0, 3)

        def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
            return (x @ self.transposed, self.offset * 1, self.expanded + 1, self.stepped + 0, self.empty + 1)

    return export(Strided(), (torch.randn(2, 6),))


def literals() -> ExportedProgram:
    class Literals(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
            a = torch.full((2,), float("inf"), dtype=torch.float64)
            b = x.to(torch.float16, memory_format=torch.channels_last)
            c = torch.nn.functional.interpolate(x, scale_factor=2.0, mode="bilinear")
            d = torch.zeros(2, device="cpu", dtype=torch.int64)
            e = torch.where(x > 0, x, float("-inf"))
            return a, b, c, d, e, torch.full((2,), float("nan")), torch.view_as_complex(x[0, :2, :2, :2].clone())

    return export(Literals(), (torch.randn(1, 2, 4, 4),))


def custom_op() -> ExportedProgram:
    if not hasattr(torch.ops.sixrung_test, "scaled_add"):

        @torch.library.custom_op("sixrung_test::scaled_add", mutates_args=())
        def scaled_add(x: torch.Tensor, y: torch.Tensor, scale: float = 1.0) -> torch.Tensor:
            return x + scale * y

        @scaled_add.register_fake
        def _(x: torch.Tensor, y: torch.Tensor, scale: float = 1.0) -> torch.Tensor:
            return torch.empty_like(x)

    class Custom(torch.nn.Module):
        def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
            return torch.ops.sixrung_test.scaled_add(x, y, scale=0.5)

    return export(Custom(), (torch.randn(4, 8), torch.randn(4, 8)))


PROGRAMS: dict[str, Callable[[], ExportedProgram]] = {
    f.__name__: f
    for f in (
        mutated_buffer,
        mutated_input,
        cond,
        nested_cond,
        while_loop,
        lists,
        repeated_getitem,
        dynamic,
        unbacked,
        symint_input,
        constant_inputs,
        tied_weights,
        strided_constants,
        literals,
        custom_op,
    )
}
