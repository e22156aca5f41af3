"""The report's figures and tables of patches and cards agree with the run folder."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from experiments.plots.style import counted
from experiments.report.provenance import _decks
from experiments.report.wording import edits_by_card, label_of
from experiments.runs.finished_run import FinishedRun
from sim import Card, Effect, Pool
from tests.command_line import assert_says
from tests.experiments.reports import Page, table

pytest.importorskip("jinja2")
pytest.importorskip("plotly")


def test_every_patch_of_the_front_is_in_the_data(run: Path, page: Page):
    front = page.data["front"]
    rows = table(run, "front.csv")
    edits = table(run, "front_edits.csv")
    matchups = table(run, "front_matchups.csv")
    assert len(front["points"]) == len(rows) > 3
    assert [int(row["point"]) for row in rows] == list(range(1, len(rows) + 1))
    for row, point in zip(rows, front["points"], strict=True):
        assert point["change"] == float(row["change"])
        notes = "; ".join(
            f"{note['name']}: {field} {before} -> {after}"
            for note in point["notes"]
            for field, before, after in note["changes"]
        )
        assert notes == row["patch"]
        assert len([edit for edit in edits if edit["point"] == row["point"]]) == sum(
            len(note["changes"]) for note in point["notes"]
        )
        of_point = [matchup for matchup in matchups if matchup["point"] == row["point"]]
        for stage in ("claimed", "selected"):
            assert point["stages"][stage]["n"] == int(row[f"{stage}_n"])
            for matchup, shown in zip(of_point, point["stages"][stage]["rates"], strict=True):
                assert shown[0] == pytest.approx(float(matchup[stage]), abs=1e-4)
                assert shown[1] < shown[0] < shown[2]
            middles = [(float(m["least"]) + float(m["most"])) / 2 for m in of_point]
            distances = [abs(float(m[stage]) - at) for m, at in zip(of_point, middles, strict=True)]
            estimate, low, high = point["imbalance"][stage]
            assert estimate == pytest.approx(100 * max(distances), abs=1e-3)
            assert low <= estimate <= high


def test_only_the_recommended_patch_has_a_certificate(run: Path, page: Page):
    summary = json.loads((run / "summary.json").read_text(encoding="utf-8"))
    front = page.data["front"]
    (chosen,) = [point for point in front["points"] if point["recommended"]]
    assert [point for point in front["points"] if "certified" in point["stages"]] == [chosen]
    assert chosen["imbalance"]["certified"][0] == pytest.approx(summary["imbalance_pp"], rel=1e-5)
    assert chosen["change"] == summary["change"]
    changes = [tuple(change) for note in chosen["notes"] for change in note["changes"]]
    assert changes == [(edit["field"], edit["from"], edit["to"]) for edit in summary["patch"]]
    shown = [rate[0] for rate in chosen["stages"]["certified"]["rates"]]
    assert shown == pytest.approx([m["after"]["win_rate"] for m in summary["matchups"]], abs=1e-4)


def test_each_point_has_its_own_column_and_the_certificate_another(page: Page):
    front = page.data["front"]
    points = front["points"]
    places = front["places"]
    (best,) = [k for k, point in enumerate(points) if point["recommended"]]
    columns = sorted([*places, places[best] - 1])
    assert min(b - a for a, b in pairwise([0, *columns])) >= 1 - 1e-9
    by_place = sorted(range(len(points)), key=places.__getitem__)
    assert [points[k]["cards"] for k in by_place] == sorted(p["cards"] for p in points)
    groups = front["groups"]
    borders = [0, *(group["border"] for group in groups)]
    for left, right, group in zip(borders, borders[1:], groups, strict=False):
        inside = [p["cards"] for p, x in zip(points, places, strict=True) if left < x < right]
        assert {f"{value:g}" for value in inside} == {group["label"]}
        assert group["middle"] == (left + right) / 2


def test_the_figures_of_the_tables_are_in_the_page(run: Path, page: Page):
    summary = json.loads((run / "summary.json").read_text(encoding="utf-8"))
    n_certified = summary["matchups"][0]["after"]["n"]
    n_select = counted([int(row["selected_n"]) for row in table(run, "front.csv")])
    rounds = len(table(run, "convergence.csv"))
    labels = [drawing.attrib["aria-label"] for drawing in page.drawings]
    wide = labels[::2]
    narrow = labels[1::2]
    assert wide == narrow
    matchups, front, search = wide
    assert_says(matchups, f"n = {n_certified:,} games per matchup")
    assert_says(front, f"selected n = {n_select}")
    assert_says(search, f"of {rounds} rounds", f"n = {n_select} per matchup of each patch")


def test_every_card_of_every_deck_has_its_power(run: Path, page: Page):
    kept = {row["card"]: row["kept"] for row in table(run, "narrowing.csv")}
    for row in table(run, "power.csv"):
        bounds = [float(row[column]) for column in ("power_pp", "low_pp", "high_pp")]
        shown = "{:+.1f} {:+.1f} to {:+.1f}".format(*bounds).replace("-", "\N{MINUS SIGN}")
        name = row["card"].replace("_", " ").title().replace(" Of ", " of ")
        shown_row = page.row_with(
            name, f" {row['player']} ", shown, f"n = {int(row['copies_drawn']):,}"
        )
        assert shown_row.endswith("kept" if kept[row["card"]] == "True" else "dropped")


DUMPED = Pool(
    name="p",
    cards=(
        Card(
            id="bolt",
            name="Bolt",
            kind="spell",
            cost=2,
            effects=(Effect(on="play", do="damage", amount=3), Effect(on="play", do="draw")),
        ),
        Card(id="axe", name="Axe", kind="weapon", cost=3, attack=3, durability=2),
        Card(id="unit", name="Unit", cost=1, attack=1, health=1),
    ),
).model_dump(mode="json", by_alias=True)
CARDS = {card["id"]: card for card in DUMPED["card"]}
PATCH = [
    {"card": "bolt", "field": "amount", "from": 3, "to": 2},
    {"card": "axe", "field": "durability", "from": 2, "to": 3},
]


def run_with(*decks: dict[str, int]) -> FinishedRun:
    """Return the parts of a finished run that the tables of decks read."""
    resolved = {
        "pool": DUMPED,
        "experiment": {"player": [{"name": None, "agent": "aggro"} for _ in decks]},
        "decks": [{"name": "d", "cards": deck} for deck in decks],
    }
    return cast("FinishedRun", SimpleNamespace(resolved=resolved, summary={"patch": PATCH}))


def test_patch_notes_use_the_labels_of_amounts():
    assert edits_by_card(PATCH, CARDS) == [
        {"name": "Bolt", "changes": [["damage", 3, 2]]},
        {"name": "Axe", "changes": [["durability", 2, 3]]},
    ]
    assert label_of(CARDS["bolt"], "amount_2") == "draw"
    assert label_of(CARDS["bolt"], "cost") == "cost"


def test_a_deck_shows_the_numbers_that_its_cards_have():
    rich, plain = _decks(run_with({"bolt": 2, "axe": 1}, {"unit": 2}))
    assert rich["columns"] == ["cost", "attack", "durability"]
    bolt, axe = rich["cards"]
    assert bolt["numbers"] == [(2, None), ("\N{EN DASH}", None), ("\N{EN DASH}", None)]
    assert bolt["amounts"] == [("damage", 3, 2), ("draw", 1, None)]
    assert axe["numbers"] == [(3, None), (3, None), (2, 3)]
    assert axe["amounts"] == []
    assert plain["columns"] == ["cost", "attack", "health"]
    assert plain["cards"][0]["numbers"] == [(1, None), (1, None), (1, None)]
