"""`sixrung plugin new`: a folder that is whole, or nothing."""

import subprocess

import pytest
from cli_support import BUILD, IO, OK, USAGE, as_ordinary_user, fails, only, sixrung

COMMON = {".gitignore", "CMakeLists.txt", "README.md", "test_lowering.py"}


@pytest.mark.parametrize("language, source", [("c", "lowering.c"), ("c++", "lowering.cpp")])
def test_writes_a_whole_folder_and_says_what_is_next(out, language, source):
    done = sixrung("plugin", "new", "acme-rope", "--lang", language, cwd=out)
    assert done.returncode == OK and done.stderr == ""
    assert only(out) == {"acme-rope"} and only(out / "acme-rope") == {*COMMON, source}
    lines = done.stdout.splitlines()
    assert lines[1] == "next:" and len(lines) == 5
    assert (
        f"-DCMAKE_PREFIX_PATH={BUILD / 'sdk'}" in lines[2] and "plugin check acme-rope/build/libacme_rope" in lines[4]
    )
    for file in (out / "acme-rope").iterdir():
        for word in ("@NAME@", "@IDENTIFIER@", "@SOURCE@", "@SDK_VERSION@"):
            assert word not in file.read_text(), file
    text = (out / "acme-rope" / source).read_text()
    assert '"acme_rope::gate.default"' in text and '"com.example.acme-rope"' in text
    assert source in (out / "acme-rope" / "CMakeLists.txt").read_text()
    compile((out / "acme-rope" / "test_lowering.py").read_text(), "test_lowering.py", "exec")


def test_the_lowering_is_short(out):
    sixrung("plugin", "new", "acme", cwd=out)
    code = [line for line in (out / "acme" / "lowering.cpp").read_text().splitlines() if line.strip()]
    assert len(code) < 30 and len((out / "acme" / "CMakeLists.txt").read_text().splitlines()) <= 10


@pytest.mark.parametrize(
    "name", ["", "9lives", "acme rope", "acme/rope", "../acme", "acme.rope", "ä", "a" * 65, "test", "aten"]
)
def test_bad_names(out, name):
    said = fails(USAGE, "plugin", "new", name, cwd=out)
    assert f"'{name}'" in said and "hint:" in said and only(out) == set()


@pytest.mark.parametrize("words", [["acme"], ["other", "-o", "acme"], ["other", "-o", "acme/"]])
@pytest.mark.parametrize("taken", ["folder", "file", "broken link"])
def test_what_exists_is_left_alone(out, words, taken):
    if taken == "folder":
        (out / "acme").mkdir()
    elif taken == "file":
        (out / "acme").write_text("mine")
    else:
        (out / "acme").symlink_to("nowhere")
    assert "acme: it exists already" in fails(IO, "plugin", "new", *words, cwd=out)
    assert only(out) == {"acme"}


def test_nothing_half_written(out):
    assert "there is no folder" in fails(IO, "plugin", "new", "acme", "-o", out / "no" / "acme")
    assert only(out) == set()
    out.chmod(0o500)
    said = fails(IO, "plugin", "new", "acme", cwd=out, preexec_fn=as_ordinary_user)
    out.chmod(0o700)
    assert "Permission denied" in said and only(out) == set()


def test_another_language(out):
    assert "rust" in fails(USAGE, "plugin", "new", "acme", "--lang", "rust", cwd=out) and only(out) == set()


def test_a_path_that_needs_quoting(out):
    folder = out / "my plugins"
    folder.mkdir()
    done = sixrung("plugin", "new", "acme", "-o", folder / "acme")
    command = done.stdout.splitlines()[2].strip()
    configured = subprocess.run(["sh", "-c", command.split(" && ")[0]], capture_output=True, text=True)
    assert configured.returncode == 0, configured.stderr
    assert (folder / "acme" / "build" / "CMakeCache.txt").exists()
