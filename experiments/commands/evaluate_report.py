"""What `evenhand evaluate` reports of each learner in each pairing, in rows and tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any, NamedTuple

from balance import CardContest, Pairing
from balance.statistics.intervals import Interval, difference_of_shares
from experiments.learning.places import SCRIPTED, pairing_columns, pairing_title, rate_entry
from experiments.learning.playing_style import PlayingStyle
from experiments.screen import Shown, Table, entry_of, percent, points

ROLLOUT = "rollout:200"
ROLLOUT_ON_REFERENCE = "rollout:16"


# Who plays which deck against whom: the first columns of every table.
_PLACE = ("learner", "deck", "opponent", "opponent_agent", "seat", "agent")
RATE_COLUMNS = (*_PLACE, "win_rate", "low", "high", "n")
ACTION_COLUMNS = (
    *(*_PLACE, "action", "what", "group", "times"),
    *("per_game", "share_of_actions", "n"),
)
CARD_PLAY_COLUMNS = (
    *(*_PLACE, "card", "cost", "copies", "copies_drawn", "copies_played"),
    *("share_played", "share_low", "share_high", "n"),
)
Row = tuple[Any, ...]


@dataclass(frozen=True)
class Evaluated:
    """A learner in one of its pairings.

    Attributes:
        learner: its name.
        pairing: its deck, opponent and seat.
        rates: ``{agent: (win rate, games)}`` of the learner, the scripts, and the searches.
        styles: ``{agent: how it plays}`` of the learner and the scripts.
    """

    learner: str
    pairing: Pairing
    rates: dict[str, tuple[Interval, int]]
    styles: dict[str, PlayingStyle]

    @property
    def best_scripted(self) -> str:
        """The script that wins most often here."""
        return max(SCRIPTED, key=self._rate)

    @property
    def rollout(self) -> str | None:
        """The search that wins most often here, if any played."""
        searches = (one for one in self.rates if one.startswith("rollout:"))
        return max(searches, key=self._rate, default=None)

    @property
    def headroom_closed(self) -> float | None:
        """The share of the way from the best script to the best search; `None` if there is none."""
        worst = self._rate(self.best_scripted)
        best = worst if self.rollout is None else self._rate(self.rollout)
        return (self._rate(self.learner) - worst) / (best - worst) if best > worst else None

    def _rate(self, agent: str) -> float:
        return float(self.rates[agent][0].estimate)


def _called(one: Evaluated, agent: str) -> str:
    return "learned" if agent == one.learner else agent


def _place(contest: CardContest, one: Evaluated, agent: str) -> Row:
    return (one.learner, *pairing_columns(contest, one.pairing).values(), _called(one, agent))


def rate_rows(contest: CardContest, evaluated: Sequence[Evaluated]) -> list[Row]:
    """One row per pairing and agent."""
    return [
        (*_place(contest, one, agent), rate, n)
        for one in evaluated
        for agent, (rate, n) in one.rates.items()
    ]


def action_rows(contest: CardContest, evaluated: Sequence[Evaluated]) -> list[Row]:
    """One row per pairing, agent and action."""
    return [
        (
            *_place(contest, one, agent),
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


def card_rows(contest: CardContest, evaluated: Sequence[Evaluated]) -> list[Row]:
    """One row per pairing, agent and card."""
    cards = contest.table.pool.cards
    return [
        (
            *_place(contest, one, agent),
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


def pairing_entry(contest: CardContest, one: Evaluated) -> dict[str, Any]:
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
        "headroom_closed": one.headroom_closed,
        "style": {_called(one, agent): _style_entry(style) for agent, style in one.styles.items()},
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
    attacks = style.attacks_on_player
    length = style.game_length
    return {
        "attacks_on_player": entry_of(attacks, "share"),
        "cards_per_game": style.cards_per_game,
        "cards_per_turn": style.cards_per_turn,
        "turns": entry_of(length, "mean"),
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


def tables_of(contest: CardContest, one: Evaluated) -> list[Shown]:
    """How strong the learner is and how it plays, beside the others; which cards it holds back."""
    best = one.best_scripted
    pairing = pairing_title(contest, one.pairing)
    cards = [
        (
            contest.table.pool.cards[card.card].name,
            *map(percent, card[1:3]),
            points(card.difference),
        )
        for card in card_differences(one.styles[one.learner], one.styles[best])
        if card.difference.low > 0 or card.difference.high < 0
    ]
    who_plays = Table(
        f"{one.learner}: {pairing}: who plays the deck, and how (± half of the 95 % interval)",
        ("agent", "win rate, %", "games", "attacks on the player, %", "cards a game", "turns"),
        [
            (
                _called(one, agent),
                percent(rate),
                f"{n:,}",
                *(_style_cells(one.styles[agent]) if agent in one.styles else ("", "", "")),
            )
            for agent, (rate, n) in one.rates.items()
        ],
    )
    held_back = Table(
        f"Copies played of those drawn, where they surely differ from {best}'s",
        ("card", "learned, %", f"{best}, %", "pp"),
        cards,
    )
    shown: list[Shown] = ["", who_plays]
    if one.headroom_closed is not None:
        shown.append(f"Headroom to {one.rollout} closed: {one.headroom_closed:.2f}")
    return [*shown, "", held_back] if cards else shown


def _style_cells(style: PlayingStyle) -> tuple[str, str, str]:
    attacks = style.attacks_on_player
    return (
        "none" if isnan(attacks.estimate) else percent(attacks),
        f"{style.cards_per_game:.2f}",
        f"{float(style.game_length.estimate):.2f}",
    )
