"""What to play instead of missing cards: what it gains, and how alike it is."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from balance.decks.substitutes import Candidate, Substitution
from balance.statistics.intervals import CONFIDENCE
from experiments.plots.style import (
    BLUE,
    GREY,
    drawn_width,
    house_style,
    label,
    level,
    name_rows,
    panels,
    stacked,
    tick_name,
    whiskers,
)
from experiments.plots.text import SMALL
from sim.cards.pool import Pool


@house_style()
def substitutes_plot(pool: Pool, substitution: Substitution, *, title: str) -> Figure:
    """Both rankings of the measured stand-ins at once, the strongest on top.

    Args:
        pool: the cards.
        substitution: what was found.
        title: of the figure.
    """
    ranks = {k: rank for rank, k in enumerate(substitution.by_role, start=1)}
    shown = [k for k, one in enumerate(substitution.candidates) if one.gain is not None]
    candidates = [substitution.candidates[k] for k in shown]
    n_cards = max((len(one.cards) for one in candidates), default=1)
    height = 0.5 + (0.16 + 0.14 * n_cards) * max(len(shown), 2)
    figure, (left, right) = panels(7.0, height, 1, 2, width_ratios=(2.2, 1))
    _draw_gains(left, candidates)
    _draw_distances(right, candidates, [ranks[k] for k in shown])
    room = 0.27 * drawn_width(7.0)
    name_rows(left, [_name(pool, one, room) for one in candidates])
    name_rows(right, [], n_rows=len(shown))
    left.set_ylabel("stand-in")
    missing = ", ".join(pool.cards[card].name for card in substitution.vacancies.missing)
    caption = (
        f"Instead of {missing}. Whiskers: paired {level(CONFIDENCE)} intervals; n = "
        f"{substitution.n_games:,} games per opponent. The strongest on top, by other games than "
        f"those shown; {len(shown)} of {len(substitution.candidates)} candidates were measured. "
        "Distance: steps of the printed numbers, and 2 for each keyword or effect that "
        "differs; no. 1 is most like the missing card."
    )
    label(figure, title, caption)
    return figure


def _name(pool: Pool, candidate: Candidate, room: float) -> str:
    """One line for each card."""
    return " +\n".join(tick_name(pool.cards[card].name, room) for card in candidate.cards)


def _draw_gains(axes: Axes, candidates: Sequence[Candidate]) -> None:
    axes.axvline(0, color=GREY, lw=1)
    gains = stacked((one.gain for one in candidates if one.gain is not None), 100)
    axes.errorbar(
        gains.estimate, range(len(candidates)), xerr=whiskers(*gains), fmt="o", color=BLUE,
        elinewidth=1.3,
    )  # fmt: skip
    least, most = min([0.0, *gains.low]), max([0.0, *gains.high])
    margin = 0.06 * (most - least) or 1.0
    axes.set(xlim=(least - margin, most + margin), xlabel="change of the deck's win rate (pp)")


def _draw_distances(axes: Axes, candidates: Sequence[Candidate], ranks: Sequence[int]) -> None:
    distances = [one.distance for one in candidates]
    rows = range(len(distances))
    axes.hlines(rows, 0, distances, color=GREY, lw=1.2)
    axes.plot(distances, rows, "s", mec=GREY, mfc="white", mew=1.2, clip_on=False, zorder=3)
    for row, distance, rank in zip(rows, distances, ranks, strict=True):
        axes.annotate(
            f"no. {rank}", (distance, row), (6, 0), textcoords="offset points", va="center",
            fontsize=SMALL,
        )  # fmt: skip
    farthest = max([*distances, 1])
    axes.set(xlim=(-0.1 * farthest, 1.6 * farthest), xlabel="role distance (steps)")
    axes.xaxis.set_major_locator(MaxNLocator("auto", integer=True, min_n_ticks=1))
