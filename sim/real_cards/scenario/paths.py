"""Evaluation of paths to values of a position, and conversion of moves to engine actions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from sim.cards.vocabulary import Keyword
from sim.engine import layout as at
from sim.errors import error_place, known_word
from sim.real_cards.scenario.moves import SEAT_NAMES, Move, Value, check_reference, place_of
from sim.real_cards.scenario.position import (
    NothingThereError,
    Position,
    hero_seat,
    player_block,
)


def action_of(position: Position, move: Move) -> int | None:
    """Return the engine's action for a move of the active player; it may be illegal.

    Return `None` if the engine has no such action: the game is not in the phase of the move, or a
    card in the move is gone, belongs to the other player, or is in an unsuitable zone.
    """
    # In other phases, the engine would interpret the action as a choice.
    if position.word(at.PHASE) != at.MAIN_PHASE and move.pick is None:
        return None
    try:
        return _encode(position, move)
    except NothingThereError:
        return None


def is_legal(position: Position, move: Move) -> bool:
    """Return whether a move is legal for the active player, exactly as given."""
    action = action_of(position, move)
    return action is not None and position.may(action)


def can_attack(position: Position, record: int) -> bool:
    """Return whether a hero or minion can attack at least one enemy character now.

    Args:
        position: position with the hero or minion.
        record: offset of the entity record of the hero or minion. For characters of the player who
            is not active the result is `False`.
    """
    try:
        source = _attacker(position, record)
    except NothingThereError:
        return False
    n_enemies = len(position.zone(1 - position.active, at.BOARD))
    return any(
        position.may(_pack(at.ATTACK_WITH, source, target))
        for target in (at.AT_PLAYER, *range(n_enemies))
    )


def replace_card(hand_position: int) -> int:
    """Return the engine's action that marks a dealt card for replacement in the mulligan.

    Args:
        hand_position: position of the card in the hand, from 0.
    """
    return _pack(at.PLAY, hand_position, 0)


def _pack(verb: int, source: int, target: int) -> int:
    return verb | source << at.SOURCE_SHIFT | target


def _encode(position: Position, move: Move) -> int:
    if move.play is not None:
        return _play(position, move, move.play)
    if move.attack is not None:
        source = _attacker(position, position.find(move.attack[0]))
        return _pack(at.ATTACK_WITH, source, _target(position, move.attack[1]))
    if move.hero_power is not None:
        named = None if move.hero_power is True else move.hero_power
        return _pack(at.USE_POWER, 0, _target(position, named))
    if move.pick is not None:
        return _pack(at.PLAY, _choice(position, move.pick), 0)
    return at.END_TURN


def _play(position: Position, move: Move, card: str) -> int:
    record = position.find(card)
    source = _index(position.zone(position.active, at.HAND), record)
    action = _pack(at.PLAY, source, _target(position, move.target))
    # Options and places are stored plus 1, since 0 means that the player names none.
    if move.choose is not None:
        options = position.card(record).options
        action |= (1 + _index(options, move.choose)) << at.OPTION_SHIFT
    if move.position is not None:
        action |= (1 + move.position) << at.PLACE_SHIFT
    return action


def _attacker(position: Position, record: int) -> int:
    if hero_seat(record) == position.active:
        return at.BY_PLAYER
    return _index(position.zone(position.active, at.BOARD), record)


def _target(position: Position, reference: str | None) -> int:
    if reference is None:
        return at.AT_NOBODY
    record = position.find(reference)
    seat = position.active
    if (hero := hero_seat(record)) is not None:
        return at.AT_OWN_PLAYER if hero == seat else at.AT_PLAYER
    own_minions = position.zone(seat, at.BOARD)
    if record in own_minions:
        return at.AT_OWN_MINION + own_minions.index(record)
    return _index(position.zone(1 - seat, at.BOARD), record)


def _choice(position: Position, card: str) -> int:
    """Return the position of a card among the offered cards in a choice.

    Raises:
        NothingThereError: the game is not in a choice, or the card is not offered.
    """
    if position.word(at.PHASE) != at.CHOICE_PHASE:
        raise NothingThereError
    slots = [position.word(at.CHOICES + 1 + k) for k in range(position.word(at.CHOICES))]
    cards = player_block(position.active) + at.CARD_OF_SLOT
    offered = position.cards(position.word(cards + slot) for slot in slots)
    return _index(offered, card)


def _index(items: Sequence[int | str], wanted: int | str) -> int:
    if wanted not in items:
        raise NothingThereError
    return items.index(wanted)


_KEYWORDS = {
    "taunt": Keyword.TAUNT,
    "charge": Keyword.HASTE,
    "divine_shield": Keyword.DIVINE_SHIELD,
    "windfury": Keyword.WINDFURY,
    "stealth": Keyword.STEALTH,
    "immune": Keyword.IMMUNE,
    "poisonous": Keyword.POISONOUS,
}
_RACES = {"mech": "MECHANICAL"}  # names in the original game; all others are the tribe in capitals

Reader = Callable[[Position, int], Value]
"""Function that returns a value of a position, given an entity record's offset or a seat."""


def read(position: Position, path: str) -> Value:
    """Return the value of a path in a position.

    Args:
        position: position to read.
        path: path that `reader_of` accepts.

    Raises:
        NothingThereError: no card is at the referenced place, or the label's card is gone.
    """
    return reader_of(path, position.labels)(position)


def reader_of(path: str, labels: Collection[str]) -> Callable[[Position], Value]:
    """Return a function that returns the value of a path in a given position.

    Args:
        path: path such as `p1.mana.available` or `p2.board[0].health`.
        labels: labels of the scenario, which paths may refer to.

    Raises:
        InputError: the path is invalid; the message names the unknown part.
    """
    place = f"path {path!r}"
    head, _, rest = path.partition(".")
    reference, _, attribute = path.rpartition(".")
    if head == "game":
        return _GAME[known_word("attribute", rest, _GAME, place)]
    # `p1.weapon` is a value of the player; `p1.weapon.attack` is a value of the weapon's record.
    if head in SEAT_NAMES and (rest in _SIDE or place_of(reference) is None):
        read_side = _SIDE[known_word("attribute", rest, _SIDE, place)]
        seat = SEAT_NAMES.index(head)
        return lambda position: read_side(position, seat)
    with error_place(place):
        check_reference(reference, labels)
    known_word("attribute", attribute, (*_ATTRIBUTES, _ZONE), place)
    if attribute == _ZONE:
        return lambda position: _zone_name(position, reference)
    return lambda position: _ATTRIBUTES[attribute](position, position.find(reference))


def _winner(position: Position) -> Value:
    result = position.word(at.RESULT)
    return SEAT_NAMES[result] if position.is_over and result != at.DRAWN else None


def _of_player(offset: int) -> Reader:
    return lambda position, seat: position.word(player_block(seat) + offset)


def _weapon(position: Position, seat: int) -> Value:
    weapon = position.word(player_block(seat) + at.WEAPON)
    return _card_id(position, position.word(weapon + at.CARD)) if weapon else None


def _cards_in(zone: int) -> Reader:
    return lambda position, seat: position.cards(
        position.word(record + at.CARD) for record in position.zone(seat, zone)
    )


def _cards_in_deck(position: Position, seat: int) -> tuple[str, ...]:
    """Return the ids of the cards in a player's deck, from the top, without blank cards."""
    cards = player_block(seat) + at.CARD_OF_SLOT
    in_deck = [position.word(cards + slot) for slot in position.zone(seat, at.DECK)]
    return position.cards(card for card in in_deck if card != at.BLANK)


def _number_in(cards_in: Callable[[Position, int], Any]) -> Reader:
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


def _race(position: Position, record: int) -> Value:
    tribe = "" if hero_seat(record) is not None else position.card(record).tribe
    return _RACES.get(tribe, tribe.upper()) or None


_GAME: dict[str, Callable[[Position], Value]] = {
    "over": lambda position: position.is_over,
    "winner": _winner,
    "active": lambda position: SEAT_NAMES[position.active],
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
    "hero_power": lambda position, seat: _card_id(
        position, position.word(player_block(seat) + at.CARD)
    ),
    **{f"{zone}.size": _number_in(cards_in) for zone, cards_in in _ZONES.items()},
    **{f"{zone}.cards": cards_in for zone, cards_in in _ZONES.items()},
}
_ATTRIBUTES: dict[str, Reader] = {
    "attack": _number(at.ATTACK),
    "health": _number(at.HEALTH),
    "max_health": _number(at.MAX_HEALTH),
    "durability": _number(at.HEALTH),
    "armor": lambda position, record: (
        0 if hero_seat(record) is None else position.word(record + at.ARMOR)
    ),
    "cost": _number(at.COST),
    "card": lambda position, record: (
        position.card(record).id if hero_seat(record) is None else None
    ),
    "controller": lambda position, record: SEAT_NAMES[position.word(record + at.OWNER)],
    "race": _race,
    "can_attack": can_attack,
    "frozen": _bit(at.STATUS, at.IS_FROZEN),
    "silenced": _bit(at.STATUS, at.IS_SILENCED),
    **{word: _bit(at.KEYWORDS, keyword) for word, keyword in _KEYWORDS.items()},
}
_ZONE = "zone"  # the only attribute of a label that can be read after the card is gone
