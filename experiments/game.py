"""Registry of the games of experiments: card games by default, or a game that the file names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from agents.declaration import KnownAgent
from experiments.files.agent_files import PilotFile
from experiments.files.named_file import named_file
from experiments.loading import SHIPPED
from sim import InputError, known_word, read_toml
from sim.game_log.game_session import GameSession


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
    """Functions of the user interface for a game other than the card games.

    Attributes:
        name: name of the game in experiment files.
        load: function that reads an experiment of the game from a file.
        commands: two functions for each command, by the command's name. The first checks an
            experiment before a run, the second does the work of the run.
        replay: function that returns a game of an experiment as text, by the number of the game.
        sit: function that prepares an interactive game.
        agents: function that returns the agents that experiments of the game may name.
    """

    name: str
    load: Callable[[Path], Any]
    commands: Mapping[str, tuple[Callable[..., Any], Callable[..., Any]]]
    replay: Callable[[Any, int, str], str]
    sit: Sit
    agents: Callable[[], Sequence[KnownAgent]]

    def command(self, name: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
        """Return the functions of a command: the check before a run, and the work of the run.

        Raises:
            InputError: the game does not support the command.
        """
        if name not in self.commands:
            known = [*self.commands, "replay", "play"]
            raise InputError(
                f"is a command for card games, not for {self.name!r}",
                place=name,
                value=name,
                limit=tuple(known),
                remedy=f"use one of: {', '.join(known)}",
                separator=" ",
            )
        return self.commands[name]


def _big_two() -> Game:
    """Return the functions for Big Two, which are imported when they are first used."""
    from experiments.big_two.commands import GAME  # noqa: PLC0415 (loads the searches)

    return GAME


GAMES: Mapping[str, Callable[[], Game]] = {"big_two": _big_two}
"""Functions that import and return the games other than card games, by name in experiment files."""


def game_of(name: str) -> tuple[Path, Game | None]:
    """Return the path of an experiment file, and the game of the experiment.

    Args:
        name: path of a file, or the name of a shipped experiment such as `big_two`.

    Returns:
        The path, and the game; `None` for a card game.

    Raises:
        InputError: the file does not exist or cannot be read, or its game is unknown.
    """
    path = named_file("experiment", name, SHIPPED)
    tables = read_toml(path)
    if "game" not in tables:
        return path, None
    return path, GAMES[known_word("game", str(tables["game"]), GAMES, str(path))]()
