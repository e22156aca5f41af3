"""Commands for notebooks, the runs that are committed for them, and results as pandas tables."""

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
    """Win rates with the recommended patch, and where each lies: a row for matchup and stage."""
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
    """Every patch played again, by rising change, in the columns of `front.csv`."""
    return frame_of(FrontRow, front_rows(run))


def guard_frame(run: FoundPatch) -> pd.DataFrame:
    """What the guards watch, in the columns of `guards.csv`; a row's readings have one unit."""
    return frame_of(GuardRow, guard_rows(run))


def change_frame(rows: Iterable[Sequence[ChangeRow]]) -> pd.DataFrame:
    """Rates with other cards beside today's, of one comparison after another, as `changes.csv`."""
    return frame_of(ChangeRow, (row for of_one in rows for row in of_one))


def compared_rows(
    experiment: Experiment, patches: Mapping[str, Explored], today: Explored
) -> list[list[ChangeRow]]:
    """Patches beside today's cards: of each, in their order, a row for each rate.

    Args:
        experiment: says which rates are wanted, and what is wanted of them.
        patches: what was explored, by its name.
        today: the same games with today's cards.
    """
    shown = reported_rates(experiment.settings, experiment.contest())
    return change_rows([*patches], [*patches.values()], today, shown)


def begin_game(folder: Path | str, sheet: Path | str | None = None) -> None:
    """Write a game to begin with and say what was written, as `evenhand init` does.

    Args:
        folder: where to.
        sheet: the cards; by default a small game of ours.

    Raises:
        InputError: what `evenhand init` would refuse.
    """
    cards = None if sheet is None else Path(sheet)
    sys.stdout.write("".join(f"{line}\n" for line in run_init(Path(folder), cards, None)))


def substitute_frame(pool: Pool, found: Substitution) -> pd.DataFrame:
    """Every stand-in that raced, in the columns of `substitutes.csv`."""
    return frame_of(SubstituteRow, substitute_rows(pool, found))


def opponent_frame(built: BuiltDeck) -> pd.DataFrame:
    """What a built deck wins, in the columns of `opponents.csv`; the last row is the field."""
    n_games = built.n_games * len(built.field.opponents)
    field = OpponentRow("the field", "", 1.0, built.score, n_games)
    return frame_of(OpponentRow, [*opponent_rows(built), field])


def metagame_frame(contest: CardContest, metagame: Metagame) -> pd.DataFrame:
    """Every player's share, rating and win rate against the mix, as in `metagame.csv`."""
    return frame_of(MetagameRow, metagame_rows(contest, metagame))


def train(
    experiment: Experiment, results: Path | str, *, threads: int | None = None
) -> FinishedRun:
    """Train the experiment's learners, as `evenhand train` does.

    Args:
        experiment: with learners.
        results: parent of the run folder.
        threads: threads to use; default all cores.

    Raises:
        InputError: what `evenhand train` would refuse.
    """
    check_train(experiment)
    return _finished("train", experiment, Path(results), run_train, threads)


def evaluate(
    experiment: Experiment, results: Path | str, *, threads: int | None = None
) -> FinishedRun:
    """Measure the agents that `train` made, as `evenhand evaluate` does.

    Args:
        experiment: whose learners were trained.
        results: parent of the run folders, that of the training too.
        threads: threads to use; default all cores.

    Raises:
        InputError: what `evenhand evaluate` would refuse.
    """
    found = find_trained(experiment, Path(results))
    return _finished("evaluate", found, Path(results), run_evaluate, threads)


def _finished(
    command: str,
    experiment: Experiment,
    results: Path,
    work: Callable[[Run], Findings],
    threads: int | None,
) -> FinishedRun:
    run = open_run(command, experiment, results, Screen(json=True), plots=False, threads=threads)
    with run.folder.lock:
        run.carry_out(work)
    return open_finished_run(str(run.folder.path), results, command)


REFERENCE = Path(__file__).parents[1] / "results" / "reference"


def reference_run(name: str, command: str = "balance") -> FinishedRun:
    """The committed run of a shipped experiment, if it is that of the present file.

    Args:
        name: of the experiment.
        command: what was run.

    Raises:
        InputError: there is none, or it was made of other settings, cards or decks.
    """
    path = run_path(REFERENCE, load_experiment(name), command)
    if not path.is_dir():
        raise InputError(
            f"{path}: no such run; in a checkout, `make reference` makes the runs of the present "
            "experiment files anew"
        )
    return open_finished_run(str(path), REFERENCE, command)
