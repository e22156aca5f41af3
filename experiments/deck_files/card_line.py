"""Parsing of a line of a deck list, such as `2x Oak Guard (SET) 12`, as copies of a card."""

from __future__ import annotations

import re
from collections.abc import Iterator

from experiments.deck_files.written_deck import Reading, WrittenCard

_COUNT_FIRST = re.compile(r"(?:[x\u00d7] ?)?([+-]?[0-9]+)( ?[x\u00d7](?= ))? (.+)", re.IGNORECASE)
_COUNT_LAST = re.compile(
    r"(.+?),? (?:[(\[]?(?:[x\u00d7] ?([+-]?[0-9]+)|([0-9]+) ?[x\u00d7])[)\]]?|[(\[]([0-9]+)[)\]])"
)
_COST_FIRST = re.compile(r"(?:\([0-9]+\)|\[[^\]]*\]) (.+)")  # costs, or sets as XMage writes them
# A set and a number in it, as in "Oak Guard (ABC) 12 *F*", or as in "Oak Guard|ABC|1".
_SET_LAST = re.compile(
    r"(.+?) ?(?:\|.*| [(\[<][\w:-]{1,12}[)\]>](?: [\w\u2605\u2020-]{1,8})?)(?: \*\w\*)?"
)
_BULLET = re.compile(r"[-*\u2022] +(.+)")
_DIGITS_MAX = 18  # digits that are converted; more are cut, since such a number is refused anyway


def read_card_line(line: str, place: str, *, may_be_heading: bool = False) -> WrittenCard:
    """Parse a line of a deck list, without deciding whether its card exists.

    Args:
        line: filled line with single spaces, which is no comment.
        place: place of the line for messages.
        may_be_heading: whether the line may be a heading.
    """
    bullet = _BULLET.fullmatch(line)
    text = bullet[1] if bullet else line
    first = _COUNT_FIRST.fullmatch(text)
    last = None if first else _COUNT_LAST.fullmatch(text)
    if first is not None:
        copies = _number(first[1])
        # An x after the number may also be the first word of the name, as in "2 X Marks".
        rests = [first[3], f"{first[2].strip()} {first[3]}"] if first[2] else [first[3]]
    else:
        copies = _number(last[2] or last[3] or last[4]) if last else 1
        rests = [last[1] if last else text]
    names = list(dict.fromkeys(name for rest in rests for name in _names_in(rest)))
    readings = [Reading(copies, name) for name in names]
    *_, shortest = _names_in(rests[0])
    whole = [Reading(1, text), Reading(1, line)]
    return WrittenCard(
        place,
        tuple(dict.fromkeys([*readings, *whole])),
        Reading(copies, shortest),
        is_counted=first is not None or last is not None,
        may_be_heading=may_be_heading,
    )


def _names_in(text: str) -> Iterator[str]:
    """Yield the names that a text without a number of copies may mean, the longest first."""
    yield text
    for pattern in (_COST_FIRST, _SET_LAST):
        match = pattern.fullmatch(text)
        if match is not None:
            text = match[1].strip()
            yield text


def _number(digits: str) -> int:
    return int(digits[: _DIGITS_MAX + 1])
