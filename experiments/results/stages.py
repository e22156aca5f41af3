"""A balance run as rows: its search, its patch stage by stage, its guards, and its drift."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from balance import CONFIDENCE, BalanceRun, Interval, wilson
from balance.front import hypervolume_of

if TYPE_CHECKING:
    from balance import DriftRun  # which loads torch

# A matchup with the patch: pilots as they were, and as they have become.
DRIFT_COLUMNS = (
    "matchup", "target", "band_pp", "win_rate_before", "before_low", "before_high",
    "win_rate_after", "after_low", "after_high", "change_pp", "change_low_pp", "change_high_pp",
    "confidence", "n", "inside",
)  # fmt: skip
_GUARD_UNITS = {"max_draw_rate": "share", "max_first_seat_pp": "pp", "median_turns": "turns"}


class ConvergenceRow(NamedTuple):
    """A generation: its best patch as the search saw it; tables of old lack the hypervolume."""

    generation: int
    games: float
    imbalance_pp: float
    mean_imbalance_pp: float
    change: float
    genomes_seen: float
    hypervolume: Interval | None = None


def convergence_rows(run: BalanceRun) -> list[ConvergenceRow]:
    """One row per generation."""
    share = hypervolume_of(run)
    return [
        ConvergenceRow(k, *record)._replace(hypervolume=share.at(k))
        for k, record in enumerate(run.state.history.tolist())
    ]


def games_of_stages(run: BalanceRun) -> dict[str, int]:
    """How many games each stage of a run took, all matchups together."""
    selection, cleanup, n_matchups = run.selection, run.cleanup, len(run.contest.matchups)
    n_selected = len(selection.genomes) - cleanup.n_replaced
    return {
        "measure": run.measurement.matchups.n_games * n_matchups,
        "narrow": run.measurement.narrowing.n_games,
        "search": int(run.state.history[-1, 0]),
        "select": (n_selected + 1) * selection.n_games * n_matchups,
        "clean_up": cleanup.n_games,
        "certify": 2 * run.certificate.n_games_played * n_matchups,
    }


class Stage(NamedTuple):
    """A win rate in the games of one stage."""

    rate: Annotated[Interval, ("win_rate", "low", "high")]
    confidence: float
    n: int


class StageRow(NamedTuple):
    """A matchup today, and with the recommended patch as claimed, selected and certified."""

    matchup: str
    target: float
    band_pp: float
    today: Stage
    claimed: Stage
    selected: Stage
    certified: Stage
    inside: bool


class GuardRow(NamedTuple):
    """A guard in the certificate's games: its readings, what is allowed, and whether it holds."""

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


def stage_rows(run: BalanceRun, band_pp: float) -> list[StageRow]:
    """One row per matchup.

    Args:
        run: what was found.
        band_pp: half-width of the band.
    """
    selection, chosen, verdict = run.selection, run.selection.recommended, run.certificate
    n = int(selection.claimed_n[chosen])
    claimed = wilson(selection.claimed[chosen] * n, n)
    selected = wilson(selection.points[chosen], selection.n_games)
    return [
        StageRow(
            run.contest.matchup_name(matchup),
            verdict.targets[m],
            band_pp,
            Stage(verdict.before.at(m), verdict.confidence, verdict.n_games),
            Stage(claimed.at(m), CONFIDENCE, n),
            Stage(selected.at(m), CONFIDENCE, selection.n_games),
            Stage(verdict.after.at(m), verdict.confidence, verdict.n_games),
            verdict.inside[m],
        )
        for m, matchup in enumerate(run.contest.matchups)
    ]


def guard_rows(run: BalanceRun) -> list[GuardRow]:
    """One row per guard."""
    return [
        GuardRow(
            guard.name,
            _GUARD_UNITS[guard.name],
            guard.before,
            guard.after,
            guard.low,
            guard.high,
            guard.n_games * len(run.contest.matchups),
            guard.holds,
            guard.estimate,
            guard.bound,
            guard.limit,
            CONFIDENCE,
        )
        for guard in run.certificate.guards
    ]


def drift_rows(drift: DriftRun, band_pp: float) -> list[tuple[Any, ...]]:
    """One row per matchup.

    Args:
        drift: what was found.
        band_pp: half-width of the band.
    """
    verdict, contest = drift.certificate, drift.contest
    return [
        (
            contest.matchup_name(matchup),
            verdict.demands.target[m],
            band_pp,
            drift.before.at(m),
            verdict.after.at(m),
            drift.change.at(m).times(100),
            verdict.confidence,
            verdict.n_games,
            verdict.inside[m],
        )
        for m, matchup in enumerate(contest.matchups)
    ]
