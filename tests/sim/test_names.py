"""One resolver of names: every spelling of a card's name finds it, or is refused as ambiguous."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim import Card, InputError, Pool, load_deck
from sim.cards.fields import FIELDS, NUMBERS, SYNONYMS, field_names
from sim.cards.identifiers import card_id_from_name
from sim.cards.names import card_names, fields_of_card, rule_names
from sim.names import Names, named_word
from tests.refusals import refusal_of

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
    """Return a pool with a card of each name, with ids as an import gives them."""
    cards = dict[str, Card]()
    for name in names:
        card_id = card_id_from_name(name)
        cards.setdefault(card_id, Card(id=card_id, name=name, cost=1, attack=1, health=1))
    return Pool(name="own", cards=tuple(cards.values()))


@pytest.mark.parametrize("spelling", SPELLINGS.values(), ids=SPELLINGS.keys())
@given(names=st.lists(NAMES, min_size=1, max_size=6))
def test_every_spelling_of_a_name_finds_its_card_or_lists_the_candidates(spelling, names):
    pool = pool_of(names)
    known = card_names(pool)
    for card in pool.cards:
        written = spelling(card.name)
        matches = known.matches(written)
        assert matches, written
        if len(matches) == 1:
            # Another card may have exactly this name, such as `a b` next to `A B`.
            other = pool.card(matches[0])
            assert other is card or written in {other.id, other.name} or _are_alike(other, card)
        else:
            assert card.id in matches
            with pytest.raises(InputError) as caught:
                known.find(written)
            assert caught.value.limit == tuple(matches)


def _are_alike(first: Card, second: Card) -> bool:
    return bool(Names("card", [first.id]).matches(second.name))


@given(names=st.lists(NAMES, min_size=1, max_size=6))
def test_an_exact_id_takes_precedence_over_any_name(names):
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


def test_an_ambiguous_name_is_refused_with_the_ids():
    known = Names("card", {"cat": ("Market Cat",), "cat_2": ("Market cat",)})
    assert known.find("Market Cat") == "cat"
    assert refusal_of(known.find, "MARKET CAT").limit == ("cat", "cat_2")


@pytest.mark.parametrize("written", ["markt cat", "market", "zzz"])
def test_an_unknown_name_is_refused_with_the_nearest_or_all(written: str):
    known = Names("card", {"market_cat": ("Market Cat",), "sky_dragon": ("Sky Dragon",)})
    error = refusal_of(known.find, written)
    assert (error.value, error.limit) == (written, ("market_cat", "sky_dragon"))


def test_a_long_list_is_cut():
    error = refusal_of(Names("card", [f"card_number_{n}" for n in range(500)]).find, "zzz")
    assert len(error.limit) == 500
    assert len(str(error)) < 1_000


@pytest.mark.parametrize("title", [title for title, field in SYNONYMS.items() if field in NUMBERS])
def test_a_field_is_found_by_every_title_that_an_import_reads(title: str):
    for spelling in (title, title.upper(), title.replace(" ", "_"), title.title()):
        assert field_names(FIELDS).find(spelling) == SYNONYMS[title]


def test_the_amount_of_an_effect_may_be_named_by_its_action():
    row = {"on": "play", "do": "damage", "to": "enemy_player", "amount": 2}
    data = {"id": "a", "name": "A", "cost": 1, "attack": 1, "health": 1, "effects": [row]}
    names = fields_of_card(Card.model_validate(data))
    assert names.find("Damage") == names.find("amount") == "amount"
    assert names.find("Mana Cost") == "cost"
    assert names.get("durability") is None


def test_a_rule_is_found_by_its_key_and_its_label():
    assert rule_names().find("Opening Hand First") == "opening_hand_first"
    assert rule_names().find("most mana") == "mana_max"


def test_a_word_of_a_vocabulary_in_any_spelling():
    assert named_word("keyword", "Divine-Shield", ["haste", "divine_shield"]) == "divine_shield"
    assert refusal_of(named_word, "keyword", "flying", ["haste", "taunt"]).value == "flying"


def test_keywords_and_kinds_of_a_pool_file_in_any_letter_case():
    data = {"id": "a", "name": "A", "cost": 1, "attack": 1, "health": 1}
    card = Card.model_validate({**data, "kind": "Minion", "keywords": ["Haste"]})
    assert (card.kind, card.keywords) == ("minion", ("haste",))
    assert Card.model_validate({**data, "tunable": {"HP": [1, 2]}}).tunable == {"health": (1, 2)}
    twice = {**data, "tunable": {"hp": [1, 2], "health": [1, 2]}}
    with pytest.raises(ValueError, match="twice"):
        Card.model_validate(twice)


def test_a_deck_file_may_use_the_names_of_cards(tmp_path):
    head = 'name = "mine"\npool = "core"\nruleset = "duel"\n[cards]\n'
    path = tmp_path / "mine.toml"
    path.write_text(head + '"Ember Whelp" = 2\n"EMBER HARRIER" = 1\ntide_caller = 1\n')
    assert "EMBER HARRIER" in str(refusal_of(load_deck, str(path)))
    path.write_text(head + '"Ember Whelp" = 2\n"TITHE-COLLECTOR" = 1\n')
    assert load_deck(str(path)).cards == {"ember_whelp": 2, "tithe_collector": 1}
    path.write_text(head + '"Ember Whelp" = 2\nember_whelp = 1\n')
    assert "same card" in str(refusal_of(load_deck, str(path)))


@pytest.mark.parametrize("name", ["Ember Rush", "EMBER-RUSH", "emberrush", "ember_rush"])
def test_a_shipped_deck_in_any_spelling(name: str):
    assert load_deck(name).name == "ember_rush"


def test_a_deck_is_found_by_its_file_or_its_title_unless_ambiguous(tmp_path):
    text = 'name = "{}"\npool = "core"\nruleset = "duel"\n[cards]\nember_whelp = 2\n'
    (tmp_path / "rush.toml").write_text(text.format("Wok Rush"))
    (tmp_path / "Tea House.toml").write_text(text.format("other"))
    (tmp_path / "game.toml").write_text('name = "wok rush"\n')  # no deck
    assert load_deck("wok-rush", near=tmp_path).name == "Wok Rush"
    assert load_deck("tea_house", near=tmp_path).name == "other"
    (tmp_path / "again.toml").write_text(text.format("WOK RUSH"))
    message = str(refusal_of(load_deck, "wok_rush", tmp_path))
    assert "rush.toml" in message
    assert "again.toml" in message
