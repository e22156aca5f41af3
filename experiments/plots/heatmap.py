"""The matrix of matchups."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from balance.card_contest import CardContest
from balance.matchups import MatchupCounts
from balance.statistics.intervals import CONFIDENCE, Floats, Interval
from experiments.plots.matrix import draw_matrices
from experiments.plots.style import house_style, level


@house_style()
def matchup_heatmap(
    contest: CardContest,
    counts: MatchupCounts,
    *,
    variant: int = 0,
    title: str,
    targets: Floats | None = None,
    band_pp: float | None = None,
) -> Figure:
    """Every player's win rate against every other, with intervals.

    Args:
        contest: the players.
        counts: the games.
        variant: which variant of the cards.
        title: of the figure.
        targets: ``[M]`` target win rates; default 0.5.
        band_pp: half-width of the band; win rates outside it get a bold outline.
    """
    caption = (
        f"Cells: win rate of the row's player over both seatings in %; {level(CONFIDENCE)} Wilson "
        f"intervals, {{reach}}; n = {counts.n_games:,} games per matchup."
    )
    if band_pp is not None:
        caption += f" Bold outline: more than {band_pp:g} pp from the target."
    return draw_matrices(
        contest,
        [("", Interval(*(bound[variant] for bound in counts.win_rate())))],
        targets=np.full(len(contest.matchups), 0.5) if targets is None else targets,
        band_pp=band_pp,
        title=title,
        caption=caption,
    )
