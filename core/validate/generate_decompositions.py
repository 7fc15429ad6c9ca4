"""Writes the keys torch.export.default_decompositions() decomposes, sorted, one C string a line.

The list exists only in Python, so it is taken when the host is built:
    python generate_decompositions.py OUTPUT
"""

import os
import sys
import warnings

warnings.filterwarnings("ignore")  # optional packages torch would like to have


def keys() -> list[str]:
    import torch

    return sorted(
        {f"{op._schema.name}.{op._overloadname}" for op in torch.export.default_decompositions()}
    )


def main(output: str) -> None:
    found = keys()
    if not found:
        sys.exit("torch.export.default_decompositions() is empty")
    # Written aside: an interrupted build leaves no half list.
    with open(output + ".part", "w", encoding="ascii") as file:
        file.writelines(f'"{key}",\n' for key in found)
    os.replace(output + ".part", output)


if __name__ == "__main__":
    main(sys.argv[1])
