"""The order in which records react to an event: that in which they came into play."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sim.engine import layout as at
from sim.engine.general.listeners import insert_by_order

# The function that is compiled, which Python can call with any sequence of words.
insert = getattr(insert_by_order, "py_func", insert_by_order)


@given(st.lists(st.integers(1, 1_000), unique=True, max_size=at.MAX_GROUP))
def test_groups_are_sorted_from_oldest_to_youngest(orders: list[int]) -> None:
    state = np.zeros(at.REMOVED + len(orders) * (at.ORDER + 1), dtype=np.int16)
    records = [at.REMOVED + k * (at.ORDER + 1) for k in range(len(orders))]
    for record, order in zip(records, orders, strict=True):
        state[record + at.ORDER] = order
        insert(state, record)
    assert state[at.N_GROUP] == len(orders)
    group = state[at.GROUP : at.GROUP + len(orders)]
    assert state[group + at.ORDER].tolist() == sorted(orders)
