"""Deals, turns, agents and complete games of Big Two."""

from __future__ import annotations

import json

import numpy as np
import pytest

from agents.big_two import agent_named, agent_names
from sim import stream_seed
from sim.big_two.cards import DECK, FIRST_FOUR, N_SEATS, cards_in, read_set
from sim.big_two.games import Games, play_games, play_out
from sim.big_two.layout import N_SORTED
from sim.big_two.rules import rules_of
from tests.messages import check_message
from tests.refusals import refusal_of
from tests.scripts import python
from tests.sim.big_two.tables import STANDARD, dealt, played_on, with_hidden_exchanged

PROBE = """
import json
from tests.sim.big_two.test_games import outcomes
print(json.dumps(outcomes(1)))
"""


def outcomes(n_games: int) -> list[object]:
    """Return the logs of a few games with all agents and several rules, as plain data."""
    logs: list[object] = []
    for variant in ("standard", "hong_kong", "fours"):
        agents = [agent_named(name) for name in [*agent_names(), "random"]]
        games = dealt(n_games, rules_of(variant))
        play_out(games, agents[:N_SEATS])
        logs += [games.log(row) for row in range(n_games)]
    return json.loads(json.dumps(logs))


@pytest.mark.thorough
def test_plain_python_plays_the_same_games() -> None:
    plain = python("-W", "error", "-c", PROBE, NUMBA_DISABLE_JIT="1")
    assert json.loads(plain) == outcomes(1)


def test_a_deal_gives_each_seat_thirteen_cards_and_each_card_to_one_seat() -> None:
    games = dealt(2_000)
    assert (games.cards_left == 13).all()
    assert (np.bitwise_or.reduce(games.hands, axis=1) == DECK).all()
    shares = [((games.hands[:, 0] >> card) & 1).mean() for card in range(52)]
    assert np.abs(np.array(shares) - 0.25).max() < 0.05
    np.testing.assert_array_equal((games.hands & 1).argmax(axis=1), games.opener)


def test_a_deal_depends_on_its_seed_only() -> None:
    games = dealt(20)
    alone = Games(STANDARD, 1)
    for k, hands in enumerate(games.hands):
        alone.deal([stream_seed(1, f"test/{k}")])
        np.testing.assert_array_equal(alone.hands[0], hands)


def test_rotations_shift_the_hands_and_the_opener() -> None:
    turned = [dealt(50, rotations=rotation) for rotation in range(N_SEATS)]
    for rotation, games in enumerate(turned):
        np.testing.assert_array_equal(games.hands, np.roll(turned[0].hands, rotation, axis=1))
        np.testing.assert_array_equal(games.opener, (turned[0].opener + rotation) % N_SEATS)


def test_games_do_not_depend_on_threads_or_on_other_games() -> None:
    agents = [agent_named(name) for name in ("random", "lowest", "together", "random")]
    many = rules_of()
    seeds = np.arange(9_000)
    together = play_games(many, agents, seeds, threads=2)
    alone = play_games(many, agents, seeds[5_000:5_010], threads=1)
    for of_many, of_few in zip(together, alone, strict=True):
        np.testing.assert_array_equal(of_many[5_000:5_010], of_few)


def test_a_head_start_takes_cards_away_and_changes_no_others() -> None:
    games = dealt(200, rules_of(cards=[13, 12, 13, 10]))
    whole = dealt(200)
    assert (games.cards_left == [13, 12, 13, 10]).all()
    assert (games.hands & ~whole.hands == 0).all()
    lowest = np.bitwise_or.reduce(games.hands, axis=1)
    holds = games.hands & (lowest & -lowest)[:, np.newaxis]
    np.testing.assert_array_equal((holds > 0).argmax(axis=1), games.opener)


def test_together_leads_the_lowest_of_the_sets_that_leave_the_fewest_ranks() -> None:
    games = dealt(1, rules_of("free_lead"), fixed_hands=["3d 3c 4d 6d 9d", "", "", ""])
    (action,) = agent_named("together").choose(games, np.array([0]))
    games.act(np.array([0]), np.array([action]))
    assert cards_in(games.log(0)[0].cards) == [0, 1]


def test_the_holder_of_the_opening_card_begins_with_it() -> None:
    games = dealt(100, rules_of(opening_card=20, opening_lead=2))
    np.testing.assert_array_equal(((games.hands >> 20) & 1).argmax(axis=1), games.opener)
    rows = np.arange(100)
    assert (games.masks(rows).sum(axis=1) == 1).all()
    games.act(rows, agent_named("random").choose(games, rows))
    assert {games.log(row)[0].cards for row in rows} == {1 << 20}


def test_fixed_hands_are_held_and_the_rest_is_drawn() -> None:
    fixed = ["3d 4d 5d 6d 7d", "", "2s", ""]
    games = dealt(300, fixed_hands=fixed)
    assert (games.hands[:, [0, 2]] == [read_set(fixed[0]), read_set(fixed[2])]).all()
    assert (games.cards_left == [5, 13, 1, 13]).all()
    assert (games.hands[:, 1] & games.hands[:, 3] == 0).all()
    assert (games.opener == 0).all()
    assert len({*games.hands[:, 1].tolist()}) == 300


@pytest.mark.parametrize(("locks", "seats"), [(0, [0, 1, 2, 3, 0, 1, 2]), (1, [0, 1, 2, 3, 0, 2])])
def test_passing_locks_out_only_where_the_rules_say_so(locks: int, seats: list[int]) -> None:
    hands = ["3d 7d Qd", "4d 2d", "5d Kd", "6d Ad"]
    games = dealt(1, rules_of(pass_locks=locks), fixed_hands=hands)
    row = np.arange(1)
    asked = []
    for action in (1, 0, 1, 1, 1, 0, 1):  # 3d, a pass, 5d, 6d, 7d
        asked.append(int(games.active[0]))
        games.act(row, np.array([action]))
    assert asked[: len(seats)] == seats


def test_a_seat_that_no_one_beats_leads_again() -> None:
    games = dealt(300)
    for rows in played_on(games):
        for row in rows[:5].tolist():
            log = games.log(row)
            active = int(games.active[row])
            led = [turn.seat for turn in log if turn.cards]
            may_pass = bool(games.masks(np.array([row]))[0, 0])
            last_three = [turn.cards for turn in log[-3:]]
            assert may_pass != (not log or last_three == [0, 0, 0])
            assert may_pass or not log or active == led[-1]


@pytest.mark.parametrize("name", agent_names())
def test_agents_choose_legal_actions_by_what_their_seat_may_see(name: str) -> None:
    games = dealt(100)
    agent = agent_named(name)
    for tick, rows in enumerate(played_on(games, name)):
        chosen = agent.choose(games, rows)
        assert games.masks(rows)[np.arange(len(rows)), chosen].all()
        blind = with_hidden_exchanged(games, rows, tick)
        np.testing.assert_array_equal(agent.choose(blind, rows), chosen)
        np.testing.assert_array_equal(blind.masks(rows), games.masks(rows))


def test_games_may_be_dealt_by_numbers_that_allow_more_sets() -> None:
    fours = rules_of("fours")
    agent = agent_named("random")
    numbers = fours.numbers[np.newaxis]
    agents = [agent] * N_SEATS
    by_numbers = play_games(STANDARD, agents, np.arange(300), threads=1, numbers=numbers)
    by_rules = play_games(fours, agents, np.arange(300), threads=1)
    np.testing.assert_array_equal(by_numbers.cards_left, by_rules.cards_left)
    games = dealt(1, fixed_hands=["3d 3c 3h 3s", "4d", "4c", "4h"], numbers=numbers)
    assert games.masks(np.arange(1)).shape == (1, STANDARD.n_actions)
    games.act(np.arange(1), np.array([FIRST_FOUR]))
    assert games.winner[0] == 0


def test_illegal_actions_change_nothing() -> None:
    games = dealt(3)
    before = games.words.copy()
    for action in (0, -1, 9_999, 1_365):
        with pytest.raises(ValueError, match="illegal") as caught:
            games.act(np.arange(3), np.full(3, action))
        check_message(str(caught.value))
    for now, then in zip(*(words.reshape(3, -1) for words in (games.words, before)), strict=True):
        np.testing.assert_array_equal(now[:N_SORTED], then[:N_SORTED])


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"opening_card": 52}, "rules: opening_card"),
        ({"opening_led": 1}, "rules"),
        ({"cards": [13, 13, 13]}, "rules: cards"),
        ({"cards": [13, 13, 13, 14]}, "rules: cards #4"),
        ({"straights": ["A234"]}, "rules: straights"),
        ({"straights": ["A2345", "345A2"]}, "rules: straights"),
        ({"variant": "standart"}, ""),
    ],
)
def test_bad_rules_are_refused_in_a_line(changes, place: str) -> None:
    assert refusal_of(rules_of, **changes).place == place


@pytest.mark.parametrize(
    ("hands", "place", "value"),
    [
        (["3d"], "fixed_hands", 1),
        (["3d", "3d", "", ""], "fixed_hands: seat 1", "3d"),
        (["3x", "", "", ""], "card '3x'", "3x"),
        (["3d 3d", "", "", ""], "card '3d'", "3d 3d"),
        ([DECK, 0, 0, 0], "fixed_hands: seat 0", 52),
    ],
)
def test_bad_fixed_hands_are_refused_in_a_line(hands, place: str, value: object) -> None:
    error = refusal_of(dealt, 1, fixed_hands=hands)
    assert (error.place, error.value) == (place, value)


def test_ten_may_be_written_as_two_digits() -> None:
    assert cards_in(read_set("10s 2S")) == [31, 51]
