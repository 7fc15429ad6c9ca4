"""Driven from a script, and proven afterwards: what a conversion would use, what it used, and what is in the asset.

1. `explain()` before anything is written: who lowers each node, and to what.
2. The record in the asset itself, read back from the file.
3. A second conversion of the same program gives the same bytes, so the record can be checked by repeating it.
"""

from __future__ import annotations

import collections
import hashlib
import json
import tempfile
from pathlib import Path

import torch

import sixrung


class Model(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.embedding = torch.nn.Embedding(32, 16)
        self.norm = torch.nn.LayerNorm(16)
        self.head = torch.nn.Linear(16, 32)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        return self.head(torch.nn.functional.gelu(self.norm(self.embedding(tokens))))


def convert(program: torch.export.ExportedProgram) -> sixrung.Program:
    return sixrung.TorchConverter().add_exported_program(program, output_names=["logits"]).to_coreai()


def main() -> None:
    torch.manual_seed(0)
    tokens = torch.randint(0, 32, (1, 5))
    program = torch.export.export(Model().eval(), (tokens,)).run_decompositions(sixrung.get_decomp_table())
    converted = convert(program)
    print(converted.explain())
    assert all(sixrung.supported(node.key) for node in converted.nodes)
    print("overloads of aten::add that are lowered:", ", ".join(sixrung.overloads("aten::add")))

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.aimodel"
        converted.save_asset(path, provenance=True)
        record = json.loads((Path(folder) / "model.aimodel.provenance.json").read_text())["sixrung"]
    versions = {plugin["id"]: plugin["version"] for plugin in record["plugins"]}
    lowered = collections.Counter(node["plugin"] for entry in record["entrypoints"] for node in entry["nodes"])
    print(f"sixrung {record['version']}, plugin ABI {record['abi']}, MLIR {record['mlir']}")
    for plugin, count in sorted(lowered.items()):
        print(f"{plugin} {versions[plugin]}: {count} nodes")

    digests = {hashlib.sha256(convert(program).bytecode()).hexdigest() for _ in range(2)}
    print("two conversions, one program:", len(digests) == 1)


if __name__ == "__main__":
    main()
