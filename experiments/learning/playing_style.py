"""Playing style of an agent, described by counts of actions, played cards and game lengths."""

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
"""Groups of actions in all views of a game."""


class ActionKind(NamedTuple):
    """Description of one action of a view.

    Attributes:
        group: group of the action, one of `ALL_GROUPS`.
        place: position of the acting card or unit, from 1 for the oldest; 0 if the player acts, 1
            if nothing acts.
        words: description of the action, as text.
    """

    group: str
    place: int
    words: str


@dataclass(frozen=True)
class CardPlays:
    """Counts of drawn and played copies of one card in an agent's games.

    Attributes:
        card: index of the card in the pool.
        n_copies: number of copies in the deck.
        drawn: number of copies drawn, over all games.
        played: number of copies played, over all games.
    """

    card: int
    n_copies: int
    drawn: int
    played: int

    @property
    def share(self) -> Interval:
        """Share of the drawn copies that were played, with the 95 % interval of `copy_rate`."""
        return copy_rate(self.played, self.drawn, self.n_copies)


@dataclass(frozen=True)
class PlayingStyle:
    """Counts of an agent's actions, cards and turns in one pairing; A is the number of actions.

    Attributes:
        n_games: number of games.
        chosen: number of times that the agent chose each action, shape ``[A]``.
        own_turns: number of the agent's own turns, over all games.
        turns: number of games by length in turns of both seats, shape ``[TURN_BINS]``.
        cards: counts of each card of the deck, in deck order.
        kinds: description of each action, shape ``[A]``.
    """

    n_games: int
    chosen: Counts
    own_turns: int
    turns: Counts
    cards: tuple[CardPlays, ...]
    kinds: tuple[ActionKind, ...]

    def times(self, group: str) -> int:
        """Return the number of times that the agent chose an action of a group."""
        return int(self.chosen[[kind.group == group for kind in self.kinds]].sum())

    @property
    def attacks_on_player(self) -> Interval:
        """Share of the agent's attacks that target the player, with a 95 % interval.

        Attacks within a game depend on each other, so the interval is computed as if each game
        had at most one attack. If there are no attacks, the share is NaN.
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
        """Mean number of cards that the agent plays in a game."""
        return self.times(PLAY) / self.n_games

    @property
    def cards_per_turn(self) -> float:
        """Mean number of cards that the agent plays in one of its own turns; 0 without turns."""
        return self.times(PLAY) / max(self.own_turns, 1)

    @property
    def game_length(self) -> Interval:
        """Mean length of a game in turns of both seats, with its 95 % normal interval."""
        n = self.n_games
        lengths = np.arange(len(self.turns))
        total = int(self.turns @ lengths)
        squares = int(self.turns @ lengths**2)
        mean = total / n
        variance = (n * squares - total**2) / (n * max(n - 1, 1))
        half = z_score(CONFIDENCE) * np.sqrt(variance / n)
        return Interval(np.array(mean), np.array(mean - half), np.array(mean + half))


def actions_of(view: View) -> tuple[ActionKind, ...]:
    """Return the description of each action of a view, in the order of the action numbers.

    To replace a card in the mulligan, or to choose one of several cards, counts as playing it.
    """
    body = "minion" if isinstance(view, GeneralView) else "unit"
    return tuple(_kind(action, body) for action in action_descriptions(view))


def _kind(action: ActionDescription, body: str) -> ActionKind:
    """Return the description of an action, where `body` is the word for a unit in this view."""
    on_target = f" on {action.target}" if action.target else ""
    if action.verb == "attack":
        attacker = f"{body} {action.place}" if action.place else OWN_PLAYER
        target = action.target if body == "minion" else action.target.replace("enemy minion", body)
        group = ATTACK_PLAYER if action.target == PLAYER else ATTACK_UNIT
        return ActionKind(group, action.place, f"{attacker} attacks {target}")
    if action.verb == "play":
        option = f", option {action.option}" if action.option else ""
        return ActionKind(PLAY, action.place, f"play card {action.place}{option}{on_target}")
    if action.verb == "power":
        return ActionKind(POWER, action.place, f"use the hero power{on_target}")
    return ActionKind(END, action.place, "end the turn")


def playing_style(
    contest: CardContest, pairing: Pairing, outcomes: Outcomes, row: int
) -> PlayingStyle:
    """Return the playing style of an agent in a pairing.

    Args:
        contest: cards and players.
        pairing: pairing that the agent played.
        outcomes: results of the agent's games, which must include choices and cards.
        row: row of the pairing in the outcomes.
    """
    turns = outcomes.turns[row]
    # Turns are counted from 1, and seat 0 has the odd turns.
    return PlayingStyle(
        n_games=int(outcomes.n_games[row]),
        chosen=kept(outcomes.chosen)[row, pairing.seat],
        own_turns=int(turns @ ((np.arange(len(turns)) + 1 - pairing.seat) // 2)),
        turns=turns,
        cards=_card_plays(contest, pairing, kept(outcomes.seen)[row]),
        kinds=actions_of(contest.view),
    )


def _card_plays(contest: CardContest, pairing: Pairing, seen: Counts) -> tuple[CardPlays, ...]:
    """Return the counts of drawn and played copies for each card of the pairing's deck.

    Args:
        contest: cards and players.
        pairing: pairing that was played.
        seen: counts of cards kept by the games of the pairing.
    """
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
