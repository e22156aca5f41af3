"""Figures of decks: mana curves, substitutes for missing cards, metagames and attacks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from balance import CONFIDENCE, Candidate, Interval, Metagame, Substitution
from experiments.plots.house_style import house_style
from experiments.plots.labels import label
from experiments.plots.style import (
    BLUE,
    GREY,
    ORANGE,
    PALE,
    VERMILION,
    counted,
    draw_intervals,
    fit_columns,
    limits_of,
    name_rows,
    panel_grid,
    panels,
    stacked,
)
from experiments.plots.text import SMALL, row_height, row_names
from experiments.results.attacks import AttackPhase
from experiments.screen import level, percent_between
from sim import Deck, InputError, Pool


@house_style()
def deck_curve(pool: Pool, decks: Sequence[Deck], *, title: str) -> Figure:
    """Draw the number of cards of each cost in each deck, one panel per deck, on one scale.

    Args:
        pool: pool that contains the cards of the decks.
        decks: decks to draw, at least one.
        title: title of the figure.

    Raises:
        InputError: `decks` is empty, or a card is not in the pool.
    """
    if not decks:
        raise InputError("none given", place="decks", value=0, limit=1, remedy="give at least 1")
    costs = [[pool.cards[card].cost for card in deck.slots(pool)] for deck in decks]
    figure, grid = panel_grid(len(decks), most=3, narrowest=2.2, width=3.3, alone=1.4, height=1.7)
    most_copies = max(int(np.bincount(of_deck).max()) for of_deck in costs)
    for axes, deck, of_deck in zip(grid, decks, costs, strict=True):
        _draw_costs(axes, of_deck, most_copies)
        axes.set(
            title=f"{deck.name}\n{len(of_deck)} cards, mean cost {np.mean(of_deck):.2f}",
            xlim=(-0.6, max(map(max, costs)) + 0.6),
        )
    return label(
        figure,
        title,
        f"n = {counted([len(of_deck) for of_deck in costs])} cards per deck, copies included.",
        legend_of=grid[0],
    )


def _draw_costs(axes: Axes, costs: Sequence[int], most_copies: int) -> None:
    """Draw the number of cards of each cost as bars, and the mean cost as a mark.

    Args:
        axes: panel of the deck.
        costs: cost of each card of the deck, copies included.
        most_copies: height of the highest bar of all decks, which sets the scale.
    """
    n_cards = np.bincount(costs)
    where = np.flatnonzero(n_cards)
    axes.bar(where, n_cards[where], 0.8, color=BLUE, label="cards of this cost")
    for cost, n in zip(where.tolist(), n_cards[where].tolist(), strict=True):
        axes.text(cost, n, str(n), ha="center", va="bottom", fontsize=SMALL)
    top = 1.32 * most_copies  # leaves space above the bars for their numbers and the mean
    axes.plot([np.mean(costs)], [0.95 * top], "v", ms=7, color=ORANGE, label="average cost")
    axes.xaxis.set_major_locator(MaxNLocator(12, integer=True, min_n_ticks=1))
    axes.yaxis.set_major_locator(MaxNLocator("auto", integer=True, min_n_ticks=1))
    axes.tick_params(axis="x", length=0)
    axes.grid(visible=False, axis="x")
    axes.set(ylim=(0, top), xlabel="cost (mana)", ylabel="copies (number of cards)")


@house_style()
def substitutes_plot(pool: Pool, substitution: Substitution, *, title: str) -> Figure:
    """Draw strength and role distance of the measured substitutes, in the order of the candidates.

    Args:
        pool: pool that contains the cards.
        substitution: candidates with their measurements, the strongest first; candidates without
            a measured gain are left out.
        title: title of the figure.
    """
    ranks = {k: rank for rank, k in enumerate(substitution.by_role, start=1)}
    shown = [k for k, other in enumerate(substitution.candidates) if other.gain is not None]
    candidates = [substitution.candidates[k] for k in shown]
    names = [
        " +\n".join(row_names((pool.cards[card].name for card in other.cards), most_lines=1))
        for other in candidates
    ]
    height = (0.1 + row_height(names)) * max(len(shown), 2)
    figure, (left, right) = panels(7.0, height, 1, 2, width_ratios=(1.8, 1))
    _draw_gains(left, candidates)
    _draw_distances(right, candidates, [ranks[k] for k in shown])
    name_rows(left, names)
    name_rows(right, [], n_rows=len(shown))
    left.set_ylabel("substitute")
    missing = ", ".join(pool.cards[card].name for card in substitution.vacancies.missing)
    return label(
        figure,
        title,
        f"Instead of {missing}. Whiskers: paired {level(CONFIDENCE)} intervals; n = "
        f"{substitution.n_games:,} games per opponent. Sorted by strength in other games than "
        f"the ones shown; {len(shown)} of {len(substitution.candidates)} candidates were measured. "
        "Distance: steps of the printed numbers, and 2 for each keyword or effect that "
        "differs; no. 1 is most like the missing card.",
    )


def _draw_gains(axes: Axes, candidates: Sequence[Candidate]) -> None:
    """Draw the change of the deck's win rate by each candidate, in points, one row each."""
    axes.axvline(0, color=GREY, lw=1)
    gains = stacked((other.gain for other in candidates if other.gain is not None), 100)
    draw_intervals(axes, range(len(candidates)), gains, fmt="o", color=BLUE, elinewidth=1.3)
    limits = limits_of([0.0, *gains.low, *gains.high], 0.06)
    axes.set(xlim=limits, xlabel="change of the deck's win rate (pp)")


def _draw_distances(axes: Axes, candidates: Sequence[Candidate], ranks: Sequence[int]) -> None:
    """Draw the role distance of each candidate, and write the candidate's rank next to it."""
    distances = [candidate.distance for candidate in candidates]
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


_WIDTH = 8.4  # inches on a screen; chosen by eye for three panels and the names of players
_TITLES = ("Share of the mix", "Strength", "Against the mix")
_UNITS = ("share (%)", "rating (Elo points)", "win rate (%)")
_PHASES = {"before": ("today's cards", "o", GREY, -0.14), "after": ("patched", "s", BLUE, 0.14)}


@house_style()
def metagame_plot(names: Sequence[str], metagame: Metagame, *, title: str) -> Figure:
    """Draw each player's share of the mix, rating and win rate against the mix.

    Players are sorted by share, then by rating, the highest on top.

    Args:
        names: names of the players, in the order of `metagame`.
        metagame: shares, ratings and win rates of the players.
        title: title of the figure.
    """
    n_players = len(names)
    columns = fit_columns(3, most=3, narrowest=2.2)
    order = np.lexsort([-metagame.ratings.estimate, -metagame.shares.estimate])
    lines = row_names(names[k] for k in order)
    rows = 3 // columns
    height = row_height(lines, 0.3) * max(n_players, 2) * rows
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
    return label(figure, title, _caption(metagame), legend_of=grid[0])


def _points(
    axes: Axes, part: Interval, is_played: np.ndarray[tuple[int], np.dtype[np.bool_]]
) -> None:
    """Draw a quantity of each player; players without a share of the mix have hollow marks.

    Args:
        axes: panel of the quantity.
        part: values with intervals, one per player.
        is_played: whether each player has a share of the mix, one per player.
    """
    rows = np.arange(len(is_played))
    for mask, marker, colour, face, name in (
        (is_played, "o", BLUE, BLUE, "played"),
        (~is_played, "D", GREY, "white", "never played"),
    ):
        draw_intervals(
            axes, rows[mask], part.at(mask), fmt=marker, color=colour, mfc=face, mew=1.2,
            elinewidth=1.4, capsize=2.5, label=name, clip_on=False,
        )  # fmt: skip


def _caption(metagame: Metagame) -> str:
    """Return the caption of a metagame; the cyclic share is named for at least three players."""
    caption = (
        "The mix: shares against which no deck wins more than half. Strength: Elo ratings fitted "
        "to the win rates. Against the mix: in other games. "
        f"Whiskers: {level(CONFIDENCE)} intervals; n = {metagame.n_games:,} games per matchup."
    )
    if len(metagame.ratings.estimate) > 2:
        caption += f" Cyclic share of the differences: {percent_between(metagame.cyclic)}."
    return caption


@house_style()
def attack_plot(phases: Sequence[AttackPhase], *, margin_pp: float, title: str) -> Figure:
    """Draw the win rates of the built decks by round, and the final share of each player.

    Args:
        phases: phases of the attack, `before` and `after` the patch.
        margin_pp: margin above 50 % in percentage points; a built deck joins the mix if the
            interval of its win rate lies above this limit.
        title: title of the figure.
    """
    names = list(dict.fromkeys(name for phase in phases for name in phase.players))
    columns = fit_columns(2, most=2, narrowest=3)
    rows = 2 // columns
    lines = row_names(names)
    height = max(1.5, row_height(lines, 0.3) * len(names)) * rows
    figure, (left, right) = panels(_WIDTH, height, rows, columns)
    for phase in phases:
        _draw_rounds(left, phase)
        _draw_shares(right, phase, names)
    left.axhline(50, color=GREY, lw=1, zorder=0)
    left.axhline(
        50 + margin_pp, color=VERMILION, lw=1, ls="--", zorder=0, label="joins if certainly above"
    )
    left.xaxis.set_major_locator(MaxNLocator("auto", integer=True, min_n_ticks=1))
    left.set(
        xlim=(0.5, max(len(phase.rounds) for phase in phases) + 0.5),
        xlabel="round (number)",
        ylabel="win rate against the mix (%)",
        title="Built decks, each against those before it",
    )
    right.set(xlim=(-7, 107), xlabel="share (%)", ylabel="player", title="Final mix")
    name_rows(right, lines)
    games = counted([entry.n for phase in phases for entry in phase.rounds])
    in_matrix = counted([phase.n_games for phase in phases])
    return label(
        figure,
        title,
        "Hollow: too weak to join. Attackers of equal number are different decks in each phase. "
        f"Whiskers: {level(CONFIDENCE)} intervals; n = {games} games of each built deck, "
        f"{in_matrix} games per matchup behind the shares.",
        legend_of=left,
    )


def _draw_rounds(axes: Axes, phase: AttackPhase) -> None:
    """Draw the attacker's win rate in each round, with a hollow mark if its deck did not join."""
    name, marker, colour, aside = _PHASES[phase.name]
    where = np.array([entry.round for entry in phase.rounds]) + aside / 2
    rates = stacked(((entry.win_rate, entry.low, entry.high) for entry in phase.rounds), 100)
    draw_intervals(
        axes, where, rates, upright=True, fmt=f"{marker}-", color=colour, mfc=colour, lw=1.1,
        elinewidth=1.4, capsize=2.5, label=name,
    )  # fmt: skip
    out = np.array([not entry.added for entry in phase.rounds])
    axes.plot(where[out], rates.estimate[out], marker, mec=colour, mfc="white", mew=1.3, zorder=4)


def _draw_shares(axes: Axes, phase: AttackPhase, names: Sequence[str]) -> None:
    """Draw the share of each player in the mix at the end of an attack.

    Args:
        axes: panel of the shares.
        phase: phase of the attack.
        names: names of the players in the order of the panel's rows.
    """
    _, marker, colour, aside = _PHASES[phase.name]
    where = np.array([names.index(name) for name in phase.players]) + aside
    shares = phase.shares.times(100)
    draw_intervals(
        axes, where, shares, fmt=marker, color=colour, elinewidth=1.4, capsize=2.5, clip_on=False
    )
