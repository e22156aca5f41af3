"""A study runs its grid, keeps what is finished, and sums up each combination rightly."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from experiments import study_command
from tests.command_line import TINY, balance, command, contents, only_folder, write_experiment

SMALL = TINY.replace("generations = 6", "generations = 2")
TWO_CELLS = (
    SMALL + '[study]\nnarrow = ["none"]\nstart = ["sparse"]\nmethod = ["ga"]\nrun_seeds = 2\n'
)
GRID = TWO_CELLS.replace('["none"]', '["random", "none"]').replace("run_seeds = 2", "run_seeds = 3")
FILES = {
    "run.json", "resolved.json", "summary.json", "runs.csv", "study.csv", "power.csv", "cells",
}  # fmt: skip


def run(experiment: Path, results: Path, *options: str) -> dict[str, Any]:
    arguments = ("study", experiment, "--results", results, "--no-plots", "--json")
    outcome = command(*arguments, *options)
    assert (outcome.status, outcome.err) == (0, "")
    summary: dict[str, Any] = json.loads(outcome.out)
    return summary


def without_times(summary: dict[str, Any]) -> dict[str, Any]:
    runs = [{key: row[key] for key in row if key != "seconds"} for row in summary["runs"]]
    return {**summary, "runs": runs}


def test_a_study_of_two_cells_leaves_its_tables(tmp_path: Path) -> None:
    summary = run(write_experiment(tmp_path, TWO_CELLS), tmp_path / "r")
    folder = only_folder(tmp_path / "r")
    assert {path.name for path in folder.iterdir()} == FILES
    assert [row["run_seed"] for row in summary["runs"]] == [7, 8]
    cells = {path.name for path in (folder / "cells").iterdir()}
    assert cells == {"none-sparse-ga-7.json", "none-sparse-ga-8.json"}
    with (folder / "runs.csv").open(encoding="utf-8") as file:
        assert len(list(csv.DictReader(file))) == 2


def test_a_cell_is_the_balance_run_of_the_same_settings(tmp_path: Path) -> None:
    summary = run(write_experiment(tmp_path, TWO_CELLS), tmp_path / "r")
    alone = SMALL.replace('by = "power"', 'by = "none"').replace("nsga2", "ga")
    for row in summary["runs"]:
        place = tmp_path / str(row["run_seed"])
        place.mkdir()
        text = alone.replace("seed = 7", f"seed = {row['run_seed']}")
        folder = balance(write_experiment(place, text), place / "r")
        expected = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
        for key in ("certified", "change", "cards_touched"):
            assert row[key] == expected[key]
        assert row["imbalance_pp"] == pytest.approx(expected["imbalance_pp"], abs=1e-9)
        assert row["search_games"] == expected["games"]["search"]


def test_groups_are_medians_and_ranges_over_the_run_seeds(tmp_path: Path) -> None:
    summary = run(write_experiment(tmp_path, GRID), tmp_path / "r")
    groups = summary["groups"]
    assert [group["narrow"] for group in groups] == ["random", "none"]
    for group in groups:
        rows = [row for row in summary["runs"] if row["narrow"] == group["narrow"]]
        assert group["runs"] == len(rows) == 3
        assert group["certified"] == sum(row["certified"] for row in rows)
        for measure in ("imbalance_pp", "change", "cards_touched"):
            values = [row[measure] for row in rows]
            expected = {"median": median(values), "low": min(values), "high": max(values)}
            assert group[measure] == pytest.approx(expected)
    table = only_folder(tmp_path / "r") / "study.csv"
    with table.open(encoding="utf-8") as file:
        for line, group in zip(csv.DictReader(file), groups, strict=True):
            assert line["narrow"] == group["narrow"]
            assert int(line["runs"]) == group["runs"]
            for part in ("median", "low", "high"):
                shown = float(line[f"imbalance_pp_{part}"])
                assert shown == pytest.approx(group["imbalance_pp"][part], rel=1e-5)


def test_medians_and_ranges_of_known_numbers() -> None:
    import pandas as pd

    kind = {"narrow": "none", "start": "sparse", "method": "ga", "cards_touched": 1}
    rows = [
        {**kind, "certified": certified, "imbalance_pp": imbalance, "change": change}
        for certified, imbalance, change in ((True, 4.0, 9), (False, 1.0, 2), (True, 2.5, 3),
                                             (True, 100.0, 4))
    ]  # fmt: skip
    other = {**rows[0], "start": "dense", "imbalance_pp": 7.0}
    first, second = study_command._groups(pd.DataFrame([*rows, other]))
    assert (first["start"], first["certified"], first["runs"]) == ("sparse", 3, 4)
    assert first["imbalance_pp"] == {"median": 3.25, "low": 1.0, "high": 100.0}
    assert first["change"] == {"median": 3.5, "low": 2.0, "high": 9.0}
    assert second["imbalance_pp"] == {"median": 7.0, "low": 7.0, "high": 7.0}


def test_a_stopped_study_resumes_from_its_finished_cells(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    experiment = write_experiment(tmp_path, TWO_CELLS)
    unbroken = run(experiment, tmp_path / "unbroken")
    played: list[int] = []
    run_balance = study_command.run_balance

    def interrupted_once(contest: Any, settings: Any, **options: Any) -> Any:
        played.append(settings.seed)
        if len(played) == 2:
            raise KeyboardInterrupt
        return run_balance(contest, settings, **options)

    monkeypatch.setattr(study_command, "run_balance", interrupted_once)
    arguments = ("study", experiment, "--results", tmp_path / "r", "--no-plots")
    stopped = command(*arguments)
    assert stopped.status == 130
    assert "--resume" in stopped.err
    finished = contents(only_folder(tmp_path / "r"))["cells/none-sparse-ga-7.json"]
    resumed = run(experiment, tmp_path / "r", "--resume")
    assert played == [7, 8, 8]
    assert without_times(resumed) == without_times(unbroken)
    assert contents(only_folder(tmp_path / "r"))["cells/none-sparse-ga-7.json"] == finished


def test_a_study_without_resume_begins_anew_and_keeps_the_old_one(tmp_path: Path) -> None:
    experiment = write_experiment(tmp_path, TWO_CELLS)
    first = run(experiment, tmp_path / "r")
    old = contents(only_folder(tmp_path / "r"))
    second = run(experiment, tmp_path / "r")
    assert without_times(first) == without_times(second)
    kept = [contents(folder) for folder in (tmp_path / "r").iterdir()]
    assert len(kept) == 2
    assert old in kept


@pytest.mark.parametrize("content", ['{"half":', "", "[]", "3", '{"narrow": "none"}'])
def test_a_damaged_cell_is_refused_by_name(content: str, tmp_path: Path) -> None:
    experiment = write_experiment(tmp_path, TWO_CELLS)
    run(experiment, tmp_path / "r")
    cell = only_folder(tmp_path / "r") / "cells" / "none-sparse-ga-7.json"
    cell.write_text(content, encoding="utf-8")
    before = contents(tmp_path)
    outcome = command("study", experiment, "--results", tmp_path / "r", "--no-plots", "--resume")
    assert outcome.status == 2
    assert outcome.out == ""
    assert outcome.err.startswith(f"evenhand: {cell}: damaged (")
    assert outcome.err.count("\n") == 1
    assert contents(tmp_path) == before
