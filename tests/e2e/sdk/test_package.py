"""The SDK as an author meets it: installed to a prefix, found by CMake, built by several compilers."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
import torch

HERE, ROOT = Path(__file__).parent, Path(__file__).resolve().parents[3]
BUILD = Path(os.environ.get("SIXRUNG_BUILD", ROOT / "build"))
CLI = os.environ.get("SIXRUNG_CLI", str(BUILD / "bin" / "sixrung"))

COMPILERS = {
    "gcc": ("gcc", "g++", ""),
    "gcc-no-exceptions": ("gcc", "g++", "-fno-exceptions -fno-rtti"),
    "clang": ("clang-19", "clang++-19", ""),
}


def run(*command, **options):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, **options)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    folder = tmp_path_factory.mktemp("prefix")
    code, text = run("cmake", "--install", BUILD, "--component", "sdk", "--prefix", folder)
    assert code == 0, text
    return folder


@pytest.fixture(scope="module", params=COMPILERS)
def built(request, prefix, tmp_path_factory):
    c, cxx, flags = COMPILERS[request.param]
    if not shutil.which(cxx):
        pytest.skip(f"{cxx} is not installed")
    folder = tmp_path_factory.mktemp(request.param)
    code, text = run(
        "cmake",
        "-S",
        HERE / "plugin",
        "-B",
        folder,
        "-G",
        "Ninja",
        f"-DCMAKE_PREFIX_PATH={prefix}",
        f"-DCMAKE_C_COMPILER={c}",
        f"-DCMAKE_CXX_COMPILER={cxx}",
        f"-DCMAKE_CXX_FLAGS={flags}",
    )
    assert code == 0, text
    code, text = run("cmake", "--build", folder)
    assert code == 0, text
    return folder


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    library = torch.library.Library("acme", "FRAGMENT")
    folder = tmp_path_factory.mktemp("models")
    for name in ("twice", "refused", "mixed", "careless", "plain"):
        library.define(f"{name}(Tensor self, *, float bias=0.5) -> Tensor")
        library.impl(name, lambda x, *, bias=0.5: x * 2 + bias, "CompositeExplicitAutograd")
        library._register_fake(name, lambda x, *, bias=0.5: torch.empty_like(x))

        class Model(torch.nn.Module):
            op = getattr(torch.ops.acme, name)

            def forward(self, x):
                return self.op(x)

        program = torch.export.export(Model(), (torch.ones(2, 3),)).run_decompositions({})
        torch.export.save(program, folder / f"{name}.pt2")
    yield folder
    library._destroy()


def convert(models, name, plugin, out):
    return run(CLI, "convert", models / f"{name}.pt2", "-o", out, "--plugin", plugin)


def test_exports_one_symbol(built):
    for library in ("libacme_sample.so", "libacme_plain.so"):
        _, text = run("nm", "-D", "--defined-only", built / library)
        assert [line.split()[-1] for line in text.splitlines()] == ["sixrung_plugin_v1"]


def test_lowers(built, models, tmp_path):
    code, text = convert(models, "twice", built / "libacme_sample.so", tmp_path / "m.mlir")
    assert code == 0, text
    ir = (tmp_path / "m.mlir").read_text()
    assert "dense<5.000000e-01>" in ir and "broadcasting_mul" in ir and "broadcasting_add" in ir


def test_lowers_in_plain_c(built, models, tmp_path):
    code, text = convert(models, "plain", built / "libacme_plain.so", tmp_path / "m.mlir")
    assert code == 0, text
    assert "coreai.add" in (tmp_path / "m.mlir").read_text()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("refused", ["acme::refused takes rank 7 only, and this is float32[2, 3]", "give it five more axes"]),
        ("mixed", ["coreai.add"]),
        ("careless", ["an operand of coreai.exp was never made"]),
    ],
)
def test_failures_are_sentences(built, models, tmp_path, name, words):
    code, text = convert(models, name, built / "libacme_sample.so", tmp_path / "m.mlir")
    assert code in (1, 4), text
    assert not (tmp_path / "m.mlir").exists()
    for word in words:
        assert word in text, text
