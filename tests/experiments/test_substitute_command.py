"""`evenhand substitute`: the answer in tables, files and sentences, and what it refuses."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from experiments.commands.substitute_words import role_in_words
from sim import Card, Effect, load_pool
from tests.balance.contests import body
from tests.command_line import (
    TINY,
    ask,
    assert_refused,
    assert_says,
    contents,
    done,
    json_of,
    only_folder,
    rows_of,
    summary_of,
)

SMALL = TINY + "\n[substitute]\nrace = 20\ngames = 100\nshown = 3\n"
WHELP = ("--deck", "ember_rush", "--card", "ember_whelp")
DRAW = Effect(on="play", do="draw")
DRAWING = body("a", 2, 2, 2, effects=(DRAW,))


substitute = partial(ask, "substitute", text=SMALL)


def test_the_answer_is_told_and_kept(tmp_path: Path):
    outcome = done(substitute(tmp_path, *WHELP))
    assert "ember_rush (aggro) without 2 Ember Whelp, against tide_keep (control)" in outcome.out
    assert outcome.out.count("Playing ") in {3, 4}
    folder = only_folder(tmp_path / "results")
    files = {"substitutes.csv", "substitutes.png", "summary.json", "resolved.json", "run.json"}
    assert files <= set(contents(folder))
    rows = rows_of(folder / "substitutes.csv")
    assert [int(row["rank"]) for row in rows] == list(range(1, len(rows) + 1))
    assert sorted(int(row["role_rank"]) for row in rows) == list(range(1, len(rows) + 1))
    assert len(rows) == 41


def test_json_is_the_summary_and_has_intervals(tmp_path: Path):
    summary = json_of(substitute(tmp_path, *WHELP, "--json", "--no-plots"))
    assert summary == summary_of(only_folder(tmp_path / "results"))
    assert summary["missing"] == [{"card": "ember_whelp", "copies": 2}]
    assert summary["field"] == {"tide_keep": 1.0}
    for one in (*summary["by_win_rate"], *summary["by_role"]):
        assert one["low_pp"] <= one["gain_pp"] <= one["high_pp"]
        assert one["n"] == 100
    assert sorted(map(str, summary["by_role"])) == sorted(map(str, summary["by_win_rate"]))


def test_cards_go_by_name_too_and_another_question_has_another_folder(tmp_path: Path):
    for card in ("Ember Whelp", "ember_whelp", "Furnace Rat"):
        done(substitute(tmp_path, "--deck", "ember_rush", "--card", card, "--no-plots"))
    names = sorted(path.name for path in (tmp_path / "results").iterdir())
    assert len(names) == 3
    assert sum(name.endswith(".1") for name in names) == 1


def test_a_collection_finds_what_is_missing(tmp_path: Path):
    owned = {card.id: 2 for card in load_pool("core").cards} | {"furnace_rat": 1, "puffball": 0}
    sheet = tmp_path / "mine.csv"
    sheet.write_text("card,copies\n" + "".join(f"{card},{n}\n" for card, n in owned.items()))
    options = ("--deck", "ember_rush", "--collection", sheet, "--json", "--no-plots")
    summary = json_of(substitute(tmp_path, *options))
    assert summary["missing"] == [{"card": "furnace_rat", "copies": 1}]
    assert summary["candidates"] == len(owned) - len({"puffball"}) - 15
    assert all(one["cards"] != ["puffball"] for one in summary["by_win_rate"])


def test_several_cards_are_told_without_a_role(tmp_path: Path):
    cards = ("--deck", "ember_rush", "--card", "ember_whelp", "--card", "furnace_rat")
    outcome = done(substitute(tmp_path, *cards))
    assert (only_folder(tmp_path / "results") / "substitutes.png").stat().st_size > 1000
    assert_says(
        outcome.out,
        "without 2 Ember Whelp, 2 Furnace Rat",
        "Instead, by win rate",
        "Instead, by role",
    )


def test_the_mirror_starts_from_50_percent(tmp_path: Path):
    told = json_of(substitute(tmp_path, *WHELP, "--mirror", "--json", "--no-plots"))
    assert told["intact"] == {"win_rate": 0.5, "low": 0.5, "high": 0.5, "n": 100}


@pytest.mark.parametrize(
    ("arguments", "text", "says"),
    [
        (("--card", "ember_whelp"), SMALL, "--deck: say whose deck lacks a card: ember_rush, tide"),
        (("--deck", "ember_rush"), SMALL, "--card: say which card of 'ember_rush' is missing"),
        (("--deck", "ember_rsh"), SMALL, "unknown player 'ember_rsh'; did you mean 'ember_rush'?"),
        (("--deck", "ember_rush", "--card", "whelp"), SMALL, "no card 'whelp'"),
        (("--deck", "ember_rush", "--card", "puffball"), SMALL, "'puffball' is not in deck 'ember"),
        ((*WHELP, "--games", "11"), SMALL, "games = 11 must be"),
        ((*WHELP, "--games", "two"), SMALL, "'two' must be a whole number"),
        ((*WHELP, "--shown", "0"), SMALL, "'0' must be a whole number from 1 to 1000"),
        (
            WHELP,
            "collection = { ember_whelp = 0 }\n" + SMALL,
            "no card of pool 'core' may take its place",
        ),
        (WHELP, "collection = { whelp = 1 }\n" + SMALL, "collection: pool 'core': no card 'whelp'"),
        (WHELP, SMALL + "[field]\nweights = { tide = 1 }\n", "unknown player 'tide'"),
        (WHELP, SMALL + "[field]\nweights = { tide_keep = 0 }\n", "no opponent is left besides"),
        (WHELP, SMALL + "[field]\nweights = { tide_keep = -1 }\n", "must be at least 0"),
        (WHELP, SMALL.replace("shown", "show"), "did you mean 'shown'?"),
    ],
)
def test_a_question_that_makes_no_sense_is_refused(tmp_path: Path, arguments, text, says):
    assert_refused("substitute", tmp_path, says, *arguments, text=text)


@pytest.mark.parametrize(
    ("missing", "stand_in", "says"),
    [
        (body("a", 2, 2, 2), body("b", 2, 2, 2), "does exactly the same"),
        (DRAWING, body("b", 2, 2, 2), "keeps the curve but loses the draw"),
        (
            body("a", 2, 2, 2),
            body("b", 1, 3, 1),
            "is 1 mana cheaper and gains 1 attack but loses 1 health",
        ),
        (body("a", 2, 2, 2), body("b", 4, 2, 2), "is 2 mana dearer"),
        (
            body("a", 2, 2, 2, keywords=("haste",)),
            body("b", 2, 2, 4, effects=(DRAW,)),
            "keeps the curve and gains 2 health and the draw but loses haste",
        ),
        (
            Card(id="a", name="A", kind="weapon", cost=2, attack=2, durability=2),
            body(
                "b", 2, 2, 2, effects=(Effect(on="play", do="freeze", to="enemy_minions", pick=1),)
            ),
            "keeps the curve and gains 2 health and the effect to freeze a random enemy minion "
            "but is a minion and loses 2 durability",
        ),
    ],
)
def test_roles_in_words(missing, stand_in, says):
    assert role_in_words(missing, stand_in) == says
