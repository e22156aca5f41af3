"""Lexicon of a text: the names of cards and tribes that it may mention."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from sim.cards.card import Card
from sim.cards.pool import Pool
from sim.cards.reading.tokens import Token, words

_PLURALS = (("y", "ies"), ("f", "ves"), ("fe", "ves"), ("man", "men"))
"""Endings of singular nouns with irregular plurals, and the endings of these plurals."""


@dataclass(frozen=True)
class Lexicon:
    """Names that a text may mention.

    Attributes:
        cards: cards and tokens by id.
        tribes: tribes in addition to those of the cards.
        for_decks: ids of the cards that decks may hold, which random cards are drawn from.
        made_by: ids of the cards that a card is known to create, by its id; texts that leave out
            a name, or name several cards, mean these.
    """

    cards: Mapping[str, Card] = field(default_factory=dict)
    tribes: frozenset[str] = frozenset()
    for_decks: tuple[str, ...] = ()
    made_by: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @cached_property
    def names(self) -> dict[str, list[tuple[tuple[str, ...], str]]]:
        """Names of cards as words, with the card's id, by the first word; longest names first."""
        by_word: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        for card in self.cards.values():
            name_words = words(card.name)
            short = name_words[1:] if name_words[:1] == ("the",) else name_words
            for name in {name_words, short, *_plurals(short), words(card.id)}:
                if name:
                    by_word.setdefault(name[0], []).append((name, card.id))
        return {word: sorted(found, key=_longest_first) for word, found in by_word.items()}

    @cached_property
    def tribe_words(self) -> dict[str, str]:
        """Tribes by the words that name them, in the singular and the plural."""
        known = self.tribes | {card.tribe for card in self.cards.values() if card.tribe}
        pairs = {tribe.replace("_", " "): tribe for tribe in sorted(known)}
        plurals = {plural[0]: tribe for tribe in sorted(known) for plural in _plurals((tribe,))}
        return plurals | pairs

    def read_name(self, text: Sequence[Token], start: int) -> Iterator[tuple[int, Hashable]]:
        """Yield the end and the ids of each name of a card that begins at a token."""
        found: dict[int, list[str]] = {}
        for name, card_id in self.names.get(_word_at(text, start), ()):
            end = start + len(name)
            if tuple(token.word for token in text[start:end]) == name:
                ids = found.setdefault(end, [])
                if card_id not in ids:
                    ids.append(card_id)
        for end, ids in found.items():
            yield end, tuple(ids)

    def read_tribe(self, text: Sequence[Token], start: int) -> Iterator[tuple[int, Hashable]]:
        """Yield the end and the tribe of the word at a token, if it names a tribe."""
        if tribe := self.tribe_words.get(_word_at(text, start)):
            yield start + 1, tribe


def pool_lexicon(pool: Pool) -> Lexicon:
    """Return the lexicon of a pool's cards, tokens and tribes."""
    return Lexicon(
        {card.id: card for card in pool.everything},
        for_decks=tuple(card.id for card in pool.cards),
    )


def _plurals(name: Sequence[str]) -> Iterable[tuple[str, ...]]:
    *before, last = name or ("",)
    if last.isalpha():
        yield (*before, f"{last}s")
        yield (*before, f"{last}es")
        for one, many in _PLURALS:
            if last.endswith(one):
                yield (*before, f"{last.removesuffix(one)}{many}")


def _longest_first(entry: tuple[tuple[str, ...], str]) -> tuple[int, str]:
    return -len(entry[0]), entry[1]


def _word_at(text: Sequence[Token], start: int) -> str:
    return text[start].word if start < len(text) else ""
