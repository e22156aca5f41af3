"""Options and arguments that several commands share, and their limits."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any

import typer

from experiments.workers.choice import WorkersChoice, parse_workers
from sim.errors import InputError
from sim.files.validation import share_hint
from sim.seeds import SEED_MAX

GAME_MAX = SEED_MAX  # the index of a game is a part of its seed
# Limits of experiment files, which have no names there.
MATCHUP_GAMES_MAX = 100_000_000  # as in `balance.settings.tables.GameCount`
STEPS_MAX = 10**11  # as in `agents.dqn.settings`
_TOTAL_MAX = 10**12  # as in `balance.settings.tables.Games.total`


def integer(low: int, high: int, help_text: str) -> Any:
    """Return a command-line option for whole numbers within limits.

    A number outside the limits is a usage error that states the number and the limits.

    Args:
        low: minimum value.
        high: maximum value.
        help_text: help text of the option.
    """

    def parse(given: str | int) -> int:
        text = str(given)  # the default of an option is a number, not a text
        if re.fullmatch(r"[+-]?[0-9]{1,30}", text) and low <= int(text) <= high:
            return int(text)
        raise typer.BadParameter(f"{text!r} is not a whole number from {low} to {high}")

    return typer.Option(parser=parse, metavar="INTEGER", help=help_text)


def number(low: float, high: float, help_text: str) -> Any:
    """Return a command-line option for decimal numbers within limits.

    A number outside the limits is a usage error that states the number and the limits.

    Args:
        low: minimum value.
        high: maximum value; if it is 1, the error also explains how to write a percentage.
        help_text: help text of the option.
    """

    def parse(given: str | float) -> float:
        try:
            number = float(given)
        except ValueError:
            number = float("nan")
        if low <= number <= high:  # false if the number is NaN
            return number
        hint = share_hint(number) if high == 1 else ""
        problem = f"{str(given)!r} is not a number from {low:g} to {high:g}{hint}"
        raise typer.BadParameter(problem)

    return typer.Option(parser=parse, metavar="NUMBER", help=help_text)


def workers_choice(given: str) -> WorkersChoice:
    """Parse the value of `--workers`.

    Raises:
        BadParameter: the value is not a known kind of workers with a valid number.
    """
    try:
        return parse_workers(given)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


ExperimentName = Annotated[
    str,
    typer.Argument(
        metavar="EXPERIMENT", help="An experiment file, or the name of a shipped experiment."
    ),
]
SuiteName = Annotated[
    str,
    typer.Argument(
        metavar="SUITE", help="A suite file, or the name of a shipped suite, such as duel-3."
    ),
]
Collection = Annotated[
    Path | None, typer.Option(help="CSV file of the cards that are owned, with their copies.")
]
Within = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN",
        help="A column of the cards' sheet, such as the faction: all cards of a deck must have "
        "the same value in it.",
    ),
]
TotalGames = Annotated[
    int | None,
    integer(
        1,
        _TOTAL_MAX,
        "Games of a run, all stages and matchups together; default as [games] sets each stage.",
    ),
]

_POOL = "The card pool: its name, or the path of its .toml file."
PoolArgument = Annotated[str, typer.Argument(metavar="POOL", help=_POOL)]
PoolOption = Annotated[str, typer.Option(help=_POOL)]
ForceOption = Annotated[
    bool, typer.Option("--force", help="Overwrite the output file if it exists.")
]
SheetTitle = Annotated[
    str | None,
    typer.Option(
        "--sheet", metavar="TITLE", help="Title of the workbook's sheet that holds the cards."
    ),
]
Notes = Annotated[
    list[str] | None,
    typer.Option(
        metavar="COLUMN",
        help="Title of a column to keep as a note, even if it looks like a known one.",
    ),
]
Columns = Annotated[
    list[str] | None,
    typer.Option(
        metavar="TITLE=MEANING",
        help='Meaning of a column, such as "Mana_Cost=cost", "Power=attack+health" or '
        '"Force=attack/100".',
    ),
]
Kinds = Annotated[
    list[str] | None,
    typer.Option(
        "--type",
        metavar="WORD=KIND",
        help='Kind of card that a word of the sheet stands for, such as "Rite=spell".',
    ),
]


def uneven_games_error(option: str, n_games: int) -> InputError:
    """Return the error for an odd number of games, half of which are played in each seating.

    Args:
        option: name of the option, without dashes.
        n_games: odd number of games.
    """
    return InputError(
        f"{n_games} must be even: half of the games are played in each seating",
        place=f"--{option}",
        value=n_games,
        limit="even",
    )
