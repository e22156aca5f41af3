"""Positions as a learner observes them: spaces and text, of the duel and of general games."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box, Dict, Discrete, MultiBinary, Space

from sim.cards.vocabulary import BODY_KEYWORDS
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
from sim.observation.duel_view import (
    CARD_NUMBER_MAX,
    HASTE_CODE,
    LAST_ACTION,
    N_ACTIONS,
    N_VALUES,
    DuelView,
)
from sim.observation.general_view import HAND_KINDS, SIDES, GeneralView
from sim.observation.view import View
from sim.ruleset import DECK_CAPACITY

Observation = dict[str, npt.NDArray[Any]]
Values = npt.NDArray[np.float32]

_LIFE_MIN = -128  # the last blow may go far below zero
_EFFECTS = ("", " summon", " heal", " strike", " draw", " haste")


def observation_space(view: View) -> Space[Observation]:
    """`observation`: the values, float32; `action_mask`: 1 for each legal action, int8."""
    box = _general_space(view) if isinstance(view, GeneralView) else _duel_space(view)
    space = Dict({"observation": box, "action_mask": MultiBinary(view.size.n_actions)})
    return cast("Space[Observation]", space)


def _duel_space(view: DuelView) -> Box:
    """The 67 values."""
    low = np.zeros(N_VALUES, dtype=np.float32)
    low[LIVES : LIVES + 2] = _LIFE_MIN
    high = np.full(N_VALUES, max(CARD_NUMBER_MAX, HASTE_CODE), dtype=np.float32)
    high[LIVES : LIVES + 2] = view.table.ruleset.life
    high[MANAS : MANAS + 2] = view.table.ruleset.mana_max
    high[ABLE_TO_ATTACK : ABLE_TO_ATTACK + BOARD_PLACES] = 1
    high[CARDS_LEFT : CARDS_LEFT + 2] = DECK_CAPACITY
    return Box(low, high)


def action_space(view: View) -> Discrete[np.int64]:
    """The view's actions; give `sample` the mask."""
    return Discrete(view.size.n_actions)


def observation_of(values: Values, mask: npt.NDArray[np.bool_]) -> Observation:
    """A member of the space, of copies; also for many at once."""
    return {"observation": values.copy(), "action_mask": mask.astype(np.int8)}


def position_text(values: Values, mask: npt.NDArray[np.bool_], view: View) -> str:
    """The position as the seat to move sees it; units and cards read attack/health."""
    if isinstance(view, GeneralView):
        return _general_text(values, mask, view)
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


def action_text(action: int, values: Values, view: View) -> str:
    """What one of the actions does in a position, e.g. `3/2 attacks the player`."""
    if isinstance(view, GeneralView):
        return _general_action_text(action, values, view)
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


def _general_space(view: GeneralView) -> Box:
    """Shares from 0 to 1; behind them numbers of texts."""
    size = view.size
    high = np.ones(size.n_values, dtype=np.float32)
    high[size.n_values - size.n_indices :] = size.n_texts
    return Box(np.zeros_like(high), high)


def _general_text(values: Values, mask: npt.NDArray[np.bool_], view: GeneralView) -> str:
    """The position as the seat to move sees it; minions and cards read attack/health."""
    seen = _Seen(values, view)
    legal = (
        f"{one}: {_general_action_text(one, values, view)}" for one in np.flatnonzero(mask).tolist()
    )
    hand = [seen.card(f"hand {place + 1}") for place in range(view.n_hand_places)]
    choices = [seen.card(f"choice {place + 1}") for place in range(view.size.n_choices)]
    shown = [*(seen.side(side) for side in SIDES), f"hand   [{', '.join(filter(None, hand))}]"]
    if any(choices):
        shown.append(f"choice [{', '.join(filter(None, choices))}]")
    return "\n".join([*shown, "legal  " + ("; ".join(legal) or "nothing")])


def _general_action_text(action: int, values: Values, view: GeneralView) -> str:
    """What an action does in a position, e.g. `3/2 attacks the player`."""
    if not 0 <= action <= view.size.last_action:
        return "no such action"
    seen = _Seen(values, view)
    if action == view.size.last_action:
        return "end the mulligan" if seen.number("in the mulligan") else "end the turn"
    n_places, n_targets = view.table.ruleset.board_limit, view.size.n_targets
    attack = action - view.n_hand_places * view.size.n_options * n_targets
    if attack < 0:
        place, target = action // n_targets, action % n_targets
        place, option = divmod(place, view.size.n_options)
        return _play_text(seen, place, option, _target(seen, target, n_places))
    attacker, victim = divmod(attack, 1 + n_places)
    if attacker <= n_places:
        who = seen.minion("own", attacker) if attacker else "the own player"
        whom = seen.minion("enemy", victim) if victim else "the player"
        return f"{who or 'nobody'} attacks {whom or 'nobody'}"
    target = attack - (1 + n_places) ** 2
    return f"use the hero power{_target(seen, target, n_places)}"


def _play_text(seen: _Seen, position: int, option: int, target: str) -> str:
    if seen.number("at a choice"):
        return f"choose {seen.card(f'choice {position + 1}') or 'an empty place'}"
    verb = "replace" if seen.number("in the mulligan") else "play"
    chosen = f", option {option}" if option else ""
    return f"{verb} {seen.card(f'hand {position + 1}') or 'an empty place'}{chosen}{target}"


def _target(seen: _Seen, place: int, n_places: int) -> str:
    """` on` whom, for a place among a card's targets; the first is nobody."""
    if place == 0:
        return ""
    if place in (1, 2 + n_places):
        return " on the player" if place == 1 else " on the own player"
    is_own = place > 2 + n_places
    whom = seen.minion("own", place - 2 - n_places) if is_own else seen.minion("enemy", place - 1)
    return f" on {'own ' * is_own}{whom or 'nobody'}"


class _Seen:
    """The whole numbers behind an observation, by the names of their columns."""

    def __init__(self, values: Values, view: GeneralView) -> None:
        self._view = view
        whole = np.rint(values * view.scales).astype(int).tolist()
        self._numbers = {
            column.name: number for column, number in zip(view.columns, whole, strict=True)
        }

    def number(self, name: str) -> int:
        """The number of one column."""
        return int(self._numbers[name])

    def side(self, side: str) -> str:
        """A player and its board."""
        facts = [
            f"{name} {self.number(f'{side} {name}')}" for name in ("life", "armour", "mana", "deck")
        ]
        if self.number(f"{side} has a weapon"):
            attack, durability = (
                self.number(f"{side} weapon {name}") for name in ("attack", "durability")
            )
            facts.append(f"weapon {attack}/{durability}")
        if side == "enemy":
            facts.append(f"hand {self.number('enemy hand')}")
        places = range(1, self._view.table.ruleset.board_limit + 1)
        minions = ", ".join(filter(None, (self.minion(side, place) for place in places)))
        return f"{side:5}  {'  '.join(facts)}  board [{minions}]"

    def minion(self, side: str, place: int) -> str:
        """A minion, or `""` where there is none."""
        name = f"{side} minion {place}"
        if not self.number(f"{name} max health"):
            return ""
        body = f"{self.number(f'{name} attack')}/{self.number(f'{name} health')}"
        ready = " ready" if side == "own" and self.number(f"{name} ready") else ""
        return body + self._words(name) + ready

    def card(self, place: str) -> str:
        """A card of the hand or a choice, or `""` where there is none."""
        kinds = [kind for kind in HAND_KINDS if self.number(f"{place} {kind}")]
        if not kinds:
            return ""
        body = f"{self.number(f'{place} attack')}/{self.number(f'{place} health')}"
        text = self.number(f"{place} text")
        what = kinds[0] if kinds[0] in ("spell", "secret") else f"{body}{self._words(place)}"
        said = f" (text {text})" if text else ""
        return f"{what}{said} for {self.number(f'{place} cost')}"

    def _words(self, place: str) -> str:
        keywords = (keyword.name.lower() for keyword in BODY_KEYWORDS if keyword.name)
        return "".join(f" {word}" for word in keywords if self.number(f"{place} {word}"))
