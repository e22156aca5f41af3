"""The pool of real cards: those minions of an installed card file that we can play exactly.

The package `hearthstone_data` brings a card file (XML) with names and numbers, but what a card
does is only there as prose. So a card is taken when there is nothing to say about it (no text),
when all there is to say is one keyword of ours, or when `sim/data/hearthstone_rows.toml` says it
in effect rows. Everything else is left out: `docs/real_cards.md` has the rules of exactness.

Nothing of the package is copied into ours. What is read is kept in the user's cache folder.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib import metadata, util
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from sim.cache_root import cache_root
from sim.errors import InputError
from sim.pool import REAL_POOL, Pool
from sim.pool_file import write_pool
from sim.strict_model import validate
from sim.toml_file import read_toml

PACKAGE = "hearthstone_data"
VERSION = "30103.2"  # later packages renamed the sets and rebalanced cards
_ROWS_FILE = Path(__file__).parent / "data" / "hearthstone_rows.toml"
_INSTALL = 'pip install "evenhand[hearthstone]"'

# Tags of the card file, by number.
_HEALTH, _ATTACK, _COST = 45, 47, 48
_SET, _TEXT, _NAME, _CHARGE, _TYPE, _BATTLECRY, _COLLECTIBLE = 183, 184, 185, 197, 202, 218, 321
_ELITE, _CLASS, _TRIBE, _FACTION, _RARITY, _LOOKS, _STAGE = 114, 199, 200, 201, 203, 251, 268

_MINION = 4  # a value of _TYPE
_SETS = frozenset({2, 3, 4})  # values of _SET: Basic, Classic, Hall of Fame
_TAGS_WITHOUT_RULES = frozenset(
    {_HEALTH, _ATTACK, _COST, _SET, _TYPE, _COLLECTIBLE}
    | {_ELITE, _CLASS, _TRIBE, _FACTION, _RARITY, _LOOKS, _STAGE}
)

_Rows = Mapping[str, list[dict[str, Any]]]


@dataclass(frozen=True)
class _Entity:
    """A minion of the card file: its plain English text, and its numbers by tag."""

    name: str
    text: str
    tags: dict[int, int]

    @property
    def keywords(self) -> list[str]:
        return ["haste"] if _CHARGE in self.tags else []

    def is_candidate(self) -> bool:
        """Whether players can put this card into a deck of the sets that we know."""
        return _COLLECTIBLE in self.tags and self.tags.get(_SET) in _SETS

    def has_only(self, *more_tags: int) -> bool:
        """Whether nothing but `more_tags` and what has no bearing on the rules marks this card.

        Listing what may be there is what keeps mechanics out that nobody here has thought of.
        """
        return self.tags.keys() <= _TAGS_WITHOUT_RULES | {*more_tags}


def real_pool() -> Pool:
    """The real cards that can be played exactly, in the order of the card file.

    Raises:
        InputError: the package is missing, of another version or damaged; says what to install.
    """
    card_file = _installed_card_file()
    cached = cache_root() / "cards" / f"{REAL_POOL}-{_cache_key()}.toml"
    try:
        return validate(Pool, read_toml(cached), source=str(cached))
    except InputError:  # not there yet, or damaged
        pool = _read_pool(card_file, read_toml(_ROWS_FILE))
    with suppress(OSError, InputError):  # a cache that cannot be written costs a second, no more
        cached.parent.mkdir(parents=True, exist_ok=True)
        write_pool(pool, cached)
    return pool


def _installed_card_file() -> Path:
    """The card file, found without importing the package, whose code is from another time."""
    needs = f"pool {REAL_POOL!r}: needs {PACKAGE} {VERSION}"
    try:
        version = metadata.version(PACKAGE)
    except metadata.PackageNotFoundError:
        raise InputError(f"{needs}, which is not installed; run: {_INSTALL}") from None
    if version != VERSION:
        raise InputError(f"{needs}, but {version} is installed; run: {_INSTALL}")
    spec = util.find_spec(PACKAGE)
    for folder in (spec.submodule_search_locations if spec else None) or ():
        card_file = Path(folder) / "CardDefs.xml"
        if card_file.is_file():
            return card_file
    raise _damaged()


def _damaged() -> InputError:
    return InputError(
        f"pool {REAL_POOL!r}: the installed {PACKAGE} {VERSION} is damaged; "
        f"run: pip install --force-reinstall {PACKAGE}=={VERSION}"
    )


def _cache_key() -> str:
    """Changes with the package, with our rows, and with this reader."""
    digest = hashlib.sha256(VERSION.encode())
    for path in (Path(__file__), _ROWS_FILE):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _read_pool(card_file: Path, rows: _Rows) -> Pool:
    try:
        minions = dict(_minions(card_file))
    except (ET.ParseError, OSError):
        raise _damaged() from None
    cards = [
        _card(card_id, entity, rows, minions)
        for card_id, entity in minions.items()
        if _is_exact(card_id, entity, rows)
    ]
    return validate(Pool, {"name": REAL_POOL, "card": cards}, source=str(card_file))


def _minions(card_file: Path) -> Iterator[tuple[str, _Entity]]:
    """Every minion, tokens too, by its id in lower case."""
    for _, element in ET.iterparse(card_file):  # noqa: S314 - a pinned package
        if element.tag != "Entity":
            continue
        entity = _entity(element)
        if entity.tags.get(_TYPE) == _MINION:
            yield element.get("CardID", "").lower(), entity
        element.clear()  # the whole tree would take ten times the memory


def _entity(element: ET.Element) -> _Entity:
    texts: dict[int, str] = {}
    tags: dict[int, int] = {}
    for tag in element.iterfind("Tag"):
        number = int(tag.get("enumID", "0"))
        if tag.get("type") == "LocString":
            texts[number] = _plain(tag.findtext("enUS") or "")
        elif value := int(tag.get("value") or 0):
            tags[number] = value
    return _Entity(texts.get(_NAME, ""), texts.get(_TEXT, ""), tags)


def _plain(text: str) -> str:
    """Text without its marks for bold type and line breaking."""
    return " ".join(re.sub(r"<[^>]*>|\[x\]", "", text).replace("_", " ").split())


def _is_exact(card_id: str, entity: _Entity, rows: _Rows) -> bool:
    """Whether our rules and rows say everything that there is to say about a card."""
    if not entity.is_candidate():
        return False
    if card_id in rows:
        return entity.has_only(_CHARGE, _BATTLECRY)
    words = "Charge" if _CHARGE in entity.tags else ""
    return entity.has_only(_CHARGE) and entity.text.rstrip(".") == words


def _card(
    card_id: str, entity: _Entity, rows: _Rows, minions: Mapping[str, _Entity]
) -> dict[str, object]:
    return {
        "id": card_id,
        "name": entity.name,
        "cost": entity.tags.get(_COST, 0),
        **_body(entity),
        "effects": [_effect(row, minions) for row in rows.get(card_id, [])],
    }


def _body(entity: _Entity) -> dict[str, object]:
    numbers = {"attack": entity.tags.get(_ATTACK, 0), "health": entity.tags.get(_HEALTH, 0)}
    return {**numbers, "keywords": entity.keywords}


def _effect(row: dict[str, Any], minions: Mapping[str, _Entity]) -> dict[str, Any]:
    return {**row, "token": _body(minions[row["token"]])} if "token" in row else row
