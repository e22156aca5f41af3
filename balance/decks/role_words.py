"""Difference of a substitute from a missing card in words, for tables and sentences."""

from __future__ import annotations

from balance.decks.roles import RoleDifference, role_difference
from sim import Card, Effect
from sim.cards.text.card_text import action_words
from sim.errors import listed


def role_in_words(missing: Card, stand_in: Card) -> str:
    """Return a phrase on the difference of a substitute: `keeps the curve but loses haste`."""
    difference = role_difference(missing, stand_in)
    if not difference.distance:
        return "does exactly the same"
    better, worse = _curve(difference.steps["cost"])
    worse += [f"is a {difference.kind}"] if difference.kind else []
    gains, losses = _gains_and_losses(difference)
    better += [f"gains {listed(gains)}"] if gains else []
    worse += [f"loses {listed(losses)}"] if losses else []
    return " but ".join(" and ".join(parts) for parts in (better, worse) if parts)


def _curve(steps: int) -> tuple[list[str], list[str]]:
    """Return phrases on a substitute's cost: a list of advantages and a list of drawbacks.

    Args:
        steps: cost of the substitute minus the cost of the missing card, in mana.
    """
    if steps > 0:
        return [], [f"is {steps} mana dearer"]
    return [f"is {-steps} mana cheaper" if steps else "keeps the curve"], []


def _gains_and_losses(difference: RoleDifference) -> tuple[list[str], list[str]]:
    """Return phrases on the numbers, keywords and effects that a substitute gains and loses."""
    gains = list[str]()
    losses = list[str]()
    for field, steps in difference.steps.items():
        if steps and field != "cost":
            is_gain = (steps > 0) != (field == "overload")
            (gains if is_gain else losses).append(f"{abs(steps)} {field.replace('_', ' ')}")
    changed = (f"another amount ({action_words(effect)})" for effect in difference.effects_changed)
    return (
        [*gains, *difference.gained, *map(_effect, difference.effects_gained), *changed],
        [*losses, *difference.lost, *map(_effect, difference.effects_lost)],
    )


_EFFECTS = {"draw": "the draw", "heal": "the healing", "damage": "the damage"}


def _effect(effect: Effect) -> str:
    """Return a short name of an effect, such as `the draw`."""
    if effect.do == "summon" and effect.token is not None:
        return f"the {effect.token.attack}/{effect.token.health} beside it"
    return _EFFECTS.get(effect.do, f"the effect to {action_words(effect)}")
