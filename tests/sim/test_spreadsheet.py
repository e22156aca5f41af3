"""Pools survive CSV, and spreadsheets are read as designers save them."""

from __future__ import annotations

from pathlib import Path

import pytest

from experiments.spreadsheet.pool_sheet import read_pool_sheet, write_pool_sheet
from sim import Card, Effect, Pool, load_pool, load_ruleset
from sim.cards.cell_text import described
from sim.cards.effect import Token
from sim.cards.identifiers import card_id_from_name
from tests.legacy import needs_package
from tests.messages import check_message
from tests.refusals import refusal_of, refused

DUEL = load_ruleset("duel")
HEADER = "id,name,kind,cost,attack,health,keywords,effects,tunable\n"


def read_csv(path: Path, name: str, over: Pool | None = None) -> Pool:
    return read_pool_sheet(path, name, over).pool


def sheet(folder: Path, text: str) -> Path:
    path = folder / "cards.csv"
    path.write_bytes(text.encode())
    return path


def only_card(folder: Path, text: str) -> Card:
    (card,) = read_csv(sheet(folder, text), "p").cards
    return card


@pytest.mark.parametrize("name", ["saga", pytest.param("hearthstone", marks=needs_package)])
def test_a_rich_pool_survives_csv(name: str, tmp_path: Path) -> None:
    pool = load_pool(name)
    write_pool_sheet(pool, tmp_path / "a.csv")
    assert read_csv(tmp_path / "a.csv", name, over=pool) == pool


def test_rich_cards_fill_the_columns_that_they_need(tmp_path: Path) -> None:
    spell = Card(
        id="bolt",
        name="Bolt",
        kind="spell",
        cost=1,
        target="enemy_minions(attack<=3)",
        effects=(
            Effect(on="play", do="damage", to="target", amount=3),
            Effect(on="play", do="freeze", to="target"),
            Effect(on="play", do="draw", when="count target(dead) >= 1"),
        ),
        tunable={"amount": (2, 4)},
    )
    axe = Card(id="axe", name="Axe", kind="weapon", cost=2, attack=3, durability=2, overload=1)
    write_pool_sheet(Pool(name="p", cards=(spell, axe)), tmp_path / "a.csv")
    check_message((tmp_path / "a.csv").read_text(encoding="utf-8"))


def test_a_pool_shows_what_its_kinds_of_cards_have() -> None:
    spell = Card(id="bolt", name="Bolt", kind="spell", cost=1)
    unit = Card(id="unit", name="Unit", cost=1, attack=2, health=3)
    titles = ["name", "cost", "attack", "health", "keywords", "effects"]
    assert described([unit]) == (titles, [["Unit", 1, 2, 3, "", ""]])
    assert described([spell, unit])[1] == [
        ["Bolt", "spell", 1, "", "", "", ""],
        ["Unit", "minion", 1, 2, 3, "", ""],
    ]


def test_the_notation_is_readable(tmp_path: Path) -> None:
    card = Card(
        id="a",
        name="A, the first",
        cost=1,
        attack=2,
        health=3,
        keywords=("haste",),
        effects=(
            Effect(on="play", do="damage", amount=2),
            Effect(on="play", do="summon", token=Token(attack=1, health=1, keywords=("haste",))),
            Effect(on="play", do="damage", to="own_player"),
            Effect(on="play", do="damage", to="enemy_minions(attack<=3)", amount=2),
        ),
        tunable={"attack": (2, 5), "health": (3, 5)},
    )
    write_pool_sheet(Pool(name="p", cards=(card,)), tmp_path / "a.csv")
    check_message((tmp_path / "a.csv").read_text(encoding="utf-8"))
    (again,) = read_csv(tmp_path / "a.csv", "p").cards
    assert again.effects == card.effects


def test_sheets_are_read_as_designers_save_them(tmp_path: Path) -> None:
    text = (
        "\ufeff\r\n;;;;\r\n Name ; HEALTH;cost; Attack;Keywords;Effects;\r\n\r\n"
        ' "Ember; Whelp";1.0; 2;+3,0; Haste ;"Play:  Draw 1 ;";\r\n;;;;;;\r\n'
    )
    assert only_card(tmp_path, text) == Card(
        id="ember_whelp",
        name="Ember; Whelp",
        cost=2,
        attack=3,
        health=1,
        keywords=("haste",),
        effects=(Effect(on="play", do="draw"),),
    )


@pytest.mark.parametrize("text", ["attack 2\u20135", "Attack 2 - 5 ;", "attack 2..5"])
def test_ranges_may_be_written_in_several_ways(text: str, tmp_path: Path) -> None:
    card = only_card(tmp_path, f"name,cost,attack,health,tunable\nA,1,3,1,{text}\n")
    assert card.tunable == {"attack": (2, 5)}


@pytest.mark.parametrize(
    ("name", "card_id"),
    [
        ("Ember Whelp", "ember_whelp"),
        ("  L\u00e9viathan's  Calf! ", "leviathans_calf"),
        ("7 Swords", "card_7_swords"),
        ("Ember\u2019s \u2014 end", "embers_end"),
        ("\u0130nek", "inek"),
        ("Stra\u00dfe", "stra\u00dfe"),
        ("\u708e \u7403", "\u708e_\u7403"),
        ("\u041e\u0433\u043e\u043d\u044c 2", "\u043e\u0433\u043e\u043d\u044c_2"),
        ("\u30ab\u3099\u30fc\u30c9", "\u30ac\u30fc\u30c9"),
        ("\u0663 \u2605", "card_\u0663"),
        ("\u2605!", ""),
    ],
)
def test_an_id_is_derived_from_the_name(name: str, card_id: str) -> None:
    assert card_id_from_name(name) == card_id


ROW = "a,A,minion,1,1,1,,,\n"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", ""),
        ("\n ,\n", ""),
        ("name,cost,atack,health\n", "line 1"),
        ("name,cost,Cost,attack,health\n", "line 1"),
        ("name,cost\n", "line 1"),
        (HEADER, "line 1"),
        (HEADER + ROW + "\n" + ROW, "line 4: column 'id'"),
        (HEADER + "a,A,minion,-1,1,1,,,\n", "line 2: card 'a': cost"),
        (HEADER + "a,A,minion,1,1,0,,,\n", "line 2: card 'a': health"),
        (HEADER + "a,A,minion,1,1001,1,,,\n", "line 2: column 'attack'"),
        (
            HEADER + "a,A,minion,2.5,1,1,,,\n",
            "line 2: card 'a': column 'cost'",
        ),
        (
            HEADER + "a,A,minion,two,1,1,,,\n",
            "line 2: card 'a': column 'cost'",
        ),
        (HEADER + "a,A,minion,,1,1,,,\n", "line 2: card 'a': column 'cost'"),
        (HEADER + "a, ,minion,1,1,1,,,\n", "line 2: card 'a': column 'name'"),
        (
            HEADER + ",\u2605,minion,1,1,1,,,\n",
            "line 2: card '\u2605': column 'id'",
        ),
        (HEADER + "a,A,minon,1,1,1,,,\n", "line 2: column 'kind'"),
        (HEADER + "a,A,minion,1,1,1,hasty,,\n", "line 2: card 'a': keywords"),
        (HEADER + "a,A,minion,1,1,1,,draw a card,\n", "line 2: card 'a': column 'effects'"),
        (
            HEADER + "a,A,minion,1,1,1,,play: heel 2,\n",
            "line 2: card 'a': effects #1: do",
        ),
        (HEADER + "a,A,minion,1,1,1,,play: draw 0,\n", "line 2: card 'a': effects #1: amount"),
        (HEADER + "a,A,minion,1,1,1,,play: summon 1,\n", "line 2: card 'a': effects #1"),
        (HEADER + "a,A,minion,1,1,1,,,attack 5\n", "line 2: card 'a': column 'tunable'"),
        (HEADER + "a,A,minion,1,1,1,,,atack 1-2\n", "line 2: card 'a': tunable"),
        (
            HEADER + "a,A,minion,1,1,1,,,cost 1-2; cost 1-3\n",
            "line 2: card 'a': column 'tunable'",
        ),
        (HEADER + "a,A,minion,1,,1,,,\n", "line 2: card 'a': column 'attack'"),
        (HEADER + "a,A,spell,1,2,,,,\n", "line 2: card 'a': attack"),
        (HEADER + "a,A,weapon,1,1,,,,\n", "line 2: card 'a': column 'durability'"),
        (HEADER + "a,A,spell,1,,,,{ on = },\n", "line 2: card 'a': column 'effects': '{ on = }'"),
        (HEADER + "a,A,minion,1,1,1,,,,extra\n", "line 2"),
        (HEADER + 'a,"A,minion,1,1,1,,,\n', "line 2"),
        (HEADER + "a,A,minion," + "9" * 5000 + ",1,1,,,\n", "line 2: card 'a': column 'cost'"),
    ],
)
def test_a_bad_cell_is_named(text: str, place: str, tmp_path: Path) -> None:
    path = sheet(tmp_path, text)
    assert refusal_of(read_csv, path, "p").place == ": ".join(filter(None, (str(path), place)))


def test_two_faults_of_one_row_are_two_problems(tmp_path: Path) -> None:
    path = sheet(tmp_path, HEADER + "a,A,spell,1,,,,{ do = 1 },\n")
    with refused() as refusal:
        read_csv(path, "p")
    assert [fault.place for fault in refusal.error.problems] == [
        "line 2: card 'a': effects #1",
        "line 2: card 'a': effects #1: do",
    ]
