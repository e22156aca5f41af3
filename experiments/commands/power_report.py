"""Tables, figures and sentences about the power of cards, for `evenhand power` and `balance`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NamedTuple

import numpy as np

from balance import CardContest, Floats, Interval, rank_correlation
from balance.cards.power import Baseline, CardPower
from experiments import plots
from experiments.screen import Shown, Table, between, percent, points


class RankRow(NamedTuple):
    """Row of `rank_correlation.csv`: agreement of two agents on the order of a deck's cards.

    Attributes:
        player: name of the player with the deck.
        baseline: replacement of the removed cards: `skip` or `vanilla`.
        agent: name of the agent that measured power.
        against: name of the player's own agent, which also measured power.
        spearman: rank correlation of power per copy, with its 95 % interval; NaN if unknown.
        n_cards: number of cards in the order.
    """

    player: str
    baseline: str
    agent: str
    against: str
    spearman: Annotated[Interval, ("spearman", "low", "high")]
    n_cards: int


def rank_rows(
    contest: CardContest,
    powers: Sequence[CardPower],
    own: CardContest,
    own_powers: Sequence[CardPower],
    baseline: str,
) -> list[RankRow]:
    """Return the rank correlation of two measurements of power for each player.

    Args:
        contest: the players with the agents that measured `powers`.
        powers: power of each card.
        own: the same players with their own agents.
        own_powers: power of each card, measured by the players' own agents.
        baseline: replacement of the removed cards in both measurements.
    """
    rows = []
    for position, player in enumerate(contest.players):
        x, y = (
            np.array([float(card.per_copy.estimate) for card in side if card.player == position])
            for side in (powers, own_powers)
        )
        agreement = rank_correlation(x, y)
        # Fewer than four cards, or cards of equal power, have no rank correlation.
        rho = Interval(*[np.full((), np.nan)] * 3) if agreement is None else agreement
        agents = player.agent.name, own.players[position].agent.name
        rows.append(RankRow(player.name, baseline, *agents, rho, len(x)))
    return rows


def power_tables(
    contest: CardContest,
    powers: Sequence[CardPower],
    baseline: str,
    exploited: Mapping[str, str],
) -> list[Shown]:
    """Return a table of card powers for each player, and a line on how exploitable its pilot is.

    The cards are sorted by decreasing power.

    Args:
        contest: the players with the agents that measured power.
        powers: power of each card.
        baseline: replacement of the removed cards.
        exploited: a sentence on how exploitable the pilot is, by name of a player with a trained
            pilot.
    """
    cards = contest.table.pool.cards
    best_first = sorted(powers, key=lambda power: -float(power.power.estimate))
    shown: list[Shown] = []
    for position, player in enumerate(contest.players):
        of_player = [power for power in best_first if power.player == position]
        table = Table(
            f"Power in {player.name} ({player.agent.name}, baseline {baseline}, "
            f"{of_player[0].n_games:,} paired games per card, ± half of the 95 % interval)",
            ("card", "cost", "copies", "power, pp", "per copy, pp", "when played, %"),
            [
                (
                    cards[power.card].name,
                    str(cards[power.card].cost),
                    str(power.n_copies),
                    points(power.power),
                    f"{100 * float(power.per_copy.estimate):+.1f}",
                    percent(power.when_played),
                )
                for power in of_player
            ],
        )
        shown.append(table)
        if player.name in exploited:
            shown.append(exploited[player.name])
    return shown


def conclusion(contest: CardContest, measured: Mapping[Baseline, Sequence[CardPower]]) -> str:
    """Return a sentence on the card with the largest power, by the first baseline of `measured`.

    Only cards with an interval that excludes 0 are considered. If there are none, the sentence
    reports this.
    """
    baseline = next(iter(measured))
    powers = measured[baseline]
    n_games = f"{powers[0].n_games:,} paired games per card"
    clear = [card for card in powers if card.power.low > 0 or card.power.high < 0]
    if not clear:
        return (
            f"No card's power is shown to differ from zero (baseline {baseline}, {n_games}); a "
            "larger [games] power would help"
        )
    most = max(clear, key=lambda card: abs(float(card.power.estimate)))
    card = contest.table.pool.cards[most.card].name
    deck = contest.players[most.player].name
    by_baseline = ", ".join(
        f"{points(power.power)} pp (baseline {name})"
        for name, powers_of_baseline in measured.items()
        for power in powers_of_baseline
        if (power.player, power.card) == (most.player, most.card)
    )
    return (
        f"The card with the largest power is {card} in {deck}: {by_baseline}, ± half of the 95 % "
        f"interval; {len(clear)} of {len(powers)} cards are shown to differ from zero "
        f"({baseline}, {n_games})"
    )


def correlation_words(rho: Floats, low: Floats, high: Floats) -> str:
    """Return a correlation with its interval as text; `unknown` if the correlation is NaN."""
    return "unknown" if np.isnan(rho) else between((rho, low, high), form="+.2f")


def draw_power(
    contest: CardContest,
    powers: Sequence[CardPower],
    name: str,
    baseline: str,
    *,
    kept: Sequence[int] | None = None,
) -> Any:
    """Return a bar chart of a power measurement.

    Args:
        contest: the players with the agents that measured power.
        powers: power of each card.
        name: name of the experiment, for the title.
        baseline: replacement of the removed cards, for the title.
        kept: indices of the cards that narrowing kept, to be marked; `None` marks no card.
    """
    return plots.power_bars(
        contest, powers, title=f"{name}: leave-one-out card power ({baseline})", kept=kept
    )
