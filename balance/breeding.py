"""How the genetic searches make children of parents: the settings of `[search]` that say it."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, Self, get_args

from pydantic import (
    Field,
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)

from sim.errors import InputError, listed
from sim.files.validation import StrictModel

Selection = Literal["tournament", "roulette"]
Crossover = Literal["uniform", "one_point", "two_point"]

SELECTIONS: tuple[Selection, ...] = get_args(Selection)
CROSSOVERS: tuple[Crossover, ...] = get_args(Crossover)

TOURNAMENT_SIZE = 3  # the usual size: presses towards the best without losing the rest at once
CROSSOVER_RATE = 0.9  # the usual value for integer genomes; a tenth of the children only mutate
MUTATIONS_PER_CHILD = 1.5  # expected: one edit more or less, and now and then two


class Breeding(StrictModel):
    """Selection, crossover and mutation of the genetic searches.

    Attributes:
        selection: how `ga` draws parents: `tournament`, or `roulette`, by rank. `nsga2` has
            tournaments of its own.
        tournament_size: genomes in each tournament of `ga`.
        crossover: which numbers a child takes from its second parent: `uniform`, each with
            probability 1/2; `one_point`, those behind a cut; `two_point`, those between two.
        crossover_rate: share of the children that are crossed; the others copy one parent.
        mutation_rate: probability that a number of a child is changed; by default
            `MUTATIONS_PER_CHILD` numbers of a child are, in the mean.
    """

    selection: Selection = "tournament"
    tournament_size: int = Field(default=TOURNAMENT_SIZE, ge=2, le=10_000)
    crossover: Crossover = "uniform"
    crossover_rate: float = Field(default=CROSSOVER_RATE, ge=0, le=1)
    mutation_rate: float | None = Field(default=None, ge=0, le=1)

    used_by: ClassVar[dict[str, tuple[str, ...]]] = {
        "selection": ("ga",),
        "tournament_size": ("ga",),
        "crossover": ("ga", "nsga2"),
        "crossover_rate": ("ga", "nsga2"),
        "mutation_rate": ("ga", "nsga2"),
    }
    """Which methods each setting counts for."""

    def refuse_unused(self, method: str) -> None:
        """Refuse a setting that is not at its default and that a method would ignore.

        Raises:
            InputError: there is one; names it, its value and the methods that it counts for.
        """
        for name, methods in self.used_by.items():
            value = getattr(self, name)
            if method not in methods and value != Breeding.model_fields[name].default:
                raise InputError(
                    f"search.{name} = {value!r}: method {method!r} ignores it; leave it out, or "
                    f"set search.method to {listed(map(repr, methods), 'or')}"
                )

    @model_serializer(mode="wrap")
    def _without_defaults(self, dumped: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leave out what says nothing, so that runs older than these settings keep their names."""
        data: dict[str, Any] = dumped(self)
        for name in self.used_by:
            if name in data and getattr(self, name) == Breeding.model_fields[name].default:
                del data[name]
        return data

    @model_validator(mode="after")
    def _makes_children(self) -> Self:
        if self.crossover_rate == 0 and self.mutation_rate == 0:
            raise ValueError(
                "crossover_rate and mutation_rate are both 0: children would only be copies; "
                "one of them must be more than 0"
            )
        if self.selection != "tournament" and self.tournament_size != TOURNAMENT_SIZE:
            raise ValueError(
                f"tournament_size = {self.tournament_size}: selection {self.selection!r} has no "
                "tournaments; leave it out"
            )
        return self
