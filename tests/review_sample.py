"""Draw docstrings, comments, messages and pages for a review of the language by an editor.

    python -m tests.review_sample --seed 7 [--docstrings 40 --comments 30 --messages 12 --pages 6]

An editor reads each drawn item with its context and says whether it can stay unchanged, in plain
technical English that can be understood without reading other code. The draw depends on the seed
and on the files alone.
"""

from __future__ import annotations

import argparse
import ast
import io
import random
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
PACKAGES = ("sim", "agents", "balance", "experiments")
CONTEXT = 6  # lines of code after a comment, enough to see what it is about
PAGE_LINES = 60  # lines of a page that an editor reads: about one screen and a half
BODY_LINES = 40  # lines of a function that are shown below its docstring


class Item(NamedTuple):
    """One thing to review: where it stands, and its text with its context."""

    place: str
    text: str


def sources() -> list[Path]:
    """Return the modules of the four packages, in a fixed order."""
    return [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]


def docstrings() -> Iterator[Item]:
    """Yield every docstring with its signature and the beginning of its body."""
    for path in sources():
        text = path.read_text(encoding="utf-8")
        lines = text.splitlines()
        for node in ast.walk(ast.parse(text)):
            if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                continue
            if ast.get_docstring(node) is None:
                continue
            is_module = isinstance(node, ast.Module)
            first = 1 if is_module else node.lineno
            end = node.body[0].end_lineno if is_module else node.end_lineno
            shown = lines[first - 1 : min(end or first, first + BODY_LINES)]
            yield Item(f"{path.relative_to(ROOT)}:{first}", "\n".join(shown))


def comments() -> Iterator[Item]:
    """Yield every comment, joined over its lines, with the code that follows it."""
    for path in sources():
        text = path.read_text(encoding="utf-8")
        lines = text.splitlines()
        last = 0
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            is_directive = any(word in token.string for word in ("noqa", "type:", "fmt:"))
            if token.type != tokenize.COMMENT or is_directive or token.start[0] == last + 1:
                last = token.start[0] if token.type == tokenize.COMMENT else last
                continue
            last = token.start[0]
            shown = lines[max(last - 2, 0) : last + CONTEXT]
            yield Item(f"{path.relative_to(ROOT)}:{last}", "\n".join(shown))


_REFUSALS = re.compile("refus|bad|wrong|mistake|damag|problem|cannot|unknown|invalid|missing")
"""Parts of the names of tests about bad input."""


def messages() -> Iterator[Item]:
    """Yield every message of bad input in the golden file, with the name of its test."""
    test = ""
    lines = list[str]()
    golden = (ROOT / "tests" / "messages.txt").read_text(encoding="utf-8")
    for line in [*golden.splitlines(), "end"]:
        if line.startswith("    - ") or not line.startswith(" "):
            if lines and _REFUSALS.search(
                test.rsplit("::", maxsplit=1)[-1].split("[", maxsplit=1)[0]
            ):
                yield Item(test.split("[", maxsplit=1)[0], "\n".join(lines))
            lines = []
        if line.startswith(" "):
            lines.append(line[6:])
        else:
            test = line


def pages() -> Iterator[Item]:
    """Yield parts of the pages of docs and of the README, each of one screen and a half."""
    kept = ("log.md", "glossary.md")
    paths = [path for path in sorted((ROOT / "docs").glob("*.md")) if path.name not in kept]
    for path in [ROOT / "README.md", *paths]:
        lines = path.read_text(encoding="utf-8").splitlines()
        for first in range(0, len(lines), PAGE_LINES):
            shown = lines[first : first + PAGE_LINES]
            yield Item(f"{path.relative_to(ROOT)}:{first + 1}", "\n".join(shown))


KINDS = {
    "docstrings": (docstrings, 40),
    "comments": (comments, 30),
    "messages": (messages, 12),
    "pages": (pages, 6),
}
"""What is drawn, by the name of its option, with the usual number."""


def main() -> None:
    """Print the drawn items."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, required=True)
    for kind, (_, number) in KINDS.items():
        parser.add_argument(f"--{kind}", type=int, default=number)
    arguments = parser.parse_args()
    for kind, (find, _) in KINDS.items():
        items = list(find())
        drawn = random.Random(f"{arguments.seed} {kind}").sample(items, getattr(arguments, kind))
        for number, item in enumerate(drawn, start=1):
            sys.stdout.write(f"===== {kind} {number}: {item.place}\n{item.text}\n\n")


if __name__ == "__main__":
    main()
