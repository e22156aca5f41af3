"""Games that experiments may be of: cards where a file says nothing, else the one that it names."""

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
    @property
    def name(self) -> str:
        """What results call the experiment."""

    @property
    def seed(self) -> int:
        """The run seed."""


class AnyExperiment(Protocol):
    """What a run has to know of an experiment, whatever its game."""

    @property
    def path(self) -> Path:
        """The file."""

    @property
    def settings(self) -> _Named:
        """What the file says."""

    @property
    def pilots(self) -> Mapping[str, PilotFile]:
        """The files of trained agents that it depends on, by what refers to them."""

    @property
    def first_seat_bounds(self) -> tuple[float, float] | None:
        """Beyond which the first seat's share of the games is marked; `None`: it never is."""

    def resolved(self, command: str = "") -> dict[str, Any]:
        """Everything that the results of a command depend on, as plain data."""


@dataclass(frozen=True)
class Place:
    """Where a person sits, in the words of the command line; `None` is as the experiment has it.

    Attributes:
        seat: `first`, `second` and so on.
        player: whose deck it is played with.
        against: whose deck the opponent plays.
        agent: who plays for the others.
    """

    seat: str | None = None
    player: str | None = None
    against: str | None = None
    agent: str | None = None


class Sit(Protocol):
    """Seats a person: of an experiment, a place, the game's number and the width of lines."""

    def __call__(
        self, experiment: Any, place: Place, *, index: int, width: int, results: Path
    ) -> GameSession:
        """A game that is dealt and waits for `begin`."""


@dataclass(frozen=True)
class Game:
    """A game other than those of cards.

    Attributes:
        name: what experiment files call it.
        load: reads an experiment.
        commands: by name, what refuses an experiment before a run, and what does the run's work.
        replay: one of its games as text, of an experiment and the game's number.
        sit: seats a person.
        agents: who may be named in its experiments.
    """

    name: str
    load: Callable[[Path], Any]
    commands: Mapping[str, tuple[Callable[..., Any], Callable[..., Any]]]
    replay: Callable[[Any, int, str], str]
    sit: Sit
    agents: Callable[[], Sequence[KnownAgent]]

    def command(self, name: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
        """What checks and what does the work of a command.

        Raises:
            InputError: the game has no such command.
        """
        if name not in self.commands:
            raise InputError(
                f"{name}: is for games of cards; the game {self.name!r} has "
                f"{', '.join([*self.commands, 'replay', 'play'])}"
            )
        return self.commands[name]


def _big_two() -> Game:
    from experiments.big_two.commands import GAME  # noqa: PLC0415 (loads the searches)

    return GAME


GAMES: Mapping[str, Callable[[], Game]] = {"big_two": _big_two}
"""By the `game` of experiment files."""


def game_of(name: str) -> tuple[Path, Game | None]:
    """The file of an experiment, and its game if that is none of cards.

    Args:
        name: path of a file, or the name of a shipped experiment such as `big_two`.

    Raises:
        InputError: there is no such file, or it is of a game that nobody knows.
    """
    path = named_file("experiment", name, SHIPPED)
    told = read_toml(path)
    if "game" not in told:
        return path, None
    return path, GAMES[known_word("game", str(told["game"]), GAMES, str(path))]()
