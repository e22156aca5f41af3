"""What the cards and heroes of a pool name: it is there, and it is what it is named for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sim.cards.card import Card
from sim.cards.notation import Group
from sim.cards.vocabulary import PLAYABLE
from sim.errors import InputError, error_place, known_word, listed, unknown_word_error


def check_names(
    cards: Sequence[Card],
    tokens: Sequence[Card],
    heroes: Sequence[tuple[str, str]],
    coin: str | None,
) -> None:
    """Refuse a pool in which something named is missing, or of a kind that cannot stand there.

    Args:
        cards: those that decks may hold.
        tokens: the others.
        heroes: id and power of each.
        coin: the token that the second player may get.

    Raises:
        InputError: names the card or hero, what it names, and what it could have named.
    """
    everything = (*cards, *tokens)
    kinds = {card.id: card.kind for card in everything}
    for _, fault in faults_of_cards(cards, tokens, [hero for hero, _ in heroes]):
        raise fault
    for hero, power in heroes:
        _check_named(power, ("power",), kinds, f"hero {hero!r}: power", "power")
    _check_classes(everything)
    if coin is not None:
        _check_named(coin, PLAYABLE, kinds, "coin", "coin")


def faults_of_cards(
    cards: Sequence[Card], tokens: Sequence[Card], heroes: Sequence[str]
) -> Iterator[tuple[str, InputError]]:
    """The ids of cards and tokens that are wrong or name something wrong, and what is wrong."""
    everything = (*cards, *tokens)
    kinds = {card.id: card.kind for card in everything}
    tribes = {card.tribe for card in everything if card.tribe}
    for card in cards:
        if card.kind not in PLAYABLE:
            told = f"card {card.id!r}: no deck can hold a {card.kind}; it is a [[token]]"
            yield card.id, InputError(told)
    for card in everything:
        try:
            with error_place(f"card {card.id!r}"):
                _check_card(card, kinds, tribes, heroes)
        except InputError as error:
            yield card.id, error


def named_by(card: Card) -> set[str]:
    """The ids of all other cards that a card's keys, rows and filters name."""
    in_rows = {named for row in card.effects for named in row.cards}
    in_filters = {group.without for group in _groups_of(card) if group.without}
    return {*card.options, *in_rows, *in_filters} - {card.id}


def _check_card(card: Card, kinds: dict[str, str], tribes: set[str], heroes: Sequence[str]) -> None:
    for named in card.options:
        _check_named(named, ("option",), kinds, "options", "card")
    for number, row in enumerate(card.effects, start=1):
        for named in row.cards:
            _check_named(named, row.action.brings, kinds, f"effects #{number}: {row.do}", "card")
    groups = _groups_of(card)
    for tribe in sorted({group.tribe for group in groups if group.tribe} - tribes):
        raise unknown_word_error("filter", tribe, tribes)
    # Looked up one by one: a set of all ids for each card would take time by the square.
    without = {group.without for group in groups if group.without}
    for named in sorted(named for named in without if named not in kinds):
        raise unknown_word_error("card", named, kinds)
    if card.hero:
        known_word("hero", card.hero, heroes)


def _check_classes(everything: Sequence[Card]) -> None:
    """Who asks for cards of the enemy's class knows it by the hero power."""
    asking = [card.id for card in everything if any(r.of_enemy_hero for r in card.effects)]
    for card in everything:
        if asking and card.kind == "power" and not card.hero:
            raise InputError(
                f"card {asking[0]!r}: of_enemy_hero: power {card.id!r} does not say whose it is "
                f"(hero = ...)"
            )


def _check_named(
    named: str, possible: tuple[str, ...], kinds: dict[str, str], where: str, what: str
) -> None:
    """Refuse an id that is unknown, or of another kind than `possible`.

    Any kind is possible if none is given: a user's own action may name anything.
    """
    known_word(what, named, kinds)
    if possible and kinds[named] not in possible:
        needed = listed(possible, "or")
        raise InputError(f"{where}: {named!r} is of kind {kinds[named]}; needs {needed}")


def _groups_of(card: Card) -> list[Group]:
    """All groups that a card's keys and rows name."""
    conditions = [card.needs, card.target_when, *(row.when for row in card.effects)]
    return [
        *([card.target] if card.target else []),
        *(clause.reading.group for condition in conditions for clause in condition.clauses),
        *(group for row in card.effects for group in (row.of, row.to)),
        *(row.times.group for row in card.effects if row.times),
    ]
