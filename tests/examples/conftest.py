"""The SDK, installed once to a prefix of its own."""

from pathlib import Path

import pytest
from example_support import BUILD, succeeds


@pytest.fixture(scope="session")
def sdk(tmp_path_factory) -> Path:
    prefix = tmp_path_factory.mktemp("sdk")
    succeeds("cmake", "--install", BUILD, "--component", "sdk", "--prefix", prefix)
    assert {path.name for path in prefix.iterdir()} == {"include", "lib", "share"}
    return prefix
