"""Deck lists in the XML format `.cod` of Cockatrice."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree as ET

from experiments.deck_files.written_deck import Reading, WrittenCard, WrittenDeck
from experiments.screen.wording import counted
from sim.errors import InputError
from sim.files.plain_xml import xml_tree

_ROOT = "cockatrice_deck"
_MAIN = "main"
_HERO = re.compile(r"^[ \t]*class[ \t]*:[ \t]*(.*?)[ \t]*$", re.IGNORECASE | re.MULTILINE)
_COPIES = re.compile(r"[+-]?[0-9]{1,18}")


def read_cockatrice(text: str) -> WrittenDeck:
    """Return the deck in a `.cod` file.

    The cards are those of the zone `main`. A line `Class: NAME` of the comments names the hero.

    Args:
        text: content of the file.

    Raises:
        InputError: the text is not valid XML, is no such file, or has no cards.
    """
    root = xml_tree(text)
    if root.tag != _ROOT:
        raise InputError(
            f"is XML with the root element <{root.tag}>, not a Cockatrice deck",
            value=root.tag,
            limit=_ROOT,
            remedy="save the deck as a plain text list",
        )
    cards: list[WrittenCard] = []
    left = []
    for zone in root.iter("zone"):
        name = zone.get("name", "")
        entries = list(zone.iter("card"))
        if name.lower() == _MAIN:
            cards += [_card(entry, place) for place, entry in enumerate(entries, start=1)]
        elif entries:
            left.append(f"left out: zone {name!r} ({counted(len(entries), 'line')})")
    if not cards:
        raise InputError(f"has no cards in the zone {_MAIN!r}")
    hero = _HERO.search(root.findtext("comments") or "")
    title = (root.findtext("deckname") or "").strip()
    return WrittenDeck(title, hero[1] if hero else "", "", tuple(cards), tuple(left))


def _card(entry: ET.Element, number: int) -> WrittenCard:
    """Return an entry of the main zone.

    Args:
        entry: the XML element.
        number: number of the entry in its zone, from 1.

    Raises:
        InputError: the entry has no name, or no number of copies.
    """
    place = f"card {number} of zone {_MAIN!r}"
    name = entry.get("name", "").strip()
    copies = entry.get("number", "1").strip()
    if not name:
        raise InputError("has no name", place=place)
    if not _COPIES.fullmatch(copies):
        raise InputError(
            f"number = {copies!r} must be a whole number of copies", place=place, value=copies
        )
    reading = Reading(int(copies), name)
    return WrittenCard(place, (reading,), reading)


def text_of_cockatrice(name: str, hero: str, cards: Sequence[Reading]) -> str:
    """Return a deck as a `.cod` file.

    Args:
        name: name of the deck.
        hero: hero of the deck; `""` for none.
        cards: copies and names of the cards.
    """
    root = ET.Element(_ROOT, version="1")
    ET.SubElement(root, "deckname").text = name
    ET.SubElement(root, "comments").text = f"Class: {hero}" if hero else ""
    zone = ET.SubElement(root, "zone", name=_MAIN)
    for card in cards:
        ET.SubElement(zone, "card", number=str(card.copies), name=card.name)
    ET.indent(root, "    ")
    body = ET.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'
