"""Environments of Big Two play the games of batches, and rewards follow from the outcomes."""

from __future__ import annotations

import numpy as np
import pytest
from gymnasium.error import ResetNeeded

from agents.big_two import agent_named
from agents.environments import make_big_two, make_big_twos
from sim.big_two.cards import N_SEATS, cards_in, read_set
from sim.big_two.episodes import REWARDS, BigTwoEpisodes
from sim.big_two.games import Outcomes, play_games
from sim.big_two.observers import BigTwoView, observer_named
from sim.big_two.rules import rules_of
from sim.big_two.turns import BigTwoTurns
from sim.environments.base import stream_of
from sim.seeds import number_of, numbers_of
from tests.messages import check_message
from tests.refusals import refusal_of
from tests.returned import assert_equal
from tests.sim.big_two.tables import STANDARD

RIVALS = [agent_named(name) for name in ("together", "random", "lowest")]
STREAM = 77


def episodes_of(n: int = 6, rules=STANDARD, **options) -> BigTwoEpisodes:
    view = BigTwoView(rules, observer_named("table"))
    return BigTwoEpisodes(view, RIVALS, n, STREAM, **options)


def ends_of(episodes: BigTwoEpisodes, name: str, n_ended: int) -> list[list[float]]:
    """Return the rewards of each environment's first games, with an agent as the learner."""
    rewards = [[] for _ in episodes.ended]
    gained = np.zeros(len(episodes.ended))
    rows = np.arange(len(episodes.ended))
    episodes.reset()
    while min(map(len, rewards)) < n_ended:
        np.testing.assert_array_equal(episodes.masks, episodes.games.masks(rows))
        episodes.step(agent_named(name).choose(episodes.games, rows))
        gained += episodes.rewards
        for row in np.flatnonzero(episodes.ended):
            rewards[row].append(float(gained[row]))
            gained[row] = 0
    return [of_environment[:n_ended] for of_environment in rewards]


def outcomes_of(name: str, seat: int, n_ended: int, rules=STANDARD) -> list[Outcomes]:
    """Return the same games, played in batches."""
    agents = np.roll(np.array([agent_named(name), *RIVALS], dtype=object), seat).tolist()
    streams = [number_of(STREAM, environment) for environment in range(6)]
    games = np.arange(n_ended)
    return [play_games(rules, agents, numbers_of(stream, games), threads=1) for stream in streams]


def rewards_of(reward: str, outcomes: Outcomes, seat: int) -> list[float]:
    """Return the rewards of a seat, computed from the outcomes of games."""
    won = outcomes.winner == seat
    left = outcomes.cards_left
    if reward == "first":
        return np.where(won, 1.0, -1.0).tolist()
    if reward == "shed":
        return ((13 - left[:, seat]) / 5).tolist()
    doubled = np.where(left >= 10, 2 * left, left)
    return np.where(won, doubled.sum(axis=1), -doubled[:, seat]).tolist()


@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("seat", [0, 2])
def test_episodes_are_the_games_of_batches(reward: str, seat: int) -> None:
    rewards = ends_of(episodes_of(seat=seat, reward=reward), "lowest", 8)
    expected = [rewards_of(reward, outcomes, seat) for outcomes in outcomes_of("lowest", seat, 8)]
    np.testing.assert_allclose(rewards, expected, rtol=1e-5)
    assert len({value for values in expected for value in values}) > 1


def test_skipping_what_is_forced_changes_nothing_else() -> None:
    rules = rules_of(cards=[13, 5, 5, 5])  # some games end before the learner moves
    outcomes = outcomes_of("together", 0, 60, rules)
    for skip_forced in (False, True):
        episodes = episodes_of(rules=rules, reward="points", skip_forced=skip_forced)
        ends = ends_of(episodes, "together", 12)
        for played, expected in zip(ends, outcomes, strict=True):
            # Games that ended before the learner moved are skipped, so this is a subsequence.
            remaining = iter(rewards_of("points", expected, 0))
            assert all(any(gained == other for other in remaining) for gained in played)
    episodes = episodes_of(skip_forced=True)
    episodes.reset()
    for _ in range(100):
        assert (episodes.masks.sum(axis=1) > 1).all()
        episodes.step(episodes.masks.argmax(axis=1))


@pytest.mark.parametrize("reward", REWARDS)
def test_turns_are_the_games_of_batches(reward: str) -> None:
    table = BigTwoTurns(reward=reward)
    agent = agent_named("together")
    seeds = numbers_of(stream_of(5), np.arange(6))
    outcomes = play_games(STANDARD, [agent] * N_SEATS, seeds, threads=1)
    expected = np.transpose([rewards_of(reward, outcomes, seat) for seat in range(N_SEATS)])
    row = np.zeros(1, dtype=np.int64)
    for game in range(6):
        table.reset(seed=5 if game == 0 else None)
        assert table.agent_selection == f"seat_{outcomes.opener[game]}"
        gained = dict.fromkeys(table.possible_agents, 0.0)
        for name in table.agent_iter():
            observation, gain, terminated, _, _ = table.last()
            gained[name] += gain
            assert observation["action_mask"].any() != terminated
            table.step(None if terminated else agent.choose(table._games, row)[0])
        np.testing.assert_allclose(list(gained.values()), expected[game])


def test_each_agent_sees_its_hand_and_only_the_active_one_has_actions() -> None:
    table = BigTwoTurns(observer="counts")
    observer = observer_named("counts")
    table.reset(seed=3, options={"fixed_hands": ["3d 4d 5d", "3c 3h", "", "2s"]})
    hands = [cards_in(int(hand)) for hand in table._games.hands[0]]
    assert (hands[0], hands[3]) == (cards_in(read_set("3d 4d 5d")), [51])
    assert table.agent_selection == "seat_0"
    for seat, name in enumerate(table.possible_agents):
        seen = table.observe(name)
        values = np.zeros((1, observer.n_values), dtype=np.float32)
        observer.see(table._games, np.zeros(1, dtype=np.int64), np.array([seat]), values)
        np.testing.assert_array_equal(seen["observation"], values[0])
        assert seen["action_mask"].any() == (seat == 0)
    table.step(1)
    assert [table._games.table(0), table.agent_selection] == [1, "seat_1"]
    table.reset()
    assert (table._games.cards_left == 13).all()


def test_hands_may_be_fixed_where_a_reset_begins_games() -> None:
    many = make_big_twos(4, observer="table")
    many.reset(seed=1)
    before = many.games.games.words.copy()
    chosen = np.array([True, False, True, False])
    many.reset(options={"reset_mask": chosen, "fixed_hands": ["3d 4d", "", "", "2s"]})
    assert (many.games.games.hands[chosen, 0] == read_set("3d 4d")).all()
    np.testing.assert_array_equal(many.games.games._rows[~chosen], before.reshape(4, -1)[~chosen])
    one = make_big_two(illegal="refuse")
    one.reset(seed=1, options={"fixed_hands": ["3d", "", "", ""]})
    with pytest.raises(ValueError, match="illegal") as caught:
        one.step(2)
    check_message(str(caught.value))
    _, reward, terminated, truncated, _ = one.step(1)
    assert (reward, terminated, truncated) == (1.0, True, False)
    with pytest.raises(ResetNeeded):
        one.step(1)


def test_an_illegal_action_passes_and_the_info_shows_it() -> None:
    lenient = make_big_twos(3)
    strict = make_big_twos(3, illegal="refuse")
    for environment in (lenient, strict):
        environment.reset(seed=2)
    for _ in range(40):
        masks = strict.games.masks
        meant = np.where(masks[:, 0], 0, masks.argmax(axis=1))
        *returned, info = lenient.step(np.array([9_999, -1, 1_400]))
        *expected, legal_info = strict.step(meant)
        assert_equal(returned, expected)
        ended = returned[2] | returned[3]
        np.testing.assert_array_equal(info["illegal_action"], ~ended)
        assert not legal_info["illegal_action"].any()


def test_positions_as_text() -> None:
    table = BigTwoTurns(render_mode="ansi")
    table.reset(seed=1, options={"fixed_hands": ["3d 3c", "5h 6h", "7h", "9s"]})
    check_message(table.render() or "")
    table.step(14)
    check_message(table.render() or "")
    assert BigTwoTurns().render() is None


@pytest.mark.parametrize(
    ("options", "value"),
    [
        ({"opponents": ["lowest"] * 2}, 2),
        ({"opponents": "lowst"}, "lowst"),
        ({"observer": "tabel"}, "tabel"),
        ({"rules": "standart"}, "standart"),
        ({"reward": "fist"}, "fist"),
        ({"seat": 4}, 4),
        ({"illegal": "pas"}, "pas"),
    ],
)
def test_a_wrong_option_is_refused_with_its_value(options, value: object) -> None:
    assert refusal_of(make_big_twos, 2, **options).value == value


def test_bad_fixed_hands_are_refused() -> None:
    for environment in (make_big_two(), make_big_twos(2), BigTwoTurns()):
        error = refusal_of(environment.reset, seed=1, options={"fixed_hands": ["3d"]})
        assert (error.place, error.value, error.limit) == ("fixed_hands", 1, 4)
