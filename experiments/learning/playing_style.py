"""How an agent plays, from counts: what it chooses, which cards it plays, how long games last."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from balance import CardContest, Pairing
from balance.statistics.intervals import CONFIDENCE, Interval, copy_rate, wilson, z_score
from sim.observation.general_view import GeneralView
from sim.observation.view import OWN_PLAYER, PLAYER, ActionDescription, View, action_descriptions
from sim.play.outcomes import Counts, Outcomes, kept, slot_counts

PLAY = "play a card"
ATTACK_PLAYER = "attack the player"
ATTACK_UNIT = "attack a unit"
END = "end"
POWER = "use the hero power"
ALL_GROUPS = (PLAY, ATTACK_PLAYER, ATTACK_UNIT, POWER, END)
"""Of all actions that any view has."""


class ActionKind(NamedTuple):
    """What one action of a view is.

    Attributes:
        group: which of `ALL_GROUPS` it belongs to.
        place: of the card or unit that acts, from 1, the oldest; 0 for the player, 1 where
            nothing acts.
        words: what it does.
    """

    group: str
    place: int
    words: str


@dataclass(frozen=True)
class CardPlays:
    """What became of the copies of one card.

    Attributes:
        card: its position in the pool.
        n_copies: in the deck.
        drawn: copies drawn, over all games.
        played: copies played.
    """

    card: int
    n_copies: int
    drawn: int
    played: int

    @property
    def share(self) -> Interval:
        """Share of the drawn copies that were played, as cautious as `copy_rate`."""
        return copy_rate(self.played, self.drawn, self.n_copies)


@dataclass(frozen=True)
class PlayingStyle:
    """How one agent played in one pairing.

    Attributes:
        n_games: games counted.
        chosen: ``[A]`` how often it chose each action.
        own_turns: turns it had, over all games.
        turns: ``[TURN_BINS]`` games by their length in turns, both seats together.
        cards: its deck's cards, in deck order.
        kinds: ``[A]`` what the actions are.
    """

    n_games: int
    chosen: Counts
    own_turns: int
    turns: Counts
    cards: tuple[CardPlays, ...]
    kinds: tuple[ActionKind, ...]

    def times(self, group: str) -> int:
        """How often it chose an action of a group."""
        return int(self.chosen[[kind.group == group for kind in self.kinds]].sum())

    @property
    def attacks_on_player(self) -> Interval:
        """Share of its attacks that go to the player.

        A game's attacks depend on each other, so the interval is that of one attack per game.
        """
        on_player = self.times(ATTACK_PLAYER)
        on_units = self.times(ATTACK_UNIT)
        n = on_player + on_units
        if n == 0:
            return Interval(np.array(np.nan), np.array(0.0), np.array(1.0))
        n_independent = min(n, self.n_games)
        return wilson(on_player / n * n_independent, n_independent)

    @property
    def cards_per_game(self) -> float:
        """Cards that it plays in a game."""
        return self.times(PLAY) / self.n_games

    @property
    def cards_per_turn(self) -> float:
        """Cards that it plays in a turn of its own."""
        return self.times(PLAY) / max(self.own_turns, 1)

    @property
    def game_length(self) -> Interval:
        """Mean length of its games in turns, both seats together, with its normal interval."""
        n = self.n_games
        lengths = np.arange(len(self.turns))
        total = int(self.turns @ lengths)
        squares = int(self.turns @ lengths**2)
        mean = total / n
        variance = (n * squares - total**2) / (n * max(n - 1, 1))
        half = z_score(CONFIDENCE) * np.sqrt(variance / n)
        return Interval(np.array(mean), np.array(mean - half), np.array(mean + half))


def actions_of(view: View) -> tuple[ActionKind, ...]:
    """The actions of a view, in the order of their numbers.

    Replacing a card in the mulligan, and choosing one, count as playing it.
    """
    body = "minion" if isinstance(view, GeneralView) else "unit"
    return tuple(_kind(deed, body) for deed in action_descriptions(view))


def _kind(deed: ActionDescription, body: str) -> ActionKind:
    on = f" on {deed.target}" if deed.target else ""
    if deed.verb == "attack":
        who = f"{body} {deed.place}" if deed.place else OWN_PLAYER
        whom = deed.target if body == "minion" else deed.target.replace("enemy minion", body)
        group = ATTACK_PLAYER if deed.target == PLAYER else ATTACK_UNIT
        return ActionKind(group, deed.place, f"{who} attacks {whom}")
    if deed.verb == "play":
        option = f", option {deed.option}" if deed.option else ""
        return ActionKind(PLAY, deed.place, f"play card {deed.place}{option}{on}")
    if deed.verb == "power":
        return ActionKind(POWER, deed.place, f"use the hero power{on}")
    return ActionKind(END, deed.place, "end the turn")


def playing_style(
    contest: CardContest, pairing: Pairing, outcomes: Outcomes, row: int
) -> PlayingStyle:
    """How an agent played in the learner's place, from row `row` of its games."""
    turns = outcomes.turns[row]
    # Seat 0 has the odd turns, counted from 1.
    return PlayingStyle(
        n_games=int(outcomes.n_games[row]),
        chosen=kept(outcomes.chosen)[row, pairing.seat],
        own_turns=int(turns @ ((np.arange(len(turns)) + 1 - pairing.seat) // 2)),
        turns=turns,
        cards=_card_plays(contest, pairing, kept(outcomes.seen)[row]),
        kinds=actions_of(contest.view),
    )


def _card_plays(contest: CardContest, pairing: Pairing, seen: Counts) -> tuple[CardPlays, ...]:
    slots = np.array(contest.players[pairing.deck].deck.slots(contest.table.pool))
    counts = slot_counts(seen, pairing.seat)
    drawn = (counts.drawn_opening + counts.drawn_later)[: len(slots)]
    played = counts.played[: len(slots)]
    return tuple(
        CardPlays(
            card,
            int((slots == card).sum()),
            int(drawn[slots == card].sum()),
            int(played[slots == card].sum()),
        )
        for card in dict.fromkeys(slots.tolist())
    )
