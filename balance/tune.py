"""Settings `[tune]`: numbers that a patch may move, their ranges and weights, and constraints."""

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
from sim.cards.names import field_names, rule_names
from sim.errors import InputError
from sim.files.validation import StrictModel, in_order_of
from sim.names import Names
from sim.ruleset import RULE_LABELS, SignedRange

TUNABLE = tuple(field for field in FIELDS if field not in AMOUNTS[1:])
"""Fields that `tune.fields` may name; `amount` stands for all amounts of a card's effects."""

USUAL_FIELDS = ("cost", "attack", "health")
"""Fields that may move by default."""

Weight = Annotated[float, Field(ge=0, le=1000)]
"""A weight that may be 0."""

StepWeight = Annotated[float, Field(gt=0, le=1000)]
"""A weight of a step, which must not be free."""


def _by_known_names(value: Any, names: Names) -> Any:
    """Return a table with its keys, or a list with its words, replaced by the names that they mean.

    Raises:
        InputError: a name is unknown, or two keys mean the same name.
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
    """Return settings with fields by their names instead of titles such as `hp`."""
    return _by_known_names(value, field_names(TUNABLE))


def _by_rules(value: Any) -> Any:
    """Return settings with numbers of the rules by their names."""
    return _by_known_names(value, rule_names())


# Steps in either direction: enough to balance most games, and no edit that would surprise players.
USUAL_STEPS = 2

_MostSteps = Annotated[int, Field(ge=1, le=1000)]
"""Most steps of a number, up or down."""


def _kind_of_steps(value: object) -> Literal["all", "by_field"]:
    """Return whether the limit on steps is one for all fields or a table by field."""
    return "by_field" if isinstance(value, dict) else "all"


def _for_all_fields(value: int | dict[str, int]) -> int | dict[str, int]:
    """Return a table completed to all fields, or a number if all fields are equal."""
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
"""Most steps of a number from the baseline: one number for all fields, or a table by field, in
which fields that are not named have 2.
"""

ALL = "all"
"""Key of the direction of all numbers."""

Way = Literal["buffs", "nerfs", "up", "down", "both"]
"""Direction in which a number may move."""


class Weights(StrictModel):
    """Weights of edits in the change of a patch.

    Attributes:
        cost: weight of one step of a cost.
        attack: weight of one step of an attack.
        health: weight of one step of a health.
        durability: weight of one step of a durability.
        amount: weight of one step of any amount of a card's effects.
        rule: weight of one step of any number of the rules.
        card: weight of each edited card, in addition to its steps.
        tags: factors for the steps of cards with a tag, by tag.
        columns: factors by column of the spreadsheet and value, as files write them; they are
            converted to tags (`balance.known_names`).
    """

    cost: StepWeight = 1.0
    attack: StepWeight = 1.0
    health: StepWeight = 1.0
    durability: StepWeight = 1.0
    amount: StepWeight = 1.0
    rule: StepWeight = 1.0
    card: Weight = 0.0
    tags: dict[str, StepWeight] = Field(default_factory=dict)
    columns: dict[str, dict[str, StepWeight]] | None = Field(default=None, exclude=True)

    @model_validator(mode="before")
    @classmethod
    def _collect_columns(cls, table: object) -> object:
        """Accept fields by any title, and collect the tables of columns other than `tags`."""
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
        """Return the weight of one step of a field of a card or of the rules.

        Args:
            field: one of `sim.cards.card.FIELDS`, or a number of the rules.
            tags: tags of the card.
        """
        kind = "rule" if field in RULE_LABELS else field.partition("_")[0]
        own: float = getattr(self, kind)
        return prod((self.tags.get(tag, 1.0) for tag in tags), start=own)


class Sense(StrictModel):
    """Switches of the design rules, which constrain patches whatever their effect on win rates.

    Attributes:
        attack: no card's attack falls to 0.
        cost: no card's cost falls to 0.
        dominance: no card becomes better than another of its cost in every respect
            (`balance.sense`).
        direction: no card is improved in one number and weakened in another.
    """

    attack: bool = True
    cost: bool = True
    dominance: bool = True
    direction: bool = True


def _rules_of_sense(value: object) -> object:
    """Return all design rules switched on for `true`, off for `false`; tables as they are."""
    if isinstance(value, bool):
        return Sense(**dict.fromkeys(Sense.model_fields, value))
    if isinstance(value, dict | Sense):
        return value
    raise InputError(
        f"must be true, false, or a table of {', '.join(Sense.model_fields)}",
        value=value,
        limit=tuple(Sense.model_fields),
    )


def _ways(value: object) -> object:
    """Return a single direction as the one of all numbers."""
    return {ALL: value} if isinstance(value, str) else value


class Tune(StrictModel):
    """Numbers that may move, unless a card gives its own ranges as `tunable`, and constraints.

    Attributes:
        fields: fields that may move: cost, attack, health, durability (of weapons), amount (of
            effects); without any, only cards with `tunable` move.
        max_steps: most steps of a number from the baseline, up or down: one number, or a table by
            field.
        decks: names of players' decks; only their cards move. Default all.
        lock: cards that do not move even with `tunable`: cards, and labels such as `tag: legendary`
            or `Rarity: mythic`.
        ranges: lowest and highest value that a patch may give a number, by field; a number outside
            its range in the baseline may stay or come closer.
        direction: directions in which numbers may move: one for all, or a table by card, tag, deck
            and field (`balance.card_space.ways_of`).
        max_cards: most edited cards.
        max_change: largest change, weighted by `weights`.
        max_card_change: most steps of any one card, unweighted, over all its numbers.
        stat_budget: how far a minion's attack plus health may exceed the pool's usual stats for its
            cost after a patch (`balance.card_space.StatCurve`).
        zero_sum: largest difference between the weighted change of all buffs and of all nerfs.
        rules: numbers of the rules that may move too (`sim.ruleset.RULE_LABELS`), each with its
            lowest and highest value.
        weights: weights of steps, by field and tag, and of edited cards.
        sense: design rules that all patches satisfy; a bool switches all of them.
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
    direction: Annotated[dict[str, Way], BeforeValidator(_ways)] = Field(default_factory=dict)
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
        """Return the most steps of a number of a field; `amount_2` counts as an amount."""
        if isinstance(self.max_steps, int):
            return self.max_steps
        return self.max_steps[field.partition("_")[0]]

    def with_times_steps(self, times: int) -> Tune:
        """Return the settings with the most steps of all numbers multiplied by a factor."""
        max_steps = self.max_steps
        more = (
            times * max_steps
            if isinstance(max_steps, int)
            else {field: times * steps for field, steps in max_steps.items()}
        )
        return self.model_copy(update={"max_steps": more})

    @property
    def steps_words(self) -> str:
        """`max_steps` as files write it, for the fields that may move."""
        if isinstance(self.max_steps, int):
            return str(self.max_steps)
        by_field = (f"{field} = {self.max_steps[field]}" for field in self.fields)
        return f"{{ {', '.join(by_field)} }}"
