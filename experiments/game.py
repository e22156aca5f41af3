"""Declarations of games: what commands need of a game, and the registry of all games."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from agents.declaration import KnownAgent
from experiments.files.agent_files import PilotFile
from experiments.files.named_file import named_file
from experiments.loading import SHIPPED
from sim import InputError, known_word, read_toml
from sim.game_log.game_session import GameSession
from sim.plugins import installed, only_entry, plugin_error_place, refuse

ENTRY_POINT_GROUP = "evenhand.games"

CARDS = "cards"
"""Name of card games, the game of experiment files without the key `game`."""

# Games of evenhand by name, as other packages declare theirs.
_SHIPPED = {
    CARDS: "experiments.card_game:GAME",
    "big_two": "experiments.big_two.commands:GAME",
    "simulator": "experiments.simulator.simulator_game:GAME",
}

_TABLES = {"simulator": "simulator"}
"""Game of experiment files without the key `game` that have a table, by the table's name."""

Functions = tuple[Callable[..., Any], Callable[..., Any]]
"""Check of an experiment before a run of a command, and work of the run."""


class _Named(Protocol):
    """Interface of settings with a name and a seed."""

    @property
    def name(self) -> str:
        """Name of the experiment in results."""

    @property
    def seed(self) -> int:
        """Seed of the run, from which all random numbers derive."""


class AnyExperiment(Protocol):
    """Interface of an experiment of any game, as run folders and reports require it."""

    @property
    def path(self) -> Path:
        """Path of the experiment file."""

    @property
    def settings(self) -> _Named:
        """Contents of the experiment file."""

    @property
    def pilots(self) -> Mapping[str, PilotFile]:
        """Files of the trained agents on which results depend, by the agents' names."""

    @property
    def first_seat_bounds(self) -> tuple[float, float] | None:
        """Bounds outside which reports mark the first seat's win rate; `None` to never mark it."""

    def resolved(self, command: str = "") -> dict[str, Any]:
        """Return all data on which the results of a command depend, as plain data."""


@dataclass(frozen=True)
class Place:
    """Seat and opponents of a person in an interactive game, as given on the command line.

    An attribute is `None` if the experiment determines it.

    Attributes:
        seat: position of the seat in words, such as `first`.
        player: name of the player with the person's deck.
        against: name of the player with the opponent's deck.
        agent: name of the agent that plays the other seats.
    """

    seat: str | None = None
    player: str | None = None
    against: str | None = None
    agent: str | None = None


class Sit(Protocol):
    """Interface of a function that prepares an interactive game of an experiment."""

    def __call__(
        self, experiment: Any, place: Place, *, index: int, width: int, results: Path
    ) -> GameSession:
        """Return an interactive game with dealt cards, in which no action has been taken.

        Args:
            experiment: experiment with the players and settings.
            place: seat and opponents of the person.
            index: number of the game, which determines its seed.
            width: maximum width of printed lines, in characters.
            results: parent of the run folders, which is searched for trained agents.
        """


@dataclass(frozen=True)
class Game:
    """Declaration of a game: what the commands need of it.

    A package declares it in the entry-point group `evenhand.games`, by the name of the game in
    experiment files. Only the name and `load` are obligatory: a command that the declaration does
    not mention is refused with a message that names the game.

    Attributes:
        name: name of the game in experiment files.
        load: function of the content and the path of an experiment file that returns the
            experiment. It also gets the options of `options` that are given, as keywords.
        commands: commands that work on experiments of the game, with a run folder.
        functions: functions that take the place of those of a command, by the command's name. The
            first checks an experiment before a run, the second does the work of the run.
        options: options of commands that the game supports, among those that not every game has.
        replay: function of an experiment, the number of a game and the purpose of its seed that
            returns the game as text; `None` without replays.
        sit: function that prepares an interactive game; `None` without interactive games.
        agents: function that returns the agents that experiments of the game may name.
    """

    name: str
    load: Callable[..., Any]
    commands: Collection[str] = ()
    functions: Mapping[str, Functions] = field(default_factory=dict)
    options: Collection[str] = ()
    replay: Callable[..., str] | None = None
    sit: Sit | None = None
    agents: Callable[[], Sequence[KnownAgent]] = tuple

    def require(self, command: str) -> None:
        """Refuse a command that the game does not support.

        Raises:
            InputError: the game does not support the command.
        """
        optional = {"replay": self.replay, "play": self.sit}
        known = [*self.commands, *(name for name, function in optional.items() if function)]
        if command not in known:
            raise InputError(
                f"is a command for card games, not for {self.name!r}",
                place=command,
                value=command,
                limit=tuple(known),
                remedy=f"use one of: {', '.join(known)}",
                separator=" ",
            )

    def supported(self, **options: Any) -> dict[str, Any]:
        """Return those of the given options that the game supports."""
        return {option: value for option, value in options.items() if option in self.options}


class NamedExperiment(NamedTuple):
    """File of an experiment that a command line names, and the game that it is of.

    Attributes:
        path: path of the file.
        tables: content of the file.
        game: game of the experiment.
    """

    path: Path
    tables: dict[str, Any]
    game: Game

    def load(self, **options: Any) -> Any:
        """Return the experiment, loaded with those options that its game supports."""
        return self.game.load(self.tables, self.path, **self.game.supported(**options))


@cache
def plugins() -> dict[str, list[EntryPoint]]:
    """Return the entry points of the games of other packages by name, without loading them."""
    return installed(ENTRY_POINT_GROUP)


def game_names() -> list[str]:
    """Return the names of all games: card games first, then the other games."""
    return [*dict.fromkeys([*_SHIPPED, *plugins()])]


@cache
def game_named(name: str) -> Game:
    """Return the game with a name, after loading the package that declares it.

    Args:
        name: name of the game, from `game_names`.

    Raises:
        InputError: the package cannot be loaded or declares no game, or several packages declare
            the name; the message names the package.
    """
    place = f"game {name!r}"
    declared = plugins().get(name, [])
    if name in _SHIPPED:
        refuse(place, declared)
        declared = [EntryPoint(name, _SHIPPED[name], ENTRY_POINT_GROUP)]
    entry = only_entry(place, declared)
    with plugin_error_place(place, entry):
        game = entry.load()
        if not isinstance(game, Game) or game.name != name:
            given = f"game {game.name!r}" if isinstance(game, Game) else type(game).__name__
            raise InputError(
                f"the declaration is of {given}",
                value=given,
                remedy=f"declare an `experiments.game.Game` with the name {name!r}",
            )
        return game


def game_of_run(resolved: Mapping[str, Any], command: str) -> Game | None:
    """Return the game of a finished run, if it has no cards and supports a command.

    Args:
        resolved: content of the run's `resolved.json`.
        command: command that is to use the run.

    Returns:
        The game; `None` for card games, and for games that are unknown or lack the command.
    """
    experiment = resolved.get("experiment")
    name = experiment.get("game") if isinstance(experiment, dict) else None
    if name not in game_names():
        return None
    game = game_named(str(name))
    return game if command in game.commands else None


def named_experiment(name: str) -> NamedExperiment:
    """Return the file of an experiment with its game, which the key `game` of the file names.

    Args:
        name: path of a file, or the name of a shipped experiment such as `big_two`.

    Raises:
        InputError: the file does not exist or cannot be read, or its game is unknown.
    """
    path = named_file("experiment", name, SHIPPED)
    tables = read_toml(path)
    game = next((game for table, game in _TABLES.items() if table in tables), CARDS)
    if "game" in tables:
        others = [other for other in game_names() if other != CARDS]
        game = known_word("game", str(tables["game"]), others, str(path))
    return NamedExperiment(path, tables, game_named(game))
