"""Declaration of a game of which the commands need nothing but a contest."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from balance import Contest
from experiments.commands.contests import check_balance, run_balance, run_matchups
from experiments.commands.metagame import run_contest_metagame
from experiments.commands.sensitivity import run_contest_sensitivity
from experiments.contest_experiment import ContestFile, read_contest
from experiments.game import Functions, Game

COMMANDS = (
    *("matchups", "sensitivity", "balance", "study", "metagame", "whatif", "compare", "report"),
    "workbench",
)
"""Commands for which a game needs only a contest."""

FUNCTIONS: dict[str, Functions] = {
    "matchups": (lambda _: None, run_matchups),  # loading the file has checked everything
    "balance": (check_balance, run_balance),
    "metagame": (lambda _: None, run_contest_metagame),
    "sensitivity": (check_balance, run_contest_sensitivity),
}
"""Check and work of the commands that a contest needs functions of its own for."""


def contest_game(
    name: str, file: type[ContestFile], contest: Callable[[Any], Contest], **declared: Any
) -> Game:
    """Return the declaration of a game of which commands need only the contest.

    Args:
        name: name of the game in experiment files.
        file: type of the content of experiment files, a subclass of `ContestFile`.
        contest: function of the content that returns the contest.
        **declared: further attributes of `Game`, such as `replay`.
    """
    load = partial(read_contest, file=file, contest=contest)
    usual = {"commands": COMMANDS, "functions": FUNCTIONS, "options": ("games",)}
    return Game(name, load, **(usual | declared))
