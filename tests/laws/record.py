"""Plays many checked games and prints what was found; `python -m tests.laws.record --help`."""

from __future__ import annotations

import argparse
import sys
from importlib import util

from sim.play import n_cores
from tests.laws.oracle import disagreements
from tests.laws.playing import check, random_decks, rich_table

N_SAMPLES = 1000  # positions for the second opinion, by pool and thread
ACTIONS_BETWEEN = 5003
N_RAREST = 10  # clauses to name


def _pools_at_hand() -> list[str]:
    """The rich pools whose packages are installed."""
    has_real_cards = util.find_spec("hearthstone_data") is not None
    return ["saga", "hearthstone"] if has_real_cards else ["saga"]


def main() -> int:
    """Exit status 1 if a law was broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200_000, help="games of all pools together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pools", nargs="+", default=_pools_at_hand())
    options = parser.parse_args()
    is_broken = False
    for name in options.pools:
        table = rich_table(name)
        decks = random_decks(table.pool, options.games // len(options.pools), options.seed)
        settings = (101, 307, ACTIONS_BETWEEN)
        found = check(
            table,
            decks,
            options.seed,
            settings=settings,
            n_samples=N_SAMPLES,
            threads=n_cores(),
        )
        otherwise = [
            line
            for state in found.samples
            for line in disagreements(table.pool, table.ruleset, state)
        ]
        sys.stdout.write(found.summary(name, options.seed, table.pool) + "\n")
        sys.stdout.write(
            f"  second opinion on {len(found.samples)} positions: {len(otherwise)} otherwise\n"
        )
        sys.stdout.write(f"  {len(found.clauses)} clauses, the rarest by how often they fired:\n")
        for clause in found.clauses[:N_RAREST]:
            sys.stdout.write(f"  {clause}\n")
        for line in [*map(str, found.violations[:10]), *otherwise[:10]]:
            sys.stdout.write(f"  {line}\n")
        is_broken |= bool(found.violations or otherwise)
    return int(is_broken)


if __name__ == "__main__":
    sys.exit(main())
