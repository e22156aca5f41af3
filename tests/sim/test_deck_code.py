"""Deck codes survive writing and reading, and any wrong line is refused in one message."""

from __future__ import annotations

import base64
import sys
from collections.abc import Mapping
from importlib import util

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sim import Card, Deck, InputError, Pool, load_deck, load_pool
from sim.files.toml_file import shipped_folder
from sim.real_cards.card_definitions import Definition, read_definitions
from sim.real_cards.deck_code import read_deck_code, write_deck_code
from tests.refusals import refusal_of

pytestmark = pytest.mark.skipif(
    any(util.find_spec(package) is None for package in ("hearthstone", "hearthstone_data")),
    reason="needs the extra [hearthstone]",
)

# The code that public tools give for a deck list of 2014, their usual example. It has one of the
# other heroes of its class.
PUBLIC_CODE = "AAEBAfqUAwAPMJMB3ALVA9AE9wTOBtwGkgeeB/sHsQjCCMQI9ggA"
HERO_NUMBERS = {
    "druid": 274,
    "hunter": 31,
    "mage": 637,
    "paladin": 671,
    "priest": 813,
    "rogue": 930,
    "shaman": 1066,
    "warlock": 893,
    "warrior": 7,
}
MAGE = 637
OTHER_MAGE = 2829
FIRE = 315
FROST = 662  # cs2_029 and cs2_024
HERO_POWER = 807
OF_ANOTHER_SET = 2539
LEGACY = [path.stem for path in sorted(shipped_folder("decks").glob("legacy_*.toml"))]


def varint(number: int) -> bytes:
    """Encode a number in bytes of seven bits, the lowest first, to check the package's encoder."""
    groups = [number & 127]
    while number := number >> 7:
        groups[-1] |= 128
        groups.append(number & 127)
    return bytes(groups)


def code_of(
    ones: list[int] | None = None,
    twos: list[int] | None = None,
    others: Mapping[int, int] | None = None,
    heroes: tuple[int, ...] = (MAGE,),
    head: tuple[int, ...] = (0, 1, 1),
    tail: bytes = b"",
) -> str:
    """Return a code with any content, right or wrong.

    Args:
        ones: numbers of the cards with one copy.
        twos: numbers of the cards with two copies.
        others: copies of the other cards by number.
        heroes: numbers of the heroes.
        head: the zero, the version and the format.
        tail: bytes behind the cards.
    """
    counted = [[number] for number in others or {}]
    for entry, count in zip(counted, (others or {}).values(), strict=True):
        entry.append(count)
    numbers = [*head, len(heroes), *heroes]
    singles = [[number] for number in ones or []]
    doubles = [[number] for number in twos or []]
    for group in (singles, doubles, counted):
        numbers += [len(group), *(number for entry in group for number in entry)]
    return base64.b64encode(b"".join(map(varint, numbers)) + tail).decode()


@pytest.fixture(scope="module")
def pool() -> Pool:
    return load_pool("hearthstone")


@pytest.fixture(scope="module")
def definitions() -> dict[str, Definition]:
    return read_definitions()


def deck_of(cards: dict[str, int], hero: str = "mage") -> Deck:
    return Deck(name="d", pool="hearthstone", ruleset="legacy", hero=hero, cards=cards)


def refusal(code: str, pool: Pool) -> InputError:
    error = refusal_of(read_deck_code, code, pool)
    assert len(str(error)) < 250
    assert error.place.startswith("deck code '")
    return error


def deck_or_message(code: str, pool: Pool) -> str:
    try:
        return repr(read_deck_code(code, pool))
    except InputError as error:
        return str(error)


def test_every_shipped_list_survives_the_way_to_a_code_and_back(pool: Pool) -> None:
    known = {card.id for card in pool.cards}
    decks = [deck for deck in map(load_deck, LEGACY) if deck.cards.keys() <= known]
    assert {deck.hero for deck in decks} == set(HERO_NUMBERS)
    for deck in decks:
        code = write_deck_code(deck, pool)
        back = read_deck_code(code, pool, name=deck.name)
        assert back == deck  # the order of slots is another matter
        assert write_deck_code(back, pool) == code


@given(data=st.data())
def test_any_copies_of_any_cards_survive(data: st.DataObject, pool: Pool) -> None:
    ids = st.sampled_from([card.id for card in pool.cards])
    cards = data.draw(st.dictionaries(ids, st.integers(1, 60), min_size=1, max_size=60))
    deck = deck_of(cards, data.draw(st.sampled_from(sorted(HERO_NUMBERS))))
    back = read_deck_code(write_deck_code(deck, pool), pool)
    assert (back.cards, back.hero) == (deck.cards, deck.hero)


def test_a_public_code_holds_the_list_that_is_known_of_it(pool: Pool) -> None:
    deck = load_deck("legacy_expert_warlock")
    absent = sorted(deck.cards.keys() - {card.id for card in pool.cards})
    stand_ins = [Card(id=card, name=card, cost=1, attack=1, health=1) for card in absent]
    read = read_deck_code(PUBLIC_CODE, pool.model_copy(update={"cards": (*pool.cards, *stand_ins)}))
    assert (read.hero, read.cards) == (deck.hero, deck.cards)


def test_a_code_is_written_number_by_number(pool: Pool, definitions: dict[str, Definition]) -> None:
    wanted = code_of([FROST], [FIRE], {definitions["cs2_022"].number: 3}, tail=b"\0")
    written = write_deck_code(deck_of({"cs2_029": 2, "cs2_022": 3, "cs2_024": 1}), pool)
    assert written == wanted


@pytest.mark.parametrize("hero", HERO_NUMBERS)
def test_a_class_is_written_as_its_standard_hero(hero: str, pool: Pool) -> None:
    numbers = base64.b64decode(write_deck_code(deck_of({"cs2_182": 1}, hero), pool))
    assert numbers.startswith(bytes([0, 1, 1, 1]) + varint(HERO_NUMBERS[hero]))


def test_cards_are_in_the_order_of_costs_and_names_are_those_given(
    pool: Pool, definitions: dict[str, Definition]
) -> None:
    ids = [card.id for card in pool.cards]
    assert ids.index("cs2_029") < ids.index("ex1_277")  # the costlier card comes first there
    code = code_of([FIRE], [definitions["ex1_277"].number], heroes=(OTHER_MAGE,))
    deck = read_deck_code(f" {code}\n", pool, name="mine", ruleset="other")
    assert list(deck.cards.items()) == [("ex1_277", 2), ("cs2_029", 1)]
    assert (deck.name, deck.pool, deck.ruleset) == ("mine", "hearthstone", "other")
    assert deck.hero == "mage"
    assert read_deck_code(code, pool).name == "pasted"


GOOD = code_of([FIRE], [FROST])
MALFORMED = [
    ("is empty", ""),
    ("is not base64", "no code"),
    ("is not base64", "\u0391AEB"),
    ("is not base64", "\ud800"),
    ("is not base64", GOOD[:-1]),
    ("is not base64", f"{GOOD[:4]}!{GOOD[4:]}"),
    ("ends too early", GOOD[:8]),
    ("ends too early", "AA=="),
    ("has 3000 characters, must have at most 2000", "A" * 3000),
    ("begins with byte 7, must be 0", code_of([FIRE], head=(7, 1, 1))),
    ("is of version 2, must be 1", code_of([FIRE], head=(0, 2, 1))),
    ("is for an unknown format, number 99", code_of([FIRE], head=(0, 1, 99))),
    ("is for an unknown format, number ", code_of([FIRE], head=(0, 1, 1 << 9000))),
    ("names 0 heroes, must name 1", code_of([FIRE], heroes=())),
    ("names 2 heroes, must name 1", code_of([FIRE], heroes=(7, MAGE))),
    ("no hero has the number 315 in hearthstone_data 30103.2", code_of([FIRE], heroes=(FIRE,))),
    ("no hero has the number 1000000000", code_of([FIRE], heroes=(10**9,))),
    ("holds no cards", code_of()),
    ("no card has the number 1000000000 in hearthstone_data 30103.2", code_of([10**9])),
    ("no card has the number ", code_of([1 << 9000])),
    ("no card has the number 0", code_of([0])),
    ("lists card 'cs2_029' (", code_of([FIRE], [FIRE])),
    ("cards.cs2_029 = 0 must be at least 1", code_of(others={FIRE: 0})),
    ("cards.cs2_029 = 61 must be at most 60", code_of(others={FIRE: 61})),
    ("has a sideboard", code_of([FIRE], tail=b"\1\1" + varint(FIRE) + varint(FROST) + b"\0\0")),
]


@pytest.mark.parametrize(
    "code", [code for _, code in MALFORMED], ids=[name for name, _ in MALFORMED]
)
def test_a_malformed_code_is_refused_with_the_reason(code: str, pool: Pool) -> None:
    refusal(code, pool)


def test_a_long_code_is_cut_in_messages(pool: Pool) -> None:
    error = refusal(code_of(list(range(10**6, 10**6 + 50))), pool)
    assert error.place == "deck code 'AAEBAf0EMsCEPcGEPcKEPcOEPcSEPcWEPcaEP...'"


def test_cards_that_are_real_but_not_in_the_pool_are_named(
    pool: Pool, definitions: dict[str, Definition]
) -> None:
    smaller = pool.model_copy(update={"cards": pool.cards[:1]})
    assert refusal(GOOD, smaller).value == "cs2_029"
    for number in (OF_ANOTHER_SET, HERO_POWER, MAGE):
        (card_id,) = [name for name, entry in definitions.items() if entry.number == number]
        assert refusal(code_of([number]), pool).value == card_id


def test_a_hero_of_no_class_of_the_pool_is_named(pool: Pool) -> None:
    smaller = pool.model_copy(update={"heroes": pool.heroes[:1]})
    error = refusal(GOOD, smaller)
    assert (error.value, error.limit) == ("mage", ("druid",))


@given(content=st.binary(max_size=80), begins=st.booleans())
@example(content=b"\xff" * 60, begins=True)
def test_no_bytes_do_any_harm(content: bytes, begins: bool, pool: Pool) -> None:
    whole = base64.b64decode(GOOD)[: len(content) % 8] + content if begins else content
    assert "\n" not in deck_or_message(base64.b64encode(whole).decode(), pool)


@given(place=st.integers(0, len(PUBLIC_CODE) - 1), text=st.text(max_size=3))
def test_no_typing_error_does_any_harm(place: int, text: str, pool: Pool) -> None:
    code = write_deck_code(deck_of({"cs2_029": 2, "cs2_022": 3, "cs2_024": 1}), pool)
    assert "\n" not in deck_or_message(code[:place] + text + code[place + 1 :], pool)


def test_decks_that_codes_cannot_express_are_refused(pool: Pool) -> None:
    without_hero = deck_of({"cs2_182": 1}, "")
    assert refusal_of(write_deck_code, without_hero, pool).place == "deck 'd'"
    assert refusal_of(write_deck_code, deck_of({"cs2_182": 1}, "bard"), pool).value == "bard"
    error = refusal_of(write_deck_code, deck_of({"oak": 1}), pool)
    assert (error.place, error.value) == ("deck 'd': pool 'hearthstone'", "oak")
    oak = Card(id="oak", name="Oak", cost=1, attack=1, health=1)
    wider = pool.model_copy(update={"cards": (*pool.cards, oak)})
    error = refusal_of(write_deck_code, deck_of({"oak": 1}), wider)
    assert (error.place, error.value) == ("deck 'd'", "oak")
    saga = refusal_of(write_deck_code, load_deck("saga_ember"), load_pool("saga"))
    assert saga.place == "deck 'saga_ember'"


def test_without_the_package_the_remedy_installs_it(
    pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in [name for name in sys.modules if name.split(".")[0] == "hearthstone"]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "hearthstone", None)
    for error in (
        refusal_of(read_deck_code, GOOD, pool),
        refusal_of(write_deck_code, deck_of({"cs2_029": 2}), pool),
    ):
        assert "evenhand[hearthstone]" in error.remedy
