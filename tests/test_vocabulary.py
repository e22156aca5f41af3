"""Laws of the language: banned words, one assignment per line, reasons beside tuned numbers."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest

from tests.vocabulary import banned_places, banned_words, places_of

ROOT = Path(__file__).parent.parent
SOURCES = [
    path
    for folder in ("sim", "agents", "balance", "experiments", "tests")
    for path in sorted((ROOT / folder).rglob("*.py"))
]
TUNED_FOLDERS = ("balance/search/model", "balance/decks", "agents/search", "agents/dqn")
TUNED = [path for folder in TUNED_FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]
PHRASES_MAX = 60  # tests that may match a phrase; there were 364
PACKED_MAX = 110  # swaps and pairs that are one thing; there were 1,155

PHRASES = tomllib.loads((ROOT / "tests" / "phrases.toml").read_text(encoding="utf-8"))["phrases"]
"""Tests that match a phrase of three words, each group with its reason."""


def packed_assignments(source: str) -> int:
    """Return how many assignments of a source have a tuple on both sides."""
    return sum(
        isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Tuple)
        and isinstance(node.value, ast.Tuple)
        for node in ast.walk(ast.parse(source))
    )


def numbers_without_reason(source: str) -> list[str]:
    """Return the names of module-level numbers that have no reason beside them.

    A reason is a comment on a line of the assignment or on the line above it, or a docstring below.
    A value is a number if it is computed from literals alone.
    """
    lines = source.splitlines()
    body = ast.parse(source).body
    names = list[str]()
    for node, following in zip(body, [*body[1:], None], strict=True):
        if not isinstance(node, ast.Assign | ast.AnnAssign) or not _is_number(node.value):
            continue
        above = lines[node.lineno - 2].strip() if node.lineno > 1 else ""
        own = lines[node.lineno - 1 : node.end_lineno]
        has_comment = above.startswith("#") or any("# " in line for line in own)
        if not has_comment and not _is_docstring(following):
            names.append(lines[node.lineno - 1].split(" ")[0].rstrip(":"))
    return names


def _is_number(value: ast.expr | None) -> bool:
    """Whether an expression is a number, or a tuple of numbers, written with literals."""
    if isinstance(value, ast.Tuple):
        return bool(value.elts) and all(map(_is_number, value.elts))
    if isinstance(value, ast.UnaryOp):
        return _is_number(value.operand)
    if isinstance(value, ast.BinOp):
        return _is_number(value.left) and _is_number(value.right)
    return (
        isinstance(value, ast.Constant)
        and isinstance(value.value, int | float)
        and not isinstance(value.value, bool)
    )


def _is_docstring(node: ast.stmt | None) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


_PHRASE = re.compile(r"[A-Za-z][a-z'-]*(?: [A-Za-z][a-z'-]*){2,}")
"""Three words with single spaces between them."""


def phrases(test: ast.AST) -> list[str]:
    """Return the texts of three words and more that a test asserts or matches."""
    conditions = [
        part
        for node in ast.walk(test)
        for part in (
            [node.test]
            if isinstance(node, ast.Assert)
            else [node.value]
            if isinstance(node, ast.keyword) and node.arg == "match"
            else []
        )
    ]
    texts = [
        node.value
        for condition in conditions
        for node in ast.walk(condition)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    return [text for text in texts if _PHRASE.search(text)]


def test_banned_words_appear_nowhere() -> None:
    assert list(banned_places([])) == []


def test_assignments_are_not_packed() -> None:
    assert (
        sum(packed_assignments(path.read_text(encoding="utf-8")) for path in SOURCES) <= PACKED_MAX
    )


def test_few_tests_match_phrases() -> None:
    found = {
        f"{path.relative_to(ROOT / 'tests').as_posix()}::{test.name}"
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
        for test in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(test, ast.FunctionDef) and test.name.startswith("test") and phrases(test)
    }
    listed = [name for group in PHRASES for name in group["tests"]]
    assert found == {*listed}
    assert len(listed) <= PHRASES_MAX


def test_tuned_numbers_have_their_reasons() -> None:
    found = {
        path.relative_to(ROOT).as_posix(): numbers_without_reason(path.read_text(encoding="utf-8"))
        for path in TUNED
    }
    assert all((ROOT / folder).is_dir() for folder in TUNED_FOLDERS)
    assert {path: names for path, names in found.items() if names} == {}


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("def told_rates(): ...", ["told"]),
        ("class ToldRates: ...", ["Told"]),
        ("it is told, whom?", ["told", "whom"]),
        ("stolden lines", []),
        ('rows["at_rest"]', []),
        ("they are at rest", ["at rest"]),
    ],
)
def test_banned_words_are_found_in_prose_and_in_identifiers(line: str, words: list[str]) -> None:
    banned = banned_words((ROOT / "docs" / "glossary.md").read_text(encoding="utf-8"))
    assert [place.word for place in places_of(line, banned, "x.py")] == words


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("LIMIT = 3\n", ["LIMIT"]),
        ("LIMIT = 3  # cards of a hand\n", []),
        ("# cards of a hand\nLIMIT = 3\n", []),
        ('LIMIT: int = 3\n"""Cards of a hand."""\n', []),
        ("RANGE = (-1, 2 * 3.5)\n", ["RANGE"]),
        ("OTHER = len(x)\nIS_ON = True\n", []),
    ],
)
def test_numbers_without_a_reason_are_found(source: str, names: list[str]) -> None:
    assert numbers_without_reason(source) == names
