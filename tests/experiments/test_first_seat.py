"""The first seat's share of wins is marked if its whole interval is out of its band."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from balance import Interval
from balance.contest.target import Target
from balance.verdict.first_seat import FirstSeat
from experiments.report.findings import guards
from experiments.runs.finished_run import open_finished_run
from tests.command_line import (
    THREE,
    TINY,
    ask,
    command,
    done,
    only_folder,
    read_json,
    run_folder,
    summary_of,
)
from tests.experiments.command_goldens import check_refusal, check_screen
from tests.experiments.test_matchups_command import crowd

MANY = THREE.replace("matchups = 40", "matchups = 400")
WIDE = MANY.replace("band_pp = 40", "band_pp = 40\nfirst_seat_band_pp = 50")


def share(low: float, high: float) -> FirstSeat:
    """Return a share with an interval, and with a band of 5 points."""
    interval = Interval(*map(np.array, ((low + high) / 2, low, high)))
    return FirstSeat(interval, 0.45, 0.55, 100)


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (0.56, 0.6, "outside"),
        (0.54, 0.6, "not shown"),
        (0.5, 0.56, "not shown"),
        (0.46, 0.54, "inside"),
        (0.4, 0.44, "outside"),
    ],
)
def test_a_share_is_outside_with_its_whole_interval(low: float, high: float, verdict: str) -> None:
    assert share(low, high).verdict == share(low, high).as_entry()["verdict"] == verdict
    assert share(low, high).is_outside is (verdict == "outside")


@pytest.mark.parametrize(
    ("target", "bounds"),
    [
        (Target(), (0.45, 0.55)),
        (Target(first_seat_band_pp=2), (0.48, 0.52)),
        (Target(band_pp=3), (0.45, 0.55)),
        (Target(first_seat=0.6, band_pp=3, first_seat_band_pp=2), (0.57, 0.63)),
        (Target(first_seat=(0.4, 0.7)), (0.4, 0.7)),
        (Target(first_seat=(0.0, 0.7)), (0.0, 0.7)),
    ],
)
def test_a_goal_of_the_first_seat_goes_before_its_band(
    target: Target, bounds: tuple[float, float]
) -> None:
    assert target.first_seat_bounds == pytest.approx(bounds)


@pytest.mark.parametrize(
    "text",
    [MANY, crowd(6).replace("matchups = 20", "matchups = 400")],
    ids=["list", "matrix"],
)
def test_matchups_mark_it_in_a_list_and_beside_a_matrix(text: str, tmp_path: Path) -> None:
    outcome = done(ask("matchups", tmp_path, "--no-plots", text=text))
    summary = summary_of(only_folder(tmp_path / "results"))
    first = summary["first_seat"]
    assert (first["band"], first["outside"]) == ([0.45, 0.55], True)
    assert first["n"] == 400 * len(summary["matchups"])
    for row in summary["matchups"]:
        is_beyond = row["first_low"] > 0.55 or row["first_high"] < 0.45
        assert row["first_seat_outside"] is is_beyond
        assert (row["first_seat_verdict"] == "outside") is is_beyond
    check_screen(outcome.out)


def test_a_wide_band_of_its_own_marks_nothing(tmp_path: Path) -> None:
    summary = summary_of(run_folder("matchups", tmp_path, text=WIDE))
    assert (summary["first_seat"]["band"], summary["first_seat"]["outside"]) == ([0, 1], False)
    assert not any(row["first_seat_outside"] for row in summary["matchups"])


def test_whatif_and_compare_report_its_change(tmp_path: Path) -> None:
    options = ("rules.opening_hand_second+2", "--games", "400")
    edited = run_folder("whatif", tmp_path, *options, text=MANY)
    rate = summary_of(edited)["rates"][-1]
    assert (rate["of"], rate["least"], rate["most"]) == ("first seat", 0.45, 0.55)
    assert rate["today"]["low"] > 0.55
    assert rate["change"]["high"] < 0
    there = ("--results", tmp_path / "compared", "--no-plots", "--games", "400")
    done(command("compare", edited, *there))
    (patch,) = summary_of(only_folder(tmp_path / "compared"))["patches"]
    assert patch["rates"][-1] == rate


def test_a_demanded_first_seat_is_shown_once_and_by_its_goal(tmp_path: Path) -> None:
    text = MANY.replace("band_pp = 40", "band_pp = 40\nfirst_seat = [0.2, 0.9]")
    rates = summary_of(run_folder("whatif", tmp_path, "rules.life=22", text=text))["rates"]
    seats = [rate for rate in rates if rate["rate"].startswith("first seat")]
    assert [(seat["of"], seat["least"], seat["most"]) for seat in seats] == [("else", 0.2, 0.9)]


def test_balance_marks_it_though_its_guard_holds(run: Path) -> None:
    summary = summary_of(run)
    first = summary["first_seat"]
    guard = summary["guards"]["max_first_seat_pp"]
    assert guard["holds"]
    assert first["win_rate"] == pytest.approx(0.5 + guard["value"] / 100)
    assert first["before"]["win_rate"] == pytest.approx(0.5 + guard["before"] / 100)
    assert first["n"] == guard["n"]
    assert (first["outside"], first["before"]["outside"]) == (True, True)
    assert "first seat: " in (run / "patch_notes.txt").read_text(encoding="utf-8")
    rows = {row["name"]: row for row in guards(open_finished_run(str(run), run.parent))}
    seat = rows.pop("max_first_seat_pp")
    assert (seat["before"]["verdict"], seat["after"]["verdict"]) == ("outside", "outside")
    assert not any(row[side]["verdict"] for row in rows.values() for side in ("before", "after"))


def test_the_band_is_checked_and_changes_the_run_but_not_its_question(tmp_path: Path) -> None:
    narrow = TINY.replace("band_pp = 40", "band_pp = 40\nfirst_seat_band_pp = 0.1")
    check_refusal(ask("matchups", tmp_path, text=narrow))
    results = tmp_path / "results"
    run_folder("balance", tmp_path)
    done(ask("balance", tmp_path, "--no-plots", text=narrow.replace("0.1", "10")))
    (question,) = read_json(results / "tries.json")["questions"].values()
    assert len([path for path in results.iterdir() if path.is_dir()]) == 2
    assert [entry["number"] for entry in question["tries"]] == [1]
