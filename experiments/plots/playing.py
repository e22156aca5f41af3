"""Figures of playing styles: frequencies of actions, and shares of drawn cards that are played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from balance.statistics.intervals import CONFIDENCE, Floats
from experiments.learning.playing_style import (
    ALL_GROUPS,
    ATTACK_PLAYER,
    ATTACK_UNIT,
    END,
    PLAY,
    POWER,
    ActionKind,
    CardPlays,
    PlayingStyle,
)
from experiments.plots.house_style import current_size, house_style
from experiments.plots.labels import label
from experiments.plots.learning import SCRIPTED_STYLES
from experiments.plots.style import (
    BLUE,
    counted,
    draw_intervals,
    name_rows,
    panel_grid,
    panels,
    stacked,
)
from experiments.plots.text import SMALL, folded, row_names
from experiments.screen import level
from sim.cards.pool import Pool

_GAP = 1.2  # additional distance between two groups of bars, which are 1 apart; chosen by eye
_HEADINGS = {
    PLAY: "play the card at place",
    ATTACK_PLAYER: "attack the player with unit",
    ATTACK_UNIT: "attack a unit with unit",
    POWER: "power",
    END: "end turn",
}


@house_style()
def action_histogram(
    titles: Sequence[str],
    styles: Sequence[Mapping[str, PlayingStyle]],
    *,
    learned: str,
    title: str,
) -> Figure:
    """Draw the mean number of actions of each kind per game, by a learned and scripted agents.

    Actions of the same card or unit with different targets share a bar. For example, the 25 attacks
    of a unit on a unit in the duel are five bars, one per attacker.

    Args:
        titles: name of each pairing, which has a panel.
        styles: for each pairing, playing style of each agent by the agent's name.
        learned: name of the learned agent; the other agents are scripted.
        title: title of the figure.
    """
    figure, grid = panels(7.4, 1.8 * len(titles), len(titles))
    for axes, pairing, by_agent in zip(grid, titles, styles, strict=True):
        _draw_actions(axes, by_agent, learned)
        axes.set_title(pairing)
    shown = [style for by_agent in styles for style in by_agent.values()]
    has_player = any(kind.place == 0 for style in shown for kind in style.kinds)
    players = " Place 0 is the player." if has_player else ""
    return label(
        figure,
        title,
        f"n = {counted([style.n_games for style in shown])} games per agent, the same for all. "
        f"Places in hand and on the board count from the oldest.{players} Means are over all "
        "games, so rarely used places have low bars.",
        legend_of=grid[0],
        columns=6,
    )


def _draw_actions(axes: Axes, by_agent: Mapping[str, PlayingStyle], learned: str) -> None:
    """Draw the actions of one pairing: bars for the learned agent, marks for scripted agents."""
    middles: list[float] = []
    places: list[float] = []
    names: list[str] = []
    headings: list[str] = []
    room = 45 if current_size() == "column" else np.inf  # points; chosen by eye
    start = 0.0
    for group, bars in _bars(by_agent[learned].kinds).items():
        own = start + np.arange(len(bars))
        places.extend(own)
        names.extend(map(str, bars) if len(bars) > 1 else [""])
        middles.append(own.mean())
        headings.append(folded(_HEADINGS[group], room, size=SMALL))
        start = own[-1] + 1 + _GAP
    above = axes.secondary_xaxis("top")
    above.set_xticks(middles, headings, fontsize=SMALL)
    above.tick_params(length=0)
    above.spines[:].set_visible(False)
    axes.bar(places, _per_game(by_agent[learned]), 0.8, color=BLUE, alpha=0.75, label="learned")
    scripts = [agent for agent in by_agent if agent != learned]
    for position, agent in enumerate(scripts):
        colour, _, marker = SCRIPTED_STYLES[agent]
        aside = 0.8 * ((position + 0.5) / len(scripts) - 0.5)
        axes.plot(
            np.array(places) + aside, _per_game(by_agent[agent]), ls="none", marker=marker,
            ms=2.8 if current_size() == "column" else 4, color=colour,
            mew=1.2 if marker == "x" else 0, label=agent,
        )  # fmt: skip
    axes.set_xticks(places, names)
    axes.tick_params(axis="x", length=0)
    axes.grid(visible=False, axis="x")
    axes.set(
        ylim=(0, None),
        xlabel="place in hand or on the board (1 is the oldest)",
        ylabel="actions\n(number per game)",
    )
    axes.yaxis.set_major_locator(MaxNLocator("auto", steps=[1, 2, 5, 10]))


def _bars(kinds: Sequence[ActionKind]) -> dict[str, dict[int, list[int]]]:
    """Return the indices of the actions of each bar.

    Args:
        kinds: kind of each action.

    Returns:
        Indices of actions by group of actions, then by place of the card or unit that acts. Groups
        without actions are left out.
    """
    bars: dict[str, dict[int, list[int]]] = {}
    for group in ALL_GROUPS:
        for action, kind in enumerate(kinds):
            if kind.group == group:
                bars.setdefault(group, {}).setdefault(kind.place, []).append(action)
    return bars


def _per_game(style: PlayingStyle) -> Floats:
    """Return the mean number of actions per game of each bar, in the order of `_bars`."""
    groups = _bars(style.kinds).values()
    times = [style.chosen[actions].sum() for bars in groups for actions in bars.values()]
    return np.array(times, dtype=np.float64) / style.n_games


@house_style()
def card_plays(
    pool: Pool,
    titles: Sequence[str],
    styles: Sequence[Mapping[str, PlayingStyle]],
    *,
    learned: str,
    title: str,
) -> Figure:
    """Draw the share of each card's drawn copies that a learned agent and scripted agents play.

    Args:
        pool: pool that contains the cards.
        titles: name of each pairing, which has a panel.
        styles: for each pairing, playing style of each agent by the agent's name.
        learned: name of the learned agent; the other agents are scripted.
        title: title of the figure.
    """
    n_cards = max(len(by_agent[learned].cards) for by_agent in styles)
    figure, grid = panel_grid(
        len(titles), most=2, narrowest=3.0, width=4.1, alone=1.2, height=0.24 * n_cards
    )
    for axes, pairing, by_agent in zip(grid, titles, styles, strict=True):
        _draw_plays(axes, pool, by_agent, learned)
        axes.set_title(pairing)
    n_games = [style.n_games for by_agent in styles for style in by_agent.values()]
    return label(
        figure,
        title,
        f"n = {counted(n_games)} games per agent, the same for all; whiskers: {level(CONFIDENCE)} "
        "intervals. Cards by cost; a copy that is left in hand when the game ends counts as not "
        "played.",
        legend_of=grid[0],
        columns=6,
    )


def _draw_plays(axes: Axes, pool: Pool, by_agent: Mapping[str, PlayingStyle], learned: str) -> None:
    """Draw the played share of each card in one pairing, with cards sorted by cost and name.

    An agent has no mark for a card that it never drew.

    Args:
        axes: panel of the pairing.
        pool: pool that contains the cards.
        by_agent: playing style of each agent by the agent's name.
        learned: name of the learned agent; the cards of its deck are the rows.
    """

    def by_cost(plays: CardPlays) -> tuple[int, str]:
        """Return the cost and the name of a card, as a key for sorting."""
        return pool.cards[plays.card].cost, pool.cards[plays.card].name

    shown = sorted(by_agent[learned].cards, key=by_cost)
    rows = {plays.card: row for row, plays in enumerate(shown)}
    for agent, style in by_agent.items():
        is_learned = agent == learned
        colour, _, marker = (BLUE, "-", "o") if is_learned else SCRIPTED_STYLES[agent]
        drawn = [plays for plays in style.cards if plays.drawn]
        rates = stacked((plays.share for plays in drawn), 100)
        draw_intervals(
            axes, [rows[plays.card] for plays in drawn], rates, fmt=marker,
            ms=6.0 if is_learned else 4.2, color=colour, mew=1.2 if marker == "x" else 0,
            elinewidth=1.0, capsize=0, zorder=3 if is_learned else 2,
            label="learned" if is_learned else agent,
        )  # fmt: skip
    cards = [pool.cards[plays.card] for plays in shown]
    names = row_names((card.name for card in cards), most_lines=1)
    costs = [card.cost for card in cards]
    shown_names = [f"{name} ({cost})" for name, cost in zip(names, costs, strict=True)]
    name_rows(axes, shown_names, has_lines=True)
    axes.set(
        xlim=(-4, 104),
        xlabel="copies played, of those drawn (%)",
        ylabel="card (cost in mana)",
    )
