"""`evenhand balance --estimate` estimates games and time of a run, and writes nothing."""

from __future__ import annotations

import re
from pathlib import Path
from unittest import mock

import pytest

from experiments.screen.console import Screen
from tests.command_line import TINY, ask, done, json_of
from tests.experiments.command_goldens import check_refused


def test_the_summary_has_its_documented_shape_and_there_is_no_folder(tmp_path: Path) -> None:
    estimate = json_of(ask("balance", tmp_path, "--estimate", "--json"))
    assert [*estimate] == ["command", "stages", "n_games", "most", "widened", "seconds", "game_s"]
    assert [stage["stage"] for stage in estimate["stages"]] == [
        "measure", "narrow", "search", "select", "clean up", "certify", "edits",
    ]  # fmt: skip
    assert estimate["n_games"] == sum(stage["n_games"] for stage in estimate["stages"])
    assert estimate["most"] == sum(stage["most"] for stage in estimate["stages"])
    assert estimate["stages"][0] == {"stage": "measure", "n_games": 40, "most": 40}
    assert not (tmp_path / "results").exists()


def test_people_read_a_sentence_and_a_table(tmp_path: Path) -> None:
    first, *lines = ask("balance", tmp_path, "--estimate").out.splitlines()
    assert first.startswith("Expected: ")
    assert ["measure", "40", "40"] in [line.split() for line in lines]


def test_an_experiment_that_a_run_would_refuse_is_refused(tmp_path: Path) -> None:
    text = TINY.replace('"nsga2"', '"nsga3"')
    check_refused("balance", tmp_path, "--estimate", text=text)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "words"),
    [("matchups", r"about \d+ games in"), ("power", r"about \d+ games in"),
     ("study", r"4 runs, about [\d,]+ games in")],
)  # fmt: skip
def test_a_long_command_shows_its_estimate_to_a_person_who_watches(
    name: str, words: str, tmp_path: Path
) -> None:
    text = TINY + "\n[study]\nrun_seeds = 4\n"
    with mock.patch.object(Screen, "is_watched", new=True):
        shown = done(ask(name, tmp_path, "--no-plots", text=text)).err
    assert re.search(f"expected: {words}", shown)
