"""Games of Big Two for tests."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from agents.big_two import agent_named
from sim.big_two import layout as to
from sim.big_two.cards import cards_in
from sim.big_two.games import Games
from sim.big_two.rules import BigTwoRules, rules_of
from sim.seeds import generator, stream_seed
from tests.sim.big_two.plain_rules import Position

STANDARD = rules_of()


def dealt(n_games: int, rules: BigTwoRules = STANDARD, seed: int = 1, **options) -> Games:
    """Return games that were just dealt; `options` are those of `Games.deal`."""
    games = Games(rules, n_games)
    games.deal([stream_seed(seed, f"test/{k}") for k in range(n_games)], **options)
    return games


def played_on(games: Games, agent: str = "random", ticks: int = 400) -> Iterator[np.ndarray]:
    """Yield the rows of unfinished games before each turn, and let an agent take the turn."""
    for _ in range(ticks):
        rows = np.flatnonzero(games.winner == to.NOBODY)
        if not len(rows):
            return
        yield rows
        games.act(rows, agent_named(agent).choose(games, rows))


def position_of(games: Games, row: int) -> Position:
    """Return a game's position in the form of the reference."""
    words = games.words.reshape(-1, to.GAME_SIZE)[row]
    hand = cards_in(int(words[to.HANDS + words[to.ACTIVE]]))
    needed = cards_in(int(words[to.NEEDED]))
    table = cards_in(int(words[to.TABLE]))
    return Position(hand, table, needed[0] if needed else None, bool(words[to.ALONE]))


def with_hidden_exchanged(games: Games, rows: np.ndarray, seed: int) -> Games:
    """Return games in which the other seats have exchanged their hidden cards.

    Each seat holds as many cards as before; the active seats hold the same ones.
    """
    other = Games(games.rules, len(games.winner))
    other.words[:] = games.words
    chance = generator(seed, "test/exchange")
    hands = other.hands
    for row in rows:
        hidden = [seat for seat in range(4) if seat != games.active[row]]
        cards = chance.permutation([c for s in hidden for c in cards_in(int(hands[row, s]))])
        for seat in hidden:
            n_cards = int(hands[row, seat]).bit_count()
            hands[row, seat] = sum(1 << int(card) for card in cards[:n_cards])
            cards = cards[n_cards:]
    return other
