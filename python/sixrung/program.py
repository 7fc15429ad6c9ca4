"""A converted program and what can be done with it."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import torch  # noqa: F401  (before the host, which shares its libraries)

from . import _core, _coreai_core, arguments
from .errors import InvalidInputError, MissingRuntimeError

_LARGE = 1024  # bytes of a constant that str() leaves out
_OPS_WIDTH = 80  # columns of the ops in a printed explanation


@dataclass(frozen=True)
class NodeRecord:
    """Who lowered a node."""

    entrypoint: str
    node: str
    key: str
    source: str
    rung: str
    plugin: str
    version: str
    detail: str
    overridden: tuple[str, ...]
    ops: tuple[str, ...]
    remarks: tuple[str, ...]

    @property
    def by(self) -> str:
        return f"{self.plugin} {self.version or self.detail}".rstrip()


@dataclass(frozen=True)
class Port:
    """An input, output or state: sizes known only at run time are ``None``."""

    name: str
    dtype: str
    shape: tuple[int | None, ...]


def node_records(records: Iterable[dict[str, Any]]) -> tuple[NodeRecord, ...]:
    lists = ("overridden", "ops", "remarks")
    return tuple(NodeRecord(**{**record, **{key: tuple(record[key]) for key in lists}}) for record in records)


def _brief(ops: Iterable[str]) -> str:
    """The ops in one column: runs are counted, and what does not fit is told by number."""
    names = [op.removeprefix("coreai.") for op in ops]
    runs = [(name, len(list(run))) for name, run in groupby(names)]
    words = [name if count == 1 else f"{name}*{count}" for name, count in runs]
    text = ", ".join(words)
    if len(text) <= _OPS_WIDTH:
        return text
    kept = list(words)
    tail = f", ... {len(names)} in all"
    while len(kept) > 1 and len(", ".join(kept)) + len(tail) > _OPS_WIDTH:
        kept.pop()
    return ", ".join(kept) + tail


def _line(text: str) -> str:
    """A name of the program may hold anything; a line of a table holds no control characters."""
    return text if text.isprintable() else re.sub(r"[\x00-\x1f\x7f-\x9f]", lambda c: f"\\x{ord(c[0]):02x}", text)


class Explanation(Sequence[NodeRecord]):
    """The records of a program; prints as a table, in which long lists of ops are cut short."""

    def __init__(self, records: Iterable[NodeRecord]) -> None:
        self._records = tuple(records)

    def __getitem__(self, index: Any) -> Any:
        return self._records[index]

    def __len__(self) -> int:
        return len(self._records)

    def __str__(self) -> str:
        rows: list[tuple[str, ...]] = [("node", "key", "rung", "lowered by", "ops", "source")]
        for record in self._records:
            cells = (record.node, record.key, record.rung, record.by, _brief(record.ops), record.source)
            rows.append(tuple(_line(cell) for cell in cells))
        widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]) - 1)]
        lines = []
        remarks = ((), *(record.remarks for record in self._records))
        for row, told in zip(rows, remarks, strict=True):
            padded = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
            lines.append("  ".join([*padded, row[-1]]).rstrip())
            lines += [f"    {_line(remark)}" for remark in told]
        return "\n".join(lines)

    __repr__ = __str__


class Program:
    """What ``TorchConverter.to_coreai()`` gives. Prints as MLIR."""

    def __init__(self, session: _core.Session, converted: _core.Converted) -> None:
        self._session = session
        self._converted = converted

    def __str__(self) -> str:
        return self.text(large_constants=False)

    def text(self, *, large_constants: bool = True) -> str:
        """The program as MLIR text. Without large constants, those of more than a kilobyte are only named."""
        if arguments.flag(large_constants, "large_constants"):
            return self._converted.text()
        text = self._converted.text(largest=_LARGE)
        return text.rstrip().removesuffix("{-#\n\n#-}").rstrip() + "\n"  # what is left of the constants' section

    def __repr__(self) -> str:
        names = ", ".join(name for name, *_ in self._converted.entries())
        return f"<sixrung.Program {names}: {self._converted.op_count()} ops>"

    @property
    def op_count(self) -> int:
        return self._converted.op_count()

    @property
    def entrypoints(self) -> tuple[str, ...]:
        return tuple(name for name, *_ in self._converted.entries())

    def inputs(self, entrypoint: str | None = None) -> tuple[Port, ...]:
        return self._ports(entrypoint, 1)

    def outputs(self, entrypoint: str | None = None) -> tuple[Port, ...]:
        return self._ports(entrypoint, 2)

    def states(self, entrypoint: str | None = None) -> tuple[Port, ...]:
        """Mutable buffers and mutated inputs, whose values the caller holds."""
        name = self._entry(entrypoint)[0]
        return tuple(
            Port(state["name"], state["dtype"], tuple(state["shape"]))
            for state in self._converted.states(initial=False)
            if state["entrypoint"] == name
        )

    def _ports(self, entrypoint: str | None, column: int) -> tuple[Port, ...]:
        entry = self._entry(entrypoint)
        return tuple(Port(name, dtype, tuple(dims)) for name, dtype, dims in entry[column])

    def _entry(self, entrypoint: str | None) -> Any:
        if entrypoint is not None:
            arguments.text(entrypoint, "entrypoint", "the name of an entrypoint")
        entries = self._converted.entries()
        for entry in entries:
            if entrypoint in (None, entry[0]):
                return entry
        raise InvalidInputError(f"there is no entrypoint '{entrypoint}'; there is {', '.join(e[0] for e in entries)}")

    @property
    def nodes(self) -> tuple[NodeRecord, ...]:
        """Who lowered what, node by node."""
        return node_records(self._converted.nodes())

    def explain(self) -> Explanation:
        """The records as a table."""
        return Explanation(self.nodes)

    def bytecode(self) -> bytes:
        """MLIR bytecode, the same for the same program and build."""
        return self._converted.bytecode()

    def initial_state(self, entrypoint: str | None = None) -> dict[str, np.ndarray]:
        """The initial values of mutable buffers, by state name; the runtime takes them as ``state``.

        Mutated inputs have none: their values are the caller's.
        """
        name = self._entry(entrypoint)[0]
        return {
            state["name"]: _array(state)
            for state in self._converted.states()
            if state["entrypoint"] == name and state["initial"] is not None
        }

    def save(self, path: str | os.PathLike[str], *, provenance: bool | None = None, **options: str) -> None:
        """Writes the program as its suffix says: ``.mlir``, ``.mlirb``, ``.aimodel``, or a plugin's own.

        ``provenance`` writes what produced it to ``PATH.provenance.json``; by default when a deployment is used.
        """
        for name, value in options.items():
            arguments.instance(value, str, f"the option {name}", "a string")
        target = arguments.path(path)
        self._session.emit(self._converted, target, options=options, sidecar=self._sidecar(provenance))

    def _sidecar(self, wanted: bool | None) -> bool:
        return bool(self._session.deployment()) if wanted is None else arguments.flag(wanted, "provenance")

    def save_asset(
        self, path: str | os.PathLike[str], optimize: bool = False, *, provenance: bool | None = None
    ) -> Any:
        """Writes an ``.aimodel`` and returns coreai-core's ``AIModelAsset`` of it.

        coreai-core runs in a process of its own; the asset is written aside and then takes the place of
        an older one in one step. ``optimize`` runs coreai-core's own rewrite first, which no program needs.
        """
        target = Path(arguments.path(path))
        if target.suffix != ".aimodel":
            raise InvalidInputError(f"an asset's name ends in .aimodel, not in '{target.suffix}'")
        _require_runtime()
        options = {
            "python": sys.executable,
            "worker": str(Path(__file__).with_name("worker.py")),
        }
        if arguments.flag(optimize, "optimize"):
            options["optimize"] = "1"
        self._session.emit(self._converted, str(target), "aimodel", options, sidecar=self._sidecar(provenance))
        return _coreai_core.load(target)

    def to_aiprogram(self) -> Any:
        """The program as a coreai-core ``AIProgram`` in this process."""
        _require_runtime()
        with tempfile.TemporaryDirectory(prefix="sixrung-") as folder:
            file = Path(folder) / "program.mlirb"
            self._converted.write_bytecode(str(file))
            return _coreai_core.parse(file)  # maps the file, which may go then


def _require_runtime() -> None:
    if reason := _coreai_core.problem():
        raise MissingRuntimeError(reason, {"hint": "pip install 'sixrung[runtime]'"})


def _array(state: dict[str, Any]) -> np.ndarray:
    name = state["dtype"]
    try:
        dtype = np.dtype(name)
    except TypeError:
        import ml_dtypes  # comes with coreai-core

        dtype = np.dtype(getattr(ml_dtypes, name))
    return np.frombuffer(state["initial"], dtype=dtype).reshape(state["shape"]).copy()


__all__ = ["Explanation", "NodeRecord", "Port", "Program"]
