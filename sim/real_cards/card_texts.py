"""Real cards of all sets as their English texts describe them.

The cards of the pool of real cards have effect rows of our own, which were compared with published
rulings. Those here are drafts: their rows are read from the texts of the installed card file, and
a person should compare them with the text before a result depends on them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property

from sim.cards.card import Card
from sim.cards.pool import Pool
from sim.cards.reading.card_maker import card_with_text
from sim.cards.reading.lexicon import Lexicon
from sim.errors import InputError
from sim.files.validation import validate
from sim.real_cards.card_definitions import COST, SECRET, TRIBES, Definition, read_definitions
from sim.real_cards.hearthstone import keywords_of, printed_numbers, real_pool

_KINDS = ("minion", "spell", "weapon")


@dataclass(frozen=True)
class DraftedCards:
    """Cards with rows that are read from their texts.

    Attributes:
        definitions: entries of the card file by id.
        faults: reason why a card's text is not read, by its id.
    """

    definitions: Mapping[str, Definition]
    faults: dict[str, InputError] = field(default_factory=dict)

    @cached_property
    def bare(self) -> dict[str, Card]:
        """Every card of the file without its text, by id."""
        cards: dict[str, Card] = {}
        for card_id, entry in self.definitions.items():
            if entry.kind in (*_KINDS, "power"):
                with suppress(InputError):  # helpers of the original game without name or health
                    cards[card_id] = _bare_card(card_id, entry)
        return cards

    @cached_property
    def collectible(self) -> tuple[str, ...]:
        """Ids of the minions, spells and weapons that players can own, of all sets."""
        return tuple(
            card_id
            for card_id, card in self.bare.items()
            if card.kind != "power" and self.definitions[card_id].is_ownable
        )

    @cached_property
    def lexicon(self) -> Lexicon:
        """Names that texts may mention; tokens have ids that begin with those of their cards."""
        made_by: dict[str, list[str]] = {}
        for card_id in sorted(self.bare):
            for length in range(1, len(card_id)):
                if card_id[:length] in self.bare:
                    made_by.setdefault(card_id[:length], []).append(card_id)
        made = {card_id: tuple(tokens) for card_id, tokens in made_by.items()}
        return Lexicon(self.bare, frozenset(TRIBES.values()), self.collectible, made)

    def text(self, card_id: str) -> str:
        """Return the English text of a card."""
        return self.definitions[card_id].text

    def read(self, card_id: str) -> tuple[Card, ...]:
        """Return a card with the rows of its text, and the tokens that the text brings.

        Raises:
            InputError: the text is not understood.
        """
        return card_with_text(self.bare[card_id], self.text(card_id), self.lexicon)

    def read_all(self) -> dict[str, tuple[Card, ...]]:
        """Read all collectible cards; see `faults` for those that are not read.

        Returns:
            The card and its tokens, by the card's id.
        """
        read: dict[str, tuple[Card, ...]] = {}
        for card_id in self.collectible:
            try:
                read[card_id] = self.read(card_id)
            except InputError as error:
                self.faults[card_id] = error
        return read


def drafted_cards() -> DraftedCards:
    """Return the cards of the installed card file, to be read from their texts.

    Raises:
        InputError: the package `hearthstone_data` is missing, has another version, or is damaged.
    """
    return DraftedCards(read_definitions())


def drafted_pool(name: str, drafts: DraftedCards) -> Pool:
    """Return the real cards together with all further cards that are read from their texts.

    Random cards are drawn from the cards of the pool. A card is left out if it creates a token of
    which the text is not read, or if no card that it could create is in the pool. Cards with rows
    of our own keep them.

    Args:
        name: name of the pool.
        drafts: the cards of the card file.

    Raises:
        InputError: see `drafted_cards`.
    """
    shipped = real_pool()
    known = {card.id for card in shipped.everything}
    drafted: dict[str, tuple[Card, ...]] = {}
    for card_id, (card, *brought) in drafts.read_all().items():
        if card_id in known:
            continue
        try:
            drafted[card_id] = (card, *brought, *_tokens((card, *brought), drafts, known))
        except InputError as error:
            drafts.faults[card_id] = error
    kept = _with_cards_in_reach(drafted, known)
    tokens = {token.id: token for cards in kept.values() for token in cards[1:]}
    further = [token for token_id, token in tokens.items() if token_id not in {*known, *kept}]
    content = {
        "name": name,
        "card": [*shipped.cards, *(cards[0] for cards in kept.values())],
        "token": [*shipped.tokens, *further],
        "hero": shipped.heroes,
        "coin": shipped.coin,
    }
    return validate(Pool, content, source=name)


def _tokens(cards: Sequence[Card], drafts: DraftedCards, known: Set[str]) -> list[Card]:
    """Return the tokens that cards create, directly or through others, if they are not known.

    Raises:
        InputError: the text of one of them is not read.
    """
    seen = {*known, *drafts.collectible, *(card.id for card in cards)}
    tokens: list[Card] = []
    waiting = list(cards)
    while waiting:
        for created_id in (name for row in waiting.pop().effects for name in row.cards):
            if created_id not in seen:
                created = drafts.read(created_id)
                seen |= {card.id for card in created}
                tokens += created
                waiting += created
    return tokens


def _with_cards_in_reach(
    drafted: Mapping[str, tuple[Card, ...]], known: Set[str]
) -> dict[str, tuple[Card, ...]]:
    """Return the drafted cards that can be created, with rows that create no others.

    Leaving out a card may leave another one without a card to create, so this is repeated.
    """
    kept = dict(drafted)
    while True:
        there = {*known, *(card.id for cards in kept.values() for card in cards)}
        within = {
            card_id: limited
            for card_id, cards in kept.items()
            if (limited := _limited(cards, there)) is not None
        }
        if within.keys() == kept.keys():
            return within
        kept = {card_id: kept[card_id] for card_id in within}


def _limited(cards: Sequence[Card], there: Set[str]) -> tuple[Card, ...] | None:
    """Return cards with rows that create only cards that are there; `None` if a row has none."""
    limited = []
    for card in cards:
        rows = []
        for row in card.effects:
            ids = tuple(name for name in row.cards if name in there)
            is_unknown = row.to.without not in {"", *there}
            if is_unknown or (row.cards and not ids):
                return None
            rows.append(row.model_copy(update={"cards": ids}) if ids != row.cards else row)
        limited.append(card.model_copy(update={"effects": tuple(rows)}))
    return tuple(limited)


def _bare_card(card_id: str, entry: Definition) -> Card:
    kind = "secret" if SECRET in entry.tags and entry.kind == "spell" else entry.kind
    data = {
        "id": card_id,
        "name": entry.name,
        "kind": kind,
        "cost": max(entry.tags.get(COST, 0), 0),
        **printed_numbers(entry, kind),
        "hero": entry.hero if kind != "power" else "",
        "tribe": entry.tribe if kind == "minion" else "",
        "keywords": keywords_of(entry) if kind in ("minion", "weapon") else [],
    }
    return validate(Card, data, source=f"card {card_id!r} of the card file")
