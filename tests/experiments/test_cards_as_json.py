"""Cards in the JSON files of other games are read by the titles of sheets, and written back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from experiments.spreadsheet.pool_sheet import read_pool_sheet, write_pool_sheet
from experiments.spreadsheet.sheet_file import write_sheets
from sim import Pool, load_deck, load_pool
from tests.command_line import command, done
from tests.refusals import refusal_of

pytestmark = pytest.mark.usefixtures("here")

CARDS: list[dict[str, Any]] = [
    {
        "artist": "nobody", "attack": 2, "cardClass": "EMBER", "collectible": True, "cost": 1,
        "dbfId": 90001, "flavor": "None.", "health": 3, "id": "ZZ_001", "name": "Oak Guard",
        "mechanics": ["TAUNT", "BATTLECRY"], "rarity": "COMMON", "set": "MADE_UP", "type": "MINION",
        "text": "<b>Taunt</b>\n<b>Battlecry:</b> Do a thing.", "races": ["TREE", "GUARD"],
    },
    {
        "attack": 3, "cardClass": "NEUTRAL", "cost": 4, "dbfId": 90002, "durability": 2,
        "id": "ZZ_002", "name": "Elm Axe", "rarity": "RARE", "type": "WEAPON",
    },
    {
        "cardClass": "TIDE", "cost": 0, "dbfId": 90003, "id": "ZZ_003", "name": "Ivy Song",
        "mechanics": ["DISCOVER"], "type": "SPELL", "playRequirements": {"REQ_TARGET": 0},
    },
    {
        "attack": 5, "cardClass": "TIDE", "cost": 5, "dbfId": 90004, "health": 1, "id": "ZZ_004",
        "mechanics": ["CHARGE", "DIVINE_SHIELD"], "name": "Ash Imp", "type": "MINION",
        "elite": True, "overload": 2,
    },
]  # fmt: skip
"""Invented cards with the keys of HearthstoneJSON."""


def write(data: object, name: str = "cards.json") -> Path:
    path = Path(name)
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return path


@pytest.mark.parametrize("data", [CARDS, {"cards": CARDS}, {"version": 3, "entries": CARDS}])
def test_the_names_of_a_published_format_are_read(data: object) -> None:
    found = read_pool_sheet(write(data), "p")
    oak, axe, song, imp = found.pool.cards
    assert (oak.id, oak.kind, oak.cost, oak.attack, oak.health) == ("zz_001", "minion", 1, 2, 3)
    assert (axe.kind, axe.attack, axe.durability) == ("weapon", 3, 2)
    assert (song.kind, song.cost, song.overload, imp.overload) == ("spell", 0, 0, 2)
    assert [card.keywords for card in found.pool.cards] == [
        ("taunt",), (), (), ("haste", "divine_shield"),
    ]  # fmt: skip
    assert oak.notes["mechanics"] == "TAUNT; BATTLECRY"
    assert oak.notes["text"] == CARDS[0]["text"]
    assert (oak.notes["cardClass"], oak.notes["rarity"], oak.notes["dbfId"]) == (
        "EMBER", "COMMON", "90001",
    )  # fmt: skip
    read_as = {row.column: row.read_as for row in found.understood}
    assert read_as["mechanics"] == "keywords"
    (holds,) = [row.holds for row in found.understood if row.column == "mechanics"]
    assert [word in holds for word in ("taunt (1)", "BATTLECRY (1)", "DISCOVER (1)")] == [True] * 3


def test_mechanics_without_any_keyword_are_a_note() -> None:
    cards = [{**card, "mechanics": ["BATTLECRY"]} for card in CARDS]
    found = read_pool_sheet(write(cards), "p")
    assert {card.keywords for card in found.pool.cards} == {()}
    assert {card.notes["mechanics"] for card in found.pool.cards} == {"BATTLECRY"}


def test_a_second_table_is_refused() -> None:
    error = refusal_of(read_pool_sheet, write({"all": CARDS, "more": [{"name": "x"}]}), "p")
    assert error.place == "cards.json"


@pytest.mark.parametrize("ending", ["csv", "xlsx", "ods", "json"])
def test_such_cards_survive_every_sheet(ending: str) -> None:
    pool = read_pool_sheet(write(CARDS), "p").pool
    path = Path(f"b.{ending}")
    write_pool_sheet(pool, path)
    assert read_pool_sheet(path, "p", pool).pool == pool
    assert read_pool_sheet(path, "p").pool.cards == pool.cards


def test_json_keeps_numbers_and_leaves_blank_cells_out() -> None:
    write_sheets(Path("a.json"), {"cards": [["name", "cost", "x"], ["A", 1, ""], ["B", "", "007"]]})
    assert json.loads(Path("a.json").read_text(encoding="utf-8")) == [
        {"name": "A", "cost": 1, "x": ""},
        {"name": "B", "x": "007"},
    ]
    error = refusal_of(write_sheets, Path("b.json"), {"cards": [["a", "a"], ["1", "2"]]})
    assert (error.place, error.value) == ("b.json", "a")


@pytest.mark.parametrize("ending", ["ods", "json"])
def test_a_pool_with_decks_goes_to_a_file_and_back_by_commands(ending: str) -> None:
    done(command("cards", "export", "core", "--out", f"mine.{ending}"))
    done(command("cards", "import", f"mine.{ending}", "--name", "core"))
    assert load_pool("mine.toml").cards == load_pool("core").cards
    done(command("deck", "export", "ember_rush", "--format", "text"))
    Path("rush.toml").write_text(
        'name = "rush"\npool = "core"\nruleset = "duel"\n[cards]\n'
        + "".join(f"{card} = 2\n" for card in load_deck("ember_rush").cards),
        encoding="utf-8",
    )
    done(command("cards", "export", "mine.toml", "--out", f"both.{ending}"))
    done(command("init", "game", "--from", f"both.{ending}"))
    assert load_deck("game/rush.toml").cards == load_deck("rush.toml").cards
    kept = "ods" if ending == "ods" else "csv"
    assert Path(f"game/cards.{kept}").exists()


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\x89PNG\r\n\x1a",
        "[" * 40 + "]" * 40,
        '[{"name": "Oak", "cost": NaN, "attack": 1, "health": 1}]',
        '[{"name": "Oak", "cost": 1, "attack": -Infinity, "health": 1}]',
        '[{"name": "Oak", "name": "Elm", "cost": 1, "attack": 1, "health": 1}]',
        '[{"name": "Oak", "cost": 1e999, "attack": 1, "health": 1}]',
        '[{"name": "Oak", "cost": ' + "9" * 5_000 + ', "attack": 1, "health": 1}]',
        '[{"name": "\\ud800", "cost": 1, "attack": 1, "health": 1}]',
        '[{"name": "Oak", "cost": 1, "attack": 1, "health": 1, "text": "\\u0000"}]',
        '[{"name": "Oak", "cost": [1, [2]], "attack": 1, "health": 1}]',
        '[{"name": "Oak", "cost": 1, "attack": 1, "health": 1}',
        "[1, 2]",
        "{}",
        "null",
    ],
    ids=[
        "empty", "blank", "binary", "deep", "NaN", "infinity", "key twice", "float", "digits",
        "surrogate", "zero", "nested", "torn", "numbers", "no list", "null",
    ],
)  # fmt: skip
def test_nonsense_is_refused_in_one_error(text: str) -> None:
    path = write(text)
    assert refusal_of(read_pool_sheet, path, "p").place.startswith("cards.json")


def test_a_pool_is_unchanged_by_the_import_of_its_export() -> None:
    saga = load_pool("saga")
    for ending in ("ods", "json"):
        write_pool_sheet(saga, Path(f"a.{ending}"))
        found: Pool = read_pool_sheet(Path(f"a.{ending}"), "saga", saga).pool
        assert found == saga
