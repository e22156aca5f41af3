"""Training of the learned values that are part of the package.

`python -m experiments.benchmarks.train_value plain` trains the value of plain games on the pool
`core`, and `rich` that of all other games on the real cards and on `saga`
(`balance.learning.value_rounds`). The file is written into the working directory after each round.
Games and training depend on the seed alone, so a run can be repeated; torch may round differently
on another processor.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from agents.search.value.network_file import SUFFIX, network_bytes
from balance.learning.net_settings import NetSettings
from balance.learning.value_rounds import value_rounds
from experiments.benchmarks.script import run_script
from sim import known_word, load_pool, load_ruleset
from sim.play.table import pack_table

POOLS = {
    "plain": [("core", "duel")],
    # Real cards are four times as many as those of saga, and get three times as many games.
    "rich": [*[("hearthstone", "legacy")] * 3, ("saga", "legacy")],
}
"""Pools of each value with the rulesets of their games; each entry gets as many games."""


def main(
    kind: str,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds of games and training.")] = 3,
    games: Annotated[int, typer.Option(min=400, help="Games of the last round.")] = 60_000,
    seed: int = 1,
) -> None:
    """Train the learned value of one kind of games."""
    known_word("kind", kind, POOLS)
    tables = [pack_table(load_pool(pool), load_ruleset(rules)) for pool, rules in POOLS[kind]]
    for result in value_rounds(tables, NetSettings(rounds=rounds, games=games), seed):
        Path(f"{kind}{SUFFIX}").write_bytes(network_bytes(result.network))
        typer.echo(
            f"round {result.number}: {result.n_games:,} games, {result.n_positions:,} positions; "
            f"loss on unseen games {result.loss:.4f}; {time.process_time():.0f} CPU s so far"
        )


if __name__ == "__main__":
    run_script(main)
