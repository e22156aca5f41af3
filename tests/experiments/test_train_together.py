"""`[train] together` writes rounds and pilots, and can be stopped and resumed at any time."""

from __future__ import annotations

from functools import partial
from itertools import count
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from agents.dqn.checkpoint import load_pilot
from experiments.learning import together as together_module
from tests.command_line import (
    ask,
    assert_refused,
    contents,
    done,
    only_folder,
    refusal,
    rows_of,
    summary_of,
)
from tests.experiments.learners import ONE_LEARNER, PLAYERS, SETTINGS
from tests.messages import check_message

pytestmark = [pytest.mark.thorough, pytest.mark.usefixtures("few_final_games")]

ROUNDS = "together = { steps = 300, rounds = 2, rest_pp = 0.01, games = 100 }"
TEXT = (
    PLAYERS
    + ONE_LEARNER.replace("second", "either")
    + """
[[learner]]
name = "tide"
decks = ["tide_keep"]
opponents = ["ember_rush", "self"]
"""
)
TEXT += SETTINGS.replace("[train]", f"[train]\n{ROUNDS}")
KEPT = ("ember.pt", "tide.pt", "rounds.csv")


train = partial(ask, "train", text=TEXT)


@pytest.fixture(scope="module")
def unbroken(few_final_games, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a run that was not stopped."""
    folder = tmp_path_factory.mktemp("unbroken")
    done(train(folder, "--no-plots", "--threads", "2"))
    return only_folder(folder / "results")


def test_rounds_are_reported_and_pilots_know_them(unbroken: Path) -> None:
    summary = summary_of(unbroken)["together"]
    rows = rows_of(unbroken / "rounds.csv")
    assert [row["round"] for row in rows] == ["0", "1", "2"]
    assert rows[0]["change_pp"] == ""
    rates = [float(row["win_rate"]) for row in rows]
    assert float(rows[2]["change_pp"]) == pytest.approx(100 * (rates[2] - rates[1]), abs=1e-3)
    assert summary["rounds"] == 2
    assert summary["at_rest"] == (summary["moved_pp"] <= 0.01)
    for name in ("ember", "tide"):
        known = load_pilot(unbroken / f"{name}.pt").provenance
        assert known.moved_pp == pytest.approx(summary["moved_pp"], abs=0.01)
        assert known.steps >= 700 + 2 * 300
    assert not {"rounds"} & {path.name for path in unbroken.iterdir() if path.is_dir()}


@pytest.mark.parametrize(
    "saves",
    [1, pytest.param(3, marks=pytest.mark.slow), pytest.param(5, marks=pytest.mark.slow), 7],
)
def test_a_run_that_was_stopped_ends_the_same(saves: int, unbroken: Path, tmp_path: Path) -> None:
    n_saved = count()
    save = together_module.save_pilot

    def stop(*args: Any) -> None:
        if next(n_saved) == saves:
            raise KeyboardInterrupt
        save(*args)

    with mock.patch.object(together_module, "save_pilot", stop):
        assert train(tmp_path, "--no-plots").status == 130
    done(train(tmp_path, "--no-plots", "--resume", "--threads", "1"))
    stopped = only_folder(tmp_path / "results")
    assert [(unbroken / n).read_bytes() for n in KEPT] == [(stopped / n).read_bytes() for n in KEPT]
    assert contents(unbroken).keys() == contents(stopped).keys()


@pytest.mark.parametrize(
    "wrong", ["together = 3", "together = { rounds = 0 }", "together = { rest = 1 }"]
)
def test_rounds_that_cannot_be_played_are_refused(wrong: str, tmp_path: Path) -> None:
    message = refusal(train(tmp_path, text=TEXT.replace(ROUNDS, wrong)))
    assert "train.together" in message
    check_message(message)


def test_learners_that_cannot_meet_are_refused_before_anything_is_written(tmp_path: Path) -> None:
    alone = (PLAYERS + ONE_LEARNER + SETTINGS).replace("[train]", "[train]\ntogether = true")
    check_message(assert_refused("train", tmp_path, "'second'", text=alone))
