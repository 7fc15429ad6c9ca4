"""sixrung: PyTorch exported programs to Core AI.

>>> program = torch.export.export(model, inputs).run_decompositions(sixrung.get_decomp_table())
>>> converted = sixrung.TorchConverter().add_exported_program(program).to_coreai()
>>> converted.save_asset("model.aimodel")

Nothing heavy loads before it is used: ``sixrung.sdk_dir()`` and the worker need neither torch nor the host.
"""

from __future__ import annotations

import atexit
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._coreai_core import wait_for_threads
from .errors import (
    ArgumentTypeError,
    Error,
    FileError,
    InternalError,
    InvalidInputError,
    LoweringError,
    MissingRuntimeError,
    PluginError,
    RegistrationError,
    UnsupportedError,
)
from .paths import plugin_dir, sdk_dir

if TYPE_CHECKING:
    from . import coreai
    from .converter import Mode, TorchConverter, abi_version
    from .decompositions import get_decomp_table
    from .deployment import Deployment, overloads, supported
    from .element_types import ElementType, element_type
    from .graphs import CompositeDeclaration, generate_composite_decl
    from .lowering import lower
    from .program import NodeRecord, Port, Program
    from .values import Location, TensorType, Value, constant, get_operand, get_operands

__version__ = "0.1.0"

atexit.register(wait_for_threads)

_LAZY = {
    "CompositeDeclaration": "graphs",
    "Deployment": "deployment",
    "ElementType": "element_types",
    "Location": "values",
    "Mode": "converter",
    "NodeRecord": "program",
    "Port": "program",
    "Program": "program",
    "TensorType": "values",
    "TorchConverter": "converter",
    "Value": "values",
    "abi_version": "converter",
    "constant": "values",
    "element_type": "element_types",
    "generate_composite_decl": "graphs",
    "get_decomp_table": "decompositions",
    "get_operand": "values",
    "get_operands": "values",
    "lower": "lowering",
    "overloads": "deployment",
    "supported": "deployment",
}
_MODULES = ("coreai",)

__all__ = [
    "ArgumentTypeError",
    "CompositeDeclaration",
    "Deployment",
    "ElementType",
    "Error",
    "FileError",
    "InternalError",
    "InvalidInputError",
    "Location",
    "LoweringError",
    "MissingRuntimeError",
    "Mode",
    "NodeRecord",
    "PluginError",
    "Port",
    "Program",
    "RegistrationError",
    "TensorType",
    "TorchConverter",
    "UnsupportedError",
    "Value",
    "abi_version",
    "constant",
    "coreai",
    "element_type",
    "generate_composite_decl",
    "get_decomp_table",
    "get_operand",
    "get_operands",
    "lower",
    "overloads",
    "plugin_dir",
    "sdk_dir",
    "supported",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f".{name}", __name__)
    if name not in _LAZY:
        raise AttributeError(f"module 'sixrung' has no attribute '{name}'")
    value = getattr(import_module(f".{_LAZY[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
