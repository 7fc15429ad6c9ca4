"""Gate (a): every field, slot and number of the header, frozen per shipped minor in layout/1.N.txt (ABI-4, ABI-5).

layout.h asserts offsets while plugins compile; this one is whole, and sees two slots that changed places.
SIXRUNG_ACCEPT=1 writes the file of a minor that has none yet.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FROZEN = Path(__file__).with_name("layout")
INCLUDE = ROOT / "plugin_api"
NEWEST = int(re.search(r"#define SIXRUNG_ABI_MINOR (\d+)u", (INCLUDE / "sixrung/plugin.h").read_text())[1])
MINORS = range(NEWEST + 1)

STRUCT = re.compile(r"typedef struct (sixrung_\w+) \{(.*?)\} \1;", re.DOTALL)
FIELD = re.compile(r"\(\*\s*(\w+)\)|(\w+)\s*$")  # a pointer to a function, or anything else
NUMBER = re.compile(r"#define (SIXRUNG_\w+) \(?(?:-?\d+u?|INT64_MIN|UINT64_C\(\w+\))\)?$", re.MULTILINE)
NOT_FROZEN = {"SIXRUNG_ABI_MINOR", "SIXRUNG_TARGET_MINOR"}  # of the header that is included
COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang-19")
pytestmark = pytest.mark.skipif(not COMPILER, reason="needs a C compiler: apt-get install build-essential")


def preprocessed(minor: int, *flags: str, include: Path = INCLUDE) -> str:
    command = [COMPILER, "-E", "-P", *flags, f"-DSIXRUNG_TARGET_MINOR={minor}", f"-I{include}", "-x", "c", "-"]
    text = '#include "sixrung/plugin.h"\n'
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def names(minor: int, include: Path) -> tuple[list[str], list[str]]:
    """Every "struct.field", and every macro that is a number."""
    fields = []
    for struct, body in STRUCT.findall(preprocessed(minor, include=include)):
        for declaration in filter(str.strip, body.split(";")):
            assert "(" in declaration or "," not in declaration, f"{struct}: one field a line: {declaration}"
            fields.append(f"{struct}.{next(filter(None, FIELD.search(declaration).groups()))}")
    macros = set(NUMBER.findall(preprocessed(minor, "-dM", include=include))) - NOT_FROZEN
    return fields, sorted(macros)


def layout(minor: int, folder: Path, include: Path = INCLUDE) -> list[str]:
    fields, macros = names(minor, include)
    lines = ["#include <stddef.h>", "#include <stdio.h>", '#include "sixrung/plugin.h"', "int main(void) {"]
    for field in fields:
        struct, name = field.split(".")
        size = f"sizeof((({struct} *)0)->{name})"
        lines.append(f'  printf("%s at %zu, %zu bytes\\n", "{field}", offsetof({struct}, {name}), {size});')
    for macro in macros:
        lines.append(f'  printf("%s is %lld\\n", "{macro}", (long long)({macro}));')
    source, program = folder / f"layout_{minor}.c", folder / f"layout_{minor}"
    source.write_text("\n".join([*lines, "  return 0;", "}", ""]))
    flags = ["-std=c11", f"-DSIXRUNG_TARGET_MINOR={minor}", f"-I{include}"]
    subprocess.run([COMPILER, *flags, source, "-o", program], check=True)
    return subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()


def frozen(minor: int) -> list[str]:
    return (FROZEN / f"1.{minor}.txt").read_text().splitlines()


@pytest.mark.parametrize("minor", MINORS)
def test_is_as_it_was_shipped(minor: int, tmp_path: Path) -> None:
    now = layout(minor, tmp_path)
    file = FROZEN / f"1.{minor}.txt"
    if os.environ.get("SIXRUNG_ACCEPT") and not file.exists():
        file.write_text("\n".join([*now, ""]))
    assert now == frozen(minor)


@pytest.mark.parametrize("minor", list(MINORS)[1:])
def test_only_grows(minor: int) -> None:
    missing = [line for line in frozen(minor - 1) if line not in set(frozen(minor))]
    assert not missing, f"1.{minor} lost or moved what 1.{minor - 1} had: {missing}"


def test_sees_slots_that_changed_places(tmp_path: Path) -> None:
    """What layout.h derives from the list itself cannot show this."""
    shutil.copytree(INCLUDE, tmp_path / "api")
    table = tmp_path / "api/sixrung/host_functions.def"
    text = table.read_text()
    table.write_text(
        text.replace("status_code,", "\1").replace("status_message,", "status_code,").replace("\1", "status_message,")
    )
    changed = [line for line in layout(0, tmp_path, tmp_path / "api") if line not in set(frozen(0))]
    assert [line.split()[0] for line in changed] == ["sixrung_host.status_message", "sixrung_host.status_code"]
