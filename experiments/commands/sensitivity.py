"""`evenhand sensitivity`: effect of one step of each number on every matchup."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any, NamedTuple

from balance import Contest, Interval, build_space, measure_levers
from balance.space.search_space import SearchSpace
from experiments.agents import check_contest
from experiments.cli.options import ExperimentName
from experiments.cli.session import MEASURING, Session, Work, session_command
from experiments.commands.pilots import with_pilots_named
from experiments.runs.run import Findings, Run, RunOf
from experiments.screen import Shown, Table, points
from sim import entry
from sim.simulator.block import Value

# Numbers on the screen: as many as fit with the rest on one page of a terminal.
_SHOWN_MAX = 20


class SensitivityRow(NamedTuple):
    """Row of `sensitivity.csv`: effect of one step of a number on a matchup.

    Attributes:
        owner: owner of the number, such as a card's id.
        field: name of the number.
        today: baseline value.
        step: distance from one value to the next; 1 for steps from word to word.
        matchup: name of the matchup.
        effect: change of the first player's win rate by one step up, in percentage points.
        n: games per matchup with the number moved down, and as many with the number moved up.
    """

    owner: str
    field: str
    today: Value
    step: Value
    matchup: str
    effect: Annotated[Interval, ("pp_per_step", "low_pp", "high_pp")]
    n: int


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
    run.screen.stage(f"moving {len(space.genes)} numbers")
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
                scale.step_value,
                contest.matchup_name(matchup),
                levers.slope.at(k, m).times(100),
                n_games,
            )
            for m, matchup in enumerate(contest.matchups)
        ]
    n_played = 2 * len(space.genes) * n_games * contest.n_tables
    return Findings(
        summary={
            "command": "sensitivity",
            "seed": seed,
            "numbers": [entry(row) for row in rows],
            "n": n_played,
        },
        tables={"sensitivity.csv": (SensitivityRow, rows)},
        shown=_shown(rows, len(contest.matchups)),
    )


def _shown(rows: Sequence[SensitivityRow], n_matchups: int) -> list[Shown]:
    """Return a table of the numbers with the largest effects, each with its most affected matchup.

    Args:
        rows: rows of all numbers, `n_matchups` of each.
        n_matchups: number of matchups.
    """
    by_number = [rows[first : first + n_matchups] for first in range(0, len(rows), n_matchups)]
    largest = [max(own, key=_size) for own in by_number]
    ranked = sorted(largest, key=_size, reverse=True)
    n = rows[0].n
    table = Table(
        "Largest change of a win rate by one step up of each number, in percentage points (± half "
        f"of the 95 % interval; {n:,} games per matchup of each step, on equal seeds)",
        ("number", "today", "one step", "matchup", "change, pp"),
        [
            (
                f"{row.owner}.{row.field}",
                str(row.today),
                str(row.step),
                row.matchup,
                points(row.effect.times(0.01)),
            )
            for row in ranked[:_SHOWN_MAX]
        ],
    )
    n_rest = len(ranked) - _SHOWN_MAX
    rest = [f"and {n_rest} more, in sensitivity.csv"] if n_rest > 0 else []
    return [
        table,
        *rest,
        "The largest of many effects looks larger than it is; each interval holds for itself.",
    ]


def _size(row: SensitivityRow) -> float:
    """Return the absolute value of an effect, in percentage points."""
    return abs(float(row.effect.estimate))
