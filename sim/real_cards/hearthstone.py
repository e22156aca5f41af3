"""The pool of real cards: those cards of an installed card file that we can play exactly.

The package `hearthstone_data` brings a card file with names and numbers
(`sim.real_cards.card_definitions`), but what a card does is only there as prose. So a card is taken
when there is nothing to say about it (no text), when all there is to say is keywords of ours, or
when `sim/data/hearthstone_rows.toml` says it in effect rows. Everything else is left out:
`docs/real_cards.md` has the rules of exactness.

Nothing of the package is copied into ours. The pool is kept in the user's cache folder.
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
_COST = 48
_DURABILITY = 187
_SPELL_DAMAGE = 192
_OVERLOAD = 215
_SECRET = 219
_NOTE = "_note"  # how ids of attachments end that the card file does not have
_NO_SPELLS = 311
_NO_POWERS = 332  # together they are our `elusive`
_KEYWORDS = {
    189: "windfury",
    190: "taunt",
    191: "stealth",
    194: "divine_shield",
    197: "haste",
    227: "cannot_attack",
    363: "poisonous",
}
_WORDS = {"haste": "charge", "divine_shield": "divine shield"}  # where texts say it differently
_PRINTED = {
    "minion": {"attack": _ATTACK, "health": _HEALTH},
    "weapon": {"attack": _ATTACK, "durability": _DURABILITY},
}

# Marks that say nothing about the rules: set, class, tribe, type, rarity, looks and so on.
_WITHOUT_RULES = frozenset(
    {114, 183, 199, 200, 201, 202, 203, 251, 268, 321, 330, 331, 956, 957, 1086}
)
_READ = frozenset(
    {_HEALTH, _ATTACK, _COST, _DURABILITY, _SPELL_DAMAGE, _OVERLOAD, _SECRET, *_KEYWORDS}
)
# Marks of what rows describe: triggers, freezing, enrage, deathrattle, battlecry, combo, silence,
# random missiles, auras, neighbours, spell damage that adds to a count, choices, discards, what is
# over with the turn, the start of the game.
_SAID_BY_ROWS = frozenset(
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
    """One card of the installed card file that players can put into decks.

    Attributes:
        id: its id in lower case.
        name: its English name.
        set_name: `"basic"`, `"classic"` or `"hall_of_fame"`.
        hero: the class that it belongs to, or `""`.
        is_implemented: whether it is in the pool, so that decks may hold it.
    """

    id: str
    name: str
    set_name: str
    hero: str
    is_implemented: bool


def real_pool() -> Pool:
    """The real cards that can be played exactly, in the order of the card file.

    Raises:
        InputError: the package is missing, of another version or damaged; says what to install.
    """
    card_file = installed_card_file()
    cached = cache_root() / "cards" / f"{REAL_POOL}-{_cache_key()}.toml"
    try:
        return validate(Pool, read_toml(cached), source=str(cached))
    except InputError:  # not there yet, or damaged
        text = pool_text(validate(Pool, _card_book().pool(), source=str(card_file)))
    with suppress(OSError, InputError):  # a cache that cannot be written costs a second, no more
        cached.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(cached, text)
    # As it is read from the cache: runs are told apart by the keys that their cards set.
    return validate(Pool, tomllib.loads(text), source=str(card_file))


def real_cards() -> tuple[RealCard, ...]:
    """Every card of the three sets, whether we can play it or not, in the order of the card file.

    Raises:
        InputError: as `real_pool`.
    """
    book = _card_book()
    return tuple(
        RealCard(card_id, one.name, one.set_name, one.hero, card_id in book.exact)
        for card_id, one in book.definitions.items()
        if book.is_for_decks(one)
    )


def real_card_name(card_id: str) -> str | None:
    """The name of a card of the three sets, if there is such a card and the package is installed.

    For messages about a card that is not in the pool: it may be real, and have no rows yet.
    """
    with suppress(InputError):
        return next((card.name for card in real_cards() if card.id == card_id), None)
    return None


def _cache_key() -> str:
    """Changes with the package, with our rows, and with what reads and keeps them."""
    folders = Path(__file__).parent, Path(cards.__file__).parent
    return source_hash(*folders, also=(_ROWS_FILE,), constants=VERSION)


def _card_book() -> _CardBook:
    """The card file and our rows, with our own attachments named after the cards they belong to."""
    definitions = read_definitions()
    rows = read_toml(_ROWS_FILE)
    notes = {
        each: Definition(definitions[each.removesuffix(_NOTE)].name, "attachment")
        for each in rows
        if each.endswith(_NOTE) and each.removesuffix(_NOTE) in definitions
    }
    return _CardBook({**definitions, **notes}, rows)


@dataclass(frozen=True)
class _CardBook:
    """The card file and our rows, side by side."""

    definitions: Mapping[str, Definition]
    entries: Mapping[str, Any]

    def is_for_decks(self, one: Definition) -> bool:
        return one.is_collectible and one.kind != "hero"

    @cached_property
    def exact(self) -> frozenset[str]:
        """Ids of what we can play exactly: it, and whatever it brings into the game."""
        exact = {card_id for card_id in self.definitions if self._is_said(card_id)}
        while True:
            kept = {card_id for card_id in exact if exact.issuperset(self._named(card_id))}
            if kept == exact:
                return frozenset(exact)
            exact = kept

    def pool(self) -> dict[str, Any]:
        """The pool as its file would spell it."""
        heroes = [
            {"id": one.hero, "name": one.name, "power": one.power}
            for one in self.definitions.values()
            if one.is_first_hero
        ]
        coin = {"coin": _COIN} if _COIN in self.exact else {}
        cards = [each for each in self._for_decks() if each in self.exact]
        tokens = self._tokens([*cards, *(hero["power"] for hero in heroes), *coin.values()])
        return {
            "name": REAL_POOL,
            "card": [self._card(card_id) for card_id in cards],
            "token": [self._card(card_id) for card_id in tokens if card_id not in cards],
            "hero": sorted(heroes, key=lambda hero: hero["id"]),
            **coin,
        }

    def _for_decks(self) -> list[str]:
        return [each for each, one in self.definitions.items() if self.is_for_decks(one)]

    def _tokens(self, roots: list[str]) -> list[str]:
        """Ids of what the cards `roots` bring into the game, with `roots`, each once."""
        found = dict.fromkeys(roots)
        waiting = list(found)
        while waiting:
            new = [each for each in self._named(waiting.pop(0)) if each not in found]
            found |= dict.fromkeys(new)
            waiting += new
        return list(found)

    def _entry(self, card_id: str) -> dict[str, Any]:
        """What our rows say of a card, as keys of `sim.cards.card.Card`."""
        entry = self.entries.get(card_id, {})
        return dict(entry) if isinstance(entry, dict) else {"effects": entry}

    def _named(self, card_id: str) -> Iterator[str]:
        """Ids that a card's entry names one by one."""
        entry = self._entry(card_id)
        yield from entry.get("options", ())
        for row in entry.get("effects", ()):
            if isinstance(row.get("cards"), list):
                yield from row["cards"]

    @cached_property
    def _options(self) -> frozenset[str]:
        return frozenset(
            each for name in self.entries for each in self._entry(name).get("options", ())
        )

    def _is_said(self, card_id: str) -> bool:
        """Whether keywords and rows say everything that there is to say about a card.

        Listing the marks that may be there is what keeps mechanics out that nobody here has
        thought of.
        """
        one = self.definitions[card_id]
        if card_id in self._options:  # marked as what the choice makes, which the rows name
            return True
        if card_id in self.entries:
            return one.tags.keys() <= _WITHOUT_RULES | _READ | _SAID_BY_ROWS
        return (
            one.kind in _PRINTED
            and one.tags.keys() <= _WITHOUT_RULES | _READ
            and _phrases(one.text) == _keyword_phrases(one)
        )

    def _card(self, card_id: str) -> dict[str, Any]:
        one = self.definitions[card_id]
        kind = "secret" if _SECRET in one.tags else one.kind
        kind = "option" if card_id in self._options else kind
        entry = self._entry(card_id)
        return {
            "id": card_id,
            "name": one.name,
            "kind": kind,
            "cost": one.tags.get(_COST, 0),
            **{field: one.tags.get(tag, 0) for field, tag in _PRINTED.get(kind, {}).items()},
            "hero": one.hero,
            "tribe": one.tribe if kind == "minion" else "",
            "keywords": _keywords(one) if kind in _PRINTED else [],
            "spell_damage": one.tags.get(_SPELL_DAMAGE, 0),
            "overload": one.tags.get(_OVERLOAD, 0),
            **({} if "options" in entry else play_keys(one.requirements)),
            **entry,
            "effects": [self._row(row) for row in entry.get("effects", ())],
            "tags": [
                word for word in (one.set_name, one.rarity) if word and self.is_for_decks(one)
            ],
        }

    def _row(self, row: dict[str, Any]) -> dict[str, Any]:
        """A row with the cards that its `cards` stand for."""
        wanted = row.get("cards")
        if not isinstance(wanted, dict):
            return row
        cards = [
            each
            for each in self._for_decks()
            if each in self.exact
            and all(getattr(self.definitions[each], key) == wanted[key] for key in wanted)
        ]
        return {**row, "cards": cards}


def _keywords(one: Definition) -> list[str]:
    keywords = [word for tag, word in _KEYWORDS.items() if tag in one.tags]
    return [*keywords, "elusive"] if {_NO_SPELLS, _NO_POWERS} <= one.tags.keys() else keywords


def _phrases(text: str) -> list[str]:
    """The text of a card as the keywords that it lists, if it lists keywords."""
    words = "|".join(_WORDS.get(word, word) for word in _KEYWORDS.values())
    phrase = re.compile(
        rf"({words}|spell damage \+\d+|overload: \(\d+\)|\S+)[.,\s]*", re.IGNORECASE
    )
    return sorted(found.strip(".,").lower() for found in phrase.findall(text))


def _keyword_phrases(one: Definition) -> list[str]:
    """The phrases of a text that says no more than the tags."""
    phrases = [_WORDS.get(word, word) for word in _keywords(one)]
    if amount := one.tags.get(_SPELL_DAMAGE):
        phrases.append(f"spell damage +{amount}")
    if amount := one.tags.get(_OVERLOAD):
        phrases.append(f"overload: ({amount})")
    return sorted(phrases)
