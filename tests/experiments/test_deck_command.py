"""Decks are read from codes and written as codes by commands, and no file is overwritten."""

from __future__ import annotations

from importlib import util
from pathlib import Path

import pytest

from sim import Deck, Pool, load_deck, load_pool
from sim.cards.pool_file import write_pool
from tests.command_line import assert_says, command, done
from tests.experiments.command_goldens import check_refusal

pytestmark = [
    pytest.mark.usefixtures("here"),
    pytest.mark.skipif(
        any(util.find_spec(package) is None for package in ("hearthstone", "hearthstone_data")),
        reason="needs the extra [hearthstone]",
    ),
]
MAGE = "AAEBAf0EAA9NvwHYAZwCoQK7Ar8DqwS0BPsEngXZCtoK+QqWDQAA"  # legacy_mage
TWO_CARDS = "AAEBAf0EAZYFAbsCAAA="  # of the mage, one and two copies
TOO_MANY = "AAEBAf0EAAABuwIDAA=="  # three copies
THREE_COPIES = """
name = "b"
pool = "hearthstone"
ruleset = "legacy"
hero = "mage"
cards = { cs2_029 = 3 }
"""


@pytest.fixture(scope="module")
def pool() -> Pool:
    return load_pool("hearthstone")


def deck(*arguments: str) -> str:
    """Run a command that must succeed, and return its output."""
    return done(command("deck", *arguments)).out


def refused(*arguments: str) -> str:
    """Run a command that must be refused, and return its message, which is a golden."""
    return check_refusal(command("deck", *arguments))


def test_a_code_is_shown_as_a_list_the_cheapest_first(pool: Pool) -> None:
    names = {card.id: card.name for card in pool.cards}
    head, _, *lines = deck("import", TWO_CARDS, "--name", "mine").splitlines()
    assert_says(head, "mine", "3", pool.hero("mage").name)
    assert lines == [
        f"   2       1  {names['cs2_024']} (cs2_024)",
        f"   4       2  {names['cs2_029']} (cs2_029)",
    ]
    assert list(Path().iterdir()) == []


def test_a_code_becomes_a_deck_file_and_the_file_the_code() -> None:
    assert "mine.toml" in deck("import", MAGE, "--out", "mine.toml").splitlines()[-1]
    mine = load_deck("mine")
    shipped = load_deck("legacy_mage")
    assert mine == shipped.model_copy(update={"name": "mine"})
    for named in ("mine", "mine.toml", "legacy_mage"):
        assert deck("export", named) == f"{MAGE}\n"


def test_name_pool_and_ruleset_are_those_asked_for(pool: Pool) -> None:
    write_pool(pool.model_copy(update={"name": "own"}), Path("own.toml"))
    names = ("--name", "Two", "--pool", "own.toml", "--ruleset", "real_minions")
    refused("import", TOO_MANY, *names)
    deck("import", TWO_CARDS, *names, "--out", "a.toml")
    wanted = {"name": "Two", "pool": "own", "ruleset": "real_minions", "hero": "mage"}
    assert load_deck("a") == Deck(**wanted, cards={"cs2_024": 1, "cs2_029": 2})
    assert deck("export", "a") == f"{TWO_CARDS}\n"  # its pool is found beside it
    assert deck("export", "legacy_mage", "--pool", "own.toml") == f"{MAGE}\n"


def test_a_file_is_overwritten_only_by_force() -> None:
    Path("mine.toml").write_text("old", encoding="utf-8")
    refused("import", MAGE, "--out", "mine.toml")
    assert Path("mine.toml").read_text(encoding="utf-8") == "old"
    deck("import", MAGE, "--out", "mine.toml", "--force")
    assert load_deck("mine").hero == "mage"


@pytest.mark.parametrize(
    "arguments",
    [
        ["import", "no code"],
        ["import", ""],
        ["import", MAGE[:20]],
        ["import", TOO_MANY],
        ["import", MAGE, "--pool", "saga"],
        ["import", MAGE, "--pool", "none"],
        ["import", MAGE, "--ruleset", "none"],
        ["import", MAGE, "--name", " "],
        ["import", MAGE, "--out", "deck.csv"],
        ["import", MAGE, "--out", "no/a.toml"],
        ["import", MAGE, "--out", "x" * 300 + ".toml"],
        ["import", MAGE, "--name", "a", "--out", "x" * 300 + ".toml"],
        ["export", "none"],
        ["export", "bad.toml"],
        ["export", "ember_rush"],
        ["export", "bad_deck.toml"],
        ["export", "saga_ember"],
    ],
)
def test_bad_arguments_are_refused_and_nothing_is_written(arguments: list[str]) -> None:
    Path("bad.toml").write_text("name = ", encoding="utf-8")
    Path("bad_deck.toml").write_text(THREE_COPIES, encoding="utf-8")
    refused(*arguments)
    assert {path.name for path in Path().iterdir()} == {"bad.toml", "bad_deck.toml"}
