"""A wrong file is refused in one message, which is enough to fix it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from sim import load_deck, load_pool, load_ruleset
from tests.refusals import refusal_of

CARD = 'id = "whelp"\nname = "Whelp"\ncost = 2\nattack = 3\nhealth = 1\n'
DECK = 'name = "d"\npool = "core"\nruleset = "duel"\n'

Loader = Callable[[str, Path | None], object]


def card(*, old: str = "", new: str = "", more: str = "") -> str:
    return 'name = "p"\n[[card]]\n' + CARD.replace(old, new) + more


def row(text: str) -> str:
    return card(more=f"effects = [{{ {text} }}]")


def token(kind: str, more: str = "", heroes: str = "") -> str:
    """Return the rest of a pool after `row`: one token; only minions have attack and health."""
    body = "attack = 1\nhealth = 1\n" if kind == "minion" else ""
    return f'\n[[token]]\nid = "t"\nname = "T"\nkind = "{kind}"\ncost = 1\n{body}{more}\n{heroes}'


HERO = '[[hero]]\nid = "h"\nname = "H"\npower = "t"\n'

POOLS = [
    (card(old="attack", new="atack"), "card 'whelp'"),
    (card(old="cost = 2\n"), "card 'whelp'"),
    (card(old="2", new="-2"), "card 'whelp': cost"),
    (card(old="1", new="0"), "card 'whelp': health"),
    (card(old="3", new="3000"), "card 'whelp': attack"),
    (card(old="3", new="3.5"), "card 'whelp': attack"),
    (card(old="3", new="true"), "card 'whelp': attack"),
    (card(old="3", new='"3"'), "card 'whelp': attack"),
    (card(old="3", new="nan"), "card 'whelp': attack"),
    (card(old='"whelp"', new='"Whelp!"'), "card 'Whelp!': id"),
    (card(old='"Whelp"', new='" "'), "card 'whelp': name"),
    (card(old='"Whelp"', new='"a\\nb"'), "card 'whelp': name"),
    (card(more='kind = "minon"'), "card 'whelp': kind"),
    (card(more='keywords = ["Hast"]'), "card 'whelp': keywords"),
    (card(more='keywords = "haste"'), "card 'whelp': keywords"),
    (card(more='keywords = ["haste", "haste"]'), "card 'whelp': keywords"),
    (card(more='tags = ["rare", "rare"]'), "card 'whelp': tags"),
    (card(more='tags = ["Rare"]'), "card 'whelp': tags #1"),
    (row('on = "plays", do = "draw"'), "card 'whelp': effects #1: on"),
    (row('on = "play", do = "damge"'), "card 'whelp': effects #1: do"),
    (row('on = "play", do = "draw", to = "enemy"'), "card 'whelp': effects #1: to"),
    (row('on = "play", do = "draw", when = "x"'), "card 'whelp': effects #1: when"),
    (row('on = "play", do = "draw", when = "count minons"'), "card 'whelp': effects #1: when"),
    (row('on = "play", do = "draw", times = "helth of self"'), "card 'whelp': effects #1: times"),
    (row('on = "play", do = "buff"'), "card 'whelp': effects #1: do"),
    (row('on = "play", do = "give"'), "card 'whelp': effects #1: do"),
    (row('on = "play", do = "give", cards = ["whelk"]'), "pool 'p': card 'whelp'"),
    (
        row('on = "play", do = "equip", cards = ["t"]') + token("minion"),
        "pool 'p': card 'whelp': effects #1: equip",
    ),
    (
        row('on = "play", do = "give", cards = ["t"]') + token("power"),
        "pool 'p': card 'whelp': effects #1: give",
    ),
    (
        card(more='options = ["t", "t"]') + token("spell"),
        "pool 'p': card 'whelp': options",
    ),
    (card() + token("spell", heroes=HERO), "pool 'p': hero 'h': power"),
    ('coin = "t"\n' + card() + token("option"), "pool 'p': coin"),
    (
        card(old="attack = 3\nhealth = 1\n", more='kind = "power"'),
        "pool 'p': card 'whelp'",
    ),
    (
        row('on = "play", do = "give", cards = ["whelp"], of_enemy_hero = true')
        + token("power", heroes=HERO),
        "pool 'p': card 'whelp': of_enemy_hero",
    ),
    (
        row('on = "play", do = "draw", to = "own_deck(taunt)"'),
        "card 'whelp': effects #1: to",
    ),
    (
        row('on = "play", do = "damage", to = "minions(not whelp, not t)"'),
        "card 'whelp': effects #1: to",
    ),
    (row('on = "play", do = "counter"'), "card 'whelp': effects #1: on"),
    (row('on = "death", do = "aim"'), "card 'whelp': effects #1: on"),
    (row('on = "aura", do = "draw"'), "card 'whelp': effects #1: do"),
    (
        row('on = "play", do = "damage", amount = 3, amount_to = 2'),
        "card 'whelp': effects #1: amount_to",
    ),
    (card(more='kind = "spell"'), "card 'whelp': attack"),
    (card(more='tribe = "Beast"'), "card 'whelp': tribe"),
    (card(more='hero = "ember"'), "pool 'p': card 'whelp'"),
    (card(more='options = ["whelp"]'), "card 'whelp': options"),
    (card(more="tunable = { durability = [1, 2] }"), "card 'whelp': tunable.durability"),
    (row('on = "play", do = "draw", amount = 0'), "card 'whelp': effects #1: amount"),
    (row('on = "play", do = "draw", amout = 1'), "card 'whelp': effects #1"),
    (row('on = "play", do = "summon"'), "card 'whelp': effects #1"),
    (
        row('on = "play", do = "summon", token = { attack = 1, health = 0 }'),
        "card 'whelp': effects #1: token.health",
    ),
    (
        row('on = "play", do = "draw", token = { attack = 1, health = 1 }'),
        "card 'whelp': effects #1: do",
    ),
    (card(more="tunable = { attack = [4, 5] }"), "card 'whelp': tunable.attack"),
    (card(more="tunable = { attack = [5, 2] }"), "card 'whelp': tunable.attack"),
    (card(more="tunable = { atack = [2, 5] }"), "card 'whelp': tunable"),
    (card(more="tunable = { health = [0, 5] }"), "card 'whelp': tunable.health"),
    (card(more="[[card]]\n" + CARD), "pool 'p': card"),
    (card(old='id = "whelp"\n'), "card 'Whelp'"),
    ('name = "p"\n', "pool 'p'"),
    ('name = "p"\ncard = []\n', "pool 'p': card"),
    ('name = "p"\n[card]\n' + CARD, "pool 'p': card"),
    ("format = 2\n" + card(), "pool 'p': format"),
]

DECKS = [
    (DECK + "cards = {}", "deck 'd': cards"),
    (DECK + "[cards]\nwhelp = 0", "deck 'd': cards.whelp"),
    (DECK + "[cards]\nwhelp = 61", "deck 'd': cards.whelp"),
    (DECK + "[cards]\nwhelp = true", "deck 'd': cards.whelp"),
    (DECK + "[cards]\nWhelp = 1", "cards"),
    (DECK + 'cards = ["whelp"]', "deck 'd': cards"),
    (DECK + "[card]\nwhelp = 1", "deck 'd'"),
    (DECK.replace('"duel"', "1") + "cards = { a = 1 }", "deck 'd': ruleset"),
]


@pytest.mark.parametrize(
    ("load", "text", "place"),
    [(load_pool, *case) for case in POOLS]
    + [(load_deck, *case) for case in DECKS]
    + [(load_ruleset, 'name = "r"\n', "ruleset 'r'"), (load_ruleset, "name = 'r\n", "")],
)
def test_bad_data_is_refused_with_its_place(
    load: Loader, text: str, place: str, tmp_path: Path
) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text, encoding="utf-8")
    error = refusal_of(load, "bad.toml", tmp_path)
    assert error.place == ": ".join(filter(None, (str(path), place)))
