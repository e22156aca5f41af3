"""Game logs of Big Two, with the hands, each play and the kind of its set, and the payments."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from sim.big_two import layout as to
from sim.big_two.cards import N_SEATS, PASS, card_text, cards_in, set_text
from sim.big_two.games import FIRST_GAME, BigTwoAgent, Games
from sim.big_two.rules import BigTwoRules
from sim.big_two.sets import kind_of


def log_game(
    rules: BigTwoRules,
    names: Sequence[str],
    choose: Callable[[Games], int | None],
    *,
    seed: int,
    rotation: int = 0,
) -> Iterator[str]:
    """Play a game and yield the lines of its log, which shows all hands.

    Args:
        rules: rules of the game.
        names: name of the agent of each seat.
        choose: function that maps a `Games` object with one game to the next action; `None` ends
            the log, for a recorded game that was not finished.
        seed: 64-bit seed of the game.
        rotation: number of seats, 0 to 3, by which the hands are rotated.

    Raises:
        ValueError: an action is illegal.
    """
    games = Games(rules, 1)
    games.deal(np.array([seed], dtype=np.uint64), rotations=rotation)
    writer = GameLogWriter(games, [f"{name} (seat {seat})" for seat, name in enumerate(names)])
    yield from writer.hands()
    yield writer.opening()
    yield ""
    while games.winner[0] == to.NOBODY:
        seat = int(games.active[0])
        action = choose(games)
        if action is None:
            return
        games.act(FIRST_GAME, np.array([action]))
        yield from writer.turn(seat, action)
    yield ""
    yield from writer.ending()


def agents_action(agents: Sequence[BigTwoAgent], games: Games) -> int:
    """Return the action that the active seat's agent chooses in the first game of `games`.

    Args:
        agents: agent of each seat.
        games: states of games; only the first game is used.
    """
    return int(agents[int(games.active[0])].choose(games, FIRST_GAME)[0])


class GameLogWriter:
    """Writer of the log of the first game of a `Games` object.

    Attributes:
        seats: name of each seat in the log.
    """

    def __init__(self, games: Games, seats: Sequence[str], you: int | None = None) -> None:
        """Create a writer, which reads the current state of the game in each call.

        Args:
            games: states of games; only the first game is logged.
            seats: name of each seat in the log.
            you: seat of the reader, for which verbs are in the second person; `None` if the reader
                has no seat.
        """
        self._games = games
        self.seats = seats
        self._you = you
        self._width = max(map(len, seats))

    def hands(self) -> Iterator[str]:
        """Yield one line with the current hand of each seat."""
        for seat in range(N_SEATS):
            yield self._line(seat, set_text(int(self._games.hands[0, seat])))

    def opening(self) -> str:
        """Return the line for the seat that leads first and the condition on its lead, if any."""
        opener = int(self._games.opener[0])
        return f"{self._does(opener, 'begins')}{needs_words(self._games)}"

    def turn(self, seat: int, action: int) -> Iterator[str]:
        """Yield the line of the latest turn, and a line if this turn has cleared the table.

        Args:
            seat: seat that moved.
            action: number of the action, which has been carried out.
        """
        games = self._games
        if action == PASS:
            yield self._line(seat, "pass" if seat == self._you else "passes")
        else:
            _, cards = games.log(0)[-1]
            kind = kind_of(games.order, cards)
            left = games.cards_left[0, seat]
            yield self._line(seat, f"{set_text(cards)} ({kind}), {left} left")
        if games.winner[0] == to.NOBODY and not games.words[to.TABLE]:
            yield f"the table is cleared; {self._does(int(games.active[0]), 'leads')}"

    def ending(self) -> Iterator[str]:
        """Yield the lines of the end of a game: the winner, and the payment of each other seat."""
        games = self._games
        winner = int(games.winner[0])
        owed = games.rules.owed(games.cards_left[0])
        gains = "gain" if winner == self._you else "gains"
        yield f"{self._does(winner, 'wins')} and {gains} {owed.sum()}"
        for seat in range(N_SEATS):
            if seat != winner:
                left = set_text(int(games.hands[0, seat]))
                pays = "pay" if seat == self._you else "pays"
                yield self._line(seat, f"{pays} {owed[seat]} for {left}")

    def _line(self, seat: int, text: str) -> str:
        """Return a line with the name of a seat, padded to align all lines, and a text."""
        return f"{self.seats[seat]:<{self._width}}  {text}"

    def _does(self, seat: int, verb: str) -> str:
        """Return the name of a seat and a verb, which is put in the second person for the reader.

        Args:
            seat: seat that acts.
            verb: verb in the third person singular.
        """
        return f"{self.seats[seat]} {verb.removesuffix('s') if seat == self._you else verb}"


def needs_words(games: Games) -> str:
    """Return the condition on the lead of the first game as words; `""` if any set may be led."""
    needed = int(games.words[to.NEEDED])
    if not needed:
        return ""
    card = card_text(cards_in(needed)[0])
    return f" with {card} alone" if games.words[to.ALONE] else f" with a set that holds {card}"
