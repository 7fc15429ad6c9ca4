"""Deployment files on the command line: used, checked, pinned, refused, compared."""

import json
import re
import shutil
import threading

import pytest
from cli_support import BAD_INPUT, IO, OK, PLUGIN, REFUSED, fails, only, sixrung

pytest.importorskip("torch")
import deployed

pytestmark = pytest.mark.slow  # it compiles

SUM_POOL, SILU = "com.acme.sum_pool", "com.acme.gated_silu"


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    return deployed.build(tmp_path_factory.mktemp("deployments"))


@pytest.fixture(scope="session")
def model(tmp_path_factory):
    return deployed.export(tmp_path_factory.mktemp("pooled") / "model.pt2")


@pytest.fixture
def folder(built, tmp_path):
    """Deployments of this test's own, to be changed."""
    return shutil.copytree(built, tmp_path / "deployments")


def nodes(*words) -> dict:
    return {node["node"]: node for node in json.loads(sixrung("explain", "--json", *words).stdout)["nodes"]}


@pytest.mark.parametrize("name", deployed.KEYS)
def test_differs_from_the_base_exactly_where_it_says(folder, model, name):
    base = nodes(model, "--deployment", folder / "base.toml")
    other = nodes(model, "--deployment", folder / f"{name}.toml")
    assert base.keys() == other.keys()
    differing = [n for n in base if base[n] != other[n]]
    assert [base[n]["key"] for n in differing] == [deployed.KEYS[name]]
    (changed,) = differing
    assert other[changed]["rung"] == 2 and other[changed]["plugin"] == f"com.acme.{name}"
    assert other[changed]["overridden"] == [base[changed]["plugin"]]


def test_explain_against_another_writes_nothing(folder, model, out):
    words = ["explain", "--deployment", folder / "base.toml", "--against", folder / "sum_pool.toml", model]
    done = sixrung(*words, cwd=out)
    assert done.returncode == OK and only(out) == set()
    assert "sum_pool_2d" in done.stdout and f"+  {SUM_POOL} 1.0.0" in done.stdout
    assert "1 of 3 nodes change" in done.stdout
    changes = json.loads(sixrung(*words, "--json").stdout)["changes"]
    assert [c["key"] for c in changes] == [deployed.KEYS["sum_pool"]] and changes[0]["after"]["plugin"] == SUM_POOL
    same = sixrung("explain", "--against", folder / "base.toml", model)
    assert same.returncode == OK and same.stdout.startswith("0 of 3 nodes change from - without a deployment")


def test_lock_keeps_the_text_and_pins(folder, model, out):
    file = folder / "sum_pool.toml"
    before = file.read_text()
    assert "1 pin written" in sixrung("deployment", "lock", file).stdout
    after = file.read_text()
    (added,) = set(after.splitlines()) - set(before.splitlines())
    assert added.startswith('sha256 = "') and after.replace(added + "\n", "") == before
    assert "right already" in sixrung("deployment", "lock", file).stdout
    checked = json.loads(sixrung("deployment", "check", file, "--json").stdout)
    assert checked["name"] == "sum-pool" and checked["plugins"][0]["pinned"] is True
    assert "yes" in sixrung("deployment", "check", file).stdout

    library = folder / "sum_pool" / "build" / "libacme_sum_pool.so"
    good = library.read_bytes()
    for content in (
        good[:-1] + bytes([good[-1] ^ 1]),
        (folder / "gated_silu/build/libacme_gated_silu.so").read_bytes(),
    ):
        library.write_bytes(content)
        said = fails(PLUGIN, "convert", model, "-o", out / "a.mlir", "--deployment", file)
        assert "is not the file that was pinned" in said and "libacme_sum_pool.so" in said
        assert only(out) == set()
    with library.open("wb") as changed:  # one byte more, which a loader does not mind
        changed.write(good + b"\0")
    locked = sixrung("deployment", "lock", file)
    old = re.search('"([0-9a-f]{64})"', added)[1]
    assert "1 pin written" in locked.stdout and f"is another file than was pinned: {old} before" in locked.stderr


REFUSALS = {
    "clash": (lambda t: t[: t.index("[override]")], "and no override permits it"),
    "missing key": (lambda t: t.replace("_adaptive_avg_pool2d", "_adaptive_avg_pool9d"), "does not serve that key"),
    "range": (lambda t: t.replace(">=1.0,<2", ">=1.2,<2"), "wants version >=1.2,<2"),
    "two ids": (lambda t: t.replace("[override]", '[[plugin]]\npath = "twin.so"\n[override]'), "one id stands for"),
    "strict": (lambda t: "strict = true\n" + t, "is not pinned"),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_refused_in_a_sentence_and_nothing_written(folder, model, out, case):
    change, said = REFUSALS[case]
    file = folder / "sum_pool.toml"
    shutil.copy(folder / "sum_pool/build/libacme_sum_pool.so", folder / "twin.so")
    with (folder / "twin.so").open("ab") as twin:
        twin.write(b"\0")
    file.write_text(change(file.read_text()))
    for command in (["convert", model, "-o", out / "a.mlir", "--deployment", file], ["deployment", "check", file]):
        told = fails(PLUGIN, *command)
        assert (said in told and told.startswith(f"error: {file}:") and SUM_POOL in told) or case == "strict"
    assert only(out) == set()


def test_a_misspelt_key_has_a_line_and_a_suggestion(folder, model, out):
    file = folder / "d.toml"
    file.write_text('name = "d"\n[[plugin]]\npath = "x.so"\nsha265 = ""\n')
    said = fails(BAD_INPUT, "convert", model, "-o", out / "a.mlir", "--deployment", file)
    assert f"{file}:4: 'sha265' is no key of [[plugin]]; did you mean 'sha256'?" in said
    assert "no such file" in fails(IO, "deployment", "lock", folder / "none.toml")


def test_denied_keys_and_plugins(folder, model, out):
    file = folder / "deny.toml"
    for table in ('keys = ["aten.silu.default"]', 'plugins = ["org.sixrung.aten.pooling"]'):
        file.write_text(f'name = "d"\n[deny]\n{table}\n')
        said = fails(REFUSED, "convert", model, "-o", out / "a.mlir", "--deployment", file)
        assert "denied by deployment 'd' (deny.toml)" in said and "deployed.py:" in said
    assert only(out) == set()
    file.write_text('name = "d"\n[deny]\nkeys = ["emitter:mlir"]\n')
    said = fails(REFUSED, "convert", model, "-o", out / "a.mlir", "--deployment", file)
    assert "emitter:mlir is denied" in said and only(out) == set()


def test_strict_allows_nothing_beside_it(folder, model, out):
    library = folder / "gated_silu/build/libacme_gated_silu.so"
    command = ["convert", model, "-o", out / "a.mlir", "--deployment", folder / "base.toml"]
    words = ["--plugin", library, "--allow-override", deployed.KEYS["gated_silu"]]
    assert "deployment 'base' is strict" in fails(PLUGIN, *command, *words)
    (out / "path").mkdir()
    shutil.copy(library, out / "path")
    env = {"SIXRUNG_PLUGIN_PATH": str(out / "path")}
    said = fails(PLUGIN, *command, env=env)
    assert SILU in said
    assert sixrung(*command).returncode == OK


def test_a_refusing_lowering_tells_its_hint_once(folder, out):
    odd = deployed.export(out / "odd.pt2", shape=(1, 3, 9, 6))
    said = fails(REFUSED, "convert", odd, "-o", out / "a.mlir", "--deployment", folder / "sum_pool.toml")
    assert "9 is no multiple of 2" in said
    assert said.count("remove its override from the deployment") == 1


def test_two_deployments_at_once_give_their_own(folder, model, out):
    done = {}

    def run(name):
        done[name] = sixrung("convert", model, "-o", out / f"{name}.mlir", "--deployment", folder / f"{name}.toml")

    threads = [threading.Thread(target=run, args=(name,)) for name in deployed.KEYS]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(d.returncode == OK for d in done.values())
    texts = {name: (out / f"{name}.mlir").read_text() for name in deployed.KEYS}
    assert "sum_pool_2d" in texts["sum_pool"] and "sum_pool_2d" not in texts["gated_silu"]
