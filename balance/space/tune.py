"""Settings `[tune]`: numbers that a patch may change, their ranges and weights, and constraints."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Discriminator,
    Field,
    Tag,
    model_validator,
)

from sim import AMOUNTS, FIELDS
from sim.cards.fields import field_names
from sim.cards.names import rule_names
from sim.errors import InputError
from sim.files.validation import StrictModel, in_order_of
from sim.names import Names
from sim.ruleset import RULE_LABELS, SignedRange

TUNABLE = tuple(field for field in FIELDS if field not in AMOUNTS[1:])
"""Fields that `tune.fields` may name; `amount` stands for all amounts of a card's effects."""

USUAL_FIELDS = ("cost", "attack", "health")
"""Fields of cards that a patch may change by default."""

Weight = Annotated[float, Field(ge=0, le=1000)]
"""Weight that may be 0."""

StepWeight = Annotated[float, Field(gt=0, le=1000)]
"""Weight of a step in the change of a patch, greater than 0."""


def _by_known_names(value: Any, names: Names) -> Any:
    """Return a table or a list in which other spellings are replaced by the permitted names.

    Args:
        value: table, in which keys are replaced, or list, in which elements are replaced; any other
            value is returned unchanged.
        names: permitted names.

    Raises:
        InputError: a name is unknown, or two keys of a table denote the same name.
    """
    if isinstance(value, dict):
        table = dict[object, object]()
        for key, entry in value.items():
            known = names.find(key) if isinstance(key, str) else key
            if known in table:
                raise InputError(
                    f"{known!r} is given twice, once as {key!r}", value=key, remedy="keep one"
                )
            table[known] = entry
        return table
    if isinstance(value, list | tuple):
        return tuple(names.find(word) if isinstance(word, str) else word for word in value)
    return value


def _by_fields(value: Any) -> Any:
    """Return a table or list of fields with their names in place of titles such as `hp`."""
    return _by_known_names(value, field_names(TUNABLE))


def _by_rules(value: Any) -> Any:
    """Return a table or list of numbers of the rules with their names in place of titles."""
    return _by_known_names(value, rule_names())


# Default maximum number of steps in either direction. Chosen by hand: enough to balance most games,
# and too few for an edit that would surprise players.
USUAL_STEPS = 2

_MostSteps = Annotated[int, Field(ge=1, le=1000)]
"""Maximum number of steps of a number from its baseline value, up or down."""


def _kind_of_steps(value: object) -> Literal["all", "by_field"]:
    """Return the form of a limit on steps: `by_field` for a table, `all` for a single number."""
    return "by_field" if isinstance(value, dict) else "all"


def _for_all_fields(value: int | dict[str, int]) -> int | dict[str, int]:
    """Return limits on steps in canonical form.

    A table is completed to all fields, or replaced by a single number if all limits are equal.
    """
    if isinstance(value, int):
        return value
    # Equal settings must have equal form, since run folders are named by a hash of them.
    by_field = {field: value.get(field, USUAL_STEPS) for field in TUNABLE}
    different = {*by_field.values()}
    return by_field if len(different) > 1 else different.pop()


MaxSteps = Annotated[
    Annotated[_MostSteps, Tag("all")] | Annotated[dict[str, _MostSteps], Tag("by_field")],
    Discriminator(_kind_of_steps),
    BeforeValidator(_by_fields),
    AfterValidator(_for_all_fields),
]
"""Maximum number of steps from the baseline: one limit for all fields, or a table by field, in
which fields that are not listed have the limit `USUAL_STEPS`.
"""

ALL = "all"
"""Key in `tune.direction` for all numbers."""

Way = Literal["buffs", "nerfs", "up", "down", "both"]
"""Direction in which a number may move; `buffs` help and `nerfs` harm the number's owner."""

_SIGNS: dict[Way, tuple[int, ...]] = {"up": (1,), "down": (-1,), "both": (-1, 1)}
"""Signs of the steps that each direction permits; `buffs` and `nerfs` depend on the number."""


def signs_by_way(better: int) -> dict[Way, tuple[int, ...]]:
    """Return the signs of the steps that each direction permits a number.

    Args:
        better: direction that helps the number's owner; 0 if it is unknown, for which the result
            has neither `buffs` nor `nerfs`.
    """
    return _SIGNS | ({"buffs": (better,), "nerfs": (-better,)} if better else {})


def _for_all_numbers(value: object) -> object:
    """Return a single direction as a table with the key `all`, and other values unchanged."""
    return {ALL: value} if isinstance(value, str) else value


Directions = Annotated[dict[str, Way], BeforeValidator(_for_all_numbers)]
"""Directions in which numbers may move: one for all, or a table by name."""


class Weights(StrictModel):
    """Settings `tune.weights`: weights of edits in the change and the size of a patch.

    Attributes:
        cost: weight of one step of a card's cost.
        attack: weight of one step of a card's attack.
        health: weight of one step of a minion's health.
        durability: weight of one step of a weapon's durability.
        amount: weight of one step of any amount of a card's effects.
        rule: weight of one step of any number of the rules.
        card: number of weighted steps that each edited card counts as in a patch's size. Patches
            are compared by size; the change is the weighted sum of the steps alone.
        tags: factors on the steps of cards with a tag, by tag.
        columns: factors by spreadsheet column and value, as given in files; they are converted to
            tags (`balance.cards.known_names`). `None` if a file gives none.
    """

    cost: StepWeight = 1.0
    attack: StepWeight = 1.0
    health: StepWeight = 1.0
    durability: StepWeight = 1.0
    amount: StepWeight = 1.0
    rule: StepWeight = 1.0
    # Three steps for a card: 9 cards became 5 for two more steps (decision 0022).
    card: Weight = 3.0
    tags: dict[str, StepWeight] = Field(default_factory=dict)
    columns: dict[str, dict[str, StepWeight]] | None = Field(default=None, exclude=True)

    @model_validator(mode="before")
    @classmethod
    def _collect_columns(cls, table: object) -> object:
        """Return raw weights with field names in place of titles, and column tables in `columns`.

        A value that is not a table is returned unchanged.

        Raises:
            InputError: two keys denote the same field.
        """
        if not isinstance(table, dict):
            return table
        names = field_names(TUNABLE)
        keys = [key for key in table if key not in cls.model_fields]
        columns = {key: table[key] for key in keys if isinstance(table[key], dict)}
        plain = {}
        for key, value in table.items():
            if key in columns:
                continue
            known = names.get(key) if key in keys else None
            if (known or key) in plain:
                raise InputError(f"{known or key!r} is given twice", value=key, remedy="keep one")
            plain[known or key] = value
        return plain | ({"columns": columns} if columns else {})

    def of(self, field: str, tags: Iterable[str] = ()) -> float:
        """Return the weight of one step of a number, multiplied by the factors of the card's tags.

        Args:
            field: field of a card (`sim.cards.card.FIELDS`), or of the rules.
            tags: tags of the card.
        """
        kind = "rule" if field in RULE_LABELS else field.partition("_")[0]
        own: float = getattr(self, kind)
        return prod((self.tags.get(tag, 1.0) for tag in tags), start=own)


class Sense(StrictModel):
    """Settings `tune.sense`: switches of the design rules, which constrain all patches.

    Attributes:
        attack: whether the attack of a card must not fall to 0.
        cost: whether the cost of a card must not fall to 0.
        dominance: whether no card may become better than another card of the same cost in every
            respect (`balance.space.design_rules`).
        direction: whether no card may be improved in one number and weakened in another.
    """

    attack: bool = True
    cost: bool = True
    dominance: bool = True
    direction: bool = True


def _rules_of_sense(value: object) -> object:
    """Return all design rules switched on for `true` or off for `false`, and tables unchanged.

    Raises:
        InputError: the value is neither a bool nor a table.
    """
    if isinstance(value, bool):
        return Sense(**dict.fromkeys(Sense.model_fields, value))
    if isinstance(value, dict | Sense):
        return value
    raise InputError(
        f"must be true, false, or a table with any of the keys {', '.join(Sense.model_fields)}",
        value=value,
        limit=tuple(Sense.model_fields),
    )


class Tune(StrictModel):
    """Settings `[tune]`: numbers that may move, and constraints on patches.

    A card with ranges in `tunable` overrides `fields`, `max_steps` and `ranges`.

    Attributes:
        fields: fields of cards that may move: cost, attack, health, durability (of weapons), amount
            (of effects); if empty, only numbers of cards with `tunable` may move.
        max_steps: maximum number of steps from the baseline, up or down: one number for all fields,
            or a table by field.
        decks: names of the players' decks with cards that may move; `None` for all decks.
        lock: cards that do not move even with `tunable`, as ids or as labels such as
            `tag: legendary` or `Rarity: mythic`.
        ranges: lowest and highest value that a patch may give a number, by field; a number outside
            its range in the baseline may stay or come closer.
        direction: directions in which numbers may move: one for all, or a table by card, tag, deck
            and field (`balance.cards.card_space.ways_of`).
        max_cards: maximum number of edited cards; `None` for no limit.
        max_change: maximum change of a patch, weighted by `weights`; `None` for no limit.
        max_card_change: maximum number of steps of any one card, unweighted, over all its numbers;
            `None` for no limit.
        stat_budget: amount by which a minion's attack plus health may exceed the pool's usual stats
            for its cost (`balance.cards.card_space.StatCurve`); `None` for no limit.
        zero_sum: maximum difference between the weighted change of all buffs and that of all nerfs;
            `None` for no limit.
        rules: lowest and highest value of the numbers of the rules that may move
            (`sim.ruleset.RULE_LABELS`).
        weights: weights of steps, by field and tag, and of edited cards.
        sense: switches of the design rules that all patches satisfy; in a file, true or false
            switches all of them.
    """

    fields: Annotated[
        tuple[str, ...], BeforeValidator(_by_fields), in_order_of("field", TUNABLE)
    ] = USUAL_FIELDS
    max_steps: MaxSteps = USUAL_STEPS
    decks: tuple[str, ...] | None = None
    lock: tuple[str, ...] = ()
    ranges: Annotated[dict[str, SignedRange], BeforeValidator(_by_fields)] = Field(
        default_factory=dict
    )
    direction: Directions = Field(default_factory=dict)
    max_cards: int | None = Field(default=None, ge=1)
    max_change: float | None = Field(default=None, gt=0)
    max_card_change: int | None = Field(default=None, ge=1)
    stat_budget: float | None = Field(default=None, ge=0)
    zero_sum: float | None = Field(default=None, ge=0)
    rules: Annotated[
        dict[str, SignedRange],
        BeforeValidator(_by_rules),
        in_order_of("number of the rules", RULE_LABELS),
    ] = Field(default_factory=dict)
    weights: Weights = Weights()
    sense: Annotated[Sense, BeforeValidator(_rules_of_sense)] = Sense()

    def steps_of(self, field: str) -> int:
        """Return the maximum number of steps of a field; `amount_2` counts as an amount."""
        if isinstance(self.max_steps, int):
            return self.max_steps
        return self.max_steps[field.partition("_")[0]]

    def with_times_steps(self, times: int) -> Tune:
        """Return the settings with all limits on steps multiplied by a factor."""
        max_steps = self.max_steps
        more = (
            times * max_steps
            if isinstance(max_steps, int)
            else {field: times * steps for field, steps in max_steps.items()}
        )
        return self.model_copy(update={"max_steps": more})

    @property
    def steps_words(self) -> str:
        """Limits on steps of the fields that may move, in the notation of experiment files."""
        if isinstance(self.max_steps, int):
            return str(self.max_steps)
        by_field = (f"{field} = {self.max_steps[field]}" for field in self.fields)
        return f"{{ {', '.join(by_field)} }}"
