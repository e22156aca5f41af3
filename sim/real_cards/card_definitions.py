"""Reading of the XML card file of the package `hearthstone_data`.

Names, numbers and requirements are read unchanged; `sim.real_cards.hearthstone` converts them to
cards of this package. The package `hearthstone_data` is never imported; only its file is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib import metadata, util
from pathlib import Path
from xml.etree import ElementTree as ET

from sim import REAL_POOL, InputError

PACKAGE = "hearthstone_data"
VERSION = "30103.2"  # later packages rename the sets and rebalance cards
_INSTALL = 'pip install "evenhand[hearthstone]"'

# Tags of the card file, by number.
_SET = 183
_TEXT = 184
_NAME = 185
_CLASS = 199
_TRIBE = 200
_TYPE = 202
_COLLECTIBLE = 321
_RARITY = 203
COST = 48
SECRET = 219
HERO_POWER = 380  # this tag names the power in the XML attribute `cardID`

SETS = {2: "basic", 3: "classic", 4: "hall_of_fame"}
CLASSES = {
    2: "druid",
    3: "hunter",
    4: "mage",
    5: "paladin",
    6: "priest",
    7: "rogue",
    8: "shaman",
    9: "warlock",
    10: "warrior",
}
TRIBES = {
    14: "murloc",
    15: "demon",
    17: "mech",
    18: "elemental",
    20: "beast",
    21: "totem",
    23: "pirate",
    24: "dragon",
}
RARITIES = {1: "common", 2: "free", 3: "rare", 4: "epic", 5: "legendary"}
_KINDS = {3: "hero", 4: "minion", 5: "spell", 6: "attachment", 7: "weapon", 10: "power"}
# Number of the tag, and word by the tag's value, for each attribute of `Definition` with words.
_WORDS = {
    "kind": (_TYPE, _KINDS),
    "hero": (_CLASS, CLASSES),
    "tribe": (_TRIBE, TRIBES),
    "set_name": (_SET, SETS),
    "rarity": (_RARITY, RARITIES),
}


@dataclass(frozen=True)
class Definition:
    """Entry of the card file: a card, hero, hero power or attachment of the original game.

    Attributes:
        name: English name.
        kind: word of a `sim.cards.vocabulary.Kind`, or `"hero"`.
        hero: word in `CLASSES` for the entry's class; `""` for neutral entries and other classes.
        tribe: word in `TRIBES` for the entry's tribe; `""` for no tribe and other tribes.
        set_name: word in `SETS` for the entry's set; `""` for other sets.
        rarity: word in `RARITIES` for the entry's rarity; `""` if the entry has no rarity.
        text: English text of the card, without markup for bold type and line breaks.
        tags: nonzero values of the entry's tags, by number of the tag.
        requirements: parameter of each requirement for playing the card, by number of the
            requirement; the parameter is 0 if the requirement has no parameter.
        power: id, in lower case, of a hero's power; `""` for entries that are not heroes.
        number: number of the entry in deck codes, see `sim.real_cards.deck_code`; 0 if it has no
            number.
    """

    name: str
    kind: str
    hero: str = ""
    tribe: str = ""
    set_name: str = ""
    rarity: str = ""
    text: str = ""
    tags: dict[int, int] = field(default_factory=dict)
    requirements: dict[int, int] = field(default_factory=dict)
    power: str = ""
    number: int = 0

    @property
    def is_collectible(self) -> bool:
        """Whether players can own the card and its set is in `SETS`."""
        return self.is_ownable and bool(self.set_name)

    @property
    def is_ownable(self) -> bool:
        """Whether players can own the card, of any set."""
        return _COLLECTIBLE in self.tags

    @property
    def is_first_hero(self) -> bool:
        """Whether the entry is the standard hero of a class, not one with another appearance."""
        return self.kind == "hero" and self.is_collectible and self.set_name == "basic"


def read_definitions() -> dict[str, Definition]:
    """Read all entries of a known kind from the installed card file.

    Returns:
        The entries by id in lower case, in the order of the file.

    Raises:
        InputError: the package `hearthstone_data` is missing, has another version, or is damaged.
    """
    try:
        return dict(_definitions(installed_card_file()))
    except (ET.ParseError, OSError):
        raise _damaged_error() from None


def installed_card_file() -> Path:
    """Return the path of the installed card file, without running code of its package.

    Raises:
        InputError: the package `hearthstone_data` is missing, has another version than `VERSION`,
            or has no card file.
    """
    place = f"pool {REAL_POOL!r}"
    needs = f"needs {PACKAGE} {VERSION}"
    remedy = f"run: {_INSTALL}"
    try:
        version = metadata.version(PACKAGE)
    except metadata.PackageNotFoundError:
        raise InputError(
            f"{needs}, which is not installed", place=place, limit=VERSION, remedy=remedy
        ) from None
    if version != VERSION:
        raise InputError(
            f"{needs}, but {version} is installed",
            place=place,
            value=version,
            limit=VERSION,
            remedy=remedy,
        )
    spec = util.find_spec(PACKAGE)
    for folder in (spec.submodule_search_locations if spec else None) or ():
        card_file = Path(folder) / "CardDefs.xml"
        if card_file.is_file():
            return card_file
    raise _damaged_error()


def _damaged_error() -> InputError:
    return InputError(
        f"the installed {PACKAGE} {VERSION} is damaged",
        place=f"pool {REAL_POOL!r}",
        remedy=f"run: pip install --force-reinstall {PACKAGE}=={VERSION}",
    )


def _definitions(card_file: Path) -> Iterator[tuple[str, Definition]]:
    for _, element in ET.iterparse(card_file):  # noqa: S314 - a pinned package
        if element.tag != "Entity":
            continue
        definition = _definition(element)
        if definition.kind:
            yield element.get("CardID", "").lower(), definition
        element.clear()  # keeping the whole tree would use ten times the memory


def _definition(element: ET.Element) -> Definition:
    texts: dict[int, str] = {}
    tags: dict[int, int] = {}
    power = ""
    for tag in element.iterfind("Tag"):
        number = int(tag.get("enumID", "0"))
        if tag.get("type") == "LocString":
            texts[number] = _plain(tag.findtext("enUS") or "")
        elif value := int(tag.get("value") or 0):
            tags[number] = value
        if number == HERO_POWER:
            power = tag.get("cardID", "").lower()
    return Definition(
        name=texts.get(_NAME, ""),
        **{word: words.get(tags.get(tag, 0), "") for word, (tag, words) in _WORDS.items()},
        text=texts.get(_TEXT, ""),
        tags=tags,
        requirements={
            int(requirement.get("reqID", "0")): int(requirement.get("param") or 0)
            for requirement in element.iterfind("Power/PlayRequirement")
        },
        power=power,
        number=int(element.get("ID", "0")),
    )


def _plain(text: str) -> str:
    """Return a card's text without markup for bold type and line breaks, with single spaces."""
    return " ".join(re.sub(r"<[^>]*>|\[x\]", "", text).replace("_", " ").split())


# Requirements of the card file, by number.
_MINION = 1
_FRIENDLY = 2
_ENEMY = 3
_DAMAGED = 4
_UNDAMAGED = 47
_TAUNT = 46
_HERO = 17
_ATTACK_AT_MOST = 8
_ATTACK_AT_LEAST = 41
_OF_TRIBE = 10
_ROOM = 12
_WEAPON = 13
_ENEMY_MINIONS = 23
_MINIONS = 45
_TARGET = 11
_TARGET_IF_THERE = 22
_TARGET_FOR_COMBO = 24

# Requirements in the words of `sim.cards.notation`, with braces for their parameters.
_FILTERS = {
    _DAMAGED: "damaged",
    _UNDAMAGED: "undamaged",
    _TAUNT: "taunt",
    _ATTACK_AT_MOST: "attack<={}",
    _ATTACK_AT_LEAST: "attack>={}",
}
_SIDES = {_FRIENDLY: "own_", _ENEMY: "enemy_"}
_NEEDS = {
    _ENEMY_MINIONS: "count enemy_minions >= {}",
    _MINIONS: "count minions >= {}",
    _WEAPON: "count own_weapon >= 1",
    _ROOM: "count own_minions <= 6",
}
_ABOUT_MINIONS = frozenset({_MINION, _OF_TRIBE, *_FILTERS})


def play_keys(requirements: Mapping[int, int]) -> dict[str, str]:
    """Return the keys `target`, `target_when` and `needs` of a card that its requirements imply.

    Requirements that are always met in this engine are ignored, such as that a minion does not
    choose itself: it arrives after the choice.

    Args:
        requirements: parameter of each requirement by number, as in `Definition.requirements`.
    """
    keys = {}
    if {_TARGET, _TARGET_IF_THERE, _TARGET_FOR_COMBO} & requirements.keys():
        keys["target"] = _target(requirements)
    if _TARGET_FOR_COMBO in requirements:
        keys["target_when"] = "combo"
    needs = _words_for(_NEEDS, requirements)
    return keys | ({"needs": needs[0]} if needs else {})


def _target(requirements: Mapping[int, int]) -> str:
    """Return the group of permitted targets, in the notation of `sim.cards.notation`.

    Args:
        requirements: parameter of each requirement by number, as in `Definition.requirements`.
    """
    if _HERO in requirements:
        return "players"
    side = "".join(_words_for(_SIDES, requirements)[:1])
    noun = "minions" if _ABOUT_MINIONS & requirements.keys() else "characters"
    filters = _words_for(_FILTERS, requirements)
    if _OF_TRIBE in requirements:
        filters.append(TRIBES[requirements[_OF_TRIBE]])
    return f"{side}{noun}({', '.join(filters)})" if filters else f"{side}{noun}"


def _words_for(words: Mapping[int, str], requirements: Mapping[int, int]) -> list[str]:
    """Return the phrases for a card's requirements, with their parameters filled in.

    Args:
        words: phrase by number of the requirement, with braces for the parameter.
        requirements: parameter of each of the card's requirements, by number of the requirement.
    """
    return [word.format(requirements[n]) for n, word in words.items() if n in requirements]
