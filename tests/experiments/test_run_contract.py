"""Contract with scripts: the structure of `--json`, the files of a run, and its folder's name."""

from __future__ import annotations

import csv
import hashlib
import json
import re
import shutil
from dataclasses import replace
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from balance import run_balance
from experiments.loading import load_experiment
from experiments.runs.run_folder import engine_hash
from sim import __version__
from tests.command_line import (
    ROOT,
    THREE,
    TINY,
    ask,
    contents,
    json_of,
    only_folder,
    read_json,
    rows_of,
    run_folder,
    summary_of,
    timeless,
    write_experiment,
)

NARROW_BAND = THREE.replace("band_pp = 40", "band_pp = 0.5")
COMMON = {"run.json", "resolved.json", "summary.json", "log.txt"}
FILES = {
    "matchups": COMMON | {"matchups.csv", "cards.csv"},
    "power": COMMON | {"power_skip.csv", "power_vanilla.csv"},
}
IMBALANCE = {"pp": float, "low": float, "high": float}
INTERVAL = {"win_rate": float, "low": float, "high": float, "n": int}
WEAK = {"player": str, "agent": str, "against": str, **INTERVAL}
SEAT = {**INTERVAL, "band": [float], "outside": bool, "verdict": str}
PRINTED = {"cost": int, "attack": int, "health": int, "durability": None, "text": str}
BALANCE = {
    "command": str, "certified": bool, "why_not": [str], "explanation": type(None),
    "widened": [str],
    "matchups": [{"a": str, "b": str, "least": float, "most": float, "inside": bool,
                  "verdict": str, "before": INTERVAL, "after": INTERVAL}],
    "guards": {name: {"value": float, "before": float, "low": float, "high": float,
                      "estimate": float, "bound": float, "limit": float, "confidence": float,
                      "n": int, "holds": bool, "passing_limit": float}
               for name in ("max_draw_rate", "max_first_seat_pp", "median_turns")},
    "patch": [{"card": str, "field": str, "from": int, "to": int}],
    "cards": [{"card": str, "name": str, "kind": str, "before": PRINTED, "after": PRINTED}],
    "largest_minions": [{"card": str, "name": str, "cost": int, "attack": int, "health": int,
                         "next_name": str, "next_attack": int, "next_health": int}],
    "change": float, "cards_touched": int, "imbalance_pp": float, "is_nearest": bool,
    "smaller": {"without_room": int, "least_n": int, "most_n": int, "least_change": float,
                "least_cards": int, "edits": int, "clean_up": str, "complete": bool, "tried": int,
                "of": int, "reads_inside": int, "replaced": int, "games": int, "games_left": int,
                "without_margin": type(None)},
    "games": {"measure": int, "narrow": int, "search": int, "select": int, "clean_up": int,
              "certify": int, "edits": int},
    "edits": [{"card": str, "field": str, "edit": str, "players": str, "demand": str,
               "effect_pp": float, "effect_low_pp": float, "effect_high_pp": float,
               "win_rate_without": float, "without_low": float, "without_high": float,
               "fails": bool, "imbalance_pp": float, "imbalance_without_pp": float,
               "breaks_guard": bool, "breaks_rule": bool, "n": int,
               "rates_lack_room": bool, "guards_lack_room": bool}],
    "edit_reasons": [{"card": str, "field": str, "edit": str, "kind": str, "name": str,
                      "cards": str, "card_names": str, "unit": str, "reading": float,
                      "reading_low": float, "reading_high": float, "limit": float,
                      "needed": float, "n": int, "by": str}],
    "prices": [], "rule_prices": [],
    "narrowing": {"by": str, "genes_before": int, "genes_after": int,
                  "log10_size_before": float, "log10_size_after": float},
    "first_seat": {**SEAT, "before": SEAT}, "weak_pilots": [WEAK],
    "band_pp": float, "confidence": float, "seed": int, "seconds": float,
    "second_opinion": {
        "own": [str], "games": int, "sentence": str, "about": str,
        "pilots": [{"agent": str, "holds": bool, "worst_pp": float, "worst_matchup": str,
                    "fault": str,
                    "matchups": [{"a": str, "b": str, "matchup": str, "least": float,
                                  "most": float, "before": INTERVAL, "after": INTERVAL,
                                  "confidence": float, "off_pp": float, "verdict": str}]}],
    },
    "certificate": {"try": int, "risk": float, "looks": int, "most_looks": int, "n": int,
                    "most_n": int, "imbalance_before": IMBALANCE, "imbalance_after": IMBALANCE},
}  # fmt: skip
MATCHUPS = {
    "command": str, "seed": int, "n": int,
    "pilots": [{"player": str, "agent": str}], "people": type(None),
    "demands": [{"demand": str, "win_rate": float, "low": float, "high": float, "least": float,
                 "most": float, "verdict": str}],
    "matchups": [{"a": str, "b": str, **INTERVAL, "first_seat": float, "first_low": float,
                  "first_high": float, "first_seat_outside": bool, "verdict": str,
                  "first_seat_verdict": str, "draw_rate": float,
                  "mean_turns": float, "median_turns": float, "mean_life_a": float,
                  "mean_life_b": float}],
    "first_seat": SEAT, "weak_pilots": [WEAK],
    "draw_rate": {"rate": float, "low": float, "high": float},
}  # fmt: skip
POWER_ROW = {
    "player": str, "agent": str, "card": str, "cost": int, "copies": int, "power_pp": float,
    "low_pp": float, "high_pp": float, "per_copy_pp": float, "per_copy_low_pp": float,
    "per_copy_high_pp": float, "n": int,
    "win_rate_when_drawn": float, "drawn_low": float, "drawn_high": float, "copies_drawn": int,
    "win_rate_when_played": float, "played_low": float, "played_high": float,
    "copies_played": int,
}  # fmt: skip
POWER = {
    "command": str, "seed": int, "versus": str, "skip": [POWER_ROW], "vanilla": [POWER_ROW],
}  # fmt: skip


def assert_shape(data: Any, shape: Any, place: str = "summary") -> None:
    """Check that data has exactly the keys of a shape, with values of its types.

    Args:
        data: the data.
        shape: a type; or a dictionary of shapes by key; or a list with the shape of all items.
        place: name of the data in error messages.
    """
    if isinstance(shape, dict):
        assert isinstance(data, dict), place
        assert set(data) == set(shape), place
        for key in shape:
            assert_shape(data[key], shape[key], f"{place}.{key}")
    elif isinstance(shape, list):
        assert isinstance(data, list), place
        for k, item in enumerate(data):
            assert_shape(item, shape[0], f"{place}[{k}]")
    elif shape is float:
        assert type(data) in {int, float}, f"{place} = {data!r}"
    else:
        assert type(data) is shape, f"{place} = {data!r}"


@pytest.mark.parametrize(
    ("name", "shape", "text"),
    [
        ("matchups", MATCHUPS, THREE),
        ("power", POWER, TINY),
        ("balance", BALANCE, THREE),
        ("balance", BALANCE, THREE.replace('"power"', '"none"').replace("nsga2", "ga")),
    ],
)
def test_json_is_the_summary_file_in_its_documented_shape(
    name: str, shape: Any, text: str, tmp_path: Path
) -> None:
    outcome = ask(name, tmp_path, "--no-plots", "--json", text=text)
    summary = json_of(outcome)
    folder = only_folder(tmp_path / "results")
    assert_shape(summary, shape)
    assert summary["command"] == name
    assert (folder / "summary.json").read_text(encoding="utf-8") == outcome.out
    if name in FILES:
        assert re.fullmatch(rf"tiny-{name}-[0-9a-f]{{8}}", folder.name)
        assert {path.name for path in folder.iterdir()} == FILES[name]


def test_certified_means_every_interval_in_its_band_and_status_0(run: Path) -> None:
    summary = summary_of(run)
    assert (summary["certified"], summary["why_not"]) == (True, [])
    assert len(summary["matchups"]) == 3
    for matchup in summary["matchups"]:
        assert matchup["least"] <= matchup["after"]["low"]
        assert matchup["after"]["low"] < matchup["after"]["win_rate"] < matchup["after"]["high"]
        assert matchup["after"]["high"] <= matchup["most"]
    games = summary["games"]  # those that the experiment asks for
    n_cards = len(rows_of(run / "power.csv"))
    assert games["measure"] == 3 * 40
    assert games["narrow"] == 20 * n_cards + 3 * 10  # decks less a card, and mirrors
    assert games["certify"] == 2 * 3 * 200
    assert games["select"] % (3 * 20) == 0  # few games each, and the rest of some


@pytest.mark.thorough
def test_not_certified_is_status_1_and_names_the_matchups(tmp_path: Path) -> None:
    for_people = ask("balance", tmp_path, "--no-plots", text=NARROW_BAND)
    assert for_people.status == 1
    summary = summary_of(only_folder(tmp_path / "results"))
    assert summary["certified"] is False
    names = [f"{matchup['a']} vs {matchup['b']}" for matchup in summary["matchups"]]
    assert summary["why_not"] == names
    assert ", ".join(names) in for_people.out


def test_a_guard_that_is_not_shown_to_hold_is_named(tmp_path: Path) -> None:
    experiment = load_experiment(str(write_experiment(tmp_path)))
    run = run_balance(experiment.contest(), experiment.settings)
    assert run.why_not == []
    kept, broken, _ = run.certificate.guards
    guards = (kept, replace(broken, bound=broken.limit + 1))
    certificate = replace(run.certificate, certified=False, guards=guards)
    summary = replace(run, certificate=certificate).to_dict()
    assert summary["why_not"] == [broken.name] == ["max_first_seat_pp"]
    assert summary["guards"][broken.name]["holds"] is False
    assert summary["guards"][kept.name]["holds"] is True


def documented_files() -> set[str]:
    """Return the files in the first column of the table of run folders in docs/formats.md."""
    text = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    section = text.split("## Run folders")[1].split("\n#")[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    return {name for row in rows for name in re.findall(r"`([^`]+)`", row)}


def test_balance_leaves_exactly_the_documented_files(tiny: Path) -> None:
    left = {path.name for path in tiny.iterdir()}
    without_edits = {"edits.csv", "edit_reasons.csv", "smaller.csv"}
    with_option = {"prices.csv", "rule_prices.csv", "panel.csv"}
    unfinished = {"checkpoint.npz", "rounds.json"}
    assert left == documented_files() - {"*.png"} - unfinished - without_edits - with_option


def test_the_resolved_config_names_its_folder_and_holds_all_the_data(tiny: Path) -> None:
    resolved = (tiny / "resolved.json").read_bytes()
    assert tiny.name == f"tiny-{hashlib.sha256(resolved).hexdigest()[:8]}"
    data = json.loads(resolved)
    assert (json.dumps(data, indent=2) + "\n").encode() == resolved
    experiment = load_experiment(str(tiny.parents[1] / "tiny.toml"))
    assert data == json.loads(json.dumps({"command": "balance", **experiment.resolved("balance")}))


def test_run_json_records_the_origin_of_the_results(tiny: Path) -> None:
    made = read_json(tiny / "run.json")
    assert made["engine_hash"] == engine_hash()
    assert (made["command"], made["seed"]) == ("balance", 7)
    assert made["evenhand"] == __version__
    for package in ("numpy", "numba", "deap", "pymoo"):
        assert made["versions"][package] == metadata.version(package)


def test_the_engine_hash_covers_the_code_behind_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for package in ("sim", "agents", "balance", "experiments"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / package, tmp_path / package, ignore=ignored)
    unedited = engine_hash()
    monkeypatch.setattr("experiments.runs.run_folder._ROOT", tmp_path)
    assert engine_hash() == unedited
    for file, is_covered in (
        ("experiments/commands/balance_report.py", False),
        ("balance/run/stages.py", True),
        ("balance/search/optimisers/nsga2.py", True),
        ("agents/registry.py", True),
        ("sim/engine/layout.py", True),
    ):
        before = engine_hash()
        edited = tmp_path / file
        edited.write_text(edited.read_text(encoding="utf-8") + "\n# edited\n", encoding="utf-8")
        assert (engine_hash() != before) == is_covered, file


def log_of(folder: Path) -> str:
    """Return the lines of a run's log, without their times."""
    return re.sub(r"(?m)^[0-9-]{10} [0-9:]{8}  ", "", (folder / "log.txt").read_text())


def test_the_same_seed_gives_the_same_files_whatever_the_threads(run: Path, tmp_path: Path) -> None:
    other = run_folder("balance", tmp_path, "--threads", "1", text=THREE)
    assert other.name == run.name
    assert timeless(other) == timeless(run)
    assert log_of(other) == log_of(run)


@pytest.mark.thorough
def test_a_second_run_keeps_the_first_under_another_name(tmp_path: Path) -> None:
    first = run_folder("balance", tmp_path)
    (first / "notes.txt").write_text("mine", encoding="utf-8")
    kept = contents(first)
    for _ in range(2):
        ask("balance", tmp_path, "--no-plots")
    names = sorted(path.name for path in first.parent.iterdir() if path.is_dir())
    assert names == [first.name, f"{first.name}.1", f"{first.name}.2"]
    assert contents(first.with_name(f"{first.name}.1")) == kept
    assert "notes.txt" not in contents(first)


TEXT = {
    "matchup", "a", "b", "player", "players", "agent", "card", "name", "patch", "field", "guard",
    "unit", "edit", "demand", "verdict", "claimed_verdict", "selected_verdict", "taken_back",
    "outcome", "kept_by", "kind", "cards", "card_names", "by", "earlier", "later", "always_with",
}  # fmt: skip
FLAGS = {
    "inside", "guards_hold", "has_room", "on_front", "recommended", "kept", "holds", "fails",
    "breaks_guard", "breaks_rule", "rates_lack_room", "guards_lack_room",
    "few_games", "is_outlier", "moved_is_measured", "differs", "differs_alone",
}  # fmt: skip
COUNTS = re.compile(
    r"n|n_\w+|\w+_n|games|mirrors|rank|generation|genomes_seen|point|from|to|copies|copies_\w+|cards_touched"
)
SHARES = re.compile(
    r"target|confidence|win_rate_\w+|first_seat|draw_rate|(first_|drawn_|played_|without_)?(low|high)"
    r"|(today|claimed|selected|certified|patched)(_low|_high|_confidence)?"
    r"|win_rate|rate_earlier|rate_later|against_field|field_\w+|\w+_share|share(_low|_high)?|unplayed"
)
OF_THE_GAME = {
    "cost", "change", "score", "mean_turns", "median_turns", "mean_life_a", "mean_life_b",
    "hypervolume", "hypervolume_low", "hypervolume_high",
    "before", "before_low", "before_high", "after", "after_low", "after_high", "least", "most",
    "estimate", "bound", "limit", "passing_limit",
    "reading", "reading_low", "reading_high", "needed", "rating_elo", "rating_low", "rating_high",
}  # fmt: skip


@pytest.mark.thorough
def test_every_column_of_every_table_has_a_known_unit(tmp_path: Path) -> None:
    for name in ("matchups", "power", "balance"):
        ask(name, tmp_path, "--no-plots", text=THREE.replace("band_pp = 40", "band_pp = 5"))
    tables = sorted(tmp_path.rglob("*.csv"))
    assert len(tables) == 17
    for table in tables:
        header, *rows = csv.reader(table.read_text(encoding="utf-8").splitlines())
        assert rows, table
        for k, column in enumerate(header):
            assert_unit(column, [row[k] for row in rows if row[k] != ""], f"{table.name}: {column}")


def assert_unit(column: str, cells: list[str], place: str) -> None:
    """Check that the cells of a column fit the unit that its name implies."""
    if column in TEXT:
        return
    if column in FLAGS:
        assert set(cells) <= {"True", "False"}, place
    elif column.endswith("_pp"):
        assert all(abs(float(cell)) <= 200 for cell in cells), place
    elif COUNTS.fullmatch(column):
        assert all(float(cell) == int(float(cell)) >= 0 for cell in cells), place
    elif SHARES.fullmatch(column):
        assert all(0 <= float(cell) <= 1 for cell in cells), place
    else:
        assert column in OF_THE_GAME, f"{place} has no known unit"
