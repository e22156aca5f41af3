"""Interactive games of Big Two between a person and three agents."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from textwrap import wrap
from typing import Any

import numpy as np

from sim.big_two import layout as to
from sim.big_two.cards import N_SEATS, PASS, SIZES, cards_in, places_of, set_of, set_text
from sim.big_two.game_log import GameLogWriter, agents_action, log_game, needs_words
from sim.big_two.games import FIRST_GAME, BigTwoAgent, Games
from sim.big_two.rules import BigTwoRules
from sim.big_two.sets import kind_of
from sim.game_log.game_session import Choice, GameSession, Option

_SINGLES = 1


class BigTwoSession(GameSession):
    """Interactive game of Big Two between a person and three agents."""

    def __init__(
        self,
        rules: BigTwoRules,
        agents: Sequence[BigTwoAgent],
        names: Sequence[str],
        *,
        seat: int,
        seed: int,
        rotation: int,
        width: int,
    ) -> None:
        """Prepare the game; `begin` deals it and plays until the person must choose.

        Args:
            rules: rules of the game.
            agents: agent of each seat; the agent of the person's seat is not used.
            names: name of the player in each seat.
            seat: seat of the person.
            seed: 64-bit seed of the game.
            rotation: number of seats, 0 to 3, by which the hands are rotated.
            width: maximum number of characters per line.
        """
        self.seat = seat
        self._agents = agents
        self._width = width
        self._seed = seed
        self._rotation = rotation
        self._games = Games(rules, 1)
        self._names = list(names)
        seats = ["you" if k == seat else f"{name} (seat {k})" for k, name in enumerate(names)]
        self._log_writer = GameLogWriter(self._games, seats, seat)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, which it does when a seat has played all its cards."""
        return bool(self._games.winner[0] != to.NOBODY)

    def choices(self) -> list[Choice]:
        """Return the legal actions, grouped by kind of set if there are more than two kinds."""
        sets: dict[str, list[Option]] = {}
        hand = cards_in(int(self._games.hands[0, self.seat]))
        for action in np.flatnonzero(self._games.masks(FIRST_GAME)[0]).tolist():
            cards = set_of(hand[place] for place in places_of(action))
            kind = "pass" if action == PASS else kind_of(self._games.order, cards)
            sets.setdefault(kind, []).append(Option(set_text(cards), action))
        if len(sets) <= 2:  # a second step would not shorten such a list
            return [
                Choice(_play_words(kind, option), (option,))
                for kind, options in sets.items()
                for option in options
            ]
        return [
            Choice(
                _play_words(kind, options[0]) if len(options) == 1 else f"a {kind}", tuple(options)
            )
            for kind, options in sets.items()
        ]

    def position(self, *, whole: bool = False) -> Iterator[str]:  # noqa: ARG002 (always complete)
        """Yield the lines of the position: the others' numbers of cards, the table and the hand."""
        games = self._games
        counts = [
            f"{self._names[seat]} (seat {seat}) {games.cards_left[0, seat]}"
            for seat in ((self.seat + k) % N_SEATS for k in range(1, N_SEATS))
        ]
        yield from self._wrap("others", f"in turn order: {', '.join(counts)} cards")
        table = games.table(0)
        if table:
            owner = self._log_writer.seats[int(games.words[to.OWNER])]
            kind = kind_of(games.order, table)
            table_text = f"{set_text(table)} ({kind}) of {owner}, to be beaten"
        else:
            table_text = f"empty: you lead{needs_words(games)}"
        yield from self._wrap("table", table_text)
        yield from self._wrap("hand", set_text(int(games.hands[0, self.seat])))

    def more(self) -> dict[str, tuple[str, Iterator[str]]]:
        """Return the cards that each seat has played so far, by the word `played`."""
        return {"played": ("what everybody has played so far", self._played_cards())}

    def result(self) -> str:
        """Return the result of the finished game for the person, as a sentence."""
        winner = int(self._games.winner[0])
        left = int(self._games.cards_left[0, self.seat])
        if winner == self.seat:
            return "You win."
        return f"You lose with {left} cards left; {self._log_writer.seats[winner]} wins."

    def greeting(self) -> str:
        """Return an introduction to the seats and their players, as sentences."""
        others = ", ".join(
            f"{self._names[seat]} (seat {seat})" for seat in range(N_SEATS) if seat != self.seat
        )
        return f"You have seat {self.seat}. The others are {others}."

    # --- steps of the game, which the base class combines ---

    @property
    def _active(self) -> int:
        """Seat that must move next."""
        return int(self._games.active[0])

    def _start_over(self) -> list[str]:
        """Deal the game again, and return the first lines of the log."""
        self._games.deal(np.array([self._seed], dtype=np.uint64), rotations=self._rotation)
        return ["", f"  {self._log_writer.opening()}"]

    def _do(self, action: int) -> list[str] | None:
        """Carry out an action and return the lines of the log; return `None` if it is illegal."""
        seat = self._active
        try:
            self._games.act(FIRST_GAME, np.array([action]))
        except ValueError:
            return None
        lines = [f"  {line}" for line in self._log_writer.turn(seat, action)]
        if self.is_over:
            lines += ["", *(f"  {line}" for line in self._log_writer.ending())]
        return lines

    def _answer(self) -> int:
        """Return the action that the agent of the seat to move chooses."""
        return agents_action(self._agents, self._games)

    def _log_lines(self, choose: Callable[[Any], int | None]) -> Iterator[str]:
        """Return the lines of the log of a new game with the same deal, which shows all hands."""
        rules = self._games.rules
        return log_game(rules, self._names, choose, seed=self._seed, rotation=self._rotation)

    # --- lines and words for the person ---

    def _played_cards(self) -> Iterator[str]:
        """Yield one line with the cards that each seat has played so far."""
        for seat in range(N_SEATS):
            cards = int(self._games.words[to.GONE + seat])
            yield from self._wrap(self._log_writer.seats[seat], set_text(cards))

    def _wrap(self, label: str, text: str) -> list[str]:
        """Return a label and a text as wrapped lines of the session's width."""
        width = 10 if len(label) < 10 else len(label) + 2  # short labels align their texts
        return wrap(
            text, self._width, initial_indent=f"{label:<{width}}", subsequent_indent=" " * width
        )


def _play_words(kind: str, option: Option) -> str:
    """Return the words for an action: `pass`, a single card, or a set and its kind in brackets.

    Args:
        kind: name of the kind of set.
        option: action, and the cards that it plays as words.
    """
    if option.action == PASS:
        return "pass"
    return option.words if SIZES[option.action] == _SINGLES else f"{option.words} ({kind})"
