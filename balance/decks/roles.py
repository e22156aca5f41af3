"""Roles of cards: what a card is for, and how far another one is from that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sim import AMOUNTS, FIELDS, Card, Effect

KEYWORD_STEPS = 2
"""What a keyword gained or lost counts, in steps of a number; likewise an effect."""
EFFECT_STEPS = 2
KIND_STEPS = 2 * KEYWORD_STEPS
"""What it counts that a card is of another kind, or offers another choice."""

_NUMBERS = (*(field for field in FIELDS if field not in AMOUNTS), "spell_damage", "overload")
_AMOUNTS_OF_ROW = ("amount", "amount_to", "attack", "health")


@dataclass(frozen=True)
class RoleDifference:
    """What changes where one card stands in for another.

    Attributes:
        kind: the stand-in's kind if it is another, else `""`.
        steps: by printed number (and spell damage and overload) that at least one of them has,
            the stand-in's less the card's; a number that a card does not have is 0.
        gained: keywords that only the stand-in has.
        lost: keywords that only the card has.
        effects_gained: effects of a kind that only the stand-in has.
        effects_lost: effects of a kind that only the card has.
        effects_changed: effects of the stand-in that both have, in different amounts.
        distance: how unlike they are, in steps: each step of a number counts 1, as does each by
            which an effect that both have differs, up to 4; a keyword or an effect that one of
            them lacks counts 2, another kind or another choice 4, another tribe 1. 0 for cards
            that do the same.
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
    """Compare kind, cost, body, keywords and effects of two cards."""
    steps = {
        field: getattr(stand_in, field) - getattr(card, field)
        for field in _NUMBERS
        if field in {*card.printed, *stand_in.printed}
        or getattr(card, field)
        or getattr(stand_in, field)
    }
    gained = tuple(word for word in stand_in.keywords if word not in card.keywords)
    lost = tuple(word for word in card.keywords if word not in stand_in.keywords)
    before = _by_kind(card)
    after = _by_kind(stand_in)
    effects_gained = tuple(effect for kind, effect in after.items() if kind not in before)
    effects_lost = tuple(effect for kind, effect in before.items() if kind not in after)
    both = [(before[kind], effect) for kind, effect in after.items() if kind in before]
    amounts = sum(min(_apart(old, new), 2 * EFFECT_STEPS) for old, new in both)
    n_others = (card.kind != stand_in.kind) + (card.options != stand_in.options)
    return RoleDifference(
        kind=stand_in.kind if stand_in.kind != card.kind else "",
        steps=steps,
        gained=gained,
        lost=lost,
        effects_gained=effects_gained,
        effects_lost=effects_lost,
        effects_changed=tuple(new for old, new in both if _apart(old, new)),
        distance=sum(map(abs, steps.values()))
        + KEYWORD_STEPS * (len(gained) + len(lost))
        + EFFECT_STEPS * (len(effects_gained) + len(effects_lost))
        + KIND_STEPS * n_others
        + (card.tribe != stand_in.tribe)
        + amounts,
    )


def _apart(before: Effect, after: Effect) -> int:
    """Steps between two effects that differ in nothing but their amounts."""
    return sum(abs(new - old) for old, new in zip(_amounts(before), _amounts(after), strict=True))


def _amounts(effect: Effect) -> tuple[int, int, int, int]:
    """The amount, how much more it may be by chance, and what a buff gives."""
    more = 0 if effect.amount_to is None else effect.amount_to - effect.amount
    return effect.amount, more, effect.attack or 0, effect.health or 0


def _by_kind(card: Card) -> dict[str, Effect]:
    """A card's effects, those that differ in nothing but their amounts added up."""
    found: dict[str, Effect] = {}
    for effect in card.effects:
        kind = effect.model_dump_json(exclude=set(_AMOUNTS_OF_ROW))
        if "target" in kind:  # what that is, the card says
            kind += str(card.target or "")
        found[kind] = _together(found[kind], effect) if kind in found else effect
    return found


def _together(one: Effect, other: Effect) -> Effect:
    """Both effects in one row."""
    amount, more, attack, health = (
        a + b for a, b in zip(_amounts(one), _amounts(other), strict=True)
    )
    changes = {"attack": attack or None, "health": health or None}
    highest = amount + more if more else None
    return one.model_copy(update={"amount": amount, "amount_to": highest, **changes})
