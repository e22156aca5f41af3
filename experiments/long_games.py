"""What a person is told of a game that takes long: which decks, which pilots, which game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import numpy as np
import numpy.typing as npt

from sim import Deck, Pool
from sim.engine import layout as at
from sim.play.batch import BLANK, row_of_deck
from sim.play.long_games import LongGame, reporting_long_games

_UNKNOWN = "another deck"
_decks: dict[str, npt.NDArray[np.int16]] = {}


def know_decks(decks: Iterable[Deck], pool: Pool) -> None:
    """Call decks of a pool by their names from now on."""
    _decks.update({deck.name: row_of_deck(deck, pool) for deck in decks})


@contextmanager
def long_games_reported(tell: Callable[[str], None]) -> Iterator[None]:
    """Tell in a line of each game that takes long, while the block plays some."""
    with reporting_long_games(lambda game: tell(long_game_words(game))):
        yield


def long_game_words(game: LongGame) -> str:
    """Which game it is, and what can be done."""
    sides = [f"{_name(row)} ({agent})" for row, agent in zip(game.decks, game.agents, strict=True)]
    which = (
        "" if game.game_index is None else f", game {game.game_index:,}, game seed {game.game_seed}"
    )
    return (
        f"no game has ended for {game.seconds:.0f} s: {' against '.join(sides)}{which}; these "
        "pilots take long with these cards: wait, or stop with Ctrl-C and name a quicker pilot"
    )


def _name(row: npt.NDArray[np.int16]) -> str:
    """What the deck is called of which this is the row, whole or with cards left out."""
    cards = row[1 : at.DECK_POWER]
    for name, known in _decks.items():
        theirs = known[1 : at.DECK_POWER]
        if len(cards) == len(theirs) and bool(((cards == theirs) | (cards == BLANK)).all()):
            return name
    return _UNKNOWN
