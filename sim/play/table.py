"""Card tables: a ruleset and a pool encoded as 16-bit words, for one or many variants."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
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
from sim.short_repr import short_repr

_TABLE_WORDS_MAX = 2**15 - 1  # offsets within a table are 16-bit words
# Offsets of the numbers that a search may change. `_PRINTED`: in the words of a card; `_RULES`: in
# the header of the table; `_AMOUNT_KEYS`: in an effect row.
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
"""Value of `Gene.owner` for numbers of the rules."""


class Gene(NamedTuple):
    """Identifier of a number of a card or of the rules that a search may change.

    Attributes:
        owner: position of the card in the pool; `OF_RULES` for a number of the rules.
        field: name of the number, which is one of the card's `fields` or a key of
            `sim.ruleset.RULE_LABELS`.
    """

    owner: int
    field: str


@dataclass(frozen=True)
class Table:
    """A pool of cards and a ruleset, encoded as words for the engine, in ``V`` variants.

    Attributes:
        ruleset: rules before any edit.
        pool: cards before any edit.
        words: words of each variant in the layout of `sim.engine.layout`, int16, shape
            ``[V, size]``. They include addresses of compiled handlers, which are looked up again
            when a table is unpickled.
    """

    ruleset: Ruleset
    pool: Pool
    words: npt.NDArray[np.int16]

    def __repr__(self) -> str:
        return short_repr(self, "n_variants", pool=self.pool.name, ruleset=self.ruleset.name)

    @cached_property
    def companions(self) -> dict[Hashable, Any]:
        """Data that agents computed for this table, by agent; they live as long as the table."""
        return {}

    @property
    def n_variants(self) -> int:
        """Number of variants, ``V``."""
        return len(self.words)

    @property
    def n_cards(self) -> int:
        """Number of cards and tokens of the pool; plain tokens, which have no id, do not count."""
        return len(self.pool.cards) + len(self.pool.tokens)

    @property
    def is_always_general(self) -> bool:
        """Whether all games need the general rules, even with decks of plain cards only."""
        return bool(self.words[0, at.ALL_GENERAL])

    @property
    def _general_cards(self) -> npt.NDArray[np.bool_]:
        """Whether games with each card need the general rules, shape ``[n_cards]``."""
        of_card = self.words[0, at.CARDS + at.CARD_IS_GENERAL :: at.CARD_SIZE][: self.n_cards]
        return np.asarray(of_card != 0)

    @property
    def kinds_of_games(self) -> list[bool]:
        """Whether games with cards of this table are general: False, True, or first False."""
        if self.is_always_general:
            return [True]
        return [False, True] if self._general_cards.any() else [False]

    def is_general(self, decks: npt.NDArray[np.int16]) -> npt.NDArray[np.bool_]:
        """Return whether games with given decks need the general rules.

        A game needs them if one of its decks does. All other games are played by the fast rules
        (`sim.engine.rules`), even if other cards of the pool need the general rules.

        Args:
            decks: deck rows, shape ``[..., DECK_ROW_SIZE]``.

        Returns:
            Whether games with each deck need the general rules, shape ``[...]``.
        """
        cards = decks[..., 1 : at.DECK_POWER]
        # An empty slot is -1, which indexes the last card, so its result must be ignored.
        is_general: npt.NDArray[np.bool_] = self._general_cards[cards] & (cards != at.BLANK)
        return np.asarray(is_general.any(axis=-1) | self.is_always_general)

    def __reduce__(self) -> tuple[Any, ...]:
        numbers = {action.word: action.number for action in _actions(self.pool)}
        return _unpickled_table, (self.ruleset, self.pool, self.words, numbers)

    def vary(self, genes: Sequence[Gene], steps: npt.NDArray[np.integer]) -> Table:
        """Return a table with one variant for each row of `steps`.

        Args:
            genes: numbers to change, ``K`` in total.
            steps: amount that each variant adds to each number of this table's first variant,
                shape ``[V, K]``.

        Raises:
            InputError: a number does not exist or would exceed the ruleset's limits, or `steps` has
                a wrong shape or type.
        """
        self._check_moves(genes, steps)
        words = np.repeat(self.words[:1], len(steps), axis=0)
        columns = [self._number_offset(gene) for gene in genes]
        units = np.array([self._unit(gene) for gene in genes], dtype=np.int16)
        words[:, columns] += np.asarray(steps, dtype=np.int16) * units
        words[:, at.VARIANT] = np.arange(len(steps))
        return replace(self, words=words)

    def _check_moves(self, genes: Sequence[Gene], steps: npt.NDArray[np.integer]) -> None:
        """Check the arguments of `vary`.

        The ruleset's limits are checked for the lowest and highest step of each number.

        Raises:
            InputError: a number does not exist or would exceed the ruleset's limits, or `steps` has
                a wrong shape or type.
        """
        moves = np.asarray(steps)
        is_whole = moves.dtype.kind in "iu" or moves.size == 0
        if moves.ndim != 2 or moves.shape[1] != len(genes) or not is_whole:
            raise InputError(
                f"have shape {moves.shape} and type {moves.dtype}",
                place="steps",
                value=moves.shape,
                limit=len(genes),
                remedy=f"give whole numbers, {len(genes)} for each variant",
                separator=" ",
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
                # Numbers of the rules limit each other, so the ruleset checks them as a whole.
                self.ruleset.with_numbers({field: self.ruleset.number(field) + step})
                continue
            card = self.pool.cards[owner]
            baseline = card.number(field)
            raise InputError(
                f"= {baseline + step} must be from {baseline + low} to {baseline + high} "
                f"(limits of ruleset {self.ruleset.name!r})",
                place=f"card {card.id!r}: {field}",
                value=baseline + step,
                limit=(baseline + low, baseline + high),
                separator=" ",
            )

    def _steps_of(self, gene: Gene) -> tuple[int, int]:
        """Return the lowest and highest permitted step of a gene's number (`_find_steps`).

        The result is cached, since searches check the same numbers many times.
        """
        step_range = self._known_steps.get(gene)
        if step_range is None:
            step_range = self._known_steps[gene] = self._find_steps(gene)
        return step_range

    @cached_property
    def _known_steps(self) -> dict[Gene, tuple[int, int]]:
        """Cache of the results of `_steps_of`."""
        return {}

    def _find_steps(self, gene: Gene) -> tuple[int, int]:
        """Return the lowest and highest permitted step of the number of a gene.

        For a number of the rules the result is always (0, 0). Such numbers limit each other, so
        steps other than 0 must be checked with the whole ruleset.

        Raises:
            InputError: the owner or its number does not exist.
        """
        owner, field = gene
        if owner == OF_RULES:
            known_word("number of the rules", field, RULE_LABELS)
            return (0, 0)
        if isinstance(owner, bool) or owner not in range(len(self.pool.cards)):
            last = len(self.pool.cards) - 1
            raise InputError(
                f"must be {OF_RULES} (the rules) or 0 to {last} (a card of the pool)",
                place=f"gene {gene}: owner",
                value=owner,
                limit=(OF_RULES, last),
                separator=" ",
            )
        card = self.pool.cards[owner]
        known_word("number", field, card.fields, f"card {card.id!r}")
        low, high = self.ruleset.limits.of(field)
        baseline = card.number(field)
        return (low - baseline, high - baseline)

    def _unit(self, gene: Gene) -> int:
        """Return the amount by which a gene's word changes for each step of its number.

        It is 1, except for the rule `coin`. The word of this rule is the card number of the coin or
        `BLANK`, so it changes by the difference between these two, or by 0 if there is no coin.
        """
        if gene != (OF_RULES, "coin"):
            return 1
        return int(self.words[0, at.COIN]) - at.BLANK if self.ruleset.coin else 0

    def _number_offset(self, gene: Gene) -> int:
        """Return the offset of a gene's number among the words of a variant."""
        if gene.owner == OF_RULES:
            return _RULES[gene.field]
        card = at.CARDS + at.CARD_SIZE * gene.owner
        if gene.field not in AMOUNTS:
            return card + _PRINTED[gene.field]
        place = self.pool.cards[gene.owner].amount_places[AMOUNTS.index(gene.field)]
        first_row = int(self.words[0, card + at.CARD_ROWS])
        return first_row + at.ROW_SIZE * place.row + _AMOUNT_KEYS[place.key]


def pack_table(pool: Pool, ruleset: Ruleset, *, general: bool = False) -> Table:
    """Return the card table of a pool, with one variant without edits.

    Args:
        pool: cards to encode.
        ruleset: rules to encode.
        general: whether to play all games by the general rules, even if the fast rules suffice.

    Raises:
        InputError: a number of the pool or the ruleset is outside its limits, the handler of an
            action cannot be compiled, or the pool is too large for 16-bit offsets.
    """
    # Copies with changes (`model_copy`) are not validated, and the engine checks no bounds.
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
    """Return the set of all actions that the effects of a pool use."""
    return {row.action for card in pool.everything for row in card.effects}


def handler_words(actions: Iterable[Action]) -> npt.NDArray[np.int16]:
    """Return the jump table of a card table: the addresses of the actions' handlers.

    Args:
        actions: actions of the table's cards; the addresses of all other actions are 0.

    Returns:
        Four 16-bit words for the address of each action, by number, shape ``[4 * MAX_OPCODES]``.

    Raises:
        InputError: a handler cannot be compiled.
    """
    addresses = [0] * at.MAX_OPCODES
    for action in actions:
        with error_place(f"action {action.word!r}"):
            addresses[action.number] = address_of(action.handler, HANDLER)
    return as_words(addresses)


def _link(words: npt.NDArray[np.int16], pool: Pool, *, has_rules: bool) -> None:
    """Write the addresses of effect handlers, and if needed of the general rules, into a table.

    Args:
        words: words of the table, changed in place, shape ``[V, size]``.
        pool: cards of the table.
        has_rules: whether a game of the table may need the general rules.

    Raises:
        InputError: a handler cannot be compiled.
    """
    words[:, at.HANDLERS : at.HANDLERS + 4 * at.MAX_OPCODES] = handler_words(_actions(pool))
    if has_rules:
        from sim.engine.general.rules import entry_words  # noqa: PLC0415 (slow to load)

        entries = entry_words()
        words[:, at.BEGIN : at.BEGIN + len(entries)] = entries


def _unpickled_table(
    ruleset: Ruleset, pool: Pool, words: npt.NDArray[np.int16], numbers: dict[str, int]
) -> Table:
    """Return a table that was pickled, with its addresses replaced by those of this process.

    Args:
        ruleset: rules of the table.
        pool: cards of the table.
        words: words of the table, with the addresses of the pickling process, shape ``[V, size]``.
        numbers: number of each action in the pickling process, by the action's word.

    Raises:
        InputError: an action has different numbers in the two processes.
    """
    if differing := [
        action.word for action in _actions(pool) if numbers[action.word] != action.number
    ]:
        raise InputError(
            "has another number in another process",
            place=f"action {min(differing)!r}",
            value=min(differing),
            remedy="declare it in a package (group evenhand.actions), and install the same "
            "packages wherever games are played",
            separator=" ",
        )
    words = np.array(words)
    _link(words, pool, has_rules=bool(words[0, at.BEGIN : at.HANDLERS].any()))
    return Table(ruleset, pool, words)


def _header_words(
    pool: Pool, ruleset: Ruleset, n_words: int, *, general: bool
) -> npt.NDArray[np.int16]:
    """Return the header of a table, which encodes the rules; the words of all addresses are 0.

    Args:
        pool: cards of the table.
        ruleset: rules to encode.
        n_words: number of words of the table after the header.
        general: whether all games are played by the general rules.

    Raises:
        InputError: the table is too long for 16-bit offsets.
    """
    length = at.CARDS + n_words
    if length > _TABLE_WORDS_MAX:
        n_cards = _TABLE_WORDS_MAX // (at.CARD_SIZE + at.ROW_SIZE)
        raise InputError(
            f"the card table has {length:,} words; the limit is {_TABLE_WORDS_MAX:,} "
            f"(about {n_cards} cards)",
            value=length,
            limit=_TABLE_WORDS_MAX,
            remedy="remove cards from the pool",
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
