"""The pages say what is: quoted code stands in compiled files, links lead somewhere, snippets run, lists are whole."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
# What `sixrung plugin new acme` makes of its templates.
NEW_ACME = {"@NAME@": "acme", "@IDENTIFIER@": "acme", "@SDK_VERSION@": "0.1"}
FENCE = r"\n```(\w+)\n(.*?\n)```\n"
QUOTED = re.compile(r"<!-- from (\S+) -->" + FENCE, re.DOTALL)
RUN = re.compile(r"<!-- run: (\w+) -->" + FENCE, re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def texts(pattern):
    for page in PAGES:
        for match in pattern.finditer(page.read_text()):
            yield page, match


def prose(page: Path) -> str:
    return re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)


def command() -> str:
    return os.environ.get("SIXRUNG_CLI") or shutil.which("sixrung") or pytest.skip("the sixrung command is not on PATH")


def help_of(*words: str) -> str:
    return subprocess.run([command(), *words, "--help"], capture_output=True, text=True, check=True).stdout


def page_named(name: str) -> str:
    return (ROOT / "docs" / name).read_text()


def test_quoted_code_stands_in_its_file():
    quotes = list(texts(QUOTED))
    assert quotes
    for page, match in quotes:
        source = (ROOT / match[1]).read_text()
        for word, meant in NEW_ACME.items():
            source = source.replace(word, meant)
        assert match[3] in source, f"{page.name} quotes {match[1]}, which has no longer:\n{match[3]}"


def test_every_code_block_is_quoted_or_run():
    for page in PAGES:
        text = page.read_text()
        checked = {match.start(3) for pattern in (QUOTED, RUN) for match in pattern.finditer(text)}
        for match in re.finditer(r"```(cpp|c|cmake|python)\n", text):
            assert match.end() in checked, f"{page.name}: this {match[1]} block is neither quoted nor run"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for target in LINK.findall(prose(page)):
        if target.startswith(("http:", "https:")):
            continue
        file, _, anchor = target.partition("#")
        there = (page.parent / file).resolve() if file else page
        assert there.exists(), f"{page.name} links to {target}"
        if anchor:
            anchors = {re.sub(r"[^\w\- ]", "", h).strip().lower().replace(" ", "-") for h in headings(there)}
            assert anchor in anchors, f"{page.name} links to {target}"


def headings(page: Path) -> list[str]:
    return re.findall(r"^#+ (.*)$", prose(page), re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_paths_of_a_machine(page):
    assert not re.search(r"/(root|home|tmp|work)/\w", page.read_text())


def scripts() -> dict[str, str]:
    """The snippets to run, by name: those of one name make one script, in the page's order."""
    found: dict[str, str] = {}
    for page, match in texts(RUN):
        name = f"{page.stem}-{match[1]}"
        found[name] = found.get(name, "") + match[3]
    return found


@pytest.mark.parametrize("name", sorted(scripts()))
def test_snippets_run(name, tmp_path):
    package = Path(pytest.importorskip("sixrung").__file__).parent.parent
    pytest.importorskip("coreai.runtime")
    script = tmp_path / "script.py"
    script.write_text(scripts()[name])
    environment = {**os.environ, "PYTHONPATH": f"{package}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"}
    done = subprocess.run([sys.executable, script], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_every_option_is_documented():
    page = page_named("cli.md")
    plugin = [["plugin", word] for word in ("list", "new", "check")]
    for words in (["convert"], ["explain"], *plugin, ["deployment", "check"], ["provenance"]):
        for option in re.findall(r"--[a-z][a-z-]+", help_of(*words)):
            assert option in page or option == "--help", f"docs/cli.md says nothing of {option}"


def test_exit_codes_are_those_of_help():
    documented = re.search(r"<!-- exit codes.*?```text\n(.*?)```", page_named("cli.md"), re.DOTALL)[1]
    told = help_of()
    for line in documented.splitlines():
        assert re.sub(r"\s+", " ", line) in re.sub(r"[ \t]+", " ", told)
    assert len(documented.splitlines()) == len(re.findall(r"^  \d+ ", told, re.MULTILINE))


def test_every_public_name_is_documented():
    sixrung = pytest.importorskip("sixrung")
    page = page_named("python.md")
    for name in sixrung.__all__:
        assert re.search(rf"\b{name}\b", page), f"docs/python.md says nothing of sixrung.{name}"


def test_supported_ops_are_current():
    pytest.importorskip("sixrung")
    done = subprocess.run(
        [sys.executable, ROOT / "docs" / "generate_supported_ops.py", "--check"],
        env={**os.environ, "SIXRUNG_CLI": command()},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
