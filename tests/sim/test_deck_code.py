"""Deck codes come back as they went, and no line whatever ends in anything but a message."""

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
from tests.refusals import complaint_of

pytestmark = pytest.mark.skipif(
    any(util.find_spec(package) is None for package in ("hearthstone", "hearthstone_data")),
    reason="needs the extra [hearthstone]",
)

# What public tools print for a list of 2014 that they all use as their example. Its hero is one
# of the other looks of the class.
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
    """A number in bytes of seven bits, the lowest first; written anew to check the package."""
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
    """A code that any writer could write, right or wrong."""
    counted = [[number] for number in others or {}]
    for entry, count in zip(counted, (others or {}).values(), strict=True):
        entry.append(count)
    numbers = [*head, len(heroes), *heroes]
    for group in ([[one] for one in ones or []], [[two] for two in twos or []], counted):
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


def refusal(code: str, pool: Pool) -> str:
    message = complaint_of(read_deck_code, code, pool)
    assert len(message) < 250
    assert message.startswith("deck code '")
    return message


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
    stand_ins = [Card(id=one, name=one, cost=1, attack=1, health=1) for one in absent]
    read = read_deck_code(PUBLIC_CODE, pool.model_copy(update={"cards": (*pool.cards, *stand_ins)}))
    assert (read.hero, read.cards) == (deck.hero, deck.cards)


def test_a_code_is_written_number_by_number(pool: Pool, definitions: dict[str, Definition]) -> None:
    wanted = code_of([FROST], [FIRE], {definitions["cs2_022"].number: 3}, tail=b"\0")
    written = write_deck_code(deck_of({"cs2_029": 2, "cs2_022": 3, "cs2_024": 1}), pool)
    assert written == wanted


@pytest.mark.parametrize("hero", HERO_NUMBERS)
def test_a_class_goes_by_the_hero_that_everybody_has(hero: str, pool: Pool) -> None:
    numbers = base64.b64decode(write_deck_code(deck_of({"cs2_182": 1}, hero), pool))
    assert numbers.startswith(bytes([0, 1, 1, 1]) + varint(HERO_NUMBERS[hero]))


def test_what_is_read_is_in_the_order_of_costs_under_the_names_given(
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
    ("", "is empty"),
    ("no code", "is not base64"),
    ("\u0391AEB", "is not base64"),
    ("\ud800", "is not base64"),
    (GOOD[:-1], "is not base64"),
    (f"{GOOD[:4]}!{GOOD[4:]}", "is not base64"),
    (GOOD[:8], "ends too early"),
    ("AA==", "ends too early"),
    ("A" * 3000, "has 3000 characters, must have at most 2000"),
    (code_of([FIRE], head=(7, 1, 1)), "begins with byte 7, must be 0"),
    (code_of([FIRE], head=(0, 2, 1)), "is of version 2, must be 1"),
    (code_of([FIRE], head=(0, 1, 99)), "is for an unknown format, number 99"),
    (code_of([FIRE], head=(0, 1, 1 << 9000)), "is for an unknown format, number "),
    (code_of([FIRE], heroes=()), "names 0 heroes, must name 1"),
    (code_of([FIRE], heroes=(7, MAGE)), "names 2 heroes, must name 1"),
    (code_of([FIRE], heroes=(FIRE,)), "no hero has the number 315 in hearthstone_data 30103.2"),
    (code_of([FIRE], heroes=(10**9,)), "no hero has the number 1000000000"),
    (code_of(), "holds no cards"),
    (code_of([10**9]), "no card has the number 1000000000 in hearthstone_data 30103.2"),
    (code_of([1 << 9000]), "no card has the number "),
    (code_of([0]), "no card has the number 0"),
    (code_of([FIRE], [FIRE]), "lists card 'cs2_029' ("),
    (code_of(others={FIRE: 0}), "cards.cs2_029 = 0 must be at least 1"),
    (code_of(others={FIRE: 61}), "cards.cs2_029 = 61 must be at most 60"),
    (code_of([FIRE], tail=b"\1\1" + varint(FIRE) + varint(FROST) + b"\0\0"), "has a sideboard"),
]


@pytest.mark.parametrize(("code", "reason"), MALFORMED)
def test_what_is_no_code_of_a_deck_is_refused_with_the_reason(
    code: str, reason: str, pool: Pool
) -> None:
    assert reason in refusal(code, pool)


def test_a_long_code_is_cut_in_messages(pool: Pool) -> None:
    message = refusal(code_of(list(range(10**6, 10**6 + 50))), pool)
    assert message.startswith("deck code 'AAEBAf0EMsCEPcGEPcKEPcOEPcSEPcWEPcaEP...': no card has")


def test_cards_that_are_there_but_not_in_the_pool_are_named(
    pool: Pool, definitions: dict[str, Definition]
) -> None:
    smaller = pool.model_copy(update={"cards": pool.cards[:1]})
    name = definitions["cs2_029"].name
    why = f"card 'cs2_029' ({name}) has no effect rows yet"
    assert refusal(GOOD, smaller).endswith(why)
    for number in (OF_ANOTHER_SET, HERO_POWER, MAGE):
        (card_id,) = [each for each, one in definitions.items() if one.number == number]
        why = f"pool 'hearthstone': no card {card_id!r} ({definitions[card_id].name})"
        assert refusal(code_of([number]), pool).endswith(why)


def test_a_hero_of_no_class_of_the_pool_is_named(pool: Pool) -> None:
    smaller = pool.model_copy(update={"heroes": pool.heroes[:1]})
    assert refusal(GOOD, smaller).endswith("unknown hero 'mage'; known: druid")


@given(content=st.binary(max_size=80), begins=st.booleans())
@example(content=b"\xff" * 60, begins=True)
def test_no_bytes_do_any_harm(content: bytes, begins: bool, pool: Pool) -> None:
    whole = base64.b64decode(GOOD)[: len(content) % 8] + content if begins else content
    assert "\n" not in deck_or_message(base64.b64encode(whole).decode(), pool)


@given(place=st.integers(0, len(PUBLIC_CODE) - 1), text=st.text(max_size=3))
def test_no_slip_of_the_pen_does_any_harm(place: int, text: str, pool: Pool) -> None:
    code = write_deck_code(deck_of({"cs2_029": 2, "cs2_022": 3, "cs2_024": 1}), pool)
    assert "\n" not in deck_or_message(code[:place] + text + code[place + 1 :], pool)


def test_decks_that_codes_cannot_say_are_refused(pool: Pool) -> None:
    assert "deck 'd': has no hero, whom a deck code must name" in complaint_of(
        write_deck_code, deck_of({"cs2_182": 1}, ""), pool
    )
    assert "unknown hero 'bard'" in complaint_of(
        write_deck_code, deck_of({"cs2_182": 1}, "bard"), pool
    )
    assert "deck 'd': pool 'hearthstone': no card 'oak'" in complaint_of(
        write_deck_code, deck_of({"oak": 1}), pool
    )
    oak = Card(id="oak", name="Oak", cost=1, attack=1, health=1)
    wider = pool.model_copy(update={"cards": (*pool.cards, oak)})
    assert "deck 'd': card 'oak' is not in hearthstone_data 3" in complaint_of(
        write_deck_code, deck_of({"oak": 1}), wider
    )
    with pytest.raises(InputError, match=r"deck 'saga_ember': hero '\w+' is not in hearthstone_d"):
        write_deck_code(load_deck("saga_ember"), load_pool("saga"))


def test_without_the_package_the_message_says_what_to_install(
    pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in [name for name in sys.modules if name.split(".")[0] == "hearthstone"]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "hearthstone", None)
    install = r'not installed; run: pip install "evenhand\[hearthstone\]"$'
    with pytest.raises(InputError, match=install):
        read_deck_code(GOOD, pool)
    with pytest.raises(InputError, match=install):
        write_deck_code(deck_of({"cs2_029": 2}), pool)
