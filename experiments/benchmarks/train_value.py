"""Training of the learned values that are part of the package.

`python -m experiments.benchmarks.train_value plain` trains the value of plain games on the pool
`core`, and `rich` that of all other games on the real cards and on `saga`. Each round records games
of random decks, half of them with varied numbers, in the hands of a search that uses the value of
the round before; the first round uses the features alone. Then a value is trained on the games of
all rounds. The file is written into the working directory after each round. The games and the order
of training depend on the seed alone, so a run can be repeated; torch may round differently on
another processor.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import torch
import typer

from agents.roster.turn import TurnAgent, turn_agent_by_shipped_weights
from agents.search.value.encoder import ValueNetwork
from agents.search.value.network_file import SUFFIX, network_bytes
from agents.search.value.training import Recorded, train_value
from balance.learning.random_games import record_random_games
from experiments.benchmarks.script import run_script
from sim import known_word, load_pool, load_ruleset
from sim.play.table import Table, pack_table

POOLS = {"plain": (("core", "duel"),), "rich": (("hearthstone", "legacy"), ("saga", "legacy"))}
"""Pools of each value with the rulesets of their games."""
N_NODES = 60
LIMITS = {"leaves": 8, "worlds": 3}
"""Limits of the search that plays: a game takes a third of that with the shipped limits."""
_SHARES = {"hearthstone": 3}  # parts of the games, against 1: real cards are four times as many
_GAMES_OF_TABLE = 1_000  # games with the same numbers of cards


def player_of(network: ValueNetwork | None) -> TurnAgent:
    """Return the search that plays the recorded games.

    Args:
        network: learned value of the round before; `None` for the features alone.
    """
    if network is None:
        return turn_agent_by_shipped_weights("recorder", N_NODES, **LIMITS)
    return turn_agent_by_shipped_weights("recorder", N_NODES, **LIMITS, value=8).with_network(
        network
    )


def record_round(
    tables: dict[str, Table], agent: TurnAgent, n_games: int, seed: int, first: int
) -> list[Recorded]:
    """Record the games of a round.

    Args:
        tables: tables of the pools by name.
        agent: agent of both seats.
        n_games: number of games.
        seed: seed of the run.
        first: number of the first recording.
    """
    parts = [name for name in tables for _ in range(_SHARES.get(name, 1))]
    recorded = list[Recorded]()
    for k in range(max(n_games // _GAMES_OF_TABLE, 2 * len(parts))):
        # Two recordings of a pool follow each other, of which the second varies its numbers.
        table = tables[parts[k // 2 % len(parts)]]
        n_of_table = n_games // max(n_games // _GAMES_OF_TABLE, 2 * len(parts))
        recorded.append(record_random_games(table, agent, n_of_table, seed, first + k))
    return recorded


def main(
    kind: str,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds of games and training.")] = 3,
    games: Annotated[int, typer.Option(min=100, help="Games of the last round.")] = 60_000,
    seed: int = 1,
) -> None:
    """Train the learned value of one kind of games."""
    known_word("kind", kind, POOLS)
    torch.set_num_threads(1)
    tables = {
        pool: pack_table(load_pool(pool), load_ruleset(ruleset)) for pool, ruleset in POOLS[kind]
    }
    network: ValueNetwork | None = None
    recorded = list[Recorded]()
    for k in range(rounds):
        began_s = time.process_time()
        n_games = games >> (rounds - 1 - k)  # each round has twice the games of the one before
        recorded += record_round(tables, player_of(network), n_games, seed, len(recorded))
        played_s = time.process_time() - began_s
        module, loss = train_value(recorded, seed)
        network = module.exported()
        path = Path(f"{kind}{SUFFIX}")
        path.write_bytes(network_bytes(network))
        n_positions = sum(len(part.rows) for part in recorded)
        typer.echo(
            f"round {k + 1}: {n_games:,} games in {played_s:.0f} CPU s, {n_positions:,} positions; "
            f"loss on unseen games {loss:.4f}; {time.process_time() - began_s:.0f} CPU s in all"
        )


if __name__ == "__main__":
    run_script(main)
