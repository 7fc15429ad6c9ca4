"""The C example cross-built for macOS: real .dylib files, read, pinned and refused on this machine."""

import hashlib
import json
import platform
import shutil
import sys

import pytest
from example_support import ROOT, SIXRUNG, run, succeeds

TOOLS = ("clang-19", "ld64.lld-19", "llvm-nm-19", "llvm-objdump-19", "llvm-lipo-19")
MISSING = [tool for tool in TOOLS if not shutil.which(tool)]
pytestmark = [
    pytest.mark.slow,  # it compiles
    pytest.mark.skipif(bool(MISSING), reason=f"{MISSING} missing: apt-get install clang-19 lld-19 llvm-19"),
    pytest.mark.skipif(sys.platform == "darwin", reason="macOS opens them; test_example_plugins.py runs there"),
]
FORMATS = {"arm64": "Mach-O arm64", "x86_64": "Mach-O 64-bit x86-64"}
NAME = "libacme_scaled_add.dylib"


@pytest.fixture(scope="session")
def dylibs(sdk, tmp_path_factory):
    """The library by architecture, and "universal" for both in one."""
    folder = tmp_path_factory.mktemp("macos")
    toolchain = sdk / "lib/cmake/sixrung_sdk/macos/toolchain.cmake"
    for arch in FORMATS:
        words = [f"-DCMAKE_TOOLCHAIN_FILE={toolchain}", f"-DCMAKE_OSX_ARCHITECTURES={arch}"]
        source = ROOT / "examples/plugin_c"
        succeeds("cmake", "-S", source, "-B", folder / arch, f"-DCMAKE_PREFIX_PATH={sdk}", *words)
        assert "warning" not in succeeds("cmake", "--build", folder / arch)
    built = {arch: folder / arch / NAME for arch in FORMATS}
    (folder / "universal").mkdir()
    built["universal"] = folder / "universal" / NAME
    succeeds("llvm-lipo-19", "-create", *(built[arch] for arch in FORMATS), "-output", built["universal"])
    return built


@pytest.mark.parametrize("arch", FORMATS)
def test_is_a_dylib_of_one_symbol_that_needs_libsystem_alone(dylibs, arch):
    header = succeeds("llvm-objdump-19", "--macho", "--private-header", dylibs[arch])
    assert " DYLIB " in header and "TWOLEVEL" in header
    exports = succeeds("llvm-objdump-19", "--macho", "--exports-trie", dylibs[arch])
    assert [line.split()[-1] for line in exports.splitlines() if line.startswith("0x")] == ["_sixrung_plugin_v1"]
    needed = [
        line.split()[0]
        for line in succeeds("llvm-objdump-19", "--macho", "--dylibs-used", dylibs[arch]).splitlines()[1:]
    ]
    assert needed == [f"@rpath/{NAME}", "/usr/lib/libSystem.B.dylib"]
    undefined = succeeds("llvm-nm-19", "--undefined-only", "--just-symbol-name", dylibs[arch]).split()
    assert not [name for name in undefined if any(word in name for word in ("mlir", "llvm", "torch", "Py", "sixrung"))]


@pytest.mark.parametrize("arch", [*FORMATS, "universal"])
def test_the_static_part_of_the_check_reads_it(dylibs, arch):
    report = json.loads(succeeds(SIXRUNG, "plugin", "check", dylibs[arch], "--json"))
    checks = {check["name"]: check for check in report["checks"]}
    assert report["failed"] == 0 and not report["native"]
    for name in ("object", "layout", "exports", "undefined", "dependencies"):
        for suffix in [f" (macOS {a})" for a in FORMATS] if arch == "universal" else [""]:
            assert checks[name + suffix]["result"] == "pass", checks
            assert "unusual" not in checks[name + suffix]["detail"]
    for name in ("opens", "registration", "two sessions", "lowers acme::scaled_add.default"):
        assert checks[name]["result"] == "not_run" and checks[name]["detail"].startswith("built for macOS ")


@pytest.mark.parametrize("arch", [*FORMATS, "universal"])
def test_is_listed_here(dylibs, arch):
    words = ["--plugin", dylibs[arch], "--serves", "acme::scaled_add.default"]
    (listed,) = json.loads(succeeds(SIXRUNG, "plugin", "list", "--json", *words))["plugins"]
    assert (listed["id"], listed["version"], listed["abi"]) == ("com.acme.scaled_add", "1.0.0", "1.0")
    assert listed["lowerings"] == ["acme::scaled_add.default"] and listed["min_host"] == "1.0"
    assert listed["format"] == FORMATS.get(arch, "Mach-O universal (x86_64 arm64)")


@pytest.mark.parametrize("arch", [*FORMATS, "universal"])
def test_is_refused_in_a_sentence_where_it_cannot_be_opened(dylibs, arch, tmp_path):
    torch = pytest.importorskip("torch")
    torch.export.save(torch.export.export(torch.nn.ReLU(), (torch.ones(2),)).run_decompositions(), tmp_path / "m.pt2")
    done = run(SIXRUNG, "convert", tmp_path / "m.pt2", "-o", tmp_path / "m.mlir", "--plugin", dylibs[arch])
    assert done.returncode == 4 and not (tmp_path / "m.mlir").exists()
    kind = FORMATS.get(arch, "Mach-O universal (x86_64 arm64)")
    assert f"is {kind}, which this host ({platform.machine()} linux) cannot open" in done.stderr, done.stderr


def test_is_pinned_here_for_a_machine_that_can_open_it(dylibs, tmp_path):
    shutil.copy(dylibs["universal"], tmp_path)
    file = tmp_path / "mac.toml"
    file.write_text(f'name = "mac"\nstrict = true\n[[plugin]]\npath = "{NAME}"\nid = "com.acme.scaled_add"\n')
    assert "1 pin written" in succeeds(SIXRUNG, "deployment", "lock", file)
    assert hashlib.sha256((tmp_path / NAME).read_bytes()).hexdigest() in file.read_text()
    # As signing it again does: the file is another one, and its pin no longer holds.
    succeeds("llvm-strip-19", "-x", tmp_path / NAME)
    done = run(SIXRUNG, "deployment", "check", file)
    assert done.returncode == 4 and "is not the file that was pinned" in done.stderr
