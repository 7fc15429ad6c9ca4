"""From an empty folder with only the package installed: `plugin new`, build, test, `plugin check`.

The package is this build's, installed into an environment of its own. SIXRUNG_PACKAGE_PYTHON names the Python of
another environment instead, such as one with the wheel: `make wheel` does that.
"""

import compileall
import json
import os
import sys
import sysconfig
import time
import venv
from pathlib import Path

import pytest
from example_support import BUILD, ROOT, succeeds

pytest.importorskip("torch")
pytest.importorskip("coreai.runtime")

pytestmark = pytest.mark.slow  # it compiles

# Nothing of the source tree, the build or its environment reaches the author's.
CLEAN = {
    name: value
    for name, value in os.environ.items()
    if not name.startswith(("SIXRUNG_", "PYTHON", "CMAKE_", "VIRTUAL_ENV"))
    and name not in ("CFLAGS", "CXXFLAGS", "LDFLAGS")
}
CONSOLE_SCRIPT = "#!{python}\nfrom sixrung._cli import main\nmain()\n"


@pytest.fixture(scope="session")
def python(tmp_path_factory) -> Path:
    """The Python of an environment that has the package."""
    if given := os.environ.get("SIXRUNG_PACKAGE_PYTHON"):
        return Path(given)
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, symlinks=True)
    packages = folder / "lib" / f"python{sysconfig.get_python_version()}" / "site-packages"
    # torch is looked for beside the package ($ORIGIN/../torch), as pip lays them; the others come by path.
    here = sysconfig.get_path("purelib")
    (packages / "torch").symlink_to(Path(sys.modules["torch"].__file__).parent)
    (packages / "others.pth").write_text(here + "\n")
    succeeds("cmake", "--install", BUILD, "--component", "sixrung", "--prefix", packages / "sixrung")
    for source in (ROOT / "python" / "sixrung").iterdir():
        if source.is_file():
            (packages / "sixrung" / source.name).write_bytes(source.read_bytes())
    compileall.compile_dir(packages / "sixrung", quiet=2)  # as pip does, the templates' Python too
    script = folder / "bin" / "sixrung"
    script.write_text(CONSOLE_SCRIPT.format(python=folder / "bin" / "python"))
    script.chmod(0o755)
    return folder / "bin" / "python"


@pytest.fixture
def environment(python) -> dict:
    return {**CLEAN, "PATH": f"{python.parent}{os.pathsep}{CLEAN['PATH']}"}


def test_nothing_of_the_build_is_left_in_the_package(python, environment, tmp_path):
    package = Path(
        succeeds(python, "-c", "import sixrung; print(sixrung.__path__[0])", env=environment, cwd=tmp_path).strip()
    )
    assert package.is_relative_to(python.parent.parent)
    binaries = [package / "bin" / "sixrung", *package.glob("_core*.so"), *(package / "plugins").rglob("*.so")]
    assert len(binaries) > 10
    for binary in binaries:
        for line in succeeds("readelf", "-d", binary, env=environment, cwd=tmp_path).splitlines():
            if "PATH" in line:  # RPATH or RUNPATH
                folders = line.partition("[")[2].rstrip("]").split(":")
                assert all(f.startswith("$ORIGIN") or f.startswith("/usr/lib/llvm-") for f in folders), (
                    f"{binary}: {line}"
                )


@pytest.mark.parametrize("language", ["c++", "c"])
def test_a_new_plugin_builds_and_passes_its_test_and_the_check(python, environment, tmp_path, capsys, language):
    began = time.monotonic()
    succeeds("sixrung", "plugin", "new", "acme", "--lang", language, env=environment, cwd=tmp_path)
    sdk = succeeds(python, "-m", "sixrung.sdk_path", env=environment, cwd=tmp_path).strip()
    assert Path(sdk).is_relative_to(python.parent.parent)
    folder = tmp_path / "acme"
    succeeds("cmake", "-B", "build", f"-DCMAKE_PREFIX_PATH={sdk}", env=environment, cwd=folder)
    assert "warning" not in succeeds("cmake", "--build", "build", env=environment, cwd=folder)
    said = succeeds(python, "test_lowering.py", env=environment, cwd=folder)
    assert "max abs difference to eager: " in said
    done = succeeds("sixrung", "plugin", "check", "build/libacme.so", "--json", env=environment, cwd=folder)
    seconds = time.monotonic() - began
    report = json.loads(done)
    assert report["failed"] == report["not_run"] == 0, done
    assert report["id"] == "com.example.acme"
    assert "lowers acme::gate.default" in [check["name"] for check in report["checks"]]
    source = next(folder.glob("lowering.c*"))
    lines = {
        f.name: len(f.read_text().splitlines())
        for f in (source, folder / "CMakeLists.txt", folder / "test_lowering.py")
    }
    with capsys.disabled():
        counted = ", ".join(f"{name} {count}" for name, count in lines.items())
        print(f"\nplugin new, build, test and check in {language}: {seconds:.1f} s; lines: {counted}")
