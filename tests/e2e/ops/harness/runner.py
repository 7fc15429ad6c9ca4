"""Runs cases many to a program, and tells each one's result alone."""

from __future__ import annotations

import warnings

import torch

from .case import Case
from .compare import difference
from .convert import ConversionError, convert_and_run, decompositions
from .runtime import RuntimeFailure

BATCH = 40  # cases to one exported program
_results: dict[int, dict[str, str | None]] = {}


class _Together(torch.nn.Module):
    """Several functions side by side: the inputs of all, the outputs of all."""

    def __init__(self, functions, arities):
        super().__init__()
        self.functions, self.arities = functions, arities

    def forward(self, *inputs):
        outputs, at = [], 0
        for function, arity in zip(self.functions, self.arities, strict=True):
            outputs.extend(_flat(function(*inputs[at : at + arity])))
            at += arity
        return tuple(outputs)


def _flat(outputs):
    return [outputs] if isinstance(outputs, torch.Tensor) else list(outputs)


def _dynamic_shapes(first, second):
    """Axes that differ between two sizes of the same input are dynamic."""
    return [
        {axis: torch.export.Dim.AUTO for axis, (m, n) in enumerate(zip(x.shape, y.shape, strict=True)) if m != n}
        for x, y in zip(first, second, strict=True)
    ]


def check(cases: list[Case], case: Case):
    """Fails with the difference of `case`; runs its whole table first, once."""
    key = id(cases)
    if key not in _results:
        _results[key] = _run_all(cases)
    problem = _results[key][case.name]
    if case.expect_error is not None:
        assert problem and case.expect_error in problem, (
            f"expected a refusal with '{case.expect_error}', got: {problem}"
        )
    elif problem:
        raise AssertionError(problem)


def _run_all(cases):
    results = {}
    for raw in (False, True):
        together = [c for c in cases if c.batch and c.expect_error is None and c.raw == raw]
        for at in range(0, len(together), BATCH):
            results.update(_run(together[at : at + BATCH]))
    for c in cases:
        if c.name not in results:
            results.update(_run([c]))
    return results


def _run(cases):
    """Problems by name. A program that fails as a whole is halved until the culprit stands alone."""
    try:
        found = _run_together(cases)
    except Exception as error:
        found = f"{type(error).__name__}: {error}"
    if isinstance(found, dict):
        return found
    if len(cases) == 1:
        return {cases[0].name: found}
    half = len(cases) // 2
    return {**_run(cases[:half]), **_run(cases[half:])}


def _run_together(cases):
    sizes = [c.sizes() for c in cases]
    module = _Together([c.fn for c in cases], [len(s[0]) for s in sizes]).eval()
    inputs = [x for s in sizes for x in s[0]]
    shapes = None
    if any(c.dynamic for c in cases):
        shapes = (tuple(d for s in sizes for d in _dynamic_shapes(s[0], s[-1])),)
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        program = torch.export.export(module, tuple(inputs), dynamic_shapes=shapes)
        program = program.run_decompositions({} if cases[0].raw else decompositions())
        runs = [inputs]
        if shapes:
            runs.append([x for s in sizes for x in s[-1]])
        answers = convert_and_run(program, runs)
        problems = {c.name: None for c in cases}
        for number, answer in enumerate(answers):
            if isinstance(answer, RuntimeFailure):
                return f"run {number}: {answer}"
            at = 0
            for c, s in zip(cases, sizes, strict=True):
                expected = [
                    # A symbolic number comes out as a 0-d tensor.
                    x if isinstance(x, torch.Tensor) else torch.tensor(x)
                    for x in _flat((c.reference or c.fn)(*s[min(number, len(s) - 1)]))
                ]
                for index, want in enumerate(expected):
                    problem = difference(answer[at + index], want, c.rtol, c.atol)
                    if problem and problems[c.name] is None:
                        problems[c.name] = f"run {number}, output {index}: {problem}"
                at += len(expected)
        return problems


__all__ = ["ConversionError", "check"]
