"""What `evenhand evaluate` reports of each learner in each pairing, in rows and in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

import numpy as np

from balance.card_contest import CardContest
from balance.learning.learner import Pairing
from balance.statistics.intervals import Interval, difference_of_shares
from experiments.learning.baselines import SCRIPTED, pairing_columns, pairing_title, rate_entry
from experiments.learning.playing_style import PlayingStyle
from experiments.screen.wording import percent_between, points_between
from sim.cards.pool import Pool

ROLLOUT = "rollout:50"
N_CARDS = 3  # named in each direction


class Place(NamedTuple):
    """Who plays which deck against whom: the first columns of every table."""

    learner: str
    deck: str
    opponent: str
    opponent_agent: str
    seat: str
    agent: str


class RateRow(NamedTuple):
    """A win rate."""

    place: Annotated[Place, Place._fields]
    win_rate: Annotated[Interval, ("win_rate", "low", "high")]
    n: int


class ActionRow(NamedTuple):
    """An action: how often it was chosen."""

    place: Annotated[Place, Place._fields]
    action: int
    what: str
    group: str
    times: int
    per_game: float
    share_of_actions: float
    n: int


class CardPlayRow(NamedTuple):
    """A card: what became of its copies."""

    place: Annotated[Place, Place._fields]
    card: str
    cost: int
    copies: int
    copies_drawn: int
    copies_played: int
    share: Annotated[Interval, ("share_played", "share_low", "share_high")]
    n: int


@dataclass(frozen=True)
class Evaluated:
    """A learner in one of its pairings.

    Attributes:
        learner: its name.
        pairing: its deck, opponent and seat.
        rates: ``{agent: (win rate, games)}`` of the learner, the scripts, and the search agent.
        styles: ``{agent: how it plays}`` of the learner and the scripts.
    """

    learner: str
    pairing: Pairing
    rates: dict[str, tuple[Interval, int]]
    styles: dict[str, PlayingStyle]

    @property
    def best_scripted(self) -> str:
        """The script that wins most often here."""
        return max(SCRIPTED, key=lambda agent: float(self.rates[agent][0].estimate))

    @property
    def rollout(self) -> str | None:
        """The search agent, if it played."""
        return next((agent for agent in self.rates if agent.startswith(ROLLOUT)), None)


def _place(contest: CardContest, one: Evaluated, agent: str) -> Place:
    name = "learned" if agent == one.learner else agent
    return Place(one.learner, **pairing_columns(contest, one.pairing), agent=name)


def rate_rows(contest: CardContest, evaluated: Sequence[Evaluated]) -> list[RateRow]:
    """One row per pairing and agent."""
    return [
        RateRow(_place(contest, one, agent), rate, n)
        for one in evaluated
        for agent, (rate, n) in one.rates.items()
    ]


def action_rows(contest: CardContest, evaluated: Sequence[Evaluated]) -> list[ActionRow]:
    """One row per pairing, agent and action."""
    return [
        ActionRow(
            _place(contest, one, agent),
            action,
            style.kinds[action].words,
            style.kinds[action].group,
            times,
            times / style.n_games,
            times / int(style.chosen.sum()),
            style.n_games,
        )
        for one in evaluated
        for agent, style in one.styles.items()
        for action, times in enumerate(style.chosen.tolist())
    ]


def card_rows(contest: CardContest, evaluated: Sequence[Evaluated]) -> list[CardPlayRow]:
    """One row per pairing, agent and card."""
    cards = contest.table.pool.cards
    return [
        CardPlayRow(
            _place(contest, one, agent),
            cards[plays.card].id,
            cards[plays.card].cost,
            plays.n_copies,
            plays.drawn,
            plays.played,
            plays.share,
            style.n_games,
        )
        for one in evaluated
        for agent, style in one.styles.items()
        for plays in style.cards
    ]


def text_of(contest: CardContest, one: Evaluated) -> str:
    """How the learner plays, in sentences."""
    best = one.best_scripted
    rates = [
        ("The learned agent", *one.rates[one.learner]),
        (f"The best script in its place, {best},", *one.rates[best]),
    ]
    if one.rollout:
        rates.append((f"The search agent {one.rollout}", *one.rates[one.rollout]))
    return strategy_text(
        contest.table.pool,
        f"{one.learner}: {pairing_title(contest, one.pairing)}",
        one.styles[one.learner],
        one.styles[best],
        rates,
    )


def entry_of(contest: CardContest, one: Evaluated) -> dict[str, Any]:
    """A pairing in the summary."""
    rollout = None
    if one.rollout:
        rollout = {"agent": one.rollout, **rate_entry(*one.rates[one.rollout])}
    return {
        **pairing_columns(contest, one.pairing),
        "learned": rate_entry(*one.rates[one.learner]),
        "scripted": {agent: rate_entry(*one.rates[agent]) for agent in SCRIPTED},
        "best_scripted": one.best_scripted,
        "rollout": rollout,
        "style": {
            "learned" if agent == one.learner else agent: _style_entry(style)
            for agent, style in one.styles.items()
        },
        "cards_played": [
            {
                "card": contest.table.pool.cards[card.card].id,
                "learned": float(card.mine.estimate),
                "scripted": float(card.theirs.estimate),
                "difference_pp": 100 * float(card.difference.estimate),
                "low_pp": 100 * float(card.difference.low),
                "high_pp": 100 * float(card.difference.high),
            }
            for card in card_differences(one.styles[one.learner], one.styles[one.best_scripted])
        ],
    }


def _style_entry(style: PlayingStyle) -> dict[str, Any]:
    attacks, length = style.attacks_on_player, style.game_length
    return {
        "attacks_on_player": dict(zip(("share", "low", "high"), map(float, attacks), strict=True)),
        "cards_per_game": style.cards_per_game,
        "cards_per_turn": style.cards_per_turn,
        "turns": dict(zip(("mean", "low", "high"), map(float, length), strict=True)),
        "n": style.n_games,
    }


class CardDifference(NamedTuple):
    """How much more of a card's drawn copies one agent plays than another."""

    card: int
    mine: Interval
    theirs: Interval
    difference: Interval


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
    held = [one for one in cards if one.difference.high < 0][:N_CARDS]
    more = [one for one in reversed(cards) if one.difference.low > 0][:N_CARDS]
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
    if not held and not more:
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
