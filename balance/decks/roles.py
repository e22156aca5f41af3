"""Roles of cards: how far a substitute differs from a card in what it does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sim import AMOUNTS, FIELDS, Card, Effect

# Distance of a keyword that only one of two cards has, in steps of a number. Chosen by hand: a
# keyword changes a card more than one point of a number.
KEYWORD_STEPS = 2
# Distance of an effect that only one of two cards has. Also half of the most by which two amounts
# of an effect count, so that a very different amount counts like one effect lost and one gained.
EFFECT_STEPS = 2
# Distance of cards of different kinds, such as a minion and a spell, or with different options.
# Twice a keyword's, since hardly anything that they do is the same.
KIND_STEPS = 2 * KEYWORD_STEPS

# Spell damage and overload are numbers of a card though they are no fields that patches move.
_NUMBERS = (*(field for field in FIELDS if field not in AMOUNTS), "spell_damage", "overload")
_AMOUNTS_OF_ROW = ("amount", "amount_to", "attack", "health")


@dataclass(frozen=True)
class RoleDifference:
    """Difference between a card and its substitute.

    Attributes:
        kind: kind of the substitute if the card's is another, else `""`.
        steps: substitute's number less the card's, by name, for each printed number (and spell
            damage and overload) that at least one of them has; a missing number counts as 0.
        gained: keywords that only the substitute has.
        lost: keywords that only the card has.
        effects_gained: effects of a kind that only the substitute has.
        effects_lost: effects of a kind that only the card has.
        effects_changed: effects of the substitute that both have, in different amounts.
        distance: sum of the differences in steps, 0 for cards that do the same. A step of a number
            counts 1, as does a step of an effect's amount, up to 4; a keyword or an effect that
            only one has counts 2, another kind or other options 4, another tribe 1.
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
    """Compare kind, numbers, keywords and effects of a card and a substitute.

    Args:
        card: the missing card.
        stand_in: the substitute.
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
    """Return the number of steps between two effects that differ only in their amounts."""
    return sum(abs(new - old) for old, new in zip(_amounts(before), _amounts(after), strict=True))


def _amounts(effect: Effect) -> tuple[int, int, int, int]:
    """Return the amounts of an effect: least, random spread, attack and health of a buff."""
    spread = 0 if effect.amount_to is None else effect.amount_to - effect.amount
    return effect.amount, spread, effect.attack or 0, effect.health or 0


def _effects_by_kind(card: Card) -> dict[str, Effect]:
    """Return a card's effects by kind: those that differ only in amounts are merged into one.

    Args:
        card: the card.

    Returns:
        The effects by all their fields except amounts.
    """
    by_kind: dict[str, Effect] = {}
    for effect in card.effects:
        kind = effect.model_dump_json(exclude=set(_AMOUNTS_OF_ROW))
        # The effect acts on a target that the card itself describes.
        if "target" in kind:
            kind += str(card.target or "")
        by_kind[kind] = _merge(by_kind[kind], effect) if kind in by_kind else effect
    return by_kind


def _merge(one: Effect, other: Effect) -> Effect:
    """Return one effect with the amounts of both."""
    amount, spread, attack, health = (
        a + b for a, b in zip(_amounts(one), _amounts(other), strict=True)
    )
    changes = {"attack": attack or None, "health": health or None}
    highest = amount + spread if spread else None
    return one.model_copy(update={"amount": amount, "amount_to": highest, **changes})
