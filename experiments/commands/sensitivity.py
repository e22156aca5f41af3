"""`evenhand sensitivity`: effect of one step of each number on every matchup."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from balance import Contest, Parameter, build_space, measure_levers
from balance.space.search_space import SearchSpace
from experiments import plots
from experiments.agents import check_contest
from experiments.cli.options import ExperimentName
from experiments.cli.session import MEASURING, Session, Work, session_command
from experiments.commands.pilots import with_pilots_named
from experiments.results.sensitivity import SensitivityRow
from experiments.runs.run import Findings, Run, RunOf
from experiments.screen import Shown, Table, points
from sim import entry
from sim.simulator.block import Value

# Numbers on the screen: as many as fit with the rest on one page of a terminal.
_SHOWN_MAX = 20


@session_command(*MEASURING, "agent", "games")
def sensitivity(session: Session, experiment: ExperimentName) -> Work:
    """Measure how much one step of each number changes the win rates.

    Each number that may change is moved alone, one step down and one step up, on equal game seeds.
    """
    work = with_pilots_named(run_sensitivity)
    return partial(session.run, "sensitivity", experiment, check_contest, work, stage="lever")


def run_sensitivity(run: Run) -> Findings:
    """Measure the sensitivities of an experiment with cards, and return a table of them."""
    contest = run.experiment.contest()
    settings = run.experiment.settings
    space = build_space(contest, settings.tune)
    return _findings(run, contest, space, settings.games.lever)


def run_contest_sensitivity(run: RunOf[Any]) -> Findings:
    """Measure the sensitivities of a game without cards, and return a table of them."""
    experiment = run.experiment
    return _findings(run, experiment.contest(), experiment.space(), experiment.settings.games.lever)


def _findings(run: RunOf[Any], contest: Contest, space: SearchSpace, n_games: int) -> Findings:
    """Play each number one step down and one step up, and return the findings.

    Args:
        run: run of the command.
        contest: players and matchups.
        space: numbers that may change.
        n_games: games per matchup of each of the two steps.
    """
    seed = run.experiment.settings.seed
    n_played = 2 * len(space.genes) * n_games * contest.n_tables
    run.screen.stage(f"moving {len(space.genes)} numbers, {n_played:,} games")
    levers = measure_levers(contest, space, n_games=n_games, run_seed=seed)
    rows = []
    for k, gene in enumerate(space.genes):
        number = contest.parameter(gene)
        scale = number.scale
        rows += [
            SensitivityRow(
                number.owner,
                number.field,
                scale.value(number.value),
                _step_of(number),
                contest.matchup_name(matchup),
                levers.slope.at(k, m).times(100),
                n_games,
            )
            for m, matchup in enumerate(contest.matchups)
        ]
    largest = _largest(rows, len(contest.matchups))[:_SHOWN_MAX]
    name = run.experiment.settings.name
    return Findings(
        summary={
            "command": "sensitivity",
            "seed": seed,
            "numbers": [entry(row) for row in rows],
            "n": n_played,
        },
        tables={"sensitivity.csv": (SensitivityRow, rows)},
        figures={
            "sensitivity.png": lambda: plots.sensitivity_plot(largest, title=f"{name}: sensitivity")
        },
        shown=_shown(largest, len(space.genes) - len(largest)),
    )


def _step_of(number: Parameter) -> Value:
    """Return the distance to the next value of a number, or the next word."""
    scale = number.scale
    if not scale.choices:
        return scale.step_value
    last = len(scale.choices) - 1
    first, second = (scale.value(min(number.value, last - 1) + k) for k in (0, 1))
    return f"{first} -> {second}"


def _largest(rows: Sequence[SensitivityRow], n_matchups: int) -> list[SensitivityRow]:
    """Return the row of the most affected matchup of each number, by decreasing effect.

    Args:
        rows: rows of all numbers, `n_matchups` of each.
        n_matchups: number of matchups.
    """
    by_number = [rows[first : first + n_matchups] for first in range(0, len(rows), n_matchups)]
    return sorted(
        (max(own, key=lambda row: row.size) for own in by_number),
        key=lambda row: row.size,
        reverse=True,
    )


def _shown(largest: Sequence[SensitivityRow], n_rest: int) -> list[Shown]:
    """Return a table of the numbers with the largest effects, each with its most affected matchup.

    Args:
        largest: rows to show, by decreasing effect.
        n_rest: number of numbers that are not shown.
    """
    table = Table(
        "Change of a win rate per step of each number, in the matchup with the largest change, in "
        "percentage points: mean of one step down and one step up (± half of the 95 % interval; "
        f"{largest[0].n:,} games per matchup of each step, on equal seeds)",
        ("number", "today", "one step", "matchup", "change, pp"),
        [
            (
                row.number,
                str(row.today),
                str(row.step),
                row.matchup,
                points(row.effect.times(0.01)),
            )
            for row in largest
        ],
    )
    rest = [f"and {n_rest} more, in sensitivity.csv"] if n_rest else []
    return [
        table,
        *rest,
        "The largest of many effects looks larger than it is; each interval holds for itself.",
    ]
