"""`evenhand study`: the same balance task under every combination of a grid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from balance import CardContest, CardPower, Interval, NarrowBy, PowerRow, measure_power, power_rows
from balance.pipeline import BalanceRun, Measurement, measure, run_balance
from experiments import plots
from experiments.commands.balance import check_stages
from experiments.experiment import Experiment
from experiments.files.experiment_file import ExperimentFile, Study
from experiments.learning.power_pilots import power_contest
from experiments.results.study import MEASURES, GroupRow, RunRow, group_rows
from experiments.runs.cells import rows_of_cells
from experiments.runs.run import Findings, Run
from experiments.screen.console import Table
from sim.errors import InputError


class Cell(NamedTuple):
    """One run of the grid."""

    narrow: NarrowBy
    start: str
    method: str
    run_seed: int

    @property
    def name(self) -> str:
        """Of its file, and for people."""
        return "-".join(map(str, self))


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
    for method in _study_of(experiment).method:
        search = experiment.settings.search.model_copy(update={"method": method})
        checked = check_stages(experiment.with_settings(search=search), results)
    return experiment.with_pilots(checked.pilots)


def run_study(run: Run) -> Findings:
    """Run the grid with equal games; finds `runs.csv`, `study.csv` and the plots.

    Finished runs are kept as they end, so a study that was stopped continues where it was.

    Raises:
        InputError: the experiment has no `[study]` table.
    """
    experiment, settings = run.experiment, run.experiment.settings
    study = _study_of(experiment)
    cells = list(_cells(study, settings.seed))
    runs = rows_of_cells(run, "study", cells, RunRow, _Grid(run).row_of)
    groups = group_rows(runs)
    contest, powers = _powers(run)
    return Findings(
        tables={
            "runs.csv": (RunRow, runs),
            "study.csv": (GroupRow, groups),
            "power.csv": (PowerRow, power_rows(contest, powers)),
        },
        figures={
            "played_against_power.png": lambda: plots.played_against_power(
                contest,
                powers,
                title=f"{settings.name}: win rate when played against leave-one-out power",
            ),
            "study.png": lambda: plots.study_plot(
                runs, title=f"{settings.name}: {study.run_seeds} runs each, equal games"
            ),
        },
        summary={
            "command": "study",
            "runs": [row._asdict() for row in runs],
            "groups": list(map(_entry, groups)),
        },
        shown=[_table(groups)],
    )


def _powers(run: Run) -> tuple[CardContest, Sequence[CardPower]]:
    """Leave-one-out power, to be drawn against the win rate when played."""
    settings, contest = run.experiment.settings, power_contest(run.experiment)
    return contest, measure_power(
        contest,
        n_games=settings.games.power,
        run_seed=settings.seed,
        baseline=settings.narrow.baseline,
        threads=run.threads,
    )


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

    def __init__(self, run: Run) -> None:
        self._run = run
        self._experiment = run.experiment
        self._contest = run.experiment.contest()
        self._power_contest = power_contest(run.experiment)
        self._measurement = cache(self._measure)  # once for all starts and methods

    def row_of(self, cell: Cell) -> RunRow:
        """Run a cell."""
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
            threads=self._run.threads,
            measurement=measurement,
        )
        return RunRow(*cell, generations=search.generations, **_measures(run))

    def _settings(self, narrow: NarrowBy, run_seed: int) -> ExperimentFile:
        settings = self._experiment.settings
        narrowed = settings.narrow.model_copy(update={"by": narrow})
        return settings.model_copy(update={"narrow": narrowed, "seed": run_seed})

    def _measure(self, narrow: NarrowBy, run_seed: int) -> Measurement:
        """Today's cards."""
        return measure(
            self._contest,
            self._settings(narrow, run_seed),
            power_contest=self._power_contest,
            threads=self._run.threads,
        )

    def _spare_generations(self, cell: Cell) -> int:
        """Generations that the games not spent on narrowing pay for."""
        study, search = _study_of(self._experiment), self._experiment.settings.search
        spent = {
            narrow: self._measurement(narrow, cell.run_seed).narrowing.n_games
            for narrow in study.narrow
        }
        n_genomes = 2 * search.population + 1  # parents, children, and today's cards
        n_games = self._experiment.settings.games.search * len(self._contest.matchups)
        return (max(spent.values()) - spent[cell.narrow]) // (n_genomes * n_games)


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


def _entry(group: GroupRow) -> dict[str, Any]:
    return group._asdict() | {
        name: dict(zip(("median", "low", "high"), getattr(group, name), strict=True))
        for name in MEASURES
    }


def _table(groups: Sequence[GroupRow]) -> Table:
    def spread(name: str, measure: Interval) -> str:
        digits = 1 if name == "imbalance_pp" else 0  # the others are counted
        return f"{measure.estimate:.1f} ({measure.low:.{digits}f}-{measure.high:.{digits}f})"

    return Table(
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
