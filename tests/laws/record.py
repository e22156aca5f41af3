"""Play many checked games and print the findings; `python -m tests.laws.record --help`."""

from __future__ import annotations

import argparse
import sys
from importlib import util

from sim.play import n_cores
from tests.laws.oracle import disagreements
from tests.laws.playing import check, random_decks, rich_table

N_SAMPLES = 1000  # positions for the independent computation, by pool and thread
ACTIONS_BETWEEN = 5003  # actions between two samples: a prime, so that all kinds are sampled
N_RAREST = 10  # clauses to print


def _installed_pools() -> list[str]:
    """Return the names of the rich pools that can be loaded here."""
    has_real_cards = util.find_spec("hearthstone_data") is not None
    return ["saga", "hearthstone"] if has_real_cards else ["saga"]


def main() -> int:
    """Return 1 if a law was broken or the independent computation differs, else 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200_000, help="games of all pools together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pools", nargs="+", default=_installed_pools())
    options = parser.parse_args()
    is_broken = False
    for name in options.pools:
        table = rich_table(name)
        decks = random_decks(table.pool, options.games // len(options.pools), options.seed)
        settings = (101, 307, ACTIONS_BETWEEN)
        findings = check(
            table,
            decks,
            options.seed,
            settings=settings,
            n_samples=N_SAMPLES,
            threads=n_cores(),
        )
        differences = [
            line
            for state in findings.samples
            for line in disagreements(table.pool, table.ruleset, state)
        ]
        n_samples = len(findings.samples)
        sys.stdout.write(findings.summary(name, options.seed, table.pool) + "\n")
        sys.stdout.write(f"  {n_samples} positions recomputed: {len(differences)} differences\n")
        sys.stdout.write(f"  {len(findings.clauses)} clauses, the rarest with their counts:\n")
        for clause in findings.clauses[:N_RAREST]:
            sys.stdout.write(f"  {clause}\n")
        for line in [*map(str, findings.violations[:10]), *differences[:10]]:
            sys.stdout.write(f"  {line}\n")
        is_broken |= bool(findings.violations or differences)
    return int(is_broken)


if __name__ == "__main__":
    sys.exit(main())
