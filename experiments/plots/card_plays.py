"""Which cards an agent plays, and which it holds back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from balance.statistics.intervals import CONFIDENCE
from experiments.learning.playing_style import CardPlays, PlayingStyle
from experiments.plots.fitting import panel_width
from experiments.plots.learning import SCRIPTED_STYLES
from experiments.plots.style import (
    BLUE,
    counted,
    house_style,
    label,
    level,
    name_rows,
    panel_grid,
    stacked,
    tick_name,
    whiskers,
)
from sim.cards.pool import Pool


@house_style()
def card_plays(
    pool: Pool,
    titles: Sequence[str],
    styles: Sequence[Mapping[str, PlayingStyle]],
    *,
    learned: str,
    title: str,
) -> Figure:
    """The share of each card's drawn copies that a learned agent and the scripts play.

    Args:
        pool: the cards.
        titles: the pairings, one panel each.
        styles: for each pairing how each agent plays.
        learned: the learned agent among them.
        title: of the figure.
    """
    n_cards = max(len(by_agent[learned].cards) for by_agent in styles)
    figure, grid = panel_grid(
        len(titles), most=2, narrowest=3.0, width=4.1, alone=1.2, height=0.9 + 0.24 * n_cards
    )
    for axes, pairing, by_agent in zip(grid, titles, styles, strict=True):
        _panel(axes, pool, by_agent, learned, 0.38 * panel_width(axes))
        axes.set_title(pairing)
    n_games = [style.n_games for by_agent in styles for style in by_agent.values()]
    caption = (
        f"n = {counted(n_games)} games per agent, the same for all; whiskers: {level(CONFIDENCE)} "
        "intervals. Cards by cost; a copy that is left in hand when the game ends counts as not "
        "played."
    )
    label(figure, title, caption, legend_of=grid[0], columns=6)
    return figure


def _panel(
    axes: Axes, pool: Pool, by_agent: Mapping[str, PlayingStyle], learned: str, room: float
) -> None:
    def by_cost(plays: CardPlays) -> tuple[int, str]:
        return pool.cards[plays.card].cost, pool.cards[plays.card].name

    shown = sorted(by_agent[learned].cards, key=by_cost)
    rows = {plays.card: row for row, plays in enumerate(shown)}
    for agent, style in by_agent.items():
        if agent == learned:
            colour, marker, size = BLUE, "o", 6.0
        else:
            (colour, _, marker), size = SCRIPTED_STYLES[agent], 4.2
        drawn = [plays for plays in style.cards if plays.drawn]
        rates = stacked((plays.share for plays in drawn), 100)
        axes.errorbar(
            rates.estimate, [rows[plays.card] for plays in drawn], xerr=whiskers(*rates),
            fmt=marker, ms=size, color=colour, mew=1.2 if marker == "x" else 0, elinewidth=1.0,
            capsize=0, zorder=3 if agent == learned else 2,
            label="learned" if agent == learned else agent,
        )  # fmt: skip
    cards = [pool.cards[plays.card] for plays in shown]
    names = [f"{tick_name(card.name, room - 16)} ({card.cost})" for card in cards]
    name_rows(axes, names, has_lines=True)
    axes.set(
        xlim=(-4, 104),
        xlabel="copies played, of those drawn (%)",
        ylabel="card (cost in mana)",
    )
