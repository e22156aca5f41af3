"""Content of an experiment file with the table `[simulator]`."""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import Field, model_validator

from balance.contest.target import Share
from balance.settings.tables import Guards
from balance.simulator.simulated_contest import Rate
from experiments.contest_experiment import ContestFile, ContestGames, StageGames
from sim import InputError, Name
from sim.files.validation import StrictModel
from sim.simulator.game_results import SEATS_MAX

# Games of all stages of a balance, unless the file sets others: with 120,000 games four of four
# seeds certified a game of three players and nine numbers, with 60,000 one of four. If a game takes
# a millisecond, they take two minutes.
TOTAL_GAMES = 120_000

# Games of `matchups` and other measurements, per matchup, unless the file sets others: a multiple
# of every number of seats from 2 to 10, with half intervals of about two points.
_MEASURED_GAMES = 2_520

# Games of `sensitivity` per matchup and step, unless the file sets others: on equal seeds they show
# a change of about two points. A multiple of every number of seats but 9.
_LEVER_GAMES = 840


class SimulatorTable(StrictModel):
    """The `[simulator]` table: what plays the games.

    Attributes:
        python: file and function, such as `my_game.py:play`, relative to the experiment file.
        command: program and its arguments, relative to the experiment file.
        seats: number of players of a game; by default 2, or as the program says.
        batch: whether the function plays many games in one call, on arrays.
        rate: whether rates count games won, or points.
        folder: folder to which the names of code are relative; by default that of the file.
        workers: number of processes of a program.
        timeout_s: longest time of a game, in seconds; by default 60 for a function, 20 for a
            program.
    """

    python: str = ""
    command: tuple[str, ...] = ()
    folder: str = ""
    seats: int | None = Field(default=None, ge=2, le=SEATS_MAX)
    batch: bool = False
    rate: Rate = "wins"
    workers: int = Field(default=1, ge=1, le=256)
    timeout_s: float | None = Field(default=None, gt=0, le=86_400)

    @model_validator(mode="after")
    def _name_one(self) -> SimulatorTable:
        """Refuse a table that names neither a function nor a program, or both.

        Raises:
            InputError: the number of simulators is not one.
        """
        if bool(self.python) == bool(self.command):
            raise InputError(
                "must name a function or a program, and not both",
                place="simulator",
                value=(self.python, self.command),
                limit=("python", "command"),
                remedy='write python = "my_game.py:play", or command = ["./my_game"]',
                separator=" ",
            )
        return self


class SimulatorGames(ContestGames):
    """The `[games]` table: as of other contests, with a total that suits slow games.

    Attributes:
        total: number of games of all stages together, in place of numbers of each stage.
        matchups: games that measure the baseline.
        lever: games that measure the sensitivity to a number, for each direction.
    """

    total: int | None = Field(default=TOTAL_GAMES, ge=1, le=10**12)
    matchups: StageGames = _MEASURED_GAMES
    lever: StageGames = _LEVER_GAMES


class SimulatorGuards(Guards):
    """The `[guards]` table: each guard permits everything unless the file limits it.

    What a normal share of draws, first-turn advantage or length is, only the author of a game
    knows.
    """

    max_draw_rate: Share = 1.0
    max_first_seat_pp: float = Field(default=100.0, ge=0, le=100)
    median_turns: float = Field(default=100.0, ge=0, le=100)


_ANY_RATE_PP = 50.0  # distance from 50 % that no rate exceeds


class SimulatorFile(ContestFile):
    """Content of an experiment file with a simulator.

    Attributes:
        game: name of the game in messages and results.
        simulator: what plays the games.
        players: names of the players, which the simulator knows.
        parameters: declarations of the parameters, in tables by group; if none are given, the
            simulator declares them.
        guards: limits on side effects of a patch, for the readings that the simulator reports.
        games: number of games of each stage.
    """

    element: ClassVar[str] = "experiment"

    game: str = "simulator"
    simulator: SimulatorTable
    players: tuple[Name, ...] = ()
    parameters: dict[str, Any] = Field(default_factory=dict)
    guards: SimulatorGuards = SimulatorGuards()
    games: SimulatorGames = SimulatorGames()

    @model_validator(mode="before")
    @classmethod
    def _leave_first_seat_unmarked(cls, data: object) -> object:
        """Mark the first seat's rate only if the file sets a goal or a band for it.

        In many games it is meant to differ from 50 %, and without a guard nothing limits it.
        """
        if not isinstance(data, dict):
            return data
        target = data.get("target", {})
        if not isinstance(target, dict) or {"first_seat", "first_seat_band_pp"} & set(target):
            return data
        return {**data, "target": {**target, "first_seat_band_pp": _ANY_RATE_PP}}
