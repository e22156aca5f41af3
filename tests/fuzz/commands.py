"""Run commands on mutants of files and options; `python -m tests.fuzz.commands --help`.

Each run must succeed, be refused in one line, or end by Ctrl-C: never with a traceback, more than a
gigabyte of memory, or a minute without output.
"""

from __future__ import annotations

import argparse
import os
import random
import shlex
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from tests.fuzz.command_lines import ENDLESS, files_behind, random_line
from tests.fuzz.command_runs import BUSY_S, Run, run_apart
from tests.fuzz.command_world import make_world
from tests.fuzz.mutants import mutant_of

_TYPED = (
    b"1\n1\nquit\n",
    b"",
    b"help\n\xff\n\0\nquit\n",
    b"x" * 100_000,
    b"1 2 3\nundo\n0\nconcede\nyes\n",
)
_ENDLESS_S = 4.0  # seconds for commands that end by Ctrl-C only


class Mutant(NamedTuple):
    """A command line in a world of which one file may be changed.

    Attributes:
        words: words of the command line.
        file: the changed file, `None` for none.
        content: its changed content.
        given: standard input.
    """

    words: list[str]
    file: Path | None
    content: bytes
    given: bytes


def mutant_at(seed: int, index: int, world: Path) -> Mutant:
    """Return the mutant of a seed and an index, made from the files of a world."""
    chance = random.Random(f"{seed} {index}")
    runs = sorted(
        path.parent.relative_to(world).as_posix() for path in world.glob("results/*/run.json")
    )
    is_odd = chance.random() < 0.35
    words = random_line(chance, runs, is_odd=is_odd)
    file = None
    content = b""
    behind = files_behind(words, world)
    if behind and (not is_odd or chance.random() < 0.3):
        named = [path for path in behind if path.as_posix() in words]
        file = chance.choice(named if named and chance.random() < 0.6 else behind)
        content = mutant_of(file.name, (world / file).read_bytes(), chance)
    return Mutant(words, file, content, chance.choice(_TYPED))


def run_mutant(mutant: Mutant, world: Path, place: Path) -> Run:
    """Run a mutant in a copy of the world, which is deleted afterwards."""
    shutil.copytree(world, place)
    try:
        if mutant.file is not None:
            (place / mutant.file).write_bytes(mutant.content)
        busy_s = _ENDLESS_S if mutant.words[0] in ENDLESS else BUSY_S
        return run_apart(mutant.words, place, mutant.given, busy_s=busy_s)
    finally:
        shutil.rmtree(place, ignore_errors=True)


def fuzz(seed: int, first: int, n_mutants: int, *, is_small: bool = False) -> Counter[str]:
    """Run mutants, print the faulty ones, and return counts of the results."""
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as above:
        world = Path(above) / "world"
        world.mkdir()
        here = Path.cwd()
        os.chdir(world)
        try:
            make_world(world, is_small=is_small)
        finally:
            os.chdir(here)
        for index in range(first, first + n_mutants):
            mutant = mutant_at(seed, index, world)
            run = run_mutant(mutant, world, Path(above) / str(index))
            counts[(run.fault and "fault") or f"status {run.status}"] += 1
            counts["most MB"] = max(counts["most MB"], run.memory_mb)
            counts["longest s"] = max(counts["longest s"], round(run.seconds))
            if run.fault or run.seconds > 20:
                _print(f"{index}: {run.fault or f'slow, {run.seconds:.0f} s, status {run.status}'}")
                _print(f"    evenhand {shlex.join(mutant.words)[:300]}")
                _print(
                    f"    {mutant.file} of {len(mutant.content):,} bytes: {mutant.content[:60]!r}"
                )
    return counts


def main() -> int:
    """Return 1 if any run was faulty, else 0."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.commands", description=__doc__)
    parser.add_argument("--mutants", type=int, default=2_000)
    parser.add_argument("--first", type=int, default=0, help="index of the first mutant")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--small", action="store_true", help="make no trained agents first")
    options = parser.parse_args()
    began_s = time.monotonic()
    counts = fuzz(options.seed, options.first, options.mutants, is_small=options.small)
    _print(f"{options.mutants} mutants of seed {options.seed}, {time.monotonic() - began_s:.0f} s:")
    for word, count in sorted(counts.items()):
        _print(f"{count:7} {word}")
    return int(counts["fault"] > 0)


def _print(line: str) -> None:
    sys.stdout.write(line.encode("ascii", "backslashreplace").decode() + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
