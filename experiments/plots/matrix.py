"""Figures with matrices of matchups, for one set of cards or before and after a patch."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import ListedColormap, Normalize
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.patches import Rectangle

from balance import CONFIDENCE, CardContest, Floats, Interval, MatchupCounts
from balance.cards.card_contest import Matchup
from balance.contest.band import band_verdict
from balance.observed.observed_matchups import FEW_GAMES, ObservedMatchups
from balance.statistics.intervals import Flags
from experiments.plots.house_style import current_size, house_style
from experiments.plots.labels import label
from experiments.plots.style import DARK, PALE, drawn_width, panels
from experiments.plots.text import SMALL, folded, row_height, text_width
from experiments.results.verdict import Verdict
from experiments.screen import VERDICT_WORDS, level, wanted_words

OBSERVED_MAX = 20
"""Maximum number of players in the matrix of observed games; cells of more are too narrow for
intervals.
"""
_CELLS = "Cells: win rate of the row's player over both seatings in %"
# Minimum distance of the ends of the colour scale from 50 %, in percentage points. Chosen by eye,
# so that a balanced matrix has pale colours.
_SPAN_MIN_PP = 10.0
# The ends of the colour map are left out, since dark text would not be readable on them.
_COLOURS = colormaps["RdBu"](np.linspace(0.24, 0.76, 256))
_PALETTE = ListedColormap(_COLOURS)  # cells without games have no colour
_AROUND = 84.0  # width of axis label and colour bar in points; chosen by eye
_BETWEEN = 2.0  # minimum distance of two numbers in points; chosen by eye
_PAD = 9.0  # free width and height in a cell in points, so that text does not touch the outline
# Formats of the text in a cell with font sizes; the first format that fits is used. Fields:
# estimate (0), bounds (1, 2), target (3), half of the interval's width (4).
_ESTIMATES = (("{0:.1f}", "medium"), ("{0:.1f}", SMALL), ("{0:.0f}", SMALL))
_INTERVALS = (("{1:.1f} to {2:.1f}", SMALL), ("±{4:.1f}", SMALL))
_WANTED = (("target {3}", SMALL), ("({3})", SMALL))
_ANY = np.array([[0.0], [1.0]])


@house_style()
def matchup_heatmap(
    contest: CardContest,
    counts: MatchupCounts,
    *,
    title: str,
    bounds: Floats = _ANY,
) -> Figure:
    """Draw the win rate of each player against each other player, with intervals.

    Args:
        contest: contest with the players and matchups.
        counts: results of the games of the first variant.
        title: title of the figure.
        bounds: lower and upper bounds of the win rates as fractions, shape ``[2, M]``, or
            ``[2, 1]`` for equal bounds. Rates outside their bounds have a bold outline, rates that
            are not shown to be inside a dashed outline.
    """
    caption = (
        f"{_CELLS}; {level(CONFIDENCE)} Wilson intervals, {{reach}}; n = {counts.n_games:,} games "
        "per matchup."
    )
    return _draw(_players_of(contest), [("", counts.win_rate().at(0))], bounds, title, caption)


@house_style()
def observed_heatmap(matchups: ObservedMatchups, *, title: str) -> Figure:
    """Draw the win rate of each player against each other player in observed games.

    Pairs without games have no cell. Pairs with fewer than `FEW_GAMES` games have a dashed outline.
    Of more than `OBSERVED_MAX` players, those with the most games are drawn.

    Args:
        matchups: counts of the games, with at least one pair.
        title: title of the figure.
    """
    drawn = matchups.among(matchups.most_played(OBSERVED_MAX))
    games = drawn.pair_games
    between = " to ".join(dict.fromkeys(f"{n:,.0f}" for n in (games.min(), games.max())))
    caption = (
        "Cells: win rate of the row's player in %, a draw counted half; "
        f"{level(CONFIDENCE)} Wilson intervals, {{reach}}; n = {between} games per cell. Empty: "
        f"no games. Dashed: fewer than {FEW_GAMES} games."
    )
    n_left_out = matchups.n_players - drawn.n_players
    if n_left_out:
        caption += f" {n_left_out} players with fewer games are left out."
    players = _Players(drawn.names, drawn.pairs, "player", "opponent")
    few = games < FEW_GAMES
    return _draw(players, [("", drawn.win_rates())], _ANY, title, caption, dashed=few)


@house_style()
def before_after_matrix(contest: CardContest, verdict: Verdict, *, title: str) -> Figure:
    """Draw the matchups before and after a patch, as two matrices with the same colour scale.

    Args:
        contest: contest with the players and matchups.
        verdict: certificate of the patch, with both win rates of each matchup.
        title: title of the figure.
    """
    caption = (
        f"{verdict.word.capitalize()}. {_CELLS}; intervals of {level(verdict.confidence)} over "
        f"seeds, as in the verdict, {{reach}}; n = {verdict.n:,} games per matchup, today and "
        "patched, on the same seeds."
    )
    matchups = np.arange(len(contest.matchups))
    rates = [("today", verdict.before.at(matchups)), ("patched", verdict.after.at(matchups))]
    return _draw(_players_of(contest), rates, verdict.bounds[:, matchups], title, caption)


class _Players(NamedTuple):
    """Players of a matrix and their matchups.

    Attributes:
        names: name of each player.
        matchups: pairs of players with a cell.
        row: label of the vertical axis.
        column: label of the horizontal axis.
    """

    names: Sequence[str]
    matchups: Sequence[Matchup]
    row: str = "player: deck (agent)"
    column: str = "opponent: deck (agent)"


def _players_of(contest: CardContest) -> _Players:
    """Return the players of a contest, with their agents in brackets."""
    names = [f"{player.name} ({player.agent.name})" for player in contest.players]
    return _Players(names, contest.matchups)


def _draw(
    players: _Players,
    win_rates: Sequence[tuple[str, Interval]],
    bounds: Floats,
    title: str,
    caption: str,
    *,
    dashed: Flags | None = None,
) -> Figure:
    """Draw matrices of the same players side by side, or below each other in a narrow column.

    Args:
        players: players and matchups.
        win_rates: heading and win rates of each matrix; the win rates have shape ``[M]``.
        bounds: lower and upper bounds of the win rates, shape ``[2, M]``, or ``[2, 1]`` for equal
            bounds.
        title: title of the figure.
        caption: format of the caption; its field `{reach}` is replaced by the largest half-width
            of the intervals.
        dashed: matchups with a dashed outline for any bounds, shape ``[M]``.
    """
    n_players = len(players.names)
    n_matrices = len(win_rates)
    bounds = np.broadcast_to(bounds, (2, len(players.matchups)))
    percent = [rates.times(100) for _, rates in win_rates]
    matrices = [_cells(players, rates, bounds, dashed) for rates in percent]
    has_targets = any(cell.wanted for cell in matrices[0])
    columns = 1 if current_size() == "column" else n_matrices
    rows = -(-n_matrices // columns)
    width = (1.6 + 1.15 * max(n_players, 3)) * columns + 1.0
    across, beside = _names(players.names, (drawn_width(width) - _AROUND) / columns)
    low = 0.6 if has_targets else 0.45
    height = n_players * row_height(beside, low if current_size() == "column" else 0.72)
    figure, grid = panels(width, height * rows, rows, columns)
    away = [np.abs(rates.estimate - 50).max(initial=_SPAN_MIN_PP) for rates in percent]
    norm = Normalize(50 - max(away), 50 + max(away))
    for position, (axes, (heading, _)) in enumerate(zip(grid, win_rates, strict=True)):
        axes.set_title(heading)
        _name(axes, players, across, beside if position % columns == 0 else None)
        _paint(axes, matrices[position], n_players, norm)
    _draw_scale(figure, grid, norm)
    reach = max(float((rates.high - rates.low).max(initial=0)) / 2 for rates in percent)
    caption = caption.format(reach=f"at most ±{reach:.1f} pp")
    half = float((bounds[1] - bounds[0]).min(initial=2.0)) * 50
    if half < 50:  # half-width of the narrowest band, in percentage points
        if np.ptp(bounds[1] - bounds[0]) < 1e-9 and 0 < bounds.min() <= bounds.max() < 1:
            caption += f" Band: target ±{half:g} pp."
        caption += "".join(
            f" {outline} outline: {verdict}, {VERDICT_WORDS[verdict].meaning}."
            for verdict, outline in (("outside", "Bold"), ("not shown", "Dashed"))
        )
    if has_targets:
        caption += " The last line of a cell gives a target other than 50 %."
    label(figure, title, caption)
    figure.lay_out()
    for axes, cells in zip(grid, matrices, strict=True):
        _write(axes, cells, n_players)
    return figure


def _names(players: Sequence[str], width: float) -> tuple[list[str], list[str]]:
    """Return the names of the columns and the names of the rows, folded into lines.

    If the columns are too narrow for names, as many as fit show numbers instead, and the name of
    each row begins with its number.

    Args:
        players: names of the players.
        width: width of a matrix, including the names of its rows, in points.
    """
    n_players = len(players)
    names = list(players)
    most = min(110.0, 0.36 * width)
    column = (
        width - max(text_width(folded(name, most, size=SMALL)) for name in names)
    ) / n_players - _PAD
    across = [folded(name, column, size=SMALL, most_lines=4) for name in names]
    words = [word for name in names for word in name.replace("_", "_ ").split()]
    if max(map(text_width, words)) > column:
        names = [f"{k}.\N{NO-BREAK SPACE}{name}" for k, name in enumerate(names, start=1)]
        every = ceil(text_width(str(n_players)) / max(column + _PAD - _BETWEEN, 1))
        across = [str(k) if k % every == 0 else "" for k in range(1, n_players + 1)]
    return across, [folded(name, most, size=SMALL, most_lines=3) for name in names]


def _name(
    axes: Axes, players: _Players, across: Sequence[str], beside: Sequence[str] | None
) -> None:
    """Write the names of the columns and rows of a matrix.

    Args:
        axes: panel of the matrix.
        players: players of the matrix, with the labels of the axes.
        across: names of the columns.
        beside: names of the rows; `None` if the panel to the left already shows them.
    """
    n_players = len(across)
    axes.set_xticks(range(n_players), across, fontsize=SMALL)
    axes.set_yticks(range(n_players), beside or [""] * n_players, fontsize=SMALL)
    axes.set(
        xlim=(-0.5, n_players - 0.5),
        ylim=(n_players - 0.5, -0.5),
        xlabel=players.column,
        ylabel=players.row if beside else "",
    )
    axes.tick_params(length=0)
    axes.grid(visible=False)
    axes.spines[:].set_visible(False)


class _Cell(NamedTuple):
    """Cell of a matrix: a matchup from the viewpoint of the row's player.

    Attributes:
        row: index of the row's player.
        column: index of the column's player.
        rate: estimate, lower and upper bound of the row player's win rate, in percent.
        least: demanded lower bound of the win rate, as a fraction.
        most: demanded upper bound of the win rate, as a fraction.
        is_dashed: whether the outline is dashed for any bounds.
    """

    row: int
    column: int
    rate: tuple[float, float, float]
    least: float
    most: float
    is_dashed: bool = False

    @property
    def wanted(self) -> str:
        """Target of the win rate as text; empty if the band is centred on 50 %."""
        if abs(self.least + self.most - 1) < 1e-9:  # bounds are floats with rounding errors
            return ""
        return wanted_words(self.least, self.most).partition(" ±")[0]

    def written(self, form: str) -> str:
        """Return a format string filled with the cell's values in percent.

        Args:
            form: format with the fields 0 (estimate), 1 and 2 (bounds), 3 (target) and 4 (half of
                the interval's width).
        """
        _, low, high = self.rate
        return form.format(*self.rate, self.wanted, (high - low) / 2)


def _cells(players: _Players, rates: Interval, bounds: Floats, dashed: Flags | None) -> list[_Cell]:
    """Return two cells per matchup, one from the viewpoint of each player.

    Args:
        players: players and matchups.
        rates: win rates of the first players in percent, shape ``[M]``.
        bounds: lower and upper bounds of the win rates as fractions, shape ``[2, M]``.
        dashed: matchups with a dashed outline for any bounds, shape ``[M]``.
    """
    cells = []
    for m, (a, b) in enumerate(players.matchups):
        is_dashed = dashed is not None and bool(dashed[m])
        estimate, low, high = (float(bound[m]) for bound in rates)
        least, most = bounds[:, m]
        cells.append(_Cell(a, b, (estimate, low, high), least, most, is_dashed))
        turned = (100 - estimate, 100 - high, 100 - low)
        cells.append(_Cell(b, a, turned, 1 - most, 1 - least, is_dashed))
    return cells


def _paint(axes: Axes, cells: Sequence[_Cell], n_players: int, norm: Normalize) -> None:
    """Colour the cells by win rate, and outline cells with rates not inside their bounds.

    The outline is solid if the interval is outside, dashed if it crosses a bound.
    """
    win_rates = np.full((n_players, n_players), np.nan)
    for cell in cells:
        win_rates[cell.row, cell.column] = cell.rate[0]
        rate = Interval(*(np.array(bound) / 100 for bound in cell.rate))
        verdict = band_verdict(rate, cell.least, cell.most)
        if verdict != "inside" or cell.is_dashed:
            corner = (cell.column - 0.46, cell.row - 0.45)
            line = "-" if verdict == "outside" else (0, (3, 2))
            axes.add_patch(Rectangle(corner, 0.92, 0.90, fc="none", ec=DARK, lw=1.8, ls=line))
    for player in range(n_players):
        axes.add_patch(Rectangle((player - 0.5, player - 0.5), 1, 1, fc=PALE, ec="white", lw=1.5))
    edges = np.arange(n_players + 1) - 0.5
    axes.pcolormesh(
        edges, edges, win_rates, cmap=_PALETTE, norm=norm, edgecolors="white", lw=1.5, zorder=0
    )


def _draw_scale(figure: Figure, grid: list[Axes], norm: Normalize) -> None:
    """Draw the colour bar: below the matrices in a narrow column, else to the right."""
    below = current_size() == "column"
    bar = figure.colorbar(
        ScalarMappable(norm, _PALETTE),
        ax=grid,
        location="bottom" if below else "right",
        aspect=30 if below else 18,
        pad=0.02,
    )
    bar.set_label("win rate of the row's player (%)")
    bar.outline.set_visible(False)


def _write(axes: Axes, cells: Sequence[_Cell], n_players: int) -> None:
    """Write estimates into the cells, and below them intervals and targets, as far as they fit.

    Args:
        axes: panel of the matrix after the layout, so that the size of its cells is final.
        cells: cells of the matrix, without the diagonal.
        n_players: number of rows and of columns of the matrix.
    """
    box = axes.get_window_extent().transformed(axes.figure.dpi_scale_trans.inverted())
    width = 72 * box.width / n_players - _PAD
    height = 72 * box.height / n_players - _PAD

    def fitting(forms: Sequence[tuple[str, str]], room: float) -> list[tuple[str, str]]:
        """Return a list with the first format that fits into all cells; empty if none fits."""
        for form, size in forms:
            if all(text_width(cell.written(form), size) <= room for cell in cells):
                return [(form, size)]
        return []

    estimate = fitting(_ESTIMATES, width) or fitting(_ESTIMATES[-1:], width + _PAD - _BETWEEN)
    if not estimate:
        return
    below = fitting(_INTERVALS, width)
    wanted = fitting(_WANTED, width)
    points = 1.3 * FontProperties(size=SMALL).get_size_in_points()  # distance between two lines
    line = points / (height + _PAD)
    for cell in cells:
        small = (below + (wanted if cell.wanted else []))[: int(height / points) - 1]
        top = cell.row - 0.5 * len(small) * line
        for place, (form, size) in enumerate([*estimate, *small]):
            axes.text(
                cell.column, top + place * line, cell.written(form), ha="center", va="center",
                fontsize=size,
            )  # fmt: skip
    for player in range(n_players):
        axes.text(player, player, "50", ha="center", va="center", fontsize=SMALL)
