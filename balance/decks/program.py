"""Integer programs for legal decks: random decks, and the conflict of limits without a legal deck.

Every copy of a card that a deck may hold is a variable: 1 if the copy is in the deck, else 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp

from balance.decks.space import DeckSpace, Slots
from balance.statistics.intervals import Counts, Flags, Floats
from sim.errors import InputError, listed

_INFEASIBLE = 2  # status of scipy's `milp` for a program without a solution
_NONE: frozenset[str] = frozenset()
# Names of two limits in sets `dropped`; all other limits have the names of their settings.
_FACTION = "within"
_ALLOWED = "allowed cards"
# Spread of the factions' random costs, as a share of the largest cost of a deck. Without it the
# faction with most cards would nearly always have the cheapest deck. Chosen by hand.
_SPREAD_OF_FACTIONS = 0.25
_Row = tuple[Floats, float, float]  # coefficients, minimum and maximum of a linear constraint


def random_decks(space: DeckSpace, n: int, rng: np.random.Generator) -> Slots:
    """Return random legal decks.

    Every copy of a card gets a random number, and the legal deck with the smallest sum is chosen.
    If only single cards are limited, this draws copies without replacement.

    Args:
        space: space of legal decks.
        n: number of decks to return.
        rng: generator of the random numbers, which is advanced.

    Returns:
        Decks, possibly with repeats, with their cards in the order of the pool, shape [n, size].

    Raises:
        InputError: there is no legal deck; the message names the limits that exclude each other.
    """
    (cards, _) = _copies(space, _NONE)
    decks = []
    for _ in range(n):
        numbers = rng.random(len(cards))
        smallest = np.argsort(numbers, kind="stable")[: space.size]
        deck = np.sort(cards[smallest]).astype(np.int16)
        # In most spaces, which have few limits, the smallest numbers already give a legal deck, and
        # the much slower program is not needed.
        if len(deck) < space.size or not space.legal(deck[np.newaxis])[0]:
            n_factions = 0 if space.factions is None else len(space.factions)
            faction_numbers = _SPREAD_OF_FACTIONS * space.size * rng.random(n_factions)
            chosen = _solve(space, np.append(numbers, faction_numbers), _NONE)
            if chosen is None:
                raise _no_deck_error(space)
            deck = cards[chosen].astype(np.int16)
        decks.append(deck)
    return np.array(decks, dtype=np.int16).reshape(n, space.size)


def cheapest_decks(space: DeckSpace, numbers: Floats) -> Slots:
    """Return the legal decks with the smallest sums of given numbers of cards.

    All copies of a card have the same number, so a deck holds as many copies of its cards as the
    space permits, unless a limit on several cards prevents it.

    Args:
        space: space of legal decks.
        numbers: number of each card for each deck, not negative, shape [n, C].

    Returns:
        Decks with their cards in the order of the pool, shape [n, size].

    Raises:
        InputError: there is no legal deck; the message names the limits that exclude each other.
    """
    (cards, _) = _copies(space, _NONE)
    of_copies = numbers[:, cards]
    # A stable sort keeps the copies of a card together.
    smallest = np.argsort(of_copies, axis=1, kind="stable")[:, : space.size]
    decks = np.sort(cards[smallest], axis=1).astype(np.int16)
    if decks.shape[1] < space.size:
        raise _no_deck_error(space)
    # In most spaces, which have few limits, all these decks are legal.
    for k in np.flatnonzero(~space.legal(decks)):
        n_factions = 0 if space.factions is None else len(space.factions)
        chosen = _solve(space, np.append(of_copies[k], np.zeros(n_factions)), _NONE)
        if chosen is None:
            raise _no_deck_error(space)
        decks[k] = cards[chosen]
    return decks


def check_space(space: DeckSpace) -> None:
    """Check that a space has a legal deck.

    Args:
        space: space of legal decks.

    Raises:
        InputError: there is no legal deck; the message names the limits that exclude each other.
    """
    random_decks(space, 1, np.random.default_rng(0))


def _copies(space: DeckSpace, dropped: frozenset[str]) -> tuple[Counts, Counts]:
    """Return the card of each variable, and the number of copies of that card before it.

    Args:
        space: space of legal decks.
        dropped: names of limits that are ignored.
    """
    most = np.where(_offered(space, dropped), space.size, 0)
    if "copies" not in dropped:
        most = np.minimum(most, space.limits)
    if space.owned is not None and space.budget is None and "collection" not in dropped:
        most = np.minimum(most, space.owned)
    cards = np.repeat(np.arange(len(most)), most)
    # The variables of a card are consecutive: subtract the position of the first of them.
    return cards, np.arange(len(cards)) - np.repeat(np.cumsum(most) - most, most)


def _offered(space: DeckSpace, dropped: frozenset[str]) -> Flags:
    """Return whether each card may be in a deck at all, shape [C].

    Args:
        space: space of legal decks.
        dropped: names of limits that are ignored.
    """
    if _ALLOWED not in dropped or space.is_allowed is None:
        return space.is_offered
    return replace(space, is_allowed=None).is_offered


def _solve(space: DeckSpace, numbers: Floats | None, dropped: frozenset[str]) -> Flags | None:
    """Return whether each copy is in the legal deck of the smallest cost.

    After the copies, each faction is a variable: 1 if it is the faction of the deck.

    Args:
        space: space of legal decks.
        numbers: cost of each copy, then of each faction; `None` to search for any legal deck.
        dropped: names of limits that are ignored.

    Returns:
        Flags of the copies, as ordered by `_copies`; `None` if no deck is legal.

    Raises:
        RuntimeError: the solver failed.
    """
    cards, place = _copies(space, dropped)
    rows = list(_rows(space, cards, place, dropped))
    if not len(cards):
        return None if any(low > 0 for _, low, _ in rows) else np.zeros(0, dtype=np.bool_)
    n_factions = 0 if space.factions is None else len(space.factions)
    n_variables = len(cards) + n_factions
    rows = [(np.append(row, np.zeros(n_factions)), low, high) for row, low, high in rows]
    if _FACTION not in dropped:
        rows += _rows_of_factions(space, cards)
    limits = LinearConstraint(*map(np.array, zip(*rows, strict=True))) if rows else None
    solution = milp(
        np.zeros(n_variables) if numbers is None else numbers,
        integrality=np.ones(n_variables, dtype=np.int64),
        bounds=Bounds(0, 1),
        constraints=limits,
        options={"mip_rel_gap": 0},  # the exact optimum, so that all machines find the same deck
    )
    if solution.status == _INFEASIBLE:
        return None
    if solution.x is None:
        raise RuntimeError(f"no answer from the integer program: {solution.message}")
    return np.asarray(solution.x[: len(cards)] > 0.5)


def _rows_of_factions(space: DeckSpace, cards: Counts) -> Iterator[_Row]:
    """Yield the constraints that exactly one faction is chosen, and that it permits all cards.

    Args:
        space: space of legal decks; no constraint is yielded if it has no factions.
        cards: card of each variable.
    """
    if space.factions is None:
        return
    n_factions = len(space.factions)
    yield np.append(np.zeros(len(cards)), np.ones(n_factions)), 1, 1
    for faction, members in enumerate(space.factions):
        excluded = ~members[cards]
        if excluded.any():
            chosen = np.zeros(n_factions)
            chosen[faction] = space.size
            yield np.append(excluded.astype(float), chosen), 0, space.size


def _rows(
    space: DeckSpace, cards: Counts, place: Counts, dropped: frozenset[str]
) -> Iterator[_Row]:
    """Yield the constraints on several cards together: size, curve, quotas, budget and swaps.

    Args:
        space: space of legal decks.
        cards: card of each variable.
        place: number of copies of the same card before each variable.
        dropped: names of limits that are ignored.
    """
    if "size" not in dropped:
        yield np.ones(len(cards)), space.size, space.size
    for cost, (low, high) in space.curve.items():
        if f"curve.{cost}" not in dropped:
            yield (space.costs[cards] == cost).astype(float), low, high
    for label, (has_label, low, high) in space.quotas.items():
        if f"quotas.{label}" not in dropped:
            yield has_label[cards].astype(float), low, high
    if space.budget is not None and space.owned is not None and "budget" not in dropped:
        price = np.where(place < space.owned[cards], 0.0, space.prices[cards])
        scale = space.budget or 1.0  # the solver's tolerance is absolute, so the limit is made 1
        yield price / scale, 0.0, space.budget / scale
    if space.origin is not None and "swaps" not in dropped:
        kept = place < space.counts(space.origin[np.newaxis])[0][cards]
        yield kept.astype(float), space.size - space.swaps, space.size


def _no_deck_error(space: DeckSpace) -> InputError:
    """Return the error for a space without a legal deck.

    Its message names a minimal set of limits in conflict, and all limits that would permit a deck
    if relaxed alone.
    """
    limits = _limits(space)
    sufficient = [name for name in limits if _solve(space, None, frozenset({name})) is not None]
    conflicting = _conflict(space, list(limits))
    conflict = [limits[name] for name in conflicting]
    if len(conflict) == 1:
        return InputError(
            f"no deck is legal, because {conflict[0]} cannot be met",
            place="build",
            limit=tuple(conflict),
            # Relaxing it permits no deck if a second limit cannot be met either.
            remedy="relax this limit" if conflicting[0] in sufficient else "",
        )
    relaxed = [space.allowed_by if name == _ALLOWED else name for name in sufficient]
    return InputError(
        f"no deck is legal, because {listed(conflict)} cannot be met together",
        place="build",
        limit=tuple(conflict),
        remedy=f"relax {listed(relaxed, 'or') if relaxed else 'several of them'}",
    )


def _conflict(space: DeckSpace, names: list[str]) -> list[str]:
    """Return a minimal set of limits that exclude each other.

    If any one of them is dropped, the remaining limits of the set permit a deck.

    Args:
        space: space without a legal deck.
        names: names of all limits, in the order in which the function tries to drop them.
    """
    dropped = _NONE
    for name in names:
        if _solve(space, None, dropped | {name}) is None:
            dropped |= {name}
    return [name for name in names if name not in dropped]


def _limits(space: DeckSpace) -> dict[str, str]:
    """Return a description of each limit with its value, by name of the limit.

    The first limits are those that a message should name only if necessary (see `_conflict`).
    """
    cards, _ = _copies(space, _NONE)
    texts = {"copies": f"copies = {space.copies}"}
    if n_fewer := int((space.limits < space.copies).sum()):
        texts["copies"] += f" (fewer of {n_fewer} cards)"
    for cost, bounds in space.curve.items():
        n = int((space.costs[cards] == cost).sum())
        texts[f"curve.{cost}"] = f"curve.{cost} = {list(bounds)} (copies available: {n})"
    for label, (has_label, low, high) in space.quotas.items():
        n = int(has_label[cards].sum())
        texts[f"quotas.{label}"] = f"quotas.{label} = {[low, high]} (copies available: {n})"
    if space.factions is not None:
        texts[_FACTION] = f"within (a single one of {len(space.factions)} values)"
    if space.is_allowed is not None:
        texts[_ALLOWED] = f"{space.allowed_by} (cards permitted: {int(space.is_allowed.sum())})"
    if space.budget is not None:
        n_owned = 0 if space.owned is None else int(space.owned.sum())
        texts["budget"] = f"budget = {space.budget:g} (copies owned: {n_owned})"
    if space.origin is not None:
        texts["swaps"] = f"swaps = {space.swaps}"
    if space.owned is not None and space.budget is None:
        owned = np.minimum(space.owned, space.size)
        texts["collection"] = f"the collection ({owned.sum()} copies of {(owned > 0).sum()} cards)"
    texts["size"] = f"size = {space.size}"
    return texts
