"""What a card is for, and how far another one is from that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sim.card import FIELDS, Card
from sim.effect import Effect

KEYWORD_STEPS = 2
"""What a keyword gained or lost counts, in steps of a number; likewise an effect."""
EFFECT_STEPS = 2


@dataclass(frozen=True)
class RoleDifference:
    """What changes where one card stands in for another.

    Attributes:
        steps: by field of `sim.card.FIELDS`, the stand-in's number less the card's.
        gained: keywords that only the stand-in has.
        lost: keywords that only the card has.
        effects_gained: effects of a kind that only the stand-in has.
        effects_lost: effects of a kind that only the card has.
        effects_changed: effects of the stand-in that both have, in different amounts.
        distance: how unlike they are, in steps: each step of a number counts 1, as does each by
            which an effect that both have differs, up to 4; a keyword or an effect that one of
            them lacks counts 2. 0 for cards that do the same.
    """

    steps: Mapping[str, int]
    gained: tuple[str, ...]
    lost: tuple[str, ...]
    effects_gained: tuple[Effect, ...]
    effects_lost: tuple[Effect, ...]
    effects_changed: tuple[Effect, ...]
    distance: int


def role_difference(card: Card, stand_in: Card) -> RoleDifference:
    """Compare cost, body, keywords and effects of two cards."""
    steps = {field: stand_in.number(field) - card.number(field) for field in FIELDS}
    gained = tuple(word for word in stand_in.keywords if word not in card.keywords)
    lost = tuple(word for word in card.keywords if word not in stand_in.keywords)
    before, after = _by_kind(card), _by_kind(stand_in)
    effects_gained = tuple(effect for kind, effect in after.items() if kind not in before)
    effects_lost = tuple(effect for kind, effect in before.items() if kind not in after)
    both = [(before[kind], effect) for kind, effect in after.items() if kind in before]
    amounts = sum(min(abs(new.amount - old.amount), 2 * EFFECT_STEPS) for old, new in both)
    return RoleDifference(
        steps=steps,
        gained=gained,
        lost=lost,
        effects_gained=effects_gained,
        effects_lost=effects_lost,
        effects_changed=tuple(new for old, new in both if new.amount != old.amount),
        distance=sum(map(abs, steps.values()))
        + KEYWORD_STEPS * (len(gained) + len(lost))
        + EFFECT_STEPS * (len(effects_gained) + len(effects_lost))
        + amounts,
    )


_EffectKind = tuple[str, str, str, str, str]


def _by_kind(card: Card) -> dict[_EffectKind, Effect]:
    """A card's effects, those that differ in nothing but their amount added up."""
    found: dict[_EffectKind, Effect] = {}
    for effect in card.effects:
        token = "" if effect.token is None else effect.token.model_dump_json()
        kind = (effect.on, effect.when, effect.do, effect.to, token)
        amount = effect.amount + (found[kind].amount if kind in found else 0)
        found[kind] = effect.model_copy(update={"amount": amount})
    return found
