"""Training of the networks that are part of the package.

`python -m experiments.benchmarks.train_networks plain` trains the networks of plain games on the
pool `core`, and `rich` those of all other games on the real cards and on `saga`: first the learned
value (`balance.learning.value_rounds`), then the policy (`balance.learning.policy_rounds`). After
each round the file is written into the working directory. `--value` names a file with a learned
value, which is then kept; with `--done K` its policy is kept, too, as that of the first K rounds.
Games and training depend on the seed alone, so a run can be repeated; torch may round differently
on another processor.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from agents.policy.policy_network import PolicyNetwork
from agents.reading.network_file import SUFFIX, load_network, network_bytes
from agents.search.value.value_network import ValueNetwork
from balance.learning.net_settings import NetSettings
from balance.learning.policy_rounds import policy_rounds
from balance.learning.value_rounds import recording_search, value_rounds
from experiments.benchmarks.script import run_script
from sim import known_word, load_pool, load_ruleset
from sim.play import Table
from sim.play.table import pack_table

POOLS = {
    "plain": [("core", "duel")],
    # Real cards are four times as many as those of saga, and get three times as many games.
    "rich": [*[("hearthstone", "legacy")] * 3, ("saga", "legacy")],
}
"""Pools of each value with the rulesets of their games; each entry gets as many games."""


def _trained_value(tables: list[Table], settings: NetSettings, seed: int) -> ValueNetwork:
    """Train the learned value in rounds, and print each round."""
    networks = list[ValueNetwork]()
    for result in value_rounds(tables, settings, seed):
        networks.append(result.network)
        typer.echo(
            f"value, round {result.number}: {result.n_games:,} games, {result.n_positions:,} "
            f"positions; loss on unseen games {result.loss:.4f}; "
            f"{time.process_time():.0f} CPU s so far"
        )
    return networks[-1]


def main(
    kind: str,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds of the value.")] = 3,
    games: Annotated[int, typer.Option(min=400, help="Games of the value's last round.")] = 60_000,
    lesson_games: Annotated[int, typer.Option(min=400, help="Games of a lesson.")] = 16_000,
    play_rounds: Annotated[int, typer.Option(min=0, help="Rounds of play.")] = 6,
    play_games: Annotated[int, typer.Option(min=400, help="Games of a round.")] = 40_000,
    play_passes: Annotated[int, typer.Option(min=1, help="Passes over these games.")] = 2,
    play_rate: Annotated[float, typer.Option(help="Learning rate of these rounds.")] = 7e-4,
    value: Annotated[Path | None, typer.Option(help="File with a learned value to keep.")] = None,
    done: Annotated[int, typer.Option(min=0, help="Rounds of the policy in that file.")] = 0,
    seed: int = 1,
) -> None:
    """Train the networks of one kind of games."""
    known_word("kind", kind, POOLS)
    tables = [pack_table(load_pool(pool), load_ruleset(rules)) for pool, rules in POOLS[kind]]
    settings = NetSettings(
        rounds=rounds,
        games=games,
        lesson_games=lesson_games,
        play_rounds=play_rounds,
        play_games=play_games,
        play_passes=play_passes,
        play_rate=play_rate,
    )
    kept = load_network(value, ValueNetwork) if value else _trained_value(tables, settings, seed)
    known = [load_network(value, PolicyNetwork)] * done if value else []
    for lesson in policy_rounds(tables, recording_search(kept), settings, seed, known):
        agreement = f"agreement {lesson.agreement:.3f}; " if lesson.agreement is not None else ""
        Path(f"{kind}{SUFFIX}").write_bytes(network_bytes(kept, lesson.network))
        typer.echo(
            f"policy, round {lesson.number}: {lesson.n_games:,} games, {lesson.n_decisions:,} "
            f"decisions; {agreement}{time.process_time():.0f} CPU s so far"
        )


if __name__ == "__main__":
    run_script(main)
