"""Positions as a learner observes them, as text: of the duel and of general games."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sim.engine.viewing import (
    BOARD_PLACES,
    HAND_PLACES,
)
from sim.observation.general_view import BODY_WORDS, HAND_KINDS, SIDES, GeneralView
from sim.observation.side_by_side import Values
from sim.observation.view import OWN_PLAYER, PLAYER, Deed, View, action_descriptions

_EFFECTS = ("", " summon", " heal", " strike", " draw", " haste")
_DUEL_NAMES = (  # of the duel's values, in their order (`sim.engine.viewing`)
    *("own life", "enemy life", "own mana", "enemy mana"),
    *(
        f"hand {place + 1} {what}"
        for place in range(HAND_PLACES)
        for what in ("health", "attack", "cost", "effect")
    ),
    *(
        f"{side} minion {place + 1} {what}"
        for side in SIDES
        for place in range(BOARD_PLACES)
        for what in ("health", "attack")
    ),
    *(f"own minion {place + 1} ready" for place in range(BOARD_PLACES)),
    *("own deck", "enemy deck"),
)


def position_text(values: Values, mask: npt.NDArray[np.bool_], view: View) -> str:
    """The position as the seat to move sees it; minions and cards read attack/health."""
    seen = _Seen(values, view)
    deeds = action_descriptions(view)
    legal = (f"{one}: {_deed_text(deeds[one], seen)}" for one in np.flatnonzero(mask).tolist())
    hand = [seen.card(f"hand {place + 1}") for place in range(view.n_hand_places)]
    choices = [seen.card(f"choice {place + 1}") for place in range(view.size.n_choices)]
    shown = [*(seen.side(side) for side in SIDES), f"hand   [{', '.join(filter(None, hand))}]"]
    if any(choices):
        shown.append(f"choice [{', '.join(filter(None, choices))}]")
    return "\n".join([*shown, "legal  " + ("; ".join(legal) or "nothing")])


def action_text(action: int, values: Values, view: View) -> str:
    """What one of the actions does in a position, e.g. `3/2 attacks the player`."""
    deeds = action_descriptions(view)
    if not 0 <= action < len(deeds):
        return "no such action"
    return _deed_text(deeds[action], _Seen(values, view))


def _deed_text(deed: Deed, seen: _Seen) -> str:
    is_mulligan = bool(seen.number("in the mulligan"))
    if deed.verb == "end":
        return "end the mulligan" if is_mulligan else "end the turn"
    if deed.verb == "attack":
        who = seen.minion(f"own minion {deed.place}") if deed.place else OWN_PLAYER
        return f"{who or 'nobody'} attacks {seen.whom(deed.target)}"
    on = f" on {seen.whom(deed.target)}" if deed.target else ""
    if deed.verb == "power":
        return f"use the hero power{on}"
    if seen.number("at a choice"):
        return f"choose {seen.card(f'choice {deed.place}') or 'an empty place'}"
    chosen = f", option {deed.option}" if deed.option else ""
    card = seen.card(f"hand {deed.place}") or "an empty place"
    return f"{'replace' if is_mulligan else 'play'} {card}{chosen}{on}"


class _Seen:
    """The whole numbers behind an observation, by the names of what they are."""

    def __init__(self, values: Values, view: View) -> None:
        self._n_places = view.table.ruleset.board_limit
        scales = 1 if view.scales is None else view.scales
        names = [one.name for one in view.columns] if isinstance(view, GeneralView) else _DUEL_NAMES
        self._numbers = dict(zip(names, np.rint(values * scales).astype(int).tolist(), strict=True))

    def number(self, name: str) -> int:
        """The number of this name; 0 for what the view does not show."""
        return int(self._numbers.get(name, 0))

    def side(self, side: str) -> str:
        """A player and its board."""
        names = {"life": "life", "armour": "armour", "mana": "mana", "deck": "cards left"}
        names |= {"hand": "hand"} if side == "enemy" else {}
        facts = [
            f"{shown} {self.number(f'{side} {name}')}"
            for name, shown in names.items()
            if f"{side} {name}" in self._numbers
        ]
        if self.number(f"{side} has a weapon"):
            attack, durability = (
                self.number(f"{side} weapon {name}") for name in ("attack", "durability")
            )
            facts.append(f"weapon {attack}/{durability}")
        places = [f"{side} minion {place}" for place in range(1, self._n_places + 1)]
        minions = [
            body + " ready" * bool(side == "own" and self.number(f"{place} ready"))
            for place in places
            if (body := self.minion(place))
        ]
        return f"{side:5}  {'  '.join(facts)}  board [{', '.join(minions)}]"

    def minion(self, place: str) -> str:
        """A minion, or `""` where there is none: minions have health left."""
        health = self.number(f"{place} health")
        return f"{self.number(f'{place} attack')}/{health}{self._words(place)}" if health else ""

    def whom(self, target: str) -> str:
        """A player, or the minion in a place."""
        if target in (PLAYER, OWN_PLAYER):
            return target
        return "own " * target.startswith("own") + (self.minion(target) or "nobody")

    def card(self, place: str) -> str:
        """A card of the hand or a choice, or `""` where there is none."""
        kinds = [kind for kind in HAND_KINDS if self.number(f"{place} {kind}")]
        health = self.number(f"{place} health")
        text = self.number(f"{place} text")
        if not kinds and not health:
            return ""
        body = f"{self.number(f'{place} attack')}/{health}{self._words(place)}"
        what = kinds[0] if kinds and kinds[0] in ("spell", "secret") else body
        said = f" (text {text})" if text else _EFFECTS[self.number(f"{place} effect")]
        return f"{what}{said} for {self.number(f'{place} cost')}"

    def _words(self, place: str) -> str:
        return "".join(f" {word}" for word in BODY_WORDS if self.number(f"{place} {word}"))
