"""`python -m tests.frozen`: show that no number of any result has changed.

Every shipped experiment is run at small budgets on two run seeds, and the numbers and the columns
in all data files are compared with those in `frozen.json`. What differs is printed, and the exit
status is then 1. Trained networks are equal only on one kind of processor: if they alone differ,
write the file at the earlier commit on the same machine first, to a file of its own (`--file`).
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import nullcontext
from pathlib import Path

from tests.frozen.comparison import FROZEN, differences, read_frozen, write_frozen
from tests.frozen.runner import Done, carry_out, tasks


def main() -> int:
    """Run the tasks and compare; returns the exit status."""
    asked = _arguments()
    began = time.perf_counter()
    with nullcontext(asked.keep) if asked.keep else tempfile.TemporaryDirectory() as place:
        done = _all_done(Path(place), asked.only, asked.jobs)
    faults = [f"{one.name}: {fault}" for one in done for fault in one.faults]
    print(*faults, sep="\n", end="\n" * bool(faults))  # noqa: T201
    if not done:
        print(f"no case contains {asked.only!r} in its name")  # noqa: T201
        return 2
    found = {one.name: one.hashes for one in done}
    if asked.update and not faults:
        kept = read_frozen(asked.file) if asked.only and asked.file.exists() else {}
        write_frozen({**kept, **found}, asked.file)
        lines = []
    else:
        expected = read_frozen(asked.file)
        names = [name for name in expected if name in found or not asked.only]
        lines = [f"{name}: not run" for name in names if name not in found]
        lines += [
            line
            for name in found
            for line in differences(name, expected.get(name, {}), found[name])
        ]
    n_files = sum(len(files) for files in found.values())
    verdict = f"{len(lines)} files differ" if lines else "written" if asked.update else "all equal"
    took = time.perf_counter() - began
    print(*lines, f"{n_files} files of {len(found)} tasks: {verdict}; {took:.0f} s", sep="\n")  # noqa: T201
    return 1 if lines or faults else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.frozen", description=__doc__)
    parser.add_argument("--update", action="store_true", help="rewrite the file of hashes")
    parser.add_argument("--only", default="", help="cases with this in their name")
    parser.add_argument("--jobs", type=int, default=2, help="processes; default 2")
    parser.add_argument("--file", type=Path, default=FROZEN, help="the file of hashes")
    parser.add_argument("--keep", type=Path, help="keep the results in this folder, to look at")
    return parser.parse_args()


def _all_done(place: Path, only: str, jobs: int) -> list[Done]:
    """Run all tasks in processes of their own; prints a line as each ends."""
    wanted = tasks(place, only)
    done: list[Done] = []
    # Spawned, since a fork would share what the parent compiled and the threads it has begun.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max_workers=jobs, mp_context=context) as pool:
        for future in as_completed([pool.submit(carry_out, task) for task in wanted]):
            done.append(future.result())
            print(  # noqa: T201
                f"[{len(done)}/{len(wanted)}] {done[-1].name}: {done[-1].seconds:.1f} s",
                file=sys.stderr,
            )
    return sorted(done, key=lambda one: one.name)


if __name__ == "__main__":
    sys.exit(main())
