"""Pool of real cards: the cards of an installed card file that the engine plays exactly.

The package `hearthstone_data` contains a card file with names and numbers
(`sim.real_cards.card_definitions`), but describes effects only as prose. A card is therefore in the
pool if it has no text, if its text consists of known keywords, or if
`sim/data/hearthstone_rows.toml` has effect rows for it. All other cards are omitted;
`docs/real_cards.md` explains the rules of exactness.

No content of that package is part of this package. The pool is cached in the user's cache folder.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from sim import REAL_POOL, InputError, Pool, cards, read_toml, validate
from sim.cards.pool_file import pool_text
from sim.engine.cache import cache_root, source_hash
from sim.files.atomic_file import write_atomically
from sim.real_cards.card_definitions import (
    COST,
    SECRET,
    VERSION,
    Definition,
    installed_card_file,
    play_keys,
    read_definitions,
)

_ROWS_FILE = Path(__file__).parents[1] / "data" / "hearthstone_rows.toml"
_COIN = "game_005"

# Tags of the card file, by number.
_HEALTH = 45
_ATTACK = 47
_DURABILITY = 187
_SPELL_DAMAGE = 192
_OVERLOAD = 215
_NOTE = "_note"  # suffix of the ids of attachments that this package adds to the card file
_NO_SPELLS = 311
_NO_POWERS = 332  # together with the tag `_NO_SPELLS`, this is the keyword `elusive`
_KEYWORDS = {
    189: "windfury",
    190: "taunt",
    191: "stealth",
    194: "divine_shield",
    197: "haste",
    227: "cannot_attack",
    363: "poisonous",
}
_WORDS = {"haste": "charge", "divine_shield": "divine shield"}  # spellings in the cards' texts
_PRINTED = {
    "minion": {"attack": _ATTACK, "health": _HEALTH},
    "weapon": {"attack": _ATTACK, "durability": _DURABILITY},
}

# Tags that the rules do not depend on: set, class, tribe, type, rarity, appearance and others.
_WITHOUT_RULES = frozenset(
    {114, 183, 199, 200, 201, 202, 203, 251, 268, 321, 330, 331, 956, 957, 1086}
)
_READ = frozenset(
    {_HEALTH, _ATTACK, COST, _DURABILITY, _SPELL_DAMAGE, _OVERLOAD, SECRET, *_KEYWORDS}
)
# Tags of mechanics that effect rows describe: triggers, freezing, enrage, deathrattle, battlecry,
# combo, silence, random missiles, auras, neighbours, spell damage added to a count, choices,
# discards, effects until the end of the turn, the start of the game.
_DESCRIBED_BY_ROWS = frozenset(
    {
        32,
        208,
        212,
        217,
        218,
        220,
        338,
        339,
        349,
        350,
        362,
        370,
        443,
        886,
        890,
        968,
        _NO_SPELLS,
        _NO_POWERS,
    }
)


@dataclass(frozen=True)
class RealCard:
    """Card of the original game that players can put into decks, whether or not the pool has it.

    Attributes:
        id: id of the card in lower case.
        name: English name.
        set_name: name of the card's set: `"basic"`, `"classic"` or `"hall_of_fame"`.
        hero: class that the card belongs to; `""` for a neutral card.
        is_implemented: whether the card is in the pool of real cards.
    """

    id: str
    name: str
    set_name: str
    hero: str
    is_implemented: bool


def real_pool() -> Pool:
    """Return the pool of real cards, in the order of the card file; the pool is cached on disk.

    Raises:
        InputError: the package `hearthstone_data` is missing, has another version, or is damaged.
    """
    card_file = installed_card_file()
    cached = cache_root() / "cards" / f"{REAL_POOL}-{_cache_key()}.toml"
    try:
        return validate(Pool, read_toml(cached), source=str(cached))
    except InputError:  # the cache is missing or damaged
        text = pool_text(validate(Pool, _card_book().pool(), source=str(card_file)))
    with suppress(OSError, InputError):  # without a cache, each start takes a second longer
        cached.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(cached, text)
    # The pool is parsed from the text, as later calls parse the cache: an equal pool with other
    # explicitly set keys would give the same run another name.
    return validate(Pool, tomllib.loads(text), source=str(card_file))


def real_cards() -> tuple[RealCard, ...]:
    """Return all cards of the sets Basic, Classic and Hall of Fame, in the order of the card file.

    Cards that the engine cannot play are included.

    Raises:
        InputError: the package `hearthstone_data` is missing, has another version, or is damaged.
    """
    book = _card_book()
    return tuple(
        RealCard(card_id, entry.name, entry.set_name, entry.hero, card_id in book.exact)
        for card_id, entry in book.definitions.items()
        if book.is_for_decks(entry)
    )


def real_card_name(card_id: str) -> str | None:
    """Return the English name of a card in `real_cards`, for messages.

    Return `None` if no such card exists or the package `hearthstone_data` is not usable.

    Args:
        card_id: id of the card in lower case.
    """
    with suppress(InputError):
        return next((card.name for card in real_cards() if card.id == card_id), None)
    return None


def _cache_key() -> str:
    """Return a hash of all that the pool depends on: package version, effect rows and code."""
    folders = Path(__file__).parent, Path(cards.__file__).parent
    return source_hash(*folders, also=(_ROWS_FILE,), constants=VERSION)


def _card_book() -> _CardBook:
    """Read the card file and the effect rows, and add entries for attachments.

    An attachment has the name of its card.

    Raises:
        InputError: the package `hearthstone_data` is missing, has another version, or is damaged.
    """
    definitions = read_definitions()
    rows = read_toml(_ROWS_FILE)
    notes = {
        row: Definition(definitions[row.removesuffix(_NOTE)].name, "attachment")
        for row in rows
        if row.endswith(_NOTE) and row.removesuffix(_NOTE) in definitions
    }
    return _CardBook({**definitions, **notes}, rows)


@dataclass(frozen=True)
class _CardBook:
    """Content of the card file together with this package's effect rows.

    Attributes:
        definitions: entries of the card file by id, including attachments of this package.
        entries: keys or effect rows of cards by id, as in `hearthstone_rows.toml`.
    """

    definitions: Mapping[str, Definition]
    entries: Mapping[str, Any]

    def is_for_decks(self, definition: Definition) -> bool:
        """Return whether an entry is a card for decks: players can own it, and it is no hero."""
        return definition.is_collectible and definition.kind != "hero"

    @cached_property
    def exact(self) -> frozenset[str]:
        """Ids of the cards that are described completely and name only cards that are exact too."""
        exact = {card_id for card_id in self.definitions if self._is_described(card_id)}
        # Removing a card may make cards that name it inexact, so repeat until nothing changes.
        while True:
            kept = {card_id for card_id in exact if exact.issuperset(self._named(card_id))}
            if kept == exact:
                return frozenset(exact)
            exact = kept

    def pool(self) -> dict[str, Any]:
        """Return the pool of all exact cards, with their tokens and heroes, as in a pool file."""
        heroes = [
            {"id": entry.hero, "name": entry.name, "power": entry.power}
            for entry in self.definitions.values()
            if entry.is_first_hero
        ]
        coin = {"coin": _COIN} if _COIN in self.exact else {}
        cards = [card_id for card_id in self._for_decks() if card_id in self.exact]
        tokens = self._tokens([*cards, *(hero["power"] for hero in heroes), *coin.values()])
        return {
            "name": REAL_POOL,
            "card": [self._card(card_id) for card_id in cards],
            "token": [self._card(card_id) for card_id in tokens if card_id not in cards],
            "hero": sorted(heroes, key=lambda hero: hero["id"]),
            **coin,
        }

    def _for_decks(self) -> list[str]:
        return [card_id for card_id, entry in self.definitions.items() if self.is_for_decks(entry)]

    def _tokens(self, roots: list[str]) -> list[str]:
        """Return the ids `roots` and the ids of all cards that these name, directly or indirectly.

        The ids are distinct and in the order of a breadth-first search.
        """
        reached = dict.fromkeys(roots)
        queue = list(reached)
        while queue:
            new = [card_id for card_id in self._named(queue.pop(0)) if card_id not in reached]
            reached |= dict.fromkeys(new)
            queue += new
        return list(reached)

    def _entry(self, card_id: str) -> dict[str, Any]:
        """Return this package's keys for a card, as in `sim.cards.card.Card`.

        The dictionary is empty if the package has no entry for the card.
        """
        entry = self.entries.get(card_id, {})
        return dict(entry) if isinstance(entry, dict) else {"effects": entry}

    def _named(self, card_id: str) -> Iterator[str]:
        """Yield the ids of the cards that a card names as options or in effect rows.

        Cards that a row selects by a filter are not included.
        """
        entry = self._entry(card_id)
        yield from entry.get("options", ())
        for row in entry.get("effects", ()):
            if isinstance(row.get("cards"), list):
                yield from row["cards"]

    @cached_property
    def _options(self) -> frozenset[str]:
        return frozenset(
            option for name in self.entries for option in self._entry(name).get("options", ())
        )

    def _is_described(self, card_id: str) -> bool:
        """Return whether a card's numbers, keywords and effect rows describe it completely.

        Cards with unknown tags, which may mean unknown mechanics, are not described completely,
        except options. A card without effect rows must be a minion or weapon with a text that lists
        only its keywords.
        """
        entry = self.definitions[card_id]
        # The tags of an option are those of the card that results from the choice.
        if card_id in self._options:
            return True
        if card_id in self.entries:
            return entry.tags.keys() <= _WITHOUT_RULES | _READ | _DESCRIBED_BY_ROWS
        return (
            entry.kind in _PRINTED
            and entry.tags.keys() <= _WITHOUT_RULES | _READ
            and _phrases(entry.text) == _keyword_phrases(entry)
        )

    def _card(self, card_id: str) -> dict[str, Any]:
        definition = self.definitions[card_id]
        kind = "secret" if SECRET in definition.tags else definition.kind
        kind = "option" if card_id in self._options else kind
        entry = self._entry(card_id)
        return {
            "id": card_id,
            "name": definition.name,
            "kind": kind,
            "cost": definition.tags.get(COST, 0),
            **printed_numbers(definition, kind),
            "hero": definition.hero,
            "tribe": definition.tribe if kind == "minion" else "",
            "keywords": keywords_of(definition) if kind in _PRINTED else [],
            "spell_damage": definition.tags.get(_SPELL_DAMAGE, 0),
            "overload": definition.tags.get(_OVERLOAD, 0),
            **({} if "options" in entry else play_keys(definition.requirements)),
            **entry,
            "effects": [self._row(row) for row in entry.get("effects", ())],
            "tags": [
                word
                for word in (definition.set_name, definition.rarity)
                if word and self.is_for_decks(definition)
            ],
        }

    def _row(self, row: dict[str, Any]) -> dict[str, Any]:
        """Return an effect row in which a filter under the key `cards` is replaced by card ids.

        The filter selects exact cards for decks by attributes of `Definition`. A row without a
        filter is returned unchanged.
        """
        wanted = row.get("cards")
        if not isinstance(wanted, dict):
            return row
        cards = [
            card_id
            for card_id in self._for_decks()
            if card_id in self.exact
            and all(getattr(self.definitions[card_id], key) == wanted[key] for key in wanted)
        ]
        return {**row, "cards": cards}


def printed_numbers(definition: Definition, kind: str) -> dict[str, int]:
    """Return attack and health, or durability, of an entry as a card of a kind."""
    return {field: definition.tags.get(tag, 0) for field, tag in _PRINTED.get(kind, {}).items()}


def keywords_of(definition: Definition) -> list[str]:
    """Return the words of the keywords in the tags of an entry."""
    keywords = [word for tag, word in _KEYWORDS.items() if tag in definition.tags]
    return (
        [*keywords, "elusive"] if {_NO_SPELLS, _NO_POWERS} <= definition.tags.keys() else keywords
    )


def _phrases(text: str) -> list[str]:
    """Return the phrases of a card's text in lower case, sorted: keywords, and all other words.

    Spell damage and overload with their amounts are also single phrases.
    """
    words = "|".join(_WORDS.get(word, word) for word in _KEYWORDS.values())
    phrase = re.compile(
        rf"({words}|spell damage \+\d+|overload: \(\d+\)|\S+)[.,\s]*", re.IGNORECASE
    )
    return sorted(match.strip(".,").lower() for match in phrase.findall(text))


def _keyword_phrases(definition: Definition) -> list[str]:
    """Return the sorted phrases of a text that lists only the keywords in a card's tags."""
    phrases = [_WORDS.get(word, word) for word in keywords_of(definition)]
    if amount := definition.tags.get(_SPELL_DAMAGE):
        phrases.append(f"spell damage +{amount}")
    if amount := definition.tags.get(_OVERLOAD):
        phrases.append(f"overload: ({amount})")
    return sorted(phrases)
