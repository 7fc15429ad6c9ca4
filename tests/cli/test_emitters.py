"""The emitters and files: what is replaced, what is refused, what is left behind."""

import os
import resource
import signal
import subprocess

import pytest
from cli_support import SAVING, as_ordinary_user, only, plugin

MLIR, AIMODEL = plugin("emit_mlir"), plugin("emit_aimodel")
TEXT = "".join(f"format 1 piece {i}\n" for i in range(4))
BYTECODE = TEXT.replace("format 1", "format 3")


@pytest.fixture
def emit(emitter_host):
    def run(library, target, *options, env=None, **kwargs):
        return subprocess.run(
            [emitter_host, library, target, *options],
            env={**os.environ, **(env or {})},
            capture_output=True,
            text=True,
            **kwargs,
        )

    return run


# --- MLIR ---------------------------------------------------------------------


def test_suffix_chooses_text_or_bytecode(emit, out):
    assert emit(MLIR, out / "a.mlir").stdout == "ok\n"
    assert emit(MLIR, out / "b.mlirb").stdout == "ok\n"
    assert (out / "a.mlir").read_text() == TEXT
    assert (out / "b.mlirb").read_text() == BYTECODE
    assert only(out) == {"a.mlir", "b.mlirb"}


def test_format_option_wins_over_the_suffix(emit, out):
    assert emit(MLIR, out / "a.mlir", "format=generic").stdout == "ok\n"
    assert "format 2" in (out / "a.mlir").read_text()
    refused = emit(MLIR, out / "c.mlir", "format=xml")
    assert refused.returncode == 1 and "knows no format 'xml'" in refused.stdout
    assert only(out) == {"a.mlir"}


def test_new_file_obeys_the_umask_and_replaced_one_keeps_its_mode(emit, out):
    emit(MLIR, out / "a.mlir", umask=0o027)
    assert (out / "a.mlir").stat().st_mode & 0o777 == 0o640
    (out / "a.mlir").chmod(0o600)
    emit(MLIR, out / "a.mlir")
    assert (out / "a.mlir").stat().st_mode & 0o777 == 0o600


def test_relative_path_without_a_folder(emit, out):
    assert emit(MLIR, "a.mlir", cwd=out).stdout == "ok\n"
    assert only(out) == {"a.mlir"}


@pytest.mark.parametrize("library, name", [(MLIR, "a.mlir"), (AIMODEL, "a.aimodel")])
def test_a_failing_host_leaves_the_old_output(emit, out, fake_python, library, name):
    env = {"SIXRUNG_PYTHON": str(fake_python(SAVING)), "FAIL_AT": "2"}
    target = out / name
    if library == MLIR:
        target.write_text("old")
    else:
        target.mkdir()
        (target / "main.mlirb").write_text("old")
    failed = emit(library, target, env=env)
    assert failed.returncode == 1 and "the host failed" in failed.stdout
    assert only(out) == {name}
    assert (target if library == MLIR else target / "main.mlirb").read_text() == "old"


def test_missing_folder(emit, out):
    failed = emit(MLIR, out / "no" / "a.mlir")
    assert failed.returncode == 1 and "No such file or directory" in failed.stdout and "mkdir -p" in failed.stdout


def test_folder_in_the_place_of_a_file(emit, out):
    (out / "a.mlir").mkdir()
    failed = emit(MLIR, out / "a.mlir")
    assert "is a folder, and this format writes a regular file" in failed.stdout
    assert only(out) == {"a.mlir"}


def test_symbolic_link_is_refused_and_kept(emit, out):
    (out / "real.mlir").write_text("old")
    (out / "a.mlir").symlink_to("real.mlir")
    failed = emit(MLIR, out / "a.mlir")
    assert "is a symbolic link" in failed.stdout
    assert (out / "a.mlir").is_symlink() and (out / "real.mlir").read_text() == "old"
    (out / "dangling.mlir").symlink_to("nowhere.mlir")
    assert "is a symbolic link" in emit(MLIR, out / "dangling.mlir").stdout


def test_special_file_is_refused(emit, out):
    os.mkfifo(out / "a.mlir")
    assert "is a special file" in emit(MLIR, out / "a.mlir").stdout


def test_no_permission(emit, out):
    (out / "a.mlir").write_text("old")
    (out / "a.mlir").chmod(0o444)
    assert "Permission denied" in emit(MLIR, out / "a.mlir", preexec_fn=as_ordinary_user).stdout
    out.chmod(0o555)
    failed = emit(MLIR, out / "b.mlir", preexec_fn=as_ordinary_user)
    assert "cannot write into folder" in failed.stdout
    out.chmod(0o755)
    assert only(out) == {"a.mlir"}


def test_full_disk_leaves_nothing(emit, out):
    """A file size limit stands for the full disk."""

    failed = emit(
        MLIR,
        out / "a.mlir",
        env={"CHUNKS": "100000"},
        preexec_fn=lambda: (
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN),
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)),
        ),
    )
    assert "cannot write" in failed.stdout and "File too large" in failed.stdout
    assert only(out) == set()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("library, name", [(MLIR, "a.mlir"), (AIMODEL, "a.aimodel")])
def test_interrupted_while_writing(emitter_host, out, fake_python, library, name, number):
    env = {**os.environ, "WAIT_AT": "2", "SIXRUNG_PYTHON": str(fake_python(SAVING))}
    with subprocess.Popen([emitter_host, library, out / name], env=env, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "waiting\n"
        assert len(only(out)) == 1  # what is being written, aside
        process.send_signal(number)
        assert process.wait(20) == -number  # it died of the signal, as programs do
    assert only(out) == set()


def test_interrupted_while_the_worker_runs(emitter_host, out, tmp_path, fake_python):
    started = tmp_path / "started"
    python = fake_python(f"touch {started}; exec sleep 30")
    with subprocess.Popen(
        [emitter_host, AIMODEL, out / "a.aimodel"], env={**os.environ, "SIXRUNG_PYTHON": str(python)}
    ) as process:
        while not started.exists():
            assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == -signal.SIGTERM
    assert only(out) == set()


# --- .aimodel -----------------------------------------------------------------


def test_asset_is_written_then_replaced(emit, out, fake_python):
    env = {"SIXRUNG_PYTHON": str(fake_python(SAVING))}
    target = out / "a.aimodel"
    assert emit(AIMODEL, target, env=env).stdout == "ok\n"
    assert (target / "main.mlirb").read_text() == BYTECODE
    (target / "stale").touch()
    assert emit(AIMODEL, target, "optimize=1", 'provenance={"sixrung": 1}', env={**env, "CHUNKS": "1"}).stdout == "ok\n"
    assert only(target) == {"main.mlirb", "metadata.json", "optimized"}
    assert (target / "metadata.json").read_text() == '{"sixrung": 1}'
    assert (target / "main.mlirb").read_text() == "format 3 piece 0\n"
    assert only(out) == {"a.aimodel"}


def test_trailing_slash_and_empty_folder(emit, out, fake_python):
    (out / "a.aimodel").mkdir()
    assert emit(AIMODEL, f"{out}/a.aimodel/", env={"SIXRUNG_PYTHON": str(fake_python(SAVING))}).stdout == "ok\n"
    assert only(out) == {"a.aimodel"} and only(out / "a.aimodel") == {"main.mlirb"}


def test_readers_see_old_or_new_never_neither(emit, out, fake_python):
    env = {"SIXRUNG_PYTHON": str(fake_python(SAVING))}
    target = out / "a.aimodel"
    emit(AIMODEL, target, env=env)
    before = os.stat(target).st_ino
    held = os.open(target, os.O_RDONLY | os.O_DIRECTORY)
    emit(AIMODEL, target, env=env)
    assert os.stat(target).st_ino != before
    os.close(held)


def test_a_file_or_a_foreign_folder_is_not_replaced(emit, out, fake_python):
    env = {"SIXRUNG_PYTHON": str(fake_python(SAVING))}
    (out / "a.aimodel").write_text("mine")
    assert "is a file, and this format writes a folder" in emit(AIMODEL, out / "a.aimodel", env=env).stdout
    assert (out / "a.aimodel").read_text() == "mine"
    (out / "b.aimodel").mkdir()
    (out / "b.aimodel" / "thesis.txt").write_text("mine")
    assert "holds something else than an asset" in emit(AIMODEL, out / "b.aimodel", env=env).stdout
    assert (out / "b.aimodel" / "thesis.txt").read_text() == "mine"
    (out / "c.aimodel").symlink_to("b.aimodel")
    assert "is a symbolic link" in emit(AIMODEL, out / "c.aimodel", env=env).stdout
    assert only(out) == {"a.aimodel", "b.aimodel", "c.aimodel"}


@pytest.mark.parametrize(
    "body, said",
    [
        ("echo the verifier said no >&2; kill -ABRT $$", "was ended by signal 6 (Aborted)"),
        ("echo the verifier said no >&2; kill -SEGV $$", "was ended by signal 11 (Segmentation fault)"),
        ("echo the verifier said no; exit 3", "exited with code 3"),
    ],
)
def test_a_worker_that_dies_is_an_error(emit, out, fake_python, body, said):
    failed = emit(AIMODEL, out / "a.aimodel", env={"SIXRUNG_PYTHON": str(fake_python(body))})
    assert failed.returncode == 1 and failed.stdout.startswith("code 8\n")
    assert said in failed.stdout and "the verifier said no" in failed.stdout and ".mlirb" in failed.stdout
    assert only(out) == set()


def test_only_the_end_of_a_long_log_is_told(emit, out, fake_python):
    body = 'i=0; while [ $i -lt 2000 ]; do echo "line $i"; i=$((i+1)); done; exit 1'
    failed = emit(AIMODEL, out / "a.aimodel", env={"SIXRUNG_PYTHON": str(fake_python(body))})
    assert "line 1999" in failed.stdout and "line 100\n" not in failed.stdout and len(failed.stdout) < 4000


def test_a_worker_that_writes_nothing_is_an_error(emit, out, fake_python):
    failed = emit(AIMODEL, out / "a.aimodel", env={"SIXRUNG_PYTHON": str(fake_python("exit 0"))})
    assert "reported success and wrote no asset" in failed.stdout and only(out) == set()


def test_python_without_coreai_core(emit, out, fake_python):
    python = fake_python("exit 0", probe=17)
    failed = emit(AIMODEL, out / "a.aimodel", env={"SIXRUNG_PYTHON": str(python)})
    assert f"the Python '{python}' (from SIXRUNG_PYTHON) has no coreai-core" in failed.stdout
    assert f"{python} -m pip install coreai-core==" in failed.stdout and only(out) == set()


def test_the_option_wins_over_the_variable(emit, out, fake_python):
    good, bad = fake_python(SAVING, name="good"), fake_python("exit 0", probe=17, name="bad")
    assert emit(AIMODEL, out / "a.aimodel", f"python={good}", env={"SIXRUNG_PYTHON": str(bad)}).stdout == "ok\n"
    failed = emit(AIMODEL, out / "a.aimodel", f"python={bad}", env={"SIXRUNG_PYTHON": str(good)})
    assert "has no coreai-core" in failed.stdout


def test_python_that_is_none(emit, out):
    failed = emit(AIMODEL, out / "a.aimodel", env={"SIXRUNG_PYTHON": "/nowhere/python"})
    assert "could not be started: No such file or directory" in failed.stdout and only(out) == set()


def test_python_of_the_path_is_the_last_resort(emit, out, fake_python):
    """PATH holds one that lacks coreai-core: told which were tried, and every way out."""
    lacking = fake_python("exit 0", probe=17, name="python3")
    env = {"PATH": f"{lacking.parent}:/usr/bin:/bin", "SIXRUNG_PYTHON": ""}
    failed = emit(AIMODEL, out / "a.aimodel", env=env)
    assert "no Python with coreai-core was found" in failed.stdout
    for way in ("pip install coreai-core", "--python PATH", "SIXRUNG_PYTHON", ".mlirb"):
        assert way in failed.stdout
    having = fake_python(SAVING, name="python3")
    assert emit(AIMODEL, out / "a.aimodel", env={**env, "PATH": f"{having.parent}:/usr/bin:/bin"}).stdout == "ok\n"


def test_worker_by_path(emit, out, fake_python):
    python = fake_python('[ "$1" = /opt/worker.py ] && [ "$2" = save ] || exit 9' + SAVING)
    assert emit(AIMODEL, out / "a.aimodel", f"python={python}", "worker=/opt/worker.py").stdout == "ok\n"
