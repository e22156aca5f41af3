"""Headings of the parts of a deck list, such as `Sideboard` or `Creatures (12)`."""

from __future__ import annotations

import re

SIDEBOARDS = frozenset({
    "sideboard", "side board", "side", "sb", "maybeboard", "maybe board", "considering",
    "companion", "companions", "tokens", "token", "avatar", "planes", "schemes", "conspiracy",
    "dungeon", "attractions", "contraptions", "stickers", "acquireboard",
})  # fmt: skip
"""Headings, in lower case, of parts with cards that are not in the deck when a game begins."""

ABOUT = frozenset({"about", "metadata"})
"""Headings, in lower case, of parts that describe the deck and hold no cards."""

MAIN = frozenset({
    "deck", "main", "main deck", "maindeck", "mainboard", "main board", "decklist", "deck list",
    "commander", "commanders", "cards",
})  # fmt: skip
"""Headings, in lower case, of parts with the cards of the deck."""

_KINDS = frozenset({
    "creatures", "creature", "minions", "minion", "units",
    "allies", "followers", "spells", "spell", "sorceries", "sorcery", "instants", "instant",
    "instants and sorceries", "weapons", "weapon", "secrets", "heroes", "hero", "artifacts",
    "artifact", "enchantments", "enchantment", "planeswalkers", "planeswalker", "battles", "lands",
    "land", "events", "locations", "supports", "items", "other", "others", "other spells",
})  # fmt: skip

_IN_BRACKETS = re.compile(r"\[ ?([^\]]+?) ?\]")
_COUNTED = re.compile(r"(\D.*?) ?[(\[] ?[0-9]+(?: cards?)? ?[)\]] ?:?")
_WITH_COLON = re.compile(r"(\D.*?) ?:")


def heading_in(line: str) -> str:
    """Return the heading on a line, in lower case; `""` if the line is no heading.

    A heading is a known word, or any text in square brackets, before a colon at the end of the
    line, or before a number in brackets. A line that begins with a digit is no heading, except
    within square brackets.

    Args:
        line: filled line with single spaces.
    """
    for pattern in (_IN_BRACKETS, _COUNTED, _WITH_COLON):
        match = pattern.fullmatch(line)
        if match is not None:
            return match[1].lower()
    return line.lower() if is_known_heading(line) else ""


def is_known_heading(line: str) -> bool:
    """Return whether a line consists of a known heading, without a number or brackets."""
    return line.lower() in SIDEBOARDS | ABOUT | MAIN | _KINDS
