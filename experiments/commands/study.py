"""`evenhand study`: one question, by several ways to search and narrow, on several run seeds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from balance import Interval, NarrowBy
from balance.pipeline import Measurement, measure, run_balance
from experiments import plots
from experiments.agents import power_contest
from experiments.commands.balance import check_stages, tell_runs
from experiments.experiment import Experiment
from experiments.files.experiment_file import ExperimentFile
from experiments.files.option_errors import option_place
from experiments.methods import METHODS_FILE, chosen_methods, load_methods, with_overrides
from experiments.results.grids import GroupRow, RunRow, group_rows
from experiments.results.stages import outcome
from experiments.runs.cells import rows_of_cells
from experiments.runs.json_file import digest
from experiments.runs.run import Findings, Run
from experiments.screen import Table
from sim.errors import error_place


class Cell(NamedTuple):
    """One run of the grid."""

    narrow: NarrowBy
    method: str
    run_seed: int
    settings: str

    @property
    def name(self) -> str:
        """Of its file, and for people."""
        return f"{self.narrow}-{self.method}-{self.run_seed}"


def check_study(experiment: Experiment, results: Path, told: Mapping[str, Any]) -> Experiment:
    """Refuse a study of which some run would fail, before anything is written.

    Args:
        experiment: what to study.
        results: parent of the run folders, where trained agents are looked for.
        told: settings of `[study]` that take the place of its own.

    Returns:
        The experiment with those, and all the trained agents that it depends on.

    Raises:
        InputError: it cannot be balanced, or one of its methods is unknown.
    """
    study = experiment.settings.study.model_copy(update=dict(told))
    experiment = experiment.with_settings(study=study)
    with option_place("methods") if "method" in told else error_place("study.method"):
        chosen_methods(load_methods(METHODS_FILE), study.method)
    for asked in _questions(experiment).values():
        experiment = experiment.with_pilots(check_stages(asked, results).pilots)
    return experiment


def run_study(run: Run) -> Findings:
    """Run the grid; finds `runs.csv`, `study.csv` and a plot.

    Finished runs are kept as they end, so a study that was stopped continues where it was.
    """
    settings = run.experiment.settings
    grid = _Grid(run.experiment, run.threads)
    asked = ((one, settings.study.run_seeds) for one in _questions(run.experiment).values())
    tell_runs(run, asked, settings.study.truth_games)
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
    """The question as it is asked under each way of narrowing, and each way to search."""
    study = experiment.settings.study
    methods: Mapping[str, Any] = {experiment.settings.search.method: {}}
    if study.method:
        methods = chosen_methods(load_methods(METHODS_FILE), study.method)
    asked = {
        name: with_overrides(experiment, overrides, f"method {name!r}")
        for name, overrides in methods.items()
    }
    found = {}
    for by, (name, one) in product(study.narrow or (None,), asked.items()):
        narrow = one.settings.narrow.model_copy(update={"by": by} if by else {})
        found[narrow.by, name] = one.with_settings(narrow=narrow).within_total()
    return found


class _Grid:
    """Runs cells; evolutions with equal games: what one narrowing costs, the others evolve with."""

    def __init__(self, experiment: Experiment, threads: int | None) -> None:
        self._first_seed = experiment.settings.seed
        self._threads = threads
        self._study = experiment.settings.study
        self._questions = _questions(experiment)
        self._contest = experiment.contest()
        self._power_contest = power_contest(experiment)
        self._measurements: dict[str, Measurement] = {}

    def cells(self) -> Iterator[Cell]:
        """Seed by seed."""
        seeds = range(self._first_seed, self._first_seed + self._study.run_seeds)
        for seed, (way, asked) in product(seeds, self._questions.items()):
            told = asked.with_settings(seed=seed).resolved()["experiment"]
            yield Cell(*way, seed, digest(told))

    def give_up(self) -> None:
        """Nothing to do: here cells are run one by one."""

    def do(self, cell: Cell) -> RunRow:
        """Run a cell."""
        settings = self._settings(cell.narrow, cell)
        more = {"generations": settings.search.generations + self._spare_generations(cell)}
        run = run_balance(
            self._contest,
            settings.model_copy(update={"search": settings.search.model_copy(update=more)}),
            threads=self._threads,
            measurement=self._measured(settings),
            explains=False,
        )
        narrowing = run.measurement.narrowing
        return RunRow(
            *cell,
            genes=len(narrowing.space.genes),
            log10_size=narrowing.space.log10_size,
            rounds=run.state.generation,
            narrow_games=narrowing.n_games,
            search_games=int(run.state.history[-1, 0]),
            **outcome(run, self._study.truth_games),
        )

    def _settings(self, narrow: NarrowBy, cell: Cell) -> ExperimentFile:
        asked = self._questions[narrow, cell.method]
        return asked.with_settings(seed=cell.run_seed).settings

    def _measured(self, settings: ExperimentFile) -> Measurement:
        """Today's cards, once for all methods that measure alike."""
        told = digest(settings.model_dump(mode="json", exclude={"search", "preset"}))
        if told not in self._measurements:
            self._measurements[told] = measure(
                self._contest,
                settings,
                power_contest=self._power_contest,
                threads=self._threads,
            )
        return self._measurements[told]

    def _spare_generations(self, cell: Cell) -> int:
        """Generations that the games not spent on narrowing pay for, where no total says that."""
        settings = self._settings(cell.narrow, cell)
        if settings.games.total is not None:
            return 0
        spent = {
            narrow: self._measured(self._settings(narrow, cell)).narrowing.n_games
            for narrow, method in self._questions
            if method == cell.method
        }
        n_genomes = 2 * settings.search.population + 1  # parents, children, and today's cards
        n_games = settings.games.search * len(self._contest.matchups)
        return (max(spent.values()) - spent[cell.narrow]) // (n_genomes * n_games)


def _entry(group: GroupRow) -> dict[str, Any]:
    told = group._asdict()
    spreads = {name: value for name, value in told.items() if isinstance(value, Interval)}
    return told | {
        name: dict(zip(("median", "low", "high"), spread, strict=True))
        for name, spread in spreads.items()
    }


def _table(groups: Sequence[GroupRow]) -> Table:
    def spread(measure: Interval | None, digits: int = 0, unit: float = 1.0) -> str:
        if measure is None:
            return "-"
        median, low, high = (float(one) / unit for one in measure)
        return f"{median:.{max(digits, 1)}f} ({low:.{digits}f}-{high:.{digits}f})"

    return Table(
        "Median (range) over run seeds; false: certified, but not so in the games of the truth",
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
