"""`evenhand balance --estimate` says what a run may take, and leaves nothing."""

from __future__ import annotations

import re
from pathlib import Path
from unittest import mock

import pytest

from experiments.screen.console import Screen
from tests.command_line import TINY, ask, assert_refused, done, json_of


def test_the_summary_has_its_documented_shape_and_there_is_no_folder(tmp_path: Path) -> None:
    told = json_of(ask("balance", tmp_path, "--estimate", "--json"))
    assert [*told] == ["command", "stages", "n_games", "most", "widened", "seconds", "game_s"]
    stages = " ".join(stage["stage"] for stage in told["stages"])
    assert stages == "measure narrow search select clean up certify edits"
    assert told["n_games"] == sum(stage["n_games"] for stage in told["stages"])
    assert told["most"] == sum(stage["most"] for stage in told["stages"])
    assert told["stages"][0] == {"stage": "measure", "n_games": 40, "most": 40}
    assert not (tmp_path / "results").exists()


def test_people_read_a_sentence_and_a_table(tmp_path: Path) -> None:
    first, *lines = ask("balance", tmp_path, "--estimate").out.splitlines()
    assert first.startswith("Expected: about ")
    assert first.endswith(", besides figures")
    assert ["measure", "40", "40"] in [line.split() for line in lines]


def test_what_a_run_would_refuse_is_refused(tmp_path: Path) -> None:
    text = TINY.replace('"nsga2"', '"nsga3"')
    assert_refused("balance", tmp_path, "unknown method 'nsga3'", "--estimate", text=text)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("asked", "words"),
    [("matchups", r"about \d+ games in"), ("power", r"about \d+ games in"),
     ("study", r"4 runs, about [\d,]+ games in")],
)  # fmt: skip
def test_who_watches_a_long_command_is_told_first_what_it_may_take(
    asked: str, words: str, tmp_path: Path
) -> None:
    text = TINY + "\n[study]\nrun_seeds = 4\n"
    with mock.patch.object(Screen, "is_watched", new=True):
        told = done(ask(asked, tmp_path, "--no-plots", text=text)).err
    assert re.search(f"expected: {words}", told)
