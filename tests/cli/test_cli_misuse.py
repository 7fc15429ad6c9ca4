"""The command line given something else than it takes: what the messages say, and what they cannot be made to say."""

import json
import resource
import subprocess
import zipfile

import pytest
from cli_support import BAD_INPUT, IO, OK, PLUGIN, REFUSED, USAGE, as_ordinary_user, fails, only, sixrung

# --- options and commands -----------------------------------------------------


@pytest.mark.parametrize(
    "words, said",
    [
        (["convert", "x.pt2", "--outptu", "y"], "sixrung convert has no option --outptu; did you mean --output?"),
        (["convert", "x.pt2", "--outptu=y"], "sixrung convert has no option --outptu; did you mean --output?"),
        (["explain", "x.pt2", "--agaist", "d.toml"], "has no option --agaist; did you mean --against?"),
        (["plugin", "list", "--quux"], "sixrung plugin list has no option --quux\n"),
        (["convrt", "x.pt2"], "sixrung has no command 'convrt'; did you mean convert?"),
        (["plugin", "lst"], "sixrung plugin has no command 'lst'; did you mean list?"),
    ],
)
def test_an_unknown_word_is_named_before_what_is_missing(words, said):
    error = fails(USAGE, *words)
    assert said in error and "required" not in error and "--help" in error


@pytest.mark.parametrize(
    "words, said",
    [
        (["convert", "x.pt2"], "--output is required"),
        (["explain"], "[NAME=]MODEL.pt2 is required"),
        (["plugin", "check"], "FILE is required"),
        (["convert", "x.pt2", "-o", "a.mlir", "-o", "b.mlir"], "--output is given more than once"),
        (["convert", "x.pt2", "-o", "a.mlir", "--mode"], "--mode needs a value"),
    ],
)
def test_what_is_missing_is_told_as_help_spells_it(words, said):
    assert said in fails(USAGE, *words)


@pytest.mark.parametrize("option", ["--against", "--deployment"])
def test_a_model_is_no_deployment(pt2, option):
    said = fails(BAD_INPUT, "explain", pt2["plain"], option, pt2["plain"])
    assert "plain.pt2' is a zip archive, as a .pt2 is, no deployment file" in said and "deployments.md" in said


# --- ops nobody lowers --------------------------------------------------------


def test_each_unsupported_op_gets_its_line(pt2):
    said = fails(REFUSED, "explain", pt2["two_unsupported"])
    assert '  @converter.register_torch_lowering("aten::_linalg_eigh.default")\n' in said
    assert '  @converter.register_torch_lowering("aten::_linalg_svd.default")\n' in said


def test_a_mutating_op_is_named_behind_its_wrapper(pt2):
    said = fails(REFUSED, "explain", pt2["mutating"])
    assert "it stands for sixrung_test::fill_in.default, which writes into its arguments" in said
    assert 'register_torch_lowering("higher_order::auto_functionalized_v2")' in said
    assert "older than the program" not in said


def test_control_flow_gets_advice_about_the_model(pt2):
    said = fails(REFUSED, "explain", pt2["scan"])
    assert "loop in Python" in said and "torch.while_loop" in said
    assert "register_torch_lowering" not in said and "older than the program" not in said


# --- tables and names ---------------------------------------------------------


def test_long_lists_of_ops_are_bounded_in_the_table_and_whole_in_json(pt2):
    done = sixrung("explain", pt2["attention"])
    assert done.returncode == OK
    row = next(line for line in done.stdout.splitlines() if "scaled_dot_product" in line)
    whole = json.loads(sixrung("explain", pt2["attention"], "--json").stdout)["nodes"]
    ops = next(node["ops"] for node in whole if "scaled_dot_product" in node["key"])
    assert row.endswith(f" ... {len(ops)} in all")
    assert len(row[done.stdout.splitlines()[0].index("OPS") :]) <= 80


def edited(source, target, *edits):
    """A copy of an archive with the text of its program changed."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as new:
        for info in old.infolist():
            data = old.read(info)
            if info.filename.endswith("models/model.json"):
                for before, after in edits:
                    assert before.encode() in data
                    data = data.replace(before.encode(), after.encode())
            new.writestr(info.filename, data)
    return target


@pytest.mark.parametrize("command", ["explain", "convert"])
def test_a_line_break_in_a_name_fakes_no_line(pt2, tmp_path, out, command):
    model = edited(pt2["plain"], tmp_path / "m.pt2", ('"add"', '"add\\nerror: all is lost\\u001b[31m"'))
    words = [command, model] + (["-o", out / "a.mlir"] if command == "convert" else [])
    said = fails(BAD_INPUT, *words)
    assert "holds a control character" in said and "\nerror: all is lost" not in said
    assert only(out) == set()


@pytest.mark.parametrize("name", ["unsupported", "plain"])
def test_a_control_character_in_a_source_path_breaks_no_table(pt2, tmp_path, name):
    model = edited(pt2[name], tmp_path / "m.pt2", ("cli_models.py", "cli\\t\\rx_models.py"))
    done = sixrung("explain", model)
    assert done.returncode == (REFUSED if name == "unsupported" else OK)
    assert "\t" not in done.stdout + done.stderr and "cli\\x09\\x0dx_models.py" in done.stdout


# --- a full disk --------------------------------------------------------------


def limited(size):
    def limit():
        import signal

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # as a full disk: an error, not a signal
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return limit


@pytest.mark.parametrize("name", ["a.mlir", "a.mlirb"])
@pytest.mark.parametrize("size", [0, 100])
def test_a_file_that_cannot_grow(pt2, out, name, size):
    said = fails(IO, "convert", pt2["plain"], "-o", out / name, preexec_fn=limited(size))
    assert name in said and "File too large" in said and only(out) == set()


@pytest.mark.parametrize("size", [0, 100, 3000])
def test_an_asset_that_cannot_grow(pt2, out, python_with_coreai, size):
    words = ["convert", pt2["plain"], "-o", out / "a.aimodel", "--python", python_with_coreai]
    said = fails(IO, *words, preexec_fn=limited(size))
    assert "a.aimodel" in said and "File too large" in said and only(out) == set()


def full(folder, size):
    """A disk of its own, of so many kilobytes; only root may make one."""
    folder.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}k", "tmpfs", folder], capture_output=True).returncode:
        pytest.skip("needs the right to mount")


@pytest.mark.parametrize("size", [4, 12, 16, 20])  # at the metadata, in coreai-core, in LLVM, in Python
def test_a_full_disk(pt2, tmp_path, python_with_coreai, size):
    disk = tmp_path / "disk"
    full(disk, size)
    try:
        words = ["convert", pt2["attention"], "-o", disk / "a.aimodel", "--python", python_with_coreai]
        done = sixrung(*words)
        left = only(disk)
    finally:
        subprocess.run(["umount", disk], check=True)
    if done.returncode == OK:  # this coreai-core writes less
        pytest.skip("it fitted")
    assert done.returncode == IO and left == set()
    assert "a.aimodel" in done.stderr and "make room there" in done.stderr
    assert "No space left on device" in done.stderr or "enough space" in done.stderr


# --- files that are none -------------------------------------------------------


def test_files_of_other_kinds(out):
    (out / "a.toml").write_text('name = "d"\n')
    (out / "bad.toml").write_text('name = "a\\nerror: b"\n')
    (out / "loop").symlink_to("loop")
    (out / "empty.so").write_bytes(b"")
    assert "this is no .pt2 archive" in fails(BAD_INPUT, "explain", out / "a.toml")
    said = fails(IO, "explain", out / "loop")
    assert "Too many levels of symbolic links" in said and "who may read" not in said
    assert "it is a folder" in fails(IO, "deployment", "check", out)
    assert "Too many levels of symbolic links" in fails(IO, "deployment", "check", out / "loop")
    assert "holds a control character" in fails(BAD_INPUT, "deployment", "check", out / "bad.toml")
    assert "is a folder" in fails(PLUGIN, "explain", out / "a.toml", "--plugin", out)
    said = fails(PLUGIN, "explain", out / "a.toml", "--plugin", out / "a.toml")
    assert "is no ELF or Mach-O shared library" in said and "a deployment file goes with --deployment" in said
    assert "'a' has no suffix" in fails(USAGE, "convert", "a.pt2", "-o", "a")


def test_a_plugin_folder_with_a_link_that_leads_nowhere(pt2, out):
    (out / "loop.so").symlink_to("loop.so")
    (out / "note").symlink_to("note")
    said = fails(PLUGIN, "explain", pt2["plain"], env={"SIXRUNG_PLUGIN_PATH": str(out)})
    assert "loop.so: Too many levels of symbolic links" in said
    (out / "loop.so").unlink()
    assert sixrung("explain", pt2["plain"], env={"SIXRUNG_PLUGIN_PATH": str(out)}).returncode == OK
    out.chmod(0)
    said = fails(PLUGIN, "explain", pt2["plain"], env={"SIXRUNG_PLUGIN_PATH": str(out)}, preexec_fn=as_ordinary_user)
    out.chmod(0o755)
    assert f"plugins in {out}: Permission denied" in said


@pytest.mark.parametrize("record", ['{"sixrung": 3}', '{"sixrung": null}', "[1]", "", '{"sixrung": "\xff"}', "{}"])
def test_a_damaged_record(out, record):
    (out / "a.mlir").write_text("")
    (out / "a.mlir.provenance.json").write_text(record, encoding="latin-1")
    said = fails(BAD_INPUT, "provenance", out / "a.mlir.provenance.json")
    assert "a.mlir" in said and "defect of sixrung" not in said


def test_a_record_of_other_types_is_shown_as_far_as_it_goes(out):
    names = '"plugins": 3, "entrypoints": [3, {"nodes": [3]}], "overrides": [1], "deployment": {"name": "a\\nerror: b"}'
    (out / "a.provenance.json").write_text('{"sixrung": {' + names + '}, "output": 3}')
    done = sixrung("provenance", out / "a.provenance.json")
    assert done.returncode == OK and "deployment a\\x0aerror: b" in done.stdout
