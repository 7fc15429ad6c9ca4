"""Saves bytecode as an asset in a process of its own: bad input aborts coreai-core, and only this process.

``python -m sixrung.worker save --bytecode FILE --out DIR.aimodel [--optimize] [--metadata FILE.json]``; exit
code 0 when the asset is there, 1 with the reason on stderr. Also runs as a file, without the package and
without torch.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any

_HERE = Path(__file__).resolve().parent


def _coreai_core() -> ModuleType:
    # As a file, this folder may head the path, where the package's own coreai.py would hide coreai-core.
    sys.path[:] = [entry for entry in sys.path if not entry or Path(entry).resolve() != _HERE]
    spec = importlib.util.spec_from_file_location("_sixrung_coreai_core", _HERE / "_coreai_core.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _custom(file: Path | None) -> dict[str, Any]:
    if file is None:
        return {}
    read = json.loads(file.read_text(encoding="utf-8"))
    if not isinstance(read, dict):
        raise ValueError(f"{file} holds no JSON object")
    return read


def _reason(error: BaseException) -> str:
    """The message with those of its causes: coreai-core tells what was wrong in the cause."""
    lines = []
    seen: BaseException | None = error
    while seen is not None:
        lines.append(f"{type(seen).__name__}: {seen}".strip())
        seen = seen.__cause__
    return "\n".join(dict.fromkeys(lines))


def save(bytecode: Path, out: Path, optimize: bool, metadata: Path | None) -> None:
    core = _coreai_core()
    core.require()
    if bytecode.stat().st_size == 0:  # an empty text would be an empty program
        raise ValueError(f"{bytecode} is empty")
    program = core.parse(bytecode)
    if optimize:
        core.optimize(program)
    core.save(program, out, _custom(metadata))


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="sixrung.worker", description="saves bytecode as an .aimodel")
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("save", help="bytecode to asset")
    command.add_argument("--bytecode", type=Path, required=True)
    command.add_argument("--out", type=Path, required=True)
    command.add_argument("--optimize", action="store_true", help="run coreai-core's own rewrite first")
    command.add_argument("--metadata", type=Path, help="a JSON object for the asset's custom metadata")
    command.add_argument("--traceback", action="store_true", help="show where an error arose")
    given = parser.parse_args(argv)
    try:
        save(given.bytecode, given.out, given.optimize, given.metadata)
    except Exception as error:
        if given.traceback:
            traceback.print_exc()
        print(_reason(error), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
