"""What a patch may move, how far, what it costs, and what it may not do to cards: `[tune]`."""

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
from sim.files.validation import StrictModel, in_order_of
from sim.names import Names
from sim.ruleset import RULE_LABELS, SignedRange

TUNABLE = tuple(field for field in FIELDS if field not in AMOUNTS[1:])
"""What `tune.fields` may name; `amount` stands for all amounts of a card's effects."""

USUAL_FIELDS = ("cost", "attack", "health")

Weight = Annotated[float, Field(ge=0, le=1000)]
StepWeight = Annotated[float, Field(gt=0, le=1000)]


def _by_known_names(told: Any, names: Names) -> Any:
    """A table whose keys, or a list whose words, are what the names in it stand for."""
    if isinstance(told, dict):
        table = dict[object, object]()
        for key, value in told.items():
            known = names.find(key) if isinstance(key, str) else key
            if known in table:
                raise ValueError(f"{known!r} is given twice, once as {key!r}; keep one")
            table[known] = value
        return table
    if isinstance(told, list | tuple):
        return tuple(names.find(word) if isinstance(word, str) else word for word in told)
    return told


def _by_fields(told: Any) -> Any:
    """What speaks of fields, by whatever title of a sheet: `hp` is `health`."""
    return _by_known_names(told, field_names(TUNABLE))


def _by_rules(told: Any) -> Any:
    return _by_known_names(told, rule_names())


USUAL_STEPS = 2  # each way: enough to even most games, and no edit that players would not expect

_MostSteps = Annotated[int, Field(ge=1, le=1000)]


def _kind_of_steps(told: object) -> Literal["all", "by_field"]:
    """Whether one limit is for all fields, or each has its own."""
    return "by_field" if isinstance(told, dict) else "all"


def _for_all_fields(told: int | dict[str, int]) -> int | dict[str, int]:
    """A table names all fields; one in which all are equal is a number."""
    if isinstance(told, int):
        return told
    each = {field: told.get(field, USUAL_STEPS) for field in TUNABLE}
    return each if len({*each.values()}) > 1 else USUAL_STEPS


MaxSteps = Annotated[
    Annotated[_MostSteps, Tag("all")] | Annotated[dict[str, _MostSteps], Tag("by_field")],
    Discriminator(_kind_of_steps),
    BeforeValidator(_by_fields),
    AfterValidator(_for_all_fields),
]
"""How far numbers may move from today: all as far, or by field; fields not named 2 steps."""

ALL = "all"
Way = Literal["buffs", "nerfs", "up", "down", "both"]
"""Which way a number may move."""


class Weights(StrictModel):
    """What one step of each number counts in `change`; `amount` is for all amounts of a card.

    A card with any edit counts `card` besides, however many steps it takes. Its steps count as many
    times as `tags` says of its tags. `rule` is for all numbers of the rules. `columns` has the same
    by column of the sheet and value, as files write it, until it is settled which tags these are
    (`balance.known_names`).
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
    def _with_tables_of_columns(cls, told: object) -> object:
        """Fields by any title; a table under another name than `tags` is a column's."""
        if not isinstance(told, dict):
            return told
        names = field_names(TUNABLE)
        keys = [key for key in told if key not in cls.model_fields]
        columns = {key: told[key] for key in keys if isinstance(told[key], dict)}
        plain = {}
        for key, value in told.items():
            if key in columns:
                continue
            known = names.get(key) if key in keys else None
            if (known or key) in plain:
                raise ValueError(f"{known or key!r} is given twice; keep one")
            plain[known or key] = value
        return plain | ({"columns": columns} if columns else {})

    def of(self, field: str, tags: Iterable[str] = ()) -> float:
        """The weight of one of `sim.cards.card.FIELDS`; all amounts of a card share theirs."""
        kind = "rule" if field in RULE_LABELS else field.partition("_")[0]
        own: float = getattr(self, kind)
        return prod((self.tags.get(tag, 1.0) for tag in tags), start=own)


class Sense(StrictModel):
    """What no patch may do to cards, whatever it would do for win rates (`balance.sense`).

    Attributes:
        attack: no card loses its last attack.
        cost: no card comes to cost 0.
        dominance: no card comes to dominate another of its cost.
        direction: no card is bettered in one number and worsened in another.
    """

    attack: bool = True
    cost: bool = True
    dominance: bool = True
    direction: bool = True


def _rules_of_sense(told: object) -> object:
    """All rules on or all off for `true` and `false`; else a table."""
    if isinstance(told, bool):
        return Sense(**dict.fromkeys(Sense.model_fields, told))
    if isinstance(told, dict | Sense):
        return told
    raise ValueError(f"must be true, false, or a table of {', '.join(Sense.model_fields)}")


def _ways(told: object) -> object:
    """A word alone is for all numbers."""
    return {ALL: told} if isinstance(told, str) else told


class Tune(StrictModel):
    """What may move, unless a card says otherwise with `tunable`.

    Attributes:
        fields: numbers that may move, of cost, attack, health, durability (of weapons) and
            amount (of effects); with none, only cards with `tunable` move.
        max_steps: how far each may move from today, up or down: a number for all, or one by field.
        decks: only cards in these decks (of the experiment's players); default all.
        lock: cards that stay as they are, whatever they say themselves: cards, and labels such as
            `tag: legendary` or `Rarity: mythic`.
        ranges: by field, the lowest and the highest value that a patch may give a number; one that
            is beyond today may stay, or come nearer.
        direction: which way numbers may move: a word for all, or words by card, tag, deck and
            field (`balance.card_space.ways_of`).
        max_cards: most cards with an edit.
        max_change: most change, as `weights` count it.
        max_card_change: most steps of any one card, all its numbers together, whatever they weigh.
        stat_budget: how far attack and health together may come to stand above what the pool's
            minions have for their cost (`balance.card_space.StatCurve`).
        zero_sum: by how much the change of all buffs and that of all nerfs may differ.
        rules: numbers of the rules that may move besides (`sim.ruleset.RULE_LABELS`), each from
            its lowest to its highest value.
        weights: what a step costs, by field and tag, and what a card does.
        sense: rules that all patches keep; a bool is for all of them.
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
        """How far a number of this field may move; `amount_2` is an amount."""
        if isinstance(self.max_steps, int):
            return self.max_steps
        return self.max_steps[field.partition("_")[0]]

    def with_times_steps(self, times: int) -> Tune:
        """The same where all numbers may move so many times as far."""
        told = self.max_steps
        more = (
            times * told
            if isinstance(told, int)
            else {field: times * steps for field, steps in told.items()}
        )
        return self.model_copy(update={"max_steps": more})

    @property
    def steps_words(self) -> str:
        """`max_steps` as files write it, of the fields that may move."""
        if isinstance(self.max_steps, int):
            return str(self.max_steps)
        each = (f"{field} = {self.max_steps[field]}" for field in self.fields)
        return f"{{ {', '.join(each)} }}"
