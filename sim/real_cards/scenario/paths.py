"""Paths: the words for what can be asked of a position, and what each leads to."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from sim.cards.vocabulary import Keyword
from sim.engine import layout as at
from sim.errors import unknown_word
from sim.real_cards.scenario.actions import can_attack
from sim.real_cards.scenario.moves import Value
from sim.real_cards.scenario.position import Position, hero_seat, player_block, seat_name
from sim.real_cards.scenario.words import SEAT_NAMES, check_reference, place_of

_KEYWORDS = {
    "taunt": Keyword.TAUNT,
    "charge": Keyword.HASTE,
    "divine_shield": Keyword.DIVINE_SHIELD,
    "windfury": Keyword.WINDFURY,
    "stealth": Keyword.STEALTH,
    "immune": Keyword.IMMUNE,
    "poisonous": Keyword.POISONOUS,
}
_RACES = {"mech": "MECHANICAL"}  # what the game's own data call it; the others are only capitals

Reader = Callable[[Position, int], Value]
"""Reads an attribute of a record, or what belongs to the player of a seat."""


def read(position: Position, path: str) -> Value:
    """What a path leads to; `check_path` has accepted it.

    Raises:
        NothingThereError: nothing is there, or a label's card has gone.
    """
    head, _, rest = path.partition(".")
    if head == "game":
        return _GAME[rest](position)
    if head in SEAT_NAMES and rest in _SIDE:
        return _SIDE[rest](position, SEAT_NAMES.index(head))
    reference, _, attribute = path.rpartition(".")
    if attribute == _ZONE:
        return _zone_name(position, reference)
    return _ATTRIBUTES[attribute](position, position.find(reference))


def check_path(path: str, labels: Collection[str]) -> None:
    """Refuse a path to nothing.

    Raises:
        ValueError: names what is unknown of it.
    """
    head, _, rest = path.partition(".")
    if head == "game":
        if rest not in _GAME:
            raise ValueError(f"path {path!r}: {unknown_word('word', rest, _GAME)}")
        return
    if head in SEAT_NAMES and rest in _SIDE:
        return
    reference, _, attribute = path.rpartition(".")
    if head in SEAT_NAMES and place_of(reference) is None:
        raise ValueError(f"path {path!r}: {unknown_word('word', rest, _SIDE)}")
    try:
        check_reference(reference, labels)
    except ValueError as error:
        raise ValueError(f"path {path!r}: {error}") from None
    known = (*_ATTRIBUTES, _ZONE)
    if attribute not in known:
        raise ValueError(f"path {path!r}: {unknown_word('attribute', attribute, known)}")


def _winner(position: Position) -> Value:
    result = position.word(at.RESULT)
    return seat_name(result) if position.is_over and result != at.DRAWN else None


def _of_player(offset: int) -> Reader:
    return lambda position, seat: position.word(player_block(seat) + offset)


def _weapon(position: Position, seat: int) -> Value:
    weapon = position.word(player_block(seat) + at.WEAPON)
    return _card_id(position, position.word(weapon + at.CARD)) if weapon else None


def _hero_power(position: Position, seat: int) -> Value:
    return _card_id(position, position.word(player_block(seat) + at.CARD))


def _cards_in(zone: int) -> Reader:
    return lambda position, seat: position.cards(
        position.word(record + at.CARD) for record in position.zone(seat, zone)
    )


def _cards_in_deck(position: Position, seat: int) -> tuple[str, ...]:
    """Those of the deck from the top."""
    cards = player_block(seat) + at.CARD_OF_SLOT
    in_deck = [position.word(cards + slot) for slot in position.zone(seat, at.DECK)]
    return position.cards(card for card in in_deck if card != at.BLANK)


def _size(cards_in: Callable[[Position, int], Any]) -> Reader:
    return lambda position, seat: len(cards_in(position, seat))


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


_GAME: dict[str, Callable[[Position], Value]] = {
    "over": lambda position: position.is_over,
    "winner": _winner,
    "active": lambda position: seat_name(position.active),
}
_ZONES = {
    "hand": _cards_in(at.HAND),
    "board": _cards_in(at.BOARD),
    "deck": _cards_in_deck,
    "secrets": _cards_in(at.SECRETS),
}
_SIDE: dict[str, Reader] = {
    "mana.available": _of_player(at.MANA),
    "mana.max": _of_player(at.MANA_CAP),
    "overload.owed": _of_player(at.OVERLOAD_OWED),
    "overload.locked": _of_player(at.OVERLOAD_LOCKED),
    "fatigue": _of_player(at.FATIGUE),
    "spell_damage": _of_player(at.SPELL_DAMAGE),
    "weapon": _weapon,
    "hero_power": _hero_power,
    **{f"{zone}.size": _size(cards_in) for zone, cards_in in _ZONES.items()},
    **{f"{zone}.cards": cards_in for zone, cards_in in _ZONES.items()},
}
_ATTRIBUTES: dict[str, Reader] = {
    "attack": _number(at.ATTACK),
    "health": _number(at.HEALTH),
    "max_health": _number(at.MAX_HEALTH),
    "durability": _number(at.HEALTH),
    "armor": _armor,
    "cost": _number(at.COST),
    "card": _card,
    "controller": _controller,
    "race": _race,
    "can_attack": can_attack,
    "frozen": _bit(at.STATUS, at.IS_FROZEN),
    "silenced": _bit(at.STATUS, at.IS_SILENCED),
    **{word: _bit(at.KEYWORDS, keyword) for word, keyword in _KEYWORDS.items()},
}
_ZONE = "zone"  # an attribute that cards that have gone still have
