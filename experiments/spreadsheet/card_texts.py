"""Reading of a sheet's column of card texts: effects from sentences in English."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from experiments.spreadsheet.card_rows import CardRows
from experiments.spreadsheet.columns import Header
from experiments.spreadsheet.sheet import Sheet
from experiments.spreadsheet.words import plain_words
from sim import Card
from sim.cards.reading.card_maker import card_with_text
from sim.cards.reading.lexicon import Lexicon
from sim.cards.text.card_text import card_lines
from sim.errors import InputError, Problems

TEXT = "text"
"""Meaning of a column of card texts, for the table of the sheet's columns."""

_TITLES = (TEXT, "card text", "rules text", "rule text")
"""Titles of columns that are read as card texts, in the form of `plain_words`."""

# Fewer texts than this share that are understood are no rules texts in English: they are flavour,
# or in another language. Chosen by hand: sheets of trials had either all or hardly any.
_SHARE_READ = 0.5


class ReadText(NamedTuple):
    """Text of a card as it was understood.

    Attributes:
        card: name of the card.
        says: what was understood, in the words that texts of cards are printed in.
    """

    card: str
    says: str


@dataclass(frozen=True)
class CardTexts:
    """Cards of a sheet with the effects of their texts.

    Attributes:
        cards: each card, by row number.
        tokens: cards that the texts create: options, and texts that rows attach.
        read: texts that were understood, in the order of the sheet.
        remarks: remarks for the designer, one line each.
        title: title of the column that was read; `""` if none was.
    """

    cards: dict[int, Card]
    tokens: list[Card] = field(default_factory=list)
    read: tuple[ReadText, ...] = ()
    remarks: tuple[str, ...] = ()
    title: str = ""

    @property
    def token_ids(self) -> set[str]:
        """Ids of the cards that the texts create."""
        return {token.id for token in self.tokens}


NO_TEXTS = CardTexts({})
"""Result for a sheet without a column of texts."""


def read_card_texts(
    sheet: Sheet,
    header: Header,
    rows: CardRows,
    tokens: Sequence[Card],
    notes: Collection[str],
    problems: Problems,
) -> CardTexts:
    """Read the texts of the cards that have no effects in the sheet.

    Args:
        sheet: sheet with the cards.
        header: row of titles of the sheet.
        rows: cards of the sheet.
        tokens: cards that the texts may name in addition to those of the sheet.
        notes: titles of columns that the designer declared as notes.
        problems: collector to which texts are added that are not understood.
    """
    declared = {plain_words(title) for title in notes}
    titles = [
        column.title
        for column in header.columns
        if column.sort == "note" and plain_words(column.title) in {*_TITLES} - declared
    ]
    if not titles:
        return CardTexts(rows.cards)
    return _Column(sheet, header, titles[0], rows.cards, tokens).read(problems)


class _Column:
    """Column of texts of a sheet."""

    def __init__(
        self,
        sheet: Sheet,
        header: Header,
        title: str,
        cards: Mapping[int, Card],
        tokens: Sequence[Card],
    ) -> None:
        self._sheet = sheet
        self._title = title
        self._at = [column.title for column in header.columns].index(title)
        self._cards = cards
        known = {card.id: card for card in (*cards.values(), *tokens)}
        self._names = {card.id: card.name for card in known.values()}
        self._lexicon = Lexicon(known, for_decks=tuple(card.id for card in cards.values()))

    def read(self, problems: Problems) -> CardTexts:
        """Read all texts; see `read_card_texts`."""
        read: dict[int, tuple[Card, ...]] = {}
        faults: dict[int, InputError] = {}
        for row, card in self._with_texts():
            try:
                read[row] = card_with_text(card, card.notes[self._title], self._lexicon)
            except InputError as error:
                faults[row] = error
        open_rows = [row for row, card in self._with_texts() if not _has_effects(card)]
        understood = [row for row in open_rows if row in read]
        if len(understood) < _SHARE_READ * len(open_rows):
            return CardTexts(dict(self._cards), remarks=(self._kept_as_note(faults),))
        for row in open_rows:
            if row in faults:
                self._report(row, faults[row], problems)
        changed = {row: read[row] for row in understood}
        return CardTexts(
            {**self._cards, **{row: cards[0] for row, cards in changed.items()}},
            [token for _, *tokens in changed.values() for token in tokens],
            tuple(self._understood(cards) for cards in changed.values()),
            tuple(self._differing(read)),
            self._title,
        )

    def _with_texts(self) -> Iterator[tuple[int, Card]]:
        for row, card in self._cards.items():
            if card.notes.get(self._title):
                yield row, card

    def _kept_as_note(self, faults: Mapping[int, InputError]) -> str:
        row, fault = next(iter(faults.items()))
        return (
            f"column {self._title!r} is kept as a note: {len(faults)} of its texts are not read as "
            f"rules in English, such as that of {self._cards[row].name!r}: {fault}"
        )

    def _report(self, row: int, fault: InputError, problems: Problems) -> None:
        problems.add(
            f"text: {fault.problem}",
            place=f"{self._sheet.place(row, self._at)}: card {self._cards[row].id!r}",
            value=fault.value,
            limit=fault.limit,
            remedy=fault.remedy
            or f"write it in other words (docs/card_texts.md), or add --note {self._title!r}",
        )

    def _understood(self, cards: Sequence[Card]) -> ReadText:
        names = self._names | {card.id: card.name for card in cards}
        main, *tokens = cards
        says = [" ".join(card_lines(main, names)), *(_token_text(each, names) for each in tokens)]
        return ReadText(main.name, " / ".join(says))

    def _differing(self, read: Mapping[int, Sequence[Card]]) -> Iterator[str]:
        """Yield a remark on the cards with effects that differ from those of their text."""
        names = [
            self._cards[row].name
            for row, (card, *_) in read.items()
            if _has_effects(self._cards[row]) and card.effects != self._cards[row].effects
        ]
        if names:
            shown = ", ".join(map(repr, names[:3])) + (" ..." if len(names) > 3 else "")
            yield (
                f"{len(names)} cards have effects that differ from their text, and the effects "
                f"stand: {shown}"
            )


def _has_effects(card: Card) -> bool:
    return bool(card.effects or card.options or card.target)


def _token_text(token: Card, names: Mapping[str, str]) -> str:
    """Return the text of a token, after its numbers and name if it has numbers."""
    text = " ".join(card_lines(token, names))
    second = {"minion": token.health, "weapon": token.durability}.get(token.kind)
    if second is None:
        return text
    body = f"{token.attack}/{second} {token.name}"
    return f"{body}: {text}" if text else body
