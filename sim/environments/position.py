"""Positions as a learner observes them: spaces and text; the duel here, else `general_position`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box, Dict, Discrete, MultiBinary, Space

from sim.engine.duel_view import (
    ABLE_TO_ATTACK,
    BOARD_PLACES,
    CARD_VALUES,
    CARDS_LEFT,
    ENEMY_BOARD,
    FIRST_ATTACK,
    HAND_PLACES,
    LIVES,
    MANAS,
    OWN_BOARD,
    OWN_HAND,
    TARGETS,
    UNIT_VALUES,
)
from sim.environments import general_position
from sim.observation.duel_view import CARD_NUMBER_MAX, HASTE_CODE, LAST_ACTION, N_ACTIONS, N_VALUES
from sim.observation.general_view import GeneralView
from sim.observation.view import View
from sim.ruleset import DECK_CAPACITY, Ruleset

Observation = dict[str, npt.NDArray[Any]]

_LIFE_MIN = -128  # the last blow may go far below zero
_EFFECTS = ("", " summon", " heal", " strike", " draw", " haste")


def observation_space(view: View) -> Space[Observation]:
    """`observation`: the values, float32; `action_mask`: 1 for each legal action, int8."""
    if isinstance(view, GeneralView):
        box = general_position.values_space(view)
    else:
        box = _duel_space(view.table.ruleset)
    space = Dict({"observation": box, "action_mask": MultiBinary(view.size.n_actions)})
    return cast("Space[Observation]", space)


def _duel_space(ruleset: Ruleset) -> Box:
    """The 67 values."""
    low = np.zeros(N_VALUES, dtype=np.float32)
    low[LIVES : LIVES + 2] = _LIFE_MIN
    high = np.full(N_VALUES, max(CARD_NUMBER_MAX, HASTE_CODE), dtype=np.float32)
    high[LIVES : LIVES + 2] = ruleset.life
    high[MANAS : MANAS + 2] = ruleset.mana_max
    high[ABLE_TO_ATTACK : ABLE_TO_ATTACK + BOARD_PLACES] = 1
    high[CARDS_LEFT : CARDS_LEFT + 2] = DECK_CAPACITY
    return Box(low, high)


def action_space(view: View) -> Discrete[np.int64]:
    """The view's actions; give `sample` the mask."""
    return Discrete(view.size.n_actions)


def observation_of(values: npt.NDArray[np.float32], mask: npt.NDArray[np.bool_]) -> Observation:
    """A member of the space, of copies; also for many at once."""
    return {"observation": values.copy(), "action_mask": mask.astype(np.int8)}


def position_text(values: npt.NDArray[np.float32], mask: npt.NDArray[np.bool_], view: View) -> str:
    """The position as the seat to move sees it; units and cards read attack/health."""
    if isinstance(view, GeneralView):
        return general_position.position_text(values, mask, view)
    whole = [int(value) for value in values]
    hand = [_card(whole, position) for position in range(HAND_PLACES)]
    actions = np.flatnonzero(mask).tolist()
    legal = [f"{action}: {action_text(action, values, view)}" for action in actions]
    return "\n".join(
        [
            _side("own  ", whole, 0, OWN_BOARD),
            _side("enemy", whole, 1, ENEMY_BOARD),
            f"hand   [{', '.join(filter(None, hand))}]",
            "legal  " + ("; ".join(legal) or "nothing"),
        ]
    )


def action_text(action: int, values: npt.NDArray[np.float32], view: View) -> str:
    """What one of the actions does in a position, e.g. `3/2 attacks the player`."""
    if isinstance(view, GeneralView):
        return general_position.action_text(action, values, view)
    whole = [int(value) for value in values]
    if not 0 <= action < N_ACTIONS:
        return "no such action"
    if action == LAST_ACTION:
        return "end the turn"
    if action < FIRST_ATTACK:
        return f"play {_card(whole, action) or 'an empty place'}"
    unit, target = divmod(action - FIRST_ATTACK, TARGETS)
    attacker = _unit(whole, OWN_BOARD, unit) or "nobody"
    victim = _unit(whole, ENEMY_BOARD, target) if target < BOARD_PLACES else "the player"
    return f"{attacker} attacks {victim or 'nobody'}"


def _side(who: str, whole: list[int], side: int, board: int) -> str:
    units = ", ".join(_units(whole, board))
    return (
        f"{who}  life {whole[LIVES + side]}  mana {whole[MANAS + side]}  "
        f"cards left {whole[CARDS_LEFT + side]}  board [{units}]"
    )


def _units(whole: list[int], board: int) -> Iterator[str]:
    for position in range(BOARD_PLACES):
        if text := _unit(whole, board, position):
            may_attack = board == OWN_BOARD and whole[ABLE_TO_ATTACK + position]
            yield text + " ready" * bool(may_attack)


def _unit(whole: list[int], board: int, position: int) -> str:
    """A unit, or `""` where there is none: units have health left."""
    health, attack = whole[board + UNIT_VALUES * position :][:UNIT_VALUES]
    return f"{attack}/{health}" if health else ""


def _card(whole: list[int], position: int) -> str:
    health, attack, cost, effect = whole[OWN_HAND + CARD_VALUES * position :][:CARD_VALUES]
    return f"{attack}/{health}{_EFFECTS[effect]} for {cost}" if health else ""
