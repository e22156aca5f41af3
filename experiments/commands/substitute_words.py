"""Sentences on the advantages and drawbacks of a substitute for missing cards."""

from __future__ import annotations

from balance.decks.roles import RoleDifference, role_difference
from balance.decks.substitutes import Candidate, Substitution
from sim import Card, Effect, Pool
from sim.cards.text.card_text import action_words
from sim.errors import listed


def sentence(pool: Pool, substitution: Substitution, candidate: Candidate) -> str:
    """Return a sentence on a substitute: `Playing Hired Blade instead costs 0.8 ± 0.3 pp; ...`.

    If several cards are missing, the sentence states only the change of the win rate.
    """
    names = stand_in_names(pool, candidate)
    vacancies = substitution.vacancies.open
    if len(vacancies) > 1:
        return f"Playing {names} instead {_gain_words(candidate)}."
    missing = pool.cards[vacancies[0].card]
    stand_in = pool.cards[candidate.cards[0]]
    return (
        f"Playing {names} instead {_gain_words(candidate)}; it {role_in_words(missing, stand_in)}."
    )


def stand_in_names(pool: Pool, candidate: Candidate) -> str:
    """Return the names of a candidate's cards, in the order of the missing cards."""
    return ", ".join(pool.cards[card].name for card in candidate.cards)


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


def _gain_words(candidate: Candidate) -> str:
    """Return a phrase on the change of the win rate; `gains` or `costs` if the sign is certain."""
    if candidate.gain is None:
        return f"was not measured (the race left it at {100 * candidate.race_gain:+.1f} pp)"
    gain, low, high = (100 * float(bound) for bound in candidate.gain)
    half = (high - low) / 2
    if low <= 0 <= high:
        return f"makes no certain difference ({gain:+.1f} ± {half:.1f} pp)"
    return f"{'gains' if gain > 0 else 'costs'} {abs(gain):.1f} ± {half:.1f} pp"


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
