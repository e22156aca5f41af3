"""`evenhand balance` works with trained agents: as players, for narrowing, and after the patch."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import numpy as np
import pytest

from agents.dqn.checkpoint import check_fits, load_pilot
from balance import Interval
from experiments.commands import drift_stage
from experiments.commands.drift_stage import convergence_warning
from experiments.loading import load_experiment
from sim.cards.pool import load_pool
from sim.play.reach import reach_of_decks
from tests.command_line import (
    ask,
    assert_refused,
    done,
    json_of,
    rows_of,
    summary_of,
    timeless,
)
from tests.experiments.learners import BY_LEARNERS, WITH_PILOTS, finished_training
from tests.messages import check_message

pytestmark = pytest.mark.thorough

DRIFTING = f"{WITH_PILOTS}\n[drift]\nsteps = 1000\n"
STUDY = """
[study]
narrow = ["none", "power"]
method = ["dense_ga"]
run_seeds = 1
"""


def balance_folder(results: Path) -> Path:
    (folder,) = (path for path in results.glob("tiny-*") if "-train-" not in path.name)
    return folder


@pytest.fixture(scope="module")
def drifted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a finished run of `DRIFTING`; tests only read it."""
    place = tmp_path_factory.mktemp("drifted")
    finished_training(place / "results")
    outcome = ask("balance", place, "--no-plots", text=DRIFTING)
    assert outcome.status in {0, 1}, outcome.err
    return balance_folder(place / "results")


def test_pilots_play_and_drift_is_reported(drifted: Path) -> None:
    summary = summary_of(drifted)
    drift = summary["drift"]
    (matchup,) = drift["matchups"]
    after = matchup["after"]
    before = matchup["before"]
    assert matchup["change_pp"] == pytest.approx(100 * (after["win_rate"] - before["win_rate"]))
    assert matchup["change_low_pp"] < matchup["change_pp"] < matchup["change_high_pp"]
    assert before["n"] == after["n"] == 200
    assert matchup["beyond_pp"] == pytest.approx(matchup["change_pp"] - matchup["placebo_pp"])
    least, most = (summary["matchups"][0][bound] for bound in ("least", "most"))
    assert matchup["inside"] == (least <= after["low"] and after["high"] <= most)
    assert drift["certified_after_retraining"] == (
        matchup["inside"] and all(drift["guards"].values())
    )
    (row,) = rows_of(drifted / "drift.csv")
    assert float(row["win_rate_after"]) == pytest.approx(after["win_rate"])
    assert not list(drifted.glob("*.state.pt"))
    assert not (drifted / "checkpoint.npz").exists()


@pytest.mark.parametrize(
    ("bounds", "is_reported"),
    [((-0.02, 0.03), False), ((-0.05, -0.02), True), ((0.012, 0.02), True), ((0.005, 0.5), False)],
)
def test_a_control_arm_that_surely_changes_is_reported(
    bounds: tuple[float, float], is_reported: bool
) -> None:
    low, high = (np.array([bound]) for bound in bounds)
    certificate = SimpleNamespace(demands=SimpleNamespace(names=["rush vs keep"]))
    placebo = Interval((low + high) / 2, low, high)
    sentences = convergence_warning(SimpleNamespace(placebo=placebo, certificate=certificate))
    assert bool(sentences) == is_reported
    assert all("rush vs keep" in sentence for sentence in sentences)


def test_retrained_pilots_load_with_the_patched_pool(drifted: Path, tmp_path: Path) -> None:
    pool = load_pool(str(drifted / "patched_pool.toml"))
    experiment = load_experiment(str(drifted.parents[1] / "tiny.toml"), drifted.parent)
    files = summary_of(drifted)["drift"]["pilots"]
    assert files == {
        "ember_rush": "ember_rush_retrained.pt",
        "tide_keep": "tide_keep_retrained.pt",
    }
    for deck in experiment.decks:
        reached = reach_of_decks(pool, experiment.ruleset, experiment.decks)
        check_fits(load_pilot(drifted / files[deck.name]), experiment.ruleset, pool, deck, reached)
    text = DRIFTING.replace("seed", f'pool = "{drifted / "patched_pool.toml"}"\nseed', 1)
    for player, pilot_name in (("ember_rush", "rush pilot"), ("tide_keep", "keep_pilot")):
        text = text.replace(f"dqn:tiny/{pilot_name}", f"dqn:{drifted / files[player]}")
    done(ask("matchups", tmp_path, "--no-plots", text=text))


def test_pilots_trained_separately_are_reported(tmp_path: Path, results: Path) -> None:
    outcome = ask("balance", tmp_path, "--no-plots", text=WITH_PILOTS)
    for player in ("ember_rush", "tide_keep"):
        assert f"{player}: its pilot 'dqn:tiny/" in outcome.out
    assert outcome.out.count("setting `together` of [train]") == 2


def test_drift_that_was_interrupted_ends_the_same(
    drifted: Path, tmp_path: Path, results: Path
) -> None:
    with mock.patch.object(drift_stage, "save_pilot", side_effect=KeyboardInterrupt):
        assert ask("balance", tmp_path, "--no-plots", text=DRIFTING).status == 130
    folder = balance_folder(results)
    assert len(list(folder.glob("*_retrained.state.pt"))) == 2 * 2  # with and without the patch
    assert ask("balance", tmp_path, "--no-plots", "--resume", text=DRIFTING).status in {0, 1}
    assert timeless(folder) == timeless(drifted)


def test_learners_narrow_while_the_players_play(tmp_path: Path, results: Path) -> None:
    done(ask("balance", tmp_path, "--no-plots", text=BY_LEARNERS))
    folder = balance_folder(results)
    agents = {row["player"]: row["agent"] for row in rows_of(folder / "power.csv")}
    assert agents == {"ember_rush": "dqn:tiny/rush pilot", "tide_keep": "dqn:tiny/keep_pilot"}
    assert not (folder / "drift.csv").exists()


@pytest.mark.parametrize("text", [BY_LEARNERS, WITH_PILOTS])
def test_a_study_runs_with_trained_agents(text: str, tmp_path: Path, results: Path) -> None:
    summary = json_of(ask("study", tmp_path, "--no-plots", "--json", text=text + STUDY))
    all_cards, narrowed = summary["runs"]
    assert narrowed["narrow_games"] > 0 == all_cards["narrow_games"]
    assert narrowed["genes"] < all_cards["genes"]


def test_drift_without_a_pilot_is_refused(tmp_path: Path, results: Path) -> None:
    text = BY_LEARNERS + "\n[drift]\nsteps = 1000\n"
    check_message(assert_refused("balance", tmp_path, "drift.steps", text=text))


def test_retrained_pilots_of_one_file_are_refused(tmp_path: Path, results: Path) -> None:
    text = DRIFTING.replace('deck = "tide_keep"\n', 'deck = "tide_keep"\nname = "a b"\n')
    text = text.replace('deck = "ember_rush"\n', 'deck = "ember_rush"\nname = "a_b"\n')
    check_message(assert_refused("balance", tmp_path, "a_b_retrained.pt", text=text))
