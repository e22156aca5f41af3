"""Checks of a sheet's cards and decks against a ruleset, and the rules that would allow them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from sim import DECK_CAPACITY, Card, Pool, Ruleset
from sim.cards.pool import bound_numbers
from sim.cards.spreadsheet.deck_list import DeckList
from sim.errors import InputError

_CHANGE_COSTS = ("cost", "discount", "mana", "crystals")
"""Actions that can make a card playable though its printed cost is above the cap on mana."""


class Misfit(NamedTuple):
    """Something in a sheet that a ruleset does not allow.

    Attributes:
        error: names the place in the sheet, the card or deck, the value and the limit.
        rule: name of the rule that would allow it with another value, such as `copy_limit`; `""` if
            no ruleset can allow it.
        value: the least change of that rule: its new value, or its new range.
    """

    error: InputError
    rule: str
    value: int | tuple[int, int]

    @property
    def problem(self) -> str:
        """The message of the error."""
        return str(self.error)


def card_misfits(
    pool: Pool, places: Mapping[str, str], rules: Ruleset, label: str
) -> Iterator[Misfit]:
    """Yield an error for each card number beyond the limits of a ruleset, and each unplayable card.

    Args:
        pool: the cards.
        places: place of each card in the sheet, by id.
        rules: the ruleset.
        label: name of the ruleset in messages.
    """
    for card in pool.cards:
        for field, value in bound_numbers(card):
            kind = field.rpartition(".")[2].partition("_")[0]
            low, high = rules.limits.of(kind)
            if not low <= value <= high:
                bound = f"at least {low}" if value < low else f"at most {high}"
                yield Misfit(
                    InputError(
                        f"{value} must be {bound} (limits.{kind} of {label})",
                        place=f"{places[card.id]}: card {card.id!r}: {field}",
                        value=value,
                        limit=low if value < low else high,
                        separator=" = ",
                    ),
                    f"limits.{kind}",
                    (min(low, value), max(high, value)),
                )
    yield from _never_playable(pool.cards, pool, places, rules, label)


def _never_playable(
    cards: Sequence[Card], pool: Pool, places: Mapping[str, str], rules: Ruleset, label: str
) -> Iterator[Misfit]:
    """Yield an error for each card that costs more than all mana that a player can ever have."""
    # One card that changes costs or mana may make any other playable, so nothing can be said.
    if any(row.do in _CHANGE_COSTS for card in pool.cards for row in card.effects):
        return
    coin = [token for token in pool.tokens if rules.coin and token.id == pool.coin]
    extra = sum(row.amount for token in coin for row in token.effects if row.do == "mana")
    for card in cards:
        if card.cost > rules.mana_max + extra:
            yield Misfit(
                InputError(
                    f"{card.cost} can never be paid, must be at most {rules.mana_max} "
                    f"(mana_max of {label})",
                    place=f"{places[card.id]}: card {card.id!r}: cost",
                    value=card.cost,
                    limit=rules.mana_max,
                    separator=" = ",
                ),
                "mana_max",
                card.cost,
            )


def deck_misfits(
    deck: DeckList, pool: Pool, places: Mapping[str, str], rules: Ruleset, label: str
) -> Iterator[Misfit]:
    """Yield an error for each count or size that a ruleset forbids, and each unplayable card.

    Args:
        deck: the deck.
        pool: the cards that it may hold.
        places: place of each card in the sheet, by id.
        rules: the ruleset.
        label: name of the ruleset in messages.
    """
    for card, copies in deck.cards.items():
        if copies > rules.copy_limit:
            yield Misfit(
                InputError(
                    f"{copies} copies, must be at most {rules.copy_limit} (copy_limit of {label})",
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
                f"{size} cards, must be at most {rules.deck_limit} (deck_limit of {label})",
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
                f"{size} cards, must be at least {n_dealt} (opening_hand of {label}), else the "
                "game would be lost while dealing",
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
    """Return the rules that would together allow all misfits, with their least changed values."""
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
