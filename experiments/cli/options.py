"""What options and arguments of several commands have in common."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

SEED_MAX = 2**63 - 1  # as in `sim.seeds`, which is slow to import
GAME_MAX = 2**63 - 1
STEPS_MAX = 10**11  # as in `agents.dqn.settings`


def whole_number(low: int, high: int) -> Callable[[str | int], int]:
    """A parser of option values, whose messages name the value and the limits."""

    def parse(given: str | int) -> int:
        text = str(given)  # an option's default comes as a number
        if re.fullmatch(r"[+-]?[0-9]{1,30}", text) and low <= int(text) <= high:
            return int(text)
        raise typer.BadParameter(f"{text!r} must be a whole number from {low} to {high}")

    return parse


def number(low: float, high: float) -> Callable[[str | float], float]:
    """The same for numbers with a decimal point."""

    def parse(given: str | float) -> float:
        try:
            number = float(given)
        except ValueError:
            number = float("nan")
        if low <= number <= high:  # which NaN is not
            return number
        raise typer.BadParameter(f"{str(given)!r} must be a number from {low:g} to {high:g}")

    return parse


def integer(low: int, high: int, help_text: str) -> Any:
    """An option that is a whole number."""
    return typer.Option(parser=whole_number(low, high), metavar="INTEGER", help=help_text)


ExperimentName = Annotated[
    str, typer.Argument(metavar="EXPERIMENT", help="An experiment file, or a shipped name.")
]
Results = Annotated[Path, typer.Option(help="Parent of the run folders.")]
Seed = Annotated[int | None, integer(0, SEED_MAX, "Run seed instead of the file's.")]
Json = Annotated[bool, typer.Option("--json", help="Print the summary, as JSON.")]
Plots = Annotated[bool, typer.Option("--plots/--no-plots", help="Draw the figures.")]
Threads = Annotated[int | None, integer(1, 1024, "Default: all cores.")]
Resume = Annotated[bool, typer.Option("--resume", help="Continue a run that was stopped.")]
Collection = Annotated[
    Path | None, typer.Option(help="CSV of the cards that are owned, and how many.")
]
