"""Protocol of programs that play games: one JSON object on each line, a request and its answer."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, Literal, TypeVar

from pydantic import Field, model_validator

from sim.errors import InputError, known_word
from sim.files.json_text import parse_json
from sim.files.validation import Name, StrictModel, validate
from sim.simulator.block import Block, Value
from sim.simulator.game_results import SEATS_MAX, GameResults
from sim.simulator.parameter_entry import ParameterEntry
from sim.value_error import value_error

PROTOCOL: Final = 1
"""Version of the protocol."""

# Longest line of an answer: 2,000 games of 10 seats with points need a tenth of it.
LINE_BYTES_MAX = 8 * 2**20

# Most games of a request. Their seeds take 38 kB, less than the 64 kB at which the line readers of
# some languages stop, and enough that the exchange costs little even for games of 10 us.
REQUEST_GAMES_MAX = 2_000

# Most rows of a request, so that rows with few games and many changes also stay below 2 MB.
REQUEST_ROWS_MAX = 256

# Ten times the numbers of the largest game that we know; a hello must fit into one line.
_PARAMETERS_MAX = 10_000
_PLAYERS_MAX = 1_000

Ability = Literal["turns", "points", "without"]
"""What a program can do beyond naming winners: report turns or points, or leave out a group."""

Seed = Annotated[str, Field(pattern="^[0-9a-f]{16}$")]
"""Seed of a game: 16 hexadecimal digits, because many languages round whole numbers above 2^53."""


class HelloRequest(StrictModel):
    """First request to a program.

    Attributes:
        evenhand: version of the protocol.
        do: name of the request.
    """

    evenhand: Literal[1]
    do: Literal["hello"]


class Hello(StrictModel):
    """Answer to the first request: what the program plays.

    Attributes:
        evenhand: version of the protocol.
        game: name of the game.
        version: version of the program's rules; a change of them must change it.
        players: names of the players.
        seats: number of players of a game.
        parameters: numbers and words that affect the games, by name.
        can: abilities of the program; games report turns and points if and only if listed here.
    """

    evenhand: Literal[1]
    game: Name
    version: Annotated[str, Field(max_length=80)] = ""
    players: Annotated[tuple[Name, ...], Field(min_length=1, max_length=_PLAYERS_MAX)]
    seats: Annotated[int, Field(ge=2, le=SEATS_MAX)] = 2
    parameters: Annotated[dict[Name, ParameterEntry], Field(max_length=_PARAMETERS_MAX)] = Field(
        default_factory=dict
    )
    can: tuple[Ability, ...] = ()

    @model_validator(mode="after")
    def _check(self) -> Hello:
        """Refuse names that occur twice, and parameters of unknown players.

        Raises:
            InputError: a player is listed twice, or a parameter names a player that is not listed.
        """
        for position, player in enumerate(self.players):
            if player in self.players[:position]:
                raise value_error("players", player, "occurs twice")
        for name, entry in self.parameters.items():
            for player in entry.players:
                known_word("player", player, self.players, place=f"parameters.{name}.players")
        return self

    @property
    def numbers(self) -> dict[str, Value]:
        """Value of every parameter in the baseline, by name."""
        return {name: entry.value for name, entry in self.parameters.items()}


class Row(StrictModel):
    """Games of a request with equal parameters and seating.

    Attributes:
        changes: values of the parameters that differ from the baseline, by name.
        players: names of the players in the order of their seats.
        seeds: seed of each game.
        without: group of parameters that each seat plays without, `None` for none; empty if every
            seat plays with everything.
    """

    changes: dict[str, Value] = Field(default_factory=dict)
    players: tuple[str, ...]
    seeds: tuple[Seed, ...]
    without: tuple[str | None, ...] = ()


class PlayRequest(StrictModel):
    """Request to play games.

    Attributes:
        id: number of the request, which the answer repeats.
        do: name of the request.
        rows: games to play.
    """

    id: int
    do: Literal["play"]
    rows: tuple[Row, ...]


class Answer(StrictModel):
    """Answer to a request to play games, or a sign of life before it.

    Attributes:
        id: number of the request.
        results: results of each row; `None` in a sign of life.
        done: number of games that are finished, in a sign of life; else `None`.
    """

    id: int
    results: tuple[GameResults, ...] | None = None
    done: Annotated[int, Field(ge=0)] | None = None

    @model_validator(mode="after")
    def _check(self) -> Answer:
        """Refuse an answer with both or neither of results and a sign of life.

        Raises:
            InputError: it has both or neither.
        """
        if (self.results is None) == (self.done is None):
            raise InputError('must have either "results" or "done"')
        return self


HELLO_REQUEST = json.dumps({"evenhand": PROTOCOL, "do": "hello"}).encode() + b"\n"
"""Line of the first request."""

ModelT = TypeVar("ModelT", bound=StrictModel)


def play_request(number: int, blocks: Sequence[Block], baseline: Mapping[str, Value]) -> bytes:
    """Return the line of a request to play games.

    Args:
        number: number of the request.
        blocks: games to play; each becomes a row.
        baseline: value of every parameter in the baseline, by name.

    Raises:
        InputError: a block has a parameter that the program does not have.
    """
    rows = [_row(block, baseline) for block in blocks]
    request = {"id": number, "do": "play", "rows": rows}
    return json.dumps(request, separators=(",", ":"), allow_nan=False).encode() + b"\n"


def _row(block: Block, baseline: Mapping[str, Value]) -> dict[str, Any]:
    """Return a block as the JSON object that `Row` describes."""
    changes = changed_values(block.numbers, baseline)
    for name in changes:
        known_word("parameter", name, baseline)
    row: dict[str, Any] = {
        "changes": changes,
        "players": block.players,
        "seeds": [f"{seed:016x}" for seed in block.seeds.tolist()],
    }
    if any(block.without):
        row["without"] = block.without
    return row


def changed_values(numbers: Mapping[str, Value], baseline: Mapping[str, Value]) -> dict[str, Value]:
    """Return the values that differ from the baseline, by name."""
    return {name: value for name, value in numbers.items() if baseline.get(name) != value}


def read_message(kind: type[ModelT], line: bytes) -> ModelT:
    """Return the message on a line.

    Args:
        kind: class of the message.
        line: line without its end.

    Raises:
        InputError: the line is not JSON in UTF-8, or not such a message; NaN and infinity are
            refused.
    """
    try:
        text = line.decode()
    except UnicodeDecodeError:
        raise InputError("not text in UTF-8") from None
    return validate(kind, parse_json(text, only_numbers=True), source="")
