"""The story of one game as text: hands, every play by the name of its set, and what it cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from sim.big_two import layout as to
from sim.big_two.actions import PASS
from sim.big_two.cards import N_SEATS, card_text, cards_in, set_text
from sim.big_two.games import BigTwoAgent, Games
from sim.big_two.rules import BigTwoRules
from sim.big_two.sets import KIND_SHIFT, KINDS, strength

_FIRST = np.zeros(1, dtype=np.int64)


def tell_game(
    rules: BigTwoRules,
    agents: Sequence[BigTwoAgent],
    names: Sequence[str],
    *,
    seed: int,
    rotation: int = 0,
) -> Iterator[str]:
    """Play a game; its lines, as `play_games` would play it.

    Args:
        rules: by which it is played.
        agents: who chooses for each seat.
        names: what they are called.
        seed: 64 bits.
        rotation: by how many seats the hands are turned.
    """
    games = Games(rules, 1)
    games.deal(np.array([seed], dtype=np.uint64), rotations=rotation)
    seats = [f"{name} (seat {seat})" for seat, name in enumerate(names)]
    width = max(map(len, seats))
    for seat in range(N_SEATS):
        yield f"{seats[seat]:<{width}}  {set_text(int(games.hands[0, seat]))}"
    opener = int(games.opener[0])
    yield f"{seats[opener]} begins{_needs(games)}"
    yield ""
    while games.winner[0] == to.NOBODY:
        seat = int(games.active[0])
        action = agents[seat].choose(games, _FIRST)
        games.act(_FIRST, action)
        yield f"{seats[seat]:<{width}}  {_deed(games, int(action[0]))}"
        if games.winner[0] == to.NOBODY and not games.words[to.TABLE]:
            yield f"the table is cleared; {seats[int(games.active[0])]} leads"
    yield ""
    yield from _ending(games, seats, width)


def _needs(games: Games) -> str:
    """What the first lead must be."""
    needed = int(games.words[to.NEEDED])
    if not needed:
        return ""
    card = card_text(cards_in(needed)[0])
    return f" with {card} alone" if games.words[to.ALONE] else f" with a set that holds {card}"


def _deed(games: Games, action: int) -> str:
    """The latest turn, and how many cards it leaves."""
    if action == PASS:
        return "passes"
    seat, cards = games.log(0)[-1]
    kind = KINDS[strength(games.order, cards) >> KIND_SHIFT]
    return f"{set_text(cards)} ({kind}), {games.cards_left[0, seat]} left"


def _ending(games: Games, seats: Sequence[str], width: int) -> Iterator[str]:
    """Who won, and what each of the others paid for which cards."""
    winner, owed = int(games.winner[0]), games.rules.owed(games.cards_left[0])
    yield f"{seats[winner]} wins and gains {owed.sum()}"
    for seat in range(N_SEATS):
        if seat != winner:
            left = set_text(int(games.hands[0, seat]))
            yield f"{seats[seat]:<{width}}  pays {owed[seat]} for {left}"
