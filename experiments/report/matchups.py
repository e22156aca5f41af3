"""Each matchup before and after, laid out along one axis."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from balance.statistics.intervals import Interval
from experiments.results.stages import StageRow
from experiments.results.verdict import Verdict, verdict_in
from experiments.runs.finished_run import FinishedRun

_STEPS_PP = (1, 2, 5, 10, 20)  # between the marks of the axis
_MOST_MARKS = 8


def before_after(run: FinishedRun) -> dict[str, Any]:
    """Matchups with places along the axis in percent of its length, also stage by stage."""
    verdict = verdict_in(run.summary)
    low, high, marks = _axis(verdict)

    def places(rates: Interval | tuple[float, ...]) -> list[float]:
        return [round(100 * (100 * float(rate) - low) / (high - low), 2) for rate in rates]

    half = verdict.band_pp / 100
    rows = [
        matchup._asdict()
        | {
            "before_at": places(matchup.before),
            "after_at": places(matchup.after),
            "band_at": places((matchup.target - half, matchup.target + half)),
        }
        for matchup in verdict.matchups
    ]
    shown = zip(places(tuple(pp / 100 for pp in marks)), marks, strict=True)
    return {
        "rows": rows,
        "marks": [{"at": at, "label": f"{pp:g}"} for at, pp in shown],
        "n": verdict.n,
        "confidence": verdict.confidence,
        "stages": run.rows("stages.csv", StageRow),
    }


def _axis(verdict: Verdict) -> tuple[float, float, range]:
    """Both ends of the axis and its marks, in percent."""
    targets, band_pp = 100 * verdict.targets, verdict.band_pp
    rates = [100 * bounds for bounds in (*verdict.before[1:], *verdict.after[1:])]
    shown = np.concatenate([*rates, targets - band_pp, targets + band_pp])
    margin = 0.05 * float(np.ptp(shown))
    low, high = max(float(shown.min()) - margin, 0), min(float(shown.max()) + margin, 100)
    step = next((step for step in _STEPS_PP if (high - low) / step <= _MOST_MARKS), _STEPS_PP[-1])
    return low, high, range(step * math.ceil(low / step), math.floor(high) + 1, step)
