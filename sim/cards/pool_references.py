"""References between cards: each id, tribe and hero that a pool names must exist and fit."""

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
        cards: the cards that decks may hold.
        tokens: the cards that no deck may hold.
        heroes: id of each hero, with the id of its hero power.
        coin: id of the token that the second player may get; `None` for none.

    Raises:
        InputError: names the card or hero, the wrong word, and the permitted ones.
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
    """Yield an error for each card or token that is faulty or names something faulty, with its id.

    Args:
        cards: the cards that decks may hold.
        tokens: the cards that no deck may hold.
        heroes: ids of the heroes.
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
    """Return the ids of all other cards that a card's keys, rows and filters name."""
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
    # Any word in a filter that is no keyword, state or kind was read as a tribe.
    for tribe in sorted({group.tribe for group in groups if group.tribe} - tribes):
        raise unknown_word_error("filter", tribe, tribes)
    # Looked up one by one: a set difference with all ids for each card would take quadratic time.
    without = {group.without for group in groups if group.without}
    for named in sorted(named for named in without if named not in kinds):
        raise unknown_word_error("card", named, kinds)
    if card.hero:
        known_word("hero", card.hero, heroes)


def _check_classes(everything: Sequence[Card]) -> None:
    """Refuse hero powers without a hero where a card gives cards of the enemy's class.

    In a game the enemy's class is known from its hero power alone.
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
    """Refuse an id that is unknown, or of another kind than `possible`.

    Any kind is possible if none is given: a user's own action may name anything.
    """
    known_word(what, named, kinds)
    if possible and kinds[named] not in possible:
        needed = listed(possible, "or")
        raise InputError(
            f"{named!r} is of kind {kinds[named]}, must be of kind {needed}",
            place=where,
            value=named,
            limit=possible,
        )


def _groups_of(card: Card) -> list[Group]:
    """Return all groups that a card's keys and rows name."""
    conditions = [card.needs, card.target_when, *(row.when for row in card.effects)]
    return [
        *([card.target] if card.target else []),
        *(clause.reading.group for condition in conditions for clause in condition.clauses),
        *(group for row in card.effects for group in (row.of, row.to)),
        *(row.times.group for row in card.effects if row.times),
    ]
