"""Play random pools and print their verdicts; `python -m tests.fuzz --help`."""

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
    parser.add_argument("--checked", action="store_true", help="use the build that checks bounds")
    parser.add_argument("--plain", action="store_true", help="run the engine as plain Python")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument(
        "--patience", type=float, default=20, help="seconds after which a pool counts as hung"
    )
    parser.add_argument(
        "--one", type=int, metavar="INDEX", help="print the pool of this index and play only it"
    )
    parser.add_argument(
        "--shrink", action="store_true", help="reduce the pool of --one while it still fails"
    )
    return parser.parse_args()


def main() -> int:
    """Return 1 if any case failed, else 0."""
    options = _options()
    os.environ["EVENHAND_CHECKED"] = str(int(options.checked))
    os.environ["NUMBA_DISABLE_JIT"] = str(int(options.plain))
    return _play_one(options) if options.one is not None else _play_many(options)


def _play_one(options: argparse.Namespace) -> int:
    from tests.fuzz.playing import verdict_on, warm_up
    from tests.fuzz.pools import random_case
    from tests.fuzz.shrinking import shrink
    from tests.fuzz.workers import verdict_apart

    case = random_case(options.seed, options.one)
    if options.shrink:
        warm_up()
        case = shrink(case, options.patience)
    _print(case.as_toml())
    verdict = verdict_apart(case, options.patience) if options.shrink else verdict_on(case)
    _print(f"{verdict.word} {verdict.detail}")
    return int(verdict.is_fault)


def _play_many(options: argparse.Namespace) -> int:
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
    results = verdicts(cases, find, n_workers=options.workers, patience_s=options.patience)
    for index, verdict in results:
        digest ^= zlib.crc32(f"{index} {verdict.digest}".encode())
        if not verdict.is_fault:
            counts[verdict.word] += 1
            continue
        if not faults[verdict.cause]:
            _print(f"pool {index}: {verdict.word} {verdict.detail}")
        faults[verdict.cause].append(index)
    seconds = time.monotonic() - start
    _print(f"{len(cases)} pools of seed {options.seed}, {len(cases) / seconds:.0f} a second:")
    for word, count in counts.items():
        _print(f"{count:7} {word}")
    for cause, indices in sorted(faults.items(), key=lambda item: -len(item[1])):
        _print(f"{len(indices):7} {cause}: {' '.join(map(str, sorted(indices)[:8]))}")
    _print(f"digest of the games {digest:08x}")
    return int(bool(faults))


def _print(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
