"""Our inferred types against those coreai-core refines, and our printed form against its parser.

coreai-core runs in a forked child: bad input ends a process there.
"""

import asyncio
import os
import pickle
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
from refine_cases import CASES

pytest.importorskip("coreai")
from coreai._compiler.ir import Module
from coreai.authoring import AIProgram, Context
from coreai.runtime import NDArray

BUILD = Path(os.environ.get("SIXRUNG_BUILD", Path(__file__).parents[2] / "build"))
TOOL = BUILD / "tests" / "infer_tool"
if not TOOL.exists():
    pytest.skip(f"{TOOL} is not built", allow_module_level=True)


def tensor(text):
    return f"tensor<{text}>"


def module(case):
    """One graph of one op, generic, with the case's results as given."""
    arguments, lines, names, types = [], [], [], []
    for i, operand in enumerate(case.operands):
        value, _, shape = operand.rpartition(":") if ":" in operand else (None, None, operand)
        names.append(f"%v{i}")
        types.append(tensor(shape))
        if value is None:
            arguments.append(f'%v{i}: {tensor(shape)} {{coreai.name = "v{i}"}}')
        else:
            lines.append(f"%v{i} = coreai.constant dense<{value}> : {tensor(shape)}")
    if not arguments:  # the rewrite would leave nothing to look at
        arguments.append('%unused: tensor<1xf32> {coreai.name = "unused"}')
    results = [tensor(t) for t in case.result]
    names_out = [f"%r#{i}" for i in range(len(results))] if len(results) > 1 else ["%r"]
    properties = f" <{{{case.attributes}}}>" if case.attributes else ""
    region = f" ({{\n{case.region}\n}})" if case.region else ""
    head = f"%r:{len(results)}" if len(results) > 1 else "%r"
    lines.append(
        f'{head} = "coreai.{case.op}"({", ".join(names)}){properties}{region} : ({", ".join(types)}) -> '
        f"({', '.join(results)})"
    )
    lines.append(f"coreai.output {', '.join(names_out)} : {', '.join(results)}")
    outputs = ", ".join(f'{t} {{coreai.name = "r{i}"}}' for i, t in enumerate(results))
    body = "\n".join(lines)
    return f"coreai.graph @main({', '.join(arguments)}) -> ({outputs}) {{\n{body}\n}}\n"


def in_child(function, *arguments):
    """What `function` returns, or the text of what it raised; a crash fails the test."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        try:
            answer = function(*arguments)
        except Exception as error:
            answer = error_text(error)
        with os.fdopen(write, "wb") as out:
            pickle.dump(answer, out)
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as answer:
        data = answer.read()
    os.waitpid(child, 0)
    return pickle.loads(data) if data else "error: coreai-core ended its process"


def error_text(error):
    return f"error: {error}"


def printed(text):
    """coreai-core's own printing of what we print."""
    return str(Module.parse(text, context=Context()._mlir_context))


def refined(text):
    program = AIProgram._from_mlir_module(Module.parse(text, context=Context()._mlir_context))
    with program._module:
        pass
    return str(program._module)


NUMPY = {
    "f32": np.float32,
    "f16": np.float16,
    "si32": np.int32,
    "si8": np.int8,
    "ui8": np.uint8,
    "ui32": np.uint32,
    "i1": np.bool_,
    "complex<f32>": np.complex64,
}


def argument(shaped):
    """Ones; an unknown dim as 2. Indices of 1 are in range of every case."""
    dims, element = re.fullmatch(r"((?:[\d?]+x)*)(.*)", shaped).groups()
    shape = [2 if dim == "?" else int(dim) for dim in dims.split("x")[:-1]]
    return np.ones(shape, NUMPY[element])


def executed(text, arguments, folder):
    """The shapes the interpreter gives the results."""
    program = AIProgram._from_mlir_module(Module.parse(text, context=Context()._mlir_context))
    asset = program.save_asset(Path(folder) / "case.aimodel")

    async def run():
        async with asset.executable() as model:
            results = await model.load_function("main")({k: NDArray(v) for k, v in arguments.items()})
            return {name: tuple(np.array(value.numpy()).shape) for name, value in results.items()}

    return asyncio.run(run())


def op_lines(text, op):
    """The line of the op, and the lines of its region."""
    lines = [line.strip() for line in text.splitlines()]
    begin = next((i for i, line in enumerate(lines) if re.match(rf"(%.* = )?coreai\.{re.escape(op)}[ <(]", line)), None)
    if begin is None:
        return []
    end = begin
    if lines[begin].endswith("{"):
        end = next(i for i in range(begin, len(lines)) if lines[i].startswith("}"))
    return lines[begin : end + 1]


def result_types(lines):
    tail = re.split(r" -> | to ", lines[-1])[-1]
    return tuple(re.findall(r"tensor<((?:[^<>]|<[^<>]*>)*)>", tail))


@pytest.fixture(scope="session")
def ours():
    """Our answer for each case, all in one run of the tool."""
    texts = "// -----\n".join(module(case) for case in CASES)
    run = subprocess.run([TOOL], input=texts, capture_output=True, text=True, check=True)
    answers = run.stdout.split("// -----\n")
    assert len(answers) == len(CASES), run.stderr
    return dict(zip(CASES, answers, strict=True))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_inferred(case, ours):
    assert not ours[case].startswith("error: "), ours[case]
    assert result_types(op_lines(ours[case], case.op)) == case.expected


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_printed_form(case, ours):
    """coreai-core parses what we print and prints it in the same words."""
    theirs = in_child(printed, ours[case])
    assert not theirs.startswith("error: "), theirs
    assert op_lines(theirs, case.op) == op_lines(ours[case], case.op)


@pytest.mark.parametrize("case", [case for case in CASES if case.refines], ids=lambda case: case.name)
def test_refined(case):
    theirs = in_child(refined, module(case))
    assert not theirs.startswith("error: "), theirs
    lines = op_lines(theirs, case.op)
    if lines:
        assert result_types(lines) == case.expected
    else:  # folded, or turned into other ops
        outputs = re.search(r"@main\(.*?\) -> \((.*)\) (?:attributes )?\{", theirs).group(1)
        assert tuple(re.findall(r"tensor<((?:[^<>]|<[^<>]*>)*)> \{", outputs)) == case.expected


@pytest.mark.parametrize("case", [c for c in CASES if not c.refines and c.runs], ids=lambda case: case.name)
def test_executed(case, tmp_path):
    arguments = {f"v{i}": argument(shaped) for i, shaped in enumerate(case.operands) if ":" not in shaped}
    shapes = in_child(executed, module(case), arguments or {"unused": np.ones(1, np.float32)}, str(tmp_path))
    assert isinstance(shapes, dict), shapes
    for i, expected in enumerate(case.expected):
        dims = re.fullmatch(r"((?:[\d?]+x)*)(.*)", expected).group(1).split("x")[:-1]
        assert len(shapes[f"r{i}"]) == len(dims)
        assert all(dim in ("?", str(size)) for dim, size in zip(dims, shapes[f"r{i}"], strict=True)), shapes
