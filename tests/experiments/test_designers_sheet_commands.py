"""A designer's own sheet through `init`, `cards import` and `cards export`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from experiments.loading import load_experiment
from sim import load_deck, load_pool, load_ruleset
from tests.command_line import command, contents, done, unchanged
from tests.experiments.command_goldens import check_refusal
from tests.messages import check_message

pytestmark = pytest.mark.usefixtures("here")

MARKET = """\
Card Name,Faction,Type,Mana,Atk,HP,Keywords,Artist,deck: Wok Rush,deck: Rat Guild
Skewer Boy,wok,Creature,1,2,1,haste,Ann,2,
Market Cat,wok,Creature,2,3,2,,Ann,2,2
Oil Fire,wok,Rite,2,,,,Bo,2,2
Rat Lord,rat,Creature,7,5,5,,Bo,,1
"""
RITE = ("--type", "Rite=spell")


def write_sheet(text: str, name: str = "market.csv") -> str:
    Path(name).write_text(text, encoding="utf-8")
    return name


def table_of(lines: list[str]) -> dict[str, str]:
    """Return the meaning of each column by its title, from the printed table of columns."""
    start = next(at for at, line in enumerate(lines) if line.startswith("column "))
    meanings = {}
    at = lines[start].index("read as")
    for line in lines[start + 1 :]:
        if line[at - 2 : at] != "  ":
            break
        meanings[line[:at].strip()] = line[at:].strip()
    return meanings


def test_init_asks_for_a_word_and_then_shows_all_that_was_understood() -> None:
    sheet = write_sheet(MARKET)
    check_refusal(command("init", "a", "--from", sheet))
    assert not Path("a").exists()
    lines = done(command("init", "a", "--from", sheet, *RITE)).out.splitlines()
    check_message("\n".join(lines))
    table = table_of(lines)
    assert {title: text.split()[0] for title, text in table.items()} == {
        "Card Name": "name", "Faction": "note", "Type": "kind", "Mana": "cost", "Atk": "attack",
        "HP": "health", "Keywords": "keywords", "Artist": "note", "Wok Rush": "deck",
        "Rat Guild": "deck",
    }  # fmt: skip
    assert load_ruleset("a/rules.toml").mana_max == 7


def test_the_sheet_of_a_game_is_imported_again_with_the_options_of_the_first_time() -> None:
    done(command("init", "a", "--from", write_sheet(MARKET), *RITE))
    with unchanged(contents, Path("a")):
        done(command("cards", "import", "a/cards.csv", "--force"))
    load_experiment("a/game.toml")


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_an_export_is_the_designers_own_sheet(ending: str) -> None:
    done(command("init", "a", "--from", write_sheet(MARKET), *RITE))
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


def test_more_copies_than_the_rules_allow_do_not_change_the_rules() -> None:
    slip = write_sheet(MARKET.replace("Ann,2,2", "Ann,2,5"))
    outcome = command("init", "a", "--from", slip, *RITE)
    assert outcome.status == 2
    check_message(outcome.err)
    assert not Path("a").exists()
    done(command("init", "a", "--from", slip, *RITE, "--rule", "copy_limit=5"))
    assert load_ruleset("a/rules.toml").copy_limit == 5
    assert load_ruleset("a/rules.toml").deck_limit == 30


def test_a_cost_that_can_never_be_paid_is_refused_where_the_rules_are_given() -> None:
    sheet = write_sheet(MARKET.replace("Rite", "Spell"))
    outcome = command("init", "a", "--from", sheet, "--ruleset", "legacy")
    done(outcome)  # with 10 mana
    dear = write_sheet(MARKET.replace("Rite", "Spell").replace(",7,5,5", ",12,5,5"))
    outcome = command("init", "b", "--from", dear, "--ruleset", "legacy")
    assert outcome.status == 2
    check_message(outcome.err)
    imported = command("cards", "import", dear)
    assert imported.status == 2
    check_message(imported.err)
    assert not Path("market.toml").exists()


@pytest.mark.parametrize(
    "change",
    [
        "copy_limt=3",
        "copy_limit",
        "copy_limit=x",
        "limits.cots=[0, 1]",
        "name=x",
    ],
)
def test_an_unknown_rule_is_refused(change: str) -> None:
    check_refusal(command("init", "a", "--rule", change))
    assert not Path("a").exists()


def test_rules_are_changed_by_options() -> None:
    given = ("--rule", "life=25", "--rule", "deck_out=fatigue", "--rule", "limits.cost=[0, 9]")
    done(command("init", "a", *given))
    rules = load_ruleset("a/rules.toml")
    assert (rules.life, rules.deck_out, rules.limits.cost) == (25, "fatigue", (0, 9))


def test_few_cards_still_make_decks_that_can_be_dealt() -> None:
    sheet = write_sheet("Name,Mana_Cost,Attack,Health\nVole,1,1,2\nFox,2,2,3\n")
    given = done(command("init", "a", "--from", sheet)).out
    assert "copy_limit 3" in given
    load_experiment("a/game.toml")
    outcome = command("init", "b", "--from", sheet, "--ruleset", "duel")
    check_refusal(outcome)


def test_init_takes_the_json_of_a_game_and_writes_a_sheet() -> None:
    cards = [
        {"id": k, "name": f"Jot {k}", "price": k, "attack": k, "health": 1} for k in range(1, 5)
    ]
    write_sheet(json.dumps(cards), "cards.json")
    done(command("init", "a", "--from", "cards.json", "--column", "price=cost"))
    lines = Path("a/cards.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("id,name,price,attack,health,deck: ")
    assert lines[1].startswith("1,Jot 1,1,1,1,")
    with unchanged(contents, Path("a")):
        done(command("cards", "import", "a/cards.csv", "--force"))


def test_a_sheet_is_no_experiment_and_the_refusal_says_what_makes_one() -> None:
    write_sheet(MARKET)
    for name in ("balance", "matchups"):
        check_refusal(command(name, "market.csv"))


@pytest.mark.parametrize("option", ["--column", "--type", "--note", "--sheet"])
def test_options_that_describe_a_sheet_need_one(option: str) -> None:
    check_refusal(command("init", "a", option, "x=y"))
