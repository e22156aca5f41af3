"""Playing styles of agents: counts of actions and of played cards, and lengths of games."""

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
"""Groups of actions, into which the actions of all views are divided."""


class ActionKind(NamedTuple):
    """Group and description of one action of a view.

    Attributes:
        group: group of the action, one of `ALL_GROUPS`.
        place: position of the acting card or unit, counted from 1 for the oldest; 0 if the player
            attacks, 1 for the hero power and the end of the turn.
        words: description of the action, such as "play card 2".
    """

    group: str
    place: int
    words: str


@dataclass(frozen=True)
class CardPlays:
    """Numbers of drawn and played copies of one card of an agent's deck.

    Attributes:
        card: number of the card in the pool.
        n_copies: number of copies in the deck.
        drawn: number of copies drawn, summed over all games.
        played: number of copies played, summed over all games.
    """

    card: int
    n_copies: int
    drawn: int
    played: int

    @property
    def share(self) -> Interval:
        """Share of the drawn copies that were played, with its interval by `copy_rate`."""
        return copy_rate(self.played, self.drawn, self.n_copies)


@dataclass(frozen=True)
class PlayingStyle:
    """Counts of an agent's actions, turns and cards in its games of one pairing.

    Attributes:
        n_games: number of games.
        chosen: number of times that the agent chose each action, shape ``[A]``.
        own_turns: number of the agent's turns, summed over all games.
        turns: number of games by their length in turns of both seats, shape ``[TURN_BINS]``.
        cards: counts of the deck's cards, in deck order.
        kinds: group and description of each action, ``A`` of them.
    """

    n_games: int
    chosen: Counts
    own_turns: int
    turns: Counts
    cards: tuple[CardPlays, ...]
    kinds: tuple[ActionKind, ...]

    def times(self, group: str) -> int:
        """Return the number of times that the agent chose an action of a group.

        Args:
            group: one of `ALL_GROUPS`.
        """
        return int(self.chosen[[kind.group == group for kind in self.kinds]].sum())

    @property
    def attacks_on_player(self) -> Interval:
        """Share of the agent's attacks that target the enemy player, with its Wilson interval.

        Since the attacks of a game depend on each other, the interval is computed for at most one
        attack per game. Without attacks, the share is NaN with the interval 0..1.
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
        """Mean number of cards that the agent plays per game."""
        return self.times(PLAY) / self.n_games

    @property
    def cards_per_turn(self) -> float:
        """Mean number of cards that the agent plays per turn of its own; 0 if it had no turn."""
        return self.times(PLAY) / max(self.own_turns, 1)

    @property
    def game_length(self) -> Interval:
        """Mean length of a game in turns of both seats, with a normal 95 % interval."""
        n = self.n_games
        lengths = np.arange(len(self.turns))
        total = int(self.turns @ lengths)
        squares = int(self.turns @ lengths**2)
        mean = total / n
        variance = (n * squares - total**2) / (n * max(n - 1, 1))
        half = z_score(CONFIDENCE) * np.sqrt(variance / n)
        return Interval(np.array(mean), np.array(mean - half), np.array(mean + half))


def actions_of(view: View) -> tuple[ActionKind, ...]:
    """Return the group and the description of each action of a view, in the order of their numbers.

    A card that is replaced in the mulligan, or chosen from several cards, counts as played, since
    these actions share their numbers.
    """
    body = "minion" if isinstance(view, GeneralView) else "unit"
    return tuple(_kind(action, body) for action in action_descriptions(view))


def _kind(action: ActionDescription, body: str) -> ActionKind:
    """Return the group and the description of an action.

    Args:
        action: action of a view.
        body: word for a minion in this game, `minion` or `unit`.
    """
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
    """Return the playing style of an agent in one pairing.

    Args:
        contest: cards and players.
        pairing: deck, opponent and seat of the agent.
        outcomes: results of the agent's games, with `actions` and `cards` kept.
        row: row of the pairing in the outcomes.
    """
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
    """Return the numbers of drawn and played copies of each card of the learner's deck.

    Args:
        contest: cards and players.
        pairing: deck, opponent and seat of the learner.
        seen: counts by slot of the deck, one row of `Outcomes.seen`.
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
