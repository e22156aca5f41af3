"""Texts in sheets and on the command line become effect rows, or are refused by their words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from experiments.spreadsheet.pool_sheet import PoolSheet, read_pool_sheet
from sim.cards.text.card_text import card_lines
from tests.command_line import command, done
from tests.experiments.command_goldens import check_refusal
from tests.refusals import refusal_of

pytestmark = pytest.mark.usefixtures("here")

SHEET = '''\
Name,Cost,Attack,Health,Type,Tribe,Text
Ember Fox,1,2,1,Creature,Beast,Charge
Kennel Master,3,2,4,Creature,,<b>Your</b> other Beasts have +1 Attack.
Pack Leader,4,3,3,Creature,Beast,Battlecry: Summon two 2/1 Ember Foxes.
Twin Path,3,,,Spell,,Choose One - Deal $3 damage to a minion; or draw 2 cards.
Dark Pact,1,,,Spell,,"Give a minion ""Deathrattle: Draw a card."""
Ambush,2,,,Spell,,"Secret: When an enemy attacks, deal 2 damage to it."
Bear,4,4,5,Creature,Beast,
'''


def read(text: str, **keys: object) -> PoolSheet:
    Path("cards.csv").write_text(text, encoding="utf-8")
    return read_pool_sheet(Path("cards.csv"), "cards", **keys)  # type: ignore[arg-type]


def test_texts_of_a_sheet_become_effects() -> None:
    sheet = read(SHEET)
    cards = {card.name: card for card in sheet.pool.everything}
    assert cards["Ember Fox"].keywords == ("haste",)
    assert str(cards["Kennel Master"].effects[0].to) == "own_minions(other, beast)"
    assert cards["Pack Leader"].effects[0].cards == ("ember_fox",)
    assert cards["Ambush"].kind == "secret"
    assert [cards[name].kind for name in ("Twin Path 1", "Twin Path 2")] == ["option"] * 2
    assert cards["Twin Path"].options == ("twin_path_option1", "twin_path_option2")
    (attached,) = [card for card in sheet.pool.tokens if card.kind == "attachment"]
    assert attached.effects[0].do == "draw"
    assert cards["Twin Path"].notes["Text"].startswith("Choose One")


def test_every_card_is_shown_as_it_was_understood() -> None:
    sheet = read(SHEET)
    shown = {text.card: text.says for text in sheet.texts}
    (fox, *_) = sheet.pool.cards
    assert shown[fox.name] == " ".join(card_lines(fox))
    assert "Bear" not in shown
    (column,) = [row for row in sheet.understood if row.column == "Text"]
    assert column.read_as == "text"


def test_a_text_that_is_not_understood_is_refused_by_its_words_and_its_card() -> None:
    text = SHEET.replace("draw 2 cards", "paint 2 cards")
    refusal = refusal_of(read, text)
    assert refusal.value == "paint 2 cards"
    assert "line 5" in refusal.place
    assert "twin_path" in refusal.place


def test_a_column_that_is_declared_as_a_note_is_not_read() -> None:
    sheet = read(SHEET.replace("draw 2 cards", "paint 2 cards"), notes=("Text",))
    assert not any(card.effects for card in sheet.pool.cards)
    assert not sheet.texts


def test_texts_in_another_language_are_kept_as_notes_with_a_remark() -> None:
    sheet = read("Name,Cost,Attack,Health,Text\nBär,2,2,2,Spott\nFuchs,1,1,1,Kampfschrei: Zieht\n")
    assert [card.notes["Text"] for card in sheet.pool.cards] == ["Spott", "Kampfschrei: Zieht"]
    assert len(sheet.remarks) == 1


def test_effects_of_the_sheet_stand_and_a_difference_is_remarked() -> None:
    head = "Name,Cost,Attack,Health,Effects,Text\n"
    row = "Fox,1,1,1,play: draw 1,Battlecry: Draw 2 cards.\n"
    plain = "Owl,1,1,1,,Battlecry: Draw a card.\n"
    sheet = read(head + row + plain)
    assert [card.effects[0].amount for card in sheet.pool.cards] == [1, 1]
    assert len(sheet.remarks) == 1


def test_a_text_is_read_on_the_command_line() -> None:
    text = "Taunt. Battlecry: Deal 3 damage to an enemy minion."
    (meaning,) = json.loads(done(command("cards", "read", text, "--json")).out)["meanings"]
    assert meaning["card"]["target"] == "enemy_minions"
    assert meaning["card"]["keywords"] == ["taunt"]
    assert [row["do"] for row in meaning["card"]["effects"]] == ["damage"]
    assert (
        done(command("cards", "read", text)).out.splitlines()[: len(meaning["text"])]
        == (meaning["text"])
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ("Deal 2 dammage.", "--kind", "spell"),
        ("Summon an Elm.", "--kind", "spell"),
        ("Draw a card.",),
        ("Deal 2 damage.", "--kind", "potion"),
        (" ",),
    ],
)
def test_what_is_not_understood_is_refused(arguments: tuple[str, ...]) -> None:
    check_refusal(command("cards", "read", *arguments))
