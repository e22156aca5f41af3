"""`evenhand outliers`: the table in a file and on the screen, and resumed runs."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from tests.command_line import (
    TINY,
    ask,
    contents,
    done,
    json_of,
    only_folder,
    rows_of,
    summary_of,
)
from tests.duels import CORE
from tests.experiments.command_goldens import check_refusal, check_screen
from tests.experiments.stopping import stopped_after
from tests.messages import check_message

SEARCH = "\n[build]\npopulation = 8\ngenerations = 4\nsearch = 10\n"


outliers = partial(ask, "outliers", text=TINY + SEARCH)


def test_cards_are_ranked_by_their_effect_on_decks(tmp_path: Path):
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
    summary = summary_of(folder)
    assert summary["outliers"] == [row["card"] for row in rows if row["is_outlier"] == "True"]
    assert summary["opponents"] == ["ember_rush", "tide_keep"]
    check_screen(outcome.out)
    assert json_of(outliers(tmp_path, "--json")) == summary


def test_decks_are_always_new_and_have_the_agent_of_the_option(tmp_path: Path):
    text = f'{TINY}{SEARCH}improve = "tide_keep"\n'
    summary = json_of(outliers(tmp_path, "--json", "--agent", "control", text=text))
    assert (summary["agent"], summary["opponents"]) == ("control", ["ember_rush", "tide_keep"])
    check_refusal(outliers(tmp_path, "--agent", "agro"))


def test_a_stopped_run_continues_to_the_same_result(tmp_path: Path):
    unbroken = json_of(outliers(tmp_path, "--json", results="unbroken"))
    with stopped_after(3):
        outcome = outliers(tmp_path)
    assert outcome.status == 130
    check_message(outcome.err.splitlines()[-1])
    done(outliers(tmp_path, "--resume"))
    assert summary_of(only_folder(tmp_path / "results")) == unbroken
