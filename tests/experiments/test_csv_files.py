"""Collections and target matrices as CSV: forms that spreadsheets write, and mistakes."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from experiments.files.csv_files import read_collection, read_target_matrix
from experiments.loading import load_experiment
from sim import Pool
from tests.balance.contests import body
from tests.command_line import (
    THREE,
    command,
    done,
    read_json,
    run_folder,
    summary_of,
    write_experiment,
)
from tests.duels import CORE
from tests.refusals import refusal_of

NAMES = {card.id: card.name for card in CORE.cards}


def collection(folder: Path, text: str | bytes, pool: Pool = CORE) -> dict[str, int]:
    path = folder / "mine.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_collection(path, pool)


@given(
    owned=st.dictionaries(
        st.sampled_from([card.id for card in CORE.cards]), st.integers(0, 1_000_000)
    ),
    by_name=st.booleans(),
    comma=st.sampled_from(",;\t"),
    title=st.sampled_from(["copies", "owned", "count", "Copies"]),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_written_collection_is_read_back(tmp_path, owned, by_name, comma, title):
    lines = [f"card{comma}{title}"]
    lines += [f"{NAMES[card] if by_name else card}{comma}{n}" for card, n in owned.items()]
    assert collection(tmp_path, "\n".join(lines)) == owned


@pytest.mark.parametrize(
    "text",
    [
        "card,copies\nember_whelp,2\n",
        "copies,card\n2,ember_whelp\n",
        "CARD;Owned\n\nEMBER whelp;2,0\n\n",
        "\ufeffcard,foil,copies,set\r\nEmber Whelp,yes,2.0,base\r\n",
        'card\tcount\n"Ember Whelp"\t 2 \n',
        "card,copies,\nember_whelp,2,\n",
    ],
)
def test_spreadsheets_of_many_kinds_are_read(tmp_path, text):
    assert collection(tmp_path, text) == {"ember_whelp": 2}


def test_a_name_of_two_cards_is_ambiguous(tmp_path):
    twins = tuple(body(one, 1, 1, 1).model_copy(update={"name": "Twin"}) for one in "ab")
    pool = Pool(name="own", cards=twins)
    assert collection(tmp_path, "card,copies\na,1\nb,2\n", pool) == {"a": 1, "b": 2}
    error = refusal_of(collection, tmp_path, "card,copies\ntwin,1\n", pool)
    assert error.place == f"{tmp_path / 'mine.csv'}: line 2"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", ""),
        ("\n\n", ""),
        ("name,copies\n", ": line 1"),
        ("card,copeis\n", ": line 1"),
        ("card,copies,owned\n", ": line 1"),
        ("card,card,copies\n", ": line 1"),
        ("card,copies\nembr_whelp,1\n", ": line 2: pool 'core'"),
        ("card,copies\nEmber Welp,1\n", ": line 2: pool 'core'"),
        ("card,copies\n,1\n", ": line 2: column 'card'"),
        ("card,copies\npuffball,\n", ": line 2: column copies"),
        ("card,copies\npuffball\n", ": line 2: column copies"),
        ("card,copies\npuffball,-1\n", ": line 2: column copies"),
        ("card,copies\npuffball,9999999\n", ": line 2: column copies"),
        ("card,copies\npuffball,1.5\n", ": line 2: column copies"),
        ("card,copies\npuffball,two\n", ": line 2: column copies"),
        ("card,copies\npuffball,\u0662\n", ": line 2: column copies"),
        ("card,copies\npuffball,1\nPuffball,2\n", ": line 3"),
        ("card,copies\npuffball,1,7\n", ": line 2"),
        ('card,copies\n"puffball,1\n', ": line 2"),
        (b"card,copies\npuffb\xe4ll,1\n", ": line 2"),
    ],
)
def test_a_mistake_is_named_with_its_line_and_value(tmp_path, text, place):
    error = refusal_of(collection, tmp_path, text)
    assert str(error).startswith(f"{tmp_path / 'mine.csv'}{place}: ")


A = "ember_rush"
B = "tide_keep"
C = "grove_march"
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
    assert read_target_matrix(written(tmp_path, f",{A}\n{B},60\n{B},60\n"))[f"{B} vs {A}"] == 0.6
    banded = f",{A},{B}\n{A},,52.3 +- 4\n{B},47.7 +- 4,\n"
    assert read_target_matrix(written(tmp_path, banded))[f"{A} vs {B}"]["at"] == 0.523


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", ""),
        (f",{A},{A}\n", ": line 1"),
        (f",{A}\n{B},even\n", f": line 2: column '{A}'"),
        (f",{A},{B}\n{A},,40\n{B},61\n", ": line 3"),
        (f",{A}\n{B},60\n{B},61\n", ": line 3"),
        (f",{A}\n{B},60,70\n", ": line 2"),
    ],
)
def test_a_damaged_matrix_is_refused_by_line(tmp_path: Path, text: str, place: str) -> None:
    path = written(tmp_path, text)
    assert refusal_of(read_target_matrix, path).place == f"{path}{place}"


WITH_MATRIX = THREE.replace("band_pp", 'win_rate = "targets.csv"\nband_pp')


@pytest.mark.thorough
def test_an_experiment_reads_the_matrix_beside_it(tmp_path: Path) -> None:
    written(tmp_path, MATRIX)
    folder = run_folder("balance", tmp_path, text=WITH_MATRIX)
    bands = {
        row["a"] + row["b"]: (row["least"], row["most"]) for row in summary_of(folder)["matchups"]
    }
    assert bands[A + C] == pytest.approx((0.45, 0.55))
    assert bands[B + C] == pytest.approx((0.4, 1.0))
    resolved = read_json(folder / "resolved.json")
    assert resolved["experiment"]["target"]["win_rate"][f"{A} vs {C}"] == [0.45, 0.55]


@pytest.mark.parametrize(
    "text",
    [f",{A}\nnobody,60\n", f",{A}\n{B},160\n", f",{A}\n{B},50-50.5\n"],
)
def test_impossible_targets_are_refused(tmp_path: Path, text: str) -> None:
    written(tmp_path, text)
    error = refusal_of(load_experiment, str(write_experiment(tmp_path, WITH_MATRIX)))
    assert str(tmp_path) in error.place


@pytest.mark.thorough
def test_a_patch_of_the_rules_comes_with_a_ruleset_that_loads(tmp_path: Path) -> None:
    rules = "[tune]\nfields = []\nrules = { opening_hand_second = [5, 9], life = [18, 22] }"
    text = THREE.replace("[tune]", rules).replace("band_pp = 40", "first_seat = 0.5\nband_pp = 20")
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
