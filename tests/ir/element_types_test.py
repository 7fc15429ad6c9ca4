"""The element types our constraints take are those coreai-core parses and saves, op by op."""

import dataclasses
import re
import subprocess
from pathlib import Path

import pytest
from refine_cases import CASES

refine = pytest.importorskip("refine_test", exc_type=ImportError)
from coreai._compiler.ir import Module  # noqa: E402
from coreai.authoring import AIProgram, Context  # noqa: E402

# Without f4E2M1FN and f8E8M0FNU, which the MLIR we build on has not.
TYPES = [
    "bf16",
    "f16",
    "f32",
    "f64",
    "f8E5M2",
    "f8E4M3FN",
    "si2",
    "si4",
    "si8",
    "si16",
    "si32",
    "si64",
    "ui1",
    "ui2",
    "ui3",
    "ui4",
    "ui6",
    "ui8",
    "ui16",
    "ui32",
    "ui64",
    "i1",
    "complex<f32>",
    "i32",
    "index",
]


def element(operand):
    return re.fullmatch(r"((?:[\d?]+x)*)(.*)", operand.rpartition(":")[2]).groups()[1]


def swapped(operand, old, new):
    _, colon, shaped = operand.rpartition(":")
    return operand if element(operand) != old or colon else shaped.removesuffix(old) + new


def variants(case):
    """The op with the type of one operand replaced, in the result and in operands of that type too."""
    for old in dict.fromkeys(element(operand) for operand in case.operands if ":" not in operand):
        for new in TYPES:
            operands = tuple(swapped(operand, old, new) for operand in case.operands)
            # A padding value goes with its input.
            operands = tuple(
                f"{'true' if new == 'i1' else '(0.0, 0.0)' if 'complex' in new else 0 if 'i' in new else 0.0}:{new}"
                if operand == f"0.0:{old}"
                else operand
                for operand in operands
            )
            results = tuple(swapped(result, old, new) for result in case.expected)
            yield dataclasses.replace(case, operands=operands, result=results)


def first_of_each_op():
    seen = {}
    for case in CASES:
        if not case.region:
            seen.setdefault(case.op, case)
    return list(seen.values())


def taken(texts, folder):
    """Which of the modules coreai-core parses and saves."""
    answers = []
    for i, text in enumerate(texts):
        try:
            program = AIProgram._from_mlir_module(Module.parse(text, context=Context()._mlir_context))
            program.save_asset(Path(folder) / f"{i}.aimodel")
            answers.append(True)
        except Exception:
            answers.append(False)
    return answers


# Casts between any two types verify; broadcasts and tiles may change the type in coreai-core.
@pytest.mark.parametrize("case", first_of_each_op(), ids=lambda case: case.op)
def test_element_types(case, tmp_path):
    texts = [refine.module(variant) for variant in variants(case)]
    run = subprocess.run([refine.TOOL], input="// -----\n".join(texts), capture_output=True, text=True, check=True)
    ours = [not answer.startswith("error: ") for answer in run.stdout.split("// -----\n")]
    theirs = refine.in_child(taken, texts, str(tmp_path))
    assert isinstance(theirs, list), theirs
    wrong = [
        f"{'ours' if mine else 'theirs'}: {variant.name} -> {variant.result}"
        for variant, mine, other in zip(
            variants(case), ours, theirs, strict=False
        )  # an op without variants: one empty answer
        if mine != other
    ]
    assert not wrong
