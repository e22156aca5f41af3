"""Checks of a sheet's cards and decks against a ruleset, and rules that would allow the misfits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from experiments.spreadsheet.deck_list import DeckList
from sim import DECK_CAPACITY, Card, Pool, Ruleset
from sim.cards.pool import bound_numbers
from sim.errors import InputError
from sim.value_error import value_error

_CHANGE_COSTS = ("cost", "discount", "mana", "crystals")
"""Actions that can make a card playable although its printed cost exceeds the maximum of mana."""


class Misfit(NamedTuple):
    """Violation of a ruleset by a card or deck of a sheet, and the rule that would allow it.

    Attributes:
        error: error with the place in the sheet, the card or deck, the value and the limit.
        rule: name of the rule that would have to change, such as `copy_limit`; `""` if no ruleset
            can allow the misfit.
        value: nearest value or range of that rule that allows the misfit; meaningless if `rule` is
            `""`.
    """

    error: InputError
    rule: str
    value: int | tuple[int, int]

    @property
    def problem(self) -> str:
        """Message of the error, with its place."""
        return str(self.error)


def card_misfits(
    pool: Pool, places: Mapping[str, str], rules: Ruleset, label: str
) -> Iterator[Misfit]:
    """Yield a misfit for each number of a card outside a ruleset's limits and each unplayable card.

    Args:
        pool: pool of the sheet; its tokens are not checked.
        places: place of each card in the sheet, by id.
        rules: ruleset with the limits.
        label: name of the ruleset in messages.
    """
    for card in pool.cards:
        for field, value in bound_numbers(card):
            # `tunable.cost` has the limits of `cost`, and `amount_2` those of `amount`.
            kind = field.rpartition(".")[2].partition("_")[0]
            low, high = rules.limits.of(kind)
            if not low <= value <= high:
                bound = f"at least {low}" if value < low else f"at most {high}"
                yield Misfit(
                    value_error(
                        f"{places[card.id]}: card {card.id!r}: {field}",
                        value,
                        f"must be {bound} (limits.{kind} of {label})",
                        limit=low if value < low else high,
                    ),
                    f"limits.{kind}",
                    (min(low, value), max(high, value)),
                )
    yield from _never_playable(pool.cards, pool, places, rules, label)


def _never_playable(
    cards: Sequence[Card], pool: Pool, places: Mapping[str, str], rules: Ruleset, label: str
) -> Iterator[Misfit]:
    """Yield a misfit for each card that costs more than the maximum mana plus the coin's mana.

    Yield nothing if a card of the pool has an action that changes costs or mana.
    """
    # A single card that changes costs or mana may make every other card playable.
    if any(row.do in _CHANGE_COSTS for card in pool.cards for row in card.effects):
        return
    coin = [token for token in pool.tokens if rules.coin and token.id == pool.coin]
    extra = sum(row.amount for token in coin for row in token.effects if row.do == "mana")
    for card in cards:
        if card.cost > rules.mana_max + extra:
            yield Misfit(
                value_error(
                    f"{places[card.id]}: card {card.id!r}: cost",
                    card.cost,
                    f"can never be paid: it must be at most {rules.mana_max} (mana_max of {label})",
                    limit=rules.mana_max,
                ),
                "mana_max",
                card.cost,
            )


def deck_misfits(
    deck: DeckList, pool: Pool, places: Mapping[str, str], rules: Ruleset, label: str
) -> Iterator[Misfit]:
    """Yield a misfit for each number of copies, deck size or unplayable card that breaks the rules.

    Args:
        deck: deck to check.
        pool: pool with the deck's cards.
        places: place of each card in the sheet, by id.
        rules: ruleset with the limits.
        label: name of the ruleset in messages.
    """
    for card, copies in deck.cards.items():
        if copies > rules.copy_limit:
            yield Misfit(
                InputError(
                    f"{copies} copies, but the limit is {rules.copy_limit} (copy_limit of {label})",
                    place=f"{deck.places[card]}: deck {deck.name!r}: card {card!r}",
                    value=copies,
                    limit=rules.copy_limit,
                ),
                "copy_limit",
                copies,
            )
    place = f"{deck.place}: deck {deck.name!r}"
    size = sum(deck.cards.values())
    if size > rules.deck_limit:
        is_possible = size <= DECK_CAPACITY
        yield Misfit(
            InputError(
                f"{size} cards, but the limit is {rules.deck_limit} (deck_limit of {label})",
                place=place,
                value=size,
                limit=rules.deck_limit,
                remedy="" if is_possible else f"no ruleset allows more than {DECK_CAPACITY}",
            ),
            "deck_limit" if is_possible else "",
            size,
        )
    n_dealt = max(rules.opening_hand)
    if rules.deck_out == "lose" and size < n_dealt:
        yield Misfit(
            InputError(
                f"{size} cards, but must have at least {n_dealt} (opening_hand of {label}), or "
                "the game is lost while the cards are dealt",
                place=place,
                value=size,
                limit=n_dealt,
            ),
            "",
            size,
        )
    held = [card for card in pool.cards if card.id in deck.cards]
    yield from _never_playable(held, pool, places, rules, label)


def rules_for(misfits: Sequence[Misfit]) -> dict[str, int | tuple[int, int]]:
    """Return the new values of rules, by name, that allow all misfits which a rule can allow.

    Several misfits of one rule give the largest value, or the smallest range that covers them all.
    """
    rules: dict[str, int | tuple[int, int]] = {}
    for _, rule, value in misfits:
        before = rules.get(rule)
        if isinstance(value, tuple) and isinstance(before, tuple):
            rules[rule] = (min(value[0], before[0]), max(value[1], before[1]))
        elif isinstance(value, int) and isinstance(before, int):
            rules[rule] = max(value, before)
        elif rule:
            rules[rule] = value
    return rules
