"""The plugins of examples/deployments, built with the SDK, and a model both of them serve."""

import os
import shutil
import subprocess
from pathlib import Path

import torch
from cli_support import BUILD, ROOT

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
    """A copy of the folder, its plugins built as its README says, against the installed SDK alone."""
    shutil.copytree(EXAMPLES, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("build"))
    sdk = folder.parent / f"{folder.name}_sdk"
    _run("cmake", "--install", BUILD, "--component", "sdk", "--prefix", sdk)
    for name in KEYS:
        here = folder / name
        _run(
            "cmake",
            "-S",
            here,
            "-B",
            here / "build",
            f"-DCMAKE_PREFIX_PATH={sdk}",
            "-DCMAKE_COMPILE_WARNING_AS_ERROR=ON",
        )
        _run("cmake", "--build", here / "build")
    return folder


def _run(*command):
    # Neither compiler flags nor variables of this build reach the author's.
    env = {k: v for k, v in os.environ.items() if k not in ("CFLAGS", "CXXFLAGS", "LDFLAGS", "CMAKE_PREFIX_PATH")}
    done = subprocess.run([str(word) for word in command], env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
