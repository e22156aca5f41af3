"""In plain sentences: how a learned agent plays otherwise than a script in its place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from balance.statistics.intervals import Interval, difference_of_shares
from experiments.learning.playing_style import PlayingStyle
from experiments.screen.interval_text import percent_between, points_between
from sim.cards.pool import Pool

N_CARDS = 3  # named in each direction


class CardDifference(NamedTuple):
    """How much more of a card's drawn copies one agent plays than another."""

    card: int
    mine: Interval
    theirs: Interval
    difference: Interval

    @property
    def is_clear(self) -> bool:
        """Whether the interval leaves out 0."""
        return bool(self.difference.low > 0 or self.difference.high < 0)


def card_differences(mine: PlayingStyle, theirs: PlayingStyle) -> list[CardDifference]:
    """Every card that both drew, the one that `mine` plays least in comparison first."""
    found = [
        CardDifference(
            own.card, own.share, other.share, difference_of_shares(own.share, other.share)
        )
        for own, other in zip(mine.cards, theirs.cards, strict=True)
        if own.drawn and other.drawn
    ]
    return sorted(found, key=lambda one: float(one.difference.estimate))


def strategy_text(
    pool: Pool,
    title: str,
    mine: PlayingStyle,
    theirs: PlayingStyle,
    rates: Sequence[tuple[str, Interval, int]],
) -> str:
    """A paragraph on one pairing.

    Args:
        pool: the cards.
        title: the pairing in words.
        mine: how the learned agent plays.
        theirs: how the best script in its place plays, in the same games.
        rates: win rates to begin with: who, how often, over how many games.
    """
    cards = card_differences(mine, theirs)
    clear = [one for one in cards if one.is_clear]
    held = [one for one in clear if one.difference.high < 0][:N_CARDS]
    more = [one for one in reversed(clear) if one.difference.low > 0][:N_CARDS]
    lines = [
        title,
        *(f"  {who} wins {percent_between(rate)} (n = {n:,})." for who, rate, n in rates),
        f"  What follows compares {mine.agent} with {theirs.agent} in the same "
        f"{mine.n_games:,} games.",
        _attacks(mine, theirs),
        f"  Cards: it plays {mine.cards_per_game:.2f} a game and {mine.cards_per_turn:.2f} a turn "
        f"of its own; {theirs.agent} {theirs.cards_per_game:.2f} and {theirs.cards_per_turn:.2f}.",
        _length(mine, theirs),
        *(_card(pool, "Held back", one, theirs.agent) for one in held),
        *(_card(pool, "Played more", one, theirs.agent) for one in more),
    ]
    if not clear:
        lines.append("  No card's share of drawn copies that are played differs clearly.")
    return "\n".join(lines) + "\n"


def _attacks(mine: PlayingStyle, theirs: PlayingStyle) -> str:
    share, other = mine.attacks_on_player, theirs.attacks_on_player
    if np.isnan(share.estimate) or np.isnan(other.estimate):
        who = mine.agent if np.isnan(share.estimate) else theirs.agent
        return f"  Attacks: {who} never attacks."
    own, scripts = percent_between(share), percent_between(other)
    gap = points_between(difference_of_shares(share, other))
    return (
        f"  Attacks: {own} of its attacks go to the player, {scripts} of {theirs.agent}'s: {gap}."
    )


def _length(mine: PlayingStyle, theirs: PlayingStyle) -> str:
    lengths = [style.game_length for style in (mine, theirs)]
    own, other = (
        f"{float(one.estimate):.2f} turns ({float(one.low):.2f} to {float(one.high):.2f})"
        for one in lengths
    )
    return f"  Length: its games last {own}, {theirs.agent}'s {other}, both seats together."


def _card(pool: Pool, what: str, one: CardDifference, other: str) -> str:
    mine, theirs = (100 * float(share.estimate) for share in (one.mine, one.theirs))
    return (
        f"  {what}: {pool.cards[one.card].name}, {mine:.1f} % of the copies drawn, "
        f"{other} {theirs:.1f} %: {points_between(one.difference)}."
    )
