"""Rows of the tables of a balance run: search, rates by stage, and guards."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from balance.contest.demands import Demands
from balance.contest.readings import Readings
from balance.search.evolutionary_search import SearchState
from balance.search.selection import Selection
from balance.statistics.intervals import CONFIDENCE, Interval
from balance.verdict.certificate import Certificate


class ConvergenceRow(NamedTuple):
    """A generation of a search: its best patch and the front so far.

    Attributes:
        generation: number of the generation, from 0.
        games: number of games of the search up to and including this generation.
        imbalance_pp: imbalance of the best patch in the games of the search, in percentage points.
        mean_imbalance_pp: mean distance of the demands from their aims with the best patch, in
            percentage points.
        change: size of the best patch in weighted steps.
        genomes_seen: number of candidates evaluated so far.
        hypervolume: hypervolume of the front so far, as a fraction of the maximum.
    """

    generation: int
    games: float
    imbalance_pp: float
    mean_imbalance_pp: float
    change: float
    genomes_seen: float
    hypervolume: Interval


class Stage(NamedTuple):
    """A win rate in the games of one stage of a balance run.

    Attributes:
        rate: win rate as a fraction, with its interval.
        confidence: confidence level of the interval.
        n: number of games per matchup.
    """

    rate: Annotated[Interval, ("win_rate", "low", "high")]
    confidence: float
    n: int


class StageRow(NamedTuple):
    """A win rate at the baseline, and with the recommended patch in each stage.

    Attributes:
        matchup: name of the demand: a matchup, a player against the field, or the first seat.
        least: lower bound of the win rate, as a fraction.
        most: upper bound of the win rate, as a fraction.
        today: win rate at the baseline in the games of the certificate.
        claimed: win rate with the patch in the games of the search.
        selected: win rate with the patch in the games of the selection.
        certified: win rate with the patch in the games of the certificate.
        inside: whether the interval of `certified` is inside the bounds.
        verdict: band verdict on `certified`; empty in tables of earlier versions.
    """

    matchup: str
    least: float
    most: float
    today: Stage
    claimed: Stage
    selected: Stage
    certified: Stage
    inside: bool
    verdict: str = ""  # plain text instead of `BandVerdict`, since rows are also read from tables


class GuardRow(NamedTuple):
    """Readings and verdict of a guard in the games of the certificate.

    Attributes:
        guard: name of the guard.
        unit: unit of the readings.
        before: reading at the baseline.
        after: reading with the patch.
        least: minimum permitted reading.
        most: maximum permitted reading.
        n: number of games, all matchups together.
        holds: whether the guard is verified.
        estimate: estimate of the quantity that the limit bounds.
        bound: one-sided confidence bound of the quantity that the limit bounds.
        limit: limit of the guard, as in `[guards]`.
        confidence: confidence level of `bound`.
        passing_limit: smallest round limit that these games would verify; `None` in tables of
            earlier versions.
    """

    guard: str
    unit: str
    before: Interval
    after: Interval
    least: float
    most: float
    n: int
    holds: bool
    estimate: float
    bound: float
    limit: float
    confidence: float
    passing_limit: float | None = None


def convergence_rows(state: SearchState, hypervolume: Interval) -> list[ConvergenceRow]:
    """Return one row per generation of a search, in order.

    Args:
        state: final state of the search.
        hypervolume: hypervolume of the front after each generation.
    """
    return [
        ConvergenceRow._make([k, *record, hypervolume.at(k)])
        for k, record in enumerate(state.history.tolist())
    ]


def stage_rows(
    shown: Demands, selection: Selection, certificate: Certificate, certified: Readings
) -> list[StageRow]:
    """Return one row per reported rate.

    Args:
        shown: reported rates, demanded or not.
        selection: patches that were evaluated again.
        certificate: certificate of the recommended patch.
        certified: games of the certificate; the first variant is the patch, the last the baseline.
    """
    chosen = selection.recommended
    in_search = int(selection.claimed_n[chosen])
    claimed = shown.estimate(selection.claimed[chosen], in_search, CONFIDENCE)
    in_selection = int(selection.n_games[chosen])
    selected = shown.estimate(selection.rates[chosen], in_selection, CONFIDENCE)
    readings = shown.read(certified, certificate.confidence)
    after = readings.at(0)
    before = readings.at(-1)
    verdicts = shown.verdicts(after)
    n_claimed, n_selected, n_certified = (
        shown.games_of(games).tolist() for games in (in_search, in_selection, certificate.n_games)
    )
    return [
        StageRow(
            name,
            float(least),
            float(most),
            Stage(before.at(k), certificate.confidence, n_certified[k]),
            Stage(claimed.at(k), CONFIDENCE, n_claimed[k]),
            Stage(selected.at(k), CONFIDENCE, n_selected[k]),
            Stage(after.at(k), certificate.confidence, n_certified[k]),
            verdicts[k] == "inside",
            verdicts[k],
        )
        for k, (name, (least, most)) in enumerate(zip(shown.names, shown.bounds.T, strict=True))
    ]


def guard_rows(certificate: Certificate, n_matchups: int) -> list[GuardRow]:
    """Return one row per guard that a certificate measured.

    Args:
        certificate: certificate of the recommended patch.
        n_matchups: number of matchups of the contest.
    """
    return [
        GuardRow(
            guard.name,
            guard.reading_unit,
            guard.before,
            guard.after,
            guard.low,
            guard.high,
            guard.n_games * n_matchups,
            guard.holds,
            guard.estimate,
            guard.bound,
            guard.limit,
            CONFIDENCE,
            guard.passing_limit,
        )
        for guard in certificate.guards
    ]
