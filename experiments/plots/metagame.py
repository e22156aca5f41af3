"""Which decks would be played, how strong they are, and what they win against the mix."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from balance.metagame.metagame import Metagame
from balance.statistics.intervals import CONFIDENCE, Interval
from experiments.plots.style import (
    BLUE,
    GREY,
    PALE,
    drawn_width,
    fit_columns,
    house_style,
    label,
    level,
    name_rows,
    panels,
    tick_name,
    whiskers,
)

_WIDTH = 8.4  # inches on a screen
_TITLES = ("Share of the mix", "Strength", "Against the mix")
_UNITS = ("share (%)", "rating (Elo points)", "win rate (%)")


@house_style()
def metagame_plot(names: Sequence[str], metagame: Metagame, *, title: str) -> Figure:
    """Shares, ratings and win rates against the mix, the most played deck on top.

    Args:
        names: of the players.
        metagame: what they came to.
        title: of the figure.
    """
    n_players = len(names)
    columns = fit_columns(3, most=3, narrowest=2.2)
    order = np.lexsort([-metagame.ratings.estimate, -metagame.shares.estimate])
    room = (0.2 if columns == 3 else 0.36) * drawn_width(_WIDTH)
    lines = [tick_name(names[k], room, most_lines=2) for k in order]
    row_height = 0.38 if any("\n" in line for line in lines) else 0.3
    rows = 3 // columns
    height = (0.75 + row_height * max(n_players, 2)) * rows
    widths = (1.25, 1, 1) if columns == 3 else None
    figure, grid = panels(_WIDTH, height, rows, columns, width_ratios=widths)
    is_played = metagame.shares.estimate[order] > 0
    parts = (metagame.shares.times(100), metagame.ratings, metagame.against_mix.times(100))
    shown = [part.at(order) for part in parts]
    for place, (axes, part) in enumerate(zip(grid, shown, strict=True)):
        _points(axes, part, is_played)
        is_first = place % columns == 0
        axes.set(title=_TITLES[place], xlabel=_UNITS[place], ylabel="player" if is_first else "")
        name_rows(axes, lines if is_first else [""] * n_players)
    grid[0].barh(range(n_players), shown[0].estimate, 0.62, color=PALE, zorder=0)
    widest = max(float(shown[0].high.max()), 10)
    grid[0].set_xlim(-0.08 * widest, 1.08 * widest)
    for axes, middle in ((grid[1], 0), (grid[2], 50)):
        axes.axvline(middle, color=GREY, lw=1, zorder=0)
        axes.margins(x=0.1)  # markers stay off the frame
    label(figure, title, _caption(metagame), legend_of=grid[0])
    return figure


def _points(
    axes: Axes, part: Interval, is_played: np.ndarray[tuple[int], np.dtype[np.bool_]]
) -> None:
    rows = np.arange(len(is_played))
    for mask, marker, colour, face, name in (
        (is_played, "o", BLUE, BLUE, "played"),
        (~is_played, "D", GREY, "white", "never played"),
    ):
        if mask.any():
            some = part.at(mask)
            axes.errorbar(
                some.estimate, rows[mask], xerr=whiskers(*some), fmt=marker, color=colour,
                mfc=face, mew=1.2, elinewidth=1.4, capsize=2.5, label=name, clip_on=False,
            )  # fmt: skip


def _caption(metagame: Metagame) -> str:
    caption = (
        "The mix: shares against which no deck wins more than half. Strength: ratings that explain "
        "the win rates as well as one number per deck can. Against the mix: in other games. "
        f"Whiskers: {level(CONFIDENCE)} intervals; n = {metagame.n_games:,} games per matchup."
    )
    if len(metagame.ratings.estimate) > 2:
        share, low, high = metagame.cyclic.times(100)
        caption += f" In circles: {share:.1f} % ({low:.1f} to {high:.1f}) of the differences."
    return caption
