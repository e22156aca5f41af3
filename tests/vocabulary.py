"""Words that docs/glossary.md bans, and where in the repository they stand.

    python -m tests.vocabulary [PATH ...]

prints each place with a banned word below the paths, default all. The banned words are read from
the glossary, so that there is one list. Identifiers are split at underscores and capital letters.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
GLOSSARY = ROOT / "docs" / "glossary.md"

_ENDINGS = {".py", ".md", ".toml", ".js", ".css", ".j2", ".html", ".ipynb", ".cfg", ".txt", ".sh"}
_LEFT_OUT = (
    "docs/glossary.md",  # defines them
    "docs/log.md",  # entries of the past
    "CHANGELOG.md",  # entries of the past
    "constraints.txt",  # names of packages
    "sim/data/",  # names of cards
    "experiments/suites/",  # names of cards
    "tests/test_vocabulary.py",  # tries them
    "tests/vocabulary.py",  # names exceptions
    "tests/goldens/",  # what older versions wrote
    "tests/frozen/samples/",  # what older versions wrote
    "results/",  # what older versions wrote
)
_FILE_WORDS = re.compile(r"\bat_rest\b|\"whom\"|\b(?:study|strategy)\.tell\b")
"""Words of file formats and of other packages, which stay: the former name of a part of a phrase
that plug-ins may still use, and a method of optuna and cma."""

_BANNED_ROW = re.compile(r"^\| (?P<words>[^|]+) \|[^|]*\| banned[^|]*\|$", re.MULTILINE)


class Place(NamedTuple):
    """A line with a banned word.

    Attributes:
        path: the file, relative to the repository.
        line: number of the line, from 1.
        word: the banned word as it stands there.
        text: the line.
    """

    path: str
    line: int
    word: str
    text: str


def banned_words(glossary: str) -> list[str]:
    """Return the words and phrases of the glossary's banned rows."""
    rows = _BANNED_ROW.finditer(glossary)
    return [word.strip() for row in rows for word in row["words"].split(",")]


def places_of(text: str, words: list[str], path: str) -> Iterator[Place]:
    """Yield each place of a text with a banned word, in prose or as a part of an identifier."""
    pattern = re.compile(
        r"(?<![a-z])(" + "|".join(re.escape(word) for word in words) + r")(?![a-z])", re.IGNORECASE
    )
    for number, line in enumerate(text.splitlines(), start=1):
        prose = re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", _FILE_WORDS.sub("", line))
        for found in pattern.finditer(prose):
            yield Place(path, number, found[0], line.strip())


def banned_places(paths: list[str]) -> Iterator[Place]:
    """Yield each place with a banned word in the tracked files below some paths."""
    words = banned_words(GLOSSARY.read_text(encoding="utf-8"))
    listed = subprocess.run(
        ["git", "ls-files", "--", *paths], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for name in listed.stdout.splitlines():
        file = ROOT / name
        if file.suffix not in _ENDINGS or name.startswith(_LEFT_OUT) or not file.is_file():
            continue
        text = file.read_text(encoding="utf-8")
        if file.suffix == ".ipynb":
            text = _cells_of(text)
        yield from places_of(text, words, name)


def _cells_of(notebook: str) -> str:
    """Return the sources and the text outputs of a notebook, without its pictures."""
    lines = list[str]()
    for cell in json.loads(notebook)["cells"]:
        lines += cell["source"]
        for output in cell.get("outputs", ()):
            lines += output.get("text", ())
            lines += output.get("data", {}).get("text/plain", ())
    return "\n".join(line.rstrip("\n") for line in lines)


def main() -> None:
    """Print each place with a banned word; the exit status is 1 if there are any."""
    places = list(banned_places(sys.argv[1:]))
    for place in places:
        sys.stdout.write(f"{place.path}:{place.line}: {place.word}: {place.text[:120]}\n")
    sys.stderr.write(f"{len(places)} places\n")
    sys.exit(bool(places))


if __name__ == "__main__":
    main()
