"""`evenhand suite run`: test search methods on instances with known answers."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path
from typing import Annotated, Any, NamedTuple, cast

import typer

from balance.run.card_question import prepare, run_balance
from balance.run.context import RunContext
from balance.settings.tables import Games
from experiments.cli.options import GAME_MAX, SuiteName, integer, uneven_games_error
from experiments.cli.session import Session, Work, session_command
from experiments.commands.estimate import show_grid_estimate
from experiments.commands.suite.score import score_findings
from experiments.experiment import Experiment
from experiments.files.option_errors import option_place
from experiments.methods import METHODS_FILE, chosen_methods, load_methods, with_overrides
from experiments.results.grids import SuiteRow, outcome
from experiments.runs.cells import kept_cells, rows_of_cells
from experiments.runs.json_file import digest
from experiments.runs.run import Findings, Run
from experiments.suite import HALVES, KINDS, Suite, load_suite
from sim import InputError, error_place
from sim.names import named_word

_ESTIMATED = 3  # maximum number of instances for an estimate of the time, to keep it fast


@session_command("results", "threads", "workers", "resume", "json", "plots")
def run(
    session: Session,
    suite: SuiteName,
    *,
    methods: Annotated[
        str,
        typer.Option(
            metavar="NAME,NAME", help="The methods to test; default all methods of the file."
        ),
    ] = "",
    methods_file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="File with the settings of each method; default the shipped file."
        ),
    ] = None,
    half: Annotated[
        str | None,
        typer.Option(help="Half of the instances to run: development or reported; default both."),
    ] = None,
    kind: Annotated[
        str | None,
        typer.Option(help="Kind of instances to run: planted, target or control; default all."),
    ] = None,
    most: Annotated[
        int | None,
        integer(1, GAME_MAX, "Largest number of instances of each kind and half; default all."),
    ] = None,
    games: Annotated[
        int | None,
        integer(
            1, GAME_MAX, "Games of a run, all stages together; default the experiment's setting."
        ),
    ] = None,
    seeds: Annotated[int, integer(1, 1000, "Number of runs on each instance.")] = 1,
    truth: Annotated[
        int,
        integer(
            4,
            GAME_MAX,
            "Games per matchup of the high-precision reference estimate that judges each "
            "certified patch; an even number.",
        ),
    ] = 400_000,
) -> Work:
    """Test methods on the instances of a suite.

    Certified patches are judged by a reference estimate from many more games.
    """
    if half is not None:
        with option_place("half"):
            half = named_word("word", half, HALVES)
    if kind is not None:
        with option_place("kind"):
            kind = named_word("word", kind, KINDS)
    if truth % 2:
        raise uneven_games_error("truth", truth)
    names = tuple(filter(None, methods.split(",")))
    trial = Trial(names, methods_file or METHODS_FILE, half, kind, most, games, seeds, truth)
    return partial(
        session.run,
        "suite",
        suite,
        partial(check_trial, trial=trial),
        partial(run_suite, trial=trial),
        load_suite,
    )


@dataclass(frozen=True)
class Trial:
    """Options that select the runs of a suite.

    Attributes:
        methods: names of the methods; empty for all methods of the file.
        file: file with the settings of each method.
        half: half of the instances; `None` for both halves.
        kind: kind of the instances; `None` for all kinds.
        most: maximum number of instances of each kind and half, from the first; `None` for all.
        n_games: total number of games of all stages and matchups (`[games] total`); `None` for the
            experiment's own settings of each stage.
        n_seeds: number of runs on each instance.
        truth_games: games per matchup of the reference estimate, with which a patch is judged.
    """

    methods: tuple[str, ...]
    file: Path
    half: str | None = None
    kind: str | None = None
    most: int | None = None
    n_games: int | None = None
    n_seeds: int = 1
    truth_games: int = 400_000


class Cell(NamedTuple):
    """Balance run of a method on an instance of a suite.

    Attributes:
        instance: number of the instance in the suite, from 1.
        method: name of the method.
        run_seed: run seed of the balance run.
        settings: hash of everything that the run depends on.
        truth_games: games per matchup of the reference estimate.
    """

    instance: int
    method: str
    run_seed: int
    settings: str
    truth_games: int

    @property
    def name(self) -> str:
        """Name of the cell for messages and for its file."""
        return f"{self.method}-{self.instance:03}-{self.run_seed}"


def check_trial(suite: Suite, trial: Trial) -> None:
    """Check that every run of a trial can be balanced, before anything is written.

    Raises:
        InputError: a method is unknown, its settings are invalid, or no instance is selected.
    """
    trials = _Trials(suite, trial, _methods(trial))
    if not list(trials.cells()):
        raise InputError(
            "has no [[instance]] to run", remedy="to make instances, run `evenhand suite make`"
        )
    for method in trials.methods:
        settings = trials.question(method, 1).settings
        with option_place("methods-file"), error_place(f"{trial.file}: method {method!r}"):
            prepare(suite.contest(), settings)


def run_suite(run: Run, trial: Trial) -> Findings:
    """Run methods on instances; return the scores of all runs in the run folder.

    The result of each run is saved when the run ends, so that a stopped suite can be resumed, and
    methods can be added later.
    """
    suite = cast("Suite", run.experiment)
    trials = _Trials(suite, trial, _methods(trial))
    show_grid_estimate(run, trials.sample(), trial.truth_games)
    rows_of_cells(run, "suite", list(trials.cells()), SuiteRow, trials)
    return score_findings(list(kept_cells(run.folder.path, SuiteRow)), suite.settings.name)


def _methods(trial: Trial) -> dict[str, dict[str, Any]]:
    """Return the settings of each method of a trial, by the method's name."""
    with option_place("methods-file"):
        known = load_methods(trial.file)
    with option_place("methods"):
        return chosen_methods(known, trial.methods)


@dataclass(frozen=True)
class _Trials:
    """Runs of a trial on the instances of a suite.

    Attributes:
        suite: suite with the instances.
        trial: options that select the runs.
        methods: settings of each method, by the method's name.
    """

    suite: Suite
    trial: Trial
    methods: dict[str, dict[str, Any]]

    def places(self) -> Iterator[int]:
        """Yield the number, from 1, of each instance that the trial selects."""
        trial = self.trial
        taken = Counter[tuple[str, str]]()
        for place, instance in enumerate(self.suite.suite.instances, start=1):
            group = instance.kind, instance.half
            taken[group] += 1
            is_wanted = trial.half in {None, instance.half} and trial.kind in {None, instance.kind}
            if is_wanted and taken[group] <= (trial.most or place):
                yield place

    def sample(self) -> Iterator[tuple[Experiment, float]]:
        """Yield a sample of the experiments to run, each with the number of runs it represents."""
        places = [*self.places()]
        # Every k-th instance, with k rounded up, so that the sample mixes kinds and halves.
        chosen = places[:: -(-len(places) // _ESTIMATED)]
        for method, place in product(self.methods, chosen):
            n_runs = self.trial.n_seeds * len(places) / len(chosen)
            yield self.question(method, place), n_runs

    def cells(self) -> Iterator[Cell]:
        """Yield all cells: by instance, then by run seed, then by method."""
        for place in self.places():
            digests = {
                method: digest(self.question(method, place).resolved()["experiment"])
                for method in self.methods
            }
            for seed, (method, settings) in product(range(self.trial.n_seeds), digests.items()):
                # The run seeds of different instances are distinct, since each instance has at most
                # 1000 seeds.
                yield Cell(place, method, 1000 * place + seed, settings, self.trial.truth_games)

    def question(self, method: str, place: int) -> Experiment:
        """Return the experiment of an instance with the settings of a method.

        Args:
            method: name of the method.
            place: number of the instance, from 1.
        """
        experiment = self.suite.asked(place)
        if self.trial.n_games is not None:
            experiment = experiment.with_settings(games=Games(total=self.trial.n_games))
        with option_place("methods-file"), error_place(self.trial.file):
            return with_overrides(experiment, self.methods[method], f"method {method!r}")

    def give_up(self) -> None:
        """Do nothing: cells run one at a time, so no other cell needs to be stopped."""

    def do(self, cell: Cell) -> SuiteRow:
        """Balance the experiment of a cell, and return the cell's row of the table."""
        instance = self.suite.suite.instances[cell.instance - 1]
        question = self.question(cell.method, cell.instance).with_settings(seed=cell.run_seed)
        settings = question.settings
        began_s = time.process_time()
        run = run_balance(question.contest(), settings, RunContext(explains=False))
        cpu_s = time.process_time() - began_s
        return SuiteRow(
            *cell,
            kind=instance.kind,
            half=instance.half,
            known=instance.size(settings.tune.weights, question.pool.cards),
            size=run.size,
            cpu_s=round(cpu_s, 3),
            **outcome(run, cell.truth_games),
        )
