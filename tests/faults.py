"""Faults seeded into the code, to measure whether the tests notice them: `python -m tests.faults`.

Each fault changes one operator, bound or constant of a function in `sim/engine` or `balance`.
Faults are drawn by a seed and named by function and expression, so that a list of them can be tried
again on code that has moved (`--list`, made with `--draw`).
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
PLACES = {
    "sim/engine": ("sim", "laws", "agents", "conformance", "fuzz", "balance", "experiments"),
    "balance": ("balance", "conformance", "experiments"),
}
"""Folders in which faults are seeded, and the test folders that may notice, most likely first."""

HANGS_AFTER_S = 1800
"""Seconds after which a run of tests counts as hung, and so as having noticed the fault."""

OTHERWISE = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.Add: "-", ast.Sub: "+", ast.Mult: "+", ast.Div: "*", ast.FloorDiv: "*", ast.Mod: "+",
    ast.BitAnd: "|", ast.BitOr: "&", ast.LShift: ">>", ast.RShift: "<<",
    ast.And: " or ", ast.Or: " and ",
}  # fmt: skip


class Fault(NamedTuple):
    """A changed expression of a function.

    Attributes:
        function: name of the function.
        before: the expression.
        after: the expression that replaces it.
        nth: number of the expression among equal ones in the function, from 1.
    """

    function: str
    before: str
    after: str
    nth: int


class Place(NamedTuple):
    """An expression of a file in which a fault can be seeded."""

    path: Path
    node: ast.expr
    fault: Fault


def plain(text: str) -> str:
    """Return an expression without the namespace of its constants."""
    return re.sub(r"\b(at|layout)\.", "", text)


def wrong(node: ast.AST) -> str | None:
    """Return the expression with another operator or constant, or `None` if it has neither."""
    match node:
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in OTHERWISE:
            return f"{ast.unparse(left)} {OTHERWISE[type(op)]} {ast.unparse(right)}"
        case ast.BinOp(left=left, op=op, right=right) if type(op) in OTHERWISE:
            return f"({ast.unparse(left)}) {OTHERWISE[type(op)]} ({ast.unparse(right)})"
        case ast.BoolOp(op=op, values=values):
            return OTHERWISE[type(op)].join(f"({ast.unparse(value)})" for value in values)
        case ast.Constant(value=bool()):
            return None
        case ast.Constant(value=int(number)):
            return str(number + 1)
    return None


def places() -> Iterator[Place]:
    """Yield all places in which a fault can be seeded, in the order of files and lines."""
    for package in PLACES:
        for path in sorted((ROOT / package).rglob("*.py")):
            for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if not isinstance(function, ast.FunctionDef):
                    continue
                seen: dict[str, int] = {}
                for statement in function.body:
                    for node in ast.walk(statement):
                        after = wrong(node)
                        if after is None or not isinstance(node, ast.expr):
                            continue
                        before = plain(ast.unparse(node))
                        seen[before] = seen.get(before, 0) + 1
                        fault = Fault(function.name, before, plain(after), seen[before])
                        yield Place(path, node, fault)


def edited(place: Place) -> str:
    """Return the source of a file with its fault."""
    lines = place.path.read_text(encoding="utf-8").encode().splitlines(keepends=True)
    node = place.node
    first = node.lineno - 1
    last = (node.end_lineno or node.lineno) - 1
    before = lines[first][: node.col_offset]
    behind = lines[last][node.end_col_offset :]
    after = f"({wrong(node)})".encode()
    return b"".join([*lines[:first], before + after + behind, *lines[last + 1 :]]).decode()


def is_caught(place: Place) -> tuple[bool, str]:
    """Return whether a test fails on a copy of the checkout with the fault, and the last lines."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "checkout"
        ignore = shutil.ignore_patterns(".venv", ".git*", ".*_cache", "__pycache__")
        shutil.copytree(ROOT, copy, ignore=ignore, symlinks=True)
        (copy / place.path.relative_to(ROOT)).write_text(edited(place), encoding="utf-8")
        environment = {**os.environ, "EVENHAND_CACHE_DIR": f"{folder}/cache", "PYTHONPATH": "."}
        package = next(package for package in PLACES if (ROOT / package) in place.path.parents)
        folders = [f"tests/{folder}" for folder in PLACES[package]]
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *folders]
        return _fails(command, copy, environment)


def _fails(command: list[str], folder: Path, environment: dict[str, str]) -> tuple[bool, str]:
    """Return whether a run of tests fails or hangs, and its last lines."""
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        text=True, start_new_session=True,
    ) as run:  # fmt: skip
        try:
            output, _ = run.communicate(timeout=HANGS_AFTER_S)
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, signal.SIGKILL)  # with its worker processes
            output, _ = run.communicate()
            output += f"\nhung: not done after {HANGS_AFTER_S} s"
    return run.returncode != 0, "\n".join(output.splitlines()[-4:])


def main() -> None:
    """Draw faults or read a list of them, and try each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--n", type=int, default=20)
    parser.add_argument("--draw", type=Path, help="only write the list")
    parser.add_argument("--list", type=Path, help="faults to try instead of drawn ones")
    options = parser.parse_args()
    known = {place.fault: place for place in places()}
    if options.list:
        wanted = [Fault(*fault) for fault in json.loads(options.list.read_text())]
    else:
        wanted = random.Random(options.seed).sample(sorted(known), options.n)
    if options.draw:
        options.draw.write_text(json.dumps(wanted, indent=1))
        return
    for number, fault in enumerate(wanted, start=1):
        if fault not in known:
            print(f"{number:2} not found: {fault}", flush=True)
            continue
        caught, output = is_caught(known[fault])
        where = known[fault].path.relative_to(ROOT)
        print(
            f"{number:2} {'caught' if caught else 'MISSED'} {where} {fault}\n{output}", flush=True
        )


if __name__ == "__main__":
    main()
