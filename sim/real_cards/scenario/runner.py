"""The runner of a scenario: the first thing that is not as it says, or nothing."""

from __future__ import annotations

from collections.abc import Sequence

from sim.engine import layout as at
from sim.real_cards.scenario.actions import action_of, is_legal, replace_card
from sim.real_cards.scenario.moves import Action, Expectation, Mulligan, Value
from sim.real_cards.scenario.paths import read
from sim.real_cards.scenario.position import Ground, NothingThereError, Position
from sim.real_cards.scenario.scenario import Scenario
from sim.real_cards.scenario.setting_up import build
from sim.real_cards.scenario.words import SEAT_NAMES


def first_difference(ground: Ground, scenario: Scenario, game_seed: int) -> str | None:
    """Play a scenario once.

    Args:
        ground: cards and rules that have all that it needs
            (`sim.real_cards.scenario.setting_up.missing`).
        scenario: what to play.
        game_seed: on which all that is random depends (`sim.seeds.game_seed`).

    Returns:
        What is not as the scenario says, and after which action; `None` if all is.
    """
    position = build(ground, scenario.setup, game_seed)
    for number, action in enumerate(scenario.actions, start=1):
        if position.is_over:
            break
        difference = _take(position, action) or _fault(position)
        if difference:
            return f"action {number} ({_title(action)}): {difference}"
    difference = unmet(position, scenario.expect)
    return f"at the end: {difference}" if difference else None


def unmet(position: Position, expectations: Sequence[Expectation]) -> str | None:
    """The first of some expectations that does not hold, in words."""
    return next((words for each in expectations if (words := _unmet(position, each))), None)


def _take(position: Position, action: Action) -> str | None:
    """Carry out an action; what went wrong."""
    if action.expect is not None:
        return unmet(position, action.expect)
    if action.mulligan is not None:
        return _replace_cards(position, action.mulligan)
    if action.concede is not None:
        position.words[at.RESULT] = 1 - SEAT_NAMES.index(action.concede)
        return None
    engine_action = action_of(position, action)
    if engine_action is None:
        return "cannot be done: something that it names is gone or out of reach"
    if not position.may(engine_action):
        return "is not legal"
    position.do(engine_action)
    return None


def _replace_cards(position: Position, mulligan: Mulligan) -> str | None:
    for seat, cards in enumerate((mulligan.p1, mulligan.p2)):
        if position.word(at.PHASE) != at.MULLIGAN_PHASE or position.word(at.ACTIVE) != seat:
            return f"it is not {SEAT_NAMES[seat]} who replaces cards now"
        for engine_action in (*map(replace_card, cards), at.END_TURN):
            if not position.may(engine_action):
                return f"is not legal for {SEAT_NAMES[seat]}"
            position.do(engine_action)
    return None


def _fault(position: Position) -> str | None:
    fault = position.word(at.FAULT)
    return f"the engine reports fault {fault}" if fault else None


def _title(action: Action) -> str:
    special = next((k for k in ("expect", "mulligan") if getattr(action, k) is not None), None)
    return special or action.words


def _unmet(position: Position, expectation: Expectation) -> str | None:
    """What an expectation finds instead, `None` if it holds."""
    if expectation.legal is not None:
        if is_legal(position, expectation.legal) == expectation.value:
            return None
        return f"{expectation.legal.words}: {'not ' * bool(expectation.value)}legal"
    name = " + ".join(expectation.paths)
    try:
        found = [read(position, path) for path in expectation.paths]
    except NothingThereError:
        return f"{name}: nothing is there; expected {_wanted(expectation)}"
    value = found[0] if expectation.path else _total(found)
    if _is_met(expectation, value):
        return None
    return f"{name} = {_shown(value)}; expected {_wanted(expectation)}"


def _total(numbers: Sequence[Value]) -> Value:
    """The sum, or `None` where something is no number."""
    is_sum = all(type(number) is int for number in numbers)
    return sum(number for number in numbers if isinstance(number, int)) if is_sum else None


def _is_met(expectation: Expectation, value: Value) -> bool:
    if expectation.one_of is not None:
        return any(_same(value, choice) for choice in expectation.one_of)
    if expectation.multiset is not None:
        return isinstance(value, tuple) and _sorted(value) == _sorted(expectation.multiset)
    return _same(value, expectation.value)


def _same(found: Value, wanted: Value) -> bool:
    """Equal, whatever the case of letters; `true` is not 1."""
    if isinstance(found, tuple) and isinstance(wanted, tuple):
        return len(found) == len(wanted) and all(map(_same, found, wanted))
    return type(found) is type(wanted) and _lower(found) == _lower(wanted)


def _sorted(values: Sequence[Value]) -> list[str]:
    return sorted(f"{type(value).__name__} {_lower(value)}" for value in values)


def _lower(value: Value) -> Value:
    return value.lower() if isinstance(value, str) else value


def _wanted(expectation: Expectation) -> str:
    if expectation.one_of is not None:
        return "one of " + ", ".join(map(_shown, expectation.one_of))
    if expectation.multiset is not None:
        return _shown(expectation.multiset) + " in any order"
    return _shown(expectation.value)


def _shown(value: Value) -> str:
    """A value as a scenario file spells it, ids without quotes."""
    if isinstance(value, tuple):
        return "[" + ", ".join(map(_shown, value)) + "]"
    if value is None:
        return "null"
    return str(value).lower()
