"""docs/loader-errors.md has every sentence core/plugin refuses with; the list is taken from the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted((ROOT / "core" / "plugin").glob("*.[ch]pp"))
# Where a refusal's words stand: the functions that throw, those that word what another throws, and plain returns.
SAYS = re.compile(r"\b(?:fail|failure|malformed|deploymentError|Error|push_back|take|checkedStruct)\(|\breturn (?=\")")
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')
# Hints, which stand beside a refusal.
NOT_REFUSALS = ("remove this line", "to permit it, write under")


def arguments(text: str, at: int) -> str:
    """The text from `at` to the closing parenthesis, or to the semicolon of a return."""
    depth = 1
    end = at
    while end < len(text) and depth:
        if text[end] == '"':
            end = LITERAL.match(text, end).end()
            continue
        if text[end] == "'":
            end += 4 if text[end + 1] == "\\" else 3
            continue
        depth += {"(": 1, ")": -1}.get(text[end], 0)
        if depth == 1 and text[end] == ";":
            break
        end += 1
    return text[at:end]


def sentences() -> dict[str, str]:
    """Every sentence, and the file it stands in. `{}` marks what is filled in."""
    found: dict[str, str] = {}
    for path in SOURCES:
        text = re.sub(r"^\s*//.*$|\s//[^\"\n]*$", "", path.read_text(), flags=re.MULTILINE)
        text = text.replace("SIXRUNG_ENTRY_NAME_STRING", '"sixrung_plugin_v1"')
        for match in SAYS.finditer(text):
            for group in re.finditer(r'(?:"(?:[^"\\]|\\.)*"\s*)+', arguments(text, match.end())):
                sentence = "".join(LITERAL.findall(group[0])).replace('\\"', '"')
                if not sentence.startswith(NOT_REFUSALS):
                    found[sentence] = path.name
    return found


def longest_part(sentence: str) -> str:
    """Of its first clause, advice left out, the longest piece between the filled-in places."""
    clause = re.split(r"\. |; ", sentence.lstrip("; "))[0]
    return max((re.split(": ", part)[0].strip(" :,('\"") for part in re.split(r"\{[^}]*\}", clause)), key=len)


def plain(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def checked() -> list[str]:
    return [sentence for sentence in sentences() if len(longest_part(sentence).split()) >= 2]


def test_the_list_is_whole():
    found = " ".join(checked())
    for known in ("begins with", "is already registered", "is no ELF or Mach-O", "one session, one deployment"):
        assert known in found
    assert len(checked()) > 100


@pytest.mark.parametrize("sentence", checked())
def test_is_on_the_page(sentence):
    page = plain((ROOT / "docs" / "loader-errors.md").read_text())
    assert longest_part(sentence) in page, f"{sentences()[sentence]}: docs/loader-errors.md says nothing of: {sentence}"
