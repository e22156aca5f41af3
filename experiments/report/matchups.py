"""Each matchup before and after, laid out along one axis."""

from __future__ import annotations

import math
from typing import Any

from experiments.results.stages import StageRow
from experiments.runs.finished_run import FinishedRun

_STEPS_PP = (1, 2, 5, 10, 20)  # between the marks of the axis
_MOST_MARKS = 8


def before_after(run: FinishedRun) -> dict[str, Any]:
    """Rows of matchups, with places along the axis in percent of its length.

    Also the same matchups stage by stage: today, claimed, selected, certified.
    """
    matchups = run.summary["matchups"]
    low, high, step = _axis(matchups)

    def place(rate: float) -> float:
        return round(100 * (100 * rate - low) / (high - low), 2)

    rows = []
    for matchup in matchups:
        half = matchup["band_pp"] / 100
        sides = {
            side: {**matchup[side], "at": [place(matchup[side][k]) for k in ("win_rate", *_BOUNDS)]}
            for side in ("before", "after")
        }
        band = [matchup["target"] - half, matchup["target"] + half]
        rows.append({**matchup, **sides, "band": band, "band_at": [place(rate) for rate in band]})
    marks = [{"at": place(pp / 100), "label": f"{pp:g}"} for pp in _marks(low, high, step)]
    return {
        "rows": rows,
        "marks": marks,
        "n": matchups[0]["after"]["n"],
        "confidence": run.summary["confidence"],
        "stages": run.rows("stages.csv", StageRow),
    }


_BOUNDS = ("low", "high")


def _axis(matchups: list[dict[str, Any]]) -> tuple[float, float, int]:
    """Both ends of the axis and the distance of its marks, in percent."""
    shown = [100 * matchup[side][k] for matchup in matchups for side in ("before", "after")
             for k in _BOUNDS]  # fmt: skip
    for matchup in matchups:
        shown += [100 * matchup["target"] + sign * matchup["band_pp"] for sign in (-1, 1)]
    margin = 0.05 * (max(shown) - min(shown))
    low, high = max(min(shown) - margin, 0), min(max(shown) + margin, 100)
    step = next((step for step in _STEPS_PP if (high - low) / step <= _MOST_MARKS), _STEPS_PP[-1])
    return low, high, step


def _marks(low: float, high: float, step: int) -> list[int]:
    return list(range(step * math.ceil(low / step), math.floor(high) + 1, step))
