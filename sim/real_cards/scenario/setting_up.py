"""The setting-up of the position of a scenario, word by word."""

from __future__ import annotations

import numpy as np

from sim.cards.vocabulary import Keyword
from sim.engine import layout as at
from sim.engine.stepping import (
    Words16,
    begin_game,
    make_card,
    new_state,
    prepare_game,
    refresh_position,
)
from sim.play.batch import deck_row
from sim.real_cards.scenario.position import Ground, Position, player_block
from sim.real_cards.scenario.scenario import Placed, Setup, Side
from sim.real_cards.scenario.words import SEAT_NAMES

_TURN = 19  # of the first player; late enough for nothing to depend on how games begin


def missing(ground: Ground, scenario_ids: tuple[str, ...], setup: Setup) -> list[str]:
    """What a pool lacks for a scenario to be run: cards, heroes."""
    lacking = [card for card in scenario_ids if card not in ground.number_of]
    heroes = {hero.id for hero in ground.pool.heroes}
    played = [side.hero for side in setup.sides] if heroes else []
    lacking += [f"hero {hero}" for hero in played if hero not in heroes]
    return list(dict.fromkeys(lacking))


def build(ground: Ground, setup: Setup, game_seed: int) -> Position:
    """The position before a scenario's first action.

    Args:
        ground: cards and rules, which have all that the scenario needs (`missing`).
        setup: what to build.
        game_seed: on which all that is random depends (`sim.seeds.game_seed`).
    """
    position = Position(ground, new_state())
    decks = np.concatenate([_deck_row(ground, side) for side in setup.sides])
    if setup.mode == "game_start":
        begin_game(position.words, ground.numbers, decks, 0, 1, game_seed)
        return position
    prepare_game(position.words, ground.numbers, decks, 0, 1, game_seed)
    active = SEAT_NAMES.index(setup.active)
    position.words[at.ACTIVE] = active
    position.words[at.TURN] = _TURN + active
    for seat, side in enumerate(setup.sides):
        _set_player(position, seat, side)
        _place_cards(position, seat, side)
        _hide_secrets(position, seat, side)
    refresh_position(position.words, ground.numbers)
    return position


def _deck_row(ground: Ground, side: Side) -> Words16:
    """A deck whose first slots are the deck from the top; the cards placed elsewhere follow."""
    ids = [*side.deck_cards, *(placed.card for placed in (*side.placed, *side.secrets))]
    power = at.BLANK
    if ground.pool.heroes and ground.table.ruleset.hero_powers:
        power = ground.number_of[ground.pool.hero(side.hero).power]
    return deck_row([ground.number_of[card] for card in ids], power)


def _set_player(position: Position, seat: int, side: Side) -> None:
    words, block = position.words, player_block(seat)
    if side.health is not None:
        words[block + at.HEALTH] = side.health
    if side.mana is not None:
        words[block + at.MANA] = side.mana.available
        words[block + at.MANA_CAP] = side.mana.max
    words[block + at.ARMOR] = side.armor
    words[block + at.FATIGUE] = side.fatigue
    words[block + at.OVERLOAD_OWED] = side.overload_owed
    words[block + at.STATUS] |= at.IS_FROZEN * side.hero_frozen
    n_cards = len(side.deck_cards)
    words[block + at.DECK] = n_cards
    words[block + at.N_CARDS_LEFT] = n_cards
    words[block + at.N_KNOWN_TOP] = n_cards


def _place_cards(position: Position, seat: int, side: Side) -> None:
    """Make the records of weapon, board and hand, in the slots behind the deck's."""
    words, block = position.words, player_block(seat)
    in_weapon = 0 if side.weapon is None else 1
    in_play = in_weapon + len(side.board)
    for index, placed in enumerate(side.placed):
        record = _make(position, seat, len(side.deck_cards) + index, placed)
        words[record + at.ZONE] = at.IN_PLAY if index < in_play else at.IN_HAND
        if index < in_play:
            words[record + at.ORDER] = words[at.NEXT_ORDER]
            words[at.NEXT_ORDER] += 1
        if index < in_weapon:
            words[block + at.WEAPON] = record
        else:
            zone = block + (at.BOARD if index < in_play else at.HAND)
            words[zone] += 1
            words[zone + words[zone]] = record


def _hide_secrets(position: Position, seat: int, side: Side) -> None:
    words, block = position.words, player_block(seat)
    first_slot = len(side.deck_cards) + len(side.placed)
    for index, placed in enumerate(side.secrets):
        record = _make(position, seat, first_slot + index, placed)
        words[record + at.ZONE] = at.IN_SECRET
        words[block + at.SECRETS + 1 + index] = record
        if any(row.on == "lethal" for row in position.card(record).effects):
            words[block + at.GUARDIAN] = record
    words[block + at.SECRETS] = len(side.secrets)


def _make(position: Position, seat: int, slot: int, placed: Placed) -> int:
    words, card = position.words, position.ground.number_of[placed.card]
    record = int(make_card(words, position.ground.numbers, card, slot, seat))
    words[record + at.HEALTH] -= placed.damage
    if placed.durability is not None:
        words[record + at.HEALTH] = placed.durability
    if placed.divine_shield is not None:
        for keywords in (at.KEYWORDS, at.OWN_KEYWORDS):
            words[record + keywords] &= ~int(Keyword.DIVINE_SHIELD)
            words[record + keywords] |= int(Keyword.DIVINE_SHIELD) * placed.divine_shield
    words[record + at.STATUS] |= at.IS_FROZEN * placed.frozen | at.IS_NEW * (not placed.ready)
    if placed.label is not None:
        position.label(placed.label, record)
    return record
