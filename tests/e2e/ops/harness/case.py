"""What one case is: a torch function, its inputs, and how near to eager its outputs must come."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch

NAN, INF = float("nan"), float("inf")


@dataclass
class Case:
    name: str
    fn: Callable  # tensors in, a tensor or a sequence of tensors out
    # Tensors; or a function of a size n giving them: the axes that vary with n are then exported as
    # dynamic, and the program runs with two sizes.
    inputs: Sequence[torch.Tensor] | Callable[[int], Sequence[torch.Tensor]]
    rtol: float | None = None  # defaults by dtype
    atol: float | None = None
    # Why eager's own answer is not to be matched here, for outputs by index: the check then compares
    # with `reference` instead.
    reference: Callable | None = None
    batch: bool = True  # may share an exported program with its neighbours
    expect_error: str | None = None  # a conversion that must be refused, and words of its message
    raw: bool = False  # exported without decompositions: reaches the keys they would take apart

    @property
    def dynamic(self) -> bool:
        return callable(self.inputs)

    def sizes(self) -> list[Sequence[torch.Tensor]]:
        """Inputs to run with; the first are those to export with."""
        return [self.inputs(5), self.inputs(3)] if self.dynamic else [self.inputs]


def case(name: str, fn: Callable, *inputs, **options) -> Case:
    """case("exp", torch.exp, x) or, with dynamic sizes, case("exp", torch.exp, lambda n: (normal(2, n),))."""
    if len(inputs) == 1 and callable(inputs[0]) and not isinstance(inputs[0], torch.Tensor):
        return Case(name, fn, inputs[0], **options)
    return Case(name, fn, inputs, **options)


def grid(name: str, fn: Callable, inputs: dict[str, tuple], **options) -> list[Case]:
    """One case for each named tuple of inputs: grid("add", torch.add, {"f32": (x, y), "i32": (i, j)})."""
    return [Case(f"{name}-{key}", fn, value, **options) for key, value in inputs.items()]


def generator(*key) -> torch.Generator:
    return torch.Generator().manual_seed(hash(key) % (2**31))


def normal(*shape: int, dtype=torch.float32, scale=1.0) -> torch.Tensor:
    return (torch.randn(shape, generator=generator(shape)) * scale).to(dtype)


def uniform(low: float, high: float, *shape: int, dtype=torch.float32) -> torch.Tensor:
    return (torch.rand(shape, generator=generator(shape)) * (high - low) + low).to(dtype)


def ints(low: int, high: int, *shape: int, dtype=torch.int32) -> torch.Tensor:
    return torch.randint(low, high, shape, generator=generator(shape, low)).to(dtype)
