"""What the comparison with frozen numbers reports, and what it leaves alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.frozen.cases import CASES
from tests.frozen.comparison import differences, read_frozen, write_frozen
from tests.frozen.numbers import hashes_below
from tests.frozen.runner import CONFIGS, tasks

TABLE = "matchup,win_rate,seconds,verdict,remark\na vs b,0.51,{seconds},inside,{remark}\n"
PATCHED = '[[card]]\nid = "whelp"\ntext = "{text}"\nattack = {attack}\n'


def write_run(
    folder: Path,
    *,
    digest: str = "0123abcd",
    table: str = TABLE,
    n: int = 40,
    seconds: float = 1.5,
    remark: str = "all is well",
    attack: int = 2,
    commit: str = "6d8a7b63",
) -> Path:
    """Write a small run folder; return the folder of results."""
    run = folder / f"made-{digest}"
    run.mkdir(parents=True)
    (run / "matchups.csv").write_text(table.format(seconds=seconds, remark=remark))
    summary = {"n": n, "explanation": remark, "seconds": seconds, "path": str(run)}
    (run / "summary.json").write_text(json.dumps(summary))
    (run / "run.json").write_text(json.dumps({"commit": commit, "seed": 10_000_001}))
    (run / "patched_pool.toml").write_text(PATCHED.format(text=remark, attack=attack))
    (run / "log.txt").write_text(remark)
    return folder


@pytest.fixture
def before(tmp_path: Path):
    return hashes_below(write_run(tmp_path / "before"))


@pytest.mark.parametrize(
    ("change", "reported"),
    [
        ({"n": 41}, "summary.json: values of 'n' differ"),
        ({"attack": 3}, "patched_pool.toml: values of 'card[].attack' differ"),
        ({"table": TABLE.replace("0.51", "0.52")}, "matchups.csv: values of 'win_rate' differ"),
        ({"table": TABLE.replace("inside", "OUT")}, "matchups.csv: values of 'verdict' differ"),
        ({"table": TABLE.replace("a vs b", "a vs c")}, "matchups.csv: values of 'matchup' differ"),
        (
            {"table": TABLE.replace("win_rate", "rate")},
            "matchups.csv: column or key 'win_rate' is missing, column or key 'rate' is new",
        ),
        (
            {"table": TABLE + "b vs c,0.5,1,inside,well\n"},
            "matchups.csv: values of 'matchup' differ, values of 'win_rate' differ, "
            "values of 'seconds' differ, values of 'verdict' differ, and 1 more",
        ),
    ],
)
def test_a_change_is_located(before, change, reported, tmp_path: Path) -> None:
    after = hashes_below(write_run(tmp_path / "after", **change))
    assert differences("made", before, after) == [f"made: made-#/{reported}"]


def test_a_missing_and_a_new_file_are_reported(before, tmp_path: Path) -> None:
    results = write_run(tmp_path / "after")
    (results / "made-0123abcd" / "summary.json").rename(results / "made-0123abcd" / "other.json")
    assert differences("made", before, hashes_below(results)) == [
        "made: made-#/summary.json: missing",
        "made: made-#/other.json: new",
    ]


@pytest.mark.parametrize(
    "change",
    [
        {"remark": "nothing is wrong"},
        {"seconds": 2.5},
        {"commit": "7c57d5be"},
        {"digest": "89012345"},
    ],
)
def test_words_times_and_versions_are_left_alone(before, change, tmp_path: Path) -> None:
    after = hashes_below(write_run(tmp_path / "after", **change))
    assert differences("made", before, after) == []


def test_a_large_whole_number_is_no_digest(before, tmp_path: Path) -> None:
    results = write_run(tmp_path / "after")
    (results / "made-0123abcd" / "run.json").write_text('{"commit": "a", "seed": 10000002}')
    reported = ["made: made-#/run.json: values of 'seed' differ"]
    assert differences("made", before, hashes_below(results)) == reported


def test_the_file_of_hashes_is_read_as_it_was_written(before, tmp_path: Path) -> None:
    write_frozen({"made, seed 1": before}, tmp_path / "frozen.json")
    assert read_frozen(tmp_path / "frozen.json") == {"made, seed 1": before}


def test_every_shipped_experiment_is_run_and_the_committed_file_knows_all(tmp_path: Path) -> None:
    commands = " ".join(command for case in CASES for command in case.commands)
    shipped = {path.stem for path in CONFIGS.glob("*.toml")}
    assert {name for name in shipped if f"{{{name}}}" not in commands} == set()
    assert set(read_frozen()) == {task.name for task in tasks(tmp_path)}
