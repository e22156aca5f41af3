"""Which pilot `evenhand init` should choose: how far patches are off in the hands of others.

Each game is made by a seed (`made_games`), written by `evenhand init` with all its defaults, and
balanced once by each way of `--by`: `own` is aggro for the quickest deck and control for the
others, else an agent pilots all decks, in so many games if `=TOTAL` follows. Then others play each
patch and today's cards, in games that no search saw; what is printed is the farthest matchup from
its target, and the CPU seconds of the balance.

    python -m experiments.benchmarks.default_pilots --first 0 --games 6 --seed 20261126
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
import typer

from agents.registry import agent_named
from balance.card_space import build_space
from balance.pipeline import BalanceRun, run_balance
from balance.statistics.intervals import Interval, rate_over_seeds
from experiments.benchmarks.made_games import sheet_of_game
from experiments.benchmarks.script import run_script
from experiments.commands.init import run_init
from experiments.experiment import Experiment
from experiments.loading import load_experiment
from sim import validate
from sim.play.packing import plays_plain_games

PURPOSE = "default_pilots"
OWN = "own"
NOTHING = "nothing"
BALANCERS = "own,greedy,light"
JUDGES = "own,greedy,light,turn:200,rollout:16"
# Games per matchup: as many as cost some ten seconds a patch in plain games.
_GAMES_OF_SCRIPTS = 4_000
_GAMES_OF_SEARCHES = {"light": 2_000, "turn:200": 800, "rollout:16": 400}
_GAMES_OF_OTHER_SEARCHES = 400
_SHARE_WITH_RICH_RULES = 0.25  # where a search takes some five times as long


class Reading(NamedTuple):
    """How far the farthest matchup is from 50 % in one pilot's hands.

    Attributes:
        judge: who played.
        worst_pp: distance of that matchup.
        half_pp: half of its 95 % interval.
        first_seat: share of games that the first seat won, of all matchups.
    """

    judge: str
    worst_pp: float
    half_pp: float
    first_seat: float


def made_game(folder: Path, seed: int, index: int) -> Path:
    """The experiment file of a game, in a new folder, by `evenhand init` and its defaults."""
    sheet = folder / f"game_{index}.csv"
    sheet.write_text(sheet_of_game(seed, index), encoding="utf-8")
    run_init(folder / f"game_{index}", sheet, None)
    return folder / f"game_{index}" / "game.toml"


def in_the_hands_of(path: Path, pilot: str) -> Experiment:
    """The experiment with all decks piloted by one agent, or by scripts that fit each deck."""
    if pilot != OWN:
        return load_experiment(str(path), agent=pilot)
    experiment = load_experiment(str(path))
    quickest = int(np.argmin([deck.mean_cost(experiment.pool) for deck in experiment.decks]))
    agents = tuple(
        agent_named("aggro" if k == quickest else "control") for k in range(len(experiment.decks))
    )
    entries = tuple(
        entry.model_copy(update={"agent": agent.name})
        for entry, agent in zip(experiment.settings.players, agents, strict=True)
    )
    return replace(experiment.with_settings(players=entries), agents=agents)


def balanced(experiment: Experiment, total: int | None) -> tuple[BalanceRun, float]:
    """The patch that a search finds, and the CPU seconds that it took."""
    settings = experiment.settings
    if total is not None:
        told = {**settings.games.model_dump(exclude_unset=True), "total": total}
        games = validate(type(settings.games), told, source="--by")
        settings = settings.model_copy(update={"games": games})
    began_s = time.process_time()
    found = run_balance(experiment.contest(), settings, threads=1, explains=False)
    return found, time.process_time() - began_s


def readings(
    experiment: Experiment, judges: Sequence[str], patch: BalanceRun | None, *, run_seed: int
) -> Iterator[Reading]:
    """What each judge makes of a patch, or of today's cards.

    Args:
        experiment: the game.
        judges: agents, or `own`.
        patch: what was found; today's cards without.
        run_seed: of the judges' games.
    """
    space = build_space(experiment.contest(), experiment.settings.tune)
    genes = space.genes if patch is None else patch.evaluator.space.genes
    steps = np.zeros(len(genes), np.int16) if patch is None else patch.selection.genome
    for judge in judges:
        judged = in_the_hands_of(experiment.path, judge)
        played = judged.contest().play(
            steps[np.newaxis],
            genes,
            n_games=_games_of(judge, judged),
            run_seed=run_seed,
            purpose=PURPOSE,
            threads=1,
        )
        rates = rate_over_seeds(played.rates_by_seed(0))
        first_seat = float(played.first_seat_by_seed()[0].mean())
        yield Reading(judge, *_worst(rates), first_seat)


def _games_of(judge: str, experiment: Experiment) -> int:
    """Games per matchup, even."""
    if not any(getattr(agent, "searches", False) for agent in experiment.agents):
        return _GAMES_OF_SCRIPTS
    n_games = _GAMES_OF_SEARCHES.get(judge, _GAMES_OF_OTHER_SEARCHES)
    if not plays_plain_games(experiment.pool, experiment.ruleset):
        n_games = int(n_games * _SHARE_WITH_RICH_RULES)
    return n_games // 2 * 2


def _worst(rates: Interval) -> tuple[float, float]:
    """The largest distance from 50 %, and half of its interval, in percentage points."""
    off = np.abs(rates.estimate - 0.5)
    k = int(np.argmax(off))
    return 100 * float(off[k]), 50 * float(rates.high[k] - rates.low[k])


def main(
    first: Annotated[int, typer.Option(help="Index of the first game.")] = 0,
    games: Annotated[int, typer.Option(help="How many games.")] = 6,
    seed: Annotated[int, typer.Option(help="Of the games; runs and judges have their own.")] = 1,
    by: Annotated[str, typer.Option(help="Who balances: names, each perhaps with =TOTAL.")] = (
        BALANCERS
    ),
    judges: Annotated[str, typer.Option(help="Who plays the patches.")] = JUDGES,
) -> None:
    """Balance made games by several pilots, and print how far patches are off by others."""
    names = judges.split(",")
    typer.echo(f"game balanced by | verdict, cards, steps, games, CPU s | {' | '.join(names)}")
    with tempfile.TemporaryDirectory() as folder:
        for index in range(first, first + games):
            path = made_game(Path(folder), seed, index)
            for balancer in (NOTHING, *by.split(",")):
                typer.echo(f"{index} {_line(path, balancer, names)}")


def _line(path: Path, balancer: str, judges: Sequence[str]) -> str:
    """One row of the table: a game balanced one way, by all judges."""
    pilot, _, total = balancer.partition("=")
    found = None
    said = "-"
    experiment = in_the_hands_of(path, OWN if pilot == NOTHING else pilot)
    if pilot != NOTHING:
        found, cpu_s = balanced(experiment, int(total) if total else None)
        said = _said(found, cpu_s)
    cells = [
        f"{one.worst_pp:.1f} ±{one.half_pp:.1f} ({100 * one.first_seat:.0f})"
        for one in readings(experiment, judges, found, run_seed=2)
    ]
    return f"{balancer} | {said} | {' | '.join(cells)}"


def _said(found: BalanceRun, cpu_s: float) -> str:
    scores = found.selection.scores
    chosen = found.selection.recommended
    verdict = "certified" if found.certificate.certified else "not certified"
    n_inside = int(found.certificate.inside.sum())
    return (
        f"{verdict} ({n_inside} of {len(found.certificate.inside)} inside), "
        f"{int(scores.cards_touched[chosen])} cards, "
        f"{int(np.abs(found.selection.genome).sum())} steps, "
        f"{int(found.state.history[-1, 0]):,} search games, {cpu_s:.0f} s"
    )


if __name__ == "__main__":
    run_script(main)
