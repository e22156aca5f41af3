"""What of a sheet rules do not allow, by the sheet's own cells, and the rules that would."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from sim import DECK_CAPACITY, Card, Pool, Ruleset
from sim.cards.pool import bound_numbers
from sim.cards.spreadsheet.deck_list import DeckList

_CHANGE_COSTS = ("cost", "discount", "mana", "crystals")
"""Actions by which a card may be played that costs more than the cap on mana."""


class Misfit(NamedTuple):
    """Something that rules do not allow.

    Attributes:
        problem: the place, the card or deck, the value and the limit.
        rule: a rule of the ruleset that would allow it, `copy_limit`; `""` where none would.
        value: what it would have to be.
    """

    problem: str
    rule: str
    value: int | tuple[int, int]


def card_misfits(
    pool: Pool, places: Mapping[str, str], rules: Ruleset, label: str
) -> Iterator[Misfit]:
    """Numbers of cards beyond the limits of rules, and cards that can never be played.

    Args:
        pool: the cards.
        places: where each stands, by id.
        rules: what is allowed.
        label: what the rules are called.
    """
    for card in pool.cards:
        for field, value in bound_numbers(card):
            kind = field.rpartition(".")[2].partition("_")[0]
            low, high = rules.limits.of(kind)
            if not low <= value <= high:
                bound = f"at least {low}" if value < low else f"at most {high}"
                yield Misfit(
                    f"{places[card.id]}: card {card.id!r}: {field} = {value} must be {bound} "
                    f"(limits.{kind} of {label})",
                    f"limits.{kind}",
                    (min(low, value), max(high, value)),
                )
    yield from _never_playable(pool.cards, pool, places, rules, label)


def _never_playable(
    cards: Sequence[Card], pool: Pool, places: Mapping[str, str], rules: Ruleset, label: str
) -> Iterator[Misfit]:
    """Cards that cost more than the mana that there ever is."""
    if any(row.do in _CHANGE_COSTS for card in pool.cards for row in card.effects):
        return
    coin = [token for token in pool.tokens if rules.coin and token.id == pool.coin]
    extra = sum(row.amount for token in coin for row in token.effects if row.do == "mana")
    for card in cards:
        if card.cost > rules.mana_max + extra:
            yield Misfit(
                f"{places[card.id]}: card {card.id!r}: cost = {card.cost} can never be paid, must "
                f"be at most {rules.mana_max} (mana_max of {label})",
                "mana_max",
                card.cost,
            )


def deck_misfits(
    deck: DeckList, pool: Pool, places: Mapping[str, str], rules: Ruleset, label: str
) -> Iterator[Misfit]:
    """Copies and sizes that rules do not allow, and cards of the deck that can never be played."""
    for card, copies in deck.cards.items():
        if copies > rules.copy_limit:
            yield Misfit(
                f"{deck.places[card]}: deck {deck.name!r}: card {card!r}: {copies} copies, must be "
                f"at most {rules.copy_limit} (copy_limit of {label})",
                "copy_limit",
                copies,
            )
    size = sum(deck.cards.values())
    if size > rules.deck_limit:
        fits = size <= DECK_CAPACITY
        yield Misfit(
            f"{deck.place}: deck {deck.name!r}: {size} cards, must be at most {rules.deck_limit} "
            f"(deck_limit of {label})" + f"; no rules allow more than {DECK_CAPACITY}" * (not fits),
            "deck_limit" if fits else "",
            size,
        )
    to_deal = max(rules.opening_hand)
    if rules.deck_out == "lose" and size < to_deal:
        yield Misfit(
            f"{deck.place}: deck {deck.name!r}: {size} cards, must be at least {to_deal} "
            f"(opening_hand of {label}), else the game would be lost while dealing",
            "",
            size,
        )
    held = [card for card in pool.cards if card.id in deck.cards]
    yield from _never_playable(held, pool, places, rules, label)


def rules_for(misfits: Sequence[Misfit]) -> dict[str, int | tuple[int, int]]:
    """The rules that would allow all of it, by their names."""
    found: dict[str, int | tuple[int, int]] = {}
    for _, rule, value in misfits:
        before = found.get(rule)
        if isinstance(value, tuple) and isinstance(before, tuple):
            found[rule] = (min(value[0], before[0]), max(value[1], before[1]))
        elif isinstance(value, int) and isinstance(before, int):
            found[rule] = max(value, before)
        elif rule:
            found[rule] = value
    return found
