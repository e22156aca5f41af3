"""Encoding of cards as the words of a card table.

The cards come first, then their effect rows, then an extension block of groups, conditions and
lists of cards. Cards and rows refer to entries of the extension block by offset; equal entries are
stored once.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from sim import Card, Pool, Ruleset
from sim.cards.effect import Effect, Token
from sim.cards.measure import measures
from sim.cards.notation import ALWAYS, Bounds, Group
from sim.cards.vocabulary import Keyword, Kind, Lasting, Opcode, Selector, State
from sim.engine import layout as at

_PLAIN_GROUPS = (Group(Selector.OWN_PLAYER), Group(Selector.ENEMY_PLAYER))
"""Groups that the effects of plain cards may apply to."""


def has_plain_games(ruleset: Ruleset) -> bool:
    """Return whether the fast rules (`sim.engine.rules`) implement a ruleset for plain cards.

    The fast rules implement exactly the options that are checked here.
    """
    return (
        not (ruleset.mulligan or ruleset.coin or ruleset.hero_powers)
        and ruleset.full_board == "destroy"
        and ruleset.deaths == "row"
        and ruleset.idle_attackers
        and ruleset.tokens == "end"
    )


def plays_plain_games(pool: Pool, ruleset: Ruleset) -> bool:
    """Return whether the fast rules can play all games of a pool, with any decks."""
    return has_plain_games(ruleset) and all(map(is_plain_card, pool.everything))


def is_plain_card(card: Card) -> bool:
    """Return whether the fast rules can play a card and all cards that it creates."""
    return (
        card.kind == "minion"
        and set(card.keywords) <= {"haste"}
        and not (card.target or card.options or card.spell_damage or card.overload)
        and card.needs == ALWAYS
        and all(_is_plain_row(effect) for effect in card.effects)
    )


def _is_plain_row(effect: Effect) -> bool:
    """Return whether the fast rules can carry out an effect.

    Such an effect has a plain action with a fixed amount, is unconditional and happens once. It
    names no card of the pool, and its token has no keyword other than haste.
    """
    return (
        _is_unconditional(effect)
        and effect.amount_to is None
        and effect.repeat == 1
        and not effect.cards
        and (effect.token is None or set(effect.token.keywords) <= {"haste"})
        and effect.action.is_plain
    )


def _is_unconditional(effect: Effect) -> bool:
    """Return whether an effect applies to the same player each time that its card is played.

    Such an effect has no condition, no random picks and no counted repetitions.
    """
    return (
        effect.on == "play"
        and effect.when == ALWAYS
        and effect.to in _PLAIN_GROUPS
        and effect.pick == 0
        and effect.spare == 0
        and effect.times is None
        and effect.by == "self"
    )


def filled_words(n_words: int, words: Mapping[int, int]) -> npt.NDArray[np.int16]:
    """Return an array of 16-bit words with given values, and 0 elsewhere, shape ``[n_words]``.

    Args:
        n_words: length of the array.
        words: values to set, by their offsets.
    """
    filled = np.zeros(n_words, dtype=np.int16)
    filled[list(words)] = list(words.values())
    return filled


def pack_cards(pool: Pool, start: int) -> list[int]:
    """Return the words of all cards and tokens, then effect rows, then the extension block.

    Plain tokens, which effects declare in place, follow the cards and tokens of the pool.

    Args:
        pool: cards to encode.
        start: offset in the table of the first card.
    """
    cards = pool.everything
    plain_tokens = [row.token for card in cards for row in card.effects if row.token]
    n_rows = sum(len(card.effects) for card in cards)
    rows_start = start + at.CARD_SIZE * (len(cards) + len(plain_tokens))
    packer = _Packer(cards, start, rows_start + at.ROW_SIZE * n_rows)
    card_words: list[int] = []
    row_words: list[int] = []
    for card in cards:
        card_words += packer.card(card, rows_start + len(row_words))
        for effect in card.effects:
            row_words += packer.row(effect)
    for token in plain_tokens:
        card_words += _token_words(token, start + len(card_words))
    return card_words + row_words + packer.annex


class _Packer:
    """Encoder of cards and effect rows as words of a card table.

    Attributes:
        annex: words of the extension block so far; equal entries are stored once.
    """

    def __init__(self, cards: Sequence[Card], start: int, annex_start: int) -> None:
        """Number the cards, tribes and heroes.

        Args:
            cards: all cards and tokens of the pool.
            start: offset in the table of the first card.
            annex_start: offset in the table of the extension block.
        """
        self.annex: list[int] = []
        self._places: dict[Hashable, int] = {}
        self._start = start
        self._annex_start = annex_start
        self._numbers = {card.id: number for number, card in enumerate(cards)}
        self._n_tokens = len(cards)
        tribes = sorted({card.tribe for card in cards if card.tribe})
        self._tribes = {tribe: number for number, tribe in enumerate(tribes, start=1)}
        heroes = sorted({card.hero for card in cards if card.hero})
        self._heroes = {hero: number for number, hero in enumerate(heroes, start=1)}
        self._kind_of_option = {option: card.kind for card in cards for option in card.options}

    def card(self, card: Card, first_row: int) -> list[int]:
        """Return the words of a card, in the order of `CARD_*` of `sim.engine.layout`.

        Groups and conditions of the card are added to the extension block.

        Args:
            card: card to encode.
            first_row: offset in the table of the card's first effect row.
        """
        own, *options = (self._offset(name) for name in (card.id, *card.options))
        return [
            card.cost,
            card.attack,
            card.durability if card.kind == "weapon" else card.health,
            _keyword_bits(card.keywords),
            first_row,
            len(card.effects),
            Kind[card.kind.upper()],
            self._tribes.get(card.tribe, 0),
            card.spell_damage,
            card.overload,
            self.group(card.target) if card.target else 0,
            self._target_mode(card),
            self.condition(card.needs),
            *((0, *options, 0) if options else (own, 0, 0, 0)),
            *_event_bits(card.effects),
            self.condition(card.target_when),
            _aura_bits(card.effects),
            self._heroes.get(card.hero, 0),
            not is_plain_card(card),
        ]

    def _offset(self, card_id: str) -> int:
        """Return the offset in the table of the card with the given id."""
        return self._start + at.CARD_SIZE * self._numbers[card_id]

    def _target_mode(self, card: Card) -> int:
        """Return the word that says whether a card needs a target.

        It is 0 for a card without targets, `MUST_CHOOSE` for a spell or hero power, and
        `CHOOSES_IF_ANY` for all others. An option has the mode of the kind of its card.
        """
        if not card.target:
            return 0
        kind = self._kind_of_option.get(card.id, card.kind)
        return at.MUST_CHOOSE if kind in ("spell", "power") else at.CHOOSES_IF_ANY

    def row(self, effect: Effect) -> list[int]:
        """Return the words of an effect row, in the order of `ROW_*` of `sim.engine.layout`.

        Groups, conditions and lists of cards are added to the extension block. A plain token gets
        the next number, so the rows of all cards must be encoded in the order of the cards.
        """
        n_cards, argument = self._argument(effect)
        return [
            effect.event,
            self.group(effect.of),
            self.condition(effect.when),
            effect.to.selector,
            self.group(effect.to),
            effect.pick,
            effect.spare,
            effect.repeat,
            effect.action.number,
            effect.amount,
            effect.amount_to or 0,
            effect.attack or 0,
            effect.health or 0,
            self.condition(Bounds(effect.times)) if effect.times else 0,
            effect.at_least,
            _keyword_bits(effect.keywords),
            Lasting[effect.lasts.upper()],
            effect.by == "target",
            at.GIVES_ATTACK * (effect.attack is not None)
            + at.GIVES_HEALTH * (effect.health is not None),
            n_cards,
            argument,
            effect.absent,
            Kind[effect.kind.upper()] if effect.kind else at.BLANK,
            at.FOR_ENEMY * (effect.receiver == "enemy")
            + at.OF_ENEMY_HERO * effect.of_enemy_hero
            + at.UNCONDITIONAL * _is_unconditional(effect),
        ]

    def _argument(self, effect: Effect) -> tuple[int, int]:
        """Return the number of cards that an effect names, and a reference to them.

        The reference is 0 for no card, the number of a single card or plain token, and the offset
        in the table of a list of several cards. A plain token gets the next number.
        """
        if effect.token is not None:
            self._n_tokens += 1
            return 1, self._n_tokens - 1
        numbers = tuple(self._numbers[card] for card in effect.cards)
        if len(numbers) <= 1:
            return len(numbers), numbers[0] if numbers else 0
        return len(numbers), self._place(("cards", numbers), numbers)

    def _place(self, key: Hashable, words: Sequence[int]) -> int:
        """Return the table offset of an extension-block entry; append the entry if it is new.

        Args:
            key: identifier of the entry; equal entries have equal keys.
            words: words of the entry.
        """
        if key not in self._places:
            self._places[key] = self._annex_start + len(self.annex)
            self.annex += words
        return self._places[key]

    def group(self, group: Group) -> int:
        """Return the offset in the table of a group; append the group if it is new."""
        words = [
            group.selector,
            self._tribes.get(group.tribe, 0),
            _as_word(group.keywords),
            group.states,
            at.BLANK if group.kind is None else group.kind,
            at.BLANK if group.stat is None else group.stat,
            group.low,
            group.high,
            _filter_level(group),
            group.selector.side,
            group.selector.body,
            self._numbers[group.without] if group.without else at.BLANK,
        ]
        return self._place(("group", group), words)

    def condition(self, bounds: Bounds) -> int:
        """Return the offset in the table of a condition or measure; append it if it is new.

        The offset of the condition that always holds is 0.
        """
        if bounds == ALWAYS:
            return 0
        reading = bounds.reading
        words = [
            measures()[reading.measure].number,
            self.group(reading.group),
            reading.stat,
            bounds.low,
            bounds.high,
            self.condition(bounds.also) if bounds.also else 0,
        ]
        return self._place(("condition", bounds), words)


def _filter_level(group: Group) -> int:
    """Return which checks the engine must make for a group's filter, as one of `ASKS_*`.

    The result is `ASKS_NOTHING` if the group has no filter, `ASKS_FOR_OTHERS` if the filter only
    excludes the card itself, and `ASKS_MORE` for all other filters.
    """
    if not group.is_filtered:
        return at.ASKS_NOTHING
    return (
        at.ASKS_FOR_OTHERS if group == Group(group.selector, states=State.OTHER) else at.ASKS_MORE
    )


def _aura_bits(effects: Sequence[Effect]) -> int:
    """Return the kinds of auras among the effects of a card, as `AURAS_*` bits.

    `AURAS_VOLATILE` is set if one of the auras is volatile (`_is_volatile`).
    """
    bits = 0
    for effect in effects:
        if effect.on == "aura":
            bits |= effect.action.aura | (at.AURAS_VOLATILE if _is_volatile(effect) else 0)
    return bits


def _is_volatile(effect: Effect) -> bool:
    """Return whether the effect of an aura may change while no minion enters or leaves play.

    It may if the aura is conditional or counted, or selects minions by properties that can change.
    """
    is_conditional = effect.when != ALWAYS or effect.times is not None
    group = effect.to
    has_fixed_members = (
        group.states in (State(0), State.OTHER) and group.stat is None and not group.keywords
    )
    return is_conditional or not has_fixed_members


def _token_words(token: Token, own: int) -> list[int]:
    """Return the words of a plain token, in the order of `CARD_*` of `sim.engine.layout`.

    Args:
        token: token to encode.
        own: offset in the table of the token itself, which takes the place of its texts.
    """
    words = {
        at.CARD_ATTACK: token.attack,
        at.CARD_HEALTH: token.health,
        at.CARD_KEYWORDS: _keyword_bits(token.keywords),
        at.CARD_TEXTS: own,
    }
    return list(filled_words(at.CARD_SIZE, words).tolist())


def _keyword_bits(keywords: Sequence[str]) -> int:
    """Return keywords as the bits of a signed 16-bit word."""
    return _as_word(sum(Keyword[keyword.upper()] for keyword in keywords))


def _as_word(bits: int) -> int:
    """Return the signed 16-bit number with the same bits as a number from 0 to 65,535."""
    return bits - ((bits & 0x8000) << 1)


def _event_bits(effects: Sequence[Effect]) -> tuple[int, int]:
    """Return the events that the effects of a card react to, as two words of bits.

    Bit k is set if an effect reacts to event k; bit `COUNTERS` is set if an effect counters spells.
    The first word has the lowest 16 bits and the second word has the others.
    """
    bits = 0
    for effect in effects:
        bits |= 1 << effect.event
        if effect.action.number == Opcode.COUNTER:
            bits |= 1 << at.COUNTERS
    return _as_word(bits & 0xFFFF), bits >> 16
