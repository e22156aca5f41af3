"""Execution of scenarios: setup of the position, actions, and comparison with expectations."""

from __future__ import annotations

from collections.abc import Sequence

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
from sim.real_cards.scenario.moves import SEAT_NAMES, Action, Expectation, Mulligan, Value
from sim.real_cards.scenario.paths import action_of, is_legal, read, replace_card
from sim.real_cards.scenario.position import Ground, NothingThereError, Position, player_block
from sim.real_cards.scenario.scenario import Placed, Scenario, Setup, Side

_ZONES = {
    at.WEAPON: at.IN_PLAY,
    at.BOARD: at.IN_PLAY,
    at.HAND: at.IN_HAND,
    at.SECRETS: at.IN_SECRET,
}
_TURN = 19  # turn number of seat 0; so late that no rule for the first turns applies


def missing(ground: Ground, scenario_ids: tuple[str, ...], setup: Setup) -> list[str]:
    """Return the ids of cards, and `hero ID` for heroes, that a scenario needs but the pool lacks.

    The items are distinct. Heroes are checked only if the pool has heroes.

    Args:
        ground: cards and rules for playing the scenario.
        scenario_ids: ids of all cards of the scenario.
        setup: the scenario's first position.
    """
    lacking = [card for card in scenario_ids if card not in ground.number_of]
    heroes = {hero.id for hero in ground.pool.heroes}
    played = [side.hero for side in setup.sides] if heroes else []
    lacking += [f"hero {hero}" for hero in played if hero not in heroes]
    return list(dict.fromkeys(lacking))


def build(ground: Ground, setup: Setup, game_seed: int) -> Position:
    """Return the position before a scenario's first action.

    Args:
        ground: cards and rules, including all cards and heroes of the setup (see `missing`).
        setup: description of the position.
        game_seed: seed of all random draws in the game (`sim.seeds.game_seed`).
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
    refresh_position(position.words, ground.numbers)
    return position


def _deck_row(ground: Ground, side: Side) -> Words16:
    """Return a packed deck of all cards of a player, with the hero power of the player's hero.

    The cards are in the order of `Side.cards`: the deck from the top, then all other cards.
    """
    power = at.BLANK
    if ground.pool.heroes and ground.table.ruleset.hero_powers:
        power = ground.number_of[ground.pool.hero(side.hero).power]
    return deck_row([ground.number_of[card] for card in side.cards], power)


def _set_player(position: Position, seat: int, side: Side) -> None:
    words = position.words
    block = player_block(seat)
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
    words[block + at.DECK] = words[block + at.N_CARDS_LEFT] = n_cards
    words[block + at.N_KNOWN_TOP] = n_cards


def _place_cards(position: Position, seat: int, side: Side) -> None:
    """Create the entity records of a player's cards outside the deck.

    Args:
        position: position to change.
        seat: seat of the player, 0 or 1.
        side: cards of the player; their slots follow the slots of the deck.
    """
    words = position.words
    block = player_block(seat)
    n_in_deck = len(side.deck_cards)
    zones = [
        *([at.WEAPON] if side.weapon else []),
        *([at.BOARD] * len(side.board)),
        *([at.HAND] * len(side.hand)),
        *([at.SECRETS] * len(side.secrets)),
    ]
    for slot, (placed, zone) in enumerate(zip(side.placed, zones, strict=True), n_in_deck):
        record = _create_card(position, seat, slot, placed)
        words[record + at.ZONE] = _ZONES[zone]
        # Triggers happen in the order of arrival, so each card in play gets an arrival number.
        if _ZONES[zone] == at.IN_PLAY:
            words[record + at.ORDER] = words[at.NEXT_ORDER]
            words[at.NEXT_ORDER] += 1
        if zone == at.WEAPON:
            words[block + zone] = record
        else:  # a zone is the number of its items, followed by the items
            words[block + zone] += 1
            words[block + zone + words[block + zone]] = record
        if zone == at.SECRETS and any(row.on == "lethal" for row in position.card(record).effects):
            words[block + at.GUARDIAN] = record


def _create_card(position: Position, seat: int, slot: int, placed: Placed) -> int:
    words = position.words
    card = position.ground.number_of[placed.card]
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


def first_difference(ground: Ground, scenario: Scenario, game_seed: int) -> str | None:
    """Play a scenario once, and return the first difference from its expectations.

    Args:
        ground: cards and rules, including all cards and heroes of the scenario (see `missing`).
        scenario: scenario to play.
        game_seed: seed of all random draws in the game (`sim.seeds.game_seed`).

    Returns:
        A description of the failed action or unmet expectation, with the number of its action;
            `None` if the scenario passes.
    """
    position = build(ground, scenario.setup, game_seed)
    for number, action in enumerate(scenario.actions, start=1):
        # Actions after the end of the game are skipped; the final expectations are still checked.
        if position.is_over:
            break
        difference = _carry_out(position, action)
        if fault := position.word(at.FAULT):
            difference = difference or f"the engine reports fault {fault}"
        if difference:
            return f"action {number} ({_title(action)}): {difference}"
    difference = unmet(position, scenario.expect)
    return f"at the end: {difference}" if difference else None


def unmet(position: Position, expectations: Sequence[Expectation]) -> str | None:
    """Return a description of the first expectation that a position does not meet.

    Return `None` if the position meets all expectations.
    """
    return next((words for item in expectations if (words := _unmet(position, item))), None)


def _carry_out(position: Position, action: Action) -> str | None:
    """Carry out a scenario's action, and return why it failed; `None` if it succeeded.

    A concession ends the game, and a checkpoint compares the position with its expectations.
    """
    if action.expect is not None:
        return unmet(position, action.expect)
    if action.mulligan is not None:
        return _replace_cards(position, action.mulligan)
    if action.concede is not None:
        position.words[at.RESULT] = 1 - SEAT_NAMES.index(action.concede)
        return None
    engine_action = action_of(position, action)
    if engine_action is None:
        return "is not possible: a card that it names is gone, or cannot be used in this way"
    if not position.may(engine_action):
        return "is not legal"
    position.do(engine_action)
    return None


def _replace_cards(position: Position, mulligan: Mulligan) -> str | None:
    for seat, cards in enumerate((mulligan.p1, mulligan.p2)):
        if position.word(at.PHASE) != at.MULLIGAN_PHASE or position.word(at.ACTIVE) != seat:
            return f"{SEAT_NAMES[seat]} cannot replace cards now"
        for engine_action in (*map(replace_card, cards), at.END_TURN):
            if not position.may(engine_action):
                return f"is not legal for {SEAT_NAMES[seat]}"
            position.do(engine_action)
    return None


def _title(action: Action) -> str:
    special = next((k for k in ("expect", "mulligan") if getattr(action, k) is not None), None)
    return special or action.words


def _unmet(position: Position, expectation: Expectation) -> str | None:
    """Return a description of how a position differs from an expectation; `None` if it is met."""
    if expectation.legal is not None:
        if is_legal(position, expectation.legal) == expectation.value:
            return None
        return f"{expectation.legal.words}: {'not ' * bool(expectation.value)}legal"
    name = " + ".join(expectation.paths)
    try:
        values = [read(position, path) for path in expectation.paths]
    except NothingThereError:
        return f"{name}: nothing is there; expected {_expected(expectation)}"
    value = values[0] if expectation.path else _total(values)
    if _is_met(expectation, value):
        return None
    return f"{name} = {_shown(value)}; expected {_expected(expectation)}"


def _total(numbers: Sequence[Value]) -> Value:
    """Return the sum of whole numbers; `None` if any of the values is not a whole number."""
    is_sum = all(type(number) is int for number in numbers)
    return sum(number for number in numbers if isinstance(number, int)) if is_sum else None


def _is_met(expectation: Expectation, value: Value) -> bool:
    if expectation.one_of is not None:
        return _comparable(value) in map(_comparable, expectation.one_of)
    if expectation.multiset is not None:
        wanted = sorted(_comparable(expectation.multiset))
        return isinstance(value, tuple) and sorted(_comparable(value)) == wanted
    return _comparable(value) == _comparable(expectation.value)


def _comparable(value: Value) -> str | list[str]:
    """Return a value as text, or a tuple as texts, for comparisons regardless of case.

    The text begins with the value's type, so that `true` differs from 1.
    """
    if isinstance(value, tuple):
        return [f"{type(item).__name__} {item}".lower() for item in value]
    return f"{type(value).__name__} {value}".lower()


def _expected(expectation: Expectation) -> str:
    if expectation.one_of is not None:
        return "one of " + ", ".join(map(_shown, expectation.one_of))
    if expectation.multiset is not None:
        return _shown(expectation.multiset) + " in any order"
    return _shown(expectation.value)


def _shown(value: Value) -> str:
    """Return a value in the notation of scenario files, but with ids without quotes."""
    if isinstance(value, tuple):
        return "[" + ", ".join(map(_shown, value)) + "]"
    if value is None:
        return "null"
    return str(value).lower()
