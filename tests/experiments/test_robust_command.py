"""`balance --robust`: a patch for a panel of pilots, its files, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from balance.panel.panel_run import PanelRow
from experiments.commands import robust
from experiments.commands.robust_attacks import write_attacks
from sim import read_rows
from tests.command_line import TINY, command, done
from tests.experiments.learners import PILOTS, finished_training
from tests.messages import check_message

PANEL = '\n[robust]\npilots = ["own", "greedy"]\ngames = { own = 4, greedy = 1 }\ntotal = 20_000\n'
TEXT = TINY.replace("band_pp = 40", "band_pp = 20").replace('by = "power"', 'by = "none"')


def written(folder: Path, text: str = TEXT + PANEL) -> Path:
    experiment = folder / "tiny.toml"
    experiment.write_text(text)
    return experiment


def test_every_pilot_is_in_the_summary_and_in_the_table(tmp_path: Path) -> None:
    results = "--results", tmp_path / "results"
    experiment = written(tmp_path)
    first = command("balance", experiment, "--robust", "--no-plots", *results, "--json")
    summary = json.loads(first.out)
    assert [pilot["name"] for pilot in summary["panel_pilots"]] == ["own", "greedy"]
    assert {row["pilot"] for row in summary["panel"]} == {"own", "greedy"}
    (folder,) = (path.parent for path in tmp_path.glob("results/*/panel.csv"))
    rows = read_rows(folder / "panel.csv", PanelRow)
    assert [row.verdict for row in rows] == [row["verdict"] for row in summary["panel"]]
    assert sum(summary["games"].values()) <= 20_000
    # The panel is part of the question: a plain run has another folder and no rates of a panel.
    plain = command("balance", experiment, "--no-plots", *results, "--json")
    assert "panel" not in json.loads(plain.out)
    assert len([*tmp_path.glob("results/tiny-*")]) == 2
    again = command("balance", experiment, "--robust", "--no-plots", *results, "--json", "--resume")
    assert json.loads(again.out)["panel"] == summary["panel"]


def test_a_table_of_a_panel_does_not_change_other_runs(tmp_path: Path) -> None:
    folders = []
    for text in (TEXT, TEXT + PANEL):
        results = tmp_path / f"results{len(folders)}"
        done(command("matchups", written(tmp_path, text), "--no-plots", "--results", results))
        folders += [path.name for path in results.glob("tiny-*")]
    assert folders[0] == folders[1]


@pytest.mark.parametrize(
    ("table", "options"),
    [
        (PANEL + "bands_pp = { light = 8 }\n", ()),
        (PANEL.replace("greedy", "gredy"), ()),
        (PANEL.replace("own = 4", "own = 3"), ()),
        ("\n[robust]\npilots = []\n", ()),
        (PANEL.replace("20_000", "100"), ()),
        (PANEL.replace('"greedy"]', '"learners"]').replace(", greedy = 1", ""), ()),
        (PANEL, ("--estimate",)),
        (PANEL + "\n[drift]\nsteps = 10\n", ()),
        (PANEL + "rounds = 1\n\n[build]\ncurve = { 1 = [20, 20], 2 = [20, 20] }\n", ()),
        (PANEL, ("--games", "100")),
    ],
    ids=[
        "unnamed",
        "unknown",
        "three games",
        "no pilot",
        "few games",
        "no learners",
        "estimate",
        "drift",
        "no deck",
        "few games by option",
    ],
)
def test_a_panel_that_cannot_play_is_refused(
    tmp_path: Path, table: str, options: tuple[str, ...]
) -> None:
    experiment = written(tmp_path, TEXT + table)
    outcome = command(
        "balance", experiment, "--robust", "--results", tmp_path / "results", *options
    )
    assert outcome.status == 2
    check_message(outcome.err)
    assert not (tmp_path / "results").exists()


def test_narrowing_and_other_games_are_refused(tmp_path: Path) -> None:
    narrowed = written(tmp_path, TINY + PANEL)
    outcome = command("balance", narrowed, "--robust", "--results", tmp_path / "results")
    assert outcome.status == 2
    check_message(outcome.err)
    other = command("balance", "big_two", "--robust", "--results", tmp_path / "results")
    assert other.status == 2
    check_message(other.err)


@pytest.mark.thorough
def test_trained_agents_are_a_pilot_of_the_panel(tmp_path: Path) -> None:
    results = tmp_path / "results"
    finished_training(results)
    learners = PANEL.replace('"greedy"]', '"learners"]').replace("greedy = 1", "learners = 1")
    experiment = written(tmp_path, TEXT + learners + PILOTS)
    outcome = command(
        "balance", experiment, "--robust", "--no-plots", "--json", "--results", results
    )
    summary = json.loads(outcome.out)
    assert [pilot["name"] for pilot in summary["panel_pilots"]] == ["own", "learners"]
    before = {row["pilot"]: row["before"] for row in summary["panel"] if "seat" not in row["rate"]}
    assert before["own"] != before["learners"]


ATTACKED = (
    TEXT.replace("band_pp = 20", "band_pp = 40").replace(
        'method = "nsga2"\npopulation = 8\ngenerations = 6', 'method = "model"'
    )
    + PANEL.replace("20_000", "100_000")
    + "rounds = 1\nattacker_most = 0.4\nattackers = 1\n"
    + "\n[build]\npopulation = 4\ngenerations = 2\nsearch = 4\nselect = 40\ncertify = 400\n"
)


def test_a_deck_built_against_the_patch_joins_the_demands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    experiment = written(tmp_path, ATTACKED)
    options = ("balance", experiment, "--robust", "--no-plots", "--json", "--results")
    whole = json.loads(command(*options, tmp_path / "whole").out)
    assert whole["attackers"][0]["joins"]
    joined = {deck["name"] for deck in whole["attackers"] if deck["joins"]}
    limited = {row["rate"].partition(" vs ")[0] for row in whole["panel"]} - {"ember_rush"}
    assert joined == {name for name in limited if name.startswith("attacker")}
    # The last attack has decks of its own, one of each pilot that searches.
    assert [deck["attack"] for deck in whole["last_attack"]] == [0, 0]
    # Stopped after the first attack, the run continues with it, and ends with the same result.
    stopped = tmp_path / "stopped"

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(robust, "write_attacks", lambda *given: (write_attacks(*given), stop()))
        command(*options, stopped)
    assert [*stopped.glob("*/rounds.json")]
    resumed = json.loads(command(*options, stopped, "--resume").out)
    assert resumed["attackers"] == whole["attackers"]
    assert resumed["panel"] == whole["panel"]
    assert resumed["last_attack"] == whole["last_attack"]
    assert not [*stopped.glob("*/rounds.json")]


@pytest.mark.slow  # half a minute; `tests/balance/panel/test_rounds.py` shows nearly as much
def test_without_a_patch_against_a_built_deck_the_patch_before_is_the_result(
    tmp_path: Path,
) -> None:
    options = "balance", written(tmp_path, ATTACKED), "--robust", "--no-plots", "--json"
    plain = json.loads(command(*options, "--results", tmp_path / "joined").out)
    hopeless = written(tmp_path, ATTACKED.replace("attacker_most = 0.4", "attacker_most = 0.0"))
    outcome = command(*options[:1], hopeless, *options[2:], "--results", tmp_path / "resists")
    summary = json.loads(outcome.out)
    assert plain["resists"] == []
    assert plain["least_reached"] == {}
    names = {deck["name"] for deck in summary["attackers"] if deck["joins"]}
    assert set(summary["resists"]) == names
    assert summary["last_attack"]
    assert [deck["attack"] for deck in summary["attack_today"]] == [0, 0]
    # With a limit of 0 % the nearest patch leaves a deck something.
    assert summary["least_reached"]["deck"] in names
    assert summary["least_reached"]["win_rate"] > 0
    assert summary["certified"]
    assert not any("attacker_1" in row["rate"] for row in summary["panel"])
    (folder,) = (path.parent for path in tmp_path.glob("resists/*/panel.csv"))
    assert {row.pilot for row in read_rows(folder / "panel.csv", PanelRow)} == {"own", "greedy"}
