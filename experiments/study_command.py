"""`evenhand study`: the same balance task under every combination of a grid."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from balance.power import measure_power
from experiments.balance_run import BalanceRun, check_stages, run_stages
from experiments.console import Screen
from experiments.experiment import Experiment, Study
from experiments.run_folder import RunFolder
from sim.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

MEASURES = ("imbalance_pp", "change", "cards_touched")
CELLS = "cells"  # folder of finished runs, one file each


class Cell(NamedTuple):
    """One run of the grid."""

    narrow: str
    start: str
    method: str
    run_seed: int

    @property
    def file(self) -> str:
        """Where its result is kept."""
        return f"{CELLS}/{self.narrow}-{self.start}-{self.method}-{self.run_seed}.json"


def check_study(experiment: Experiment) -> None:
    """Refuse a study of which some run would fail, before anything is written.

    Raises:
        InputError: the experiment has no `[study]` table, or cannot be balanced.
    """
    study = _study_of(experiment)
    for method in study.method:
        search = experiment.settings.search.model_copy(update={"method": method})
        check_stages(experiment.with_settings(search=search))


def run_study(
    experiment: Experiment,
    folder: RunFolder,
    screen: Screen,
    *,
    resume: bool,
    plots: bool,
    threads: int | None,
) -> dict[str, Any]:
    """Run the grid; writes `runs.csv`, `study.csv` and the plots.

    Finished runs are kept as they end, so a study that was stopped continues where it was.

    Raises:
        InputError: the experiment has no `[study]` table.
    """
    study = _study_of(experiment)
    cells = list(_cells(study, experiment.settings.seed))
    (folder.path / CELLS).mkdir(exist_ok=True)
    with screen.progress("study", len(cells)) as advance:
        results = []
        for done, cell in enumerate(cells):
            advance(done, f"{cell.narrow} {cell.start} {cell.method} seed {cell.run_seed}")
            results.append(_result_of(cell, experiment, folder, resume=resume, threads=threads))
    runs = _runs_table(results, folder)
    groups = _groups(runs)
    _write_groups(groups, folder)
    _compare_power_measures(experiment, folder, plots=plots, threads=threads)
    if plots:
        from experiments.plots import figure_png, study_plot  # noqa: PLC0415

        title = f"{experiment.settings.name}: {study.run_seeds} runs each, equal games"
        folder.write_bytes("study.png", figure_png(study_plot(runs, title=title)))
    summary: dict[str, Any] = {"command": "study", "runs": results, "groups": groups}
    folder.write_json("summary.json", summary)
    _show(groups, screen)
    return summary


def _study_of(experiment: Experiment) -> Study:
    if experiment.settings.study is None:
        raise InputError("study: the experiment has no [study] table")
    return experiment.settings.study


def _cells(study: Study, first_seed: int) -> Iterator[Cell]:
    seeds = range(first_seed, first_seed + study.run_seeds)
    for narrow, start, method, seed in product(study.narrow, study.start, study.method, seeds):
        yield Cell(narrow, start, method, seed)


def _result_of(
    cell: Cell, experiment: Experiment, folder: RunFolder, *, resume: bool, threads: int | None
) -> dict[str, Any]:
    path = folder.path / cell.file
    if resume and path.exists():
        return _finished(path)
    settings = experiment.settings
    narrowed = settings.narrow.model_copy(update={"by": cell.narrow})
    search = settings.search.model_copy(update={"start": cell.start, "method": cell.method})
    one = experiment.with_settings(narrow=narrowed, search=search, seed=cell.run_seed)
    began_s = time.perf_counter()
    result = {**cell._asdict(), **_measures(run_stages(one, threads=threads))}
    result["seconds"] = round(time.perf_counter() - began_s, 3)
    folder.write_json(cell.file, result)
    return result


def _finished(path: Path) -> dict[str, Any]:
    """The result of a run that an earlier study finished."""
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        missing = {*Cell._fields, "certified", *MEASURES} - set(kept)
    except (OSError, ValueError, TypeError) as error:
        raise InputError(f"{path}: damaged ({error}); delete it or run without --resume") from error
    if missing:
        names = ", ".join(sorted(missing))
        raise InputError(f"{path}: damaged (no {names}); delete it or run without --resume")
    result: dict[str, Any] = kept
    return result


def _measures(run: BalanceRun) -> dict[str, Any]:
    chosen = run.selection.recommended
    distance = np.abs(run.certificate.after.estimate - run.evaluator.targets)
    return {
        "certified": run.certificate.certified,
        "imbalance_pp": float(100 * distance.max()),
        "change": float(run.selection.scores.change[chosen]),
        "cards_touched": int(run.selection.scores.cards_touched[chosen]),
        "genes": len(run.narrowing.space.genes),
        "log10_size": run.narrowing.space.log10_size,
        "search_games": int(run.state.history[-1, 0]),
    }


def _runs_table(results: list[dict[str, Any]], folder: RunFolder) -> pd.DataFrame:
    import pandas as pd  # noqa: PLC0415 (slow to load)

    runs = pd.DataFrame(results)
    folder.write_csv("runs.csv", list(runs.columns), runs.to_numpy().tolist())
    return runs


def _groups(runs: pd.DataFrame) -> list[dict[str, Any]]:
    """Medians and ranges of each combination over its run seeds."""
    groups = []
    for key, group in runs.groupby(["narrow", "start", "method"], sort=False):
        row: dict[str, Any] = dict(zip(("narrow", "start", "method"), key, strict=True))
        row |= {"certified": int(group["certified"].sum()), "runs": len(group)}
        for measure in MEASURES:
            values = group[measure].to_numpy(dtype=float)
            row[measure] = {
                "median": float(np.median(values)),
                "low": float(values.min()),
                "high": float(values.max()),
            }
        groups.append(row)
    return groups


def _write_groups(groups: list[dict[str, Any]], folder: RunFolder) -> None:
    header = ["narrow", "start", "method", "certified", "runs"]
    for measure in MEASURES:
        header += [f"{measure}_median", f"{measure}_low", f"{measure}_high"]
    rows = [
        [group[key] for key in header[:5]]
        + [group[measure][part] for measure in MEASURES for part in ("median", "low", "high")]
        for group in groups
    ]
    folder.write_csv("study.csv", header, rows)


def _compare_power_measures(
    experiment: Experiment, folder: RunFolder, *, plots: bool, threads: int | None
) -> None:
    """Win rate when played against leave-one-out power, by card cost."""
    contest, settings = experiment.contest(), experiment.settings
    powers = measure_power(
        contest, n_games=settings.games.power, run_seed=settings.seed, threads=threads
    )
    from experiments.power_command import HEADER, power_rows  # noqa: PLC0415

    folder.write_csv("power.csv", HEADER, power_rows(contest, powers))
    if plots:
        from experiments.plots import figure_png, played_against_power  # noqa: PLC0415

        title = f"{settings.name}: win rate when played against leave-one-out power"
        figure = played_against_power(contest, powers, title=title)
        folder.write_bytes("played_against_power.png", figure_png(figure))


def _show(groups: list[dict[str, Any]], screen: Screen) -> None:
    def spread(measure: dict[str, float]) -> str:
        return f"{measure['median']:.1f} ({measure['low']:.1f}-{measure['high']:.1f})"

    screen.table(
        "Median (range) over run seeds",
        ("narrowing", "start", "method", "certified", "imbalance, pp", "change", "cards"),
        [
            (
                group["narrow"],
                group["start"],
                group["method"],
                f"{group['certified']}/{group['runs']}",
                *(spread(group[measure]) for measure in MEASURES),
            )
            for group in groups
        ],
    )
