"""Commands for notebooks, the committed runs that they show, and results as data frames."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import pandas as pd

from balance import BuiltDeck, CardContest, FoundPatch, Metagame, Substitution
from balance.band import band_verdict
from balance.frames import frame_of
from balance.whatif import Explored
from experiments.commands.evaluate import find_trained, run_evaluate
from experiments.commands.init import run_init
from experiments.commands.substitute import SubstituteRow, substitute_rows
from experiments.commands.train import check_train, run_train
from experiments.experiment import Experiment
from experiments.loading import load_experiment
from experiments.results.compared import ChangeRow, change_rows, reported_rates
from experiments.results.decks import MetagameRow, OpponentRow, metagame_rows, opponent_rows
from experiments.results.front import FrontRow, front_rows
from experiments.results.stages import GuardRow, guard_rows, stage_rows
from experiments.runs.finished_run import FinishedRun, open_finished_run
from experiments.runs.run import Findings, Run, open_run
from experiments.runs.run_folder import run_path
from experiments.screen import Screen
from sim import InputError, Pool, entry

_STAGES = ("today", "claimed", "selected", "certified")


def stage_frame(run: FoundPatch) -> pd.DataFrame:
    """Return the win rates with the recommended patch: one row per matchup and stage."""
    return pd.DataFrame(
        {
            "matchup": row.matchup,
            "stage": stage,
            **entry(getattr(row, stage)),
            "verdict": band_verdict(getattr(row, stage).rate, row.least, row.most),
        }
        for row in stage_rows(run)
        for stage in _STAGES
    )


def front_frame(run: FoundPatch) -> pd.DataFrame:
    """Return every patch that was played again, with the columns of `front.csv`."""
    return frame_of(FrontRow, front_rows(run))


def guard_frame(run: FoundPatch) -> pd.DataFrame:
    """Return the guards' verdicts with the columns of `guards.csv`; each row has one unit."""
    return frame_of(GuardRow, guard_rows(run))


def change_frame(rows: Iterable[Sequence[ChangeRow]]) -> pd.DataFrame:
    """Return the rates of compared cards and their changes, with the columns of `changes.csv`.

    Args:
        rows: rows of each comparison.
    """
    return frame_of(ChangeRow, (row for comparison in rows for row in comparison))


def compared_rows(
    experiment: Experiment, patches: Mapping[str, Explored], today: Explored
) -> list[list[ChangeRow]]:
    """Return one row per patch and rate, comparing patches with the baseline cards.

    Args:
        experiment: experiment, which determines the rates and their goals.
        patches: games with each patch, by its name.
        today: the same games with the baseline cards.
    """
    shown = reported_rates(experiment.settings, experiment.contest())
    return change_rows([*patches], [*patches.values()], today, shown)


def begin_game(folder: Path | str, sheet: Path | str | None = None) -> None:
    """Write a first game and print what was written, as `evenhand init` does.

    Args:
        folder: folder to write to.
        sheet: spreadsheet with the cards; default a small example game.

    Raises:
        InputError: as in `evenhand init`.
    """
    cards = None if sheet is None else Path(sheet)
    sys.stdout.write("".join(f"{line}\n" for line in run_init(Path(folder), cards, None)))


def substitute_frame(pool: Pool, found: Substitution) -> pd.DataFrame:
    """Return every stand-in that took part in the racing, with the columns of `substitutes.csv`."""
    return frame_of(SubstituteRow, substitute_rows(pool, found))


def opponent_frame(built: BuiltDeck) -> pd.DataFrame:
    """Return the win rates of a built deck, with the columns of `opponents.csv`."""
    n_games = built.n_games * len(built.field.opponents)
    field = OpponentRow("the field", "", 1.0, built.score, n_games)
    return frame_of(OpponentRow, [*opponent_rows(built), field])


def metagame_frame(contest: CardContest, metagame: Metagame) -> pd.DataFrame:
    """Return every player's share, rating and win rate against the mix, as in `metagame.csv`."""
    return frame_of(MetagameRow, metagame_rows(contest, metagame))


def train(
    experiment: Experiment, results: Path | str, *, threads: int | None = None
) -> FinishedRun:
    """Train the experiment's learners, as `evenhand train` does.

    Args:
        experiment: experiment with learners.
        results: parent of the run folder.
        threads: number of threads; default all cores.

    Raises:
        InputError: as in `evenhand train`.
    """
    check_train(experiment)
    return _run_command("train", experiment, Path(results), run_train, threads)


def evaluate(
    experiment: Experiment, results: Path | str, *, threads: int | None = None
) -> FinishedRun:
    """Measure the agents that `train` made, as `evenhand evaluate` does.

    Args:
        experiment: experiment with trained learners.
        results: parent of the run folders, including that of the training.
        threads: number of threads; default all cores.

    Raises:
        InputError: as in `evenhand evaluate`.
    """
    trained = find_trained(experiment, Path(results))
    return _run_command("evaluate", trained, Path(results), run_evaluate, threads)


def _run_command(
    command: str,
    experiment: Experiment,
    results: Path,
    work: Callable[[Run], Findings],
    threads: int | None,
) -> FinishedRun:
    """Run a command without plots, and return its finished run."""
    run = open_run(command, experiment, results, Screen(json=True), plots=False, threads=threads)
    with run.folder.lock:
        run.carry_out(work)
    return open_finished_run(str(run.folder.path), results, command)


REFERENCE = Path(__file__).parents[1] / "results" / "reference"
"""Folder of the committed runs in a checkout."""


def reference_run(name: str, command: str = "balance") -> FinishedRun:
    """Return the committed run of a shipped experiment, if it belongs to the present file.

    Args:
        name: name of the experiment.
        command: command of the run.

    Raises:
        InputError: there is none for the present settings, cards and decks.
    """
    path = run_path(REFERENCE, load_experiment(name), command)
    if not path.is_dir():
        raise InputError(
            "no such run",
            place=path,
            remedy="in a checkout, `make reference` repeats the runs of the present experiment "
            "files",
        )
    return open_finished_run(str(path), REFERENCE, command)
