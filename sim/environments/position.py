"""Descriptions of positions and actions of card games as text, from a learner's observations."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from sim.engine.viewing import (
    BOARD_PLACES,
    HAND_PLACES,
)
from sim.observation.general_view import BODY_WORDS, HAND_KINDS, SIDES, GeneralView
from sim.observation.parallel_games import Values
from sim.observation.view import OWN_PLAYER, PLAYER, ActionDescription, View, action_descriptions

_EFFECTS = ("", " summon", " heal", " strike", " draw", " haste")
"""Names of the effect codes of the duel's view (`sim.observation.view.card_codes`)."""

# Names of the values of the duel's view, in the order of `sim.engine.viewing`.
_DUEL_NAMES = (
    *("own life", "enemy life", "own mana", "enemy mana"),
    *(
        f"hand {place + 1} {field}"
        for place in range(HAND_PLACES)
        for field in ("health", "attack", "cost", "effect")
    ),
    *(
        f"{side} minion {place + 1} {field}"
        for side in SIDES
        for place in range(BOARD_PLACES)
        for field in ("health", "attack")
    ),
    *(f"own minion {place + 1} ready" for place in range(BOARD_PLACES)),
    *("own deck", "enemy deck"),
)


def position_text(values: Values, mask: npt.NDArray[np.bool_], view: View) -> str:
    """Return a position as text, with both sides, the hand, a choice if any, and legal actions.

    Args:
        values: observation of the seat to move, shape ``[n_values]``.
        mask: whether each action is legal, shape ``[n_actions]``.
        view: view that the observation belongs to.
    """
    seen = _NamedValues(values, view)
    actions = action_descriptions(view)
    legal = (
        f"{number}: {_description_text(actions[number], seen)}"
        for number in np.flatnonzero(mask).tolist()
    )
    hand = [seen.card(f"hand {place + 1}") for place in range(view.n_hand_places)]
    choices = [seen.card(f"choice {place + 1}") for place in range(view.size.n_choices)]
    shown = [*(seen.side(side) for side in SIDES), f"hand   [{', '.join(filter(None, hand))}]"]
    if any(choices):
        shown.append(f"choice [{', '.join(filter(None, choices))}]")
    return "\n".join([*shown, "legal  " + ("; ".join(legal) or "nothing")])


def action_text(action: int, values: Values, view: View) -> str:
    """Return the meaning of an action in a position as text, such as `3/2 attacks the player`.

    Args:
        action: number of the action; other numbers give `no such action`.
        values: observation of the seat to move, shape ``[n_values]``.
        view: view that the observation belongs to.
    """
    actions = action_descriptions(view)
    if not 0 <= action < len(actions):
        return "no such action"
    return _description_text(actions[action], _NamedValues(values, view))


def _description_text(description: ActionDescription, seen: _NamedValues) -> str:
    """Return the text of an action, which names the cards and minions in its places.

    Args:
        description: meaning of the action.
        seen: values of the position.
    """
    is_mulligan = bool(seen.number("in the mulligan"))
    if description.verb == "end":
        return "end the mulligan" if is_mulligan else "end the turn"
    if description.verb == "attack":
        attacker = (
            seen.minion(f"own minion {description.place}") if description.place else OWN_PLAYER
        )
        return f"{attacker or 'an empty place'} attacks {seen.target(description.target)}"
    on = f" on {seen.target(description.target)}" if description.target else ""
    if description.verb == "power":
        return f"use the hero power{on}"
    if seen.number("at a choice"):
        return f"choose {seen.card(f'choice {description.place}') or 'a card from an empty place'}"
    chosen = f", option {description.option}" if description.option else ""
    card = seen.card(f"hand {description.place}") or "a card from an empty place"
    return f"{'replace' if is_mulligan else 'play'} {card}{chosen}{on}"


class _NamedValues:
    """The values of an observation as whole numbers, by name, and texts made from them."""

    def __init__(self, values: Values, view: View) -> None:
        self._n_places = view.table.ruleset.board_limit
        scales = 1 if view.scales is None else view.scales
        names: Sequence[str] = _DUEL_NAMES
        if isinstance(view, GeneralView):
            names = [column.name for column in view.columns]
        self._numbers = dict(zip(names, np.rint(values * scales).astype(int).tolist(), strict=True))

    def number(self, name: str) -> int:
        """Return the value with the given name; 0 if the view has no such value."""
        return int(self._numbers.get(name, 0))

    def side(self, side: str) -> str:
        """Return one line of text for a side, `own` or `enemy`: the player, then the minions."""
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
        """Return the minion in a place as attack/health and keywords; `""` for an empty place."""
        health = self.number(f"{place} health")
        return f"{self.number(f'{place} attack')}/{health}{self._keywords(place)}" if health else ""

    def target(self, target: str) -> str:
        """Return the text of a target: the name of a player, or the minion in the target's place.

        Args:
            target: target of an action, as in `ActionDescription.target`.
        """
        if target in (PLAYER, OWN_PLAYER):
            return target
        return "own " * target.startswith("own") + (self.minion(target) or "an empty place")

    def card(self, place: str) -> str:
        """Return the card in a place of the hand or choice as text; `""` for an empty place."""
        kinds = [kind for kind in HAND_KINDS if self.number(f"{place} {kind}")]
        health = self.number(f"{place} health")
        text = self.number(f"{place} text")
        if not kinds and not health:
            return ""
        body = f"{self.number(f'{place} attack')}/{health}{self._keywords(place)}"
        name = kinds[0] if kinds and kinds[0] in ("spell", "secret") else body
        effect = f" (text {text})" if text else _EFFECTS[self.number(f"{place} effect")]
        return f"{name}{effect} for {self.number(f'{place} cost')}"

    def _keywords(self, place: str) -> str:
        """Return the keywords of the card or minion in a place, with a space before each word."""
        return "".join(f" {word}" for word in BODY_WORDS if self.number(f"{place} {word}"))
