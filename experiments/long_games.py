"""Messages about games that take long: the decks, the agents, and the game."""

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
"""Name of a deck that no experiment has loaded."""

_decks: dict[str, npt.NDArray[np.int16]] = {}
"""Rows of the decks loaded in this process, by name."""


def know_decks(decks: Iterable[Deck], pool: Pool) -> None:
    """Register decks of a pool, so that messages name them."""
    _decks.update({deck.name: row_of_deck(deck, pool) for deck in decks})


@contextmanager
def long_games_reported(on_line: Callable[[str], None]) -> Iterator[None]:
    """Report each long game of a block in a line.

    Args:
        on_line: callback, called with the line.
    """
    with reporting_long_games(lambda game: on_line(long_game_words(game))):
        yield


def long_game_words(game: LongGame) -> str:
    """Return a line with the decks and agents of a long game, its seed, and a remedy."""
    sides = [f"{_name(row)} ({agent})" for row, agent in zip(game.decks, game.agents, strict=True)]
    which = (
        "" if game.game_index is None else f", game {game.game_index:,}, game seed {game.game_seed}"
    )
    return (
        f"no game has ended for {game.seconds:.0f} s: {' against '.join(sides)}{which}; these "
        "pilots take long with these cards: wait, or stop with Ctrl-C and name a quicker pilot"
    )


def _name(row: npt.NDArray[np.int16]) -> str:
    """Return the name of a deck from its row, which may lack cards."""
    cards = row[1 : at.DECK_POWER]
    for name, known in _decks.items():
        known_cards = known[1 : at.DECK_POWER]
        if len(cards) == len(known_cards) and bool(
            ((cards == known_cards) | (cards == BLANK)).all()
        ):
            return name
    return _UNKNOWN
