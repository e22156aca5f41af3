"""Values for every key of a model, found by testing which values the model accepts.

No key, word or limit is listed here: a new selector, measure, keyword or key of an effect row is
drawn as soon as it is declared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from random import Random
from typing import Annotated, Any, get_args

from pydantic import ConfigDict, ValidationError, create_model

from sim.cards import vocabulary
from sim.cards.action import all_actions
from sim.cards.effect import Token
from sim.cards.measure import measures
from sim.cards.notation import words
from sim.files.validation import StrictModel

# Mostly small numbers, as cards have them, and the limits of the format.
NUMBERS = (1, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 7, 20, 100, 999, 1000, 1000, 0, -1, -1, -3, -1000)
TRIBE = "beast"
HERO = "ember"  # class of the companions
_WORDS = sorted(
    {
        word
        for thing in vars(vocabulary).values()
        if isinstance(thing, type) and issubclass(thing, Enum)
        for word in words(thing)
    }
    | set(all_actions())
)


@dataclass(frozen=True)
class Scope:
    """The cards that the cards of a pool may name.

    Attributes:
        kinds: kind of each card, by id.
    """

    kinds: Mapping[str, str]


Maker = Callable[[Random, Scope], Any]


# --- text of the notation ---


def _comparison(rng: Random) -> str:
    return f"{rng.choice(('<=', '>=', '='))}{rng.choice((0, 1, 1, 2, 3, 7, 1000, -1))}"


def _filter(rng: Random, scope: Scope) -> str:
    kind = rng.randrange(7)
    if kind < 4:
        words_of = (vocabulary.State, vocabulary.State, vocabulary.Keyword, vocabulary.Kind)[kind]
        return rng.choice(words(words_of))
    if kind == 4:
        return f"not {rng.choice(list(scope.kinds))}"
    return TRIBE if kind == 5 else rng.choice(words(vocabulary.Stat)) + _comparison(rng)


def group(rng: Random, scope: Scope) -> str:
    """Return a selector, in half of the cases with filters."""
    selector = rng.choice(words(vocabulary.Selector))
    filters = [_filter(rng, scope) for _ in range(rng.choice((0, 0, 0, 0, 1, 1, 2, 3)))]
    return f"{selector}({', '.join(filters)})" if filters else selector


def measure(rng: Random, scope: Scope) -> str:
    """Return a measure: a bare one, a count or a stat."""
    kind = rng.randrange(3)
    if kind == 0:
        return rng.choice([declared.word for declared in measures().values() if declared.is_bare])
    if kind == 1:
        return f"count {group(rng, scope)}"
    return f"{rng.choice(words(vocabulary.Stat))} of {group(rng, scope)}"


def condition(rng: Random, scope: Scope) -> str:
    """Return a condition of one or two parts."""
    n_parts = rng.choice((1, 1, 1, 2))
    parts = [
        measure(rng, scope) + (f" {_comparison(rng)}" if rng.random() < 0.6 else "")
        for _ in range(n_parts)
    ]
    return rng.choice((" and ".join(parts), "combo", "no_combo", "always"))


# --- keys of models ---


@cache
def maker_of(model: type[StrictModel], key: str) -> Maker:
    """Return a function that draws values which a key of a model accepts, if other keys allow.

    Raises:
        TypeError: the key accepts no value that is known here.
    """
    field = model.model_fields[key]
    annotation: Any = field.annotation
    kind = Annotated[(annotation, *field.metadata, "any")]
    holder = create_model("Holder", __config__=ConfigDict(strict=True), value=(kind, ...))

    def takes(value: object) -> bool:
        try:
            holder(value=value)
        except ValidationError:
            return False
        return True

    if numbers := [number for number in NUMBERS if takes(number)]:
        return lambda rng, _: rng.choice(numbers)
    if takes(True):
        return lambda rng, _: rng.random() < 0.7
    for example, make in _EXAMPLES:
        if takes(example):
            return make
    if listed := [word for word in _WORDS if takes((word,)) and not takes(("some_id",))]:
        return lambda rng, _: rng.sample(listed, rng.choice((1, 1, 1, 2, 3)))
    if known := [word for word in (*_WORDS, *get_args(annotation)) if takes(word)]:
        return lambda rng, _: rng.choice(known)
    raise TypeError(f"{model.__name__}.{key}: the fuzzer knows no value that it takes")


def _several_ids(rng: Random, scope: Scope) -> list[str]:
    n_ids = rng.choice((1, 1, 1, 1, 2, 3)) if rng.random() < 0.997 else rng.choice((200, 20_000))
    return rng.choices(list(scope.kinds), k=n_ids)


def _token(rng: Random, scope: Scope) -> dict[str, Any]:
    data = {key: maker_of(Token, key)(rng, scope) for key in Token.model_fields}
    return data if rng.random() < 0.3 else {key: data[key] for key in ("attack", "health")}


# A value that only one kind of key accepts, and the maker of its values.
_EXAMPLES: tuple[tuple[object, Maker], ...] = (
    ("count minions >= 2", condition),
    ("count minions", measure),
    ("minions(other)", group),
    (("some_id",), _several_ids),
    ({"attack": 1, "health": 1}, _token),
    ("some_id", lambda rng, scope: rng.choice(list(scope.kinds))),
)
