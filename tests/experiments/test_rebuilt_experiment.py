"""Finished runs contain everything to play their games again, before and after the patch."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest

from balance.cards.card_contest import play_matchups
from experiments.loading import load_experiment
from experiments.runs.finished_run import open_finished_run
from experiments.runs.rebuilt_experiment import rebuild_experiment
from sim import InputError, load_pool
from sim.cards.pool_file import write_pool
from tests.command_line import ask, read_json, run_folder, summary_of, write_experiment
from tests.experiments.attacked import ATTACKED
from tests.experiments.learners import WITH_PILOTS, finished_training
from tests.refusals import refusal_of

pytestmark = pytest.mark.thorough


def rebuilt(folder: Path):
    return rebuild_experiment(open_finished_run(str(folder), folder.parent))


def edit(folder: Path, file: str, change) -> None:
    content = read_json(folder / file)
    change(content)
    (folder / file).write_text(json.dumps(content), encoding="utf-8")


def refused(folder: Path) -> InputError:
    error = refusal_of(rebuilt, folder)
    assert folder.name in error.place
    return error


def test_the_experiment_comes_back_whole(tmp_path, own_copy):
    original = load_experiment(str(write_experiment(tmp_path, ATTACKED)))
    found = rebuilt(own_copy)
    assert found.today.settings == original.settings
    assert found.today.resolved() == original.resolved()
    ours = found.today.contest()
    theirs = original.contest()
    np.testing.assert_array_equal(ours.table.words, theirs.table.words)
    assert ours.players == theirs.players
    assert found.notes == ()


def test_the_patched_pool_is_that_of_the_run(own_copy):
    found = rebuilt(own_copy)
    assert found.patched.pool.cards == load_pool(str(own_copy / "patched_pool.toml")).cards
    assert found.patched.pool != found.today.pool
    assert found.patched.contest().players == found.today.contest().players
    notes = (own_copy / "patch_notes.txt").read_text(encoding="utf-8").splitlines()
    assert notes[0].startswith("tiny: ")
    edits = [line for line in notes if re.fullmatch(r".+: (cost|attack|health) \d+ -> \d+", line)]
    both = zip(found.today.pool.cards, found.patched.pool.cards, strict=True)
    numbers = ("cost", "attack", "health")
    assert len(edits) == sum(getattr(a, n) != getattr(b, n) for a, b in both for n in numbers)
    win_rates = [
        line
        for line in notes[: notes.index("## Why each edit")]
        if not line.startswith(("- ", "The patch ", "first seat"))  # in other hands, the first seat
    ]
    assert sum(" vs " in line for line in win_rates) == len(summary_of(own_copy)["matchups"])


def test_the_games_of_the_certificate_come_out_again(own_copy):
    found = rebuilt(own_copy)
    (matchup,) = summary_of(own_copy)["matchups"]
    for experiment, side in ((found.today, "before"), (found.patched, "after")):
        contest = experiment.contest()
        counts = play_matchups(
            contest,
            contest.table,
            n_games=matchup[side]["n"],
            run_seed=experiment.settings.seed,
            purpose="certify",
        )
        assert float(counts.win_rate().estimate[0, 0]) == pytest.approx(matchup[side]["win_rate"])


def test_an_empty_patch_changes_nothing(own_copy):
    edit(own_copy, "summary.json", lambda summary: summary.update(patch=[]))
    found = rebuilt(own_copy)
    assert found.patched.pool == found.today.pool


def test_another_engine_is_allowed_and_noted(own_copy):
    edit(own_copy, "run.json", lambda made: made.update(engine_hash="0123456789abcdef"))
    (note,) = rebuilt(own_copy).notes
    assert "0123456789abcdef" in note


def test_a_run_is_rebuilt_without_its_original_files(tmp_path):
    pool = load_pool("core")
    write_pool(pool, tmp_path / "mine.toml")
    text = ATTACKED.replace("seed = 7", 'seed = 7\npool = "mine.toml"')
    folder = run_folder("balance", tmp_path, text=text)
    (tmp_path / "mine.toml").unlink()
    assert rebuilt(folder).today.pool == pool


@pytest.mark.parametrize(
    ("file", "change", "says"),
    [
        (
            "resolved.json",
            lambda r: r.pop("pool"),
            "'pool'",
        ),
        ("resolved.json", lambda r: r.pop("decks"), "'decks'"),
        ("resolved.json", lambda r: r["decks"].pop(), "number of decks is 1"),
        ("resolved.json", lambda r: r["experiment"].update(bad=1), "'bad'"),
        ("resolved.json", lambda r: r["pool"]["card"][0].update(cost=99), "99"),
        ("resolved.json", lambda r: r["decks"][0]["cards"].update(nobody=1), "'nobody'"),
        ("resolved.json", lambda r: r["experiment"]["player"][0].update(agent="agro"), "'agro'"),
        ("summary.json", lambda s: s.pop("patch"), "'patch'"),
        ("summary.json", lambda s: s["patch"][0].update(card="nobody"), "'nobody'"),
        ("summary.json", lambda s: s["patch"][0].update(field="helth"), "did you mean 'health'"),
        ("summary.json", lambda s: s["patch"][0].update({"from": 77}), "77"),
        ("summary.json", lambda s: s["patch"][0].update(to=99), "99"),
        ("summary.json", lambda s: s["patch"][0].pop("to"), "'to'"),
    ],
)
def test_damage_is_named(own_copy, file, change, says):
    edit(own_copy, file, change)
    assert says in str(refused(own_copy))


@pytest.fixture(scope="module")
def trained_results(tmp_path_factory):
    pytest.importorskip("torch")
    place = tmp_path_factory.mktemp("trained")
    finished_training(place / "results")
    outcome = ask("balance", place, "--no-plots", text=WITH_PILOTS)
    assert outcome.status in {0, 1}, outcome.err
    return place / "results"


@pytest.fixture
def trained(trained_results, tmp_path):
    shutil.copytree(trained_results, tmp_path / "results")
    (folder,) = (tmp_path / "results").glob("tiny-????????")
    return folder


def test_trained_agents_are_found_again_among_newer_ones(trained):
    old = trained.parent / "tiny-train-00000000"
    new = trained.parent / "tiny-train-11111111"
    shutil.copytree(old, new)
    (new / "rush_pilot.pt").write_bytes(b"another")
    found = rebuilt(trained)
    assert found.today.pilots["dqn:tiny/rush pilot"].path.parent == old
    assert [agent.name for agent in found.today.agents] == [
        "dqn:tiny/rush pilot",
        "dqn:tiny/keep_pilot",
    ]
    assert found.patched.agents == found.today.agents


def test_a_trained_agent_that_has_changed_is_refused(trained):
    (trained.parent / "tiny-train-00000000" / "rush_pilot.pt").write_bytes(b"another")
    assert refused(trained).place.endswith("rush_pilot.pt")


def test_a_trained_agent_that_is_gone_is_refused(trained):
    shutil.rmtree(trained.parent / "tiny-train-00000000")
    assert refused(trained).value == "tiny"
