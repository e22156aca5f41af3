"""`evenhand balance --estimate`: how many games runs may take, and how long, before any of them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from balance.estimate import RunEstimate, estimate_run
from experiments.commands.balance import check_stages
from experiments.experiment import Experiment
from experiments.files.option_errors import OptionError
from experiments.game import game_of
from experiments.loading import load_experiment
from experiments.runs.run import Findings, Run
from experiments.screen.console import Screen, Table
from experiments.screen.wording import estimate_words
from sim.errors import blaming

_TOLD_TO_PEOPLE = {"explain", "edits"}  # stages that a grid goes without


def estimate_balance(
    screen: Screen,
    *,
    name: str,
    results: Path,
    seed: int | None,
    preset: str | None,
    threads: int | None,
) -> Findings:
    """What a balance run of an experiment may take; leaves nothing in `results`."""
    if (game := game_of(name)[1]) is not None:
        raise OptionError("estimate", f"is not told for the game {game.name!r}")
    experiment = load_experiment(name, results, preset=preset).with_seed(seed)
    with blaming(experiment.path):
        experiment = check_stages(experiment, results)
    screen.stage("playing a few games to tell how long they take")
    found = estimate_run(experiment.contest(), experiment.settings, threads=threads)
    wider = [f"It may have to widen: {' and '.join(found.widened)}."] if found.widened else []
    return Findings(
        summary=_summary(found),
        shown=[f"Expected: {estimate_words(found.n_games, found.seconds)}", *wider, _table(found)],
    )


def tell_runs(run: Run, asked: Iterable[tuple[Experiment, float]], truth_games: int) -> None:
    """Tell whoever watches what the balance runs of a grid may take.

    Args:
        run: of the grid.
        asked: questions, and how many runs there are of each.
        truth_games: per matchup, that tell the truth of each.
    """
    if not run.screen.is_watched:
        return
    n_runs, n_games, seconds = 0.0, 0.0, 0.0
    for question, n in asked:
        contest = question.contest()
        found = estimate_run(contest, question.settings, threads=run.threads)
        of_truth = 2 * truth_games * len(contest.matchups)
        less = sum(stage.n_games for stage in found.stages if stage.stage in _TOLD_TO_PEOPLE)
        n_runs, n_games = n_runs + n, n_games + n * (found.n_games + of_truth - less)
        seconds += n * (found.seconds + (of_truth - less) * found.game_s)
    run.screen.stage(f"expected: {n_runs:.0f} runs, {estimate_words(n_games, seconds)}")


def _summary(found: RunEstimate) -> dict[str, Any]:
    return {
        "command": "estimate",
        "stages": [stage._asdict() for stage in found.stages],
        "n_games": found.n_games,
        "most": found.most,
        "widened": list(found.widened),
        "seconds": round(found.seconds, 1),
        "game_s": found.game_s,
    }


def _table(found: RunEstimate) -> Table:
    rows = [(stage.stage, f"{stage.n_games:,}", f"{stage.most:,}") for stage in found.stages]
    return Table(
        "Games of each stage, all matchups together; at most, if nothing else has to be widened",
        ("stage", "games", "at most"),
        [*rows, ("all", f"{found.n_games:,}", f"{found.most:,}")],
    )
