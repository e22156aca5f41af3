"""Notes are for people: they survive every file, and no result depends on them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agents.dqn.provenance import stamp_of_card
from sim import Card, Pool, content_hash, load_pool, load_ruleset, validate
from sim.cards.pool_file import write_pool
from sim.play import pack_table
from tests.refusals import refusal_of
from tests.strategies import note_texts, note_titles

UNIT = {"id": "a", "name": "A", "cost": 1, "attack": 1, "health": 1}
NOTES = {"rarity": "common", "Designer's note": "two\nlines"}
shared_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def noted(pool: Pool) -> Pool:
    cards = [card.model_copy(update={"notes": NOTES}) for card in pool.cards]
    return pool.model_copy(update={"cards": tuple(cards)})


def test_hashes_are_those_of_versions_without_notes() -> None:
    core = load_pool("core")
    assert content_hash(core).startswith("fd86278639a7")
    assert stamp_of_card(core.cards[0]).startswith("94cfcffd1407")


def test_hashes_dumps_and_games_do_not_depend_on_notes() -> None:
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
    ("notes", "place"),
    [
        ({"attack": "x"}, "notes"),
        ({"Cost": "x"}, "notes"),
        ({"deck: x": "2"}, "notes.deck: x"),
        ({" ": "x"}, ""),
        ({"a\nb": "x"}, ""),
        ({"x": "a\rb"}, "notes.x"),
        ({"x": "\ufffe"}, "notes.x"),
        ({"x": "y" * 40_000}, "notes.x"),
        ({"x": 3}, "notes.x"),
        (["x"], "notes"),
    ],
)
def test_notes_that_no_file_can_hold_are_refused(notes: object, place: str) -> None:
    error = refusal_of(validate, Card, {**UNIT, "notes": notes}, source="p.toml")
    assert error.place == ": ".join(filter(None, ("p.toml: card 'a'", place)))


def test_a_note_may_be_called_notes() -> None:
    assert Card(**UNIT, notes={"notes": "x"}).notes == {"notes": "x"}
