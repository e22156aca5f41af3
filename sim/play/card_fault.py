"""Which card stopped a game, and why, as people read it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sim.engine import layout as at
from sim.errors import CardFault
from sim.play.table import Table

Words16 = npt.NDArray[np.int16]


def is_faulty(state: Words16) -> bool:
    """Whether a card's texts have stopped the game of this state."""
    return bool(state[at.RESULT] == at.FAULTED)


def fault_of_state(state: Words16, table: Table, game_seed: int, variant: int = 0) -> CardFault:
    """What stopped the game of a state (`is_faulty`)."""
    reason, row, played = (
        int(state[at.FAULT]),
        int(state[at.ROW_AT_WORK]),
        int(state[at.LAST_PLAYED]),
    )
    return fault_of(
        table, reason, row, played, turn=int(state[at.TURN]), game_seed=game_seed, variant=variant
    )


def fault_of(
    table: Table, reason: int, row: int, played: int, *, turn: int, game_seed: int, variant: int
) -> CardFault:
    """What stopped a game.

    Args:
        table: the numbers of all variants.
        reason: FAULT_* bits of `sim.engine.layout`.
        row: offset in the table of the effect row at work, 0 for none.
        played: 1 + the number of the card that was played last, 0 for none.
        turn: of the game.
        game_seed: the game's.
        variant: row of the table.
    """
    what = next(what for bit, what in _what(table) if bit & reason or bit == 0)
    return CardFault(_who(table, row, played), what, turn, game_seed, variant)


def _what(table: Table) -> tuple[tuple[int, str], ...]:
    """What a card does, for each reason; 0 stands for all others."""
    rules = table.ruleset
    return (
        (
            at.FAULT_STEPS,
            f"its texts never end: more than {rules.steps_per_action} steps_per_action",
        ),
        (
            at.FAULT_TURN,
            f"its turn never ends: more than {rules.actions_per_turn} actions_per_turn",
        ),
        (at.FAULT_QUEUE, "its texts set off more at once than a game has room for"),
        (at.FAULT_RECORDS, "its texts bring more cards at once than a game has room for"),
        (at.FAULT_ATTACHED, "its texts attach more than a game has room for"),
        (0, "its texts do more than a game can count"),
    )


def _who(table: Table, row: int, played: int) -> str:
    """The card whose row it is, or the one played last."""
    cards = table.pool.everything
    for number, card in enumerate(cards):
        offset = at.CARDS + at.CARD_SIZE * number
        first, n_rows = (
            int(table.words[0, offset + word]) for word in (at.CARD_ROWS, at.CARD_N_ROWS)
        )
        if first <= row < first + at.ROW_SIZE * n_rows:
            return f"card {card.id!r}"
    makers = [card for card in cards for effect in card.effects if effect.token]
    numbered = [*cards, *makers]  # a plain token goes by who brings it
    if 0 < played <= len(numbered):
        return f"card {numbered[played - 1].id!r}"
    return "a card of these decks"
