"""`evenhand balance --estimate` says what a run may take, and leaves nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from balance.estimate import Probe, guess_run
from experiments.experiment import load_experiment
from experiments.screen.wording import duration, estimate_words
from tests.command_line import TINY, command, write_experiment

STAGES = ["measure", "narrow", "search", "select", "clean up", "certify", "edits"]


def test_the_summary_has_its_documented_shape_and_there_is_no_folder(tmp_path: Path) -> None:
    results = tmp_path / "results"
    experiment = write_experiment(tmp_path)
    outcome = command("balance", experiment, "--results", results, "--estimate", "--json")
    told = json.loads(outcome.out)
    assert (outcome.status, outcome.err) == (0, "")
    assert [*told] == ["command", "stages", "n_games", "most", "seconds", "game_s"]
    assert [stage["stage"] for stage in told["stages"]] == STAGES
    assert told["n_games"] == sum(stage["n_games"] for stage in told["stages"])
    assert told["most"] == sum(stage["most"] for stage in told["stages"])
    assert told["stages"][0] == {"stage": "measure", "n_games": 40, "most": 40}
    assert not results.exists()


def test_people_read_a_sentence_and_a_table(tmp_path: Path) -> None:
    outcome = command("balance", write_experiment(tmp_path), "--estimate")
    first, *lines = outcome.out.splitlines()
    assert first.startswith("Expected: about ")
    assert first.endswith(", besides figures")
    assert ["measure", "40", "40"] in [line.split() for line in lines]


def test_what_a_run_would_refuse_is_refused(tmp_path: Path) -> None:
    experiment = write_experiment(tmp_path, TINY.replace('"nsga2"', '"nsga3"'))
    outcome = command("balance", experiment, "--estimate")
    assert outcome.status == 2
    assert "unknown method 'nsga3'" in outcome.err


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.26, "0.3 s"), (17.0, "17.0 s"), (185.0, "3 min 5 s"), (7_800.0, "2 h 10 min")],
)
def test_seconds_in_words(seconds: float, words: str) -> None:
    assert duration(seconds) == words


def test_games_and_seconds_have_two_digits() -> None:
    experiment = load_experiment("quickstart")
    probe = Probe(19.0, n_games=4_000, seconds=2e-6, unit_s=0.0)
    found = guess_run(experiment.contest(), experiment.settings, probe)
    assert 1_450_000 < found.n_games < 1_550_000
    assert estimate_words(found) == (
        f"about 1,500,000 games in {found.seconds:.1f} s, besides figures"
    )
