"""Notes are for people: they survive every file, and nothing that is computed knows of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agents.dqn.provenance import stamp_of_card
from sim import Card, Pool, content_hash, load_pool, load_ruleset, validate
from sim.cards.pool_file import write_pool
from sim.play import pack_table
from tests.refusals import complaint_of
from tests.strategies import note_texts, note_titles

UNIT = {"id": "a", "name": "A", "cost": 1, "attack": 1, "health": 1}
NOTES = {"rarity": "common", "Designer's note": "two\nlines"}
shared_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def noted(pool: Pool) -> Pool:
    cards = [card.model_copy(update={"notes": NOTES}) for card in pool.cards]
    return pool.model_copy(update={"cards": tuple(cards)})


def test_hashes_are_what_they_were_before_there_were_notes() -> None:
    core = load_pool("core")
    assert content_hash(core).startswith("fd86278639a7")
    assert stamp_of_card(core.cards[0]).startswith("94cfcffd1407")


def test_no_hash_no_dump_and_no_game_knows_of_notes() -> None:
    core = load_pool("core")
    other = noted(core)
    assert content_hash(other) == content_hash(core)
    assert other.model_dump_json(by_alias=True) == core.model_dump_json(by_alias=True)
    assert other != core
    assert [card.nameless() for card in other.cards] == [card.nameless() for card in core.cards]
    tables = [pack_table(pool, load_ruleset("duel")) for pool in (core, other)]
    assert (tables[0].words == tables[1].words).all()


@shared_folder
@given(notes=st.dictionaries(note_titles, note_texts | st.just(""), max_size=4))
def test_any_note_survives_toml(notes: dict[str, str], tmp_path: Path) -> None:
    pool = Pool(name="p", cards=(Card(**UNIT, notes=notes),))
    write_pool(pool, tmp_path / "p.toml")
    again = load_pool(str(tmp_path / "p.toml"))
    assert again == pool
    assert list(again.cards[0].notes) == list(notes)


@pytest.mark.parametrize(
    ("notes", "fragment"),
    [
        ({"attack": "x"}, "notes: 'attack' is what a card's own key is called"),
        ({"Cost": "x"}, "notes: 'Cost' is what a card's own key is called"),
        ({"deck: x": "2"}, "'deck: x' is what a column of a deck is called in a spreadsheet"),
        ({" ": "x"}, "key ' ' must not be blank"),
        ({"a\nb": "x"}, "must have no spaces at its ends and no unprintable characters"),
        ({"x": "a\rb"}, "notes.x = 'a\\rb' must not hold the character U+000D"),
        ({"x": "\ufffe"}, "must not hold the character U+FFFE"),
        ({"x": "y" * 40_000}, "must have at most 32,767 characters, has 40,000"),
        ({"x": 3}, "notes.x = 3 must be text in quotes"),
        (["x"], "notes = ['x'] must be a table"),
    ],
)
def test_what_no_file_can_hold_is_refused(notes: object, fragment: str) -> None:
    said = complaint_of(validate, Card, {**UNIT, "notes": notes}, source="p.toml")
    assert said.startswith("p.toml: card 'a': ")
    assert fragment in said


def test_a_note_may_be_called_notes() -> None:
    assert Card(**UNIT, notes={"notes": "x"}).notes == {"notes": "x"}
