"""Plugins that Python packages bring by entry points."""

from __future__ import annotations

from pathlib import Path

import pytest

import sixrung
from sixrung import entry_points

OPTIONAL = Path(sixrung.plugin_dir()) / "optional"
PLUGIN = next(OPTIONAL.glob("*mixture_of_experts.*"))
KEY = "transformers::grouped_mm_fallback.default"


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Puts a distribution with one entry point, and the module it names, on the path."""

    def install(code: str, value: str = "acme_plugins:brought", on_path: bool = True) -> None:
        (tmp_path / "acme_plugins.py").write_text(code)
        info = tmp_path / "acme-1.2.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme\nVersion: 1.2\n")
        (info / "entry_points.txt").write_text(f"[sixrung.plugins]\nmoe = {value}\n")
        if on_path:
            monkeypatch.syspath_prepend(str(tmp_path))
        monkeypatch.delitem(__import__("sys").modules, "acme_plugins", raising=False)

    return install


@pytest.mark.parametrize(
    "code",
    [f"brought = {str(PLUGIN)!r}", f"import pathlib\ndef brought(): return [pathlib.Path({str(PLUGIN)!r})]"],
    ids=["path", "function"],
)
def test_is_loaded(package, code) -> None:
    assert not sixrung.supported(KEY)
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


def test_packages_are_looked_through_once_until_one_is_installed(package, tmp_path, monkeypatch) -> None:
    scans = []
    real = entry_points.metadata.entry_points
    monkeypatch.setattr(entry_points.metadata, "entry_points", lambda **kw: scans.append(kw) or real(**kw))
    monkeypatch.syspath_prepend(str(tmp_path))  # a place that is known before the package comes
    assert not sixrung.supported(KEY)
    before = len(scans)
    sixrung.TorchConverter()
    sixrung.TorchConverter()
    assert len(scans) == before
    package(f"brought = {str(PLUGIN)!r}", on_path=False)
    assert sixrung.supported(KEY) and len(scans) == before + 1
