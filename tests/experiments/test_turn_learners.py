"""`evenhand train` tunes turn searches, can be stopped and resumed, and refuses wrong settings."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents.search.turn.weights import load_weights
from experiments.loading import load_experiment
from tests.command_line import (
    assert_refused,
    command,
    done,
    finish,
    refusal,
    rows_of,
    run_folder,
    start,
    timeless,
    write_experiment,
)
from tests.experiments.learners import PLAYERS
from tests.experiments.test_train_command import kill_a_training
from tests.messages import check_message

TUNING = (
    PLAYERS
    + """
[[learner]]
name = "quick"
kind = "turn"
decks = ["ember_rush"]
opponents = ["tide_keep", "self"]
"""
    + """
[turn]
nodes = 2
games = 400
panel = ["greedy", "start", "self"]
candidates = 4
first_games = 8
more_games = 6
evaluate_every = 100
evaluate_games = 8
judge_games = 16
"""
)
WITHOUT_TORCH = """
import sys
from experiments.cli import main
try:
    main()
finally:
    print("torch" in sys.modules)
"""


def tune(folder: Path, *options: str) -> Path:
    """Run `train` without figures and return its folder."""
    return run_folder("train", folder, *options, text=TUNING)


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a run in one thread that was never stopped."""
    return tune(tmp_path_factory.mktemp("unbroken"), "--threads", "1")


def test_its_files_say_what_came_of_it(unbroken: Path) -> None:
    weights = load_weights(str(unbroken / "quick.toml"))
    assert weights.ruleset == "duel"
    assert (weights.origin.method, weights.origin.seed) == ("cma", 7)
    curve = rows_of(unbroken / "quick_curve.csv")
    assert curve[0]["games"] == "0"
    assert int(curve[-1]["games"]) == weights.origin.games <= 400
    moved = {
        (row["table"], row["key"]): int(row["tuned"]) for row in rows_of(unbroken / "weights.csv")
    }
    assert moved["own", "attack"] == weights.own.attack
    assert [row["opponent"] for row in rows_of(unbroken / "verdicts.csv")] == ["start", "greedy"]


@pytest.mark.thorough
def test_killed_it_resumes_to_the_same_on_other_threads(unbroken: Path, tmp_path: Path) -> None:
    kill_a_training(tmp_path, TUNING, "quick_answers.npz", 5)
    assert timeless(tune(tmp_path, "--resume", "--threads", "2")) == timeless(unbroken)


@pytest.mark.thorough
def test_torch_is_not_loaded(tmp_path: Path) -> None:
    experiment = write_experiment(tmp_path, TUNING.replace("games = 400", "games = 100"))
    arguments = ("train", experiment, "--results", tmp_path / "r", "--no-plots")
    assert done(finish(start(WITHOUT_TORCH, *arguments))).out.splitlines()[-1] == "False"


def test_what_a_run_has_tuned_is_a_players_agent(unbroken: Path, tmp_path: Path) -> None:
    text = PLAYERS.replace('"aggro"', '"turn:2:tiny/quick"')
    path = write_experiment(tmp_path, text, "other.toml")
    agent = load_experiment(str(path), results=unbroken.parent).agents[0]
    assert agent.name == "turn:2:tiny/quick"
    by_path = path.with_name("by_path.toml")
    by_path.write_text(text.replace("tiny/quick", f"{unbroken}/quick.toml"), encoding="utf-8")
    same = load_experiment(str(by_path), results=tmp_path).agents[0]
    assert getattr(agent, "content", 1) == getattr(same, "content", 2)
    for other in ("tiny/quik", "tny/quick"):
        path.write_text(text.replace("tiny/quick", other), encoding="utf-8")
        message = refusal(command("matchups", path, "--results", unbroken.parent))
        assert other in message  # not compared whole, since the run folder's name holds a hash


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        ('kind = "turn"', 'kind = "turns"', "'turns'"),
        ('name = "quick"', 'name = "quick"\nleave_out = 0.1', "leave_out"),
        ("[turn]", "[train]\nsteps = 100_000\n[turn]", "train"),
        ("first_games = 8", "first_games = 98", "404"),
        ('kind = "turn"', 'kind = "dqn"', "turn"),
        ("nodes = 2", "nodes = 0", "turn.nodes"),
        ("nodes = 2", 'method = "cmaes"', "'cmaes'"),
        ("nodes = 2", 'start = "gsv"', "'gsv'"),
        ('"greedy", ', '"gredy", ', "'gredy'"),
        ('"greedy", ', '"start", ', "turn.panel"),
    ],
)
def test_a_mistake_is_explained_in_one_line(old: str, new: str, name: str, tmp_path: Path) -> None:
    check_message(assert_refused("train", tmp_path, name, text=TUNING.replace(old, new, 1)))
