"""Comparison of pilots for `evenhand init`: the imbalance of their patches with other pilots.

Each game is generated from a seed (`made_games`), written by `evenhand init` with all defaults, and
balanced once with each pilot of `--by`. The pilot `own` is aggro for the deck with the lowest mean
cost and control for the others; every other pilot plays all decks. `=TOTAL` after a pilot sets the
number of games. Then the agents of `--judges` play each patch and the baseline cards, in games that
no search used. The script prints the largest distance of a matchup from its target, and the CPU
seconds of the balance run.

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
from balance import BalanceRun, run_balance
from balance.cards.card_space import build_space
from balance.run.context import RunContext
from balance.statistics.intervals import Interval, rate_over_seeds
from experiments.benchmarks.made_games import sheet_of_game
from experiments.benchmarks.script import run_script
from experiments.commands.init import run_init
from experiments.experiment import Experiment
from experiments.loading import load_experiment
from sim import validate
from sim.play import using_threads
from sim.play.packing import plays_plain_games

PURPOSE = "default_pilots"
OWN = "own"
NOTHING = "nothing"
BALANCERS = "own,greedy,light"
JUDGES = "own,greedy,light,turn:200,rollout:16"
# Games per matchup, chosen so that a patch takes about ten seconds in plain games.
_GAMES_OF_SCRIPTS = 4_000
_GAMES_OF_SEARCHES = {"light": 2_000, "turn:200": 800, "rollout:16": 400}
_GAMES_OF_OTHER_SEARCHES = 400  # as few as for the slowest of these searches
# Share of these games that is played with general rules, where searches take five times as long.
_SHARE_WITH_RICH_RULES = 0.25


class Reading(NamedTuple):
    """Largest distance of a matchup from 50 % when one pilot plays all matchups.

    Attributes:
        judge: name of the pilot.
        worst_pp: largest distance of a win rate from 50 %, in percentage points.
        half_pp: half width of the 95 % interval of this win rate, in percentage points.
        first_seat: share of the games that the first seat won, in the mean of all matchups.
    """

    judge: str
    worst_pp: float
    half_pp: float
    first_seat: float


def made_game(folder: Path, seed: int, index: int) -> Path:
    """Write a generated game with the defaults of `evenhand init`; return its experiment file.

    Args:
        folder: folder in which the sheet and the folder of the game are written.
        seed: seed of all generated games.
        index: number of the game.
    """
    sheet = folder / f"game_{index}.csv"
    sheet.write_text(sheet_of_game(seed, index), encoding="utf-8")
    run_init(folder / f"game_{index}", sheet, None)
    return folder / f"game_{index}" / "game.toml"


def with_pilot(path: Path, pilot: str) -> Experiment:
    """Return the experiment in a file, with other agents.

    Args:
        path: path of the experiment file.
        pilot: name of the agent for all decks; `own` for aggro with the deck of the lowest mean
            cost and control with the others.
    """
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


def balance_experiment(experiment: Experiment, total: int | None) -> tuple[BalanceRun, float]:
    """Balance an experiment with one thread, and return the run and its CPU time in seconds.

    Args:
        experiment: experiment with its pilots.
        total: total number of games; `None` for that of the experiment.
    """
    settings = experiment.settings
    if total is not None:
        changed = {**settings.games.model_dump(exclude_unset=True), "total": total}
        games = validate(type(settings.games), changed, source="--by")
        settings = settings.model_copy(update={"games": games})
    began_s = time.process_time()
    with using_threads(1):
        run = run_balance(experiment.contest(), settings, RunContext(explains=False))
    return run, time.process_time() - began_s


def readings(
    experiment: Experiment, judges: Sequence[str], patch: BalanceRun | None, *, run_seed: int
) -> Iterator[Reading]:
    """Yield each judge's largest distance of a win rate from 50 %, with a patch or the baseline.

    Args:
        experiment: experiment with the cards and decks.
        judges: names of the agents that play the games; see `with_pilot`.
        patch: run that found the patch; `None` for the baseline cards.
        run_seed: seed of the judges' games.
    """
    space = build_space(experiment.contest(), experiment.settings.tune)
    genes = space.genes if patch is None else patch.evaluator.space.genes
    steps = np.zeros(len(genes), np.int16) if patch is None else patch.selection.genome
    for judge in judges:
        judged = with_pilot(experiment.path, judge)
        played = judged.contest().play(
            steps[np.newaxis],
            genes,
            n_games=_games_of(judge, judged),
            run_seed=run_seed,
            purpose=PURPOSE,
        )
        rates = rate_over_seeds(played.rates_by_seed(0))
        first_seat = float(played.first_seat_by_seed()[0].mean())
        yield Reading(judge, *_worst(rates), first_seat)


def _games_of(judge: str, experiment: Experiment) -> int:
    """Return the number of games per matchup for a judge, an even number.

    Searching agents play fewer games than scripted agents, and fewer still by the general rules.
    """
    if not any(getattr(agent, "searches", False) for agent in experiment.agents):
        return _GAMES_OF_SCRIPTS
    n_games = _GAMES_OF_SEARCHES.get(judge, _GAMES_OF_OTHER_SEARCHES)
    if not plays_plain_games(experiment.pool, experiment.ruleset):
        n_games = int(n_games * _SHARE_WITH_RICH_RULES)
    return n_games // 2 * 2


def _worst(rates: Interval) -> tuple[float, float]:
    """Return the largest distance of a rate from 50 % and half the width of its interval, in pp."""
    off = np.abs(rates.estimate - 0.5)
    k = int(np.argmax(off))
    return 100 * float(off[k]), 50 * float(rates.high[k] - rates.low[k])


def main(
    first: Annotated[int, typer.Option(help="Index of the first game.")] = 0,
    games: Annotated[int, typer.Option(help="Number of made games.")] = 6,
    seed: Annotated[
        int, typer.Option(help="Seed of the made games; runs and judges have their own.")
    ] = 1,
    by: Annotated[
        str, typer.Option(help="Pilots that balance: names, optionally with =TOTAL games.")
    ] = BALANCERS,
    judges: Annotated[str, typer.Option(help="Pilots that play the patches.")] = JUDGES,
) -> None:
    """Balance generated games with several pilots; print the patches' imbalance with others."""
    names = judges.split(",")
    typer.echo(f"game balanced by | verdict, cards, steps, games, CPU s | {' | '.join(names)}")
    with tempfile.TemporaryDirectory() as folder:
        for index in range(first, first + games):
            path = made_game(Path(folder), seed, index)
            for balancer in (NOTHING, *by.split(",")):
                typer.echo(f"{index} {_line(path, balancer, names)}")


def _line(path: Path, balancer: str, judges: Sequence[str]) -> str:
    """Balance a game with one pilot, measure it with all judges, and return a row of the table.

    Args:
        path: path of the experiment file.
        balancer: name of the pilot, optionally with `=TOTAL`; `nothing` for the baseline cards.
        judges: names of the agents that measure.
    """
    pilot, _, total = balancer.partition("=")
    run = None
    verdict = "-"
    experiment = with_pilot(path, OWN if pilot == NOTHING else pilot)
    if pilot != NOTHING:
        run, cpu_s = balance_experiment(experiment, int(total) if total else None)
        verdict = _verdict_words(run, cpu_s)
    cells = [
        f"{reading.worst_pp:.1f} ±{reading.half_pp:.1f} ({100 * reading.first_seat:.0f})"
        for reading in readings(experiment, judges, run, run_seed=2)
    ]
    return f"{balancer} | {verdict} | {' | '.join(cells)}"


def _verdict_words(run: BalanceRun, cpu_s: float) -> str:
    """Return the verdict, the size of the patch and the cost of a balance run, in words."""
    verdict = "certified" if run.certificate.certified else "not certified"
    n_inside = int(run.certificate.inside.sum())
    return (
        f"{verdict} ({n_inside} of {len(run.certificate.inside)} inside), "
        f"{run.cards_touched} cards, "
        f"{int(np.abs(run.selection.genome).sum())} steps, "
        f"{int(run.state.history[-1, 0]):,} search games, {cpu_s:.0f} s"
    )


if __name__ == "__main__":
    run_script(main)
