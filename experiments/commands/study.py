"""`evenhand study`: balance one experiment with several methods and several run seeds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypeVar

import typer

from balance import FoundPatch, Interval, NarrowBy
from balance.run.balance_run import Measurement
from balance.run.card_question import CardQuestion, prepare
from balance.run.context import RunContext
from balance.run.question import question_of
from balance.run.stages import run_stages
from balance.space.search_space import SearchSpace
from experiments import plots
from experiments.agents import power_contest
from experiments.cli.options import (
    MATCHUP_GAMES_MAX,
    ExperimentName,
    TotalGames,
    integer,
    uneven_games_error,
)
from experiments.cli.session import RESUMING, Session, Work, session_command
from experiments.commands.balance import check_stages
from experiments.commands.contests import check_balance
from experiments.commands.estimate import show_grid_estimate
from experiments.contest_experiment import ContestExperiment
from experiments.experiment import Experiment
from experiments.files.experiment_file import ExperimentFile
from experiments.files.option_errors import given, option_place
from experiments.methods import METHODS_FILE, chosen_methods, load_methods, with_overrides
from experiments.results.grids import GroupRow, RunRow, group_rows, outcome
from experiments.runs.cells import rows_of_cells
from experiments.runs.json_file import digest
from experiments.runs.run import Findings, RunOf
from experiments.screen import Table
from sim.errors import InputError, error_place


@session_command(*RESUMING, "agent")
def study(
    session: Session,
    experiment: ExperimentName,
    *,
    games: TotalGames = None,
    methods: Annotated[
        str | None,
        typer.Option(
            metavar="NAME,NAME",
            help="Search methods to compare; default those of the experiment's [study] table.",
        ),
    ] = None,
    seeds: Annotated[
        int | None, integer(1, 1000, "Number of run seeds for each combination of methods.")
    ] = None,
    truth: Annotated[
        int | None,
        integer(
            4,
            MATCHUP_GAMES_MAX,
            "Games per matchup of the high-precision reference estimate that judges each "
            "certified patch; an even number.",
        ),
    ] = None,
) -> Work:
    """Compare ways to search and to narrow, on several run seeds.

    Each combination of methods balances the experiment with each run seed. Without a [study] table
    and options, the experiment's own methods are run on ten seeds.
    """
    if truth is not None and truth % 2:
        raise uneven_games_error("truth", truth)
    names = None if methods is None else tuple(filter(None, methods.split(",")))
    if names == ():
        raise InputError(
            f"{methods!r} does not name a method",
            place="--methods",
            value=methods,
            remedy="give one or several, separated by commas",
        )
    options = given(method=names, run_seeds=seeds, truth_games=truth)
    check = partial(check_study, results=session.results, options=options)
    return partial(session.run, "study", experiment, check, run_study, total=games)


AnyT = TypeVar("AnyT", Experiment, ContestExperiment)


class Cell(NamedTuple):
    """Balance run in the grid of a study.

    Attributes:
        narrow: method of narrowing.
        method: name of the search method.
        run_seed: run seed of the balance run.
        settings: hash of everything that the run depends on.
    """

    narrow: NarrowBy
    method: str
    run_seed: int
    settings: str

    @property
    def name(self) -> str:
        """Name of the cell for messages and for its file."""
        return f"{self.narrow}-{self.method}-{self.run_seed}"


def check_study(
    experiment: Experiment | ContestExperiment, results: Path, options: Mapping[str, Any]
) -> Experiment | ContestExperiment:
    """Check that every run of a study can be balanced, before anything is written.

    Args:
        experiment: the experiment.
        results: parent of the run folders, which is searched for trained agents.
        options: settings that replace settings of the `[study]` table.

    Returns:
        The experiment with these settings, and with all trained agents that it depends on.

    Raises:
        InputError: the experiment cannot be balanced, or one of the methods is unknown.
    """
    study = experiment.settings.study.model_copy(update=dict(options))
    experiment = experiment.with_settings(study=study)
    with option_place("methods") if "method" in options else error_place("study.method"):
        chosen_methods(load_methods(METHODS_FILE), study.method)
    if isinstance(experiment, ContestExperiment):
        if study.truth_games:
            with option_place("truth") if "truth_games" in options else error_place("study"):
                experiment.contest().checked_games(study.truth_games)
        for of_contest in _by_method(experiment).values():
            check_balance(of_contest)
        return experiment
    for question in _questions(experiment).values():
        experiment = experiment.with_pilots(check_stages(question, results).pilots)
    return experiment


def run_study(run: RunOf[Any]) -> Findings:
    """Run the grid of a study; return the table of runs, the table of groups, and a figure.

    The result of each run is saved when the run ends, so that a stopped study can be resumed.
    """
    settings = run.experiment.settings
    grid: _Grid | _ContestGrid
    if isinstance(run.experiment, ContestExperiment):
        grid = _ContestGrid(run.experiment)
    else:
        grid = _Grid(run.experiment)
        questions = _questions(run.experiment).values()
        n_runs = settings.study.run_seeds
        show_grid_estimate(
            run, ((question, n_runs) for question in questions), settings.study.truth_games
        )
    runs = rows_of_cells(run, "study", list(grid.cells()), RunRow, grid)
    groups = group_rows(runs)
    return Findings(
        tables={"runs.csv": (RunRow, runs), "study.csv": (GroupRow, groups)},
        figures={
            "study.png": lambda: plots.study_plot(
                runs, title=f"{settings.name}: {settings.study.run_seeds} runs each"
            ),
        },
        summary={
            "command": "study",
            "runs": [row._asdict() for row in runs],
            "groups": list(map(_entry, groups)),
        },
        shown=[_table(groups)],
    )


def _questions(experiment: Experiment) -> dict[tuple[NarrowBy, str], Experiment]:
    """Return a variant of the experiment for each pair of a narrowing and a search method."""
    questions = {}
    narrows = experiment.settings.study.narrow or (None,)
    for by, (name, question) in product(narrows, _by_method(experiment).items()):
        narrow = question.settings.narrow.model_copy(update={"by": by} if by else {})
        questions[narrow.by, name] = question.with_settings(narrow=narrow).within_total()
    return questions


def _by_method(experiment: AnyT) -> dict[str, AnyT]:
    """Return a variant of the experiment for each search method, by its name."""
    study = experiment.settings.study
    methods: Mapping[str, Any] = {experiment.settings.search.method: {}}
    if study.method:
        methods = chosen_methods(load_methods(METHODS_FILE), study.method)
    return {
        name: with_overrides(experiment, overrides, f"method {name!r}")
        for name, overrides in methods.items()
    }


def _cells(questions: Mapping[tuple[NarrowBy, str], AnyT], experiment: AnyT) -> Iterator[Cell]:
    """Yield all cells of a grid: first those of the first run seed, then those of the next seed."""
    first_seed = experiment.settings.seed
    seeds = range(first_seed, first_seed + experiment.settings.study.run_seeds)
    for seed, (names, question) in product(seeds, questions.items()):
        settings = question.with_settings(seed=seed).resolved()["experiment"]
        yield Cell(*names, seed, digest(settings))


class _ContestGrid:
    """Runs of a study of a contest, in which nothing is narrowed."""

    def __init__(self, experiment: ContestExperiment) -> None:
        self._experiment = experiment
        self._questions = _by_method(experiment)

    def cells(self) -> Iterator[Cell]:
        """Yield all cells: first those of the first run seed, then those of the next seed."""
        by: NarrowBy = "none"
        questions = {(by, name): question for name, question in self._questions.items()}
        return _cells(questions, self._experiment)

    def give_up(self) -> None:
        """Do nothing: cells run one at a time, so no other cell needs to be stopped."""

    def do(self, cell: Cell) -> RunRow:
        """Balance the experiment of a cell, and return the cell's row of the table."""
        question = self._questions[cell.method].with_seed(cell.run_seed)
        asked = question_of(question.contest(), question.balance_settings(), question.space())
        run = run_stages(asked, RunContext(explains=False))
        return _row(cell, run, run.evaluator.space, 0, question.settings.study.truth_games)


def _row(
    cell: Cell, run: FoundPatch, space: SearchSpace, n_narrowed: int, truth_games: int
) -> RunRow:
    """Return the row of a balance run.

    Args:
        cell: cell of the run.
        run: result of the run.
        space: search space after narrowing.
        n_narrowed: number of games of the narrowing.
        truth_games: games per matchup of the reference estimate; 0 for none.
    """
    return RunRow(
        *cell,
        genes=len(space.genes),
        log10_size=space.log10_size,
        rounds=run.state.generation,
        narrow_games=n_narrowed,
        search_games=int(run.state.history[-1, 0]),
        **outcome(run, truth_games),
    )


class _Grid:
    """Runs of a study, with equal numbers of games.

    Methods of narrowing cost different numbers of games. A run with a cheaper method gets
    additional generations of search for the games that the method saves.
    """

    def __init__(self, experiment: Experiment) -> None:
        self._experiment = experiment
        self._study = experiment.settings.study
        self._questions = _questions(experiment)
        self._contest = experiment.contest()
        self._power_contest = power_contest(experiment)
        self._measurements: dict[str, Measurement] = {}

    def cells(self) -> Iterator[Cell]:
        """Yield all cells: first those of the first run seed, then those of the next seed."""
        return _cells(self._questions, self._experiment)

    def give_up(self) -> None:
        """Do nothing: cells run one at a time, so no other cell needs to be stopped."""

    def do(self, cell: Cell) -> RunRow:
        """Balance the experiment of a cell, and return the cell's row of the table."""
        settings = self._settings(cell.narrow, cell)
        more = {"generations": settings.search.generations + self._spare_generations(cell)}
        search = settings.search.model_copy(update=more)
        run = run_stages(
            self._prepare(settings.model_copy(update={"search": search})),
            RunContext(explains=False),
            measured=self._measure(settings),
        )
        narrowing = run.measurement.narrowing
        return _row(cell, run, narrowing.space, narrowing.n_games, self._study.truth_games)

    def _settings(self, narrow: NarrowBy, cell: Cell) -> ExperimentFile:
        """Return the settings of a cell, but with the method of narrowing `narrow`."""
        question = self._questions[narrow, cell.method]
        return question.with_settings(seed=cell.run_seed).settings

    def _measure(self, settings: ExperimentFile) -> Measurement:
        """Return the measurement of the cards before the patch.

        Settings that differ only in the search share a measurement, which is made once.
        """
        key = digest(settings.model_dump(mode="json", exclude={"search", "preset"}))
        if key not in self._measurements:
            self._measurements[key] = self._prepare(settings).measure()
        return self._measurements[key]

    def _prepare(self, settings: ExperimentFile) -> CardQuestion:
        """Return the question of balancing the contest with given settings."""
        return prepare(self._contest, settings, power_contest=self._power_contest)

    def _spare_generations(self, cell: Cell) -> int:
        """Return the number of additional generations for the games that a cell's narrowing saves.

        The savings are relative to the most expensive method of narrowing. If the experiment sets a
        total of games, the games are already shared, and 0 is returned.
        """
        settings = self._settings(cell.narrow, cell)
        if settings.games.total is not None:
            return 0
        spent = {
            narrow: self._measure(self._settings(narrow, cell)).narrowing.n_games
            for narrow, method in self._questions
            if method == cell.method
        }
        # Each generation plays the parents, the children, and the cards without a patch.
        n_genomes = 2 * settings.search.population + 1
        n_games = settings.games.search * len(self._contest.matchups)
        return (max(spent.values()) - spent[cell.narrow]) // (n_genomes * n_games)


def _entry(group: GroupRow) -> dict[str, Any]:
    """Return the entry of a group of runs in the summary; measures become medians and ranges."""
    columns = group._asdict()
    spreads = {name: value for name, value in columns.items() if isinstance(value, Interval)}
    return columns | {
        name: dict(zip(("median", "low", "high"), spread, strict=True))
        for name, spread in spreads.items()
    }


def _table(groups: Sequence[GroupRow]) -> Table:
    """Return a table of all groups, with medians and ranges over the run seeds."""

    def spread(measure: Interval | None, digits: int = 0, unit: float = 1.0) -> str:
        if measure is None:
            return "-"
        median, low, high = (float(value) / unit for value in measure)
        return f"{median:.{max(digits, 1)}f} ({low:.{digits}f}-{high:.{digits}f})"

    return Table(
        "Median (range) over run seeds; truth: reference estimate from many more games; false: "
        "certified, but not balanced by the reference estimate",
        (
            "method",
            "certified",
            "imbalance, pp",
            "change",
            "cards",
            "games, M",
            "truth, pp",
            "false",
        ),
        [
            (
                group.method + ("" if group.narrow == "none" else f", by {group.narrow}"),
                f"{group.certified}/{group.runs}",
                spread(group.imbalance_pp, 1),
                spread(group.change),
                spread(group.cards_touched),
                spread(group.games, 2, 1e6),
                spread(group.truth_pp, 1),
                f"{group.false}/{group.judged}" if group.judged else "-",
            )
            for group in groups
        ],
    )
