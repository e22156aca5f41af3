"""Games that experiments may be of: cards where a file says nothing, else the one that it names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from experiments.experiment import SHIPPED, named_file
from experiments.files.pilots import PilotFile
from sim.errors import InputError, known_word
from sim.files.toml_file import read_toml


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

    def resolved(self, command: str = "") -> dict[str, Any]:
        """Everything that the results of a command depend on, as plain data."""


@dataclass(frozen=True)
class Game:
    """A game other than those of cards.

    Attributes:
        name: what experiment files call it.
        load: reads an experiment.
        commands: by name, what refuses an experiment before a run, and what does the run's work.
        replay: one of its games as text, of an experiment and the game's number.
    """

    name: str
    load: Callable[[Path], Any]
    commands: Mapping[str, tuple[Callable[..., Any], Callable[..., Any]]]
    replay: Callable[[Any, int, str], str]

    def command(self, name: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
        """What checks and what does the work of a command.

        Raises:
            InputError: the game has no such command.
        """
        if name not in self.commands:
            known = ", ".join([*self.commands, "replay"])
            raise InputError(f"{name}: is for games of cards; the game {self.name!r} has {known}")
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
