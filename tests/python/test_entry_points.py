"""Plugins that Python packages bring by entry points."""

from __future__ import annotations

from pathlib import Path

import pytest

import sixrung
from sixrung.deployment import _served

OPTIONAL = Path(sixrung.plugin_dir()) / "optional"
PLUGIN = next(OPTIONAL.glob("*mixture_of_experts.*"))
KEY = "transformers::grouped_mm_fallback.default"


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Puts a distribution with one entry point, and the module it names, on the path."""
    _served.cache_clear()

    def install(code: str, value: str = "acme_plugins:brought") -> None:
        (tmp_path / "acme_plugins.py").write_text(code)
        info = tmp_path / "acme-1.2.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme\nVersion: 1.2\n")
        (info / "entry_points.txt").write_text(f"[sixrung.plugins]\nmoe = {value}\n")
        monkeypatch.syspath_prepend(str(tmp_path))
        monkeypatch.delitem(__import__("sys").modules, "acme_plugins", raising=False)

    yield install
    _served.cache_clear()


@pytest.mark.parametrize(
    "code",
    [f"brought = {str(PLUGIN)!r}", f"import pathlib\ndef brought(): return [pathlib.Path({str(PLUGIN)!r})]"],
    ids=["path", "function"],
)
def test_is_loaded(package, code) -> None:
    assert not sixrung.supported(KEY)
    _served.cache_clear()
    package(code)
    assert sixrung.supported(KEY)
    assert "mixture_of_experts" in repr(sixrung.TorchConverter())


@pytest.mark.parametrize(
    "code, said",
    [
        ("brought = '/no/such/plugin.so'", "/no/such/plugin.so"),
        ("brought = 7", "brings no plugin"),
        ("raise KeyError('lost')", "brings no plugin: 'lost'"),
    ],
)
def test_one_that_cannot_be_loaded_names_its_package(package, code, said) -> None:
    package(code)
    with pytest.raises(sixrung.PluginError) as caught:
        sixrung.TorchConverter()
    assert said in str(caught.value) and "entry point 'moe = acme_plugins:brought' of acme 1.2" in str(caught.value)
