"""What the games of a certificate came to: every matchup before and after, and the verdict."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from balance.demands import Demands
from balance.pipeline import BalanceRun
from balance.statistics.intervals import Interval


class MatchupVerdict(NamedTuple):
    """A matchup today and with the patch; `inside` if its whole interval lies in the band."""

    a: str
    b: str
    target: float
    before: Interval
    after: Interval
    inside: bool

    @property
    def name(self) -> str:
        """How experiment files and reports write a matchup."""
        return f"{self.a} vs {self.b}"


class Verdict(NamedTuple):
    """What a certificate says of a patch, from games that chose nothing.

    Attributes:
        certified: every matchup is inside its band, and every guard is shown to hold.
        matchups: in their order.
        band_pp: half-width of the band around each target.
        n: games per matchup and side.
        confidence: of each matchup's intervals.
        failed_guards: those not shown to hold.
    """

    certified: bool
    matchups: tuple[MatchupVerdict, ...]
    band_pp: float
    n: int
    confidence: float
    failed_guards: tuple[str, ...]

    @property
    def word(self) -> str:
        """`certified`, or not."""
        return "certified" if self.certified else "not certified"

    @property
    def targets(self) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        """``[M]`` where the win rates should be."""
        return np.array([one.target for one in self.matchups])

    @property
    def before(self) -> Interval:
        """``[M]`` win rates today."""
        return Interval(*np.array([one.before for one in self.matchups]).T)

    @property
    def after(self) -> Interval:
        """``[M]`` win rates with the patch."""
        return Interval(*np.array([one.after for one in self.matchups]).T)

    @property
    def today_pp(self) -> Interval:
        """Today's imbalance, with the interval of all matchups together."""
        return self._demands.imbalance_pp(self.before)

    @property
    def patched_pp(self) -> Interval:
        """The same with the patch."""
        return self._demands.imbalance_pp(self.after)

    @property
    def _demands(self) -> Demands:
        return Demands.around(self.targets, self.band_pp)


def verdict_of(run: BalanceRun, band_pp: float) -> Verdict:
    """The verdict on a run's recommended patch.

    Args:
        run: what was found.
        band_pp: half-width of the band.
    """
    certificate, names = run.certificate, [player.name for player in run.contest.players]
    matchups = tuple(
        MatchupVerdict(
            names[a],
            names[b],
            float(certificate.targets[m]),
            certificate.before.at(m),
            certificate.after.at(m),
            bool(certificate.inside[m]),
        )
        for m, (a, b) in enumerate(run.contest.matchups)
    )
    failed = tuple(guard.name for guard in certificate.guards if not guard.holds)
    return Verdict(
        certificate.certified,
        matchups,
        band_pp,
        certificate.n_games,
        certificate.confidence,
        failed,
    )


def watched(summary: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The guards of a run's `summary.json` that its games say something about."""
    return {name: guard for name, guard in summary["guards"].items() if guard != "not watched"}


def verdict_in(summary: Mapping[str, Any]) -> Verdict:
    """The same from the `summary.json` of a run."""
    matchups = summary["matchups"]
    before, after = (
        [Interval(*(one[side][bound] for bound in ("win_rate", "low", "high"))) for one in matchups]
        for side in ("before", "after")
    )
    return Verdict(
        summary["certified"],
        tuple(
            MatchupVerdict(one["a"], one["b"], one["target"], was, now, one["inside"])
            for one, was, now in zip(matchups, before, after, strict=True)
        ),
        matchups[0]["band_pp"],
        matchups[0]["after"]["n"],
        summary["confidence"],
        tuple(name for name, guard in watched(summary).items() if not guard["holds"]),
    )
