"""Checks of references within a pool: named ids, tribes and heroes must exist and be suitable."""

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
    """Raise an error if a pool refers to a missing card, tribe or hero, or to an unsuitable card.

    Args:
        cards: cards that decks may hold.
        tokens: cards that no deck may hold.
        heroes: id of each hero, with the id of the hero's power.
        coin: id of the card that the second player may get; `None` for a pool without a coin.

    Raises:
        InputError: a card has a kind that no deck may hold, or a reference is missing or
            unsuitable. Only the first problem is raised.
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
    """Yield the id and an error of each card with a kind or a reference that is not permitted.

    Errors for cards of a kind that no deck may hold come first, followed by the first error of each
    card or token with wrong references.

    Args:
        cards: cards that decks may hold.
        tokens: cards that no deck may hold.
        heroes: ids of the pool's heroes.
    """
    everything = (*cards, *tokens)
    kinds = {card.id: card.kind for card in everything}
    tribes = {card.tribe for card in everything if card.tribe}
    for card in cards:
        if card.kind not in PLAYABLE:
            yield (
                card.id,
                InputError(
                    f"no deck can hold a {card.kind}",
                    place=f"card {card.id!r}",
                    value=card.kind,
                    limit=PLAYABLE,
                    remedy="put it under [[token]]",
                ),
            )
    for card in everything:
        try:
            with error_place(f"card {card.id!r}"):
                _check_card(card, kinds, tribes, heroes)
        except InputError as error:
            yield card.id, error


def named_by(card: Card) -> set[str]:
    """Return the ids of other cards that a card names as options, in rows or in filters."""
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
    # The parser reads every unknown word in a filter as a tribe, so this finds misspelt filters.
    for tribe in sorted({group.tribe for group in groups if group.tribe} - tribes):
        raise unknown_word_error("filter", tribe, tribes)
    # Look the ids up one by one: building the set of all ids for each card takes quadratic time.
    without = {group.without for group in groups if group.without}
    for named in sorted(named for named in without if named not in kinds):
        raise unknown_word_error("card", named, kinds)
    if card.hero:
        known_word("hero", card.hero, heroes)


def _check_classes(everything: Sequence[Card]) -> None:
    """Refuse hero powers without the key `hero` if a card has a row with `of_enemy_hero`.

    The engine identifies the enemy's hero by the hero power alone.
    """
    asking = [card.id for card in everything if any(r.of_enemy_hero for r in card.effects)]
    for card in everything:
        if asking and card.kind == "power" and not card.hero:
            raise InputError(
                f"hero power {card.id!r} has no hero",
                place=f"card {asking[0]!r}: of_enemy_hero",
                value=card.id,
                remedy="give the power the key `hero`",
            )


def _check_named(
    named: str, possible: tuple[str, ...], kinds: dict[str, str], where: str, what: str
) -> None:
    """Raise an error if a named card is unknown or of a kind that is not permitted.

    Args:
        named: id to check.
        possible: permitted kinds; `()` permits every kind.
        kinds: kind of each known card by id.
        where: place of the reference in the error for a wrong kind.
        what: noun for the named thing in the error for an unknown id.

    Raises:
        InputError: `named` is not in `kinds`, or its kind is not in `possible`.
    """
    known_word(what, named, kinds)
    if possible and kinds[named] not in possible:
        needed = listed(possible, "or")
        raise InputError(
            f"{named!r} is of kind {kinds[named]}, but must be of kind {needed}",
            place=where,
            value=named,
            limit=possible,
        )


def _groups_of(card: Card) -> list[Group]:
    """Return all groups in a card's target, conditions and effect rows."""
    conditions = [card.needs, card.target_when, *(row.when for row in card.effects)]
    return [
        *([card.target] if card.target else []),
        *(clause.reading.group for condition in conditions for clause in condition.clauses),
        *(group for row in card.effects for group in (row.of, row.to)),
        *(row.times.group for row in card.effects if row.times),
    ]
