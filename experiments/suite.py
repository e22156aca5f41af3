"""Suites of balancing problems with known solutions, made from balanced cards, to test searches."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, TypeVar, get_args

from pydantic import AfterValidator, Field

from balance import apply_patch
from balance.cards.card_contest import parameter_of
from balance.contest.patch import Edit, edit_of
from balance.contest.target import Share, demands_of
from balance.run.planting import rates_alone
from balance.settings.tables import GameCount
from balance.space.tune import Weights
from experiments.experiment import Experiment
from experiments.files.experiment_file import FolderName, Reference
from experiments.files.named_file import named_file
from experiments.loading import load_experiment
from sim import (
    SEED_MAX,
    Card,
    InputError,
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
"""Header of an instance in a suite file."""


class Move(StrictModel):
    """Change of one number of a card, as written in a suite file.

    Attributes:
        card: id of the card.
        field: field of the number.
        steps: number added to the current value; negative to reduce the value.
    """

    card: str
    field: str
    steps: int

    def edit(self, pool: Pool) -> Edit:
        """Return the edit that changes the number in a pool.

        Raises:
            InputError: the pool does not have the card, or the card does not have the number.
        """
        card = pool.card(self.card)
        known_word("field", self.field, card.fields, repr(self.card))
        return edit_of(parameter_of(card, self.field), card.number(self.field) + self.steps)


Moves = tuple[Move, ...]


class Instance(StrictModel):
    """Balancing problem with a known solution.

    Attributes:
        kind: kind of the problem: with `planted` the hidden edits must be reversed; with `target`
            the win rates that the hidden edits cause must be reached; with `control` no patch is
            needed.
        half: use of the instance: methods may be tuned on the half `development`; the half
            `reported` is for reports only.
        hidden: edits of the balanced cards; empty for `control`.
        win_rates: win rates with the hidden edits, by the name of the matchup.
    """

    kind: Kind
    half: Half
    hidden: Moves = ()
    win_rates: dict[str, Share] = Field(default_factory=dict)

    def change(self, weights: Weights, cards: Iterable[Card] = ()) -> float:
        """Return the change (`SearchSpace.change`) of the patch that is known to suffice.

        Args:
            weights: weights of steps.
            cards: cards of the pool with their tags, which may have weights.
        """
        tags = {card.id: card.tags for card in cards}
        factors = [weights.of(move.field, tags.get(move.card, ())) for move in self.hidden]
        steps = sum(abs(move.steps) * w for move, w in zip(self.hidden, factors, strict=True))
        return round(steps, 9)

    def size(self, weights: Weights, cards: Iterable[Card] = ()) -> float:
        """Return the size (`SearchSpace.size`) of the patch that is known to suffice.

        Args:
            weights: weights of steps and cards.
            cards: cards of the pool with their tags, which may have weights.
        """
        n_cards = len({move.card for move in self.hidden})
        return round(self.change(weights, cards) + weights.card * n_cards, 9)

    def text(self) -> str:
        """Return the instance as TOML text for a suite file."""
        data = self.model_dump(mode="json", exclude_defaults=True)
        return "\n".join([INSTANCE, *(f"{key} = {_toml(data[key])}" for key in data)]) + "\n"


def _checked_step_range(steps: tuple[int, int]) -> tuple[int, int]:
    """Return a range of numbers of steps after checking it.

    Raises:
        InputError: an end is not from 1 to 100, or the ends are not in increasing order.
    """
    if not 1 <= steps[0] <= steps[1] <= 100:
        raise InputError(
            "must be [fewest, most]: from 1 to 100, and fewest not above most",
            value=steps,
            limit=100,
        )
    return steps


class Made(StrictModel):
    """Settings `[make]` of a suite file, for the command `evenhand suite make`.

    Attributes:
        planted: number of instances of the kind `planted`.
        target: number of instances of the kind `target`.
        control: number of instances of the kind `control`.
        steps: minimum and maximum number of hidden steps of an instance.
        games: games per matchup that measure the win rates of an instance.
    """

    planted: int = Field(default=0, ge=0, le=10_000)
    target: int = Field(default=0, ge=0, le=10_000)
    control: int = Field(default=0, ge=0, le=10_000)
    steps: Annotated[tuple[int, int], AfterValidator(_checked_step_range)] = (2, 6)
    games: GameCount = 100_000


class SuiteFile(StrictModel):
    """Contents of a suite file.

    Attributes:
        name: name of the suite in results.
        seed: seed of the instances and of the runs on them.
        experiment: name or file of the experiment with the players, rules and demands of all
            instances.
        base: edits that balance the cards of the experiment.
        make: settings for making instances.
        instances: instances that were made, in the order of the file.
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
    """Return the edits of a patch as changes for a suite file."""
    return tuple(
        Move(card=edit.card, field=edit.field, steps=edit.after - edit.before) for edit in edits
    )


def _toml(value: Any) -> str:
    """Return a value as TOML text on one line."""
    if isinstance(value, dict):
        pairs = (f"{_key(key)} = {_toml(entry)}" for key, entry in value.items())
        return f"{{ {', '.join(pairs)} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value)


def _key(name: str) -> str:
    """Return a key as TOML text, quoted if necessary."""
    return name if name.replace("_", "").isalnum() and name.isascii() else json.dumps(name)


SUITES = Path(str(resources.files("experiments").joinpath("suites")))
"""Folder with the files of the shipped suites."""

ExperimentT = TypeVar("ExperimentT", bound=Experiment)


@dataclass(frozen=True, kw_only=True)
class Suite(Experiment):
    """Experiment with balanced cards, from which the instances of a suite are made.

    Attributes:
        suite: contents of the suite file.
    """

    suite: SuiteFile

    def resolved(self, command: str = "") -> dict[str, Any]:
        """Return all data on which the results of a command depend, as plain data.

        Args:
            command: name of the command.
        """
        suite = self.suite.model_dump(mode="json", by_alias=True)
        return super().resolved(command) | {"suite": suite}

    def asked(self, place: int) -> Experiment:
        """Return the experiment that poses the problem of one instance.

        Args:
            place: number of the instance, from 1.

        Returns:
            Experiment with the hidden edits applied to its cards or, for the kind `target`, with
            the win rates of the instance as targets.

        Raises:
            InputError: the instance does not fit the cards or the matchups.
        """
        instance = self.suite.instances[place - 1]
        settings = self.settings
        with error_place(f"instance #{place}"):
            hidden = _apply_moves(self, instance.hidden)
            if instance.kind != "target":
                return hidden
            target = rates_alone(settings.target, instance.win_rates)
            demands_of(self.contest(), target)
        return self.with_settings(target=target)


def load_suite(name: str, results: Path = Path("results")) -> Suite:
    """Read a suite file and the experiment that it names, and balance the cards.

    Args:
        name: path of a file, or the name of a shipped suite such as `duel-3`.
        results: parent of the run folders, which is searched for trained agents.

    Raises:
        InputError: a file is missing or invalid.
    """
    path = named_file("suite", name, SUITES)
    suite = validate(SuiteFile, read_toml(path), source=str(path))
    reference = suite.experiment
    with error_place(path):
        experiment = load_experiment(
            str(path.parent / reference) if reference.endswith(".toml") else reference, results
        )
    # The name and the seed of the suite replace those of its experiment.
    settings = experiment.settings.model_copy(update={"name": suite.name, "seed": suite.seed})
    fields = vars(experiment) | {"path": path, "settings": settings}
    with error_place(path):
        return _apply_moves(Suite(**fields, suite=suite), suite.base)


def _apply_moves(experiment: ExperimentT, moves: Moves) -> ExperimentT:
    """Return the experiment with changed numbers of its cards.

    Raises:
        InputError: a card or number does not exist, or the rules do not permit a value.
    """
    pool = apply_patch(experiment.pool, [move.edit(experiment.pool) for move in moves])
    check_pool(pool, experiment.ruleset)
    return replace(experiment, pool=pool)
