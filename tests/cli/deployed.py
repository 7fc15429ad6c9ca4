"""The plugins of examples/deployments, built without CMake, and a model both of them serve."""

import shutil
import subprocess
from pathlib import Path

import torch
from cli_support import ROOT

EXAMPLES = ROOT / "examples" / "deployments"
KEYS = {"sum_pool": "aten::_adaptive_avg_pool2d.default", "gated_silu": "aten::silu.default"}


class Pooled(torch.nn.Module):
    def forward(self, x):
        return torch.nn.functional.adaptive_avg_pool2d(torch.nn.functional.silu(x), (2, 3)) + 1.0


def export(path: Path, shape=(1, 3, 8, 6), model=None) -> Path:
    """With silu kept whole, as sixrung.get_decomp_table() keeps it."""
    table = torch.export.default_decompositions()
    table.pop(torch.ops.aten.silu.default)
    exported = torch.export.export(model or Pooled(), (torch.randn(shape),)).run_decompositions(table)
    torch.export.save(exported, path)
    return path


def build(folder: Path) -> Path:
    """A copy of the folder with both libraries where the deployments look for them."""
    shutil.copytree(EXAMPLES, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("build"))
    for name in KEYS:
        library = folder / name / "build" / f"libacme_{name}.so"
        library.parent.mkdir()
        flags = ["-std=c++20", "-fPIC", "-shared", "-fvisibility=hidden", "-Wall", "-Wextra", "-Werror"]
        headers = [f"-I{ROOT / 'plugin_api'}", f"-I{ROOT / 'sdk/include'}"]
        symbols = f"-Wl,--version-script={ROOT / 'sdk/cmake/one_symbol.map'}"
        subprocess.run(["c++", *flags, *headers, symbols, folder / name / f"{name}.cpp", "-o", library], check=True)
    return folder
