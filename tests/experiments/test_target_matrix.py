"""Target matrices: what a spreadsheet may hold, and an experiment that reads one."""

from __future__ import annotations

from pathlib import Path

import pytest

from experiments.files.csv_files import read_target_matrix
from experiments.loading import load_experiment
from sim.errors import InputError
from tests.command_line import (
    THREE,
    command,
    done,
    read_json,
    run_folder,
    summary_of,
    write_experiment,
)

A, B, C = "ember_rush", "tide_keep", "grove_march"
MATRIX = f"""goals,{A},{B},{C}
{A},50,60,45-55
{B},,,>=40
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "targets.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_cells_are_percent_with_bands_bounds_or_nothing(tmp_path: Path) -> None:
    assert read_target_matrix(written(tmp_path, MATRIX)) == {
        "others": "free",
        f"{A} vs {B}": 0.6,
        f"{A} vs {C}": [0.45, 0.55],
        f"{B} vs {C}": [0.4, 1.0],
    }
    other = f";{A};{B};;\n{B};47,5 +- 2,5;;;\n{C};<=55 %;50 ± 3;;\n"
    assert read_target_matrix(written(tmp_path, other)) == {
        "others": "free",
        f"{B} vs {A}": {"at": 0.475, "band_pp": 2.5},
        f"{C} vs {A}": [0.0, 0.55],
        f"{C} vs {B}": {"at": 0.5, "band_pp": 3},
    }


def test_halves_of_a_full_matrix_may_agree(tmp_path: Path) -> None:
    full = f",{A},{B},{C}\n{A},50,60,45-57\n{B},40,50,>=40\n{C},43-55,<=60,50\n"
    half = f",{A},{B},{C}\n{A},50,60,45-57\n{B},,50,>=40\n{C},,,50\n"
    assert read_target_matrix(written(tmp_path, full)) == read_target_matrix(
        written(tmp_path, half)
    )
    twice = f",{A}\n{B},60\n{B},60\n"
    assert read_target_matrix(written(tmp_path, twice))[f"{B} vs {A}"] == 0.6
    banded = f",{A},{B}\n{A},,52.3 +- 4\n{B},47.7 +- 4,\n"
    assert read_target_matrix(written(tmp_path, banded))[f"{A} vs {B}"]["at"] == 0.523


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty; wants a line of players"),
        (f",{A},{A}\n", "line 1: every column needs the name of another player"),
        (f",{A}\n{B},even\n", f"line 2: column '{A}': 'even' must be percent, such as 60"),
        (f",{A},{B}\n{A},,40\n{B},61\n", f"line 3: '{B}' vs '{A}' is given twice, not the same"),
        (f",{A}\n{B},60\n{B},61\n", f"line 3: '{B}' vs '{A}' is given twice, not the same"),
        (f",{A}\n{B},60,70\n", "line 2: '70' stands in no column"),
    ],
)
def test_what_is_no_matrix_is_refused_by_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_target_matrix(written(tmp_path, text))


WITH_MATRIX = THREE.replace("band_pp", 'win_rate = "targets.csv"\nband_pp')


@pytest.mark.thorough
def test_an_experiment_reads_the_matrix_beside_it(tmp_path: Path) -> None:
    written(tmp_path, MATRIX)
    folder = run_folder("balance", tmp_path, text=WITH_MATRIX)
    matchups = summary_of(folder)["matchups"]
    told = {one["a"] + one["b"]: (one["least"], one["most"]) for one in matchups}
    assert told[A + C] == pytest.approx((0.45, 0.55))
    assert told[B + C] == pytest.approx((0.4, 1.0))
    resolved = read_json(folder / "resolved.json")
    assert resolved["experiment"]["target"]["win_rate"][f"{A} vs {C}"] == [0.45, 0.55]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f",{A}\nnobody,60\n", f"'nobody vs {A}' is no matchup"),
        (f",{A}\n{B},160\n", f"targets.csv: win_rate.{B} vs {A} = 1.6 must be at most 1"),
        (f",{A}\n{B},50-50.5\n", "1 % or more apart"),
    ],
)
def test_goals_that_nobody_can_have_are_refused(tmp_path: Path, text: str, message: str) -> None:
    written(tmp_path, text)
    with pytest.raises(InputError, match=message):
        load_experiment(str(write_experiment(tmp_path, WITH_MATRIX)))


@pytest.mark.thorough
def test_a_patch_of_the_rules_comes_with_a_ruleset_that_loads(tmp_path: Path) -> None:
    rules = "[tune]\nfields = []\nrules = { opening_hand_second = [5, 9], life = [18, 22] }"
    text = THREE.replace("[tune]", rules).replace("band_pp = 40", "first_seat = 0.5\nband_pp = 15")
    text = text.replace('by = "power"', 'by = "none"').replace("search = 20", "search = 100")
    text = text.replace("[target]", '[target]\nwin_rate = "free"')
    folder = run_folder("balance", tmp_path, text=text)
    summary = summary_of(folder)
    assert {edit["card"] for edit in summary["patch"]} == {"(rules)"}
    assert summary["matchups"][-1]["a"] == "first seat"
    done(command("report", folder))
    moved = write_experiment(tmp_path, f'ruleset = "{folder}/patched_ruleset.toml"\n' + text)
    then = load_experiment(str(moved)).ruleset
    for edit in summary["patch"]:
        assert then.number(edit["field"]) == edit["to"]
