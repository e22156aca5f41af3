"""Observers show all that a seat may know, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from sim.big_two.cards import N_SEATS, cards_in
from sim.big_two.observers import (
    LogObserver,
    Seen,
    observer_named,
    observer_names,
    register_observer,
)
from tests.refusals import refusal_of
from tests.sim.big_two.plain_rules import FIVES, strength_by
from tests.sim.big_two.tables import STANDARD, dealt, played_on, with_hidden_exchanged

SHIPPED = ("table", "counts", "history")


def seen(observer, games, rows, seats) -> np.ndarray:
    """Return the observations of seats, in an array that was not zero before."""
    values = np.full((len(rows), observer.n_values), np.nan, dtype=np.float32)
    observer.see(games, rows, seats, values)
    return values


def of_the_log(information: Seen) -> list[float]:
    """Return card counts: played by each seat from this one on, left to each, and in the hand."""
    played = [0] * N_SEATS
    for turn in information.log:
        played[(turn.seat - information.seat) % N_SEATS] += turn.cards.bit_count()
    return [*played, *information.cards_left, information.hand.bit_count()]


def values_from_the_log(games, row: int, seat: int) -> list[float]:
    """Return an observation computed from a game's log, the card counts and the own hand only."""
    hand = cards_in(int(games.hands[row, seat]))
    log = games.log(row)
    order = [(seat + k) % N_SEATS for k in range(N_SEATS)]
    values = []
    for place in range(13):
        card = hand[place] if place < len(hand) else None
        alike = 0 if card is None else sum(other // 4 == card // 4 for other in hand)
        suited = 0 if card is None else sum(other % 4 == card % 4 for other in hand)
        values += [card is not None and card // 4 == rank for rank in range(13)]
        values += [card is not None and card % 4 == suit for suit in range(4)]
        values += [alike >= 2, alike >= 3, alike >= 4, suited >= 5]
    last = next((turn for turn in reversed(log) if turn.cards), None)
    passed = []
    for turn in reversed(log):
        if turn.cards:
            break
        passed.append(turn.seat)
    leads = last is None or len(passed) == 3
    table = 0 if leads else last.cards
    kinds = ["1", "2", "3", "4", *FIVES]
    values += [(table >> card) & 1 for card in range(52)]
    values += [bool(table) and kind_of(table) == kind for kind in kinds]
    values += [bool(table) and last.seat == other for other in order[1:]]
    for other in order[1:]:
        values += [games.cards_left[row, other] > k for k in range(13)]
    values += [not leads and other in passed for other in order[1:]]
    for other in order:
        gone = sum(turn.cards for turn in log if turn.seat == other)
        values += [(gone >> card) & 1 for card in range(52)]
    return values


KEY_OF = strength_by(STANDARD)


def kind_of(table: int) -> str:
    cards = cards_in(table)
    return str(len(cards)) if len(cards) < 5 else FIVES[KEY_OF(tuple(cards))[0]]


def test_views_agree_with_the_log() -> None:
    games = dealt(40)
    n_checked = 0
    whole = observer_named("history")
    for tick, rows in enumerate(played_on(games)):
        seats = (games.active[rows] + tick % N_SEATS) % N_SEATS
        views_now = seen(whole, games, rows, seats)
        for k in range(0, len(rows), 7):
            expected = values_from_the_log(games, int(rows[k]), int(seats[k]))
            np.testing.assert_array_equal(views_now[k], np.array(expected, dtype=np.float32))
            n_checked += 1
    assert n_checked > 300


def test_smaller_observers_see_a_part_of_it() -> None:
    games = dealt(30)
    whole = observer_named("history")
    for rows in played_on(games):
        seats = games.active[rows]
        everything = seen(whole, games, rows, seats)
        for name in SHIPPED:
            part = seen(observer_named(name), games, rows, seats)
            np.testing.assert_array_equal(part, everything[:, : part.shape[1]])
    assert [observer_named(name).n_values for name in SHIPPED] == [337, 379, 587]


@pytest.mark.parametrize("name", [*SHIPPED, "of the log"])
def test_hidden_hands_change_no_view(name: str) -> None:
    own = LogObserver("of the log", 9, of_the_log)
    observer = own if name == own.name else observer_named(name)
    games = dealt(60)
    for tick, rows in enumerate(played_on(games)):
        blind = with_hidden_exchanged(games, rows, tick)
        seats = games.active[rows]
        assert (blind.hands != games.hands).any() or (games.cards_left[rows].max() == 1)
        np.testing.assert_array_equal(
            seen(observer, blind, rows, seats), seen(observer, games, rows, seats)
        )


def test_a_registered_observer_is_found_by_its_name() -> None:
    observer = LogObserver("counted", 9, of_the_log)
    assert refusal_of(observer_named, "countd").value == "countd"
    register_observer(observer)
    register_observer(observer)
    assert observer_named("counted") is observer
    assert observer_names() == [*SHIPPED, "counted"]
    assert refusal_of(register_observer, LogObserver("table", 9, of_the_log)).value == "table"
    games = dealt(20)
    for rows in played_on(games):
        values = seen(observer_named("counted"), games, rows, games.active[rows])
        assert (values[:, :4].sum(axis=1) + values[:, 4:8].sum(axis=1) == 52).all()
        assert (values[:, 0] + values[:, 8] == 13).all()
