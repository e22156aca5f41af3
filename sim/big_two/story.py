"""The story of one game as text: hands, every play by the name of its set, and what it cost."""

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
    """The course of a game, line by line: all that was hidden, too.

    Args:
        rules: by which it is played.
        names: what the agents of the seats are called.
        choose: tells the next action of the only one of games; `None` where it was left.
        seed: 64 bits.
        rotation: by how many seats the hands are turned.
    """
    games = Games(rules, 1)
    games.deal(np.array([seed], dtype=np.uint64), rotations=rotation)
    story = GameStory(games, [f"{name} (seat {seat})" for seat, name in enumerate(names)])
    yield from story.hands()
    yield story.opening()
    yield ""
    while games.winner[0] == to.NOBODY:
        seat = int(games.active[0])
        action = choose(games)
        if action is None:
            return
        games.act(FIRST_GAME, np.array([action]))
        yield from story.turn(seat, action)
    yield ""
    yield from story.ending()


def agents_action(agents: Sequence[BigTwoAgent], games: Games) -> int:
    """What the agent of the active seat does in the first of some games, by the agents of seats."""
    return int(agents[int(games.active[0])].choose(games, FIRST_GAME)[0])


class GameStory:
    """Tells the first of some games.

    Attributes:
        seats: what the seats are called.
    """

    def __init__(self, games: Games, seats: Sequence[str], you: int | None = None) -> None:
        """Get ready to tell.

        Args:
            games: of which the first is told.
            seats: what the seats are called.
            you: the seat that it is told to, which is called `you`.
        """
        self._games = games
        self.seats = seats
        self._you = you
        self._width = max(map(len, seats))

    def hands(self) -> Iterator[str]:
        """What everybody holds."""
        for seat in range(N_SEATS):
            yield self._told(seat, set_text(int(self._games.hands[0, seat])))

    def opening(self) -> str:
        """Who begins, and with what."""
        opener = int(self._games.opener[0])
        return f"{self._does(opener, 'begins')}{needs_words(self._games)}"

    def turn(self, seat: int, action: int) -> Iterator[str]:
        """The latest turn, which `seat` has taken, and how many cards it leaves."""
        games = self._games
        if action == PASS:
            yield self._told(seat, "pass" if seat == self._you else "passes")
        else:
            _, cards = games.log(0)[-1]
            kind = kind_of(games.order, cards)
            left = games.cards_left[0, seat]
            yield self._told(seat, f"{set_text(cards)} ({kind}), {left} left")
        if games.winner[0] == to.NOBODY and not games.words[to.TABLE]:
            yield f"the table is cleared; {self._does(int(games.active[0]), 'leads')}"

    def ending(self) -> Iterator[str]:
        """Who won, and what each of the others paid for which cards."""
        games = self._games
        winner = int(games.winner[0])
        owed = games.rules.owed(games.cards_left[0])
        gains = "gain" if winner == self._you else "gains"
        yield f"{self._does(winner, 'wins')} and {gains} {owed.sum()}"
        for seat in range(N_SEATS):
            if seat != winner:
                left = set_text(int(games.hands[0, seat]))
                pays = "pay" if seat == self._you else "pays"
                yield self._told(seat, f"{pays} {owed[seat]} for {left}")

    def _told(self, seat: int, what: str) -> str:
        return f"{self.seats[seat]:<{self._width}}  {what}"

    def _does(self, seat: int, verb: str) -> str:
        return f"{self.seats[seat]} {verb.removesuffix('s') if seat == self._you else verb}"


def needs_words(games: Games) -> str:
    """What the first lead of the first game must be."""
    needed = int(games.words[to.NEEDED])
    if not needed:
        return ""
    card = card_text(cards_in(needed)[0])
    return f" with {card} alone" if games.words[to.ALONE] else f" with a set that holds {card}"
