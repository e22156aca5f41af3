"""`evenhand study`: the same balance task under every combination of a grid."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from balance.pipeline import BalanceRun, Measurement, measure, run_balance
from balance.power import measure_power
from balance.result_tables import PowerRow, power_rows
from balance.settings import NarrowBy
from balance.statistics.intervals import Interval
from experiments.commands.balance import check_stages
from experiments.console import Screen
from experiments.experiment import Experiment
from experiments.experiment_file import ExperimentFile, Study
from experiments.learning.power_pilots import power_contest
from experiments.results.study import MEASURES, GroupRow, RunRow, group_rows
from experiments.runs.finished_run import read_object
from experiments.runs.run_folder import RunFolder
from sim.errors import InputError

CELLS = "cells"  # folder of finished runs, one file each


class Cell(NamedTuple):
    """One run of the grid."""

    narrow: NarrowBy
    start: str
    method: str
    run_seed: int

    @property
    def file(self) -> str:
        """Where its result is kept."""
        return f"{CELLS}/{self.narrow}-{self.start}-{self.method}-{self.run_seed}.json"


def check_study(experiment: Experiment, results: Path) -> Experiment:
    """Refuse a study of which some run would fail, before anything is written.

    Args:
        experiment: what to study.
        results: parent of the run folders, where trained agents are looked for.

    Returns:
        The experiment with all the trained agents that it depends on.

    Raises:
        InputError: the experiment has no `[study]` table, or cannot be balanced.
    """
    study = _study_of(experiment)
    for method in study.method:
        search = experiment.settings.search.model_copy(update={"method": method})
        checked = check_stages(experiment.with_settings(search=search), results)
    return experiment.with_pilots(checked.pilots)


def run_study(
    experiment: Experiment,
    folder: RunFolder,
    screen: Screen,
    *,
    resume: bool,
    plots: bool,
    threads: int | None,
) -> dict[str, Any]:
    """Run the grid with equal games; writes `runs.csv`, `study.csv` and the plots.

    Finished runs are kept as they end, so a study that was stopped continues where it was.

    Raises:
        InputError: the experiment has no `[study]` table.
    """
    study = _study_of(experiment)
    cells = list(_cells(study, experiment.settings.seed))
    (folder.path / CELLS).mkdir(exist_ok=True)
    grid = _Grid(experiment, folder, resume=resume, threads=threads)
    results: list[dict[str, Any]] = []
    with screen.progress("study", len(cells)) as advance:
        for cell in cells:
            n_certified = sum(result["certified"] for result in results)
            advance(len(results), f"{n_certified} certified; {' '.join(map(str, cell))}")
            results.append(grid.result_of(cell))
    runs = [RunRow(*(result[name] for name in RunRow._fields)) for result in results]
    groups = group_rows(runs)
    folder.write_rows("runs.csv", RunRow, runs)
    folder.write_rows("study.csv", GroupRow, groups)
    _compare_power_measures(experiment, folder, plots=plots, threads=threads)
    if plots:
        from experiments.plots import figure_png, study_plot  # noqa: PLC0415

        title = f"{experiment.settings.name}: {study.run_seeds} runs each, equal games"
        folder.write_bytes("study.png", figure_png(study_plot(runs, title=title)))
    entries = [_group_entry(group) for group in groups]
    summary: dict[str, Any] = {"command": "study", "runs": results, "groups": entries}
    folder.write_json("summary.json", summary)
    _show(groups, screen)
    return summary


def _study_of(experiment: Experiment) -> Study:
    if experiment.settings.study is None:
        raise InputError("study: the experiment has no [study] table")
    return experiment.settings.study


def _cells(study: Study, first_seed: int) -> Iterator[Cell]:
    seeds = range(first_seed, first_seed + study.run_seeds)
    for seed, narrow, start, method in product(seeds, study.narrow, study.start, study.method):
        yield Cell(narrow, start, method, seed)


class _Grid:
    """Runs cells with equal games: what one way of narrowing costs, the others search with."""

    def __init__(
        self, experiment: Experiment, folder: RunFolder, *, resume: bool, threads: int | None
    ) -> None:
        self._experiment = experiment
        self._folder = folder
        self._resume = resume
        self._threads = threads
        self._contest = experiment.contest()
        self._power_contest = power_contest(experiment)
        self._measured: dict[tuple[str, int], Measurement] = {}

    def result_of(self, cell: Cell) -> dict[str, Any]:
        """The result of a cell, from an earlier study where there is one."""
        path = self._folder.path / cell.file
        if self._resume and path.exists():
            return _finished(path, cell)
        settings = self._settings(cell.narrow, cell.run_seed)
        measurement = self._measurement(cell.narrow, cell.run_seed)
        search = settings.search.model_copy(
            update={
                "start": cell.start,
                "method": cell.method,
                "generations": settings.search.generations + self._spare_generations(cell),
            }
        )
        run = run_balance(
            self._contest,
            settings.model_copy(update={"search": search}),
            threads=self._threads,
            measurement=measurement,
        )
        result = {**cell._asdict(), "generations": search.generations, **_measures(run)}
        self._folder.write_json(cell.file, result)
        return result

    def _settings(self, narrow: NarrowBy, run_seed: int) -> ExperimentFile:
        settings = self._experiment.settings
        narrowed = settings.narrow.model_copy(update={"by": narrow})
        return settings.model_copy(update={"narrow": narrowed, "seed": run_seed})

    def _measurement(self, narrow: NarrowBy, run_seed: int) -> Measurement:
        """Today's cards, measured once for all starts and methods."""
        key = (narrow, run_seed)
        if key not in self._measured:
            settings = self._settings(narrow, run_seed)
            self._measured[key] = measure(
                self._contest,
                settings,
                power_contest=self._power_contest,
                threads=self._threads,
            )
        return self._measured[key]

    def _spare_generations(self, cell: Cell) -> int:
        """Generations that the games not spent on narrowing pay for."""
        study, search = _study_of(self._experiment), self._experiment.settings.search
        spent = {
            narrow: self._measurement(narrow, cell.run_seed).narrowing.n_games
            for narrow in study.narrow
        }
        n_genomes = 2 * search.population + 1  # parents, children, and today's cards
        per_matchup = n_genomes * self._experiment.settings.games.search
        per_generation = per_matchup * len(self._contest.matchups)
        return (max(spent.values()) - spent[cell.narrow]) // per_generation


def _finished(path: Path, cell: Cell) -> dict[str, Any]:
    """The result of a run that an earlier study finished."""
    try:
        kept = read_object(path)
    except InputError as error:
        raise InputError(f"{error}; delete it or run without --resume") from None
    missing = {*RunRow._fields} - kept.keys()
    if missing:
        problem = f"no {', '.join(sorted(missing))}"
    elif any(kept[name] != value for name, value in cell._asdict().items()):
        problem = "it is of another run"
    elif any(not isinstance(kept[name], int | float) for name in ("certified", *MEASURES)):
        problem = "a number is none"
    else:
        return kept
    raise InputError(f"{path}: damaged ({problem}); delete it or run without --resume")


def _measures(run: BalanceRun) -> dict[str, Any]:
    chosen = run.selection.recommended
    narrowing = run.measurement.narrowing
    search_games = int(run.state.history[-1, 0])
    return {
        "certified": run.certificate.certified,
        "imbalance_pp": run.certificate.imbalance_pp,
        "change": float(run.selection.scores.change[chosen]),
        "cards_touched": int(run.selection.scores.cards_touched[chosen]),
        "genes": len(narrowing.space.genes),
        "log10_size": narrowing.space.log10_size,
        "narrow_games": narrowing.n_games,
        "search_games": search_games,
        "games": narrowing.n_games + search_games,
    }


def _group_entry(group: GroupRow) -> dict[str, Any]:
    spreads = {
        name: dict(zip(("median", "low", "high"), getattr(group, name), strict=True))
        for name in MEASURES
    }
    return group._asdict() | spreads


def _compare_power_measures(
    experiment: Experiment, folder: RunFolder, *, plots: bool, threads: int | None
) -> None:
    """Win rate when played against leave-one-out power, by card cost."""
    settings = experiment.settings
    contest = power_contest(experiment)
    powers = measure_power(
        contest,
        n_games=settings.games.power,
        run_seed=settings.seed,
        baseline=settings.narrow.baseline,
        threads=threads,
    )
    folder.write_rows("power.csv", PowerRow, power_rows(contest, powers))
    if plots:
        from experiments.plots import figure_png, played_against_power  # noqa: PLC0415

        title = f"{settings.name}: win rate when played against leave-one-out power"
        figure = played_against_power(contest, powers, title=title)
        folder.write_bytes("played_against_power.png", figure_png(figure))


def _show(groups: list[GroupRow], screen: Screen) -> None:
    def spread(name: str, measure: Interval) -> str:
        digits = 1 if name == "imbalance_pp" else 0  # the others are counted
        return f"{measure.estimate:.1f} ({measure.low:.{digits}f}-{measure.high:.{digits}f})"

    screen.table(
        "Median (range) over run seeds",
        ("narrowing", "start", "method", "certified", "imbalance, pp", "change", "cards"),
        [
            (
                group.narrow,
                group.start,
                group.method,
                f"{group.certified}/{group.runs}",
                *(spread(name, getattr(group, name)) for name in MEASURES),
            )
            for group in groups
        ],
    )
