"""The duel's view: which cards, decks and rules its 67 values and 40 actions can express."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from sim import DECK_CAPACITY, Card, Deck, InputError, Pool, Ruleset
from sim.engine import layout as at
from sim.engine.viewing import (
    ABLE_TO_ATTACK,
    BOARD_PLACES,
    CARDS_LEFT,
    HAND_PLACES,
    LAST_ACTION,
    LIVES,
    MANAS,
    N_ACTIONS,
    N_VALUES,
)
from sim.observation.side_by_side import Values, ViewSize
from sim.play.packing import filled_words
from sim.play.table import Table

__all__ = [
    "DUEL_SIZE",
    "LAST_ACTION",
    "N_ACTIONS",
    "N_VALUES",
    "DuelView",
    "card_codes",
]

DUEL_SIZE = ViewSize(name="duel", n_values=N_VALUES, n_actions=N_ACTIONS)

_LIFE_MIN = -128  # the last blow may go far below zero
NO_CODE = -1
HASTE_CODE = 5
VALUE_MAX = 127  # values are kept as bytes
CARD_NUMBER_MAX = 5

_EFFECT_CODES = {
    ("summon", "own_player", 1): 1,
    ("heal", "own_player", 2): 2,
    ("damage", "enemy_player", 2): 3,
    ("draw", "own_player", 1): 4,
}
_MOST = {
    "hand_limit": HAND_PLACES,
    "board_limit": BOARD_PLACES,
    "life": VALUE_MAX,
    "mana_max": VALUE_MAX,
}
_MEANING = "nothing, haste, or one of: summon a plain 1/1, heal 2, strike 2, draw 1"


def card_codes(pool: Pool) -> npt.NDArray[np.int16]:
    """``[C]`` effect code of each card, tokens too.

    0 none, 1 summon, 2 heal, 3 strike, 4 draw, 5 haste; `NO_CODE` marks a card whose effects the
    view cannot tell apart from others.
    """
    return np.array([_code(card) for card in pool.everything], dtype=np.int16)


def _code(card: Card) -> int:
    if card.kind != "minion" or len(card.effects) + len(card.keywords) > 1:
        return NO_CODE
    if card.keywords:
        return HASTE_CODE if card.keywords == ("haste",) else NO_CODE
    if not card.effects:
        return 0
    (effect,) = card.effects
    token = effect.token
    if token and (token.attack, token.health, token.keywords) != (1, 1, ()):
        return NO_CODE
    return _EFFECT_CODES.get((effect.do, str(effect.to), effect.amount), NO_CODE)


def fits_rules(ruleset: Ruleset) -> bool:
    """Whether the positions of these rules fit the view."""
    return all(getattr(ruleset, field) <= most for field, most in _MOST.items())


@dataclass(frozen=True)
class DuelView:
    """The duel's view of a table's games.

    Attributes:
        table: whose games.
    """

    n_hand_places: ClassVar[int] = HAND_PLACES

    table: Table

    @property
    def size(self) -> ViewSize:
        """How large it is."""
        return DUEL_SIZE

    @property
    def scales(self) -> None:
        """Its values are whole numbers in -128..127 as they are."""
        return

    @property
    def bounds(self) -> tuple[Values, Values]:
        """The least and the most that its values are."""
        low = np.zeros(N_VALUES, dtype=np.float32)
        low[LIVES : LIVES + 2] = _LIFE_MIN
        high = np.full(N_VALUES, max(CARD_NUMBER_MAX, HASTE_CODE), dtype=np.float32)
        high[LIVES : LIVES + 2] = self.table.ruleset.life
        high[MANAS : MANAS + 2] = self.table.ruleset.mana_max
        high[ABLE_TO_ATTACK : ABLE_TO_ATTACK + BOARD_PLACES] = 1
        high[CARDS_LEFT : CARDS_LEFT + 2] = DECK_CAPACITY
        return low, high

    @cached_property
    def words(self) -> npt.NDArray[np.int16]:
        """The view as the engine has it (`sim.engine.layout.VIEW_*`)."""
        codes = card_codes(self.table.pool)
        words = {
            at.VIEW_LENGTH: at.VIEW_CODES + len(codes),
            at.VIEW_N_VALUES: N_VALUES,
            at.VIEW_N_ACTIONS: N_ACTIONS,
        }
        return np.concatenate([filled_words(at.VIEW_CODES, words), codes])

    def check_cards(
        self, cards: Iterable[int], *, whose: str = "", most: int | None = None
    ) -> None:
        """Refuse cards, by their positions in the pool, that the view cannot show.

        Args:
            cards: positions among the cards and tokens.
            whose: begins messages about a card.
            most: how large its numbers may be; default any number will do.

        Raises:
            InputError: names the card and its field.
        """
        codes = card_codes(self.table.pool)
        for position in cards:
            card = self.table.pool.everything[position]
            refused = f"{whose}card {card.id!r}: learned agents cannot see"
            if codes[position] == NO_CODE:
                raise InputError(f"{refused} its effects; a card may have {_MEANING}")
            for field in ("cost", "attack", "health"):
                if most is not None and card.number(field) > most:
                    raise InputError(
                        f"{refused} {field} = {card.number(field)}; the most is {most}"
                    )

    def check_decks(self, decks: Iterable[Deck]) -> None:
        """Refuse decks that a learner could not see in full.

        Raises:
            InputError: names the deck, its card and the card's field; or see `check_cards`.
        """
        for deck in decks:
            positions = dict.fromkeys(deck.slots(self.table.pool))
            self.check_cards(positions, whose=f"deck {deck.name!r}: ", most=CARD_NUMBER_MAX)
