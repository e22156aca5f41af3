"""Plays random pools and prints what became of them; `python -m tests.fuzz --help`."""

from __future__ import annotations

import argparse
import os
import sys
import time
import zlib
from collections import defaultdict
from functools import partial


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--pools", type=int, default=20_000)
    parser.add_argument("--first", type=int, default=0, help="index of the first pool")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--checked", action="store_true", help="the build that checks bounds")
    parser.add_argument("--plain", action="store_true", help="the engine as plain Python")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--patience", type=float, default=20, help="seconds until a pool has hung")
    parser.add_argument("--one", type=int, metavar="INDEX", help="print this pool and play it here")
    parser.add_argument("--shrink", action="store_true", help="what fails, as small as it gets")
    return parser.parse_args()


def main() -> int:
    """Exit status 1 if anything failed."""
    options = _options()
    os.environ["EVENHAND_CHECKED"] = str(int(options.checked))
    os.environ["NUMBA_DISABLE_JIT"] = str(int(options.plain))
    return _one(options) if options.one is not None else _many(options)


def _one(options: argparse.Namespace) -> int:
    from tests.fuzz.playing import verdict_on, warm_up
    from tests.fuzz.pools import random_case
    from tests.fuzz.shrinking import shrunk
    from tests.fuzz.workers import verdict_apart

    case = random_case(options.seed, options.one)
    if options.shrink:
        warm_up()
        case = shrunk(case, options.patience)
    _say(case.as_toml())
    verdict = verdict_apart(case, options.patience) if options.shrink else verdict_on(case)
    _say(f"{verdict.word} {verdict.detail}")
    return int(verdict.is_fault)


def _many(options: argparse.Namespace) -> int:
    from tests.fuzz.playing import NAMED, PLAYED, REFUSED, warm_up
    from tests.fuzz.pools import random_case
    from tests.fuzz.workers import verdicts

    warm_up()
    start = time.monotonic()
    digest = 0
    counts = dict.fromkeys((PLAYED, NAMED, REFUSED), 0)
    faults: dict[str, list[int]] = defaultdict(list)
    cases = range(options.first, options.first + options.pools)
    find = partial(random_case, options.seed)
    come = verdicts(cases, find, n_workers=options.workers, patience_s=options.patience)
    for index, verdict in come:
        digest ^= zlib.crc32(f"{index} {verdict.digest}".encode())
        if not verdict.is_fault:
            counts[verdict.word] += 1
            continue
        if not faults[verdict.cause]:
            _say(f"pool {index}: {verdict.word} {verdict.detail}")
        faults[verdict.cause].append(index)
    seconds = time.monotonic() - start
    _say(f"{len(cases)} pools of seed {options.seed}, {len(cases) / seconds:.0f} a second:")
    for word, count in counts.items():
        _say(f"{count:7} {word}")
    for cause, indices in sorted(faults.items(), key=lambda item: -len(item[1])):
        _say(f"{len(indices):7} {cause}: {' '.join(map(str, sorted(indices)[:8]))}")
    _say(f"digest of the games {digest:08x}")
    return int(bool(faults))


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
