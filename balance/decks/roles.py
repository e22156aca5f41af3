"""Roles of cards: difference between a card and a substitute in numbers, keywords and effects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sim import AMOUNTS, FIELDS, Card, Effect

# Distance of a keyword that only one of two cards has, in steps of a number. Chosen by hand: a
# keyword changes a card more than one point of a number.
KEYWORD_STEPS = 2
# Distance of an effect that only one of two cards has. Chosen by hand. The distance of two amounts
# of an effect is at most twice this: then it counts like one effect lost and one gained.
EFFECT_STEPS = 2
# Distance of cards of different kinds, such as a minion and a spell, or with different options.
# Chosen by hand: twice the distance of a keyword, since such cards have hardly anything in common.
KIND_STEPS = 2 * KEYWORD_STEPS

# Spell damage and overload are numbers of a card, although patches cannot change them.
_NUMBERS = (*(field for field in FIELDS if field not in AMOUNTS), "spell_damage", "overload")
_AMOUNTS_OF_ROW = ("amount", "amount_to", "attack", "health")


@dataclass(frozen=True)
class RoleDifference:
    """Difference between a card and its substitute.

    Attributes:
        kind: kind of the substitute if it differs from the card's kind, else `""`.
        steps: number of the substitute less that of the card, by name of the field, for each number
            that at least one of the two cards has; a missing number counts as 0.
        gained: keywords that only the substitute has.
        lost: keywords that only the card has.
        effects_gained: effects of a kind that only the substitute has.
        effects_lost: effects of a kind that only the card has.
        effects_changed: effects of the substitute that both cards have, with different amounts.
        distance: total difference in steps; 0 if the cards do the same. A step of a number counts
            1. A step of an effect's amount counts 1, at most 4 per effect. A keyword or an effect
            of only one card counts 2, a different kind 4, different options 4, a different tribe 1.
    """

    kind: str
    steps: Mapping[str, int]
    gained: tuple[str, ...]
    lost: tuple[str, ...]
    effects_gained: tuple[Effect, ...]
    effects_lost: tuple[Effect, ...]
    effects_changed: tuple[Effect, ...]
    distance: int


def role_difference(card: Card, stand_in: Card) -> RoleDifference:
    """Return the difference between a card and a substitute.

    Args:
        card: card to replace.
        stand_in: substitute for the card.
    """
    steps = {
        field: getattr(stand_in, field) - getattr(card, field)
        for field in _NUMBERS
        if field in {*card.printed, *stand_in.printed}
        or getattr(card, field)
        or getattr(stand_in, field)
    }
    gained = tuple(word for word in stand_in.keywords if word not in card.keywords)
    lost = tuple(word for word in card.keywords if word not in stand_in.keywords)
    before = _effects_by_kind(card)
    after = _effects_by_kind(stand_in)
    effects_gained = tuple(effect for kind, effect in after.items() if kind not in before)
    effects_lost = tuple(effect for kind, effect in before.items() if kind not in after)
    common = [(before[kind], effect) for kind, effect in after.items() if kind in before]
    amounts = sum(min(_amount_distance(old, new), 2 * EFFECT_STEPS) for old, new in common)
    n_others = (card.kind != stand_in.kind) + (card.options != stand_in.options)
    return RoleDifference(
        kind=stand_in.kind if stand_in.kind != card.kind else "",
        steps=steps,
        gained=gained,
        lost=lost,
        effects_gained=effects_gained,
        effects_lost=effects_lost,
        effects_changed=tuple(new for old, new in common if _amount_distance(old, new)),
        distance=sum(map(abs, steps.values()))
        + KEYWORD_STEPS * (len(gained) + len(lost))
        + EFFECT_STEPS * (len(effects_gained) + len(effects_lost))
        + KIND_STEPS * n_others
        + (card.tribe != stand_in.tribe)
        + amounts,
    )


def _amount_distance(before: Effect, after: Effect) -> int:
    """Return the sum of the absolute differences between the amounts of two effects."""
    return sum(abs(new - old) for old, new in zip(_amounts(before), _amounts(after), strict=True))


def _amounts(effect: Effect) -> tuple[int, int, int, int]:
    """Return the amounts of an effect; a missing amount is 0.

    They are its minimum amount, the random spread above it, and the attack and health of a buff.
    """
    spread = 0 if effect.amount_to is None else effect.amount_to - effect.amount
    return effect.amount, spread, effect.attack or 0, effect.health or 0


def _effects_by_kind(card: Card) -> dict[str, Effect]:
    """Return a card's effects by kind; effects that differ only in amounts are merged.

    Args:
        card: card with the effects.

    Returns:
        Effects by their kind: the JSON text of all fields except amounts, and the card's target if
        the effect uses it.
    """
    by_kind: dict[str, Effect] = {}
    for effect in card.effects:
        kind = effect.model_dump_json(exclude=set(_AMOUNTS_OF_ROW))
        # Effects on different targets are different kinds; the card describes the target.
        if "target" in kind:
            kind += str(card.target or "")
        by_kind[kind] = _merge(by_kind[kind], effect) if kind in by_kind else effect
    return by_kind


def _merge(first: Effect, second: Effect) -> Effect:
    """Return the first of two effects of the same kind, with the sums of their amounts."""
    amount, spread, attack, health = (
        a + b for a, b in zip(_amounts(first), _amounts(second), strict=True)
    )
    changes = {"attack": attack or None, "health": health or None}
    highest = amount + spread if spread else None
    return first.model_copy(update={"amount": amount, "amount_to": highest, **changes})
