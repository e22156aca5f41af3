"""What became of a patch once its pilots had learned on, as rows."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from balance.learning.drift import DriftRun
from balance.statistics.intervals import Interval


class DriftRow(NamedTuple):
    """A matchup with the patch: pilots as they were, and as they have become."""

    matchup: str
    target: float
    band_pp: float
    before: Annotated[Interval, ("win_rate_before", "before_low", "before_high")]
    after: Annotated[Interval, ("win_rate_after", "after_low", "after_high")]
    change_pp: Annotated[Interval, ("change_pp", "change_low_pp", "change_high_pp")]
    confidence: float
    n: int
    inside: bool


def drift_rows(drift: DriftRun, band_pp: float) -> list[DriftRow]:
    """One row per matchup.

    Args:
        drift: what was found.
        band_pp: half-width of the band.
    """
    verdict, contest = drift.certificate, drift.contest
    return [
        DriftRow(
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
