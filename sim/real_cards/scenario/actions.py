"""The moves of scenarios as actions of the engine."""

from __future__ import annotations

from sim.engine import layout as at
from sim.real_cards.scenario.moves import Move
from sim.real_cards.scenario.position import NothingThereError, Position, hero_seat, player_block


def action_of(position: Position, move: Move) -> int | None:
    """The engine's action for a move of the active player, legal or not.

    `None` if there is none: what the move names is gone, is another player's, or is not where
    such a move can reach it.
    """
    if position.word(at.PHASE) != at.MAIN_PHASE and move.pick is None:
        return None  # the engine would take it for an answer
    try:
        return _encoded(position, move)
    except NothingThereError:
        return None


def is_legal(position: Position, move: Move) -> bool:
    """Whether the active player may do exactly this now."""
    action = action_of(position, move)
    return action is not None and position.may(action)


def can_attack(position: Position, record: int) -> bool:
    """Whether a hero or minion may attack anybody now."""
    try:
        source = _attacker(position, record)
    except NothingThereError:
        return False
    n_enemies = len(position.zone(1 - position.active, at.BOARD))
    return any(
        position.may(_with(at.ATTACK_WITH, source, target))
        for target in (at.AT_PLAYER, *range(n_enemies))
    )


def replace_card(hand_position: int) -> int:
    """The action that marks a dealt card to be replaced in the mulligan."""
    return _with(at.PLAY, hand_position, 0)


def _with(verb: int, source: int, target: int) -> int:
    return verb | source << at.SOURCE_SHIFT | target


def _encoded(position: Position, move: Move) -> int:
    if move.play is not None:
        return _play(position, move, move.play)
    if move.attack is not None:
        source = _attacker(position, position.find(move.attack[0]))
        return _with(at.ATTACK_WITH, source, _target(position, move.attack[1]))
    if move.hero_power is not None:
        named = None if move.hero_power is True else move.hero_power
        return _with(at.USE_POWER, 0, _target(position, named))
    if move.pick is not None:
        return _with(at.PLAY, _choice(position, move.pick), 0)
    return at.END_TURN


def _play(position: Position, move: Move, card: str) -> int:
    record = position.find(card)
    source = _index(position.zone(position.active, at.HAND), record)
    action = _with(at.PLAY, source, _target(position, move.target))
    if move.choose is not None:
        options = position.card(record).options
        if move.choose not in options:
            raise NothingThereError
        action |= (1 + options.index(move.choose)) << at.OPTION_SHIFT
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
    record, seat = position.find(reference), position.active
    if (hero := hero_seat(record)) is not None:
        return at.AT_OWN_PLAYER if hero == seat else at.AT_PLAYER
    own_minions = position.zone(seat, at.BOARD)
    if record in own_minions:
        return at.AT_OWN_MINION + own_minions.index(record)
    return _index(position.zone(1 - seat, at.BOARD), record)


def _choice(position: Position, card: str) -> int:
    """Where among the cards to choose from one stands."""
    if position.word(at.PHASE) != at.CHOICE_PHASE:
        raise NothingThereError
    slots = [position.word(at.CHOICES + 1 + k) for k in range(position.word(at.CHOICES))]
    cards = player_block(position.active) + at.CARD_OF_SLOT
    offered = position.cards(position.word(cards + slot) for slot in slots)
    if card not in offered:
        raise NothingThereError
    return offered.index(card)


def _index(records: list[int], record: int) -> int:
    if record not in records:
        raise NothingThereError
    return records.index(record)
