"""Operand and result names of every op, which generated C++ classes do not keep.

Reads the output of `mlir-tblgen -gen-op-doc`, writes one `{"op", {operands}, {results}},` row an op; a
trailing '*' marks a variadic one.
"""
import re
import sys


def rows(lines):
    op, section = None, None
    found = {}
    for line in lines:
        if heading := re.match(r"### `([\w.]+)`", line):
            op, section = heading[1], None
            found[op] = {"Operands": [], "Results": []}
        elif heading := re.match(r"#### (\w+):", line):
            section = heading[1]
        elif section in ("Operands", "Results") and (row := re.match(r"\| `(\w+)` \| (.*)", line)):
            found[op][section].append(row[1] + ("*" if row[2].startswith("variadic of") else ""))
    return found


def main(source, target):
    with open(source, encoding="utf-8") as file:
        found = rows(file)
    with open(target, "w", encoding="utf-8") as file:
        for op, names in sorted(found.items()):
            listed = ", ".join("{%s}" % ", ".join(f'"{n}"' for n in names[s]) for s in ("Operands", "Results"))
            file.write(f'{{"{op}", {listed}}},\n')


main(*sys.argv[1:])
