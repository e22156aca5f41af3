"""What a designer gets to read when a file is wrong: one message that is enough to mend it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from sim import load_deck, load_pool, load_ruleset
from tests.refusals import complaint_of

CARD = 'id = "whelp"\nname = "Whelp"\ncost = 2\nattack = 3\nhealth = 1\n'
DECK = 'name = "d"\npool = "core"\nruleset = "duel"\n'

Loader = Callable[[str, Path | None], object]


def card(*, old: str = "", new: str = "", more: str = "") -> str:
    return 'name = "p"\n[[card]]\n' + CARD.replace(old, new) + more


def row(text: str) -> str:
    return card(more=f"effects = [{{ {text} }}]")


def token(kind: str, more: str = "", heroes: str = "") -> str:
    """A pool with `row` and one token; kinds other than minions have no body."""
    body = "attack = 1\nhealth = 1\n" if kind == "minion" else ""
    return f'\n[[token]]\nid = "t"\nname = "T"\nkind = "{kind}"\ncost = 1\n{body}{more}\n{heroes}'


HERO = '[[hero]]\nid = "h"\nname = "H"\npower = "t"\n'

POOLS = [
    (card(old="attack", new="atack"), "card 'whelp': unknown key 'atack'; did you mean 'attack'?"),
    (card(old="cost = 2\n"), "card 'whelp': missing key 'cost'"),
    (card(old="2", new="-2"), "card 'whelp': cost = -2 must be at least 0"),
    (card(old="1", new="0"), "card 'whelp': health = 0 must be at least 1"),
    (card(old="3", new="3000"), "card 'whelp': attack = 3000 must be at most 1000"),
    (card(old="3", new="3.5"), "card 'whelp': attack = 3.5 must be a whole number"),
    (card(old="3", new="true"), "card 'whelp': attack = true must be a whole number"),
    (card(old="3", new='"3"'), "card 'whelp': attack = '3' must be a whole number"),
    (card(old="3", new="nan"), "card 'whelp': attack = nan must be a whole number"),
    (card(old='"whelp"', new='"Whelp!"'), "id = 'Whelp!' must be lower-case letters"),
    (card(old='"Whelp"', new='" "'), "card 'whelp': name = ' ' must not be blank"),
    (card(old='"Whelp"', new='"a\\nb"'), "must have no spaces at its ends and no unprintable"),
    (card(more='kind = "minon"'), "unknown kind 'minon'; did you mean 'minion'?"),
    (card(more='keywords = ["Hast"]'), "unknown keyword 'Hast'; did you mean 'haste'?"),
    (card(more='keywords = "haste"'), "keywords = 'haste' must be a list"),
    (card(more='keywords = ["haste", "haste"]'), "keyword 'haste' is given twice"),
    (card(more='tags = ["rare", "rare"]'), "tags: tag 'rare' is given twice"),
    (card(more='tags = ["Rare"]'), "tags #1 = 'Rare' must be lower-case letters, digits and _"),
    (row('on = "plays", do = "draw"'), "unknown event 'plays'; did you mean 'play'?"),
    (row('on = "play", do = "damge"'), "effects #1: do: unknown action 'damge'; did you mean"),
    (row('on = "play", do = "draw", to = "enemy"'), "unknown selector 'enemy'"),
    (row('on = "play", do = "draw", when = "x"'), "effects #1: when: 'x' must be 'count GROUP'"),
    (row('on = "play", do = "draw", when = "count minons"'), "unknown selector 'minons'"),
    (row('on = "play", do = "draw", times = "helth of self"'), "unknown number 'helth'; did you"),
    (row('on = "play", do = "buff"'), "effects #1: buff needs attack or health"),
    (row('on = "play", do = "give"'), "effects #1: give needs cards"),
    (row('on = "play", do = "give", cards = ["whelk"]'), "unknown card 'whelk'; did you mean"),
    (
        row('on = "play", do = "equip", cards = ["t"]') + token("minion"),
        "card 'whelp': effects #1: equip: 't' is of kind minion; needs weapon",
    ),
    (
        row('on = "play", do = "give", cards = ["t"]') + token("power"),
        "effects #1: give: 't' is of kind power; needs minion, spell, weapon or secret",
    ),
    (
        card(more='options = ["t", "t"]') + token("spell"),
        "card 'whelp': options: 't' is of kind spell; needs option",
    ),
    (card() + token("spell", heroes=HERO), "hero 'h': power: 't' is of kind spell; needs power"),
    ('coin = "t"\n' + card() + token("option"), "coin: 't' is of kind option; needs minion"),
    (
        card(old="attack = 3\nhealth = 1\n", more='kind = "power"'),
        "card 'whelp': no deck can hold a power; it is a [[token]]",
    ),
    (
        row('on = "play", do = "give", cards = ["whelp"], of_enemy_hero = true')
        + token("power", heroes=HERO),
        "card 'whelp': of_enemy_hero: power 't' does not say whose it is (hero = ...)",
    ),
    (
        row('on = "play", do = "draw", to = "own_deck(taunt)"'),
        "effects #1: to: 'own_deck(taunt)': cards in a deck are told by kind, tribe, cost and id",
    ),
    (
        row('on = "play", do = "damage", to = "minions(not whelp, not t)"'),
        "'not t': a group may leave out one card only",
    ),
    (row('on = "play", do = "counter"'), "counter: on = 'play'; it needs on = 'cast'"),
    (row('on = "death", do = "aim"'), "on = 'death'; it needs on = 'attack' or on = 'cast'"),
    (row('on = "aura", do = "draw"'), "an aura can buff, set, grant or change a cost, not draw"),
    (row('on = "play", do = "damage", amount = 3, amount_to = 2'), "amount_to = 2 must be at"),
    (card(more='kind = "spell"'), "card 'whelp': attack = 3: a spell has only cost"),
    (card(more='tribe = "Beast"'), "tribe = 'Beast' must be"),
    (card(more='hero = "ember"'), "card 'whelp': unknown hero 'ember'"),
    (card(more='options = ["whelp"]'), "options has 1 ids; a choice is between 2"),
    (card(more="tunable = { durability = [1, 2] }"), "this card has only cost, attack, health"),
    (row('on = "play", do = "draw", amount = 0'), "effects #1: amount = 0 must be at least 1"),
    (row('on = "play", do = "draw", amout = 1'), "effects #1: unknown key 'amout'; did you mean"),
    (row('on = "play", do = "summon"'), "effects #1: summon needs a token"),
    (
        row('on = "play", do = "summon", token = { attack = 1, health = 0 }'),
        "effects #1: token.health = 0 must be at least 1",
    ),
    (
        row('on = "play", do = "draw", token = { attack = 1, health = 1 }'),
        "effects #1: draw takes no token",
    ),
    (card(more="tunable = { attack = [4, 5] }"), "must contain the present attack = 3"),
    (card(more="tunable = { attack = [5, 2] }"), "must be [low, high] with low not above high"),
    (card(more="tunable = { atack = [2, 5] }"), "unknown key 'atack'; did you mean 'attack'?"),
    (card(more="tunable = { health = [0, 5] }"), "tunable.health = [0, 5] must not go below 1"),
    (card(more="[[card]]\n" + CARD), "id 'whelp' is used by more than one card"),
    (card(old='id = "whelp"\n'), "card 'Whelp': missing key 'id'"),
    ('name = "p"\n', "pool 'p': missing key 'card'"),
    ('name = "p"\ncard = []\n', "pool 'p': card = [] must have at least 1"),
    ('name = "p"\n[card]\n' + CARD, "must be a list"),
    ("format = 2\n" + card(), "pool 'p': format = 2 must be at most 1"),
]

DECKS = [
    (DECK + "cards = {}", "deck 'd': cards = {} must have at least 1"),
    (DECK + "[cards]\nwhelp = 0", "deck 'd': cards.whelp = 0 must be at least 1"),
    (DECK + "[cards]\nwhelp = 61", "deck 'd': cards.whelp = 61 must be at most 60"),
    (DECK + "[cards]\nwhelp = true", "deck 'd': cards.whelp = true must be a whole number"),
    (DECK + "[cards]\nWhelp = 1", "no card 'Whelp'; did you mean 'ember_whelp'?"),
    (DECK + 'cards = ["whelp"]', "deck 'd': cards = ['whelp'] must be a table"),
    (DECK + "[card]\nwhelp = 1", "deck 'd': unknown key 'card'; did you mean 'cards'?"),
    (DECK.replace('"duel"', "1") + "cards = { a = 1 }", "ruleset = 1 must be text in quotes"),
]


@pytest.mark.parametrize(
    ("load", "text", "fragment"),
    [(load_pool, *case) for case in POOLS]
    + [(load_deck, *case) for case in DECKS]
    + [
        (load_ruleset, 'name = "r"\n', "ruleset 'r': missing key 'life' (and 10 more problems)"),
        (load_ruleset, "name = 'r\n", "not valid TOML: "),
    ],
)
def test_bad_data_is_refused_with_a_message_that_helps(
    load: Loader, text: str, fragment: str, tmp_path: Path
) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text, encoding="utf-8")
    said = complaint_of(load, "bad.toml", tmp_path)
    assert said.startswith(f"{path}: ")
    assert fragment in said
