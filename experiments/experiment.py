"""Experiment files: everything that a rerun needs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, Field

from agents.registry import agent_named
from balance.contest import Contest, Player
from balance.settings import BalanceSettings, NarrowBy
from sim.deck import Deck, check_deck, load_deck
from sim.errors import InputError, did_you_mean
from sim.pool import REAL_POOL, Pool, check_pool
from sim.pool_source import load_pool
from sim.ruleset import Ruleset, load_ruleset
from sim.seeds import SEED_MAX
from sim.strict_model import Name, StrictModel, validate
from sim.table import pack_table
from sim.toml_file import find_data_file, read_toml


def _is_reference(text: str) -> str:
    if not text.strip() or not text.isprintable():
        raise ValueError("must be a name or a path, on one line")
    return text


Reference = Annotated[str, AfterValidator(_is_reference)]
"""A name, or the path of a file; paths may be longer than names."""


class PlayerEntry(StrictModel):
    """A `[[player]]` table.

    Attributes:
        deck: name or path of the deck.
        agent: name of the agent that pilots it.
        name: what tables call the player; default the deck's name.
    """

    deck: Reference
    agent: Name
    name: Name | None = None


class Study(StrictModel):
    """A grid of balance runs: every combination, once per run seed.

    Attributes:
        narrow: ways of narrowing to compare.
        start: styles of search.
        method: optimisers.
        run_seeds: runs of each combination, with seeds `seed`, `seed + 1`, ...
    """

    narrow: tuple[NarrowBy, ...] = Field(min_length=1)
    start: tuple[Literal["sparse", "dense"], ...] = Field(min_length=1)
    method: tuple[str, ...] = Field(min_length=1)
    run_seeds: int = Field(default=10, ge=1, le=1000)


class ExperimentFile(BalanceSettings):
    """An experiment file as it is written."""

    element: ClassVar[str] = "experiment"

    name: Name
    ruleset: Reference = "duel"
    pool: Reference = "core"
    players: Annotated[
        tuple[PlayerEntry, ...],
        Field(min_length=1, validation_alias="player", serialization_alias="player"),
    ]
    study: Study | None = None


@dataclass(frozen=True)
class Experiment:
    """An experiment file with the data that it names.

    Attributes:
        path: the file.
        settings: what it says.
        ruleset: its ruleset.
        pool: its cards.
        decks: the deck of each player.
    """

    path: Path
    settings: ExperimentFile
    ruleset: Ruleset
    pool: Pool
    decks: tuple[Deck, ...]

    def contest(self) -> Contest:
        """Pack the cards and seat the players.

        Raises:
            InputError: the pool breaks the ruleset's limits.
        """
        entries = self.settings.players
        players = tuple(
            Player(entry.name or deck.name, deck, agent_named(entry.agent))
            for entry, deck in zip(entries, self.decks, strict=True)
        )
        return Contest(pack_table(self.pool, self.ruleset), players)

    def resolved(self) -> dict[str, Any]:
        """Everything that the results depend on, as plain data."""
        return {
            "experiment": self.settings.model_dump(mode="json", by_alias=True),
            "ruleset": self.ruleset.model_dump(mode="json"),
            "pool": self.pool.model_dump(mode="json", by_alias=True),
            "decks": [deck.model_dump(mode="json") for deck in self.decks],
        }

    def with_seed(self, seed: int | None) -> Experiment:
        """The same experiment under another run seed; `None` keeps its own."""
        if seed is None:
            return self
        if not 0 <= seed <= SEED_MAX:
            raise InputError(f"--seed {seed} must be from 0 to {SEED_MAX}")
        return self.with_settings(seed=seed)

    def with_settings(self, **changes: Any) -> Experiment:
        """The same experiment with some of its settings replaced."""
        settings = self.settings.model_copy(update=changes)
        return Experiment(self.path, settings, self.ruleset, self.pool, self.decks)


def load_experiment(name: str) -> Experiment:
    """Read an experiment and the data that it names.

    Args:
        name: path of a file, or the name of a shipped experiment such as `quickstart`.

    Raises:
        InputError: a file is missing or wrong; names the file to mend (the experiment, or one
            that it names), the field, the value, the limit.
    """
    path = _find(name)
    settings = validate(ExperimentFile, read_toml(path), source=str(path))
    with _to_mend(path):
        ruleset_file = find_data_file("rulesets", settings.ruleset, near=path)
    ruleset = load_ruleset(str(ruleset_file))
    pool, pool_file = _pool_and_file(settings.pool, path)
    with _to_mend(pool_file):
        check_pool(pool, ruleset)
    decks = tuple(_player_deck(entry, pool, ruleset, path) for entry in settings.players)
    with _to_mend(path):
        _check_names(settings, decks)
        for entry in settings.players:
            _check_agent(entry.agent, f"player {entry.name or entry.deck!r}: agent")
    return Experiment(path, settings, ruleset, pool, decks)


def check_contest(experiment: Experiment) -> None:
    """Refuse what any run would only find out after it has begun.

    Raises:
        InputError: names the field; nobody to play, a target for no matchup, an unknown pilot.
    """
    contest, settings = experiment.contest(), experiment.settings
    contest.require_opponents()
    contest.targets(settings.target.win_rate)
    if settings.narrow.agent != "own":
        _check_agent(settings.narrow.agent, "narrow.agent")


def _find(name: str) -> Path:
    """The file itself, or a shipped experiment of that name."""
    path = Path(name)
    shipped = Path(str(resources.files("experiments").joinpath("configs")))
    if path.suffix == ".toml" or path.exists():
        return path
    if (shipped / f"{name}.toml").is_file():
        return shipped / f"{name}.toml"
    names = sorted(file.stem for file in shipped.glob("*.toml"))
    raise InputError(
        f"no experiment file {name!r}, and no shipped experiment of that name "
        f"({', '.join(names)}){did_you_mean(name, names)}"
    )


@contextmanager
def _to_mend(file: Path) -> Iterator[None]:
    """Begin the message of what goes wrong inside with the file that must change."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{file}: {error}") from None


def _pool_and_file(name: str, path: Path) -> tuple[Pool, Path]:
    """The pool, and the file to mend where the ruleset refuses it."""
    with _to_mend(path):
        if name == REAL_POOL:  # has no file of its own
            return load_pool(name), path
        file = find_data_file("pools", name, near=path)
    return load_pool(str(file)), file


def _player_deck(entry: PlayerEntry, pool: Pool, ruleset: Ruleset, path: Path) -> Deck:
    with _to_mend(path):
        file = find_data_file("decks", entry.deck, near=path)
    deck = load_deck(str(file))
    with _to_mend(file):
        check_deck(deck, pool, ruleset)
    return deck


def _check_agent(name: str, field: str) -> None:
    try:
        agent_named(name)
    except InputError as error:
        raise InputError(f"{field}: {error}") from None


def _check_names(settings: ExperimentFile, decks: tuple[Deck, ...]) -> None:
    names = [entry.name or deck.name for entry, deck in zip(settings.players, decks, strict=True)]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"player {name!r} occurs twice; give one of them another `name`")
