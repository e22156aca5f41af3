"""Verdict on the patch of a balance run, read from the run's summary."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from balance import Floats, Interval
from balance.contest.band import BandVerdict, band_verdict


class MatchupVerdict(NamedTuple):
    """A win rate in the games of a certificate, at the baseline and with the patch.

    Attributes:
        a: name of the first player, or `first seat`.
        b: name of the second player, `the field`, or `second seat`; empty if the rate is the share
            of a player at a table of more than two seats.
        least: lower bound of the win rate, as a fraction.
        most: upper bound of the win rate, as a fraction.
        before: win rate of `a` at the baseline.
        after: win rate of `a` with the patch.
        verdict: band verdict on `after`.
    """

    a: str
    b: str
    least: float
    most: float
    before: Interval
    after: Interval
    verdict: BandVerdict

    @property
    def inside(self) -> bool:
        """Whether the whole interval of the win rate with the patch is within the bounds."""
        return self.verdict == "inside"

    @property
    def name(self) -> str:
        """Name of the matchup, as in experiment files and reports."""
        return f"{self.a} vs {self.b}" if self.b else self.a


class Verdict(NamedTuple):
    """Result of a certificate, from games that influenced no choice of the search.

    Attributes:
        certified: whether every demand is inside its bounds and every guard is verified.
        matchups: matchups in the order of the contest, then the other demands.
        band_pp: permitted distance of a rate from its aim, in percentage points.
        n: number of games per matchup at the baseline, and again with the patch; the fewest, if
            cheap agents of a panel played more.
        confidence: confidence level of the interval of each matchup.
        failed_guards: names of the guards that are not verified.
        today_pp: imbalance at the baseline in percentage points, with a joint interval of all
            matchups.
        patched_pp: imbalance with the patch in percentage points, with a joint interval of all
            matchups.
    """

    certified: bool
    matchups: tuple[MatchupVerdict, ...]
    band_pp: float
    n: int
    confidence: float
    failed_guards: tuple[str, ...]
    today_pp: Interval
    patched_pp: Interval

    @property
    def word(self) -> str:
        """Verdict as text: `certified` or `not certified`."""
        return "certified" if self.certified else "not certified"

    @property
    def demanded(self) -> Verdict:
        """Copy of the verdict without matchups with the bounds 0 and 1, which permit any rate."""
        bounded = (row for row in self.matchups if (row.least, row.most) != (0, 1))
        return self._replace(matchups=tuple(bounded))

    @property
    def bounds(self) -> Floats:
        """Lower and upper bounds of the `M` matchups as fractions, shape ``[2, M]``."""
        return np.array([(row.least, row.most) for row in self.matchups]).T

    @property
    def before(self) -> Interval:
        """Win rates of the `M` matchups at the baseline, shape ``[M]``."""
        return Interval(*np.array([row.before for row in self.matchups]).T)

    @property
    def after(self) -> Interval:
        """Win rates of the `M` matchups with the patch, shape ``[M]``."""
        return Interval(*np.array([row.after for row in self.matchups]).T)


def watched(summary: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the guards of a `summary.json` that were measured, by name of the guard."""
    return {name: guard for name, guard in summary["guards"].items() if guard != "not watched"}


def verdict_in(summary: Mapping[str, Any]) -> Verdict:
    """Return the verdict on the recommended patch of a run, read from its `summary.json`."""
    matchups = summary["matchups"]
    certificate = summary["certificate"]
    return Verdict(
        summary["certified"],
        tuple(map(_matchup_in, matchups)),
        summary["band_pp"],
        min(matchup["after"]["n"] for matchup in matchups),
        summary["confidence"],
        tuple(name for name, guard in watched(summary).items() if not guard["holds"]),
        *(
            Interval.from_entry(certificate[f"imbalance_{side}"], "pp")
            for side in ("before", "after")
        ),
    )


def _matchup_in(entry: Mapping[str, Any]) -> MatchupVerdict:
    """Return the verdict on a matchup, given the matchup's entry in a `summary.json`."""
    after = Interval.from_entry(entry["after"])
    # Summaries of earlier versions have `inside` but no `verdict`.
    verdict = entry.get("verdict") or (
        "inside" if entry["inside"] else band_verdict(after, entry["least"], entry["most"])
    )
    return MatchupVerdict(
        entry["a"],
        entry["b"],
        entry["least"],
        entry["most"],
        Interval.from_entry(entry["before"]),
        after,
        verdict,
    )
