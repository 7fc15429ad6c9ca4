"""A built-in lowering replaced in Python, under a deployment file that says what else may be used.

The deployment is strict: no plugin that it does not list and pin may be loaded. The override is the script's own,
and the record that goes into the asset names it: its function, a hash of its source, and whom it replaced.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import torch

import sixrung
from sixrung import coreai

DEPLOYMENT = """\
name = "release"
strict = true

[deny]
keys = ["aten::nonzero.default"]  # its size depends on the data
"""


class Model(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(8, 8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.nn.functional.silu(self.linear(x))


def lower_silu(values_map, node, loc):
    """x * sigmoid(x), where the built-in emits one op."""
    x = sixrung.get_operand(values_map, node, 0, loc)
    return coreai.mul(x, coreai.sigmoid(x))


def main() -> None:
    torch.manual_seed(0)
    program = torch.export.export(Model().eval(), (torch.randn(2, 8),)).run_decompositions(sixrung.get_decomp_table())
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "release.toml"
        file.write_text(DEPLOYMENT)
        deployment = sixrung.Deployment(file)
        print(deployment)

        before = sixrung.TorchConverter().use(deployment).add_exported_program(program).to_coreai()
        converter = sixrung.TorchConverter().use(deployment)
        try:
            converter.register_torch_lowering("aten::silu.default")(lower_silu)
        except sixrung.RegistrationError as error:
            print("refused:", error)
        converter.register_torch_lowering("aten::silu.default", allow_override=True)(lower_silu)
        after = converter.add_exported_program(program).to_coreai()

        for old, new in zip(before.nodes, after.nodes, strict=True):
            if old.ops != new.ops:
                print(f"{new.node}: {', '.join(old.ops)} -> {', '.join(new.ops)}, over {', '.join(new.overridden)}")

        after.save(Path(folder) / "model.mlirb")
        record = json.loads((Path(folder) / "model.mlirb.provenance.json").read_text())["sixrung"]
        (lowering,) = record["python"]
        print("deployment:", record["deployment"]["name"], "strict" if record["deployment"]["strict"] else "")
        print("python lowering:", lowering["key"], lowering["name"], lowering["source_sha256"][:12])


if __name__ == "__main__":
    main()
