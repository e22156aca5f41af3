"""The card file of the package `hearthstone_data`: reading the entries of its XML.

Names, numbers and requirements are read as they stand; `sim.real_cards.hearthstone` translates them
into cards of this package. The package `hearthstone_data` is never imported, only its file is read.
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
HERO_POWER = 380  # this tag names the power in an attribute of its own

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
# Attributes of `Definition` that one tag gives: the tag, and the word for each of its values.
_WORDS = {
    "kind": (_TYPE, _KINDS),
    "hero": (_CLASS, CLASSES),
    "tribe": (_TRIBE, TRIBES),
    "set_name": (_SET, SETS),
    "rarity": (_RARITY, RARITIES),
}


@dataclass(frozen=True)
class Definition:
    """One entry of the card file.

    Attributes:
        name: English name.
        kind: a word of `sim.cards.vocabulary.Kind`, or `"hero"`.
        hero: the class that the card belongs to, or `""`.
        tribe: the card's tribe, or `""`.
        set_name: one of `SETS`, or `""` for any other set.
        rarity: one of `RARITIES`, or `""`.
        text: English text, without marks for bold type and line breaking.
        tags: values of its tags, by number of the tag; tags with value 0 are left out.
        requirements: requirements of playing the card: the parameter of each, 0 if it has none, by
            number of the requirement.
        power: id in lower case of a hero's power; `""` for all other entries.
        number: the card's number in deck codes, see `sim.real_cards.deck_code`; 0 if it has none.
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
        """Whether players can own the card, and it is in one of the `SETS`."""
        return _COLLECTIBLE in self.tags and bool(self.set_name)

    @property
    def is_first_hero(self) -> bool:
        """Whether it is the standard hero of a class; others differ only in their looks."""
        return self.kind == "hero" and self.is_collectible and self.set_name == "basic"


def read_definitions() -> dict[str, Definition]:
    """Return all entries of the installed card file by id in lower case, in the file's order.

    Raises:
        InputError: the package is missing, of another version or damaged; names the remedy.
    """
    try:
        return dict(_definitions(installed_card_file()))
    except (ET.ParseError, OSError):
        raise _damaged_error() from None


def installed_card_file() -> Path:
    """Return the path of the card file, found without running any code of its package.

    Raises:
        InputError: the package is missing, of another version, or has no card file.
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
        element.clear()  # keeping the whole tree would take ten times the memory


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
    """Return a text without its marks for bold type and line breaking."""
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
    """Return the keys `target`, `target_when` and `needs` of a card, as far as it has them.

    Args:
        requirements: those of `sim.real_cards.card_definitions.Definition.requirements`.
            Requirements that add nothing are ignored: a minion never chooses itself, since it
            arrives after the choice.
    """
    keys = {}
    if {_TARGET, _TARGET_IF_THERE, _TARGET_FOR_COMBO} & requirements.keys():
        keys["target"] = _target(requirements)
    if _TARGET_FOR_COMBO in requirements:
        keys["target_when"] = "combo"
    needs = _words_for(_NEEDS, requirements)
    return keys | ({"needs": needs[0]} if needs else {})


def _target(requirements: Mapping[int, int]) -> str:
    """Return the group that the target may be chosen from, in the words of `sim.cards.notation`."""
    if _HERO in requirements:
        return "players"
    side = "".join(_words_for(_SIDES, requirements)[:1])
    noun = "minions" if _ABOUT_MINIONS & requirements.keys() else "characters"
    filters = _words_for(_FILTERS, requirements)
    if _OF_TRIBE in requirements:
        filters.append(TRIBES[requirements[_OF_TRIBE]])
    return f"{side}{noun}({', '.join(filters)})" if filters else f"{side}{noun}"


def _words_for(words: Mapping[int, str], requirements: Mapping[int, int]) -> list[str]:
    """Return the words for the requirements that a card has."""
    return [word.format(requirements[n]) for n, word in words.items() if n in requirements]
