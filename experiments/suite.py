"""Suites: balanced cards, and instances made of them, with known answers for searches to find."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, TypeVar, get_args

from pydantic import AfterValidator, Field

from balance import apply_patch
from balance.card_contest import parameter_of
from balance.patch import Edit, edit_of
from balance.planting import rates_alone
from balance.settings import GameCount
from balance.target import Share, demands_of
from balance.tune import Weights
from experiments.experiment import Experiment
from experiments.files.experiment_file import FolderName, Reference
from experiments.files.named_file import named_file
from experiments.loading import load_experiment
from sim import (
    SEED_MAX,
    Card,
    Pool,
    StrictModel,
    check_pool,
    error_place,
    known_word,
    read_toml,
    validate,
)

Kind = Literal["planted", "target", "control"]
Half = Literal["development", "reported"]
KINDS: tuple[Kind, ...] = get_args(Kind)
HALVES: tuple[Half, ...] = get_args(Half)
INSTANCE = "[[instance]]"


class Move(StrictModel):
    """A number of a card, and how many steps it is moved."""

    card: str
    field: str
    steps: int

    def edit(self, pool: Pool) -> Edit:
        """What it does to the cards of a pool.

        Raises:
            InputError: the pool has no such card, or the card no such number.
        """
        card = pool.card(self.card)
        known_word("field", self.field, card.fields, repr(self.card))
        return edit_of(parameter_of(card, self.field), card.number(self.field) + self.steps)


Moves = tuple[Move, ...]


class Instance(StrictModel):
    """A question whose answer is known.

    Attributes:
        kind: `planted`, hidden edits are to be taken back; `target`, the win rates that they
            bring are to be reached; `control`, there is nothing to be done.
        half: whether methods may be tuned on it, or only reported.
        hidden: the edits of the balanced cards.
        win_rates: of the matchups with them, by name.
    """

    kind: Kind
    half: Half
    hidden: Moves = ()
    win_rates: dict[str, Share] = Field(default_factory=dict)

    def change(self, weights: Weights, cards: Iterable[Card] = ()) -> float:
        """That of a patch that is known to do; cards may have tags that weigh."""
        tags = {card.id: card.tags for card in cards}
        weight = [weights.of(move.field, tags.get(move.card, ())) for move in self.hidden]
        steps = sum(abs(move.steps) * w for move, w in zip(self.hidden, weight, strict=True))
        return round(steps + weights.card * len({move.card for move in self.hidden}), 9)

    def text(self) -> str:
        """As a suite file has it."""
        data = self.model_dump(mode="json", exclude_defaults=True)
        return "\n".join([INSTANCE, *(f"{key} = {_toml(data[key])}" for key in data)]) + "\n"


def _is_range_of_steps(steps: tuple[int, int]) -> tuple[int, int]:
    if not 1 <= steps[0] <= steps[1] <= 100:
        raise ValueError("must be [fewest, most], from 1 to 100, in this order")
    return steps


class Made(StrictModel):
    """What `evenhand suite make` makes.

    Attributes:
        planted: how many instances of this kind, and likewise `target` and `control`.
        steps: fewest and most that are hidden.
        games: per matchup, which measure the win rates of an instance.
    """

    planted: int = Field(default=0, ge=0, le=10_000)
    target: int = Field(default=0, ge=0, le=10_000)
    control: int = Field(default=0, ge=0, le=10_000)
    steps: Annotated[tuple[int, int], AfterValidator(_is_range_of_steps)] = (2, 6)
    games: GameCount = 100_000


class SuiteFile(StrictModel):
    """A suite file as it is written.

    Attributes:
        name: what results call it.
        seed: of all that is made.
        experiment: whose decks, players, rules and demands the instances have.
        base: edits of its cards that balance them.
        make: what is made of those.
        instances: what was made.
    """

    element: ClassVar[str] = "suite"

    name: FolderName
    seed: int = Field(ge=0, le=SEED_MAX)
    experiment: Reference
    base: Moves = ()
    make: Made = Made()
    instances: Annotated[
        tuple[Instance, ...], Field(validation_alias="instance", serialization_alias="instance")
    ] = ()


def moves_of(edits: Iterable[Edit]) -> Moves:
    """Edits by their steps."""
    return tuple(
        Move(card=one.card, field=one.field, steps=one.after - one.before) for one in edits
    )


def _toml(value: Any) -> str:
    """A value on one line."""
    if isinstance(value, dict):
        pairs = (f"{_key(key)} = {_toml(one)}" for key, one in value.items())
        return f"{{ {', '.join(pairs)} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value)


def _key(name: str) -> str:
    return name if name.replace("_", "").isalnum() and name.isascii() else json.dumps(name)


SUITES = Path(str(resources.files("experiments").joinpath("suites")))
ExperimentT = TypeVar("ExperimentT", bound=Experiment)


@dataclass(frozen=True, kw_only=True)
class Suite(Experiment):
    """An experiment with balanced cards, and the instances that were made of them.

    Attributes:
        suite: what the suite's file says.
    """

    suite: SuiteFile

    def resolved(self, command: str = "") -> dict[str, Any]:
        """Everything that the results of `command` depend on, as plain data."""
        suite = self.suite.model_dump(mode="json", by_alias=True)
        return super().resolved(command) | {"suite": suite}

    def asked(self, place: int) -> Experiment:
        """The question of the instance at a place, from 1 on, as an experiment of its own."""
        instance = self.suite.instances[place - 1]
        settings = self.settings
        with error_place(f"instance #{place}"):
            hidden = _edited(self, instance.hidden)
            if instance.kind != "target":
                return hidden
            target = rates_alone(settings.target, instance.win_rates)
            demands_of(self.contest(), target)
        return self.with_settings(target=target)


def load_suite(name: str, results: Path = Path("results")) -> Suite:
    """Read a suite and the experiment that it names.

    Args:
        name: path of a file, or the name of a shipped suite such as `duel-3`.
        results: parent of the run folders, where trained agents are looked for.

    Raises:
        InputError: a file is missing or wrong; names the file, the field, the value, the limit.
    """
    path = named_file("suite", name, SUITES)
    suite = validate(SuiteFile, read_toml(path), source=str(path))
    place = suite.experiment
    with error_place(path):
        found = load_experiment(
            str(path.parent / place) if place.endswith(".toml") else place, results
        )
    settings = found.settings.model_copy(update={"name": suite.name, "seed": suite.seed})
    fields = vars(found) | {"path": path, "settings": settings}
    with error_place(path):
        return _edited(Suite(**fields, suite=suite), suite.base)


def _edited(experiment: ExperimentT, moves: Moves) -> ExperimentT:
    """The experiment with other cards."""
    pool = apply_patch(experiment.pool, [move.edit(experiment.pool) for move in moves])
    check_pool(pool, experiment.ruleset)
    return replace(experiment, pool=pool)
