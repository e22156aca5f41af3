"""Settings of `[search]` for selection, crossover and mutation in the genetic searches."""

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
from sim.value_error import value_error

Selection = Literal["tournament", "roulette"]
Crossover = Literal["uniform", "one_point", "two_point"]

SELECTIONS: tuple[Selection, ...] = get_args(Selection)
CROSSOVERS: tuple[Crossover, ...] = get_args(Crossover)

# Number of genomes per tournament, as in the examples of DEAP; larger tournaments lose diversity
# sooner.
TOURNAMENT_SIZE = 3
# Share of crossed children, the usual value (Deb et al. 2002); the other children only mutate.
CROSSOVER_RATE = 0.9
# Expected number of mutated numbers per child, chosen by hand: most children differ from their
# parents by one or two edits.
MUTATIONS_PER_CHILD = 1.5


class Breeding(StrictModel):
    """Settings of selection, crossover and mutation in the genetic searches.

    Attributes:
        selection: method by which `ga` draws parents: `tournament`, or `roulette` weighted by rank.
            `nsga2` always uses its own tournaments.
        tournament_size: number of genomes in each tournament of `ga`.
        crossover: numbers that a child takes from its second parent: `uniform`, each number with
            probability 1/2; `one_point`, all numbers after a random cut; `two_point`, all numbers
            between two random cuts.
        crossover_rate: share of the children that combine two parents; the others copy one parent.
        mutation_rate: probability that a number of a child is changed; `None` for
            `MUTATIONS_PER_CHILD` divided by the number of numbers.
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
    """Names of the search methods that use each setting, by the setting's name."""

    def refuse_unused(self, method: str) -> None:
        """Refuse a setting that is not at its default and that a method would ignore.

        Args:
            method: search method of the run.

        Raises:
            InputError: the method would ignore such a setting; the error gives its value and the
                methods that use it.
        """
        for name, methods in self.used_by.items():
            value = getattr(self, name)
            if method not in methods and value != Breeding.model_fields[name].default:
                raise value_error(
                    f"search.{name}",
                    value,
                    f"is ignored by method {method!r}",
                    limit=methods,
                    remedy="leave it out, or set search.method to "
                    f"{listed(map(repr, methods), 'or')}",
                )

    @model_serializer(mode="wrap")
    def _without_defaults(self, dumped: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Return the settings for a file, without settings of breeding that have default values.

        Names of run folders depend on the written settings. Without defaults, folders keep their
        names when a new setting is added.
        """
        data: dict[str, Any] = dumped(self)
        for name in self.used_by:
            if name in data and getattr(self, name) == Breeding.model_fields[name].default:
                del data[name]
        return data

    @model_validator(mode="after")
    def _check_consistency(self) -> Self:
        """Refuse settings that make no new genomes, and a tournament size without tournaments.

        Raises:
            InputError: the rates of crossover and mutation are both 0, or a tournament size is set
                for a selection without tournaments.
        """
        if self.crossover_rate == 0 and self.mutation_rate == 0:
            raise InputError(
                "crossover_rate and mutation_rate are both 0, so children would only be copies",
                value=0,
                remedy="set one of them to more than 0",
            )
        if self.selection != "tournament" and self.tournament_size != TOURNAMENT_SIZE:
            raise value_error(
                "tournament_size",
                self.tournament_size,
                f"is ignored by selection {self.selection!r}, which has no tournaments",
                remedy="leave it out",
            )
        return self
