"""Many duels at once: seeds, resets, opponents of all kinds, and refused arguments."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded

from agents import agent_named
from sim import load_deck, load_pool, load_ruleset
from sim.environments.vector import DuelVectorEnv, duels
from tests.duels import DECK_NAMES, DECKS, ROOT
from tests.messages import check_message
from tests.refusals import refusal_of
from tests.returned import assert_equal
from tests.view_agents import Greedy

LAST = 39
BOTH = ["aggro", "control"]
DATA = ROOT / "sim" / "data"


def duels_of(num_envs: int, **changes: Any) -> DuelVectorEnv:
    usual = {
        "deck": "ember_rush",
        "opponent_deck": "tide_keep",
        "opponent": agent_named("control"),
    }
    return DuelVectorEnv(num_envs, **usual | changes)


def trace(environment: DuelVectorEnv, n_steps: int, **reset: Any) -> list[Any]:
    """Return all results of some steps of a player that takes the first legal action."""
    returned: list[Any] = [environment.reset(**reset)]
    for _ in range(n_steps):
        returned.append(environment.step(returned[-1][0]["action_mask"].argmax(axis=1)))
    return returned


def test_an_int_is_the_first_of_consecutive_seeds() -> None:
    assert_equal(trace(duels_of(4), 40, seed=7), trace(duels_of(4), 40, seed=[7, 8, 9, 10]))
    assert_equal(trace(duels_of(4), 40, seed=7), trace(duels_of(4), 40, seed=np.int64(7)))


def test_without_a_seed_the_games_are_random() -> None:
    first, _ = duels_of(20).reset()
    second, _ = duels_of(20).reset()
    assert (first["observation"] != second["observation"]).any()
    half = duels_of(2)
    half.reset(seed=[3, None])
    np.testing.assert_array_equal(
        half.reset(seed=[3, None])[0]["observation"][0],
        duels_of(1).reset(seed=3)[0]["observation"][0],
    )


def test_a_mask_resets_some_and_leaves_the_others_alone() -> None:
    environment = duels_of(4)
    untouched = duels_of(4)
    before = trace(environment, 12, seed=2)[-1][0]
    trace(untouched, 12, seed=2)
    chosen = np.array([True, False, False, True])
    after, info = environment.reset(seed=[90, 91, 92, 93], options={"reset_mask": chosen})
    np.testing.assert_array_equal(after["observation"][~chosen], before["observation"][~chosen])
    assert_equal(info["action_mask"], after["action_mask"] == 1)
    fresh = duels_of(4).reset(seed=[90, 91, 92, 93])[0]
    np.testing.assert_array_equal(after["observation"][chosen], fresh["observation"][chosen])
    actions = after["action_mask"].argmax(axis=1)
    others = np.where(chosen, before["action_mask"].argmax(axis=1), actions)
    np.testing.assert_array_equal(
        environment.step(actions)[0]["observation"][~chosen],
        untouched.step(others)[0]["observation"][~chosen],
    )


@pytest.mark.parametrize(
    "mask", [[True, False], np.array([1, 0]), np.array([True]), np.array([False, False])]
)
def test_a_reset_mask_of_a_wrong_shape_or_type_is_refused(mask: Any) -> None:
    environment = duels_of(2)
    environment.reset(seed=1)
    with pytest.raises(ValueError, match="reset_mask") as caught:
        environment.reset(options={"reset_mask": mask})
    check_message(str(caught.value))


def test_seeds_must_be_one_each() -> None:
    with pytest.raises(ValueError, match="seed") as caught:
        duels_of(2).reset(seed=[1, 2, 3])
    check_message(str(caught.value))


def test_the_first_reset_must_include_all_environments() -> None:
    environment = duels_of(2)
    with pytest.raises(ResetNeeded) as caught:
        environment.step(np.array([LAST, LAST]))
    check_message(str(caught.value))
    with pytest.raises(ResetNeeded) as caught:
        environment.reset(options={"reset_mask": np.array([True, False])})
    check_message(str(caught.value))


def test_results_are_copies() -> None:
    environment = duels_of(3)
    results = trace(environment, 25, seed=4)
    expected = trace(duels_of(3), 25, seed=4)
    trace(environment, 25, seed=11)
    assert_equal(results, expected)


def test_a_learned_opponent_plays_as_its_compiled_twin() -> None:
    for skip_forced in (False, True):
        options = {"seat": "either", "skip_forced": skip_forced}
        seen = duels_of(12, opponent=Greedy(), **options)
        compiled = duels_of(12, opponent=agent_named("greedy"), **options)
        assert_equal(trace(seen, 120, seed=3), trace(compiled, 120, seed=3))


def test_games_that_end_before_the_learner_moves_do_not_count() -> None:
    """With one life, one unit with haste in the first turn ends the game."""
    frail = load_ruleset("duel").model_copy(update={"life": 1})
    options = {"opponent_deck": "ember_rush", "ruleset": frail, "seat": 1}
    seen = trace(duels_of(30, opponent=Greedy(), **options), 40, seed=3)
    compiled = trace(duels_of(30, opponent=agent_named("greedy"), **options), 40, seed=3)
    assert_equal(seen, compiled)
    ends = [step for step in seen[1:] if step[2].any()]
    assert len(ends) > 30
    for _, rewards, terminated, _, info in ends:
        lives = np.array([final["observation"][:2] for final in info["final_obs"][terminated]])
        np.testing.assert_array_equal(rewards[terminated], np.where(lives[:, 0] > 0, 1, -1))


@pytest.mark.parametrize(
    ("opponents", "decks", "pilots"),
    [
        (BOTH, ["tide_keep", "spore_swarm"], [("tide_keep", 0), ("spore_swarm", 1)]),
        (BOTH, ["tide_keep"], [("tide_keep", 0), ("tide_keep", 1)]),
        (["aggro"], ["tide_keep", "spore_swarm"], [("tide_keep", 0), ("spore_swarm", 0)]),
    ],
)
def test_opponents_pilot_the_decks_of_their_own(opponents, decks, pilots) -> None:
    agents = [agent_named(name) for name in opponents]
    _, lineups, _ = duels("ember_rush", decks, agents, 0, None, None)
    rows = [(DECKS[DECK_NAMES.index(deck)].tolist(), pilot) for deck, pilot in pilots]
    assert [(lineup.enemy.tolist(), lineup.opponent) for lineup in lineups] == rows


def test_the_seat_is_the_learners() -> None:
    for seat, n_cards in ((0, 5), (1, 6)):  # seat 0 skips the draw of its first turn
        values = duels_of(50, seat=seat).reset(seed=1)[0]["observation"]
        assert ((values[:, 4:40:4] > 0).sum(axis=1) == n_cards).all()
    values = duels_of(200, seat="either").reset(seed=1)[0]["observation"]
    assert 60 < ((values[:, 4:40:4] > 0).sum(axis=1) == 6).sum() < 140


@pytest.mark.parametrize(
    "changes",
    [
        {"seat": 2},
        {"seat": "both"},
        {"deck": "ember_rash"},
        {"deck": []},
        {"opponent": []},
        {"opponent": [Greedy()] * 2, "opponent_deck": ["tide_keep"] * 3},
        {"pool": "cores"},
        {"ruleset": "dual"},
        {"ruleset": "real_minions"},
    ],
)
def test_a_wrong_argument_is_refused(changes: dict[str, Any]) -> None:
    refusal_of(duels_of, 2, **changes)


def test_a_deck_may_be_a_name_a_deck_or_a_file(tmp_path: Path) -> None:
    for name in ("decks/ember_rush", "pools/core", "rulesets/duel"):
        text = (DATA / f"{name}.toml").read_text(encoding="utf-8")
        text = text.replace('pool = "core"', 'pool = "own.toml"')
        target = {"pools/core": "own.toml"}.get(name, f"{Path(name).name}.toml")
        (tmp_path / target).write_text(text, encoding="utf-8")
    expected = trace(duels_of(3), 30, seed=1)
    forms = ["ember_rush", load_deck("ember_rush"), str(tmp_path / "ember_rush.toml")]
    for deck in forms:
        assert_equal(trace(duels_of(3, deck=deck), 30, seed=1), expected)
    named = duels_of(3, pool=load_pool("core"), ruleset=load_ruleset("duel"))
    assert_equal(trace(named, 30, seed=1), expected)


@pytest.mark.parametrize("action", [8, 40, -1])
def test_an_illegal_action_is_refused_before_anything_happens(action: int) -> None:
    environment = duels_of(3, illegal="refuse")
    other = duels_of(3)
    trace(environment, 4, seed=9)
    legal = trace(other, 4, seed=9)[-1][0]["action_mask"].argmax(axis=1)
    wrong = legal.copy()
    wrong[1] = action
    with pytest.raises(ValueError, match="illegal") as caught:
        environment.step(wrong)
    check_message(str(caught.value))
    assert_equal(environment.step(legal), other.step(legal))


@pytest.mark.parametrize("actions", [np.zeros(3), np.array([39]), np.zeros((2, 1), dtype=int)])
def test_actions_of_a_wrong_shape_or_type_are_refused(actions: Any) -> None:
    environment = duels_of(2)
    environment.reset(seed=1)
    with pytest.raises(ValueError, match="shape") as caught:
        environment.step(actions)
    check_message(str(caught.value))


def test_illegal_actions_end_the_turn_and_the_info_shows_it() -> None:
    lenient = duels_of(3)
    strict = duels_of(3, illegal="refuse")
    lenient.reset(seed=1)
    strict.reset(seed=1)
    n_ended = 0
    for _ in range(60):
        *returned, info = lenient.step(np.array([40, -5, LAST]))
        *expected, legal_info = strict.step(np.array([LAST] * 3))
        assert_equal(returned, expected)
        ended = returned[2] | returned[3]
        n_ended += ended.sum()
        is_illegal = np.array([True, True, False])
        np.testing.assert_array_equal(info["illegal_action"], is_illegal & ~ended)
        if ended.any():
            final_illegal = info["final_info"]["illegal_action"]
            np.testing.assert_array_equal(final_illegal, is_illegal & ended)
        assert not legal_info["illegal_action"].any()
    assert n_ended > 1


def test_positions_can_be_read() -> None:
    assert duels_of(2).render() is None
    environment = duels_of(2, render_mode="ansi")
    environment.reset(seed=1)
    first, second = environment.render() or ()
    assert first.startswith("own    life 20  mana 1")
    assert first != second
