"""The converter: programs staged, lowerings registered, one Core AI program out."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TypeVar

import torch

from . import _core, arguments
from .deployment import Deployment, new_session
from .errors import InvalidInputError, PluginError, RegistrationError, UnsupportedError
from .lowering import LoweringFunction, describe, is_operator, runner, source_sha256
from .paths import plugin_dir
from .program import Explanation, Program, node_records

abi_version: str = _core.abi_version
Lowering = TypeVar("Lowering", bound=LoweringFunction)
_QUALIFIED = re.compile(r"[A-Za-z_]\w*::[A-Za-z_]\w*(\.\w+)?")


class Mode(Enum):
    """DEBUG carries file and line of every op; RELEASE carries none."""

    DEBUG = "debug"
    RELEASE = "release"


_Mode = Mode  # the class below has a member of that name


@dataclass
class _Staged:
    exported: torch.export.ExportedProgram
    graph: _core.GraphProgram
    input_names: list[str]
    output_names: list[str]
    state_names: list[str]

    def entry(self, name: str) -> _core.Entry:
        return name, self.graph, self.input_names, self.output_names, self.state_names

    def __str__(self) -> str:
        signature = self.exported.graph_signature
        inputs = self.input_names or [str(name) for name in signature.user_inputs]
        outputs = self.output_names or [str(name) for name in signature.user_outputs]
        states = f", states={self.state_names}" if self.state_names else ""
        return f"ExportedProgram {inputs} -> {outputs}{states}"


def _aten_overloads(name: str) -> list[str]:
    packet = getattr(torch.ops.aten, name, None)
    return [f"aten::{name}.{overload}" for overload in packet.overloads()] if packet is not None else []


class TorchConverter:
    """Converts PyTorch exported programs to one Core AI program.

    ``wide_io`` keeps int64 and float64 at the inputs, where they are si32 and f32 otherwise.
    """

    Mode = Mode

    def __init__(self, *, mode: _Mode = _Mode.DEBUG, wide_io: bool = False) -> None:
        if not isinstance(mode, _Mode) and not (isinstance(mode, str) and mode in [each.value for each in _Mode]):
            arguments.refuse("mode", "sixrung.Mode.DEBUG or sixrung.Mode.RELEASE", mode)
        self.mode = _Mode(mode)
        self.wide_io = arguments.flag(wide_io, "wide_io")
        self._session = new_session()
        self._staged: dict[str, _Staged] = {}

    def add_exported_program(
        self,
        exported_program: torch.export.ExportedProgram,
        *,
        input_names: Sequence[str] | None = None,
        output_names: Sequence[str] | None = None,
        state_names: Sequence[str] | None = None,
        entrypoint_name: str = "main",
    ) -> TorchConverter:
        """Stages a program and checks its ATen ops. Its weights are borrowed, and read when converting.

        Names are those of the asset's inputs, outputs and states, in the program's order; by default the
        names of placeholders, returned values, and mutated buffers and inputs.
        """
        arguments.text(entrypoint_name, "entrypoint_name", "a string")
        if entrypoint_name in self._staged:
            raise InvalidInputError(f"A program with {entrypoint_name=} is already staged.")
        chosen = {"input_names": input_names, "output_names": output_names, "state_names": state_names}
        names = {what: arguments.names(given, f"{what} of {entrypoint_name!r}") for what, given in chosen.items()}
        staged = _Staged(exported_program, _core.read_exported_program(exported_program), **names)
        self._session.stage(staged.entry(entrypoint_name), os.getcwd())
        self._staged[entrypoint_name] = staged
        return self

    def to_coreai(
        self,
        *,
        entrypoints: Sequence[str] | None = None,
        externalize: Mapping[str, Sequence[str]] | None = None,
    ) -> Program:
        """Converts the staged programs, or those named, into one program.

        ``externalize`` lets strategies cut nodes out into graphs of their own: the paths each is given, by
        its name. ``{"module_path": ["encoder.layers.*"]}`` cuts submodules.
        """
        if not self._staged:
            raise InvalidInputError("No programs to convert. Call add_exported_program() first.")
        chosen = self._chosen(entrypoints)
        strategies = arguments.strategies(externalize, "externalize")
        converted = self._session.convert(
            [self._staged[name].entry(name) for name in chosen],
            debug_locations=self.mode is _Mode.DEBUG,
            wide_io=self.wide_io,
            source_root=os.getcwd(),
            strategies=strategies,
        )
        return Program(self._session, converted)

    def _chosen(self, entrypoints: Sequence[str] | None) -> list[str]:
        if entrypoints is None:
            return list(self._staged)
        listed = [entrypoints] if isinstance(entrypoints, str) else entrypoints
        chosen = arguments.names(listed, "entrypoints", "a list of entrypoint names")
        if unknown := [name for name in chosen if name not in self._staged]:
            raise InvalidInputError(
                f"No program is staged as {', '.join(map(repr, unknown))}; staged: {', '.join(self._staged) or 'none'}"
            )
        if not chosen:
            raise InvalidInputError("No programs to convert: entrypoints is empty.")
        return list(dict.fromkeys(chosen))

    def register_torch_lowering(
        self, qualified_name: str, allow_override: bool = False
    ) -> Callable[[Lowering], Lowering]:
        """Decorates a lowering ``(values_map, node, loc) -> Value | list[Value]`` of one op.

        ``qualified_name`` is ``"namespace::op.overload"``. ``allow_override`` lets it take the place of a
        lowering that is there.
        """
        if not isinstance(qualified_name, str) or not _QUALIFIED.fullmatch(qualified_name):
            raise RegistrationError(
                f"qualified_name must be 'namespace::op_name', got {arguments.brief(qualified_name)}"
            )
        arguments.flag(allow_override, "allow_override")
        self._check_overload(qualified_name)
        taken = f"{qualified_name!r} is already registered; set allow_override=True to replace it"
        if not allow_override and self._session.serves(qualified_name):
            raise RegistrationError(taken)

        def decorate(function: Lowering) -> Lowering:
            if not callable(function):
                raise RegistrationError(f"the lowering of {qualified_name} is {arguments.shown(function)}, no function")
            detail, file = describe(function)
            try:
                self._session.add_lowering(
                    qualified_name,
                    runner(qualified_name, function),
                    detail,
                    file,
                    source_sha256(function),
                    allow_override=allow_override,
                )
            except PluginError as error:
                if not allow_override and self._session.serves(qualified_name):
                    raise RegistrationError(taken, error.payload) from None
                raise RegistrationError(str(error), error.payload) from None
            return function

        return decorate

    def _check_overload(self, qualified_name: str) -> None:
        """An op of ATen has an overload; without one, the name is that of a Python operator on sizes."""
        key = _core.canonical_key(qualified_name)
        if "::" in key:
            return
        overloads = _aten_overloads(key)
        if is_operator(key) or self._session.serves(key):
            if overloads:
                warnings.warn(
                    f"{qualified_name!r} is the Python operator {key} on sizes; the op on tensors is "
                    f"{' or '.join(overloads[:4])}",
                    stacklevel=3,
                )
            return
        near = f"write {' or '.join(map(repr, overloads[:4]))}" if overloads else "no op of torch has that name"
        raise RegistrationError(f"{qualified_name!r} lacks the overload: {near}", {"op": qualified_name})

    def load_plugin(self, path: str | os.PathLike[str], *, allow_override: Iterable[str] = ()) -> TorchConverter:
        """Loads a plugin; it may take the keys in ``allow_override`` from those who have them."""
        keys = arguments.keys(allow_override, "allow_override", 'a list of keys, such as ["aten::silu.default"]')
        self._session.load_plugin(arguments.path(path), keys)
        return self

    def use(self, deployment: Deployment | str | os.PathLike[str]) -> TorchConverter:
        """Loads what a deployment lists, and holds to what it forbids. Refused as a whole or not at all."""
        if not isinstance(deployment, Deployment):
            arguments.instance(
                deployment, (str, os.PathLike), "deployment", "a sixrung.Deployment or the path of a deployment file"
            )
            deployment = Deployment(deployment)
        for text in self._session.use_deployment(str(deployment.path), plugin_dir()):
            warnings.warn(text, stacklevel=2)
        return self

    def explain(self, *, entrypoints: Sequence[str] | None = None) -> Explanation:
        """Who lowers each node and to what, as a table: converts in memory. Where that fails, who would lower it."""
        try:
            return self.to_coreai(entrypoints=entrypoints).explain()
        except UnsupportedError:
            chosen = [(name, self._staged[name].graph) for name in self._chosen(entrypoints)]
            return Explanation(node_records(self._session.resolve(chosen, os.getcwd())))

    def clear(self, *, entrypoints: Sequence[str] | None = None) -> TorchConverter:
        """Forgets the staged programs, or those named. Lowerings and plugins stay."""
        for name in self._chosen(entrypoints) if self._staged or entrypoints is not None else []:
            del self._staged[name]
        return self

    def __repr__(self) -> str:
        lines = ["TorchConverter("]
        if self._staged:
            lines.append("  programs:")
            lines += [f"    {name}: {staged}" for name, staged in self._staged.items()]
        else:
            lines.append("  programs: none")
        custom = [key for key, owner in self._session.user_lowerings() if owner == "python"]
        lines.append(f"  custom_lowerings: {custom}")
        private = [p for p in self._session.plugins() if not p["builtin"]]
        lines.append(f"  plugins: {[p['id'] + ' ' + p['version'] for p in private]}")
        lines.append(f"  built_in_plugins: {sum(p['builtin'] for p in self._session.plugins())}")
        return "\n".join([*lines, ")"])


__all__ = ["Mode", "TorchConverter", "abi_version"]
