"""Reading of a card's text: effect rows, target and keywords, or the words not understood."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import partial
from typing import Any

from sim.cards.card import Card
from sim.cards.notation import Bounds, Group, Reading, read_condition, read_group, read_measure
from sim.cards.reading.assembly import Assembly, assembled
from sim.cards.reading.grammar import grammar
from sim.cards.reading.group_rules import KEYWORDS
from sim.cards.reading.lexicon import Lexicon
from sim.cards.reading.matcher import Matcher, Terminal
from sim.cards.reading.tokens import Token, plain_signs, tokens
from sim.cards.vocabulary import REMARKS
from sim.cards.written import written_bounds, written_group, written_reading
from sim.errors import InputError
from sim.files.limits import too_many_error
from sim.files.validation import validate

_REMARK = re.compile(r"\((?!\s*\d+\s*\))([^()]*)\)")
"""Parentheses, except those of a number."""

_RESTATED = re.compile(r"[+-]\d+ attack ?[/,] ?[+-]\d+ health", re.IGNORECASE)
"""Numbers of a bonus that published texts say once more in parentheses."""

_NEAR = 0.8  # similarity of a misspelt word; lower values suggest words of other meaning
_TITLE_MAX = 3  # words of a name that the pool does not have; longer ones swallow sentences
_NO_TITLES = frozenset(word for words, _ in KEYWORDS for word in words.split())
_WORDS_MAX = 400  # the longest published text has about 60; each one adds to the recursion
_MEANINGS_MAX = 200  # each is assembled and validated; published texts have at most a few
_DIGITS_MAX = 6  # the numbers of cards are at most 1000; longer ones may not fit into rows
_N_SHOWN = 3  # words of the part that is not understood; enough to find it in the text
_NUMBERS = dict(
    zip(
        ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
        range(11),
        strict=True,
    )
)


@dataclass(frozen=True)
class CardReading:
    """Meaning of a card's text.

    Attributes:
        keys: keys of the card that the text says, as in `sim.cards.card.Card`.
        options: meanings of the two options, if the text has them.
        attached: meanings of the texts that rows attach to cards, by the ids of these attachments.
        created: keys of the cards that the text creates and the pool does not have, by their ids.
    """

    keys: dict[str, Any]
    options: tuple[CardReading, ...] = ()
    attached: dict[str, CardReading] = field(default_factory=dict)
    created: dict[str, dict[str, Any]] = field(default_factory=dict)


def read_card_text(
    text: str, kind: str, lexicon: Lexicon, card_id: str = "it"
) -> list[CardReading]:
    """Return the different meanings of a card's text; usually there is one.

    Args:
        text: text of the card in English, without its name and printed numbers.
        kind: kind of the card.
        lexicon: names of cards and tribes that the text may mention.
        card_id: id of the card, which the ids of attached texts begin with.

    Raises:
        InputError: the text is not understood; the error names the first words that are not.
    """
    meanings = _meanings(plain_signs(text), lexicon)
    found: list[CardReading] = []
    problems: list[InputError] = []
    for items in meanings:
        try:
            reading = _reading(assembled(items, kind, lexicon, card_id))
            _check(reading, kind)
        except InputError as error:
            problems.append(error)
            continue
        if reading not in found:
            found.append(reading)
    if not found:
        raise problems[0]
    return found


def _meanings(text: str, lexicon: Lexicon) -> list[Any]:
    """Return the sentences of a text, once for each way to read it.

    Remarks in parentheses are skipped: those that are printed with cards, and numbers that are said
    once more. The words in other parentheses belong to the text.

    Raises:
        InputError: the text is not understood.
    """
    terminals = _terminals(lexicon)
    plain = _REMARK.sub(_without_remark, text)
    words = tokens(plain)
    if len(words) > _WORDS_MAX:
        raise too_many_error(len(words), "words and signs", _WORDS_MAX)
    matcher = Matcher(grammar(), terminals, words)
    if meanings := matcher.whole("card"):
        if len(meanings) > _MEANINGS_MAX:
            raise too_many_error(len(meanings), "meanings", _MEANINGS_MAX).with_fields(
                remedy="write shorter sentences"
            )
        return list(meanings)
    traced = Matcher(grammar(), terminals, words, is_traced=True)
    traced.whole("card")
    raise _not_understood(plain, words, traced)


def _without_remark(match: re.Match[str]) -> str:
    """Return spaces instead of a remark, and the words of other parentheses without them."""
    inside = match[1].strip()
    is_remark = inside in REMARKS or _RESTATED.fullmatch(inside) is not None
    return " " * len(match[0]) if is_remark else f" {match[1]} "


def _check(reading: CardReading, kind: str) -> None:
    """Validate the card of a meaning, and replace its rows by the validated ones.

    Raises:
        InputError: the card is not permitted, for example since a row has nothing to act on.
    """
    for option in reading.options:
        _check(option, "option")
    for attached in reading.attached.values():
        _check(attached, "attachment")
    numbers = {
        "minion": {"attack": 1, "health": 1},
        "weapon": {"attack": 1, "durability": 1},
    }.get(kind, {})
    data = {"id": "it", "name": "It", "kind": kind, "cost": 0, **numbers, **reading.keys}
    card = validate(Card, data, source="the text")
    reading.keys["effects"] = card.effects


def _reading(assembly: Assembly) -> CardReading:
    rows = ({key: _written(value) for key, value in row.items()} for row in assembly.rows)
    return CardReading(
        {
            **{key: _written(value) for key, value in assembly.keys.items()},
            "effects": tuple(rows),
        },
        tuple(_reading(option) for option in assembly.options),
        {card_id: _reading(attached) for card_id, attached in assembly.attached.items()},
        assembly.created,
    )


def _written(value: Any) -> Any:
    """Return notation as files spell it, read again so that its limits are checked.

    Other values are returned unchanged.

    Raises:
        InputError: files could not have the notation, such as a filter for cards in a deck.
    """
    match value:
        case Group():
            text = written_group(value).text
            return replace(read_group(text), text=text)
        case Reading():
            text = written_reading(value).text
            return replace(read_measure(text), text=text)
        case Bounds():
            text = written_bounds(value).text
            return replace(read_condition(text), text=text)
    return value


def _not_understood(text: str, words: Sequence[Token], matcher: Matcher) -> InputError:
    """Return the error that names the first words that are not understood, and what is near."""
    if matcher.farthest >= len(words):
        return InputError("the text ends in the middle of a sentence", value=text)
    first = words[matcher.farthest]
    last = words[min(matcher.farthest + _N_SHOWN, len(words)) - 1]
    shown = text[first.start : last.end]
    nearest = get_close_matches(first.word, sorted(matcher.expected), 1, _NEAR)
    near = f"; did you mean {nearest[0]!r}?" if nearest else ""
    is_name = text[first.start].isupper() and matcher.farthest > 0
    remedy = "a card or tribe must be one of the pool" if is_name and not near else ""
    return InputError(f"the words {shown!r} are not understood{near}", value=shown, remedy=remedy)


def _terminals(lexicon: Lexicon) -> dict[str, Terminal]:
    heroes = {card.hero for card in lexicon.cards.values() if card.hero}

    def hero(text: Sequence[Token], start: int) -> Iterator[tuple[int, str]]:
        if start < len(text) and text[start].word in heroes:
            yield start + 1, text[start].word

    return {
        "number": _number,
        "few": _few,
        "name": lexicon.read_name,
        "tribe": lexicon.read_tribe,
        "hero": hero,
        "one_card": partial(_one_card, lexicon),
        "nameless_tribe": partial(_nameless_tribe, lexicon),
        "title": partial(_title, lexicon),
    }


def _number(text: Sequence[Token], start: int) -> Iterator[tuple[int, int]]:
    word = text[start].word if start < len(text) else ""
    if word.isascii() and word.isdecimal() and len(word) <= _DIGITS_MAX:
        yield start + 1, int(word)
    elif word in _NUMBERS:
        yield start + 1, _NUMBERS[word]


def _few(text: Sequence[Token], start: int) -> Iterator[tuple[int, int]]:
    yield from _number(text, start)
    if start < len(text) and text[start].word in ("a", "an"):
        yield start + 1, 1


def _one_card(
    lexicon: Lexicon, text: Sequence[Token], start: int
) -> Iterator[tuple[int, Hashable]]:
    """Yield the end and the ids of the name of a card that is not the name of a tribe too."""
    tribes = {end for end, _ in lexicon.read_tribe(text, start)}
    yield from (found for found in lexicon.read_name(text, start) if found[0] not in tribes)


def _nameless_tribe(
    lexicon: Lexicon, text: Sequence[Token], start: int
) -> Iterator[tuple[int, Hashable]]:
    """Yield the end and the tribe of a word that is not the name of a card too."""
    if not any(lexicon.read_name(text, start)):
        yield from lexicon.read_tribe(text, start)


def _title(lexicon: Lexicon, text: Sequence[Token], start: int) -> Iterator[tuple[int, str]]:
    """Yield the end of a name that the pool does not have: one to three words with capitals."""
    if any(lexicon.read_name(text, start)):
        return
    for end in range(start + 1, min(start + _TITLE_MAX, len(text)) + 1):
        word = text[end - 1]
        if not word.is_capital or word.word in lexicon.tribe_words or word.word in _NO_TITLES:
            return
        yield end, " ".join(token.word for token in text[start:end])
