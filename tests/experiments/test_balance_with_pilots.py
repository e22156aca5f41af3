"""`evenhand balance` with trained agents: as players, for narrowing, and after the patch."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from agents.dqn.checkpoint import check_fits, load_pilot
from balance import Interval
from experiments.commands.drift_stage import restlessness
from experiments.loading import load_experiment
from sim.cards.pool import load_pool
from sim.play.reach import reach_of_decks
from tests.command_line import Outcome, command, contents, done, refusal, rows_of, write_experiment
from tests.experiments.trained import BY_LEARNERS, WITH_PILOTS, finished_training

pytestmark = pytest.mark.thorough

DRIFTING = WITH_PILOTS.replace("generations = 6", "generations = 1").replace(
    "select = 100", "select = 20"
)
DRIFTING += "\n[drift]\nsteps = 1000\n"
STUDY = """
[study]
narrow = ["none", "power"]
method = ["dense_ga"]
run_seeds = 1
"""


@pytest.fixture
def results(tmp_path: Path) -> Path:
    finished_training(tmp_path / "results")
    return tmp_path / "results"


def run(name: str, folder: Path, results: Path, text: str, *options: str) -> Outcome:
    experiment = write_experiment(folder, text)
    return command(name, experiment, "--results", results, "--no-plots", *options)


def balance_folder(results: Path) -> Path:
    (folder,) = (path for path in results.glob("tiny-*") if "-train-" not in path.name)
    return folder


def test_pilots_play_and_drift_is_told(tmp_path: Path, results: Path) -> None:
    outcome = run("balance", tmp_path, results, DRIFTING, "--json")
    assert outcome.status in {0, 1}, outcome.err
    summary = json.loads(outcome.out)
    drift = summary["drift"]
    (matchup,) = drift["matchups"]
    after, before = matchup["after"], matchup["before"]
    assert matchup["change_pp"] == pytest.approx(100 * (after["win_rate"] - before["win_rate"]))
    assert matchup["change_low_pp"] < matchup["change_pp"] < matchup["change_high_pp"]
    assert before["n"] == after["n"] == 200
    beyond = matchup["change_pp"] - matchup["placebo_pp"]
    assert matchup["beyond_pp"] == pytest.approx(beyond)
    least, most = (summary["matchups"][0][bound] for bound in ("least", "most"))
    assert matchup["inside"] == (least <= after["low"] and after["high"] <= most)
    holds = matchup["inside"] and all(drift["guards"].values())
    assert drift["certified_after_retraining"] == holds
    folder = balance_folder(results)
    (row,) = rows_of(folder / "drift.csv")
    assert float(row["win_rate_after"]) == pytest.approx(after["win_rate"])
    assert not list(folder.glob("*.state.pt"))
    assert "checkpoint.npz" not in contents(folder)


@pytest.mark.parametrize(
    ("bounds", "is_told"),
    [((-0.02, 0.03), False), ((-0.05, -0.02), True), ((0.012, 0.02), True), ((0.005, 0.5), False)],
)
def test_pilots_whose_placebo_surely_moves_are_told_not_to_rest(
    bounds: tuple[float, float], is_told: bool
) -> None:
    low, high = (np.array([bound]) for bound in bounds)
    certificate = SimpleNamespace(demands=SimpleNamespace(names=["rush vs keep"]))
    placebo = Interval((low + high) / 2, low, high)
    told = restlessness(SimpleNamespace(placebo=placebo, certificate=certificate))
    assert bool(told) == is_told
    assert all("rush vs keep" in sentence for sentence in told)


def test_retrained_pilots_load_with_the_patched_pool(tmp_path: Path, results: Path) -> None:
    run("balance", tmp_path, results, DRIFTING)
    folder = balance_folder(results)
    pool = load_pool(str(folder / "patched_pool.toml"))
    experiment = load_experiment(str(tmp_path / "tiny.toml"), results)
    files = json.loads((folder / "summary.json").read_text(encoding="utf-8"))["drift"]["pilots"]
    assert files == {
        "ember_rush": "ember_rush_retrained.pt",
        "tide_keep": "tide_keep_retrained.pt",
    }
    for deck in experiment.decks:
        pilot = load_pilot(folder / files[deck.name])
        reached = reach_of_decks(pool, experiment.ruleset, experiment.decks)
        check_fits(pilot, experiment.ruleset, pool, deck, reached)
    text = DRIFTING.replace("seed", f'pool = "{folder / "patched_pool.toml"}"\nseed', 1)
    for player, pilot_name in (("ember_rush", "rush pilot"), ("tide_keep", "keep_pilot")):
        text = text.replace(f"dqn:tiny/{pilot_name}", f"dqn:{folder / files[player]}")
    done(run("matchups", tmp_path, results, text))


def test_pilots_that_learned_apart_are_told(tmp_path: Path, results: Path) -> None:
    outcome = run("balance", tmp_path, results, WITH_PILOTS)
    for player in ("ember_rush", "tide_keep"):
        assert f"{player}: dqn:tiny/" in outcome.out
    assert outcome.out.count("learned without the others ([train] together)") == 2


def test_drift_that_was_interrupted_ends_the_same(
    tmp_path: Path, results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("balance", tmp_path, results, DRIFTING)
    folder = balance_folder(results)
    whole = {name: (folder / name).read_bytes() for name in ("drift.csv", "front.csv")}
    for name in [path.name for path in folder.iterdir()]:
        if name not in {"run.json", "resolved.json", "log.txt"}:
            (folder / name).unlink()
    from experiments.commands import drift_stage

    def stop(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(drift_stage, "save_pilot", stop)
        assert run("balance", tmp_path, results, DRIFTING, "--resume").status == 130
    assert len(list(folder.glob("*_retrained.state.pt"))) == 2 * 2  # with and without the patch
    assert run("balance", tmp_path, results, DRIFTING, "--resume").status in {0, 1}
    assert {name: (folder / name).read_bytes() for name in whole} == whole
    assert not list(folder.glob("*.state.pt"))


def test_learners_narrow_while_the_players_play(tmp_path: Path, results: Path) -> None:
    done(run("balance", tmp_path, results, BY_LEARNERS))
    folder = balance_folder(results)
    agents = {row["player"]: row["agent"] for row in rows_of(folder / "power.csv")}
    assert agents == {"ember_rush": "dqn:tiny/rush pilot", "tide_keep": "dqn:tiny/keep_pilot"}
    assert "drift.csv" not in contents(folder)


@pytest.mark.parametrize("text", [BY_LEARNERS, WITH_PILOTS])
def test_a_study_runs_with_trained_agents(text: str, tmp_path: Path, results: Path) -> None:
    outcome = done(run("study", tmp_path, results, text + STUDY, "--json"))
    all_cards, narrowed = json.loads(outcome.out)["runs"]
    assert narrowed["narrow_games"] > 0 == all_cards["narrow_games"]
    assert narrowed["genes"] < all_cards["genes"]


def test_drift_without_a_pilot_is_refused(tmp_path: Path, results: Path) -> None:
    before = contents(results)
    message = refusal(run("balance", tmp_path, results, BY_LEARNERS + "\n[drift]\nsteps = 1000\n"))
    assert "drift.steps: no player has a trained agent that could go on learning" in message
    assert contents(results) == before


def test_retrained_pilots_of_one_file_are_refused(tmp_path: Path, results: Path) -> None:
    text = DRIFTING.replace('deck = "tide_keep"\n', 'deck = "tide_keep"\nname = "a b"\n')
    text = text.replace('deck = "ember_rush"\n', 'deck = "ember_rush"\nname = "a_b"\n')
    before = contents(results)
    message = refusal(run("balance", tmp_path, results, text))
    assert "a_b_retrained.pt would be the file of player 'a_b' and of player 'a b'" in message
    assert contents(results) == before
