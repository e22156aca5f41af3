"""Estimates of the games and the time of balance runs, before they begin."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from balance.run.card_question import prepare
from balance.run.estimate import RunEstimate, estimate_run
from experiments.experiment import Experiment
from experiments.runs.run import Findings, Run
from experiments.screen import Table, estimate_words

# Stages that only explain a patch to people; the runs of a grid leave them out.
_EXPLAINING_STAGES = {"explain", "edits"}


def show_grid_estimate(
    run: Run, questions: Iterable[tuple[Experiment, float]], truth_games: int
) -> None:
    """Show the expected games and time of all balance runs of a grid, if the screen is watched.

    Args:
        run: the run of the grid.
        questions: experiments to balance, each with its number of runs.
        truth_games: games per matchup of the reference estimate, with which each patch is judged.
    """
    if not run.screen.is_watched:
        return
    n_runs = 0.0
    n_games = 0.0
    seconds = 0.0
    for question, n in questions:
        contest = question.contest()
        estimate = estimate_run(prepare(contest, question.settings))
        # The reference estimate plays the cards before and after the patch.
        added = 2 * truth_games * len(contest.matchups)
        added -= sum(
            stage.n_games for stage in estimate.stages if stage.stage in _EXPLAINING_STAGES
        )
        n_runs = n_runs + n
        n_games = n_games + n * (estimate.n_games + added)
        seconds += n * (estimate.seconds + added * estimate.game_s)
    run.screen.stage(f"expected: {n_runs:.0f} runs, {estimate_words(n_games, seconds)}")


def estimate_findings(estimate: RunEstimate) -> Findings:
    """Return the findings of `evenhand balance --estimate`: the games of each stage, and the time.

    Args:
        estimate: estimate of a balance run.
    """
    wider = []
    if estimate.widened:
        wider = [f"The search may have to widen its limits: {' and '.join(estimate.widened)}."]
    return Findings(
        summary=_estimate_summary(estimate),
        shown=[
            f"Expected: {estimate_words(estimate.n_games, estimate.seconds)}",
            *wider,
            _estimate_table(estimate),
        ],
    )


def _estimate_summary(estimate: RunEstimate) -> dict[str, Any]:
    """Return the summary of an estimate: the games of each stage, and the total games and time."""
    return {
        "command": "estimate",
        "stages": [stage._asdict() for stage in estimate.stages],
        "n_games": estimate.n_games,
        "most": estimate.most,
        "widened": list(estimate.widened),
        "seconds": round(estimate.seconds, 1),
        "game_s": estimate.game_s,
    }


def _estimate_table(estimate: RunEstimate) -> Table:
    """Return a table of the expected and the maximum number of games of each stage."""
    rows = [(stage.stage, f"{stage.n_games:,}", f"{stage.most:,}") for stage in estimate.stages]
    return Table(
        "Games of each stage, all matchups together; the maximum holds unless more has to be "
        "widened",
        ("stage", "games", "at most"),
        [*rows, ("all", f"{estimate.n_games:,}", f"{estimate.most:,}")],
    )
