"""Card tables: a ruleset and a pool packed into numbers, for one variant or a thousand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sim.card import FIELDS, Card, Effect, Token
from sim.engine.layout import (
    BOARD_LIMIT,
    CARD_SIZE,
    CARDS,
    DECK_OUT,
    HAND_LIMIT,
    HANDLERS,
    LIFE,
    MANA_MAX,
    MAX_OPCODES,
    OPENING_HAND,
    ROW_SIZE,
    SKIP_FIRST_DRAW,
    TABLE_LENGTH,
    TURN_CAP,
)
from sim.engine.opcodes import handler_words, opcode_of
from sim.errors import InputError
from sim.pool import Pool, check_pool
from sim.ruleset import N_SEATS, Ruleset
from sim.vocabulary import Condition, Event, Keyword, Selector

_TABLE_WORDS_MAX = 2**15 - 1  # offsets within a table are 16-bit words


class Gene(NamedTuple):
    """One number of one card, as something that a search may move."""

    card: int  # position in the pool
    field: str  # one of `sim.card.FIELDS`


@dataclass(frozen=True)
class Table:
    """The numbers of ``V`` variants of a pool under a ruleset.

    Attributes:
        ruleset: the rules.
        pool: the cards of variant 0 before any edit.
        words: ``[V, size]`` int16, laid out by `sim.engine.layout`. They hold addresses of
            compiled handlers, so a table belongs to the process that packed it.
    """

    ruleset: Ruleset
    pool: Pool
    words: npt.NDArray[np.int16]

    @property
    def n_variants(self) -> int:
        """``V``."""
        return len(self.words)

    def vary(self, genes: Sequence[Gene], steps: npt.NDArray[np.integer]) -> Table:
        """One variant per row of `steps`, each added to this table's first variant.

        Args:
            genes: ``K`` numbers to move.
            steps: ``[V, K]`` how far.
        """
        words = np.repeat(self.words[:1], len(steps), axis=0)
        columns = [_number_offset(gene) for gene in genes]
        words[:, columns] += np.asarray(steps, dtype=np.int16)
        return replace(self, words=words)


def pack_table(pool: Pool, ruleset: Ruleset) -> Table:
    """The table of one variant: the pool as it is.

    Raises:
        InputError: a number of the pool is beyond the ruleset's limits, an action has no
            handler, or the pool is too large for 16-bit offsets.
    """
    check_pool(pool, ruleset)
    tokens = [effect.token for card in pool.cards for effect in card.effects if effect.token]
    n_cards = len(pool.cards) + len(tokens)
    first_row = CARDS + CARD_SIZE * n_cards
    rows: list[list[int]] = []
    cards: list[list[int]] = []
    for card in pool.cards:
        cards.append(_card_words(card, first_row + ROW_SIZE * len(rows), len(card.effects)))
        for effect in card.effects:
            n_tokens_before = sum(row[-1] > 0 for row in rows)
            token_card = len(pool.cards) + n_tokens_before if effect.token else 0
            rows.append(_row_words(effect, token_card))
    cards += [_token_words(token) for token in tokens]
    body = [word for row in cards + rows for word in row]
    header = _header_words(ruleset, CARDS + len(body))
    words = np.concatenate([header, np.array(body, dtype=np.int16)])
    return Table(ruleset, pool, words[np.newaxis])


def _header_words(ruleset: Ruleset, length: int) -> npt.NDArray[np.int16]:
    if length > _TABLE_WORDS_MAX:
        raise InputError(
            f"the pool packs into {length} words; the limit is {_TABLE_WORDS_MAX} "
            f"(about {_TABLE_WORDS_MAX // (CARD_SIZE + ROW_SIZE)} cards)"
        )
    header = np.zeros(CARDS, dtype=np.int16)
    header[TABLE_LENGTH] = length
    header[LIFE] = ruleset.life
    header[HAND_LIMIT] = ruleset.hand_limit
    header[BOARD_LIMIT] = ruleset.board_limit
    header[MANA_MAX] = ruleset.mana_max
    header[TURN_CAP] = ruleset.turn_cap
    header[SKIP_FIRST_DRAW] = ruleset.skip_first_draw
    header[DECK_OUT] = ruleset.deck_out == "fatigue"
    header[OPENING_HAND : OPENING_HAND + N_SEATS] = ruleset.opening_hand
    header[HANDLERS : HANDLERS + 4 * MAX_OPCODES] = handler_words()
    return header


def _card_words(card: Card, first_row: int, n_rows: int) -> list[int]:
    numbers = [card.number(field) for field in FIELDS]
    return [*numbers, _keyword_bits(card.keywords), first_row, n_rows]


def _token_words(token: Token) -> list[int]:
    return [0, token.attack, token.health, _keyword_bits(token.keywords), 0, 0]


def _row_words(effect: Effect, token_card: int) -> list[int]:
    return [
        Event[effect.on.upper()],
        Condition[effect.when.upper()],
        Selector[effect.to.upper()],
        opcode_of(effect.do),
        effect.amount,
        token_card,
    ]


def _keyword_bits(keywords: Sequence[str]) -> int:
    return sum(Keyword[keyword.upper()] for keyword in keywords)


def _number_offset(gene: Gene) -> int:
    """Where a number lies in a table: a card begins with its numbers, in the order of FIELDS."""
    return CARDS + CARD_SIZE * gene.card + FIELDS.index(gene.field)
