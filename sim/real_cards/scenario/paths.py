"""Reading what a path leads to in a position."""

from __future__ import annotations

from collections.abc import Callable

from sim.engine import layout as at
from sim.real_cards.scenario.actions import can_attack
from sim.real_cards.scenario.moves import Value
from sim.real_cards.scenario.position import Position, hero_seat, player_block, seat_name
from sim.real_cards.scenario.words import KEYWORD_WORDS, SEAT_NAMES, SIDE_WORDS

_SIDE_NUMBERS = {
    "mana.available": at.MANA,
    "mana.max": at.MANA_CAP,
    "overload.owed": at.OVERLOAD_OWED,
    "overload.locked": at.OVERLOAD_LOCKED,
    "fatigue": at.FATIGUE,
    "spell_damage": at.SPELL_DAMAGE,
}
_RACES = {"mech": "MECHANICAL"}  # what the game's own data call it; the others are only capitals

Reader = Callable[[Position, int], Value]
"""Reads an attribute of a record."""


def read(position: Position, path: str) -> Value:
    """What a path leads to; `sim.real_cards.scenario.words.check_path` has accepted it.

    Raises:
        NothingThereError: nothing is there, or a label's card has gone.
    """
    head, _, rest = path.partition(".")
    if head == "game":
        return _read_game(position, rest)
    if head in SEAT_NAMES and rest in SIDE_WORDS:
        return _read_side(position, SEAT_NAMES.index(head), rest)
    reference, _, attribute = path.rpartition(".")
    if attribute == "zone":
        return _zone_name(position, reference)
    return _READERS[attribute](position, position.find(reference))


def _read_game(position: Position, word: str) -> Value:
    if word == "over":
        return position.is_over
    if word == "active":
        return seat_name(position.active)
    result = position.word(at.RESULT)
    return seat_name(result) if position.is_over and result != at.DRAWN else None


def _read_side(position: Position, seat: int, words: str) -> Value:
    block = player_block(seat)
    if words in _SIDE_NUMBERS:
        return position.word(block + _SIDE_NUMBERS[words])
    if words == "weapon":
        weapon = position.word(block + at.WEAPON)
        return _card_id(position, position.word(weapon + at.CARD)) if weapon else None
    if words == "hero_power":
        return _card_id(position, position.word(block + at.CARD))
    zone, _, what = words.partition(".")
    cards = position.cards(_zone_cards(position, seat, zone))
    return len(cards) if what == "size" else cards


def _zone_cards(position: Position, seat: int, zone: str) -> list[int]:
    """Numbers of the cards in a zone; those of the deck from the top."""
    if zone == "deck":
        cards = player_block(seat) + at.CARD_OF_SLOT
        in_deck = [position.word(cards + slot) for slot in position.zone(seat, at.DECK)]
        return [card for card in in_deck if card != at.BLANK]
    records = position.zone(seat, {"hand": at.HAND, "board": at.BOARD, "secrets": at.SECRETS}[zone])
    return [position.word(record + at.CARD) for record in records]


def _card_id(position: Position, number: int) -> str | None:
    return None if number == at.BLANK else position.ground.cards[number].id


def _zone_name(position: Position, reference: str) -> str:
    entity = position.labels.get(reference)
    if entity is not None and entity.gone_to:
        return entity.gone_to
    record = position.find(reference)
    if hero_seat(record) is not None:
        return "board"
    return {at.IN_HAND: "hand", at.IN_SECRET: "secret"}.get(
        position.word(record + at.ZONE), "board"
    )


def _number(offset: int) -> Reader:
    return lambda position, record: position.word(record + offset)


def _bit(offset: int, bit: int) -> Reader:
    return lambda position, record: bool(position.word(record + offset) & bit)


def _armor(position: Position, record: int) -> Value:
    return 0 if hero_seat(record) is None else position.word(record + at.ARMOR)


def _controller(position: Position, record: int) -> Value:
    return seat_name(position.seat_of(record))


def _card(position: Position, record: int) -> Value:
    return None if hero_seat(record) is not None else position.card(record).id


def _race(position: Position, record: int) -> Value:
    tribe = "" if hero_seat(record) is not None else position.card(record).tribe
    return _RACES.get(tribe, tribe.upper()) or None


_READERS: dict[str, Reader] = {
    "attack": _number(at.ATTACK),
    "health": _number(at.HEALTH),
    "max_health": _number(at.MAX_HEALTH),
    "durability": _number(at.HEALTH),
    "cost": _number(at.COST),
    "frozen": _bit(at.STATUS, at.IS_FROZEN),
    "silenced": _bit(at.STATUS, at.IS_SILENCED),
    **{word: _bit(at.KEYWORDS, keyword) for word, keyword in KEYWORD_WORDS.items()},
    "armor": _armor,
    "controller": _controller,
    "card": _card,
    "race": _race,
    "can_attack": can_attack,
}
"""Every attribute but `zone`, which cards that have gone still have."""
