"""Actions: sets of places in the hand, which is sorted, and passing.

A number stands for places, not for cards: action 1 is the lowest card of any hand. Two to four
cards of a rank lie side by side, so that only neighbouring places make pairs, triples and fours;
five cards may lie anywhere. That is 13 singles, 33 pairs, 31 triples, 1,287 fives and passing:
1,365 actions, and ten fours behind them for rules that know fours alone. Within a size, sets come
by their highest place, so that those that fit a hand of n cards are the first ones.
"""

from __future__ import annotations

from itertools import chain, combinations
from math import comb

import numpy as np

from sim.big_two.cards import HAND_SIZE, N_SUITS

PASS = 0
N_PLACES = 5
"""Entries of `PLACES` for each action."""


def _sets_of(size: int) -> list[tuple[int, ...]]:
    """The places of all actions of a size, in their order."""
    reach = HAND_SIZE if size == N_PLACES else N_SUITS
    sets = combinations(range(HAND_SIZE), size)
    return sorted((one for one in sets if one[-1] - one[0] < reach), key=lambda one: one[::-1])


_SETS = {size: _sets_of(size) for size in (1, 2, 3, 5, 4)}
_ALL = [(), *chain(*_SETS.values())]
N_ACTIONS = len(_ALL)

SIZES = np.array([len(one) for one in _ALL])
"""``[N_ACTIONS]`` how many cards each action plays."""

PLACES = np.array([[*one, *[0] * (N_PLACES - len(one))] for one in _ALL]).ravel()
"""``[N_ACTIONS * N_PLACES]`` the places of each action, lowest first."""

FIRST = np.array([PASS, *(_ALL.index(_SETS[size][0]) for size in range(1, N_PLACES + 1))])
"""``[6]`` the first action of each size."""

FITTING = np.array(
    [[sum(len(one) == size and one[-1] < n for one in _ALL[1:]) for n in range(HAND_SIZE + 1)]
     for size in range(N_PLACES + 1)]
)  # fmt: skip
"""``[6, 14]`` how many actions of each size a hand of so many cards has room for."""

CHOOSE = np.array([[comb(n, k) for n in range(HAND_SIZE + 1)] for k in range(N_PLACES + 1)])
"""``[6, 14]`` in how many ways k of n places can be chosen: fives come in the order of
c(e, 5) + c(d, 4) + c(c, 3) + c(b, 2) + a for the places a < b < c < d < e."""

FIRST_FOUR = int(FIRST[4])
"""How many actions there are without fours alone."""


def places_of(action: int) -> tuple[int, ...]:
    """The places in the sorted hand whose cards an action plays."""
    return _ALL[action]
