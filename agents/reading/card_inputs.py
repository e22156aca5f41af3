"""Inputs of the card encoder: the numbers, keywords and effect rows of cards, by name.

All inputs are read from the words of a card table, so that edited cards and cards that no network
has seen have inputs as well. Inputs are named, such as `do damage`, so that a saved network does
not depend on the numbers of words in compiled code.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from sim.cards.action import all_actions
from sim.cards.vocabulary import Body, Event, Keyword, Kind, Selector, Side
from sim.engine import layout as at

Words16 = npt.NDArray[np.int16]
Inputs = dict[str, float]

ROWS_MAX = 6  # effect rows of a card that count; all but two shipped cards have at most 5
_EVENTS = {int(event): event.name.lower() for event in Event}
_SELECTORS = {int(selector): selector.name.lower() for selector in Selector}
_OPTIONS = 4  # words of a card that refer to texts
_STAT = 5.0  # divisor of costs, attacks and healths, which brings usual numbers near 1
_AMOUNT = 4.0  # the same for amounts of effects
_PRODUCT = _STAT * _STAT
_DEAR = 6  # cost from which a card counts as dear: it cannot be played in the first five turns


def card_inputs(words: Words16, card: int) -> Inputs:
    """Return the inputs of a card itself, by name; inputs that are left out are 0.

    Args:
        words: words of the card table of one variant, shape ``[size]``.
        card: number of the card.
    """
    start = at.CARDS + at.CARD_SIZE * card
    attack = float(words[start + at.CARD_ATTACK])
    health = float(words[start + at.CARD_HEALTH])
    inputs = _body_inputs(words, card)
    inputs["attack times health"] = attack * health / _PRODUCT
    inputs["spell damage"] = float(words[start + at.CARD_SPELL_DAMAGE])
    inputs["overload"] = float(words[start + at.CARD_OVERLOAD])
    inputs["has tribe"] = float(words[start + at.CARD_TRIBE] != 0)
    inputs["has target"] = float(words[start + at.CARD_TARGET] != 0)
    inputs["has need"] = float(words[start + at.CARD_NEEDS] != 0)
    inputs["has hero"] = float(words[start + at.CARD_HERO] != 0)
    inputs["is dear"] = float(words[start + at.CARD_COST] >= _DEAR)
    inputs["rows"] = words[start + at.CARD_N_ROWS] / 3
    return inputs


def _body_inputs(words: Words16, card: int) -> Inputs:
    """Return the inputs for cost, attack, health, kind and keywords of a card."""
    start = at.CARDS + at.CARD_SIZE * card
    return {
        "cost": words[start + at.CARD_COST] / _STAT,
        "attack": words[start + at.CARD_ATTACK] / _STAT,
        "health": words[start + at.CARD_HEALTH] / _STAT,
        f"kind {Kind(int(words[start + at.CARD_KIND])).name.lower()}": 1.0,
        **_keyword_inputs(int(words[start + at.CARD_KEYWORDS])),
    }


def _keyword_inputs(bits: int) -> Inputs:
    """Return an input of 1 for each keyword of a word of bits."""
    return {f"keyword {word.name.lower()}": 1.0 for word in Keyword if bits & word and word.name}


def row_inputs(words: Words16, card: int) -> list[Inputs]:
    """Return the inputs of each effect row of a card and of its options, at most `ROWS_MAX`.

    Args:
        words: words of the card table of one variant, shape ``[size]``.
        card: number of the card.
    """
    own, *options = text_offsets(words, card)
    rows = [_row_inputs(words, row) for row in _row_offsets(words, own)]
    for option in options:
        rows += [
            _row_inputs(words, row) | {"of option": 1.0} for row in _row_offsets(words, option)
        ]
    return rows[:ROWS_MAX]


def text_offsets(words: Words16, card: int) -> list[int]:
    """Return the offsets of a card, and of other cards that hold the texts of its options."""
    start = at.CARDS + at.CARD_SIZE * card
    first = start + at.CARD_TEXTS
    others = words[first : first + _OPTIONS].tolist()
    return list(dict.fromkeys([start, *(offset for offset in others if offset > 0)]))


def _row_offsets(words: Words16, text: int) -> range:
    """Return the offsets of the effect rows of the card at an offset of the table."""
    first = int(words[text + at.CARD_ROWS])
    return range(first, first + at.ROW_SIZE * int(words[text + at.CARD_N_ROWS]), at.ROW_SIZE)


def _row_inputs(words: Words16, row: int) -> Inputs:
    """Return the inputs of the effect row at an offset of the table."""
    inputs = {
        "row": 1.0,
        f"on {_EVENTS[int(words[row + at.ROW_EVENT])]}": 1.0,
        f"do {_action_words()[int(words[row + at.ROW_OPCODE])]}": 1.0,
        "amount": words[row + at.ROW_AMOUNT] / _AMOUNT,
        "amount to": words[row + at.ROW_AMOUNT_TO] / _AMOUNT,
        "row attack": words[row + at.ROW_ATTACK] / _AMOUNT,
        "row health": words[row + at.ROW_HEALTH] / _AMOUNT,
        "times": float(words[row + at.ROW_TIMES] != 0),
        "when": float(words[row + at.ROW_WHEN] != 0),
        "picks": min(int(words[row + at.ROW_PICK]), 4) / 2,
        "repeats": words[row + at.ROW_REPEAT] / 3,
        **{f"row {name}": 1.0 for name in _keyword_inputs(int(words[row + at.ROW_KEYWORDS]))},
    }
    return inputs | _group_inputs(words, int(words[row + at.ROW_TO])) | _made_inputs(words, row)


def _group_inputs(words: Words16, group: int) -> Inputs:
    """Return the inputs of the group at an offset of the table; none if the offset is 0."""
    if group <= 0:
        return {}
    selector = int(words[group + at.GROUP_SELECTOR])
    return {
        f"to {_SELECTORS[selector]}": 1.0,
        f"side {Side(int(words[group + at.GROUP_SIDE])).name.lower()}": 1.0,
        f"body {Body(int(words[group + at.GROUP_BODY])).name.lower()}": 1.0,
        "filters": float(words[group + at.GROUP_ASKS] > at.ASKS_FOR_OTHERS),
    }


def _made_inputs(words: Words16, row: int) -> Inputs:
    """Return the inputs of the single card that an effect row makes; none for other rows."""
    card = int(words[row + at.ROW_ARGUMENT])
    n_cards = (int(words[at.TABLE_LENGTH]) - at.CARDS) // at.CARD_SIZE
    if words[row + at.ROW_N_CARDS] != 1 or not 0 <= card < n_cards:
        return {}
    return {f"made {name}": value for name, value in _body_inputs(words, card).items()}


@cache
def _action_words() -> dict[int, str]:
    """Return the word of each action by its number in compiled code."""
    return {action.number: word for word, action in all_actions().items()}
