"""Real cards are in the pool if they can be played exactly, and none of their text is shipped."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from importlib import metadata
from itertools import pairwise
from pathlib import Path

import pytest

from sim import Card, Effect, Pool, check_deck, load_deck, load_pool, load_ruleset
from sim.cards.pool import Hero, check_pool
from sim.files.toml_file import read_toml, shipped_folder
from sim.real_cards import card_definitions, hearthstone
from sim.real_cards.card_definitions import Definition, play_keys, read_definitions
from sim.real_cards.hearthstone import real_card_name, real_cards
from tests.legacy import needs_package
from tests.refusals import refusal_of

ROOT = Path(__file__).parents[2]
WORD = re.compile(r"\w+")
REAL_DECKS = ["real_rush", "real_midrange", "real_late"]
LEGACY_DECKS = sorted(path.stem for path in shipped_folder("decks").glob("legacy_*.toml"))
ROWS = read_toml(shipped_folder("pools").parent / "hearthstone_rows.toml")
# An invented card file in the form of the real one: tags and text of each card, and whether it can
# be played exactly.
CARDS = {
    "AA_1": ("", "", True),
    "AA_2": ("CHARGE", "<b>Charge</b>", True),
    "AA_3": ("CHARGE", "[x]<b>Charge</b>.", True),
    "AA_4": ("CHARGE", "<b>Charge</b>. Also something else.", False),
    "AA_5": ("TAUNT DIVINE_SHIELD", "<b>Taunt</b>\n<b>Divine Shield</b>", True),
    "AA_6": ("TAUNT", "", False),
    "AA_7": ("", "It says something.", False),
    "AA_8": ("BATTLECRY", "<b>Battlecry:</b> Do it.", False),
    "AA_9": ("CHARGE", "", False),
    "AA_10": ("CHARGE", "<b>Taunt</b>", False),
    "AA_11": ("SPELLPOWER OVERLOAD", "<b>Spell_Damage +1</b>. <b>Overload:</b> (1)", True),
    "AA_12": ("SPELLPOWER", "<b>Spell Damage +2</b>", False),
    "AA_13": ("UNHEARD_OF", "", False),
    "CS2_151": ("BATTLECRY", "<b>Battlecry:</b> Summon a friend.", True),
    "EX1_116": ("BATTLECRY CHARGE", "<b>Charge</b> and <b>Battlecry:</b> It helps.", True),
    "EX1_025": ("BATTLECRY", "Summons what the file does not have.", False),
    "EX1_593": ("BATTLECRY UNHEARD_OF", "Does more than our row says.", False),
    "CS2_033": ("FREEZE", "Cold to the touch.", True),
}
NUMBERS = {
    "HEALTH": 45,
    "ATK": 47,
    "COST": 48,
    "CARD_SET": 183,
    "DURABILITY": 187,
    "TAUNT": 190,
    "SPELLPOWER": 192,
    "DIVINE_SHIELD": 194,
    "CHARGE": 197,
    "CLASS": 199,
    "CARDRACE": 200,
    "CARDTYPE": 202,
    "RARITY": 203,
    "FREEZE": 208,
    "OVERLOAD": 215,
    "BATTLECRY": 218,
    "COLLECTIBLE": 321,
    "UNHEARD_OF": 9999,
}
SPELL = 5
WEAPON = 7
POWER = 10
HERO = 3


def entity(card_id: str, text: str = "", more: str = "", **values: int) -> str:
    tags = {
        "HEALTH": 2,
        "ATK": 3,
        "COST": 1,
        "CARD_SET": 3,
        "CARDTYPE": 4,
        "CARDRACE": 20,
        "RARITY": 5,
        **values,
    }
    escaped = text.replace("<", "&lt;").replace(">", "&gt;")
    texts = '<Tag enumID="185" type="LocString"><deDE>Falsch</deDE><enUS>A Name</enUS></Tag>'
    if text:
        texts += f'<Tag enumID="184" type="LocString"><enUS>{escaped}</enUS></Tag>'
    return (
        f'<Entity CardID="{card_id}">{texts}<Tag enumID="342" type="String">Somebody</Tag>{more}'
        + "".join(
            f'<Tag enumID="{NUMBERS[tag]}" name="{tag}" type="Int" value="{value}"/>'
            for tag, value in tags.items()
        )
        + "</Entity>"
    )


def card_file() -> str:
    cards = [
        entity(card_id, text, "", **dict.fromkeys(["COLLECTIBLE", *marks.split()], 1))
        for card_id, (marks, text, _) in CARDS.items()
    ]
    others = [
        entity("DS1_185", "It hurts.", more=AIMED, COLLECTIBLE=1, CARDTYPE=SPELL, CLASS=3),
        entity("CS2_106", COLLECTIBLE=1, CARDTYPE=WEAPON, DURABILITY=4),
        entity("HERO_05", COLLECTIBLE=1, CARDTYPE=HERO, CARD_SET=2, CLASS=3, more=HUNTS),
        entity("DS1h_292", "It hurts.", CARDTYPE=POWER, CARD_SET=2, CLASS=3),
        entity("GAME_005", "It helps.", CARDTYPE=SPELL, CARD_SET=2, COST=0),
        entity("CS2_152", ATK=2),
        entity("EX1_116t", ATK=1, HEALTH=1),
        entity("BB_1", COLLECTIBLE=0),
        entity("BB_2", COLLECTIBLE=1, CARDTYPE=SPELL),
        entity("BB_3", COLLECTIBLE=1, CARD_SET=12),
    ]
    return f"<CardDefs>{''.join(cards + others)}</CardDefs>"


AIMED = '<Power><PlayRequirement reqID="11" param=""/></Power>'
HUNTS = '<Tag enumID="380" type="Card" value="229" cardID="DS1h_292"/>'


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return the folder of a package in the form of the real one; importing it fails."""
    folder = tmp_path / "site" / "hearthstone_data"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("raise RuntimeError('nobody may import this')")
    (folder / "CardDefs.xml").write_text(card_file(), encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder.parent))
    monkeypatch.setattr(metadata, "version", lambda package: card_definitions.VERSION)
    monkeypatch.setenv("EVENHAND_CACHE_DIR", str(tmp_path / "cache"))
    return folder


def the_cached_file(tmp_path: Path) -> Path:
    (path,) = (tmp_path / "cache" / "cards").iterdir()
    return path


def test_only_what_can_be_played_exactly_is_taken(installed: Path) -> None:
    expected = [card_id.lower() for card_id, (_, _, is_exact) in CARDS.items() if is_exact]
    assert [card.id for card in load_pool("hearthstone").cards] == [*expected, "ds1_185", "cs2_106"]


TAGS = ("classic", "legendary")
TAKEN = {
    "names and numbers from the file, effects from our rows": Card(
        id="ex1_116",
        name="A Name",
        cost=1,
        attack=3,
        health=2,
        keywords=("haste",),
        tribe="beast",
        effects=(Effect(on="play", do="summon", to="enemy_player", amount=2, cards=("ex1_116t",)),),
        tags=TAGS,
    ),
    "no body of a spell, and the target that the file asks for": Card(
        id="ds1_185",
        name="A Name",
        kind="spell",
        cost=1,
        hero="hunter",
        target="characters",
        effects=(Effect(on="play", do="damage", to="target", amount=2),),
        tags=TAGS,
    ),
}


@pytest.mark.parametrize("case", TAKEN)
def test_a_card_is_made_of_the_file_and_our_rows(installed: Path, case: str) -> None:
    assert load_pool("hearthstone").card(TAKEN[case].id) == TAKEN[case]


def test_a_weapon_has_durability_and_our_rows_may_say_other_keywords(installed: Path) -> None:
    pool = load_pool("hearthstone")
    weapon = pool.card("cs2_106")
    assert (weapon.kind, weapon.attack, weapon.durability, weapon.health) == ("weapon", 3, 4, 0)
    assert pool.card("cs2_033").keywords == ("freezing",)


def test_heroes_bring_their_powers_and_cards_their_tokens(installed: Path) -> None:
    pool = load_pool("hearthstone")
    assert pool.heroes == (Hero(id="hunter", name="A Name", power="ds1h_292"),)
    assert pool.coin == "game_005"
    kinds = {token.id: token.kind for token in pool.tokens}
    assert kinds == {
        "cs2_152": "minion",
        "ex1_116t": "minion",
        "ds1h_292": "power",
        "game_005": "spell",
    }


@pytest.mark.parametrize(
    ("requirements", "keys"),
    [
        ({}, {}),
        ({1: 0}, {}),  # about a target, but there is none to choose
        ({11: 0}, {"target": "characters"}),
        ({22: 0, 9: 0}, {"target": "characters"}),
        ({11: 0, 1: 0, 3: 0, 4: 0}, {"target": "enemy_minions(damaged)"}),
        ({11: 0, 8: 3}, {"target": "minions(attack<=3)"}),
        ({11: 0, 41: 5}, {"target": "minions(attack>=5)"}),
        ({22: 0, 2: 0, 10: 20}, {"target": "own_minions(beast)"}),
        ({22: 0, 17: 0}, {"target": "players"}),
        ({24: 0}, {"target": "characters", "target_when": "combo"}),
        ({12: 1}, {"needs": "count own_minions <= 6"}),
        ({13: 0}, {"needs": "count own_weapon >= 1"}),
        ({23: 2}, {"needs": "count enemy_minions >= 2"}),
        ({45: 2}, {"needs": "count minions >= 2"}),
    ],
)
def test_requirements_become_targets_and_needs(
    requirements: dict[int, int], keys: dict[str, str]
) -> None:
    assert play_keys(requirements) == keys


def test_every_card_of_the_sets_is_listed_whether_we_can_play_it_or_not(installed: Path) -> None:
    listed = {card.id: card.is_implemented for card in real_cards()}
    invented = {card_id.lower(): is_exact for card_id, (_, _, is_exact) in CARDS.items()}
    assert listed == {**invented, "ds1_185": True, "cs2_106": True, "bb_2": False}


def test_names_of_cards_without_rows_can_be_looked_up(
    installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert real_card_name("aa_7") == "A Name"
    assert real_card_name("bb_3") is None
    monkeypatch.setattr(metadata, "version", lambda package: "255790.1")
    assert real_card_name("aa_7") is None


def test_the_second_time_the_card_file_is_not_read(installed: Path) -> None:
    """The cached cards set the same keys too, which identify runs."""
    first = load_pool("hearthstone")
    (installed / "CardDefs.xml").write_text("no longer a card file", encoding="utf-8")
    again = load_pool("hearthstone")
    assert again.model_dump(exclude_unset=True) == first.model_dump(exclude_unset=True)
    assert again == first


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


def test_without_the_package_the_remedy_installs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def absent(package: str) -> str:
        raise metadata.PackageNotFoundError(package)

    monkeypatch.setattr(metadata, "version", absent)
    error = refusal_of(load_pool, "hearthstone")
    assert error.place == "pool 'hearthstone'"
    assert "evenhand[hearthstone]" in error.remedy


def test_another_version_is_refused_by_name(
    installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metadata, "version", lambda package: "255790.1")
    error = refusal_of(load_pool, "hearthstone")
    assert (error.value, error.limit) == ("255790.1", "30103.2")


@pytest.mark.parametrize("content", [None, "", "<CardDefs><Entity>"])
def test_a_damaged_package_is_reported(installed: Path, content: str | None) -> None:
    if content is None:
        (installed / "CardDefs.xml").unlink()
    else:
        (installed / "CardDefs.xml").write_text(content, encoding="utf-8")
    assert "--force-reinstall" in refusal_of(load_pool, "hearthstone").remedy


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
def definitions() -> dict[str, Definition]:
    return read_definitions()


@needs_package
def test_effect_rows_cover_all_cards_but_one(real_pool: Pool) -> None:
    cards = real_cards()
    assert [card.id for card in cards if card.is_implemented] == [c.id for c in real_pool.cards]
    assert [card.id for card in cards if not card.is_implemented] == ["gil_826"]
    by_set = Counter(card.set_name for card in cards)
    assert by_set == {"basic": 133, "classic": 237, "hall_of_fame": 22}


@needs_package
def test_every_entry_is_used_and_belongs_to_the_card_file(
    real_pool: Pool, definitions: dict[str, Definition]
) -> None:
    assert {card_id.removesuffix("_note") for card_id in ROWS} <= definitions.keys()
    assert ROWS.keys() <= {card.id for card in real_pool.everything}


@needs_package
def test_the_nine_heroes_and_the_coin_are_there(real_pool: Pool) -> None:
    assert [hero.id for hero in real_pool.heroes] == sorted(card_definitions.CLASSES.values())
    tokens = {token.id: token for token in real_pool.tokens}
    for hero in real_pool.heroes:
        power = tokens[hero.power]
        assert (power.kind, power.cost, power.hero) == ("power", 2, hero.id)
        assert power.effects
    assert real_pool.coin == "game_005"
    assert tokens["game_005"].effects


@needs_package
def test_options_are_tokens_of_their_own_kind(real_pool: Pool) -> None:
    kinds = {card.id: card.kind for card in real_pool.tokens}
    named = [option for card in real_pool.cards for option in card.options]
    assert len(named) == 20
    assert {kinds[option] for option in named} == {"option"}
    assert sum(kind == "option" for kind in kinds.values()) == 20


# What a row does, and the stem of a word that a text about it must have.
STEMS = {
    "damage": "damage",
    "heal": "restore",
    "draw": "draw",
    "summon": "summon",
    "destroy": "destroy",
    "armor": "armor",
    "equip": "equip",
    "transform": "transform",
    "discard": "discard",
    "freeze": "freez",
    "return": "return",
    "cost": "cost",
    "silence": "silence",
    "give": "add |give",
    "steal": "control",
    "mana": "mana",
    "grant": "taunt|charge|divine shield|windfury|stealth|immune",
    "buff": "[+-]|gain|double|equal|durability",
    "set": "change|set|equal",
}


def text_and_cards(
    card: Card, pool: Pool, definitions: dict[str, Definition]
) -> tuple[str, list[Card]]:
    """Return a card's original text, and the cards of the pool that must do what it describes."""
    attached = {name for row in card.effects if row.do == "attach" for name in row.cards}
    by_id = {other.id: other for other in pool.everything}
    named = [by_id[name] for name in sorted({*card.options} | attached)]
    return definitions[card.id.removesuffix("_note")].text.lower(), [card, *named]


def numbers_of(cards: list[Card], pool: Pool) -> set[int]:
    """Return all numbers in some cards and in the cards that they bring into the game."""
    by_id = {card.id: card for card in pool.everything}
    brought = [by_id[name] for card in cards for row in card.effects for name in row.cards]
    spelt = [
        text
        for card in cards
        for text in (card.target, card.needs, *(f"{row.when} {row.to}" for row in card.effects))
    ]
    numbers = {int(number) for text in spelt for number in re.findall(r"\d+", str(text))}
    for card in cards:
        for row in card.effects:
            wanted = (row.amount, row.amount_to, row.attack, row.health, row.repeat, row.at_least)
            wanted += (row.pick,)
            numbers |= {abs(number) for number in wanted if number is not None}
    for card in (*cards, *brought):
        numbers |= {card.attack, card.health, card.durability, card.overload, card.spell_damage}
    return numbers


@needs_package
def test_every_number_of_a_text_is_in_the_rows(
    real_pool: Pool, definitions: dict[str, Definition]
) -> None:
    """The numbers of the prose are found by an expression that is independent of the rows."""
    exceptions = {
        *("ex1_557", "ex1_560", "cs2_013t"),  # a chance in percent, a rule about clocks, a remark
        *("ex1_317", "ex1_625"),  # twice one, a number of the hero power that comes
        *("ex1_316e", "dream_05e", "ex1_137_note", "dream_05_note"),  # what was done before
    }
    for card in real_pool.everything:
        text, cards = text_and_cards(card, real_pool, definitions)
        in_text = {int(number) for number in re.findall(r"\d+", text)}
        if card.id not in exceptions:
            assert in_text <= numbers_of(cards, real_pool), card.id


# Cards with a text that leaves out a row, or describes it in unusual words.
OTHER_WORDS = {
    *("ex1_317", "ex1_323", "ex1_334", "ex1_345", "ex1_350", "ex1_379", "ex1_591"),
    *("new1_036", "ex1_137_note", "ex1_316e", "dream_05_note"),
}


@needs_package
def test_every_row_is_in_the_text(real_pool: Pool, definitions: dict[str, Definition]) -> None:
    for card in real_pool.everything:
        text = definitions[card.id.removesuffix("_note")].text.lower()
        for row in card.effects:
            is_new_shape = row.do == "transform" and card.kind == "option"
            is_consolation = card.id == "cs2_013" and row.do == "give"  # its text keeps it back
            is_described = not (is_new_shape or is_consolation or card.id in OTHER_WORDS)
            if row.do in STEMS and is_described:
                assert re.search(STEMS[row.do], text), (card.id, row.do)
            if str(row.to) in ("enemy_minions", "enemy_characters"):
                assert "enem" in text or "opponent" in text, (card.id, row.to)


@needs_package
def test_every_verb_of_a_text_is_in_the_rows(
    real_pool: Pool, definitions: dict[str, Definition]
) -> None:
    verbs = ["restore", "summon", "destroy", "armor", "equip", "discard", "freeze", "silence"]
    # Texts that use one of the words for an event, a state, a number or a keyword.
    exceptions = {
        *("cs2_033", "cs2_146", "cs2_237", "ds1_184", "ex1_366", "ex1_410", "ex1_509"),
        "ex1_301",  # what it destroys is a crystal
        *("ex1_158", "ex1_294", "ex1_323", "ex1_591", "new1_019"),  # or done in other words
    }
    for card in real_pool.cards:
        text, cards = text_and_cards(card, real_pool, definitions)
        done = {row.do for other in cards for row in other.effects}
        for verb in verbs:
            if re.search(rf"\b{verb}", text) and card.id not in exceptions:
                assert {"restore": "heal"}.get(verb, verb) in done, (card.id, verb)


@needs_package
def test_sides_and_chance_of_a_text_are_in_the_rows(
    real_pool: Pool, definitions: dict[str, Definition]
) -> None:
    for card in real_pool.cards:
        text, cards = text_and_cards(card, real_pool, definitions)
        rows = [row for one in cards for row in one.effects]
        everything = repr(cards)
        if re.search("enem|opponent", text):
            assert "enemy" in everything or "hand_gap" in everything, card.id
        if re.search(r"friendly|your (other )?(minions|totems|beasts|murlocs|pirates)", text):
            assert "own_" in everything, card.id
        if "random" in text:
            chances = (row.pick or row.spare or len(row.cards) > 1 for row in rows)
            assert any(chances) or any(row.do == "discard" for row in rows), card.id


@needs_package
@pytest.mark.parametrize("name", [*REAL_DECKS, *LEGACY_DECKS])
def test_the_shipped_decks_fit_the_pool_and_the_rules(name: str, real_pool: Pool) -> None:
    deck = load_deck(name)
    rules = "real_minions" if name in REAL_DECKS else "legacy"
    assert (deck.name, deck.pool, deck.ruleset) == (name, "hearthstone", rules)
    assert name in REAL_DECKS or name.endswith(deck.hero)
    assert deck.n_cards == 30
    assert {real_pool.card(card_id).hero for card_id in deck.cards} <= {"", deck.hero}
    check_deck(deck, real_pool, load_ruleset(rules))


@needs_package
def test_the_pool_fits_the_rules_and_every_hero_has_a_deck(real_pool: Pool) -> None:
    check_pool(real_pool, load_ruleset("legacy"))
    assert {f"legacy_{hero.id}" for hero in real_pool.heroes} <= set(LEGACY_DECKS)


@pytest.mark.thorough
@needs_package
def test_no_text_of_real_cards_is_in_the_repository(definitions: dict[str, Definition]) -> None:
    """The repository has no text of a real card, and no name of several words."""
    folders = ["agents", "balance", "docs", "experiments", "sim", "tests"]
    files = [
        path
        for folder in folders
        for path in (ROOT / folder).rglob("*")
        if path.suffix in {".py", ".toml", ".md", ".csv", ".txt", ".json"}
    ]
    sets = [entry for entry in definitions.values() if entry.set_name and entry.kind]
    cards = [entry for entry in sets if entry.is_collectible and entry.kind != "hero"]
    names = {entry.name.lower() for entry in cards if len(entry.name.split()) > 1}
    texts = {entry.text.lower() for entry in sets if len(entry.text.split()) > 4}
    by_start: dict[tuple[str, ...], list[str]] = {}
    for phrase in names | texts:
        by_start.setdefault(tuple(WORD.findall(phrase)[:2]), []).append(phrase)
    for path in files:
        found = phrase_in(path.read_text(encoding="utf-8").lower(), by_start)
        assert found is None, (path, found)


def phrase_in(text: str, by_start: dict[tuple[str, ...], list[str]]) -> str | None:
    """Return a whole phrase that a text has, of phrases by their first two words.

    One pattern of all phrases takes 13 s for the repository.
    """
    for first, second in pairwise(WORD.finditer(text)):
        for phrase in by_start.get((first[0], second[0]), ()):
            begin = first.start() - phrase.index(first[0])
            is_cut = WORD.match(text, begin + len(phrase)) and WORD.match(phrase[-1])
            if text.startswith(phrase, begin) and not is_cut:
                return phrase
    return None
