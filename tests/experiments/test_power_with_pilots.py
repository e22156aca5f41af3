"""`evenhand power` by trained agents: who measures, how exploitable they are, who agrees."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from scipy import stats

from experiments.learning import exploits
from tests.command_line import Outcome, command, contents, done, refusal, rows_of, write_experiment
from tests.experiments.trained import BY_LEARNERS, LEARNERS, WITH_PILOTS, finished_training

pytestmark = pytest.mark.thorough


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(exploits, "N_GAMES", 400)
    finished_training(tmp_path / "results")
    return tmp_path / "results"


def power(folder: Path, results: Path, text: str, *options: str) -> Outcome:
    experiment = write_experiment(folder, text)
    return command("power", experiment, "--results", results, "--no-plots", *options)


def summary_of(outcome: Outcome) -> dict[str, Any]:
    assert outcome.status == 0, outcome.err
    summary: dict[str, Any] = json.loads(outcome.out)
    return summary


def folder_of(results: Path) -> Path:
    (folder,) = results.glob("tiny-power-*")
    return folder


def test_learners_measure_power_and_are_exploited(tmp_path: Path, results: Path) -> None:
    summary = summary_of(power(tmp_path, results, BY_LEARNERS, "--exploit-steps", "1000", "--json"))
    agents = {row["player"]: row["agent"] for row in summary["skip"]}
    assert agents == {"ember_rush": "dqn:tiny/rush pilot", "tide_keep": "dqn:tiny/keep_pilot"}
    entries = summary["exploitability"]
    assert {entry["player"]: entry["agent"] for entry in entries} == agents
    assert [(entry["player"], entry["rival"]) for entry in entries] == [
        ("ember_rush", "ember_rush"),
        ("ember_rush", "tide_keep"),
        ("tide_keep", "tide_keep"),
        ("tide_keep", "ember_rush"),
    ]
    for entry in entries:
        assert tuple(entry) == exploits.COLUMNS
        assert entry["low_pp"] < entry["gain_pp"] < entry["high_pp"]
        assert (entry["n"], entry["seed"]) == (400, 7)
        assert 1000 <= entry["steps"] < 1100
    assert len(list((results / "exploitability").iterdir())) == 4
    assert [row["player"] for row in rows_of(folder_of(results) / "exploitability.csv")] == [
        entry["player"] for entry in entries
    ]


def test_exploitability_is_measured_once_and_stands_beside_each_table(
    tmp_path: Path, results: Path
) -> None:
    outcome = done(power(tmp_path, results, WITH_PILOTS, "--exploit-steps", "500"))
    assert outcome.out.count("steps against it gains") == 4  # two decks, two baselines
    kept = sorted((results / "exploitability").iterdir())
    assert len(kept) == 4
    for k, path in enumerate(kept):  # so that an answer that is found can be told from a new one
        entry = json.loads(path.read_text(encoding="utf-8"))
        path.write_text(json.dumps(entry | {"gain_pp": 40.0 + k}), encoding="utf-8")
    again = summary_of(power(tmp_path, results, WITH_PILOTS, "--exploit-steps", "500", "--json"))
    assert {entry["gain_pp"] for entry in again["exploitability"]} == {40, 41, 42, 43}
    power(tmp_path, results, WITH_PILOTS, "--exploit-steps", "600")
    assert len(contents(results / "exploitability")) == 8  # another budget is another question


def test_a_damaged_answer_is_refused(tmp_path: Path, results: Path) -> None:
    power(tmp_path, results, WITH_PILOTS, "--exploit-steps", "300")
    for path in (results / "exploitability").iterdir():
        path.write_text("{}", encoding="utf-8")
    message = refusal(power(tmp_path, results, WITH_PILOTS, "--exploit-steps", "300"))
    assert "damaged; delete it and measure again" in message


def test_no_exploit_says_so(tmp_path: Path, results: Path) -> None:
    outcome = done(power(tmp_path, results, WITH_PILOTS, "--no-exploit"))
    assert outcome.out.count("Exploitability of its pilot: not measured") == 4
    assert not (results / "exploitability").exists()
    (folder,) = results.glob("tiny-power-*")
    summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    assert summary["exploitability"] is None
    assert "rank_correlation" not in summary  # the pilots are the players' own agents


def test_the_order_of_the_cards_is_compared_with_the_players_own(
    tmp_path: Path, results: Path
) -> None:
    summary = summary_of(power(tmp_path, results, BY_LEARNERS, "--no-exploit", "--json"))
    ranks = summary["rank_correlation"]
    assert [(row["player"], row["baseline"], row["against"]) for row in ranks] == [
        ("ember_rush", "skip", "aggro"),
        ("tide_keep", "skip", "control"),
        ("ember_rush", "vanilla", "aggro"),
        ("tide_keep", "vanilla", "control"),
    ]
    folder = folder_of(results)
    for row in ranks:
        by_card = [
            {
                cells["card"]: float(cells["per_copy_pp"])
                for cells in rows_of(folder / file)
                if cells["player"] == row["player"]
            }
            for file in (f"power_{row['baseline']}.csv", f"power_{row['baseline']}_own.csv")
        ]
        assert list(by_card[0]) == list(by_card[1])
        expected = stats.spearmanr(*(list(side.values()) for side in by_card)).statistic
        assert row["spearman"] == pytest.approx(expected, abs=1e-6)
        assert row["n_cards"] == 15
        assert row["low"] < row["spearman"] < row["high"]
    assert len(rows_of(folder / "rank_correlation.csv")) == 4


def test_a_run_folder_is_named_by_the_pilots_too(tmp_path: Path, results: Path) -> None:
    power(tmp_path, results, BY_LEARNERS, "--no-exploit")
    before = folder_of(results)
    resolved = json.loads((before / "resolved.json").read_text(encoding="utf-8"))
    assert set(resolved["pilots"]) == {"dqn:tiny/rush pilot", "dqn:tiny/keep_pilot"}


REFUSED = [
    (
        BY_LEARNERS.replace(LEARNERS, LEARNERS.split("[[learner]]")[1].join(["[[learner]]", ""])),
        "narrow.agent = 'learners': player 'tide_keep' needs one [[learner]] with it among its "
        "decks; there is none",
    ),
    (
        BY_LEARNERS + LEARNERS.replace("keep_pilot", "other").replace("rush pilot", "third"),
        "there is 'rush pilot', 'third'",
    ),
    (
        BY_LEARNERS.replace('"rush pilot"', '"nobody"'),
        "no learner 'nobody'",
    ),
    (
        BY_LEARNERS.replace('name = "tiny"', 'name = "untrained"'),
        "no finished training run of 'untrained'",
    ),
]


@pytest.mark.parametrize(("text", "message"), REFUSED)
def test_pilots_that_are_not_there_are_refused_before_anything_is_written(
    text: str, message: str, tmp_path: Path, results: Path
) -> None:
    before = contents(results)
    assert message in refusal(power(tmp_path, results, text))
    assert contents(results) == before
