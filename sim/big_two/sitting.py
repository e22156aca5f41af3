"""One game of Big Two as text: its story, and the game at which a person sits with three agents."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from textwrap import wrap
from typing import Any

import numpy as np

from sim.big_two import layout as to
from sim.big_two.cards import N_SEATS, PASS, SIZES, card_text, cards_in, places_of, set_of, set_text
from sim.big_two.games import FIRST_GAME, BigTwoAgent, Games
from sim.big_two.rules import BigTwoRules, kind_of
from sim.game_log.sitting import Choice, Option, Sitting


def tell_game(
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
        seat, action = int(games.active[0]), choose(games)
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
        self._games, self.seats, self._you = games, seats, you
        self._width = max(map(len, seats))

    def hands(self) -> Iterator[str]:
        """What everybody holds."""
        hands = self._games.hands[0].tolist()
        yield from (self._told(seat, set_text(hand)) for seat, hand in enumerate(hands))

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
            kind, left = kind_of(games.order, cards), games.cards_left[0, seat]
            yield self._told(seat, f"{set_text(cards)} ({kind}), {left} left")
        if games.winner[0] == to.NOBODY and not games.words[to.TABLE]:
            yield f"the table is cleared; {self._does(int(games.active[0]), 'leads')}"

    def ending(self) -> Iterator[str]:
        """Who won, and what each of the others paid for which cards."""
        games = self._games
        winner, owed = int(games.winner[0]), games.rules.owed(games.cards_left[0])
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


# --- a game at which a person sits ---


class BigTwoSitting(Sitting):
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
        self.seat, self._agents, self._width = seat, agents, width
        self._seed, self._rotation = seed, rotation
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
            on_it = f"{set_text(table)} ({kind_of(games.order, table)}) of {owner}, to be beaten"
        else:
            on_it = f"empty: you lead{needs_words(games)}"
        yield from self._wrapped("table", on_it)
        yield from self._wrapped("hand", set_text(int(games.hands[0, self.seat])))

    def more(self) -> dict[str, tuple[str, Iterator[str]]]:
        """What else can be looked at, by the word that asks for it: what it is, and its lines."""
        sets = self._games.words[to.GONE : to.GONE + N_SEATS].tolist()
        gone = zip(self._story.seats, map(set_text, sets), strict=True)
        lines = (line for seat, cards in gone for line in self._wrapped(seat, cards))
        return {"played": ("what everybody has played so far", lines)}

    def result(self) -> str:
        """How the game ended for the person."""
        winner, left = int(self._games.winner[0]), self._games.cards_left[0, self.seat]
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
        return tell_game(rules, self._names, choose, seed=self._seed, rotation=self._rotation)

    # --- words ---

    def _wrapped(self, label: str, text: str) -> list[str]:
        width = 10 if len(label) < 10 else len(label) + 2
        return wrap(
            text, self._width, initial_indent=f"{label:<{width}}", subsequent_indent=" " * width
        )


def _played(kind: str, option: Option) -> str:
    """A single set, in the words of a replay."""
    if option.action == PASS:
        return "pass"
    return option.words if SIZES[option.action] == 1 else f"{option.words} ({kind})"
