"""The table of gates in docs/abi.md: all ten, and every file it names is there."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def rows() -> dict[str, str]:
    return dict(re.findall(r"^\| \((\w)\) (.*)$", (ROOT / "docs/abi.md").read_text(), re.MULTILINE))


def test_all_ten_are_there():
    assert "".join(rows()) == "abcdefghij"


def test_every_file_exists():
    files = re.findall(r"`([\w./]+/[\w./]+)`", "".join(rows().values()))
    assert len(files) > 10
    for file in files:
        assert (ROOT / file).exists(), f"docs/abi.md names {file}"
