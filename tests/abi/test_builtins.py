"""Gate (i): what ships uses the door everybody has. Each plugin exports one symbol and needs no MLIR, LLVM, LibTorch,
Python or host library, by name or by symbol (ABI-1, ABI-2)."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("SIXRUNG_BUILD", ROOT / "build"))
PLUGINS = sorted([*(BUILD / "plugins").glob("*.so"), *(BUILD / "plugins/optional").glob("*.so")])
# What a plugin may need: the C and C++ run-time libraries of the system.
LIBRARIES = re.compile(r"(libstdc\+\+|libgcc_s|libc|libm|libpthread|libdl|ld-linux[\w-]*)\.so[.\d]*")
FOREIGN = re.compile(r"mlir|llvm|c10|torch|^_?Py[A-Z_]|_ZNK?2at|sixrung", re.IGNORECASE)

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="reads ELF files: run it on Linux"),
    pytest.mark.skipif(not shutil.which("nm"), reason="needs nm and readelf: apt-get install binutils"),
]


def lines(*command: object) -> list[str]:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def faults(library: Path) -> list[str]:
    found = []
    exported = [line.split()[-1] for line in lines("nm", "-D", "--defined-only", library)]
    if exported != ["sixrung_plugin_v1"]:
        found.append(f"exports {exported}")
    for line in lines("readelf", "-d", "-W", library):
        if (needed := re.search(r"\(NEEDED\).*\[(.*)\]", line)) and not LIBRARIES.fullmatch(needed[1]):
            found.append(f"needs the library {needed[1]}")
    for line in lines("nm", "-D", "--undefined-only", library):
        if FOREIGN.search(name := line.split()[-1].split("@")[0]):
            found.append(f"needs the symbol {name}")
    return found


def test_every_folder_of_plugins_was_built() -> None:
    folders = {path.parent for path in (ROOT / "plugins").glob("*/*/plugin.cpp")}
    assert len(PLUGINS) == len(folders) > 10


@pytest.mark.parametrize("library", PLUGINS, ids=lambda path: path.stem)
def test_one_symbol_and_nothing_foreign(library: Path) -> None:
    assert faults(library) == []


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("int also(void) { return 1; }", "exports ['also']"),
        ("int mlirContextCreate(void); int sixrung_plugin_v1(void) { return mlirContextCreate(); }", "mlirContext"),
        ("int Py_Initialize(void); int sixrung_plugin_v1(void) { return Py_Initialize(); }", "Py_Initialize"),
        ("int sixrung_plugin_v1(void) { return 1; }", "libMLIR.so"),
    ],
)
def test_the_gate_sees_each_fault(source: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "bad.c").write_text(source)
    (tmp_path / "mlir.c").write_text("int mlir(void) { return 1; }")
    subprocess.run(["cc", "-shared", "-fPIC", "mlir.c", "-o", "libMLIR.so"], cwd=tmp_path, check=True)
    link = ["-Wl,--no-as-needed", "-L.", "-lMLIR"] if said == "libMLIR.so" else []
    subprocess.run(["cc", "-shared", "-fPIC", "bad.c", *link, "-o", "bad.so"], cwd=tmp_path, check=True)
    assert any(said in fault for fault in faults(tmp_path / "bad.so")), faults(tmp_path / "bad.so")
