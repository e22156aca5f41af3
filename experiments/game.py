"""Games that experiments may be of: card games by default, or a game that the file names."""

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
    """Settings with a name and a seed."""

    @property
    def name(self) -> str:
        """Name of the experiment in results."""

    @property
    def seed(self) -> int:
        """The run's seed."""


class AnyExperiment(Protocol):
    """Interface of an experiment that runs require, for any game."""

    @property
    def path(self) -> Path:
        """The file."""

    @property
    def settings(self) -> _Named:
        """Contents of the file."""

    @property
    def pilots(self) -> Mapping[str, PilotFile]:
        """Files of the trained agents that it depends on, by the names that refer to them."""

    @property
    def first_seat_bounds(self) -> tuple[float, float] | None:
        """Bounds outside which the first seat's share is marked; `None` to never mark it."""

    def resolved(self, command: str = "") -> dict[str, Any]:
        """Return everything that the results of a command depend on, as plain data."""


@dataclass(frozen=True)
class Place:
    """Seat of a person in an interactive game, as the command line names it.

    `None` leaves the choice to the experiment.

    Attributes:
        seat: `first`, `second` and so on.
        player: player with the person's deck.
        against: player with the opponent's deck.
        agent: agent that plays the other seats.
    """

    seat: str | None = None
    player: str | None = None
    against: str | None = None
    agent: str | None = None


class Sit(Protocol):
    """Function that starts an interactive game of an experiment."""

    def __call__(
        self, experiment: Any, place: Place, *, index: int, width: int, results: Path
    ) -> GameSession:
        """Return a dealt game that waits for `begin`.

        Args:
            experiment: the experiment.
            place: seat of the person.
            index: number of the game, which determines its seed.
            width: width of printed lines, in characters.
            results: parent of the run folders.
        """


@dataclass(frozen=True)
class Game:
    """A game other than the card games.

    Attributes:
        name: name in experiment files.
        load: reads an experiment from a file.
        commands: for each command, the function that checks an experiment before a run, and the
            function that does the run's work.
        replay: returns one of an experiment's games as text, by its number.
        sit: starts an interactive game.
        agents: returns the agents that its experiments may name.
    """

    name: str
    load: Callable[[Path], Any]
    commands: Mapping[str, tuple[Callable[..., Any], Callable[..., Any]]]
    replay: Callable[[Any, int, str], str]
    sit: Sit
    agents: Callable[[], Sequence[KnownAgent]]

    def command(self, name: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
        """Return the function that checks and the function that does the work of a command.

        Raises:
            InputError: the game has no such command.
        """
        if name not in self.commands:
            known = [*self.commands, "replay", "play"]
            raise InputError(
                f"is only for card games; the game {self.name!r} has {', '.join(known)}",
                place=name,
                value=name,
                limit=tuple(known),
            )
        return self.commands[name]


def _big_two() -> Game:
    """Return the game Big Two, imported on first use."""
    from experiments.big_two.commands import GAME  # noqa: PLC0415 (loads the searches)

    return GAME


GAMES: Mapping[str, Callable[[], Game]] = {"big_two": _big_two}
"""Functions that return a game, by its name in experiment files."""


def game_of(name: str) -> tuple[Path, Game | None]:
    """Return the file of an experiment, and its game if it is not a card game.

    Args:
        name: path of a file, or the name of a shipped experiment such as `big_two`.

    Raises:
        InputError: there is no such file, or its game is unknown.
    """
    path = named_file("experiment", name, SHIPPED)
    tables = read_toml(path)
    if "game" not in tables:
        return path, None
    return path, GAMES[known_word("game", str(tables["game"]), GAMES, str(path))]()
