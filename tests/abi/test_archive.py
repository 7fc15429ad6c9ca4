"""Plugins of earlier minors, as built then: they load in this host and give the IR they always gave (ABI-17).

SIXRUNG_ACCEPT=1 writes the expected text of a plugin that has none yet.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import torch

ARCHIVE = Path(__file__).with_name("archive")
ROOT = Path(__file__).resolve().parents[2]
BINARIES = sorted(ARCHIVE.glob("*/*.so"))


@torch.library.custom_op("acme::scaled_add", mutates_args=())
def scaled_add(x: torch.Tensor, y: torch.Tensor, *, scale: float = 1.0, relu: bool = False) -> torch.Tensor:
    out = x + scale * y
    return out.relu() if relu else out


@scaled_add.register_fake
def _(x, y, *, scale=1.0, relu=False):
    return torch.empty(torch.broadcast_shapes(x.shape, y.shape), dtype=x.dtype)


@torch.library.custom_op("acme::rotate_half", mutates_args=())
def rotate_half(x: torch.Tensor, *, interleaved: bool = False) -> torch.Tensor:
    if interleaved:
        return torch.stack((-x[..., 1::2], x[..., 0::2]), dim=-1).flatten(-2)
    first, second = x.chunk(2, dim=-1)
    return torch.cat((-second, first), dim=-1)


@rotate_half.register_fake
def _(x, *, interleaved=False):
    return torch.empty_like(x)


class ScaledAdd(torch.nn.Module):
    def forward(self, x, y):
        z = torch.ops.acme.scaled_add(x, y)
        return torch.ops.acme.scaled_add(z, x, scale=-0.75, relu=True)


class RotateHalf(torch.nn.Module):
    def forward(self, x):
        return torch.ops.acme.rotate_half(x), torch.ops.acme.rotate_half(x, interleaved=True)


MODELS = {
    "scaled_add": (ScaledAdd, (torch.ones(4, 8), torch.ones(8))),
    "rotate_half": (RotateHalf, (torch.ones(2, 6, 8),)),
}


def _cli() -> str:
    return os.environ.get("SIXRUNG_CLI") or shutil.which("sixrung") or str(ROOT / "build" / "bin" / "sixrung")


@pytest.fixture(scope="module")
def programs(tmp_path_factory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("programs")
    for name, (model, inputs) in MODELS.items():
        exported = torch.export.export(model().eval(), inputs).run_decompositions()
        torch.export.save(exported, folder / f"{name}.pt2")
    return {name: folder / f"{name}.pt2" for name in MODELS}


def test_each_earlier_minor_is_there() -> None:
    header = (ROOT / "plugin_api" / "sixrung" / "plugin.h").read_text()
    newest = int(re.search(r"#define SIXRUNG_ABI_MINOR (\d+)u", header)[1])
    assert sorted({path.parent.name for path in BINARIES}) == [f"1.{minor}" for minor in range(newest)]


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the archived binaries are of x86_64")
@pytest.mark.parametrize("binary", BINARIES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_gives_the_same_ir(binary: Path, programs: dict[str, Path], tmp_path: Path) -> None:
    name = binary.name.split(".")[0]
    out = tmp_path / "out.mlir"
    command = [_cli(), "convert", programs[name], "-o", out, "--mode=release", "--plugin", binary]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    expected = binary.parent / f"{name}.mlir"
    if os.environ.get("SIXRUNG_ACCEPT") and not expected.exists():
        expected.write_text(out.read_text())
    assert out.read_text() == expected.read_text()
