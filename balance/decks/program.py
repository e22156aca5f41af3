"""Legal decks by integer programs: random ones, and the reason why there is none.

Every copy of a card that a deck may hold is a variable, 1 if it is in the deck and else 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp

from balance.decks.space import DeckSpace, Slots
from balance.statistics.intervals import Counts, Flags, Floats
from sim.errors import InputError, listed

_INFEASIBLE = 2  # scipy's status
_NONE: frozenset[str] = frozenset()
_FACTION = "within"
_ALLOWED = "allowed cards"
_SPREAD_OF_FACTIONS = 0.25  # of the random numbers of a whole deck: then every faction comes up
_Row = tuple[Floats, float, float]


def random_decks(space: DeckSpace, n: int, rng: np.random.Generator) -> Slots:
    """``[n, size]`` legal decks, each with the copies whose random numbers have the smallest sum.

    Without a curve, a budget or an origin that draws copies without replacement. Decks may
    occur more than once; their cards stand in the order of the pool.

    Raises:
        InputError: there is no legal deck; says which limits exclude each other.
    """
    (cards, _) = _copies(space, _NONE)
    decks = []
    for _ in range(n):
        numbers = rng.random(len(cards))
        smallest = np.argsort(numbers, kind="stable")[: space.size]
        deck = np.sort(cards[smallest]).astype(np.int16)
        if len(deck) < space.size or not space.legal(deck[np.newaxis])[0]:
            n_factions = 0 if space.factions is None else len(space.factions)
            more = _SPREAD_OF_FACTIONS * space.size * rng.random(n_factions)
            chosen = _solve(space, np.append(numbers, more), _NONE)
            if chosen is None:
                raise InputError(_why_none(space))
            deck = cards[chosen].astype(np.int16)
        decks.append(deck)
    return np.array(decks, dtype=np.int16).reshape(n, space.size)


def check_space(space: DeckSpace) -> None:
    """Refuse a space without a deck.

    Raises:
        InputError: says which limits exclude each other.
    """
    random_decks(space, 1, np.random.default_rng(0))


def _copies(space: DeckSpace, dropped: frozenset[str]) -> tuple[Counts, Counts]:
    """Of each variable the card, and how many copies of this card come before it."""
    most = np.where(_offered(space, dropped), space.size, 0)
    if "copies" not in dropped:
        most = np.minimum(most, space.limits)
    if space.owned is not None and space.budget is None and "collection" not in dropped:
        most = np.minimum(most, space.owned)
    cards = np.repeat(np.arange(len(most)), most)
    return cards, np.arange(len(cards)) - np.repeat(np.cumsum(most) - most, most)


def _offered(space: DeckSpace, dropped: frozenset[str]) -> Flags:
    """``[C]`` which cards may be in a deck at all."""
    if _ALLOWED not in dropped or space.is_allowed is None:
        return space.is_offered
    return replace(space, is_allowed=None).is_offered


def _solve(space: DeckSpace, numbers: Floats | None, dropped: frozenset[str]) -> Flags | None:
    """Which copies have the smallest sum of numbers, with some limits dropped; `None` if none.

    After the copies, each faction is a variable, 1 for the one that the deck keeps to.
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
    found = milp(
        np.zeros(n_variables) if numbers is None else numbers,
        integrality=np.ones(n_variables, dtype=np.int64),
        bounds=Bounds(0, 1),
        constraints=limits,
        options={"mip_rel_gap": 0},  # the best, not whatever is found that is nearly as good
    )
    if found.status == _INFEASIBLE:
        return None
    if found.x is None:
        raise RuntimeError(f"no answer from the integer program: {found.message}")
    return np.asarray(found.x[: len(cards)] > 0.5)


def _rows_of_factions(space: DeckSpace, cards: Counts) -> Iterator[_Row]:
    """Exactly one faction is chosen, and no copy of a card that is not of it."""
    if space.factions is None:
        return
    n_factions = len(space.factions)
    yield np.append(np.zeros(len(cards)), np.ones(n_factions)), 1, 1
    for faction, members in enumerate(space.factions):
        strangers = ~members[cards]
        if strangers.any():
            chosen = np.zeros(n_factions)
            chosen[faction] = space.size
            yield np.append(strangers.astype(float), chosen), 0, space.size


def _rows(
    space: DeckSpace, cards: Counts, place: Counts, dropped: frozenset[str]
) -> Iterator[_Row]:
    """Coefficients, least and most of each limit on several cards together."""
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
        scale = space.budget or 1.0  # the solver's tolerance is absolute
        yield price / scale, 0.0, space.budget / scale
    if space.origin is not None and "swaps" not in dropped:
        kept = place < space.counts(space.origin[np.newaxis])[0][cards]
        yield kept.astype(float), space.size - space.swaps, space.size


def _why_none(space: DeckSpace) -> str:
    """Limits that exclude each other, and which of them it is enough to ease."""
    said = _limits(space)
    spared = [name for name in said if _solve(space, None, frozenset({name})) is not None]
    blamed = [said[name] for name in _conflict(space, list(said))]
    if len(blamed) == 1:
        return f"build: no deck is legal: {blamed[0]} cannot be met"
    eased = " or ".join(space.allowed_by if one == _ALLOWED else one for one in spared)
    eased = eased or "several of them"
    return f"build: no deck is legal: {listed(blamed)} exclude each other; ease {eased}"


def _conflict(space: DeckSpace, names: list[str]) -> list[str]:
    """Limits that exclude each other, while any fewer of them do not."""
    dropped = _NONE
    for name in names:
        if _solve(space, None, dropped | {name}) is None:
            dropped |= {name}
    return [name for name in names if name not in dropped]


def _limits(space: DeckSpace) -> dict[str, str]:
    """The limits with their values, those first that are spared if others say as much."""
    cards, _ = _copies(space, _NONE)
    said = {"copies": f"at most {space.copies} cop{'y' if space.copies == 1 else 'ies'} of a card"}
    if n_fewer := int((space.limits < space.copies).sum()):
        said["copies"] += f" (fewer of {n_fewer})"
    for cost, bounds in space.curve.items():
        n = int((space.costs[cards] == cost).sum())
        said[f"curve.{cost}"] = f"curve.{cost} = {list(bounds)} (of {n} copies of that cost)"
    for label, (has_label, low, high) in space.quotas.items():
        n = int(has_label[cards].sum())
        said[f"quotas.{label}"] = f"quotas.{label} = {[low, high]} (of {n} copies with it)"
    if space.factions is not None:
        said[_FACTION] = f"within (one of {len(space.factions)} values)"
    if space.is_allowed is not None:
        said[_ALLOWED] = f"{space.allowed_by} ({int(space.is_allowed.sum())} cards)"
    if space.budget is not None:
        n_owned = 0 if space.owned is None else int(space.owned.sum())
        said["budget"] = f"budget = {space.budget:g} (beyond {n_owned} owned copies)"
    if space.origin is not None:
        said["swaps"] = f"swaps = {space.swaps}"
    if space.owned is not None and space.budget is None:
        owned = np.minimum(space.owned, space.size)
        said["collection"] = f"the collection ({owned.sum()} copies of {(owned > 0).sum()} cards)"
    said["size"] = f"size = {space.size}"
    return said
