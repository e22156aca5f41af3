"""Synonyms of column titles and of words for kinds of cards, from other games and languages.

Titles and words are in lower case with single spaces, in the form of `plain_words`. The lists have
only words with the same meaning in every card game known to the authors. `artifact`, `equipment`,
`trap` and `token` are absent, since their effects differ between games and the designer must
explain them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from types import MappingProxyType

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")  # position between the words of "manaCost"
_SLASH = re.compile(r" */ *")
_BETWEEN = re.compile(r"[\s_.\-]+")


def plain_words(title: str) -> str:
    """Return a title in the form in which titles are compared: `"mana cost"` for `"Mana_Cost"`.

    Underscores, dots, hyphens and capitals within a word, as in `"manaCost"`, become spaces, and
    full-width letters become normal letters.
    """
    composed = unicodedata.normalize("NFKC", title)
    spaced = _BETWEEN.sub(" ", _CAMEL.sub(" ", composed)).strip().lower()
    return _SLASH.sub("/", spaced)


COIN = "coin"
"""Word for the kind of the row with the pool's coin."""

_KINDS = {
    "minion": (
        "creature; unit; monster; follower; ally; character; minions; creatures; units; monsters; "
        "followers; allies; characters; "
        "creatura; unità; alleato; mostro; criatura; unidad; unidade; monstruo; monstro; aliado; "
        "créature; unité; monstre; serviteur; allié; kreatur; einheit; diener; verbündeter; "
        "クリーチャー; ユニット; モンスター; フォロワー; ミニオン; 生物; 随从; 怪兽; 单位; "
        "하수인; 크리처; 유닛; 몬스터; существо; юнит"
    ),
    "spell": (
        "sorcery; instant; event; action; trick; tactic; spells; sorceries; instants; events; "
        "actions; tricks; tactics; "
        "magia; incantesimo; stregoneria; istantaneo; evento; azione; hechizo; conjuro; "
        "instantáneo; feitiço; mágica; sort; sortilège; rituel; éphémère; sofortzauber; zauber; "
        "zauberspruch; hexerei; spontanzauber; "
        "呪文; スペル; 魔法; イベント; 法术; 瞬间; 주문; 마법; заклинание"
    ),
    "weapon": "weapons; arma; arme; waffe; 武器; 무기; оружие",
}
KINDS = {
    **{word: kind for kind, named in _KINDS.items() for word in named.split("; ")},
    COIN: "spell",
}
"""Kind of card by its synonym in other games; the coin is a spell."""

_IGNORED = frozenset({"card", "basic", "legendary", "normal", "effect", "common", "snow"})
"""Words next to a word for a kind that do not change its meaning, as in `Legendary Creature`."""
_SUBTYPES = re.compile(r"\s+[-\u2013\u2014]\s+|\s*[:\u2014]\s*")  # as in "Creature \u2014 Elf"


def kind_in(cell: str, own: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return the word for a kind in a cell, `"creature"` for `"Legendary Creature \u2014 Elf"`.

    For a word in `own`, its kind is returned. A cell without a known word is returned in the form
    of `plain_cell`.

    Args:
        cell: text of the cell.
        own: kind of card by a word that the designer has explained, in the form of `plain_cell`.
    """
    whole = plain_cell(cell)
    for text in (whole, _SUBTYPES.split(whole)[0]):
        word = " ".join(word for word in text.split() if word not in _IGNORED)
        for candidate in (text, word):
            if candidate in own:
                return own[candidate]
            if candidate in KIND_WORDS:
                return candidate
    return whole


def plain_cell(cell: str) -> str:
    """Return a cell's text in lower case with single spaces and half-width letters."""
    return " ".join(unicodedata.normalize("NFKC", cell).lower().split())


OF_SHEETS = ("minion", "spell", "weapon", "secret")
"""Kinds of the cards that decks, and therefore sheets, may contain."""

KIND_WORDS = frozenset({*OF_SHEETS, *KINDS})
"""All words for kinds of cards that an import accepts without an explanation."""

TOTALS = frozenset({
    "total", "totals", "sum", "subtotal", "average", "avg", "mean", "median", "totale", "somma",
    "media", "summe", "gesamt", "mittelwert", "totaux", "somme", "moyenne", "suma", "promedio",
    "\u5408\u8a08", "\u5c0f\u8a08", "\u5e73\u5747", "\u5408\u8ba1",
})  # fmt: skip
"""Names of rows with totals, which an import reports instead of reading them as cards."""

NOTHING = frozenset({"-", "\u2013", "\u2014", "n/a", "na", "none", "null", "-1", "x"})
"""Cell texts that are placeholders for a number which the card's kind does not have."""
