"""Messages about games that take long, with their decks, agents and seeds."""

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
"""Name in messages for a deck that no experiment has loaded."""

_decks: dict[str, npt.NDArray[np.int16]] = {}
"""Packed decks that were loaded in this process, by name."""


def know_decks(decks: Iterable[Deck], pool: Pool) -> None:
    """Register decks, so that messages about long games can name them.

    Args:
        decks: decks of an experiment.
        pool: pool with the cards of the decks.
    """
    _decks.update({deck.name: row_of_deck(deck, pool) for deck in decks})


@contextmanager
def long_games_reported(on_line: Callable[[str], None]) -> Iterator[None]:
    """Report each long game during a `with` block in one line.

    Args:
        on_line: callback, called with the line about each long game.
    """
    with reporting_long_games(lambda game: on_line(long_game_words(game))):
        yield


def long_game_words(game: LongGame) -> str:
    """Return a message on a long game: its duration, decks, agents and seed, and a remedy."""
    sides = [f"{_name(row)} ({agent})" for row, agent in zip(game.decks, game.agents, strict=True)]
    game_words = (
        "" if game.game_index is None else f", game {game.game_index:,}, game seed {game.game_seed}"
    )
    return (
        f"no game has ended for {game.seconds:.0f} s: {' against '.join(sides)}{game_words}; these "
        "pilots take long with these cards: wait, or stop with Ctrl-C and name a quicker pilot"
    )


def _name(row: npt.NDArray[np.int16]) -> str:
    """Return the name of a packed deck, from which cards may have been removed.

    A deck that was not registered has the name `_UNKNOWN`.
    """
    cards = row[1 : at.DECK_POWER]
    for name, known in _decks.items():
        known_cards = known[1 : at.DECK_POWER]
        if len(cards) == len(known_cards) and bool(
            ((cards == known_cards) | (cards == BLANK)).all()
        ):
            return name
    return _UNKNOWN
