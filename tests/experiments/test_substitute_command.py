"""`evenhand substitute`: the answer in tables, files and sentences, and refused questions."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from balance.decks.role_words import role_in_words
from sim import Card, Effect, load_pool
from tests.balance.contests import body
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
from tests.experiments.command_goldens import check_refused, check_screen

SMALL = TINY + "\n[substitute]\nrace = 20\ngames = 100\nshown = 3\n"
WHELP = ("--deck", "ember_rush", "--card", "ember_whelp")
DRAW = Effect(on="play", do="draw")
DRAWING = body("a", 2, 2, 2, effects=(DRAW,))


substitute = partial(ask, "substitute", text=SMALL)


def test_the_answer_is_shown_and_kept(tmp_path: Path):
    outcome = done(substitute(tmp_path, *WHELP))
    check_screen(outcome.out)
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
    for candidate in (*summary["by_win_rate"], *summary["by_role"]):
        assert candidate["low_pp"] <= candidate["gain_pp"] <= candidate["high_pp"]
        assert candidate["n"] == 100
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
    assert all(candidate["cards"] != ["puffball"] for candidate in summary["by_win_rate"])


def test_several_missing_cards_are_shown_without_roles(tmp_path: Path):
    cards = ("--deck", "ember_rush", "--card", "ember_whelp", "--card", "furnace_rat")
    outcome = done(substitute(tmp_path, *cards))
    assert (only_folder(tmp_path / "results") / "substitutes.png").stat().st_size > 1000
    check_screen(outcome.out)


def test_the_mirror_starts_from_50_percent(tmp_path: Path):
    summary = json_of(substitute(tmp_path, *WHELP, "--mirror", "--json", "--no-plots"))
    assert summary["intact"] == {"win_rate": 0.5, "low": 0.5, "high": 0.5, "n": 100}


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("--card", "ember_whelp"), SMALL),
        (("--deck", "ember_rush"), SMALL),
        (("--deck", "ember_rsh"), SMALL),
        (("--deck", "ember_rush", "--card", "whelp"), SMALL),
        (("--deck", "ember_rush", "--card", "puffball"), SMALL),
        ((*WHELP, "--games", "11"), SMALL),
        ((*WHELP, "--games", "two"), SMALL),
        ((*WHELP, "--shown", "0"), SMALL),
        (WHELP, "collection = { ember_whelp = 0 }\n" + SMALL),
        (WHELP, "collection = { whelp = 1 }\n" + SMALL),
        (WHELP, SMALL + "[field]\nweights = { tide = 1 }\n"),
        (WHELP, SMALL + "[field]\nweights = { tide_keep = 0 }\n"),
        (WHELP, SMALL + "[field]\nweights = { tide_keep = -1 }\n"),
        (WHELP, SMALL.replace("shown", "show")),
    ],
)
def test_a_wrong_question_is_refused(tmp_path: Path, arguments, text):
    check_refused("substitute", tmp_path, *arguments, text=text)


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
