"""Pools survive TOML, and edits keep the author's layout."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sim import Card, Effect, Pool, load_pool, load_ruleset
from sim.cards.pool_file import edit_pool_file, write_pool
from tests.messages import check_message
from tests.refusals import refusal_of
from tests.strategies import pools

DUEL = load_ruleset("duel")
# Each example overwrites the same files, so sharing the folder between examples does no harm.
shared_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])

AUTHORED = """\
# Mine.
name   = "mine"

[[card]]                # the first
id     = "ember_whelp"
name   = "Ember Whelp"
cost   = 2              # was 3
attack = 3
health = 0x1
tunable = { attack = [2, 3] }

[[card]]
id="oak"
name='Oak'
cost=4
attack=4
health=4 # stout
"""


def authored(folder: Path, text: str = AUTHORED) -> Path:
    path = folder / "mine.toml"
    path.write_bytes(text.encode())
    return path


def test_written_pools_are_pretty(tmp_path: Path) -> None:
    whelp = Card(
        id="ember_whelp", name="Ember Whelp", cost=2, attack=3, health=1, keywords=("haste",)
    )
    collector = Card(
        id="tithe_collector",
        name="Tithe Collector",
        cost=4,
        attack=3,
        health=4,
        effects=(Effect(on="play", do="damage", amount=2),),
    )
    write_pool(Pool(name="p", cards=(whelp, collector)), tmp_path / "a.toml")
    check_message((tmp_path / "a.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_edits_change_their_numbers_and_nothing_else(line_end: str, tmp_path: Path) -> None:
    text = AUTHORED.replace("\n", line_end)
    source = authored(tmp_path, text)
    target = tmp_path / "target.toml"
    edits = [("ember_whelp", "cost", 3), ("oak", "health", 5), ("ember_whelp", "health", 1)]
    edit_pool_file(source, target, edits)
    expected = text.replace("cost   = 2 ", "cost   = 3 ").replace("health=4", "health=5")
    assert target.read_bytes() == expected.encode()
    assert source.read_bytes() == text.encode()


@shared_folder
@given(pool=pools(DUEL), data=st.data())
def test_a_pool_survives_toml_and_edits_give_the_edited_pool(
    pool: Pool, data: st.DataObject, tmp_path: Path
) -> None:
    write_pool(pool, tmp_path / "a.toml")
    assert load_pool("a.toml", tmp_path) == pool
    card = data.draw(st.sampled_from(pool.cards))
    field = data.draw(st.sampled_from(card.fields))
    (least, most) = card.possible(field)
    (low, high) = DUEL.limits.of(field)
    limits = (card.tunable or {}).get(field, (max(least, low), min(most, high)))
    value = data.draw(st.integers(*limits))
    edit_pool_file(tmp_path / "a.toml", tmp_path / "b.toml", [(card.id, field, value)])
    edited = load_pool("b.toml", tmp_path)
    assert edited.card(card.id) == card.with_numbers({field: value})
    assert edited.card(card.id).number(field) == value
    others = [other for other in pool.cards if other.id != card.id]
    assert [other for other in edited.cards if other.id != card.id] == others
    assert edited.model_copy(update={"cards": pool.cards}) == pool


def test_amounts_are_edited_where_they_stand(tmp_path: Path) -> None:
    rows = (
        '  { on = "play", do = "grant", to = "target", keywords = ["taunt"] },  # no number\n'
        '  { on = "play", do = "draw" },\n'
        '  { on = "play", do = "buff", to = "target", attack = 2, health = 0x3 },\n'
    )
    text = (
        'name = "p"\n[[card]]\nid = "a"\nname = "A"\nkind = "spell"\ncost = 1\n'
        f'target = "minions"\neffects = [\n{rows}]\n'
    )
    path = authored(tmp_path, text)
    edit_pool_file(path, path, [("a", "amount", 1), ("a", "amount_2", 2), ("a", "amount_3", 3)])
    assert path.read_text(encoding="utf-8") == text
    edit_pool_file(path, path, [("a", "amount_3", 5), ("a", "amount", 4)])
    edited = load_pool(str(path)).card("a")
    assert [edited.number(field) for field in edited.fields] == [1, 4, 2, 5]
    assert [edited.label(field) for field in edited.fields] == [
        "cost",
        "draw",
        "attack bonus",
        "health bonus",
    ]
    assert "# no number" in path.read_text(encoding="utf-8")


def test_a_pool_written_as_one_list_can_be_edited(tmp_path: Path) -> None:
    text = (
        'name = "p"\ncard = [\n  {id = "a", name = "A", cost = 1, attack = 1, health = 1}, # x\n]'
    )
    path = authored(tmp_path, text)
    edit_pool_file(path, path, [("a", "attack", 2)])
    assert path.read_text(encoding="utf-8") == text.replace("attack = 1", "attack = 2")


@pytest.mark.parametrize(
    ("edit", "place"),
    [
        (("ember_welp", "cost", 1), ": pool 'mine'"),
        (("oak", "helth", 1), ": card 'oak'"),
        (("oak", "health", 0), " (after the edits): card 'oak': health"),
        (("oak", "cost", -1), " (after the edits): card 'oak': cost"),
        (("ember_whelp", "attack", 4), " (after the edits): card 'ember_whelp': tunable.attack"),
    ],
)
def test_bad_edits_are_refused_and_nothing_is_written(
    edit: tuple[str, str, int], place: str, tmp_path: Path
) -> None:
    source = authored(tmp_path)
    error = refusal_of(edit_pool_file, source, tmp_path / "target.toml", [edit])
    assert error.place == f"{source}{place}"
    assert list(tmp_path.iterdir()) == [source]
