"""The trial of docs/architecture.md: random lines of code, to be placed with that page alone.

    python -m tests.stranger --seed 7 [--answers]

Whoever knows the page and not the code says for each line in which row of the page's table of rooms
it lives. A page that tells the rooms apart would let them place 13 of 14; eighteen readers of
28 lines each placed 446 of 504, which is 12.4 of 14 (95 %: 12.0 to 12.7).
"""

from __future__ import annotations

import argparse
import ast
import builtins
import random
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "architecture.md"
LAYERS = ("sim", "agents", "balance", "experiments")
NOTHING_TO_TELL = (ast.Import, ast.ImportFrom, ast.Pass, ast.Break, ast.Continue)


@dataclass(frozen=True)
class Line:
    """A line of code, where it stands and what is around it."""

    path: Path
    number: int
    shown: tuple[str, str, str]


def rooms() -> dict[str, str]:
    """The room of every path that the page's table names: the first column of its row.

    Behind a path with folders, a bare name is its neighbour.
    """
    table = PAGE.read_text("utf-8").partition("## Rooms")[2].partition("\n## ")[0]
    found = {}
    for room in re.findall(r"^\| (`.*?) \|", table, flags=re.MULTILINE):
        folder = Path()
        for name in re.findall(r"`(.+?)`", room):
            folder = Path(name).parent if "/" in name else folder
            path = str(folder / Path(name).name)
            if path in found:
                raise ValueError(f"{PAGE.name}: {path} is in two rooms")
            found[path] = room
    return found


def room_of(path: Path) -> str:
    """The room of a module: that of itself, or of the innermost folder which the page names."""
    known = rooms()
    inside = path.relative_to(ROOT)
    return next((known[str(at)] for at in (inside, *inside.parents) if str(at) in known), "")


def modules() -> list[Path]:
    """The project's modules, but for the empty ones of packages."""
    return [path for layer in LAYERS for path in sorted((ROOT / layer).rglob("*.py"))]


@cache
def tree_of(path: Path) -> ast.Module:
    """The parsed module."""
    return ast.parse(path.read_text("utf-8"))


@cache
def vocabulary() -> set[str]:
    """The names that modules and classes of the project define."""
    names = set()
    for node in (node for path in modules() for node in ast.walk(tree_of(path))):
        for child in node.body if isinstance(node, ast.Module | ast.ClassDef) else []:
            if isinstance(child, ast.FunctionDef | ast.ClassDef):
                names.add(child.name)
            elif isinstance(child, ast.Assign | ast.AnnAssign):
                names |= {one.id for one in ast.walk(child) if isinstance(one, ast.Name)}
    return names - set(dir(builtins))


def statements(tree: ast.Module) -> Iterator[ast.stmt]:
    """What stands in the bodies of functions and classes, but for prose and imports."""
    for owner in ast.walk(tree):
        if isinstance(owner, ast.FunctionDef | ast.ClassDef):
            for node in (node for child in owner.body for node in ast.walk(child)):
                is_prose = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
                if isinstance(node, ast.stmt) and not (
                    is_prose or isinstance(node, NOTHING_TO_TELL)
                ):
                    yield node


def lines_of(path: Path) -> list[Line]:
    """The lines of a module that begin a statement and say a word of the project's."""
    text = path.read_text("utf-8").splitlines()
    starts = sorted({node.lineno for node in statements(tree_of(path))})
    spoken = [
        number for number in starts if vocabulary() & set(re.findall(r"\w+", text[number - 1]))
    ]
    full = [number for number, line in enumerate(text, 1) if line.strip()]
    found = []
    for number in spoken:
        before = max(other for other in full if other < number)
        after = min((other for other in full if other > number), default=0)
        shown = (text[before - 1], text[number - 1], text[after - 1] if after else "")
        found.append(Line(path, number, shown))
    return found


def drawn(seed: int, n_lines: int) -> list[Line]:
    """So many lines of the project, each as likely as every other."""
    every = [line for path in modules() for line in lines_of(path)]
    return random.Random(seed).sample(every, n_lines)


def main() -> None:
    """Print the lines, and with `--answers` their rooms."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--lines", type=int, default=14)
    parser.add_argument("--answers", action="store_true")
    wanted = parser.parse_args()
    for number, line in enumerate(drawn(wanted.seed, wanted.lines), 1):
        before, itself, after = line.shown
        sys.stdout.write(f"\n{number:2}.   {before}\n    > {itself}\n      {after}\n")
        if wanted.answers:
            sys.stdout.write(
                f"    {room_of(line.path)}: {line.path.relative_to(ROOT)}:{line.number}\n"
            )


if __name__ == "__main__":
    main()
