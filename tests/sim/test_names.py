"""One resolver of names: every spelling of a card's name finds it, or is refused as ambiguous."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim import Card, InputError, Pool, load_deck
from sim.cards.card import FIELDS
from sim.cards.names import card_names, field_names, fields_of_card, rule_names
from sim.cards.spreadsheet.columns import NUMBERS, SYNONYMS
from sim.cards.spreadsheet.identifiers import card_id_from_name
from sim.names import Names, named_word
from tests.refusals import complaint_of

LETTERS = st.sampled_from("abcdeABCDEéÉüßøŁłñ\u0131İ漢字йЙ")
WORDS = st.text(LETTERS, min_size=1, max_size=6)
NAMES = st.lists(WORDS, min_size=1, max_size=3).map(" ".join)


def without_accents(text: str) -> str:
    parts = unicodedata.normalize("NFKD", text)
    return "".join(sign for sign in parts if not unicodedata.combining(sign))


SPELLINGS = {
    "as it is": str,
    "upper": str.upper,
    "lower": str.lower,
    "underscores": lambda name: name.replace(" ", "_"),
    "hyphens": lambda name: name.replace(" ", "-"),
    "together": lambda name: name.replace(" ", ""),
    "more spaces": lambda name: f"  {name.replace(' ', '   ')} ",
    "without accents": without_accents,
    "composed": lambda name: unicodedata.normalize("NFC", name),
    "decomposed": lambda name: unicodedata.normalize("NFD", name),
    "upper, hyphens, no accents": lambda name: without_accents(name.upper().replace(" ", "-")),
    "with a sign": lambda name: f"{name}!",
}


def pool_of(names: list[str]) -> Pool:
    """A card of each name, with ids as an import gives them."""
    cards = dict[str, Card]()
    for name in names:
        card_id = card_id_from_name(name)
        cards.setdefault(card_id, Card(id=card_id, name=name, cost=1, attack=1, health=1))
    return Pool(name="own", cards=tuple(cards.values()))


@pytest.mark.parametrize("spelling", SPELLINGS.values(), ids=SPELLINGS.keys())
@given(names=st.lists(NAMES, min_size=1, max_size=6))
def test_every_spelling_of_a_name_finds_its_card_or_names_those_it_may_mean(spelling, names):
    pool = pool_of(names)
    known = card_names(pool)
    for card in pool.cards:
        written = spelling(card.name)
        found = known.matches(written)
        assert found, written
        if len(found) == 1:
            # Another card may be called exactly so: `a b` beside `A B`.
            other = pool.card(found[0])
            assert other is card or written in {other.id, other.name} or _are_alike(other, card)
        else:
            assert card.id in found
            assert all(repr(one) in complaint_of(known.find, written) for one in found)


def _are_alike(one: Card, other: Card) -> bool:
    return bool(Names("card", [one.id]).matches(other.name))


@given(names=st.lists(NAMES, min_size=1, max_size=6))
def test_an_exact_id_goes_before_any_name(names):
    pool = pool_of(names)
    for card in pool.cards:
        assert card_names(pool).find(card.id) == card.id


@pytest.mark.parametrize(
    "written", ["skewer boy", "Skewer-Boy", "SKEWER_BOY", "skewerboy", "  Skewer  Boy "]
)
def test_a_name_is_found_by_its_letters(written: str):
    assert Names("card", {"skewer_boy": ("Skewer Boy",), "boy": ("Boy",)}).find(written) == (
        "skewer_boy"
    )


def test_the_stricter_rule_decides():
    known = Names("card", {"a_b": ("Ab",), "ab": ("A b",), "x": ("ab!",)})
    assert known.find("a_b") == "a_b"
    assert known.find("A b") == "ab"  # an exact name
    assert known.find("Ab") == "a_b"
    assert known.find("ab!") == "x"
    assert known.matches("A-B!") == ["a_b", "ab"]


def test_what_may_mean_several_is_refused_with_their_ids():
    known = Names("card", {"cat": ("Market Cat",), "cat_2": ("Market cat",)})
    assert known.find("Market Cat") == "cat"
    message = complaint_of(known.find, "MARKET CAT")
    assert "'cat'" in message
    assert "'cat_2'" in message


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("markt cat", "did you mean 'Market Cat'?"),
        ("market", "did you mean 'market_cat'?"),
        ("zzz", "known: market_cat, sky_dragon"),
    ],
)
def test_what_is_not_there_names_the_nearest_or_all(written: str, says: str):
    known = Names("card", {"market_cat": ("Market Cat",), "sky_dragon": ("Sky Dragon",)})
    assert says in complaint_of(known.find, written)


def test_a_long_list_is_cut():
    message = complaint_of(Names("card", [f"card_number_{n}" for n in range(500)]).find, "zzz")
    assert "card_number_0, card_number_1, " in message
    assert message.endswith(" more")
    assert len(message) < 1_000


@pytest.mark.parametrize("title", [title for title, one in SYNONYMS.items() if one in NUMBERS])
def test_a_field_is_found_by_every_title_that_an_import_reads(title: str):
    for spelling in (title, title.upper(), title.replace(" ", "_"), title.title()):
        assert field_names(FIELDS).find(spelling) == SYNONYMS[title]


def test_a_number_of_an_effect_goes_by_what_it_does_and_no_field_by_an_effect():
    row = {"on": "play", "do": "damage", "to": "enemy_player", "amount": 2}
    told = {"id": "a", "name": "A", "cost": 1, "attack": 1, "health": 1, "effects": [row]}
    names = fields_of_card(Card.model_validate(told))
    assert names.find("Damage") == names.find("amount") == "amount"
    assert names.find("Mana Cost") == "cost"
    assert names.get("durability") is None


def test_a_rule_goes_by_its_key_and_its_label():
    assert rule_names().find("Opening Hand First") == "opening_hand_first"
    assert rule_names().find("most mana") == "mana_max"


def test_a_word_of_a_vocabulary_in_any_spelling():
    assert named_word("keyword", "Divine-Shield", ["haste", "divine_shield"]) == "divine_shield"
    with pytest.raises(InputError, match="known: haste, taunt"):
        named_word("keyword", "flying", ["haste", "taunt"])


def test_keywords_and_kinds_of_a_pool_file_in_any_letter_case():
    told = {"id": "a", "name": "A", "cost": 1, "attack": 1, "health": 1}
    card = Card.model_validate({**told, "kind": "Minion", "keywords": ["Haste"]})
    assert (card.kind, card.keywords) == ("minion", ("haste",))
    assert Card.model_validate({**told, "tunable": {"HP": [1, 2]}}).tunable == {"health": (1, 2)}
    twice = {**told, "tunable": {"hp": [1, 2], "health": [1, 2]}}
    with pytest.raises(ValueError, match="twice"):
        Card.model_validate(twice)


def test_a_deck_file_may_call_cards_by_their_names(tmp_path):
    head = 'name = "mine"\npool = "core"\nruleset = "duel"\n[cards]\n'
    path = tmp_path / "mine.toml"
    path.write_text(head + '"Ember Whelp" = 2\n"EMBER HARRIER" = 1\ntide_caller = 1\n')
    message = complaint_of(load_deck, str(path))
    assert "EMBER HARRIER" in message
    path.write_text(head + '"Ember Whelp" = 2\n"TITHE-COLLECTOR" = 1\n')
    assert load_deck(str(path)).cards == {"ember_whelp": 2, "tithe_collector": 1}
    path.write_text(head + '"Ember Whelp" = 2\nember_whelp = 1\n')
    assert "twice" in complaint_of(load_deck, str(path))


@pytest.mark.parametrize("name", ["Ember Rush", "EMBER-RUSH", "emberrush", "ember_rush"])
def test_a_shipped_deck_in_any_spelling(name: str):
    assert load_deck(name).name == "ember_rush"


def test_a_deck_is_found_by_its_file_and_by_its_title_and_never_by_guessing(tmp_path):
    text = 'name = "{}"\npool = "core"\nruleset = "duel"\n[cards]\nember_whelp = 2\n'
    (tmp_path / "rush.toml").write_text(text.format("Wok Rush"))
    (tmp_path / "Tea House.toml").write_text(text.format("other"))
    (tmp_path / "game.toml").write_text('name = "wok rush"\n')  # no deck
    assert load_deck("wok-rush", near=tmp_path).name == "Wok Rush"
    assert load_deck("tea_house", near=tmp_path).name == "other"
    (tmp_path / "again.toml").write_text(text.format("WOK RUSH"))
    message = complaint_of(load_deck, "wok_rush", tmp_path)
    assert "rush.toml" in message
    assert "again.toml" in message
