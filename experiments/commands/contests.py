"""Commands that need nothing of a game but its contest: matchups and balance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, NamedTuple, Protocol

from balance import CONFIDENCE, BalanceSettings, Contest, Demands, Edit, Interval
from balance.contest.readings import Readings
from balance.run.question import play_today, question_of
from balance.search.methods import check_search, most_rounds
from balance.space.search_space import SearchSpace
from balance.statistics.intervals import paired_mean
from balance.verdict.first_seat import FirstSeat
from experiments.commands.found_patch import balance_summary, patch_findings, search_in
from experiments.commands.second_opinion import without_opinion
from experiments.contest_experiment import ContestExperiment
from experiments.game import AnyExperiment
from experiments.runs.ledger import Attempt
from experiments.runs.run import Findings, RunOf
from experiments.screen import (
    Shown,
    Table,
    demand_entries,
    legend_of,
    marked,
    percent,
    wanted_words,
)
from experiments.screen.first_seat_words import first_seat_words
from sim import entry


class Balanceable(AnyExperiment, Protocol):
    """Interface of an experiment that can be balanced by its contest alone."""

    @property
    def rates(self) -> str:
        """Name of the rates in titles of tables."""

    @property
    def no_opinion(self) -> str:
        """Sentence on why no other pilots play a patch."""

    def contest(self) -> Contest:
        """Return the contest with the baseline numbers."""

    def space(self) -> SearchSpace:
        """Return the search space of the numbers that may change."""

    def balance_settings(self) -> BalanceSettings:
        """Return the settings for the balancing stages."""

    def attempt(self) -> Attempt:
        """Return the certification attempt, for the ledger."""

    def write_patched(self, patch: Sequence[Edit], folder: Path) -> None:
        """Write the experiment with a patch into a folder."""


class RateRow(NamedTuple):
    """Row of `matchups.csv`: the rate of a matchup, or of another demand.

    Attributes:
        rate: name of the matchup or the demand.
        win_rate: share of points, as an estimate with its interval.
        least: lower bound of the rate.
        most: upper bound of the rate.
        verdict: whether the interval is inside the bounds.
        n: number of games per matchup.
    """

    rate: str
    win_rate: Annotated[Interval, ("win_rate", "low", "high")]
    least: float
    most: float
    verdict: str
    n: int


def run_matchups(run: RunOf[ContestExperiment]) -> Findings:
    """Play all matchups, and return the rates of the matchups and of the other demands."""
    experiment = run.experiment
    contest = experiment.contest()
    settings = experiment.measuring_settings()
    readings = play_today(contest, settings)
    demands = settings.demands_in(contest).with_matchups(contest.matchup_names)
    rates = demands.read(readings, CONFIDENCE).at(0)
    rows = rate_rows(demands, rates, readings.n_games)
    seat = _first_seat(experiment, readings)
    summary = {
        "command": "matchups",
        "seed": settings.seed,
        "game": experiment.settings.game,
        "matchups": [entry(row) for row in rows[: len(contest.matchups)]],
        "demands": demand_entries(demands, rates),
        "n": readings.n_games * contest.n_tables,
    }
    shown = _shown(f"{experiment.rates} over {readings.n_games:,} games", rows)
    if seat is not None:
        summary["first_seat"] = seat.as_entry()
        shown.append(f"First seat over all matchups: {first_seat_words(seat)}, n = {seat.n:,}")
    return Findings(summary=summary, tables={"matchups.csv": (RateRow, rows)}, shown=shown)


def _first_seat(experiment: ContestExperiment, readings: Readings) -> FirstSeat | None:
    """Return the win rate of the first seat over all matchups; `None` if it is not measured."""
    bounds = experiment.first_seat_bounds
    if bounds is None or readings.first_seat_by_seed() is None:
        return None
    rate = paired_mean(readings.first_seat_over_matchups()[0])
    return FirstSeat(rate, *bounds, readings.n_games * readings.points.shape[1])


def rate_rows(demands: Demands, rates: Interval, n_games: int) -> list[RateRow]:
    """Return the rows of demanded rates.

    Args:
        demands: demands, with the matchups first.
        rates: rate of each demand.
        n_games: games per matchup.
    """
    verdicts = demands.verdicts(rates)
    bounds = demands.bounds.T.tolist()
    return [
        RateRow(name, rates.at(n), least, most, verdicts[n], n_games)
        for n, (name, (least, most)) in enumerate(zip(demands.names, bounds, strict=True))
    ]


def _shown(title: str, rows: Sequence[RateRow]) -> list[Shown]:
    """Return a table of rates, and a legend if rates have marks such as `OUT`."""
    table = Table(
        f"{title}, % (± half of the 95 % interval)",
        ("rate", "target", "win rate, %"),
        [
            (
                row.rate,
                wanted_words(row.least, row.most),
                marked(percent(row.win_rate), row.verdict),
            )
            for row in rows
        ],
    )
    return [table, *legend_of(row.verdict for row in rows)]


def run_balance(run: RunOf[Any]) -> Findings:
    """Search for a patch of an experiment, certify it, and return the findings.

    The patched experiment is written into the run folder.

    Args:
        run: run on an experiment with the interface `Balanceable`.
    """
    experiment: Balanceable = run.experiment
    settings = experiment.balance_settings()
    question = question_of(experiment.contest(), settings, experiment.space())
    with run.screen.progress("balance", most_rounds(settings.search)) as advance:
        result = search_in(run, question, experiment.attempt(), advance)
    experiment.write_patched(result.patch, run.folder.path)
    opinion = without_opinion(experiment.no_opinion)
    findings = patch_findings(experiment, result, opinion=opinion, rates=experiment.rates)
    return replace(findings, summary=balance_summary(run, result, opinion))


def check_balance(experiment: Balanceable) -> None:
    """Check that an experiment can be balanced, before any game is played.

    Raises:
        InputError: no number may change, or the settings of the search are not permitted.
    """
    experiment.space()
    check_search(experiment.balance_settings().search)
