"""Commands report pilots that `light` beats in their own mirror."""

from __future__ import annotations

from pathlib import Path

import pytest

from balance.cards.pilot_check import LOOKS
from tests.command_line import TINY, ask, command, contents, done, run_folder, summary_of

SOME = TINY.replace("matchups = 40", "matchups = 200")
LINE = "light beats its pilot"


@pytest.mark.parametrize("name", ["matchups", "balance"])
def test_weak_pilots_are_reported_and_stored(name: str, tmp_path: Path) -> None:
    outcome = done(ask(name, tmp_path, "--no-plots", text=SOME))
    (folder,) = (path for path in (tmp_path / "results").iterdir() if path.is_dir())
    weak = summary_of(folder)["weak_pilots"]
    pilots = [(entry["player"], entry["agent"], entry["against"]) for entry in weak]
    assert pilots == [("ember_rush", "aggro", "light"), ("tide_keep", "control", "light")]
    for entry in weak:
        assert 0.55 < entry["low"] < entry["win_rate"] < entry["high"]
        assert entry["n"] == LOOKS[0]
    assert outcome.out.count(LINE) == len(weak)


def test_of_light_nothing_is_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise AssertionError("no mirror is to be played")

    monkeypatch.setattr("balance.cards.pilot_check.play_pairs", fail)
    folder = run_folder("matchups", tmp_path, "--agent", "light", text=SOME)
    assert summary_of(folder)["weak_pilots"] == []


def test_they_are_measured_by_no_more_games_than_a_matchup(tmp_path: Path) -> None:
    weak = summary_of(run_folder("matchups", tmp_path))["weak_pilots"]
    assert {entry["n"] for entry in weak} <= {40}


def test_of_a_game_that_has_just_begun_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    outcome = done(command("init", "mine"))
    assert outcome.out.count(LINE) == 0  # its pilot is light
    assert len([path for path in contents(Path("mine")) if path.endswith(".json")]) == 0
