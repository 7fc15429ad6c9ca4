"""The two private plugins of examples/: built against the installed SDK alone, then used."""

import os
import shutil
import sys
from pathlib import Path

import pytest
from example_support import ROOT, SIXRUNG, run, succeeds

torch = pytest.importorskip("torch")
pytest.importorskip("coreai.runtime")

pytestmark = pytest.mark.slow  # it compiles

EXAMPLES = {"plugin_c": "acme_scaled_add", "plugin_cpp": "acme_rotate_half"}


@pytest.fixture(scope="session")
def libraries(sdk, tmp_path_factory) -> dict:
    """The built library of each example."""
    # Neither compiler flags nor variables of this build reach the author's.
    env = {k: v for k, v in os.environ.items() if k not in ("CFLAGS", "CXXFLAGS", "LDFLAGS", "CMAKE_PREFIX_PATH")}
    built = {}
    for name, target in EXAMPLES.items():
        build = tmp_path_factory.mktemp(name)
        succeeds("cmake", "-S", ROOT / "examples" / name, "-B", build, f"-DCMAKE_PREFIX_PATH={sdk}", env=env)
        assert "warning" not in succeeds("cmake", "--build", build, env=env)
        built[name] = build / f"lib{target}.so"
        assert built[name].exists()
    return built


@pytest.fixture(params=EXAMPLES)
def example(request, libraries):
    """(folder of the example, its built library)"""
    return ROOT / "examples" / request.param, libraries[request.param]


def test_converts_runs_and_agrees_with_eager(example):
    folder, library = example
    said = succeeds(sys.executable, folder / "example.py", library, "--sixrung", SIXRUNG)
    assert "max abs difference to eager: " in said and "com.acme." in said


def test_exports_one_symbol_and_needs_nothing(example):
    _, library = example
    defined = succeeds("nm", "-D", "--defined-only", library).split()
    assert defined[2::3] == ["sixrung_plugin_v1"]
    needed = succeeds("ldd", library)
    for word in ("MLIR", "LLVM", "torch", "c10", "python", "sixrung"):
        assert word not in needed.replace(str(library), "")


def test_as_it_is_shipped(sdk, examples, tmp_path):
    """Stripped, with the C++ library inside: docs/ship-a-plugin.md."""
    flags = "-DCMAKE_MODULE_LINKER_FLAGS=-static-libstdc++ -static-libgcc"
    assert flags.split("=", 1)[1] in (ROOT / "docs/ship-a-plugin.md").read_text()
    source = ROOT / "examples/plugin_cpp"
    succeeds("cmake", "-S", source, "-B", tmp_path, f"-DCMAKE_PREFIX_PATH={sdk}", flags)
    succeeds("cmake", "--build", tmp_path)
    library = tmp_path / "libacme_rotate_half.so"
    succeeds("strip", library)
    assert succeeds("nm", "-D", "--defined-only", library).split()[2::3] == ["sixrung_plugin_v1"]
    assert "libstdc++" not in succeeds("ldd", library) and "libgcc" not in succeeds("ldd", library)
    out, pt2 = tmp_path / "a.mlir", tmp_path / "a.pt2"
    for model, status in ((torch.ones(2, 4), 0), (torch.ones(2, 3), 1)):  # the second throws inside
        torch.export.save(torch.export.export(Turn(), (model,)).run_decompositions(), pt2)
        done = run(SIXRUNG, "convert", pt2, "-o", out, "--plugin", library)
        assert done.returncode == status, done.stderr
    assert "last axis of even size" in done.stderr


def test_example_deployment_is_used_as_it_stands(sdk, examples, tmp_path):
    shutil.copytree(ROOT / "examples/plugin_c", tmp_path, dirs_exist_ok=True, ignore=shutil.ignore_patterns("build"))
    succeeds("cmake", "-S", tmp_path, "-B", tmp_path / "build", f"-DCMAKE_PREFIX_PATH={sdk}")
    succeeds("cmake", "--build", tmp_path / "build")
    torch.export.save(torch.export.export(Scale(), (torch.ones(2, 4),)).run_decompositions(), tmp_path / "a.pt2")
    assert "1 pin written" in succeeds(SIXRUNG, "deployment", "lock", tmp_path / "scaled_add.toml")
    words = ["-o", tmp_path / "a.mlir", "--deployment", tmp_path / "scaled_add.toml"]
    assert "com.acme.scaled_add" in succeeds(SIXRUNG, "convert", tmp_path / "a.pt2", *words)


@pytest.mark.parametrize("generator", ["Ninja", "Unix Makefiles"])
def test_another_manifest_than_the_file_says_fails_the_build(sdk, tmp_path, generator):
    source = tmp_path / "source"
    shutil.copytree(ROOT / "examples/plugin_c", source, ignore=shutil.ignore_patterns("build"))
    file = source / "scaled_add.manifest"
    right = file.read_text()
    file.write_text(right.replace("acme::scaled_add.default", "acme::scaled_ad.default"))
    build = tmp_path / "build"
    succeeds("cmake", "-G", generator, "-S", source, "-B", build, f"-DCMAKE_PREFIX_PATH={sdk}")
    for _ in range(2):  # it is not taken for built the next time
        done = run("cmake", "--build", build)
        said = done.stdout + done.stderr
        assert done.returncode != 0 and "the manifest of the library is not that of" in said
        assert "lowering acme::scaled_add.default" in said
    assert (build / "libacme_scaled_add.so.manifest").read_text() == right
    file.write_text(right.replace("\n", "\r\n"))
    succeeds("cmake", "--build", build)
    assert "com.acme.scaled_add" in succeeds(SIXRUNG, "plugin", "list", "--plugin", build / "libacme_scaled_add.so")


def test_is_listed_without_running_it(example):
    _, library = example
    key = {"libacme_scaled_add.so": "acme::scaled_add.default", "libacme_rotate_half.so": "acme::rotate_half.default"}
    listed = succeeds(SIXRUNG, "plugin", "list", "--plugin", library, "--serves", key[library.name])
    assert "com.acme." in listed and " no " in listed  # not built in


def test_name_without_decorations_is_that_of_the_system(example, tmp_path):
    _, library = example
    shutil.copy(library, tmp_path)
    plain = tmp_path / library.stem.removeprefix("lib")
    listed = succeeds(SIXRUNG, "plugin", "list", "--plugin", plain)
    assert "com.acme." in listed
    deployment = tmp_path / "any_system.toml"
    deployment.write_text(f'name = "any"\n[[plugin]]\npath = "{plain.name}"\n')
    assert "1 pin written" in succeeds(SIXRUNG, "deployment", "lock", deployment)
    assert "com.acme." in succeeds(SIXRUNG, "deployment", "check", deployment)
    plain.write_text("no library")  # a file of the very name goes first
    assert "is no ELF or Mach-O shared library" in run(SIXRUNG, "plugin", "list", "--plugin", plain).stderr


def test_readme_commands_are_those_that_run_here(example):
    folder, library = example
    readme = (folder / "README.md").read_text()
    assert "cmake -B build -DCMAKE_PREFIX_PATH=" in readme and f"python example.py build/{library.name}" in readme
    assert len((folder / "CMakeLists.txt").read_text().splitlines()) <= 12


def define_op(name: str):
    """The op as its example defines it."""
    import importlib.util

    spec = importlib.util.spec_from_file_location(f"example_{name}", ROOT / "examples" / name / "example.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def examples():
    return {name: define_op(name) for name in EXAMPLES}


class Turn(torch.nn.Module):
    def forward(self, x):
        return torch.ops.acme.rotate_half(x)


class Scale(torch.nn.Module):
    def forward(self, x):
        return torch.ops.acme.scaled_add(x, x, scale=2.0)


@pytest.mark.parametrize(
    "name, model, x, said",
    [
        ("plugin_c", Scale(), torch.ones(2, dtype=torch.float16), ["float32 only", "convert the model to float32"]),
        ("plugin_cpp", Turn(), torch.ones(2, 3), ["last axis of even size", "float32[2, 3]", "static last dimension"]),
        ("plugin_cpp", Turn(), torch.tensor(1.0), ["at least one axis", "unsqueeze"]),
    ],
)
def test_refusals_reach_the_user_with_node_and_line(libraries, examples, tmp_path, name, model, x, said):
    torch.export.save(torch.export.export(model, (x,)).run_decompositions(), tmp_path / "a.pt2")
    done = run(SIXRUNG, "convert", tmp_path / "a.pt2", "-o", tmp_path / "a.mlir", "--plugin", libraries[name])
    assert done.returncode == 1, done.stderr
    for word in [*said, Path(__file__).name, "com.acme."]:
        assert word in done.stderr
    assert not (tmp_path / "a.mlir").exists()


def test_explain_shows_the_user_rung(example, examples, tmp_path):
    folder, library = example
    model = {"plugin_c": Scale(), "plugin_cpp": Turn()}[folder.name]
    torch.export.save(torch.export.export(model, (torch.ones(2, 4),)).run_decompositions(), tmp_path / "a.pt2")
    said = succeeds(SIXRUNG, "explain", tmp_path / "a.pt2", "--plugin", library)
    assert "2 user" in said and "com.acme." in said
    assert {"plugin_c": "decomposable.broadcasting_mul", "plugin_cpp": "concat"}[folder.name] in said
