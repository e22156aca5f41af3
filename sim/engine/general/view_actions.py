"""Action numbers of learned agents, and their translation to and from the engine's actions.

In the order of their numbers:

    play      hand place x option x target; in a mulligan replace, before a choice choose
    attack    attacker (the player, then the board) x victim (the player, then the board)
    power     target
    end       of the turn, or of the mulligan

Targets are, in this order: none, the enemy player, enemy minions, the own player, own minions.
Minions are always played at the right end of the board. The view's words
(`sim.engine.layout.VIEW_*`) contain the numbers of places.
"""

from __future__ import annotations

from typing import Any

from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64
from sim.engine.listing import list_actions, listed

NO_ACTION = -1  # an engine's action that is illegal in every position


@compiled(i64(i64, i64))
def _target_place(code: int, n_places: int) -> int:
    """Return the position of the engine's target code among a card's targets in the view.

    Args:
        code: the engine's target code.
        n_places: number of places on a side of the board.
    """
    if code == at.AT_NOBODY:
        return 0
    if code == at.AT_PLAYER:
        return 1
    if code == at.AT_OWN_PLAYER:
        return 2 + n_places
    return 2 + code if code < at.AT_OWN_MINION else 3 + n_places + code - at.AT_OWN_MINION


@compiled(i64(i64, i64))
def _target_code(place: int, n_places: int) -> int:
    """Return the engine's target code for a position among a card's targets in the view.

    Args:
        place: position among the targets, from 0.
        n_places: number of places on a side of the board.
    """
    if place == 0:
        return at.AT_NOBODY
    if place == 1:
        return at.AT_PLAYER
    if place == 2 + n_places:
        return at.AT_OWN_PLAYER
    return place - 2 if place < 2 + n_places else at.AT_OWN_MINION + place - 3 - n_places


@compiled(i64(Words))
def _first_attack(view: Any) -> int:
    """Return the view's number of the first attack, which follows all plays."""
    return view[at.VIEW_HAND_PLACES] * view[at.VIEW_OPTIONS] * view[at.VIEW_TARGETS]


def to_engine(table: Any, view: Any, action: int) -> int:
    """Return the engine's number of an action of the view, or `NO_ACTION` if it is out of range.

    Args:
        table: card table of the game's variant.
        view: words of the view.
        action: the view's number of the action.
    """
    n_actions = view[at.VIEW_N_ACTIONS]
    n_targets = view[at.VIEW_TARGETS]
    n_places = table[at.BOARD_LIMIT]
    n_options = view[at.VIEW_OPTIONS]
    if action < 0 or action >= n_actions:
        return NO_ACTION
    if action == n_actions - 1:
        return at.END_TURN
    attack = action - _first_attack(view)
    if attack < 0:
        target = _target_code(action % n_targets, n_places)
        option = (action // n_targets) % n_options
        source = action // n_targets // n_options
        return at.PLAY + (source << at.SOURCE_SHIFT) + (option << at.OPTION_SHIFT) + target
    power = attack - (1 + n_places) * (1 + n_places)
    if power < 0:
        attacker = attack // (1 + n_places)
        victim = attack % (1 + n_places)
        source = at.BY_PLAYER if attacker == 0 else attacker - 1
        return at.ATTACK_WITH + (source << at.SOURCE_SHIFT) + _target_code(1 + victim, n_places)
    return at.USE_POWER + _target_code(power, n_places)


@compiled(i64(Words, Words, i64), apart=True)
def _number_of(table: Any, view: Any, action: int) -> int:
    """Return the view's number of an action of the engine.

    It is `n_actions` for an action that the view cannot express.
    """
    n_actions = view[at.VIEW_N_ACTIONS]
    n_targets = view[at.VIEW_TARGETS]
    n_places = table[at.BOARD_LIMIT]
    if action == at.END_TURN:
        return n_actions - 1
    target = _target_place(action & at.POSITION_MASK, n_places)
    source = (action >> at.SOURCE_SHIFT) & at.POSITION_MASK
    if action >= at.PLAY and action < at.ATTACK_WITH:
        option = (action >> at.OPTION_SHIFT) & at.OPTION_MASK
        if (
            source < view[at.VIEW_HAND_PLACES]
            and option < view[at.VIEW_OPTIONS]
            and target < n_targets
        ):
            return (source * view[at.VIEW_OPTIONS] + option) * n_targets + target
    elif action >= at.USE_POWER:
        power = n_actions - 1 - n_targets + target
        if target < n_targets and n_actions - 1 > power >= _first_attack(view):
            return power
    elif action >= at.ATTACK_WITH:
        attacker = 0 if source == at.BY_PLAYER else source + 1
        if attacker <= n_places and 1 <= target <= 1 + n_places:
            return _first_attack(view) + attacker * (1 + n_places) + target - 1
    return n_actions


def from_engine(table: Any, view: Any, action: int) -> int:
    """Return the view's number of an action of the engine, see `_number_of`.

    This is a separate function, since numba cannot cache one function in both forms.
    """
    return _number_of(table, view, action)


def mark(state: Any, table: Any, view: Any, mask: Any) -> int:
    """Mark each of the view's actions 1 if legal, else 0, and return the number of legal actions.

    The list of legal actions remains in the state's work area.

    Args:
        state: a running game; its work area is overwritten.
        table: card table of the game's variant.
        view: words of the view.
        mask: the marks, overwritten, shape ``[n_actions]``.
    """
    for action in range(view[at.VIEW_N_ACTIONS]):
        mask[action] = 0
    n_legal = list_actions(state, table)
    for k in range(n_legal):
        number = _number_of(table, view, listed(state, k))
        if number < view[at.VIEW_N_ACTIONS]:
            mask[number] = 1
    return n_legal
