"""Card power, deck by deck."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from balance.card_contest import CardContest
from balance.power import CardPower
from balance.statistics.intervals import CONFIDENCE, Interval
from experiments.plots.style import (
    BLUE,
    DARK,
    GREY,
    ORANGE,
    PALE,
    counted,
    drawn_width,
    fit_columns,
    house_style,
    label,
    level,
    name_rows,
    panels,
    stacked,
    tick_name,
    whiskers,
)
from experiments.plots.text import text_width

BIASED = (
    " When played: n = {n}; biased, as it compares games in which the card turned up with no others"
    "."
)


@house_style()
def power_bars(
    contest: CardContest,
    powers: Sequence[CardPower],
    *,
    title: str,
    kept: Collection[int] | None = None,
) -> Figure:
    """What each card is worth to its deck, one panel per player, the best card on top.

    Args:
        contest: the players.
        powers: their cards' power.
        title: of the figure.
        kept: cards whose numbers the search may move; default no distinction.
    """
    decks = [_sorted(powers, player) for player in range(len(contest.players))]
    columns = fit_columns(len(decks), most=2, narrowest=3.0)
    rows = -(-len(decks) // columns)
    longest = [max(map(len, decks[row * columns :][:columns])) for row in range(rows)]
    width = 4.2 * columns + (0.8 if columns == 1 else 0)
    room = 0.42 * drawn_width(width) / columns
    names = [[_name(contest, power, room) for power in deck] for deck in decks]
    row_height = 0.34 if any("\n" in name for deck in names for name in deck) else 0.2
    height = sum(0.65 + row_height * n_cards for n_cards in longest)
    figure, grid = panels(width, height, rows, columns, height_ratios=longest)
    limits = _limits(powers)
    for position, (axes, deck) in enumerate(zip(grid, decks, strict=False)):
        _panel(axes, deck, kept)
        name_rows(axes, names[position], n_rows=longest[position // columns])
        player = contest.players[position]
        axes.set(
            title=f"{player.name} ({player.agent.name})",
            xlim=limits,
            xlabel="difference in win rate (pp)",
            ylabel="card and its copies",
        )
    for axes in grid[len(decks) :]:
        axes.set_visible(False)
    label(figure, title, _caption(powers), legend_of=grid[0], columns=3)
    return figure


def _sorted(powers: Sequence[CardPower], player: int) -> list[CardPower]:
    mine = [power for power in powers if power.player == player]
    return sorted(mine, key=lambda power: -float(power.power.estimate))


def _limits(powers: Sequence[CardPower]) -> tuple[float, float]:
    """One scale for all panels."""
    shown = [0.0, *np.ravel(stacked((power.power for power in powers), 100))]
    shown += played_pp(powers).estimate.tolist()
    low, high = min(shown), max(shown)
    margin = 0.05 * (high - low) + 1.5  # where the whiskers of most estimates end
    return low - margin, high + margin


def played_pp(powers: Sequence[CardPower]) -> Interval:
    """Win rates when played, less 50, of the cards that were."""
    rates = stacked((power.when_played for power in powers if power.n_played), 100)
    return Interval(*(bound - 50 for bound in rates))


def _name(contest: CardContest, power: CardPower, room: float) -> str:
    """In one line or two, cut only where those are too few."""
    copies = f"\N{NO-BREAK SPACE}\N{MULTIPLICATION SIGN}{power.n_copies}"
    name = contest.table.pool.cards[power.card].name
    return tick_name(name, room - text_width(copies, "medium"), most_lines=2) + copies


def _panel(axes: Axes, deck: Sequence[CardPower], kept: Collection[int] | None) -> None:
    groups = [("power", BLUE, deck)]
    if kept is not None:
        groups = [
            ("power, kept for the search", BLUE, [power for power in deck if power.card in kept]),
            ("power, other cards", PALE, [power for power in deck if power.card not in kept]),
        ]
    for name, colour, group in groups:
        where = [deck.index(power) for power in group]
        estimates = [100 * float(power.power.estimate) for power in group]
        axes.barh(where, estimates, height=0.72, color=colour, label=name)
    power_pp = stacked((power.power for power in deck), 100)
    axes.errorbar(
        power_pp.estimate, np.arange(len(deck)) - 0.16, xerr=whiskers(*power_pp),
        fmt="none", ecolor=DARK, elinewidth=1.1,
    )  # fmt: skip
    rows = [row + 0.18 for row, power in enumerate(deck) if power.n_played]
    if rows:
        played = played_pp(deck)
        axes.errorbar(
            played.estimate, rows, xerr=whiskers(*played), fmt="D", ms=3.6, mfc="white",
            mec=ORANGE, mew=1.2, ecolor=ORANGE, elinewidth=0.9,
            label="win rate when played, less 50 (biased)",
        )  # fmt: skip
    axes.axvline(0, color=GREY, lw=0.8)


def _caption(powers: Sequence[CardPower]) -> str:
    played = [power.n_played for power in powers if power.n_played]
    caption = (
        "Power: win rate lost when all copies leave the deck, with the paired "
        f"{level(CONFIDENCE)} interval; n = {counted([power.n_games for power in powers])} games "
        "per card."
    )
    return caption + (BIASED.format(n=counted(played)) if played else "")
