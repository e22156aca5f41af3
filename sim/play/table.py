"""Card tables: a ruleset and a pool packed into numbers, for one variant or a thousand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sim import AMOUNTS, InputError, Pool, check_pool, error_place, known_word
from sim.cards.action import Action
from sim.engine import layout as at
from sim.engine.addresses import address_of, as_words
from sim.engine.compiled import HANDLER
from sim.files.validation import revalidated
from sim.play.packing import filled_words, has_plain_games, pack_cards, plays_plain_games
from sim.ruleset import RULE_LABELS, Ruleset

_TABLE_WORDS_MAX = 2**15 - 1  # offsets within a table are 16-bit words
_PRINTED = {
    "cost": at.CARD_COST,
    "attack": at.CARD_ATTACK,
    "health": at.CARD_HEALTH,
    "durability": at.CARD_HEALTH,
}
_RULES = {
    "life": at.LIFE,
    "mana_max": at.MANA_MAX,
    "opening_hand_first": at.OPENING_HAND,
    "opening_hand_second": at.OPENING_HAND + 1,
    "coin": at.COIN,
    "extra_life_second": at.EXTRA_LIFE_SECOND,
    "extra_mana_second": at.EXTRA_MANA_SECOND,
}
_AMOUNT_KEYS = {"amount": at.ROW_AMOUNT, "attack": at.ROW_ATTACK, "health": at.ROW_HEALTH}


OF_RULES = -1
"""The owner of genes that are numbers of the rules."""


class Gene(NamedTuple):
    """One number of a card or of the rules, as something that a search may move."""

    owner: int  # the card's position in the pool, or `OF_RULES`
    field: str  # one of the card's `fields`, or of `sim.ruleset.RULE_LABELS`


@dataclass(frozen=True)
class Table:
    """The numbers of ``V`` variants of a pool under a ruleset.

    Attributes:
        ruleset: the rules.
        pool: the cards of variant 0 before any edit.
        words: ``[V, size]`` int16, laid out by `sim.engine.layout`. They hold addresses of
            compiled handlers, which a table that is unpickled looks up anew.
    """

    ruleset: Ruleset
    pool: Pool
    words: npt.NDArray[np.int16]

    @property
    def n_variants(self) -> int:
        """``V``."""
        return len(self.words)

    @property
    def n_cards(self) -> int:
        """Cards and tokens of the pool: the numbers that decks and powers may name."""
        return len(self.pool.cards) + len(self.pool.tokens)

    @property
    def is_always_general(self) -> bool:
        """Whether every game needs the general rules, whatever its decks hold."""
        return bool(self.words[0, at.ALL_GENERAL])

    def is_general(self, decks: npt.NDArray[np.int16]) -> npt.NDArray[np.bool_]:
        """``[...]`` whether games with decks ``[..., DECK_ROW_SIZE]`` need the general rules.

        A game needs them if one of its decks does; else it is plain (`sim.engine.rules`). What
        other cards the pool holds makes no difference.
        """
        of_card = self.words[0, at.CARDS + at.CARD_IS_GENERAL :: at.CARD_SIZE][: self.n_cards]
        cards = decks[..., 1 : at.DECK_POWER]
        asks: npt.NDArray[np.bool_] = (of_card[cards] != 0) & (cards != at.BLANK)
        return np.asarray(asks.any(axis=-1) | self.is_always_general)

    def __reduce__(self) -> tuple[Any, ...]:
        numbers = {action.word: action.number for action in _actions(self.pool)}
        return _travelled, (self.ruleset, self.pool, self.words, numbers)

    def vary(self, genes: Sequence[Gene], steps: npt.NDArray[np.integer]) -> Table:
        """One variant per row of `steps`, each added to this table's first variant.

        Args:
            genes: ``K`` numbers to move.
            steps: ``[V, K]`` how far.

        Raises:
            InputError: there is no such number, or it comes to what the rules do not allow.
        """
        self._check_moves(genes, steps)
        words = np.repeat(self.words[:1], len(steps), axis=0)
        columns = [self._number_offset(gene) for gene in genes]
        units = np.array([self._unit(gene) for gene in genes], dtype=np.int16)
        words[:, columns] += np.asarray(steps, dtype=np.int16) * units
        return replace(self, words=words)

    def _check_moves(self, genes: Sequence[Gene], steps: npt.NDArray[np.integer]) -> None:
        """Refuse numbers that there are not, and values that the ruleset's limits forbid."""
        moves = np.asarray(steps)
        is_whole = moves.dtype.kind in "iu" or moves.size == 0
        if moves.ndim != 2 or moves.shape[1] != len(genes) or not is_whole:
            raise InputError(
                f"steps of shape {moves.shape}, type {moves.dtype}; must be whole numbers, "
                f"{len(genes)} for each variant"
            )
        if not len(moves):
            return
        ends = np.stack([moves.min(axis=0), moves.max(axis=0)], axis=1).tolist()
        for gene, (lowest, highest) in zip(genes, ends, strict=True):
            low, high = self._steps_of(gene)
            if low <= lowest and highest <= high:
                continue
            owner, field = gene
            step = lowest if lowest < low else highest
            if owner == OF_RULES:
                # Which of the rules it would break, they say best themselves.
                self.ruleset.with_numbers({field: self.ruleset.number(field) + step})
                continue
            card = self.pool.cards[owner]
            today = card.number(field)
            raise InputError(
                f"card {card.id!r}: {field} = {today + step} must be {today + low} to "
                f"{today + high} (limits of ruleset {self.ruleset.name!r})"
            )

    def _steps_of(self, gene: Gene) -> tuple[int, int]:
        """How far a number may surely move; looked up once, since searches ask again and again."""
        known = self._known_steps.get(gene)
        if known is None:
            known = self._known_steps[gene] = self._find_steps(gene)
        return known

    @cached_property
    def _known_steps(self) -> dict[Gene, tuple[int, int]]:
        return {}

    def _find_steps(self, gene: Gene) -> tuple[int, int]:
        """The lowest and the highest step; of the rules none, since their numbers hang together."""
        owner, field = gene
        if owner == OF_RULES:
            known_word("number of the rules", field, RULE_LABELS)
            return (0, 0)
        if isinstance(owner, bool) or owner not in range(len(self.pool.cards)):
            last = len(self.pool.cards) - 1
            raise InputError(f"gene {gene}: owner must be {OF_RULES} (the rules) or 0 to {last}")
        card = self.pool.cards[owner]
        known_word("number", field, card.fields, f"card {card.id!r}")
        low, high = self.ruleset.limits.of(field)
        today = card.number(field)
        return (low - today, high - today)

    def _unit(self, gene: Gene) -> int:
        """What a step adds to a number's word: no coin is another card than the coin."""
        if gene != (OF_RULES, "coin"):
            return 1
        return int(self.words[0, at.COIN]) - at.BLANK if self.ruleset.coin else 0

    def _number_offset(self, gene: Gene) -> int:
        """Where a number lies in a variant's words."""
        if gene.owner == OF_RULES:
            return _RULES[gene.field]
        card = at.CARDS + at.CARD_SIZE * gene.owner
        if gene.field not in AMOUNTS:
            return card + _PRINTED[gene.field]
        place = self.pool.cards[gene.owner].amount_places[AMOUNTS.index(gene.field)]
        first_row = int(self.words[0, card + at.CARD_ROWS])
        return first_row + at.ROW_SIZE * place.row + _AMOUNT_KEYS[place.key]


def pack_table(pool: Pool, ruleset: Ruleset, *, general: bool = False) -> Table:
    """The table of one variant: the pool as it is.

    Args:
        pool: the cards.
        ruleset: the rules.
        general: whether to play even plain games by the general rules.

    Raises:
        InputError: a number of the pool is beyond the ruleset's limits, the ruleset beyond those
            of its class, an action has no handler, or the pool is too large for 16-bit offsets.
    """
    revalidated(ruleset, source="")
    revalidated(pool, source="", nested=False)
    check_pool(pool, ruleset)
    packed = pack_cards(pool, at.CARDS)
    general = general or not has_plain_games(ruleset)
    header = _header_words(pool, ruleset, len(packed), general=general)
    words = np.concatenate([header, np.array(packed, dtype=np.int16)])[np.newaxis]
    _link(words, pool, has_rules=general or not plays_plain_games(pool, ruleset))
    return Table(ruleset, pool, words)


def _actions(pool: Pool) -> set[Action]:
    return {row.action for card in pool.everything for row in card.effects}


def handler_words(actions: Iterable[Action]) -> npt.NDArray[np.int16]:
    """The jump table of a card table that uses these: ``[4 * MAX_OPCODES]`` words.

    Raises:
        InputError: a handler cannot be compiled.
    """
    addresses = [0] * at.MAX_OPCODES
    for action in actions:
        with error_place(f"action {action.word!r}"):
            addresses[action.number] = address_of(action.handler, HANDLER)
    return as_words(addresses)


def _link(words: npt.NDArray[np.int16], pool: Pool, *, has_rules: bool) -> None:
    """Write the addresses of what the cards' rows do, and of the general rules if they have any."""
    words[:, at.HANDLERS : at.HANDLERS + 4 * at.MAX_OPCODES] = handler_words(_actions(pool))
    if has_rules:
        from sim.engine.general.rules import entry_words  # noqa: PLC0415 (much to load)

        entries = entry_words()
        words[:, at.BEGIN : at.BEGIN + len(entries)] = entries


def _travelled(
    ruleset: Ruleset, pool: Pool, words: npt.NDArray[np.int16], numbers: dict[str, int]
) -> Table:
    """A table that was pickled, maybe in another process, with the addresses of this one."""
    if strange := [one.word for one in _actions(pool) if numbers[one.word] != one.number]:
        raise InputError(
            f"action {min(strange)!r} has another number in another process; declare it in a "
            "package (group evenhand.actions), installed alike wherever games are played"
        )
    words = np.array(words)
    _link(words, pool, has_rules=bool(words[0, at.BEGIN : at.HANDLERS].any()))
    return Table(ruleset, pool, words)


def _header_words(
    pool: Pool, ruleset: Ruleset, n_words: int, *, general: bool
) -> npt.NDArray[np.int16]:
    length = at.CARDS + n_words
    if length > _TABLE_WORDS_MAX:
        raise InputError(
            f"the pool packs into {length} words; the limit is {_TABLE_WORDS_MAX} "
            f"(about {_TABLE_WORDS_MAX // (at.CARD_SIZE + at.ROW_SIZE)} cards)"
        )
    coin = pool.number(pool.coin) if ruleset.coin and pool.coin else at.BLANK
    words = {
        at.TABLE_LENGTH: length,
        at.LIFE: ruleset.life,
        at.HAND_LIMIT: ruleset.hand_limit,
        at.BOARD_LIMIT: ruleset.board_limit,
        at.MANA_MAX: ruleset.mana_max,
        at.TURN_CAP: ruleset.turn_cap,
        at.SKIP_FIRST_DRAW: ruleset.skip_first_draw,
        at.DECK_OUT: ruleset.deck_out == "fatigue",
        at.FULL_BOARD: ruleset.full_board == "refuse",
        at.DEATHS: ruleset.deaths == "action",
        at.MULLIGAN: ruleset.mulligan,
        at.COIN: coin,
        at.EXTRA_LIFE_SECOND: ruleset.extra_life_second,
        at.EXTRA_MANA_SECOND: ruleset.extra_mana_second,
        at.HERO_POWERS: ruleset.hero_powers,
        at.IDLE_ATTACKERS: ruleset.idle_attackers,
        at.TOKENS: ruleset.tokens == "beside",
        at.ALL_GENERAL: general,
        at.STARTS: any(row.on == "game_start" for card in pool.everything for row in card.effects),
        at.ACTIONS_PER_TURN: ruleset.actions_per_turn,
        at.STEPS_PER_ACTION: ruleset.steps_per_action,
    }
    return filled_words(at.CARDS, words | dict(enumerate(ruleset.opening_hand, at.OPENING_HAND)))
