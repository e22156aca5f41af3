"""Real cards are taken when they can be played exactly, and nothing of them lies in this tree."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import metadata, util
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from sim import hearthstone
from sim.card import Card, Effect, Token
from sim.deck import check_deck, load_deck
from sim.errors import InputError
from sim.pool import Pool, check_pool
from sim.pool_source import load_pool
from sim.ruleset import load_ruleset
from sim.toml_file import read_toml, shipped_folder

ROOT = Path(__file__).parents[2]
DECKS = ["real_rush", "real_midrange", "real_late"]
ROWS = read_toml(shipped_folder("pools").parent / "hearthstone_rows.toml")
needs_package = pytest.mark.skipif(
    util.find_spec("hearthstone_data") is None, reason="needs the extra [hearthstone]"
)

# A card file of our own invention, in the shape of the real one: what each card is marked with,
# its text, and whether it can be played exactly.
CARDS = {
    "AA_1": ("", "", True),
    "AA_2": ("CHARGE", "<b>Charge</b>", True),
    "AA_3": ("CHARGE", "[x]<b>Charge</b>.", True),
    "AA_4": ("CHARGE", "<b>Charge</b>. Also something else.", False),
    "AA_5": ("TAUNT", "<b>Taunt</b>", False),
    "AA_6": ("TAUNT", "", False),
    "AA_7": ("", "It says something.", False),
    "AA_8": ("BATTLECRY", "<b>Battlecry:</b> Do it.", False),
    "AA_9": ("CHARGE", "", False),
    "CS2_151": ("BATTLECRY", "<b>Battlecry:</b> Summon a friend.", True),
    "EX1_116": ("BATTLECRY CHARGE", "<b>Charge</b> and <b>Battlecry:</b> It helps.", True),
    "EX1_593": ("BATTLECRY SPELLPOWER", "Does more than our row says.", False),
}
NUMBERS = {
    "HEALTH": 45,
    "ATK": 47,
    "COST": 48,
    "CARD_SET": 183,
    "TAUNT": 190,
    "SPELLPOWER": 192,
    "CHARGE": 197,
    "CARDRACE": 200,
    "CARDTYPE": 202,
    "BATTLECRY": 218,
    "COLLECTIBLE": 321,
}


def entity(card_id: str, text: str = "", name: str = "A Name", **values: int) -> str:
    tags = {
        "HEALTH": 2,
        "ATK": 3,
        "COST": 1,
        "CARD_SET": 3,
        "CARDTYPE": 4,
        "CARDRACE": 20,
        **values,
    }
    escaped = text.replace("<", "&lt;").replace(">", "&gt;")
    texts = f'<Tag enumID="185" type="LocString"><deDE>Falsch</deDE><enUS>{name}</enUS></Tag>'
    if text:
        texts += f'<Tag enumID="184" type="LocString"><enUS>{escaped}</enUS></Tag>'
    return (
        f'<Entity CardID="{card_id}">{texts}<Tag enumID="342" type="String">Somebody</Tag>'
        + "".join(
            f'<Tag enumID="{NUMBERS[tag]}" name="{tag}" type="Int" value="{value}"/>'
            for tag, value in tags.items()
        )
        + "</Entity>"
    )


def card_file() -> str:
    cards = [
        entity(card_id, text, COLLECTIBLE=1, **dict.fromkeys(marks.split(), 1))
        for card_id, (marks, text, _) in CARDS.items()
    ]
    others = [
        entity("CS2_152", ATK=2),
        entity("EX1_116t", ATK=1, HEALTH=1),
        entity("BB_1", COLLECTIBLE=0),
        entity("BB_2", COLLECTIBLE=1, CARDTYPE=5),
        entity("BB_3", COLLECTIBLE=1, CARD_SET=12),
    ]
    return f"<CardDefs>{''.join(cards + others)}</CardDefs>"


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The folder of a package that pretends to be the real one, and cannot be imported."""
    folder = tmp_path / "site" / "hearthstone_data"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("raise RuntimeError('nobody may import this')")
    (folder / "CardDefs.xml").write_text(card_file(), encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder.parent))
    monkeypatch.setattr(metadata, "version", lambda package: hearthstone.VERSION)
    monkeypatch.setenv("EVENHAND_CACHE_DIR", str(tmp_path / "cache"))
    return folder


def the_cached_file(tmp_path: Path) -> Path:
    (path,) = (tmp_path / "cache" / "cards").iterdir()
    return path


def test_only_what_can_be_played_exactly_is_taken(installed: Path) -> None:
    assert [card.id for card in load_pool("hearthstone").cards] == [
        card_id.lower() for card_id, (_, _, is_exact) in CARDS.items() if is_exact
    ]


def test_names_and_numbers_come_from_the_file_and_effects_from_our_rows(installed: Path) -> None:
    assert load_pool("hearthstone").card("ex1_116") == Card(
        id="ex1_116",
        name="A Name",
        cost=1,
        attack=3,
        health=2,
        keywords=("haste",),
        effects=(
            Effect(
                on="play",
                do="summon",
                to="enemy_player",
                amount=2,
                token=Token(attack=1, health=1),
            ),
        ),
    )


def test_the_second_time_the_card_file_is_not_read(installed: Path) -> None:
    first = load_pool("hearthstone")
    (installed / "CardDefs.xml").write_text("no longer a card file", encoding="utf-8")
    assert load_pool("hearthstone") == first


@pytest.mark.parametrize("damage", [b"", b"name = ", b"\xff\xfe\x00", b'name = "x"\ncard = []\n'])
def test_a_damaged_cache_is_made_anew(installed: Path, tmp_path: Path, damage: bytes) -> None:
    first = load_pool("hearthstone")
    whole = the_cached_file(tmp_path).read_bytes()
    the_cached_file(tmp_path).write_bytes(damage)
    assert load_pool("hearthstone") == first
    assert the_cached_file(tmp_path).read_bytes() == whole


def test_other_rows_are_not_served_from_the_old_cache(
    installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert load_pool("hearthstone").card("cs2_151").effects
    rows = tmp_path / "rows.toml"
    rows.write_text("cs2_151 = []\n", encoding="utf-8")
    monkeypatch.setattr(hearthstone, "_ROWS_FILE", rows)
    assert not load_pool("hearthstone").card("cs2_151").effects


def test_a_cache_folder_that_cannot_be_written_does_no_harm(
    installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "blocked"
    blocked.write_text("a file, where a folder should be", encoding="utf-8")
    monkeypatch.setenv("EVENHAND_CACHE_DIR", str(blocked))
    assert load_pool("hearthstone").card("aa_1").attack == 3


def test_without_the_package_the_message_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def absent(package: str) -> str:
        raise metadata.PackageNotFoundError(package)

    monkeypatch.setattr(metadata, "version", absent)
    with pytest.raises(InputError, match=r'not installed; run: pip install "evenhand\[hear') as e:
        load_pool("hearthstone")
    assert "\n" not in str(e.value)


def test_another_version_is_refused_by_name(
    installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metadata, "version", lambda package: "255790.1")
    with pytest.raises(InputError, match=r"needs hearthstone_data 30103.2, but 255790.1 is inst"):
        load_pool("hearthstone")


@pytest.mark.parametrize("content", [None, "", "<CardDefs><Entity>"])
def test_a_damaged_package_is_reported(installed: Path, content: str | None) -> None:
    if content is None:
        (installed / "CardDefs.xml").unlink()
    else:
        (installed / "CardDefs.xml").write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=r"is damaged; run: pip install --force-reinstall"):
        load_pool("hearthstone")


def test_other_pools_need_no_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metadata, "version", lambda package: pytest.fail("looked for a package"))
    assert load_pool("core").name == "core"


# From here on with the real package.


@pytest.fixture(scope="module")
def real_pool(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pool]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EVENHAND_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield load_pool("hearthstone")


@pytest.fixture(scope="module")
def english() -> dict[str, tuple[str, str]]:
    """Name and text of every entity of the installed card file, by id in lower case."""
    spec = util.find_spec("hearthstone_data")
    assert spec is not None
    assert spec.origin is not None
    root = ET.parse(Path(spec.origin).with_name("CardDefs.xml")).getroot()  # noqa: S314
    return {
        one.attrib["CardID"].lower(): (
            one.findtext("Tag[@enumID='185']/enUS") or "",
            one.findtext("Tag[@enumID='184']/enUS") or "",
        )
        for one in root.iterfind("Entity")
    }


@needs_package
def test_thirty_real_cards_can_be_played_exactly(real_pool: Pool) -> None:
    plain = [card for card in real_pool.cards if not card.keywords and not card.effects]
    hasty = [card for card in real_pool.cards if card.keywords and not card.effects]
    with_rows = [card for card in real_pool.cards if card.effects]
    assert (len(plain), len(hasty), len(with_rows)) == (10, 7, 13)
    assert {card.id for card in with_rows} == ROWS.keys()


@needs_package
def test_our_rows_say_what_the_cards_say(
    real_pool: Pool, english: dict[str, tuple[str, str]]
) -> None:
    """The prose is read a second time, by expressions that know nothing of the rows."""
    readings = [
        (r"Restore #(\d+) Health to your hero\.", "heal {} own_player"),
        (r"Deal (\d+) damage to the enemy hero\.", "damage {} enemy_player"),
        (r"Deal (\d+) damage to your hero\.", "damage {} own_player"),
        (r"Draw a card\.", "draw 1 own_player"),
        (r"Summon a (\d+/\d+) [\w ]+\.", "summon 1 own_player {}"),
        (r"Summon two (\d+/\d+) \w+ for your opponent\.", "summon 2 enemy_player {}"),
        (r"Summon (\d+/\d+) \w+ until your .* is full\.", "summon 7 own_player {}"),
    ]
    for card_id in ROWS:
        text = re.sub(r"<[^>]*>", "", english[card_id][1]).replace("_", " ")
        text = re.sub(r"^(Charge\. )?Battlecry: ", "", text)
        said = [
            meaning.format(*match.groups())
            for pattern, meaning in readings
            if (match := re.fullmatch(pattern, text))
        ]
        (effect,) = real_pool.card(card_id).effects
        token = effect.token
        body = f" {token.attack}/{token.health}" if token else ""
        assert said == [f"{effect.do} {effect.amount} {effect.to}{body}"], card_id


@needs_package
def test_tokens_have_no_text(english: dict[str, tuple[str, str]]) -> None:
    tokens = [row["token"] for rows in ROWS.values() for row in rows if "token" in row]
    assert len(tokens) == 6
    assert [english[token][1] for token in tokens] == [""] * 6


@needs_package
@pytest.mark.parametrize("name", DECKS)
def test_the_shipped_decks_fit_the_pool_and_the_rules(name: str, real_pool: Pool) -> None:
    deck, ruleset = load_deck(name), load_ruleset("real_minions")
    assert (deck.pool, deck.ruleset) == ("hearthstone", "real_minions")
    assert list(deck.cards.values()) == [2] * 15
    check_pool(real_pool, ruleset)
    check_deck(deck, real_pool, ruleset)


@needs_package
def test_nothing_of_theirs_lies_in_this_tree(
    real_pool: Pool, english: dict[str, tuple[str, str]]
) -> None:
    """Neither the name nor the text of any card that we take."""
    folders = ["agents", "balance", "docs", "experiments", "sim", "tests"]
    files = [
        path
        for folder in folders
        for path in (ROOT / folder).rglob("*")
        if path.suffix in {".py", ".toml", ".md", ".csv", ".txt", ".json"}
    ]
    names = [card.name.lower() for card in real_pool.cards]
    texts = [english[card_id][1].lower() for card_id in ROWS]
    theirs = re.compile("|".join(rf"\b{re.escape(one)}(?!\w)" for one in names + texts))
    for path in files:
        assert not theirs.search(path.read_text(encoding="utf-8").lower()), path
