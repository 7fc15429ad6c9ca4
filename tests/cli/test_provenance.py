"""What an output tells of its making: in the asset, beside it, and read back."""

import asyncio
import json

import pytest
from cli_support import BAD_INPUT, IO, OK, fails, only, sixrung

torch = pytest.importorskip("torch")
import deployed  # noqa: E402

pytestmark = pytest.mark.slow  # it compiles


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return deployed.build(tmp_path_factory.mktemp("deployments"))


@pytest.fixture(scope="session")
def model(tmp_path_factory):
    return deployed.export(tmp_path_factory.mktemp("pooled") / "model.pt2")


def record(path) -> dict:
    return json.loads(sixrung("provenance", path, "--json").stdout)


def test_record_beside_the_output(folder, model, out):
    file = folder / "sum_pool.toml"
    done = sixrung("convert", model, "-o", out / "a.mlirb", "--deployment", file)
    assert done.returncode == OK and "and " + str(out / "a.mlirb.provenance.json") in done.stdout
    assert only(out) == {"a.mlirb", "a.mlirb.provenance.json"}
    told = record(out / "a.mlirb")
    assert told == record(out / "a.mlirb.provenance.json")
    assert told["deployment"]["name"] == "sum-pool" and told["deployment"]["file"] == "sum_pool.toml"
    assert len(told["deployment"]["sha256"]) == 64 and told["mlir"].startswith("19.")
    plugins = {p["id"]: p for p in told["plugins"]}
    assert plugins["com.acme.sum_pool"]["builtin"] is False and len(plugins["com.acme.sum_pool"]["sha256"]) == 64
    assert plugins["org.sixrung.emit.mlir"]["builtin"] is True
    (entry,) = told["entrypoints"]
    assert entry["name"] == "main" and entry["torch"].startswith("2.")
    pool = next(node for node in entry["nodes"] if node["key"] == deployed.KEYS["sum_pool"])
    assert (pool["rung"], pool["plugin"]) == ("user", "com.acme.sum_pool")
    assert pool["overridden"] == ["org.sixrung.aten.pooling"]
    (override,) = told["overrides"]
    assert override["winner"]["id"] == "com.acme.sum_pool"
    assert [loser["id"] for loser in override["losers"]] == ["org.sixrung.aten.pooling"]
    assert str(folder) not in json.dumps(told) and str(model.parent) not in json.dumps(told)

    table = sixrung("provenance", out / "a.mlirb").stdout
    assert "deployment sum-pool (sum_pool.toml" in table
    assert "com.acme.sum_pool 1.0.0 in place of org.sixrung.aten.pooling" in table


def test_the_record_is_the_same_run_after_run(folder, model, out):
    for name in ("a", "b"):
        (out / name).mkdir()
        sixrung("convert", model, "-o", out / name / "m.mlirb", "--deployment", folder / "gated_silu.toml")
    first, second = ((out / name / "m.mlirb.provenance.json").read_bytes() for name in ("a", "b"))
    assert first == second


def test_when_there_is_one(folder, model, out):
    words = ["convert", model, "-o", out / "a.mlir"]
    sixrung(*words)
    assert only(out) == {"a.mlir"}
    assert "carries no record" in fails(BAD_INPUT, "provenance", out / "a.mlir")
    sixrung(*words, "--deployment", folder / "base.toml", "--no-provenance")
    assert only(out) == {"a.mlir"}
    sixrung(*words, "--provenance")
    assert only(out) == {"a.mlir", "a.mlir.provenance.json"}
    assert record(out / "a.mlir")["deployment"] is None
    (out / "a.mlir").write_text("// another\n")
    assert "tells of another output" in fails(BAD_INPUT, "provenance", out / "a.mlir")
    assert "no such file" in fails(IO, "provenance", out / "none.mlir")


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"sixrung": 3}', b'{"sixrung": {"plugins": [1, {"id": []}]}}'])
def test_damaged_records_are_told_or_shown_as_far_as_they_go(out, content):
    (out / "a.mlir").write_text("x")
    (out / "a.mlir.provenance.json").write_bytes(content)
    assert sixrung("provenance", out / "a.mlir").returncode in (OK, BAD_INPUT)


@pytest.mark.parametrize("name", deployed.KEYS)
def test_the_asset_tells_and_its_numbers_agree(folder, model, out, python_with_coreai, name):
    import numpy as np
    from coreai.authoring import AIModelAsset
    from coreai.runtime import NDArray

    words = ["convert", model, "-o", out / "a.aimodel", "--deployment", folder / f"{name}.toml"]
    done = sixrung(*words, "--python", python_with_coreai)
    assert done.returncode == OK, done.stderr
    assert only(out) == {"a.aimodel", "a.aimodel.provenance.json"}
    told = record(out / "a.aimodel")
    assert told == json.loads((out / "a.aimodel.provenance.json").read_text())["sixrung"]
    assert [o["winner"]["id"] for o in told["overrides"]] == [f"com.acme.{name}"]

    x = torch.randn(1, 3, 8, 6)

    async def run():
        async with AIModelAsset.load(out / "a.aimodel").executable() as asset:
            results = await asset.load_function("main")({"x": NDArray(x.numpy())})
            return next(iter(results.values())).numpy()

    expected = deployed.Pooled()(x).numpy()
    assert np.abs(asyncio.run(run()) - expected).max() <= 1e-4 * np.abs(expected).max()
