"""Deck lists of other programs are read by content, written back as equal decks, or refused."""

from __future__ import annotations

import io
import sys
from importlib import util
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from experiments.deck_files.deck_reading import deck_of, name_in, written_deck
from experiments.deck_files.deck_source import DeckSource, read_source
from experiments.deck_files.deck_writing import CODE, FORMATS, write_deck
from sim import Card, Deck, InputError, Pool, load_deck, load_pool
from sim.cards.pool import Hero
from sim.files.limits import DEPTH_MAX
from sim.files.toml_file import shipped_folder
from sim.ruleset import DECK_CAPACITY
from tests.command_line import command, done, refusal
from tests.refusals import refusal_of
from tests.strategies import card_ids, names

HAS_REAL_CARDS = all(util.find_spec(package) for package in ("hearthstone", "hearthstone_data"))
SHIPPED = [path.stem for path in sorted(shipped_folder("decks").glob("*.toml"))]
POOLS = ["core", "saga", *(["hearthstone"] if HAS_REAL_CARDS else [])]
LISTS = [form for form in FORMATS if form != CODE]
ODD = [
    "2 Fast", "2x Fast", "Deck", "Sideboard", "sb: Crow", "# Hash", "// Slash", "### Three",
    "[Main]", "Oak x2", "Oak", "Oak (ABC) 12", "Oak|ABC|1", "Name: Elm", "Elm:", "Elm (12)",
    "AAECAf0EAA", "- Dash", "x", "X Marks", "<b>&amp;\"'", "a  b", "cafe\u0301", "Hunter\u2019s",
    "(3) Ivy", "oak", "[ABC:1] Fir", "Fir *F*", "\u6a39", "-3", "0", "<!DOCTYPE a>",
]  # fmt: skip
"""Names that look like another part of a list."""

PLAIN = """\
// Name: Red Tide
// found on a page
Deck (9)
2 Oak Guard
2x ELM\u00a0Rider
x2 Hunter's Fern
3 Oak-Guard (ABC) 123 *F*

Creatures (1)
Ash Imp
Trees (1)
Spells:
Ivy\u2019s Song x2
- 1 2nd Wind

Sideboard
3 Ash Imp
Creatures
1 Ash Imp
Maybeboard (1)
1 Nobody
"""
COPIED = """\
### Red Tide
# Class: Ember
# Format: Wild
#
# 2x (1) Oak Guard
# 1x (10) Ash Imp
#
# To use this deck, copy it
"""
ARENA = """\
About
Name Red Tide

Deck
4 Oak Guard (ABC) 12
1 Ash Imp (ABC) 7a

Sideboard
2 Elm Rider
"""
FORGE = """\
[metadata]
Name=Red Tide
Deck Type=any
[Main]
4 Oak Guard|ABC|1
1 Ash Imp|ABC
[Sideboard]
1 X|ABC
"""
XMAGE = """\
NAME:Red Tide
4 [ABC:12] Oak Guard
1 [ABC:3] Ash Imp
SB: 2 [ABC:4] Elm Rider
LAYOUT MAIN:(1,1)(NONE,false,50)|([ABC:12])
"""
COCKATRICE = """\
<?xml version="1.0" encoding="UTF-8"?>
<cockatrice_deck version="1">
    <lastLoadedTimestamp>today</lastLoadedTimestamp>
    <deckname>Red Tide</deckname>
    <comments>made up
class: Ember</comments>
    <zone name="main">
        <card number="4" name="Oak Guard" setShortName="ABC" collectorNumber="12"/>
        <card number="1" name="Ash Imp"/>
    </zone>
    <zone name="side"><card number="2" name="Elm Rider"/></zone>
</cockatrice_deck>
"""
LAUGHS = (
    '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "ha">'
    + "".join(f'<!ENTITY a{k} "{f"&a{k - 1 or str()};" * 10}">' for k in range(1, 12))
    + "]><cockatrice_deck><zone name='main'><card name='&a11;'/></zone></cockatrice_deck>"
)


def card(name: str, card_id: str, hero: str = "") -> Card:
    return Card(id=card_id, name=name, kind="minion", cost=1, attack=1, health=1, hero=hero)


@pytest.fixture(scope="module")
def pool() -> Pool:
    """Return a pool of six cards, of which one belongs to one of two heroes."""
    power = Card(id="p", name="Power", kind="power", cost=2)
    return Pool(
        name="tides",
        cards=(
            card("Oak Guard", "oak_guard"),
            card("Elm Rider", "elm_rider"),
            card("Hunter\u2019s Fern", "fern", "ember"),
            card("Ash Imp", "ash_imp"),
            card("Ivy's Song", "song"),
            card("2nd Wind", "second_wind"),
        ),
        tokens=(power,),
        heroes=(Hero(id="ember", name="Ember", power="p"), Hero(id="tide", name="Tide", power="p")),
    )


def read(text: str, pool: Pool, **options: str) -> Deck:
    """Return the deck of a text, under the name that the text gives it."""
    written = written_deck(DeckSource(text, "list"))
    name = name_in(written) or "d"
    return deck_of(written, pool, name=name, ruleset="duel", place="list", **options)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_plain_list_is_read_with_all_its_habits(end: str, pool: Pool) -> None:
    written = written_deck(DeckSource(PLAIN.replace("\n", end), "list"))
    deck = deck_of(written, pool, name=name_in(written), ruleset="duel", place="list")
    assert list(deck.cards.items()) == [
        ("oak_guard", 5),
        ("elm_rider", 2),
        ("fern", 2),
        ("ash_imp", 1),
        ("song", 2),
        ("second_wind", 1),
    ]
    assert (deck.name, deck.hero) == ("Red Tide", "ember")  # the hero of the fern
    assert ["sideboard (4" in written.left_out[0], "maybeboard (1" in written.left_out[1]] == [
        True
    ] * 2


@pytest.mark.parametrize(
    ("text", "hero", "n_left"),
    [(ARENA, "", 1), (FORGE, "", 1), (XMAGE, "", 1), (COCKATRICE, "ember", 1)],
    ids=["arena", "forge", "xmage", "cockatrice"],
)
def test_files_of_other_programs_are_read(text: str, hero: str, n_left: int, pool: Pool) -> None:
    wanted = Deck(
        name="Red Tide",
        pool="tides",
        ruleset="duel",
        hero=hero,
        cards={"oak_guard": 4, "ash_imp": 1},
    )
    assert read(text, pool) == wanted
    assert len(written_deck(DeckSource(text, "list")).left_out) == n_left


def test_a_heading_that_is_the_name_of_a_card_is_the_card(pool: Pool) -> None:
    cards = read("Trees (2)\nOak guard (2)\nMore:\n2 Elm Rider\n", pool).cards
    assert cards == {"oak_guard": 2, "elm_rider": 2}
    assert refusal_of(read, "Trees (2)\nMore:\n", pool).place == "list"


def test_a_copied_deck_without_its_code_is_read_from_its_comments(pool: Pool) -> None:
    deck = read(COPIED, pool)
    assert (deck.name, deck.hero) == ("Red Tide", "ember")
    assert deck.cards == {"oak_guard": 2, "ash_imp": 1}
    assert read(f"{COPIED}3 Elm Rider\n", pool).cards == {"elm_rider": 3}


def test_a_hero_that_is_asked_for_takes_precedence(pool: Pool) -> None:
    assert read(COPIED, pool, hero="tide").hero == "tide"
    assert refusal_of(read, COPIED, pool, hero="moon").value == "moon"
    assert refusal_of(read, COPIED.replace("Ember", "Moon"), pool).value == "Moon"


@pytest.mark.skipif(not HAS_REAL_CARDS, reason="needs the extra [hearthstone]")
def test_a_code_among_comments_gives_the_cards() -> None:
    real = load_pool("hearthstone")
    shipped = load_deck("legacy_mage")
    code = write_deck(shipped, real)
    written = written_deck(DeckSource(f"{COPIED.replace('Ember', 'Mage')}{code}\n9 Oak\n", "list"))
    deck = deck_of(written, real, name="legacy_mage", ruleset="legacy", place="list")
    assert deck == shipped
    assert len(written.left_out) == 1
    error = refusal_of(read, code + code, real)
    assert error.place == "list: line 2"


@pytest.mark.parametrize("form", FORMATS)
def test_shipped_decks_survive_every_format_of_their_pools(form: str) -> None:
    pools = {name: load_pool(name) for name in POOLS}
    decks = [deck for deck in map(load_deck, SHIPPED) if deck.pool in pools]
    for deck in decks:
        cards = pools[deck.pool]
        if form == CODE and deck.pool != "hearthstone":
            if HAS_REAL_CARDS:
                assert "--format" in refusal_of(write_deck, deck, cards, form).remedy
            continue
        if not deck.cards.keys() <= {each.id for each in cards.cards}:
            continue  # has cards without effect rows, so that no game plays it
        written = written_deck(DeckSource(write_deck(deck, cards, form), "list"))
        name = name_in(written) or deck.name
        back = deck_of(written, cards, name=name, ruleset=deck.ruleset, place="list")
        assert back == deck
        if form != CODE:
            assert (name_in(written), list(back.cards)) == (deck.name, list(deck.cards))


@given(
    ids=st.lists(card_ids, min_size=1, max_size=8, unique=True),
    data=st.data(),
    form=st.sampled_from(LISTS),
    title=names | st.sampled_from(ODD),
    hero=names | st.sampled_from(ODD),
)
@example(ids=["oak"], data=None, form="text", title="### a  b", hero="Class: x")
def test_decks_with_odd_names_survive(
    ids: list[str], data: st.DataObject | None, form: str, title: str, hero: str
) -> None:
    spelt = [ODD[0]] if data is None else [
        data.draw(names | st.sampled_from(ODD) | st.sampled_from(ids)) for _ in ids
    ]  # fmt: skip
    cards = tuple(card(name, card_id) for card_id, name in zip(ids, spelt, strict=True))
    power = Card(id="power_0", name="Power", kind="power", cost=2)
    pool = Pool(
        name="odd",
        cards=cards,
        tokens=(power,),
        heroes=(Hero(id="h", name=hero, power="power_0"),),
    )
    copies = {each.id: 1 + k for k, each in enumerate(cards)}
    deck = Deck(name=title, pool="odd", ruleset="duel", hero="h", cards=copies)
    back = read(write_deck(deck, pool, form), pool)
    assert back == deck
    assert list(back.cards) == ids


@given(text=st.text() | st.lists(st.sampled_from(ODD)).map("\n".join))
def test_any_text_is_a_deck_or_one_error(text: str) -> None:
    cards = Pool(name="odd", cards=tuple(card(name, f"c{k}") for k, name in enumerate(ODD)))
    places = []
    for content in (text, f"<{text}"):
        try:
            read(content, cards)
        except InputError as error:
            places.append(error.place)
    assert all(places)


def test_every_unknown_line_is_reported_at_once(pool: Pool) -> None:
    lines = ["2 Oak Gard", "-1 Ash Imp", "", "9999999999 Elm Rider", "1 Nobody"]
    text = "\n".join([*lines, "59 Oak Guard", "2 Oak Guard", "0 Ash Imp"])
    with pytest.raises(InputError) as caught:
        read(text, pool)
    error = caught.value
    assert error.place == "list"
    assert "--pool" in error.remedy
    places = [problem.place for problem in error.problems]
    assert places == [f"line {number}" for number in (1, 2, 4, 5, 7, 8)]
    assert [problem.value for problem in error.problems] == [
        "Oak Gard",
        -1,
        9999999999,
        "Nobody",
        2,
        0,
    ]
    assert "Oak Guard" in error.problems[0].remedy
    assert {problem.limit for problem in error.problems[1:3]} == {DECK_CAPACITY}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b" \r\n\t",
        b"\x89PNG\r\n\x1a\n\x00\x00\xff\xfe",
        b"PK\x03\x04\x00\x00\n\x00",
        b"\xff\xfe\x00",
        b"\xff\xfe\x00\x00",
        b"caf\x81\xe9",
        b"Sideboard\n2 Oak Guard\n",
        b"// only a comment\n",
        b"1 Oak Guard\n" * 1_001,
        b"x" * 2_000,
        b" " * (2**20 + 1),
        b'name = "a"\n[cards]\noak_guard = 2\n',
        b"AAECAf0EA\nAAECAf0EA\n",
        LAUGHS.encode(),
        b'<!DOCTYPE a SYSTEM "file:///etc/passwd"><cockatrice_deck/>',
        b"<cockatrice_deck>",
        b"<cockatrice_deck/>",
        b"<html/>",
        b"<a>" * (DEPTH_MAX + 1),
        COCKATRICE.replace('"4"', '"two"').encode(),
        COCKATRICE.replace('"Ash Imp"', '""').encode(),
    ],
    ids=[
        "empty", "blank", "picture", "zip", "torn UTF-16", "zero", "other encoding",
        "only sideboard", "comments", "lines", "long line", "long", "TOML",
        "two codes", "laughs", "external", "torn", "no cards",
        "other XML", "deep", "copies", "no name",
    ],
)  # fmt: skip
def test_nonsense_is_refused_in_one_error(content: bytes, tmp_path: Path, pool: Pool) -> None:
    path = tmp_path / "list.txt"
    path.write_bytes(content)

    def read_file() -> Deck:
        source = read_source(str(path))
        return deck_of(written_deck(source), pool, name="d", ruleset="duel", place=source.place)

    error = refusal_of(read_file)
    assert error.place.startswith(str(path))


@pytest.mark.parametrize(
    ("encoding", "has_remark"),
    [("utf-8", False), ("utf-8-sig", False), ("utf-16", False), ("cp1252", True)],
)
def test_texts_in_other_encodings_are_read(encoding: str, has_remark: bool, tmp_path: Path) -> None:
    cards = Pool(name="odd", cards=(card("Caf\u00e9 \u00d6l", "cafe"),))
    for text in ("2 Caf\u00e9 \u00d6l\n", COCKATRICE.replace("Oak Guard", "Caf\u00e9 \u00d6l")):
        path = tmp_path / "list"
        path.write_bytes(text.replace("Ash Imp", "cafe").encode(encoding))
        source = read_source(str(path))
        written = written_deck(source)
        deck = deck_of(written, cards, name="d", ruleset="duel", place=source.place)
        assert set(deck.cards) == {"cafe"}
        assert bool(source.remark) == has_remark


@pytest.mark.usefixtures("here")
def test_the_commands_convert_a_deck_through_files_and_pipes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shipped = load_deck("saga_ember")
    for form in LISTS:
        text = done(command("deck", "export", "saga_ember", "--format", form)).out
        Path("a.list").write_text(text, encoding="utf-8")
        out = ("--pool", "saga", "--out", "b.toml", "--force")
        done(command("deck", "import", "a.list", *out))
        assert load_deck("b") == shipped
        Path("b.toml").unlink()
        stdin = io.TextIOWrapper(io.BytesIO(text.encode()))
        monkeypatch.setattr(sys, "stdin", stdin)
        done(command("deck", "import", "-", *out))
        assert load_deck("b") == shipped
        done(command("deck", "import", text, *out))
        assert load_deck("b") == shipped


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    "arguments",
    [
        ["import", "none.txt"],
        ["import", "folder/none"],
        ["import", "."],
        ["import", "2 Nobody", "--pool", "core", "--ruleset", "duel"],
        ["import", "3 Ember Whelp", "--pool", "core", "--ruleset", "duel"],
        ["export", "ember_rush", "--format", "xml"],
        ["export", "ember_rush", "--format", "code"],
    ],
)
def test_bad_arguments_are_refused(arguments: list[str]) -> None:
    refusal(command("deck", *arguments))
    assert list(Path().iterdir()) == []
