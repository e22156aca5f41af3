"""`evenhand retrodict`: files, summary, the direction of plain changes, and bad input."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from balance.observed.retrodiction import MEASURES, retrodiction_of
from balance.statistics.intervals import Floats, Interval
from experiments.observed.change_list import read_changes
from sim import load_pool
from tests.command_line import (
    THREE,
    command,
    done,
    json_of,
    only_folder,
    refusal,
    rows_of,
    write_experiment,
)
from tests.experiments.result_tables import table
from tests.messages import check_message

TITLES = "Card,Field,Before,After,Date,Response"
CHANGES = [
    "Ember Whelp,health,1,5,2024-01,30",
    "ember_whelp,cost,1,4,2024-02,-20",
    "ember_whelp,attack,3,1,2024-02,",
    "spore_carrier,attack,1,2,,",
]


@pytest.fixture
def changes(tmp_path: Path) -> Path:
    """Return the path of a table of changes."""
    path = tmp_path / "changes.csv"
    path.write_text(table(TITLES, *CHANGES))
    return path


def retrodict(folder: Path, changes: Path, *options: str | Path) -> Any:
    """Run the command on an experiment of three decks, with its results next to it."""
    path = write_experiment(folder, THREE)
    return command(
        "retrodict", path, "--changes", changes, "--results", folder / "results", *options
    )


def test_the_run_folder_holds_the_effects_a_figure_and_the_summary(
    tmp_path: Path, changes: Path
) -> None:
    summary = json_of(retrodict(tmp_path, changes, "--json", "--games", "400"))
    folder = only_folder(tmp_path / "results")
    assert {path.name for path in folder.iterdir()} == {
        "run.json", "resolved.json", "summary.json", "log.txt", "effects.csv", "agreement.csv",
        "effects.png",
    }  # fmt: skip
    assert {*summary} == {
        "command", "seed", "file", "changes", "measures", "unplayed", "n", "pilots", "people",
    }  # fmt: skip
    assert [row["measure"] for row in summary["measures"]] == [*MEASURES]
    assert summary["n"] == 2 * 2 * 2 * 400  # two changes, two opponents, before and after
    better, worse = rows_of(folder / "effects.csv")
    assert better["deck"] == worse["deck"] == "ember_rush"
    assert (better["response"], worse["response"]) == ("30", "-20")
    assert worse["change"] == "cost 1 -> 4, attack 3 -> 1"
    assert float(better["low_pp"]) > 0 > float(worse["high_pp"])
    assert summary["unplayed"] == ["Spore Carrier"]


def test_the_screen_shows_effects_beside_responses(tmp_path: Path, changes: Path) -> None:
    check_message(done(retrodict(tmp_path, changes, "--no-plots")).out)


def test_results_depend_neither_on_threads_nor_on_the_order_of_rows(
    tmp_path: Path, changes: Path
) -> None:
    other = tmp_path / "other.csv"
    other.write_text(table(TITLES, *CHANGES[::-1]))
    one = json_of(retrodict(tmp_path, changes, "--json", "--no-plots", "--threads", "1"))
    two = json_of(retrodict(tmp_path, other, "--json", "--no-plots", "--threads", "2"))
    assert {row["date"]: row["effect_pp"] for row in one["changes"]} == {
        row["date"]: row["effect_pp"] for row in two["changes"]
    }


def test_numbers_before_a_change_are_set_first(tmp_path: Path, changes: Path) -> None:
    pool = load_pool("core")
    first, second, *_ = read_changes(changes, pool)
    whelp = pool.card("ember_whelp")
    for change in (first, second):
        before, after = (one.card("ember_whelp") for one in change.pools(pool))
        for edit in change.numbers:
            assert before.number(edit.field) == edit.before
            assert after.number(edit.field) == edit.after
    same = tmp_path / "same.csv"
    same.write_text(table(TITLES, f"ember_whelp,attack,{whelp.attack},{whelp.attack + 1},,"))
    (change,) = read_changes(same, pool)
    before, after = change.pools(pool)
    assert before == pool != after
    assert np.isnan(change.response)


@pytest.mark.parametrize(
    "rows",
    [
        [], ["nobody,cost,1,2,,"], ["ember_whelp,colour,1,2,,"], ["ember_whelp,cost,1,1,,"],
        ["ember_whelp,cost,1,200,,"], ["ember_whelp,cost,1,x,,"], ["ember_whelp,cost,1,2,,much"],
        ["ember_whelp,cost,1,2,,", "ember_whelp,cost,2,3,,"],
        ["ember_whelp,cost,1,2,,5", "ember_whelp,attack,2,3,,6"], ["spore_carrier,attack,1,2,,"],
    ],
    ids=["empty", "card", "field", "same", "limit", "text", "response", "twice", "two", "no deck"],
)  # fmt: skip
def test_bad_tables_are_refused_in_a_line(tmp_path: Path, rows: list[str]) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(table(TITLES, *rows))
    check_message(refusal(retrodict(tmp_path, path)))
    assert not (tmp_path / "results").exists()


def measured(effects: Floats, responses: Floats, half: float) -> dict[str, Interval]:
    interval = Interval(effects, effects - half, effects + half)
    rows = retrodiction_of(interval, responses, run_seed=1, n_resamples=200)
    return {row.measure: row.value for row in rows}


def test_effects_that_follow_the_responses_are_shown_to() -> None:
    responses = np.array([-5.0, -4, -3, -2, -1, 1, 2, 3, np.nan, 0])
    found = measured(2 * np.nan_to_num(responses, nan=9.0), responses, 0.1)
    assert float(found["same_direction"].estimate) == 1
    assert float(found["down_direction"].estimate) == 5 / 8
    assert float(found["rank_sizes"].estimate) == 1
    assert float(found["rank_sizes"].low) > 0.8


def test_without_responses_nothing_is_compared() -> None:
    found = measured(np.arange(5.0), np.full(5, np.nan), 1.0)
    assert all(np.isnan(value.estimate) for value in found.values())
    few = measured(np.arange(3.0), np.arange(1, 4.0), 1.0)
    assert np.isnan(few["rank_sizes"].estimate)
