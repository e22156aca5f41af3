"""A designer's own sheet through `init`, `cards import` and `cards export`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from experiments.loading import load_experiment
from sim import load_deck, load_pool, load_ruleset
from tests.command_line import command, contents, done, refusal, unchanged

pytestmark = pytest.mark.usefixtures("here")

MARKET = """\
Card Name,Faction,Type,Mana,Atk,HP,Keywords,Artist,deck: Wok Rush,deck: Rat Guild
Skewer Boy,wok,Creature,1,2,1,haste,Ann,2,
Market Cat,wok,Creature,2,3,2,,Ann,2,2
Oil Fire,wok,Rite,2,,,,Bo,2,2
Rat Lord,rat,Creature,7,5,5,,Bo,,1
"""
RITE = ("--type", "Rite=spell")


def written(text: str, name: str = "market.csv") -> str:
    Path(name).write_text(text, encoding="utf-8")
    return name


def table_of(lines: list[str]) -> dict[str, str]:
    """What the table of understood columns says, by title."""
    start = next(at for at, line in enumerate(lines) if line.startswith("column "))
    found = {}
    at = lines[start].index("read as")
    for line in lines[start + 1 :]:
        if line[at - 2 : at] != "  ":
            break
        found[line[:at].strip()] = line[at:].strip()
    return found


def test_init_asks_for_a_word_and_then_shows_all_that_was_understood() -> None:
    sheet = written(MARKET)
    assert '--type "Rite=spell"' in refusal(command("init", "a", "--from", sheet))
    assert not Path("a").exists()
    given = done(command("init", "a", "--from", sheet, *RITE)).out.splitlines()
    table = table_of(given)
    assert {title: text.split()[0] for title, text in table.items()} == {
        "Card Name": "name", "Faction": "note", "Type": "kind", "Mana": "cost", "Atk": "attack",
        "HP": "health", "Keywords": "keywords", "Artist": "note", "Wok Rush": "deck",
        "Rat Guild": "deck",
    }  # fmt: skip
    assert table["Type"] == "kind      Creature = minion (3), Rite = spell (1)"
    assert "6 cards" in table["Wok Rush"]
    assert "5 cards" in table["Rat Guild"]
    assert any("differ in size" in line for line in given)
    assert load_ruleset("a/rules.toml").mana_max == 7
    assert any("mana_max 7" in line for line in given)


def test_the_sheet_of_a_game_is_imported_again_with_what_was_told() -> None:
    done(command("init", "a", "--from", written(MARKET), *RITE))
    with unchanged(contents, Path("a")):
        done(command("cards", "import", "a/cards.csv", "--force"))
    load_experiment("a/game.toml")


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_an_export_is_the_designers_own_sheet(ending: str) -> None:
    done(command("init", "a", "--from", written(MARKET), *RITE))
    back = f"back.{ending}"
    done(command("cards", "export", "a/cards.toml", "--out", back))
    if ending == "csv":
        assert Path(back).read_text(encoding="utf-8") == MARKET
    Path("again").mkdir()
    done(
        command(
            *("cards", "import", back, "--out", "again/cards.toml", "--over", "a/cards.toml"),
            *("--name", "cards", "--ruleset", "../a/rules.toml"),
        )
    )
    assert load_pool("again/cards.toml") == load_pool("a/cards.toml")
    assert load_deck("again/wok_rush.toml").cards == load_deck("a/wok_rush.toml").cards


def test_more_copies_than_the_rules_allow_are_no_wish_for_other_rules() -> None:
    slip = written(MARKET.replace("Ann,2,2", "Ann,2,5"))
    outcome = command("init", "a", "--from", slip, *RITE)
    assert outcome.status == 2
    assert "line 3: deck 'Rat Guild': card 'market_cat': 5 copies" in outcome.err
    assert "--rule copy_limit=5" in outcome.err
    assert "'rules'" not in outcome.err  # no such file is there
    assert not Path("a").exists()
    done(command("init", "a", "--from", slip, *RITE, "--rule", "copy_limit=5"))
    assert load_ruleset("a/rules.toml").copy_limit == 5
    assert load_ruleset("a/rules.toml").deck_limit == 30


def test_a_cost_that_can_never_be_paid_is_refused_where_the_rules_are_given() -> None:
    sheet = written(MARKET.replace("Rite", "Spell"))
    outcome = command("init", "a", "--from", sheet, "--ruleset", "legacy")
    done(outcome)  # with 10 mana
    dear = written(MARKET.replace("Rite", "Spell").replace(",7,5,5", ",12,5,5"))
    outcome = command("init", "b", "--from", dear, "--ruleset", "legacy")
    assert outcome.status == 2
    assert "line 5: card 'rat_lord': cost = 12" in outcome.err
    assert "--rule mana_max=12" in outcome.err
    imported = command("cards", "import", dear)
    assert imported.status == 2
    assert "line 5: card 'rat_lord': cost = 12 can never be paid" in imported.err
    assert not Path("market.toml").exists()


@pytest.mark.parametrize(
    ("change", "fragment"),
    [
        ("copy_limt=3", "did you mean 'copy_limit'"),
        ("copy_limit", "has no value; write copy_limit=3"),
        ("copy_limit=x", "--rule: ruleset 'rules': copy_limit"),
        ("limits.cots=[0, 1]", "--rule 'limits.cots=[0, 1]'"),
        ("name=x", "--rule 'name=x'"),
    ],
)
def test_a_rule_that_there_is_not_is_refused(change: str, fragment: str) -> None:
    assert fragment in refusal(command("init", "a", "--rule", change))
    assert not Path("a").exists()


def test_rules_are_changed_as_told() -> None:
    given = ("--rule", "life=25", "--rule", "deck_out=fatigue", "--rule", "limits.cost=[0, 9]")
    done(command("init", "a", *given))
    rules = load_ruleset("a/rules.toml")
    assert (rules.life, rules.deck_out, rules.limits.cost) == (25, "fatigue", (0, 9))


def test_few_cards_still_make_decks_that_can_be_dealt() -> None:
    sheet = written("Name,Mana_Cost,Attack,Health\nVole,1,1,2\nFox,2,2,3\n")
    given = done(command("init", "a", "--from", sheet)).out
    assert "copy_limit 3" in given
    load_experiment("a/game.toml")
    outcome = command("init", "b", "--from", sheet, "--ruleset", "duel")
    assert "market.csv: 2 cards fill no deck" in refusal(outcome)


def test_init_takes_the_json_of_a_game_and_writes_a_sheet() -> None:
    cards = [
        {"id": k, "name": f"Jot {k}", "price": k, "attack": k, "health": 1} for k in range(1, 5)
    ]
    written(json.dumps(cards), "cards.json")
    done(command("init", "a", "--from", "cards.json", "--column", "price=cost"))
    lines = Path("a/cards.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("id,name,price,attack,health,deck: ")
    assert lines[1].startswith("1,Jot 1,1,1,1,")
    with unchanged(contents, Path("a")):
        done(command("cards", "import", "a/cards.csv", "--force"))


def test_a_sheet_is_no_experiment_and_the_refusal_says_what_makes_one() -> None:
    written(MARKET)
    for name in ("balance", "matchups"):
        assert "evenhand init FOLDER --from market.csv" in refusal(command(name, "market.csv"))


@pytest.mark.parametrize("option", ["--column", "--type", "--note", "--sheet"])
def test_what_explains_a_sheet_wants_one(option: str) -> None:
    assert f"{option}: is for a sheet" in refusal(command("init", "a", option, "x=y"))
