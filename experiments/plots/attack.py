"""What decks built against the mix win, and what they leave to the original decks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from balance.decks.double_oracle import Attack
from balance.statistics.intervals import CONFIDENCE
from experiments.plots.style import (
    BLUE,
    GREY,
    VERMILION,
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

_WIDTH = 8.4  # inches on a screen
_PHASES = {"before": ("today's cards", "o", GREY, -0.14), "after": ("patched", "s", BLUE, 0.14)}


@house_style()
def attack_plot(attacks: Sequence[tuple[str, Attack]], *, margin_pp: float, title: str) -> Figure:
    """Win rates of the built decks round by round, and everybody's share in the end.

    Args:
        attacks: by phase, `before` and `after`.
        margin_pp: how much above 50 % a deck must certainly win to join.
        title: of the figure.
    """
    names = list(dict.fromkeys(p.name for _, attack in attacks for p in attack.contest.players))
    columns = fit_columns(2, most=2, narrowest=3)
    rows = 2 // columns
    room = (0.17 if columns == 2 else 0.36) * drawn_width(_WIDTH)
    lines = [tick_name(name, room, most_lines=2) for name in names]
    row_height = 0.38 if any("\n" in line for line in lines) else 0.3
    height = max(2.2, 0.75 + row_height * len(names)) * rows
    figure, (left, right) = panels(_WIDTH, height, rows, columns)
    for phase, attack in attacks:
        _draw_rounds(left, phase, attack)
        _draw_shares(right, phase, attack, names)
    left.axhline(50, color=GREY, lw=1, zorder=0)
    left.axhline(
        50 + margin_pp, color=VERMILION, lw=1, ls="--", zorder=0, label="joins if certainly above"
    )
    left.xaxis.set_major_locator(MaxNLocator("auto", integer=True, min_n_ticks=1))
    left.set(
        xlim=(0.5, max(len(attack.rounds) for _, attack in attacks) + 0.5),
        xlabel="round (number)",
        ylabel="win rate against the mix (%)",
        title="Built decks, each against those before it",
    )
    right.set(xlim=(-7, 107), xlabel="share (%)", ylabel="player", title="Who is played in the end")
    name_rows(right, lines)
    label(figure, title, _caption(attacks), legend_of=left)
    return figure


def _draw_rounds(axes: Axes, phase: str, attack: Attack) -> None:
    name, marker, colour, aside = _PHASES[phase]
    where = np.array([entry.round for entry in attack.rounds]) + aside / 2
    rates = stacked(((one.win_rate, one.low, one.high) for one in attack.rounds), 100)
    axes.errorbar(
        where, rates.estimate, yerr=whiskers(*rates), fmt=f"{marker}-", color=colour, mfc=colour,
        lw=1.1, elinewidth=1.4, capsize=2.5, label=name,
    )  # fmt: skip
    out = np.array([not entry.added for entry in attack.rounds])
    axes.plot(where[out], rates.estimate[out], marker, mec=colour, mfc="white", mew=1.3, zorder=4)


def _draw_shares(axes: Axes, phase: str, attack: Attack, names: Sequence[str]) -> None:
    _, marker, colour, aside = _PHASES[phase]
    where = np.array([names.index(player.name) for player in attack.contest.players]) + aside
    shares = attack.metagame.shares.times(100)
    axes.errorbar(
        shares.estimate, where, xerr=whiskers(*shares), fmt=marker, color=colour, elinewidth=1.4,
        capsize=2.5, clip_on=False,
    )  # fmt: skip


def _caption(attacks: Sequence[tuple[str, Attack]]) -> str:
    games = counted([entry.n for _, attack in attacks for entry in attack.rounds])
    in_matrix = counted([attack.metagame.n_games for _, attack in attacks])
    return (
        "Hollow: too weak to join. Attackers of one number are different decks today and patched. "
        f"Whiskers: {level(CONFIDENCE)} intervals; n = {games} games of each built deck, "
        f"{in_matrix} games per matchup behind the shares."
    )
