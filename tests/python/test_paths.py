"""Where the parts of the product lie, in the build tree as in the package."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import sixrung
from sixrung import paths


def test_the_sdk_of_this_package_is_usable() -> None:
    prefix = Path(sixrung.sdk_dir())
    for file in (
        "include/sixrung/plugin.h",
        "include/sixrung/sdk.hpp",
        "lib/cmake/sixrung_sdk/sixrung_sdkConfig.cmake",
        "lib/cmake/sixrung_sdk/sixrung_sdkConfigVersion.cmake",
        "share/sixrung_sdk/templates/common/.gitignore",
    ):
        assert (prefix / file).is_file(), file
    done = subprocess.run([sys.executable, "-m", "sixrung.sdk_path"], capture_output=True, text=True, check=True)
    assert done.stdout == f"{prefix}\n"


def test_a_missing_sdk_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "_PACKAGE", tmp_path / "python" / "sixrung")
    with pytest.raises(sixrung.FileError, match="install sixrung again"):
        sixrung.sdk_dir()


def test_the_command_that_prints_it_fails_in_one_line(tmp_path: Path) -> None:
    package = tmp_path / "sixrung"
    package.mkdir()
    for source in Path(paths.__file__).parent.glob("*.py"):
        (package / source.name).write_bytes(source.read_bytes())
    done = subprocess.run(
        [sys.executable, "-m", "sixrung.sdk_path"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr.startswith("error: the SDK is not where it was installed") and done.stderr.count("\n") == 1
