"""`evenhand calibrate`: files, summary, planted priorities, the fitted agent, and bad input."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.search.turn.priorities import DOUBLINGS_MAX, PRIORITIES, with_priorities
from agents.search.turn.weights import WEIGHT_MAX, load_weights, weights_text
from balance.observed.calibration import MISFIT
from balance.observed.held_out import mean_gain
from experiments.commands.calibrate import WEIGHTS
from tests.command_line import command, done, json_of, only_folder, refusal, rows_of
from tests.command_line import write_experiment as write
from tests.experiments.result_tables import table
from tests.experiments.test_agree_command import FOUR, PAIRS
from tests.messages import check_message


@pytest.fixture
def observed(tmp_path: Path) -> Path:
    """Return the path of a table of results of four decks and of one more."""
    path = tmp_path / "ladder.csv"
    path.write_text(table("deck,opponent,wins,losses", *PAIRS))
    return path


def calibrate(folder: Path, *options: str | Path, text: str = FOUR) -> Any:
    """Run the command on an experiment in a folder, with its results next to it."""
    return command("calibrate", write(folder, text), "--results", folder / "results", *options)


FEW = ("--games", "16", "--no-plots")


def test_the_run_folder_holds_the_weights_of_an_agent_that_plays(
    tmp_path: Path, observed: Path
) -> None:
    summary = json_of(calibrate(tmp_path, "--observed", observed, "--json", "--games", "16"))
    folder = only_folder(tmp_path / "results")
    assert {path.name for path in folder.iterdir()} == {
        "run.json", "resolved.json", "summary.json", "log.txt", "priorities.csv",
        "predictions.csv", "cells.csv", "agreement.png", WEIGHTS,
    }  # fmt: skip
    assert {*summary} == {
        "command", "seed", "file", "source", "agent", "priorities", "factor", "predictions",
        "cells", "misfit", "points", "not_simulated",
    }  # fmt: skip
    assert [row["priority"] for row in summary["priorities"]] == [*PRIORITIES]
    assert len(rows_of(folder / "cells.csv")) == 6
    errors = {row["prediction"]: row["error_pp"] for row in summary["predictions"]}
    assert {*errors} == {"fitted", "held_out", "shrunk", "even"}
    assert errors["even"] == pytest.approx(100 * np.mean([0.1, 0.05, 0.02, 0.2, 0.02, 0.16]))
    playing = ("--agent", summary["agent"], "--games", "4", "--no-plots", "--json")
    counts = json_of(command("matchups", tmp_path / "tiny.toml", "--results", tmp_path, *playing))
    assert {pilot["agent"] for pilot in counts["pilots"]} == {summary["agent"]}


def test_results_do_not_depend_on_threads(tmp_path: Path, observed: Path) -> None:
    one, other = (
        json_of(calibrate(tmp_path, "--observed", observed, "--json", *FEW, "--threads", n))
        for n in ("1", "2")
    )
    for summary in (one, other):
        del summary["agent"]  # it names the run folder, which differs
    assert one == other


@pytest.mark.thorough
def test_a_table_of_an_agent_of_the_family_is_predicted(tmp_path: Path) -> None:
    start = load_weights("plain")
    search = start.search.model_copy(update={"leaves": 4, "worlds": 1})
    truth = with_priorities(start.model_copy(update={"search": search}), np.array([1, -1, 0, -1.0]))
    (tmp_path / "truth.toml").write_text(weights_text(truth))
    playing = ("--agent", f"turn:20:{tmp_path}/truth.toml", "--games", "1000", "--seed", "99")
    path = write(tmp_path, FOUR)
    done(command("matchups", path, "--results", tmp_path / "truth", "--no-plots", *playing))
    rows = rows_of(only_folder(tmp_path / "truth") / "matchups.csv")
    observed = tmp_path / "observed.csv"
    kept = [",".join(row[key] for key in ("a", "b", "win_rate_a", "n")) for row in rows]
    observed.write_text(table("a,b,win_rate_a,n", *kept))
    summary = json_of(
        calibrate(tmp_path, "--observed", observed, "--json", "--no-plots", "--games", "200")
    )
    errors = {row["prediction"]: row["error_pp"] for row in summary["predictions"]}
    assert errors["fitted"] < 4
    assert errors["held_out"] < errors["even"]
    assert summary["misfit"] > MISFIT
    assert summary["factor"]["high"] > 0.9


def test_the_screen_shows_priorities_and_predictions(tmp_path: Path, observed: Path) -> None:
    check_message(done(calibrate(tmp_path, "--observed", observed, *FEW)).out)


@pytest.mark.parametrize(
    ("options", "rows"),
    [
        (("--games", "17"), PAIRS),
        (("--games", "8"), PAIRS),
        ((), PAIRS[:5]),
        (("--agent", "light"), PAIRS),
    ],
    ids=["odd", "few games", "few pairs", "agent"],
)
def test_bad_input_is_refused_in_a_line(
    tmp_path: Path, options: tuple[str, ...], rows: list[str]
) -> None:
    path = tmp_path / "ladder.csv"
    path.write_text(table("deck,opponent,wins,losses", *rows))
    check_message(refusal(calibrate(tmp_path, "--observed", path, *options)))


def test_priorities_scale_their_weights_within_limits() -> None:
    start = load_weights("rich")
    same = with_priorities(start, np.zeros(len(PRIORITIES)))
    assert same == start.model_copy(update={"origin": None})
    doubled = with_priorities(start, np.array([1.0, 0, 0, 0]))
    for table_name, key in PRIORITIES["face"]:
        old, new = (getattr(getattr(one, table_name), key) for one in (start, doubled))
        assert new == max(min(2 * old, WEIGHT_MAX), -WEIGHT_MAX)
    assert doubled.own == start.own
    far, farther = (
        with_priorities(start, np.full(len(PRIORITIES), DOUBLINGS_MAX + more)) for more in (0, 5)
    )
    assert far == farther


def test_a_gain_is_that_of_the_mean_errors() -> None:
    pairs = np.array([[0, 0, 1], [1, 2, 2]])
    errors, others = np.array([1.0, 2, 3]), np.array([2.0, 4, 6])
    gain = mean_gain(pairs, errors, others, run_seed=1, n_resamples=100)
    assert float(gain.estimate) == 2
    assert 1 <= float(gain.low) < 2 < float(gain.high) <= 3
    even = mean_gain(pairs, errors, errors, run_seed=1, n_resamples=10)
    assert [float(bound) for bound in even] == [0, 0, 0]
