"""`evenhand power` measures with trained agents, and how exploitable they are."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest
from scipy import stats

from experiments.learning import exploits
from tests.command_line import (
    ask,
    assert_refused,
    contents,
    done,
    json_of,
    read_json,
    refusal,
    rows_of,
    summary_of,
)
from tests.experiments.learners import BY_LEARNERS, PILOTS, WITH_PILOTS
from tests.messages import check_message

pytestmark = pytest.mark.thorough


@pytest.fixture(autouse=True)
def few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exploits, "N_GAMES", 400)


power = partial(ask, "power")


def folder_of(results: Path) -> Path:
    (folder,) = results.glob("tiny-power-*")
    return folder


def test_learners_measure_power_and_are_exploited(tmp_path: Path, results: Path) -> None:
    summary = json_of(
        power(
            tmp_path,
            "--no-plots",
            "--exploit",
            "--exploit-steps",
            "300",
            "--json",
            text=BY_LEARNERS,
        )
    )
    assert "training 4 learners" in (folder_of(results) / "log.txt").read_text(encoding="utf-8")
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
        assert 300 <= entry["steps"] < 400
    assert len(list((results / "exploitability").iterdir())) == 4
    assert [row["player"] for row in rows_of(folder_of(results) / "exploitability.csv")] == [
        entry["player"] for entry in entries
    ]


def test_exploitability_is_measured_once_and_shown_with_each_table(
    tmp_path: Path, results: Path
) -> None:
    outcome = done(power(tmp_path, "--no-plots", "--exploit-steps", "300", text=WITH_PILOTS))
    assert outcome.out.count("Exploitability of its pilot") == 4  # two decks, two baselines
    kept = sorted((results / "exploitability").iterdir())
    assert len(kept) == 4
    for k, path in enumerate(kept):  # marks the stored results, to distinguish them from new ones
        entry = json.loads(path.read_text(encoding="utf-8"))
        path.write_text(json.dumps(entry | {"gain_pp": 40.0 + k}), encoding="utf-8")
    again = json_of(
        power(tmp_path, "--no-plots", "--exploit-steps", "300", "--json", text=WITH_PILOTS)
    )
    assert {entry["gain_pp"] for entry in again["exploitability"]} == {40, 41, 42, 43}
    power(tmp_path, "--no-plots", "--exploit-steps", "310", text=WITH_PILOTS)
    assert len(contents(results / "exploitability")) == 8  # another budget is another question


def test_a_damaged_answer_is_refused(tmp_path: Path, results: Path) -> None:
    power(tmp_path, "--no-plots", "--exploit-steps", "300", text=WITH_PILOTS)
    for path in (results / "exploitability").iterdir():
        path.write_text("{}", encoding="utf-8")
    message = refusal(power(tmp_path, "--no-plots", "--exploit-steps", "300", text=WITH_PILOTS))
    assert str(results / "exploitability") in message


@pytest.mark.parametrize("options", [(), ("--no-exploit",)])
def test_no_learner_is_trained_without_the_option(
    options: tuple[str, ...], tmp_path: Path, results: Path
) -> None:
    outcome = done(power(tmp_path, "--no-plots", *options, text=WITH_PILOTS))
    assert outcome.out.count("not measured (--exploit") == 4
    assert not (results / "exploitability").exists()
    summary = summary_of(folder_of(results))
    assert summary["exploitability"] is None
    assert "rank_correlation" not in summary  # the pilots are the players' own agents


def test_the_order_of_the_cards_is_compared_with_the_players_own(
    tmp_path: Path, results: Path
) -> None:
    summary = json_of(power(tmp_path, "--no-plots", "--json", text=BY_LEARNERS))
    ranks = summary["rank_correlation"]
    assert [(row["player"], row["baseline"], row["against"]) for row in ranks] == [
        ("ember_rush", "skip", "aggro"),
        ("tide_keep", "skip", "control"),
        ("ember_rush", "vanilla", "aggro"),
        ("tide_keep", "vanilla", "control"),
    ]
    folder = folder_of(results)
    pilots = {"dqn:tiny/rush pilot", "dqn:tiny/keep_pilot"}
    assert set(read_json(folder / "resolved.json")["pilots"]) == pilots  # they name the folder too
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


@pytest.mark.parametrize("options", [("--exploit",), ("--exploit-steps", "300")], ids=" ".join)
def test_without_trained_agents_there_is_nothing_to_exploit(
    options: tuple[str, ...], tmp_path: Path
) -> None:
    check_message(assert_refused("power", tmp_path, options[0], *options))


def test_steps_of_learners_that_are_not_wanted_are_refused(tmp_path: Path) -> None:
    options = ("--no-exploit", "--exploit-steps", "300")
    check_message(assert_refused("power", tmp_path, "--exploit-steps", *options))


WITHOUT_PILOTS = {
    "no learner of a deck": (
        BY_LEARNERS.replace(PILOTS, PILOTS.split("[[learner]]")[1].join(["[[learner]]", ""])),
        "'tide_keep'",
    ),
    "two learners of a deck": (
        BY_LEARNERS + PILOTS.replace("keep_pilot", "other").replace("rush pilot", "third"),
        "'third'",
    ),
    "untrained learner": (BY_LEARNERS.replace('"rush pilot"', '"nobody"'), "'nobody'"),
    "untrained experiment": (
        BY_LEARNERS.replace('name = "tiny"', 'name = "untrained"'),
        "'untrained'",
    ),
}


@pytest.mark.parametrize("case", WITHOUT_PILOTS)
def test_pilots_that_are_not_there_are_refused_before_anything_is_written(
    case: str, tmp_path: Path, results: Path
) -> None:
    text, name = WITHOUT_PILOTS[case]
    check_message(assert_refused("power", tmp_path, name, text=text))
