"""`evenhand balance --estimate` says what a run may take, and leaves nothing."""

from __future__ import annotations

import json
import re
from pathlib import Path
from unittest import mock

import pytest

from experiments.screen.console import Screen
from experiments.screen.wording import duration, estimate_words
from tests.command_line import TINY, command, done, write_experiment

STAGES = ["measure", "narrow", "search", "select", "clean up", "certify", "edits"]


def test_the_summary_has_its_documented_shape_and_there_is_no_folder(tmp_path: Path) -> None:
    results = tmp_path / "results"
    experiment = write_experiment(tmp_path)
    outcome = command("balance", experiment, "--results", results, "--estimate", "--json")
    told = json.loads(outcome.out)
    assert (outcome.status, outcome.err) == (0, "")
    assert [*told] == ["command", "stages", "n_games", "most", "widened", "seconds", "game_s"]
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
    assert estimate_words(1_463_212, 13.26) == "about 1,500,000 games in 13.0 s, besides figures"


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("asked", "words"),
    [("matchups", r"about \d+ games in"), ("power", r"about \d+ games in"),
     ("study", r"4 runs, about [\d,]+ games in")],
)  # fmt: skip
def test_who_watches_a_long_command_is_told_first_what_it_may_take(
    asked: str, words: str, tmp_path: Path
) -> None:
    experiment = write_experiment(tmp_path, TINY + "\n[study]\nrun_seeds = 4\n")
    with mock.patch.object(Screen, "is_watched", new=True):
        told = done(command(asked, experiment, "--results", tmp_path, "--no-plots")).err
    assert re.search(f"expected: {words}", told)
