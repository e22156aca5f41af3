"""`evenhand simulator check`: try the program or function that plays the games of an experiment."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from experiments.cli.options import ExperimentName
from experiments.cli.session import Session, Work, session_command
from experiments.files.named_file import named_file
from experiments.loading import SHIPPED
from experiments.runs.run import Findings
from experiments.screen import Screen, Table
from experiments.screen.wording import duration, percent, percent_between
from experiments.simulator.checked_game import CheckedGame, Compared, EditedParameter
from experiments.simulator.load import load_contest
from experiments.simulator.simulator_file import TOTAL_GAMES, SimulatorFile
from sim import read_toml, validate
from sim.errors import error_place

_ENDS = {"low": "lowest", "high": "highest"}


@session_command("seed", "json", "trust")
def check(
    session: Session,
    experiment: ExperimentName,
) -> Work:
    """Check that a program or function plays repeatable games.

    Also shows how many games a small edit changes, and how long a balance run takes.
    """
    path = named_file("experiment", experiment, SHIPPED)

    def work(screen: Screen) -> Findings:
        # Here, because Ctrl-C must be able to end a program that does not start.
        return check_game(screen, load_checked(path), session.seed)

    return partial(session.measure, work)


def load_checked(path: Path) -> CheckedGame:
    """Return the game of the table `[simulator]` of an experiment file.

    Args:
        path: path of the file.

    Raises:
        InputError: the file is invalid or not trusted, or its code cannot be loaded.
    """
    settings = validate(SimulatorFile, read_toml(path), source=str(path))
    with error_place(path):
        contest = load_contest(settings, path.parent, results=None)
    return CheckedGame(contest.simulator, contest.parameters.entries, contest.player_names)


def check_game(screen: Screen, game: CheckedGame, seed: int | None = None) -> Findings:
    """Try a game, and return what was found; the summary has `failed` if games differ.

    Args:
        screen: where to show the progress.
        game: game to try; its simulator is closed.
        seed: run seed; `None` for that of the game.

    Raises:
        InputError: the simulator fails.
    """
    if seed is not None:
        game = CheckedGame(game.simulator, game.parameters, game.players, seed)
    with closing(game.simulator):
        screen.stage("measuring the speed")
        per_s = game.games_per_s
        screen.stage("playing games twice")
        repeated = game.repeated()
        screen.stage("playing games in another order")
        reordered = game.reordered()
        failed = bool(repeated.n_changed or reordered.n_changed)
        screen.stage("playing games with edited parameters")
        edits = [] if failed else list(game.edits())  # without repeatable games they say nothing
        infeasible = {_ENDS[end]: game.infeasible(end) for end in _ENDS if game.parameters}
        first = game.first_seat()
        saving = game.saving(edits)
    summary = {
        "command": "simulator check",
        "repeated": _entry(repeated),
        "reordered": _entry(reordered),
        "first_seat": {**first.as_entry(), "games": repeated.n_games},
        "edits": [_edit_entry(edit) for edit in edits],
        "saving": saving,
        "infeasible": infeasible,
        "games_per_s": per_s,
        "balance": {"games": TOTAL_GAMES, "seconds": TOTAL_GAMES / per_s},
        "failed": failed,
    }
    lines = [
        _same_words("the same games again", repeated),
        _same_words("the same games in another order", reordered),
        f"first seat: {percent_between(first)} of the games, {repeated.n_games:,} games",
        *(f"all parameters at their {end}: {why or 'played'}" for end, why in infeasible.items()),
        *([] if failed else [_saving_words(saving)]),
        f"speed: {per_s:,.0f} games/s; a balance run of {TOTAL_GAMES:,} games takes about "
        f"{duration(TOTAL_GAMES / per_s)}",
    ]
    return Findings(
        summary=summary, shown=[*lines, *([_table(edits, len(game.parameters))] if edits else [])]
    )


def _entry(games: Compared) -> dict[str, Any]:
    """Return a comparison as the entry of a summary."""
    return {
        "games": games.n_games,
        "changed": games.n_changed,
        **games.share.as_entry("share"),
    }


def _edit_entry(edit: EditedParameter) -> dict[str, Any]:
    """Return the effect of an edit as the entry of a summary."""
    effect = {"infeasible": True} if edit.games is None else _entry(edit.games)
    return {"parameter": edit.name, "value": edit.value, "edited": edit.edited, **effect}


def _same_words(what: str, games: Compared) -> str:
    """Return the result of a check in words.

    Args:
        what: what was compared with the first games.
        games: the comparison.
    """
    if not games.n_changed:
        return f"{what}: equal, {games.n_games:,} games"
    return (
        f"{what}: {games.n_changed:,} of {games.n_games:,} games differ, for example that of "
        f"{games.example}; a game must depend only on its parameters, players and seed"
    )


def _saving_words(saving: float | None) -> str:
    """Return in words what equal seeds are worth."""
    if saving is None:
        return "equal seeds: no edit changed the winner of a game"
    return (
        f"equal seeds: a comparison of two versions needs about {saving:.1f} times fewer games "
        "than with independent seeds"
    )


def _table(edits: Sequence[EditedParameter], n_all: int) -> Table:
    """Return the table of the effects of single steps.

    Args:
        edits: parameters that were tried.
        n_all: number of all parameters.
    """
    rows = [
        (
            edit.name,
            f"{edit.value} -> {edit.edited}",
            "infeasible" if edit.games is None else percent(edit.games.share),
            "" if edit.games is None else f"{edit.games.n_games:,}",
        )
        for edit in edits
    ]
    return Table(
        f"games with another winner after one step of {len(edits)} of {n_all} parameters, with "
        "95 % intervals",
        ("parameter", "edit", "% of games", "games"),
        rows,
    )
