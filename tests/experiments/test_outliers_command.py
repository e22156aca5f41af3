"""`evenhand outliers`: the table in a file and on the screen, and resumed runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from experiments.runs import run as runs
from tests.command_line import (
    TINY,
    command,
    contents,
    done,
    only_folder,
    refusal,
    rows_of,
    write_experiment,
)
from tests.duels import CORE

SEARCH = "\n[build]\npopulation = 8\ngenerations = 4\nsearch = 10\n"


def outliers(folder: Path, *arguments: str | Path, text: str = TINY + SEARCH):
    folder.mkdir(exist_ok=True)
    path = write_experiment(folder, text)
    return command("outliers", path, "--results", folder / "results", *arguments)


def test_cards_are_told_by_what_they_do_for_decks(tmp_path: Path):
    outcome = done(outliers(tmp_path))
    folder = only_folder(tmp_path / "results")
    assert set(contents(folder)) == {
        "outliers.csv", "summary.json", "resolved.json", "run.json", "log.txt",
    }  # fmt: skip
    rows = rows_of(folder / "outliers.csv")
    assert sorted(row["card"] for row in rows) == sorted(card.id for card in CORE.cards)
    effects = [float(row["effect_pp"]) for row in rows]
    assert effects == sorted(effects, reverse=True)
    for row in rows:
        assert (row["is_outlier"] == "True") == (float(row["low_pp"]) > float(row["fence_pp"]))
    summary = json.loads((folder / "summary.json").read_text())
    assert summary["outliers"] == [row["card"] for row in rows if row["is_outlier"] == "True"]
    assert summary["opponents"] == ["ember_rush", "tide_keep"]
    assert f"{summary['decks']:,} decks, {summary['games']:,} games" in outcome.out
    assert rows[0]["name"] in outcome.out
    assert json.loads(outliers(tmp_path, "--json").out) == summary


def test_decks_are_built_anew_by_whom_the_options_say(tmp_path: Path):
    text = f'{TINY}{SEARCH}improve = "tide_keep"\n'
    summary = json.loads(outliers(tmp_path, "--json", "--agent", "control", text=text).out)
    assert summary["agent"] == "control"
    assert summary["opponents"] == ["ember_rush", "tide_keep"]
    said = refusal(outliers(tmp_path, "--agent", "agro"))
    assert "--agent: no agent 'agro'" in said


def test_a_stopped_run_continues_to_the_same_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    unbroken = json.loads(outliers(tmp_path / "unbroken", "--json").out)
    save = runs.save_checkpoint

    def save_and_stop(folder, state):
        save(folder, state)
        if state.generation == 2:
            raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(runs, "save_checkpoint", save_and_stop)
        outcome = outliers(tmp_path / "stopped")
    assert outcome.status == 130
    assert "outliers continues where it stopped with --resume" in outcome.err
    assert json.loads(outliers(tmp_path / "stopped", "--resume", "--json").out) == unbroken
