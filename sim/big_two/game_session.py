"""Games of Big Two at which a person sits, against three agents."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from textwrap import wrap
from typing import Any

import numpy as np

from sim.big_two import layout as to
from sim.big_two.cards import N_SEATS, PASS, SIZES, cards_in, places_of, set_of, set_text
from sim.big_two.games import FIRST_GAME, BigTwoAgent, Games
from sim.big_two.rules import BigTwoRules
from sim.big_two.sets import kind_of
from sim.big_two.story import GameStory, agents_action, log_game, needs_words
from sim.game_log.game_session import Choice, GameSession, Option

_SINGLES = 1


class BigTwoSession(GameSession):
    """A game of Big Two at which a person sits."""

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
        """Get ready; `begin` deals the game and plays it up to where the person is asked.

        Args:
            rules: by which it is played.
            agents: who chooses for each seat; that of the person's is not asked.
            names: what they are called.
            seat: the person's.
            seed: 64 bits.
            rotation: by how many seats the hands are turned.
            width: of lines that are shown.
        """
        self.seat = seat
        self._agents = agents
        self._width = width
        self._seed = seed
        self._rotation = rotation
        self._games = Games(rules, 1)
        self._names = list(names)
        seats = ["you" if k == seat else f"{name} (seat {k})" for k, name in enumerate(names)]
        self._story = GameStory(self._games, seats, seat)

    @property
    def is_over(self) -> bool:
        """Whether somebody has won."""
        return bool(self._games.winner[0] != to.NOBODY)

    def choices(self) -> list[Choice]:
        """What the person may do, sets by their kinds."""
        sets: dict[str, list[Option]] = {}
        hand = cards_in(int(self._games.hands[0, self.seat]))
        for action in np.flatnonzero(self._games.masks(FIRST_GAME)[0]).tolist():
            cards = set_of(hand[place] for place in places_of(action))
            kind = "pass" if action == PASS else kind_of(self._games.order, cards)
            sets.setdefault(kind, []).append(Option(set_text(cards), action))
        if len(sets) <= 2:  # few kinds: each set is a choice of its own
            return [
                Choice(_played(kind, one), (one,))
                for kind, options in sets.items()
                for one in options
            ]
        return [
            Choice(_played(kind, options[0]) if len(options) == 1 else f"a {kind}", tuple(options))
            for kind, options in sets.items()
        ]

    def position(self, *, whole: bool = False) -> Iterator[str]:  # noqa: ARG002 (there is no more)
        """What the person sees."""
        games = self._games
        counts = [
            f"{self._names[seat]} (seat {seat}) {games.cards_left[0, seat]}"
            for seat in ((self.seat + k) % N_SEATS for k in range(1, N_SEATS))
        ]
        yield from self._wrapped("others", f"in turn order: {', '.join(counts)} cards")
        table = games.table(0)
        if table:
            owner = self._story.seats[int(games.words[to.OWNER])]
            kind = kind_of(games.order, table)
            on_it = f"{set_text(table)} ({kind}) of {owner}, to be beaten"
        else:
            on_it = f"empty: you lead{needs_words(games)}"
        yield from self._wrapped("table", on_it)
        yield from self._wrapped("hand", set_text(int(games.hands[0, self.seat])))

    def more(self) -> dict[str, tuple[str, Iterator[str]]]:
        """What else can be looked at, by the word that asks for it: what it is, and its lines."""
        return {"played": ("what everybody has played so far", self._gone())}

    def result(self) -> str:
        """How the game ended for the person."""
        winner = int(self._games.winner[0])
        left = int(self._games.cards_left[0, self.seat])
        if winner == self.seat:
            return "You win."
        return f"You lose with {left} cards left; {self._story.seats[winner]} wins."

    def greeting(self) -> str:
        """Who plays whom."""
        others = ", ".join(
            f"{self._names[seat]} (seat {seat})" for seat in range(N_SEATS) if seat != self.seat
        )
        return f"You have seat {self.seat}. The others are {others}."

    # --- moving ---

    @property
    def _active(self) -> int:
        return int(self._games.active[0])

    def _start_over(self) -> list[str]:
        self._games.deal(np.array([self._seed], dtype=np.uint64), rotations=self._rotation)
        return ["", f"  {self._story.opening()}"]

    def _do(self, action: int) -> list[str] | None:
        seat = self._active
        try:
            self._games.act(FIRST_GAME, np.array([action]))
        except ValueError:
            return None
        told = [f"  {line}" for line in self._story.turn(seat, action)]
        if self.is_over:
            told += ["", *(f"  {line}" for line in self._story.ending())]
        return told

    def _answer(self) -> int:
        return agents_action(self._agents, self._games)

    def _tell(self, choose: Callable[[Any], int | None]) -> Iterator[str]:
        rules = self._games.rules
        return log_game(rules, self._names, choose, seed=self._seed, rotation=self._rotation)

    # --- words ---

    def _gone(self) -> Iterator[str]:
        for seat in range(N_SEATS):
            gone = int(self._games.words[to.GONE + seat])
            yield from self._wrapped(self._story.seats[seat], set_text(gone))

    def _wrapped(self, label: str, text: str) -> list[str]:
        width = 10 if len(label) < 10 else len(label) + 2
        return wrap(
            text, self._width, initial_indent=f"{label:<{width}}", subsequent_indent=" " * width
        )


def _played(kind: str, option: Option) -> str:
    """A single set, in the words of a replay."""
    if option.action == PASS:
        return "pass"
    return option.words if SIZES[option.action] == _SINGLES else f"{option.words} ({kind})"
