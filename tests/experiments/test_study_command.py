"""A study runs its grid, keeps finished cells, and summarises each combination correctly."""

from __future__ import annotations

import json
import shutil
from itertools import product
from pathlib import Path
from statistics import median
from typing import Any
from unittest import mock

import pytest

from balance import CardQuestion
from experiments.commands import study as study_command
from experiments.loading import load_experiment
from experiments.results.grids import RunRow, group_rows
from tests.command_line import (
    TINY,
    ask,
    contents,
    json_of,
    only_folder,
    read_json,
    rows_of,
    run_folder,
    summary_of,
    timeless,
    unchanged,
    write_experiment,
)
from tests.experiments.command_goldens import check_refused
from tests.messages import check_message

pytestmark = pytest.mark.thorough

SMALL = TINY.replace("generations = 6", "generations = 2")
TWO_CELLS = SMALL + '[study]\nnarrow = ["none"]\nmethod = ["ga"]\nrun_seeds = 2\n'
GRID = TWO_CELLS.replace('["none"]', '["random", "none"]').replace("run_seeds = 2", "run_seeds = 3")
FILES = {
    "run.json", "resolved.json", "summary.json", "log.txt", "runs.csv", "study.csv", "cells",
}  # fmt: skip


def study(folder: Path, text: str, *options: str, results: str = "results") -> dict[str, Any]:
    """Run a study, and return its summary."""
    summary: dict[str, Any] = json_of(
        ask("study", folder, "--no-plots", "--json", *options, text=text, results=results),
        has_notes="--resume" in options,
    )
    return summary


@pytest.fixture(scope="module")
def two_cells(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Run a study of two cells, and return its folder, which tests must not change."""
    place = tmp_path_factory.mktemp("two")
    study(place, TWO_CELLS)
    return only_folder(place / "results")


def test_a_study_of_two_cells_leaves_its_tables(two_cells: Path) -> None:
    assert {path.name for path in two_cells.iterdir()} == FILES
    assert [row["run_seed"] for row in summary_of(two_cells)["runs"]] == [7, 8]
    assert {path.name for path in (two_cells / "cells").iterdir()} == {
        "none-ga-7.json",
        "none-ga-8.json",
    }
    assert len(rows_of(two_cells / "runs.csv")) == 2


@pytest.mark.parametrize("methods", ['method = ["ga"]\n', ""])
def test_the_runs_of_a_study_widen_nothing_by_default(tmp_path: Path, methods: str) -> None:
    text = TWO_CELLS.replace('method = ["ga"]\n', methods)
    experiment = load_experiment(str(write_experiment(tmp_path, text)))
    for question in study_command._questions(experiment).values():
        assert question.settings.search.widen == ()


def test_a_cell_is_the_balance_run_of_the_same_settings(two_cells: Path, tmp_path: Path) -> None:
    alone = SMALL.replace('by = "power"', 'by = "none"').replace("nsga2", "ga")
    for row in summary_of(two_cells)["runs"]:
        seed = str(row["run_seed"])
        expected = summary_of(
            run_folder("balance", tmp_path, "--seed", seed, text=alone, results=seed)
        )
        for key in ("certified", "change", "cards_touched"):
            assert row[key] == expected[key]
        assert row["imbalance_pp"] == pytest.approx(expected["imbalance_pp"], abs=1e-9)
        assert row["search_games"] == expected["games"]["search"]


def test_groups_are_the_runs_of_all_run_seeds(tmp_path: Path) -> None:
    summary = study(tmp_path, GRID)
    assert [group["narrow"] for group in summary["groups"]] == ["random", "none"]
    for group in summary["groups"]:
        rows = [row for row in summary["runs"] if row["narrow"] == group["narrow"]]
        assert group["runs"] == len(rows) == 3
        assert group["change"]["median"] == median(row["change"] for row in rows)


WAYS = ("lever", "none", "power", "random")
ARMS = (
    SMALL.replace(
        "[tune]\n", "[tune]\nsense = false  # which makes some of the few genomes alike\n"
    )
    + """[study]
narrow = ["lever", "none", "power", "random"]
method = ["ga", "nsga2", "dense_ga", "dense_nsga2"]
run_seeds = 2
"""
)


@pytest.fixture(scope="module")
def studied(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[tuple[str, int]]]:
    """Run a study with all ways of narrowing; return its folder and its measurements."""
    place = tmp_path_factory.mktemp("arms")
    measure = CardQuestion.measure
    with mock.patch.object(CardQuestion, "measure", autospec=True, side_effect=measure) as measured:
        study(place, ARMS)
    measured_settings = [call.args[0].settings for call in measured.call_args_list]
    measurements = [(settings.narrow.by, settings.seed) for settings in measured_settings]
    return only_folder(place / "results"), measurements


@pytest.fixture
def arms(studied: tuple[Path, Any]) -> Path:
    return studied[0]


def test_all_arms_play_as_many_games_to_within_a_generation(arms: Path) -> None:
    rows = summary_of(arms)["runs"]
    assert len(rows) == 2 * 4 * 2 * 2
    per_generation = (2 * 8 + 1) * 20  # parents, children and today's cards; one matchup
    for seed in (7, 8):
        totals = {
            (row["narrow"], row["method"]): row["narrow_games"] + row["search_games"]
            for row in rows
            if row["run_seed"] == seed
        }
        most = max(games for arm, games in totals.items() if arm[0] == "lever")
        assert all(0 <= most - games < per_generation for games in totals.values()), totals
    for row in rows:
        assert row["games"] > row["narrow_games"] + row["search_games"]
        assert row["search_games"] == per_generation * row["rounds"] + 9 * 20
        assert (row["narrow_games"] > 0) == (row["narrow"] in {"lever", "power"})
    generations = {row["narrow"]: row["rounds"] for row in rows}
    assert generations["lever"] == 2  # as the file says: it spends most
    assert generations["none"] == generations["random"] > generations["power"] > 2


def test_a_study_goes_seed_by_seed(arms: Path) -> None:
    keys = ("run_seed", "narrow", "method")
    expected = list(product((7, 8), WAYS, ("ga", "nsga2", "dense_ga", "dense_nsga2")))
    assert [tuple(row[key] for key in keys) for row in summary_of(arms)["runs"]] == expected


def test_methods_of_a_seed_share_one_measurement(studied: tuple[Path, Any]) -> None:
    assert sorted(studied[1]) == sorted(product(WAYS, (7, 8)))


@pytest.mark.parametrize("lost", ["none-ga-8", "power-dense_nsga2-7", "lever-dense_ga-8"])
def test_a_lost_cell_comes_out_as_it_was(lost: str, arms: Path, tmp_path: Path) -> None:
    """A lost cell is the same again, though other cells of its seed need no measurement."""
    results = Path(shutil.copytree(arms.parent, tmp_path / "results"))
    with unchanged(contents, results, logs=False):
        (results / arms.name / "cells" / f"{lost}.json").unlink()
        study(tmp_path, ARMS, "--resume")


def test_medians_and_ranges_of_known_numbers() -> None:
    run = RunRow("none", "ga", 1, "", True, 4.0, 9, 1, 5, 2.0, 2, 0, 9, 9)
    rows = [
        run._replace(certified=certified, imbalance_pp=imbalance, change=change)
        for certified, imbalance, change in ((True, 4.0, 9), (False, 1.0, 2), (True, 2.5, 3),
                                             (True, 100.0, 4))
    ]  # fmt: skip
    first, second = group_rows([*rows, run._replace(method="dense_ga", imbalance_pp=7.0)])
    assert (first.method, first.certified, first.runs) == ("ga", 3, 4)
    assert (first.imbalance_pp, first.change) == ((3.25, 1.0, 100.0), (3.5, 2.0, 9.0))
    assert second.imbalance_pp == (7.0, 7.0, 7.0)


def test_a_stopped_study_resumes_from_its_finished_cells(
    two_cells: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[int] = []
    run_stages = study_command.run_stages

    def interrupted_once(question: Any, context: Any, **options: Any) -> Any:
        played.append(question.settings.seed)
        if len(played) == 2:
            raise KeyboardInterrupt
        return run_stages(question, context, **options)

    monkeypatch.setattr(study_command, "run_stages", interrupted_once)
    stopped = ask("study", tmp_path, "--no-plots", text=TWO_CELLS)
    assert stopped.status == 130
    assert "--resume" in stopped.err
    folder = only_folder(tmp_path / "results")
    finished = (folder / "cells" / "none-ga-7.json").read_bytes()
    study(tmp_path, TWO_CELLS, "--resume")
    assert played == [7, 8, 8]
    assert timeless(folder) == timeless(two_cells)
    assert (folder / "cells" / "none-ga-7.json").read_bytes() == finished


@pytest.mark.parametrize(
    "damage",
    [
        '{"half":', "", "[]", "3", '{"narrow": "none"}', "null", "[" * 100_000,
        {"run_seed": 8}, {"certified": "yes"}, {"change": None}, {"narrow": []},
    ],
)  # fmt: skip
def test_a_damaged_cell_is_refused_by_name(
    damage: str | dict[str, Any], two_cells: Path, tmp_path: Path
) -> None:
    results = Path(shutil.copytree(two_cells.parent, tmp_path / "results"))
    cell = results / two_cells.name / "cells" / "none-ga-7.json"
    if isinstance(damage, dict):
        damage = json.dumps(read_json(cell) | damage)
    cell.write_text(damage, encoding="utf-8")
    with unchanged(contents, results, logs=False):
        outcome = ask("study", tmp_path, "--no-plots", "--resume", text=TWO_CELLS)
    note, message = outcome.err.splitlines(keepends=True)
    assert outcome.status == 2
    assert "is finished" in note
    assert message.startswith(f"evenhand: {cell}: ")
    check_message(message)


def test_options_ask_for_more_than_the_file(tmp_path: Path) -> None:
    options = ("--methods", "ga,random", "--seeds", "1", "--truth", "400", "--seed", "3")
    summary = study(tmp_path, SMALL, *options)
    assert [(row["method"], row["run_seed"]) for row in summary["runs"]] == [
        ("ga", 3),
        ("random", 3),
    ]
    assert all((row["truth_pp"] is None) != row["certified"] for row in summary["runs"])
    judged = [group["judged"] for group in summary["groups"]]
    assert judged == [group["certified"] for group in summary["groups"]]


@pytest.mark.parametrize(
    "options",
    [
        ("--methods", "gaa"),
        ("--methods", ","),
        ("--truth", "401"),
        ("--truth", "2"),
        ("--seeds", "0"),
    ],
)
def test_bad_options_are_refused(options: tuple[str, str], tmp_path: Path) -> None:
    check_refused("study", tmp_path, *options, text=SMALL)


def test_a_total_is_split_for_every_method_and_narrowing(tmp_path: Path) -> None:
    games = "[games]\ntotal = 30_000\n"
    text = SMALL.split("[games]")[0] + games + '[search]\nassist = true\nmethod = "ga"\n'
    experiment = load_experiment(str(write_experiment(tmp_path, text)))
    grid = experiment.settings.study.model_copy(
        update={"method": ("model", "nsga2"), "narrow": ("none", "power"), "run_seeds": 1}
    )
    questions = study_command._questions(experiment.with_settings(study=grid))
    assert len(questions) == 4
    for (narrow, method), question in questions.items():
        settings = question.settings
        assert (settings.search.method, settings.narrow.by) == (method, narrow)
        assert not settings.search.assist
        alone = write_experiment(
            tmp_path,
            text.replace('assist = true\nmethod = "ga"', f'method = "{method}"')
            + f'[narrow]\nby = "{narrow}"\n',
            file="alone.toml",
        )
        expected = load_experiment(str(alone)).settings
        assert (settings.games, settings.search.population, settings.search.generations) == (
            expected.games, expected.search.population, expected.search.generations,
        )  # fmt: skip
