"""`evenhand train` writes pilots and curves, and can be stopped and resumed at any time."""

from __future__ import annotations

import json
import re
import signal
import time
from collections.abc import Sequence
from functools import partial
from importlib import metadata
from pathlib import Path
from shutil import copytree, rmtree
from threading import Event
from typing import Any

import pytest

from agents import Trainer, load_pilot
from experiments import plots
from experiments.learning import learner_run, learning_curve
from experiments.learning.learner_run import train_remotely
from experiments.loading import load_experiment
from experiments.runs.run_folder import open_run_folder, run_path
from sim import InputError, find_data_file
from sim.cards.pool_file import edit_pool_file
from tests.command_line import (
    ask,
    assert_refused,
    assert_says,
    done,
    finish,
    json_of,
    only_folder,
    read_json,
    refusal,
    rows_of,
    start,
    timeless,
    write_experiment,
)
from tests.experiments.learners import LEARNERS, ONE_LEARNER, PLAYERS, TRAINING, write_pilot
from tests.experiments.test_run_contract import assert_shape
from tests.messages import check_message

pytestmark = [pytest.mark.thorough, pytest.mark.usefixtures("few_final_games")]

FEW = 60  # final games, see conftest.py
INTERVAL = {"win_rate": float, "low": float, "high": float, "n": int}
SCRIPTED = dict.fromkeys(("random", "greedy", "aggro", "control"), INTERVAL)
PAIRING = {"deck": str, "opponent": str, "opponent_agent": str, "seat": str}
SUMMARY = {
    "command": str, "seed": int, "seconds": float,
    "learners": [{
        "name": str, "pilot": str, "win_rate": INTERVAL, "steps": int, "updates": int,
        "seconds": float, "cpu_seconds": float,
        "pairings": [{**PAIRING, "learned": INTERVAL, "scripted": SCRIPTED}],
    }],
}  # fmt: skip
FILES = {
    "run.json", "resolved.json", "summary.json", "log.txt",
    "ember.pt", "ember_curve.csv", "both_decks.pt", "both_decks_curve.csv",
}  # fmt: skip
FAST = f"""
import signal
from experiments.learning import learner_run
from experiments.commands import train as train_command
from experiments.learning.learner_run import train_remotely
train_command.FINAL_GAMES = {FEW}
learner_run.SAVE_EVERY_S = 0.0
learner_run.STRIDE = 50
signal.signal(signal.SIGINT, signal.default_int_handler)  # whatever this process inherited
from experiments.cli import main
"""
DIE_AT_A_RENAME = (
    FAST
    + """
import os, sys
from pathlib import Path
name, moment, rename, n_renames = sys.argv.pop(1), int(sys.argv.pop(1)), Path.replace, 0
def replace(self, target):
    global n_renames
    n_renames += target.name == name
    if n_renames == moment:
        os.kill(os.getpid(), signal.SIGKILL)
    rename(self, target)
Path.replace = replace
main()
"""
)


def kill_a_training(folder: Path, text: str, name: str, moment: int) -> None:
    """Kill `train` when it renames a file of this name into place for the `moment`-th time."""
    arguments = ("--results", folder / "results", "--no-plots")
    process = start(
        DIE_AT_A_RENAME, name, str(moment), "train", write_experiment(folder, text), *arguments
    )
    assert finish(process).status == -signal.SIGKILL


def train(folder: Path, *options: str, text: str = TRAINING, results: str = "results") -> Path:
    """Run `train` without figures and return its folder."""
    done(ask("train", folder, "--no-plots", *options, text=text, results=results))
    return only_folder(folder / results)


@pytest.fixture
def unbroken(trained: Path) -> Path:
    """Return the folder of a run in one thread that was never stopped."""
    return only_folder(trained / "results")


def test_json_is_the_summary_file_in_its_documented_shape(tmp_path: Path) -> None:
    outcome = ask("train", tmp_path, "--json", text=TRAINING)
    summary = json_of(outcome)
    folder = only_folder(tmp_path / "results")
    assert_shape(summary, SUMMARY)
    assert re.fullmatch(r"tiny-train-[0-9a-f]{8}", folder.name)
    assert (folder / "summary.json").read_text(encoding="utf-8") == outcome.out
    assert {path.name for path in folder.iterdir()} == FILES | {"learning_curves.png"}
    ember, both = summary["learners"]
    assert [pairing["seat"] for pairing in ember["pairings"]] == ["second seat"]
    places = [(p["deck"], p["opponent"], p["seat"]) for p in both["pairings"]]
    assert len(places) == len(set(places)) == 6
    assert ember["win_rate"] == ember["pairings"][0]["learned"]
    assert ember["win_rate"]["n"] == FEW
    assert read_json(folder / "run.json")["versions"]["torch"] == metadata.version("torch")


def test_a_pilot_says_where_it_comes_from(unbroken: Path) -> None:
    pilot = load_pilot(unbroken / "both_decks.pt")
    assert [deck.name for deck in pilot.provenance.decks] == ["ember_rush", "tide_keep"]
    assert (pilot.provenance.opponents, pilot.provenance.seed) == ("ember_rush, self", 7)
    assert pilot.provenance.steps >= 700


def test_a_curve_has_a_row_at_every_evaluation(unbroken: Path) -> None:
    rows = rows_of(unbroken / "ember_curve.csv")
    assert [250 * (int(row["steps"]) // 250) for row in rows] == [0, 250, 500, 500]
    assert int(rows[-1]["steps"]) >= 700
    assert {row["n"] for row in rows} == {"20"}
    assert int(rows[0]["updates"]) == 0 < int(rows[-1]["updates"])
    assert [float(row["epsilon"]) for row in rows[::3]] == [1.0, 0.03]
    for row in rows:
        assert 0 <= float(row["low"]) <= float(row["win_rate"]) <= float(row["high"]) <= 1
        assert float(row["cpu_seconds"]) >= 0
    seconds = [float(row["seconds"]) for row in rows]
    assert seconds == sorted(seconds)


def test_results_do_not_depend_on_the_threads(unbroken: Path, tmp_path: Path) -> None:
    folder = train(tmp_path, "--threads", "3")
    assert folder.name == unbroken.name
    assert timeless(folder) == timeless(unbroken)


def test_results_depend_neither_on_workers_nor_on_slices(
    unbroken: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(learner_run, "train_remotely", partial(train_remotely, slice_s=0.0))
    folder = train(tmp_path, "--workers", "processes:2")
    assert folder.name == unbroken.name
    assert timeless(folder) == timeless(unbroken)
    log = (folder / "log.txt").read_text(encoding="utf-8")
    assert "2 workers: 8 pieces, 0 retries" in log  # three rows of the curve each, and the end


TUNED = TRAINING.replace("[train]", "[tune]\nmax_steps = 1\n[train]")
WITH_VARIANTS = TUNED.replace("[train]", "[train]\nvariants = { count = 9 }")


def test_what_names_a_training_is_how_it_goes_and_not_how_it_is_measured(tmp_path: Path) -> None:
    """Check that the folder's name depends on the training, with variants also on `[tune]`."""
    measured = TRAINING.replace("histogram_games = 60", "histogram_games = 80")
    shorter = TRAINING.replace("steps = 700", "steps = 100")
    freer = WITH_VARIANTS.replace("max_steps = 1", "")
    plain, later, farther, *others = (
        run_path(tmp_path, load_experiment(str(write_experiment(tmp_path, text))), "train")
        for text in (TRAINING, measured, TUNED, shorter, WITH_VARIANTS, freer)
    )
    assert plain == later == farther
    assert len({plain, *others}) == 4


def test_with_variants_pilots_play_patched_cards_as_far_as_they_met_such(tmp_path: Path) -> None:
    pilot = train(tmp_path, text=WITH_VARIANTS) / "both_decks.pt"
    for attack, fits in ((3, True), (4, True), (5, False)):
        edit_pool_file(find_data_file("pools", "core", near=pilot), tmp_path / "mine.toml",
                       [("ember_whelp", "attack", attack)])  # fmt: skip
        text = PLAYERS.replace("seed", 'pool = "mine.toml"\nseed', 1)
        text = text.replace('"control"', f'"dqn:{pilot}"')
        outcome = ask("matchups", tmp_path, "--no-plots", text=text, results="m")
        if fits:
            done(outcome)
        else:
            assert_says(refusal(outcome), "'ember_whelp'", "attack = 5")


@pytest.mark.parametrize(
    ("name", "moment"),
    [
        ("ember.state.pt", 7),  # the curve is ahead of the state
        pytest.param("both_decks_curve.csv", 3, marks=pytest.mark.slow),  # before the row is there
        ("ember.pt", 1),  # with the curve complete
        pytest.param("summary.json", 1, marks=pytest.mark.slow),  # with both pilots there
    ],
)
def test_killed_while_it_writes_it_resumes_to_the_same_result(
    name: str, moment: int, unbroken: Path, tmp_path: Path
) -> None:
    kill_a_training(tmp_path, TRAINING, name, moment)
    assert not (only_folder(tmp_path / "results") / "summary.json").exists()
    assert timeless(train(tmp_path, "--resume")) == timeless(unbroken)


def test_ctrl_c_saves_and_says_how_to_go_on(tmp_path: Path) -> None:
    text = TRAINING.replace("steps = 700", "steps = 1500").replace(LEARNERS, ONE_LEARNER)
    experiment = write_experiment(tmp_path, text)
    results = tmp_path / "results"
    process = start(
        FAST + "main()", "train", experiment, "--results", results, "--no-plots", "--json"
    )
    while not list(results.glob("*/*.state.pt")):
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    outcome = finish(process)
    assert outcome.status == 130, outcome.err
    assert outcome.out == ""
    assert outcome.err.startswith("evenhand: interrupted; ")
    assert "--resume" in outcome.err
    folder = only_folder(results)
    assert not [path.name for path in folder.iterdir() if path.name.startswith(".")]
    assert not (folder / "ember.pt").exists()
    assert_evaluated_as_it_was_left(tmp_path, text)
    resumed = timeless(train(tmp_path, "--resume", text=text))
    assert resumed == timeless(train(tmp_path, text=text, results="unbroken"))


def assert_evaluated_as_it_was_left(place: Path, text: str) -> None:
    """Check that a stopped training can be evaluated, and that its progress is reported."""
    pilot = load_pilot(only_folder(place / "results") / "ember.partial.pt")
    assert pilot.provenance is not None
    assert 0 < pilot.provenance.steps < 1500
    outcome = done(ask("evaluate", place, "--no-plots", text=text))
    (folder,) = (place / "results").glob("tiny-evaluate-*")
    (learner,) = read_json(folder / "summary.json")["learners"]
    assert learner["stopped_at"] == {"steps": pilot.provenance.steps, "of": 1500}
    assert f"{pilot.provenance.steps:,} of 1,500 steps" in outcome.out
    refused = refusal(ask("exploit", place, "--no-plots", text=text))
    assert "has no finished training run" in refused
    rmtree(folder)


def test_of_several_learners_those_that_learned_something_are_measured(tmp_path: Path) -> None:
    experiment = load_experiment(str(write_experiment(tmp_path, TRAINING)))
    folder = open_run_folder(tmp_path / "results", experiment, "train", resume=False)
    folder.lock.__exit__(None, None, None)
    assert "--resume" in refusal(ask("evaluate", tmp_path, "--no-plots", text=TRAINING))
    write_pilot(folder.path / "ember.partial.pt")
    options = ("--no-plots", "--json", "--games", "40")
    outcome = done(ask("evaluate", tmp_path, *options, text=TRAINING))
    (learner,) = json.loads(outcome.out)["learners"]
    assert learner["pairings"][0]["learned"]["n"] == 40
    assert (learner["name"], learner["stopped_at"]["steps"]) == ("ember", 1)
    assert "both decks has" in done(ask("evaluate", tmp_path, "--no-plots", text=TRAINING)).out


def test_stopped_before_its_first_evaluation_it_resumes_to_the_same(
    unbroken: Path, tmp_path: Path
) -> None:
    experiment = load_experiment(str(write_experiment(tmp_path, TRAINING)))
    at_once = Event()
    at_once.set()
    contest = experiment.contest()
    settings = experiment.settings
    folder = open_run_folder(tmp_path / "results", experiment, "train", resume=False)
    with folder.lock:
        for learner in settings.learners:
            run = learner_run.LearnerRun(contest, learner, settings.train, settings.seed, folder)
            assert run.train(at_once, lambda _: None, lambda _: None, resume=False) is None
    assert {path.suffix for path in folder.path.iterdir()} == {".pt", ".json"}
    assert timeless(train(tmp_path, "--resume")) == timeless(unbroken)


def test_a_resumed_run_that_had_finished_comes_to_the_same(unbroken: Path, tmp_path: Path) -> None:
    copytree(unbroken.parent, tmp_path / "results")
    folder = train(tmp_path, "--resume")
    assert timeless(folder) == timeless(unbroken)
    for name in ("ember.pt", "ember_curve.csv", "both_decks.pt", "both_decks_curve.csv"):
        assert (folder / name).read_bytes() == (unbroken / name).read_bytes()


def test_a_resumed_run_draws_the_curves_of_its_whole_training(
    unbroken: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = {}
    draw = plots.learning_curves

    def keep(curves: Sequence[learning_curve.LearningCurve], **words: Any) -> Any:
        drawn.update({curve.name: list(curve.points) for curve in curves})
        return draw(curves, **words)

    monkeypatch.setattr(plots, "learning_curves", keep)
    copytree(unbroken.parent, tmp_path / "results")
    done(ask("train", tmp_path, "--resume", text=TRAINING))
    files = {"ember": "ember_curve.csv", "both decks": "both_decks_curve.csv"}
    assert drawn == {
        name: learning_curve.read_curve(unbroken / file) for name, file in files.items()
    }


def test_resume_refuses_a_folder_that_other_code_made(unbroken: Path, tmp_path: Path) -> None:
    run = copytree(unbroken.parent, tmp_path / "results") / unbroken.name / "run.json"
    here = read_json(run)
    says = "without --resume"
    for made_by in ({"engine_hash": "0123"}, {"versions": {**here["versions"], "torch": "1.0"}}):
        run.write_text(json.dumps({**here, **made_by}), encoding="utf-8")
        assert_refused("train", tmp_path, says, "--no-plots", "--resume", text=TRAINING)


def _learner(old: str, new: str) -> str:
    return TRAINING.replace(old, new, 1)


MISTAKES = {
    "no learner": (TRAINING.replace(LEARNERS, ""), "learner"),
    "unknown deck": (_learner('decks = ["ember_rush"]', 'decks = ["ember_rsh"]'), "'ember_rsh'"),
    "unknown opponent": (_learner('opponents = ["tide_keep"]', 'opponents = ["tide"]'), "'tide'"),
    "unknown seat": (_learner('seat = "second"', 'seat = "third"'), "'third'"),
    "no evaluation": (_learner("evaluate_games = 20", "evaluate_games = 0"), "evaluate_games = 0"),
    "no steps": (_learner("steps = 700", "steps = 0"), "train.steps = 0"),
    "unknown variant": (_learner("steps = 700", 'variant = "ddqn"'), "'ddqn'"),
    "no games": (_learner("\ngames = 100", "\ngames = 0"), "evaluate.games = 0"),
    "negative games": (_learner("rollout_games = 2", "rollout_games = -1"), "rollout_games = -1"),
    "unknown key": (_learner("steps = 700", "step = 700"), "'step'"),
    "same file": (_learner('"both decks"', '"ember"'), "ember.pt"),
    "name of a script": (_learner('"both decks"', '"aggro"'), "'aggro'"),
    "name of a state": (_learner('"both decks"', '"a.state"'), "'.state'"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_explained_in_one_line_and_nothing_is_written(
    mistake: str, tmp_path: Path
) -> None:
    text, name = MISTAKES[mistake]
    message = assert_refused("train", tmp_path, name, text=text)
    assert str(tmp_path / "tiny.toml") in message
    check_message(message)


def test_a_machine_without_a_gpu_is_refused_with_a_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import torch

    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    text = TRAINING.replace("[train]", '[train]\ndevice = "cuda"')
    check_message(assert_refused("train", tmp_path, 'train: device = "cuda"', text=text))


def test_event_files_need_a_package_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(learning_curve, "find_spec", lambda _: None)
    options = ("--tensorboard",)
    check_message(assert_refused("train", tmp_path, "--tensorboard", *options, text=TRAINING))


def test_a_failing_learner_lets_the_others_save(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Trainer.run
    text = TRAINING.replace("steps = 700", "steps = 100000")

    def fail_once(self: Trainer, until: int) -> object:
        if self.n_steps > 300 and len(self.episodes.opponents) == 2:  # it does not meet itself
            raise InputError("the disk is full")
        return run(self, until)

    monkeypatch.setattr(Trainer, "run", fail_once)
    outcome = ask("train", tmp_path, "--no-plots", "--threads", "2", text=text)
    assert (outcome.status, outcome.err) == (2, "evenhand: the disk is full\n")
    assert (only_folder(tmp_path / "results") / "both_decks.state.pt").exists()
