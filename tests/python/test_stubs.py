"""The stubs say what is there."""

from __future__ import annotations

import ast
import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest
import torch  # noqa: F401

import sixrung
from sixrung import _core

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "python" / "sixrung"
SPECIAL = {"__eq__", "__hash__", "__init__"}


def parameters(function: ast.FunctionDef) -> list[str]:
    return [argument.arg for argument in function.args.args]


def stubbed() -> dict[str, list[str] | None]:
    """Names in _core.pyi, methods as Class.method; parameters of functions."""
    names: dict[str, list[str] | None] = {}
    for entry in ast.parse((PACKAGE / "_core.pyi").read_text()).body:
        if isinstance(entry, ast.FunctionDef):
            names[entry.name] = parameters(entry)
        elif isinstance(entry, ast.AnnAssign) and isinstance(entry.target, ast.Name):
            names[entry.target.id] = None
        elif isinstance(entry, ast.ClassDef):
            names[entry.name] = None
            for member in entry.body:
                if isinstance(member, ast.FunctionDef):
                    plain = any(isinstance(d, ast.Name) and d.id == "property" for d in member.decorator_list)
                    names[f"{entry.name}.{member.name}"] = None if plain else parameters(member)
    return names


def documented(function: object) -> list[str]:
    """Parameters as pybind11 writes them into the docstring."""
    text = re.sub(r"\[[^\[\]]*\]", "", function.__doc__ or "")
    while "[" in text:
        text = re.sub(r"\[[^\[\]]*\]", "", text)
    inside = re.match(r"\w+\((.*?)\) ->", text)
    assert inside is not None, text
    return [part.split(":")[0].strip() for part in inside.group(1).split(",") if part.strip()]


def actual() -> dict[str, list[str] | None]:
    names: dict[str, list[str] | None] = {"__version__": None}
    for name in dir(_core):
        value = getattr(_core, name)
        if name.startswith("__"):
            continue
        if isinstance(value, type):
            names[name] = None
            for member, own in vars(value).items():
                if member.startswith("_") and member not in SPECIAL:
                    continue
                if member == "__init__" and "self: " not in (own.__doc__ or ""):
                    continue  # not constructible from Python
                names[f"{name}.{member}"] = None if isinstance(own, property) else documented(own)
        else:
            names[name] = documented(value) if callable(value) else None
    return names


def test_the_hosts_stub_is_complete_and_true() -> None:
    stub, real = stubbed(), actual()
    assert stub.keys() == real.keys(), stub.keys() ^ real.keys()
    for name, wanted in real.items():
        if name.split(".")[-1] not in SPECIAL:
            assert stub[name] == wanted, name


def test_the_op_functions_stub_is_what_the_dialect_says() -> None:
    tool = ROOT / "python" / "tools" / "coreai_stubs.py"
    spec = importlib.util.spec_from_file_location("coreai_stubs", tool)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert (PACKAGE / "coreai.pyi").read_text() == module.text(), f"run {tool.relative_to(ROOT)} and keep its output"


def test_everything_public_is_there() -> None:
    for name in sixrung.__all__:
        assert getattr(sixrung, name) is not None
    with pytest.raises(AttributeError):
        sixrung.nothing  # noqa: B018
    assert set(sixrung.__all__) <= set(dir(sixrung))


def test_versions_agree() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["version"] == sixrung.__version__ == _core.__version__


@pytest.mark.slow
def test_the_package_type_checks() -> None:
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy", "--cache-dir", "/dev/null"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout
