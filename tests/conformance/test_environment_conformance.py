"""Every environment passes its library's checkers, and vector environments equal single ones."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from pettingzoo.test import api_test, seed_test

from agents.environments import BIG_TWO, DUEL
from sim import load_ruleset
from sim.big_two.environment import BigTwoEnv, BigTwoVectorEnv
from sim.big_two.rules import rules_of
from sim.big_two.turns import BigTwoTurns
from sim.environments.turns import DuelTurns
from sim.environments.vector import DuelEnv, DuelVectorEnv
from tests.legacy import needs_package
from tests.returned import assert_equal
from tests.view_agents import Greedy

Game = tuple[str, dict[str, Any]]
SHORT = load_ruleset("duel").model_copy(update={"turn_cap": 9})
DUELS: dict[str, dict[str, Any]] = {
    "as it comes": {},
    "seat 0": {"seat": 0, "opponent": "aggro"},
    "either seat": {"seat": "either", "opponent": "random", "skip_forced": True},
    "some opponents": {
        "deck": ["ember_rush", "spore_swarm"],
        "opponent": ["greedy", "control"],
        "opponent_deck": ["tide_keep", "grove_march"],
        "seat": "either",
    },
    "a learned opponent": {"opponent": Greedy(), "seat": "either"},
    "learned and compiled": {"opponent": ["aggro", Greedy(), Greedy()], "skip_forced": True},
    "cut short": {"ruleset": SHORT, "seat": 0},
    "general rules": {
        "deck": "legacy_mage",
        "opponent_deck": "legacy_hunter",
        "opponent": ["greedy", "random"],
        "seat": "either",
    },
}
GENERAL = {"general rules"}
BIG_TWOS: dict[str, dict[str, Any]] = {
    "Big Two": {},
    "other rules": {
        "rules": "fours",
        "opponents": ["random", "together", "lowest"],
        "observer": "table",
        "reward": "points",
        "seat": 2,
    },
    "a head start": {
        "rules": rules_of(cards=[13, 5, 5, 5]),
        "opponents": "together",
        "observer": "counts",
        "reward": "shed",
        "skip_forced": True,
    },
}
EACH_GAME = [
    *(
        pytest.param((DUEL, options), id=name, marks=needs_package if name in GENERAL else ())
        for name, options in DUELS.items()
    ),
    *(pytest.param((BIG_TWO, options), id=name) for name, options in BIG_TWOS.items()),
]
MADE = {DUEL: (DuelVectorEnv, DuelEnv), BIG_TWO: (BigTwoVectorEnv, BigTwoEnv)}
TURNS = {
    "two decks": lambda: DuelTurns("ember_rush", "tide_keep", render_mode="ansi"),
    "a mirror": lambda: DuelTurns("spore_swarm", "spore_swarm", render_mode="ansi"),
    "cut short": lambda: DuelTurns("ember_rush", "tide_keep", ruleset=SHORT, render_mode="ansi"),
    "general rules": lambda: DuelTurns("legacy_mage", "legacy_hunter", render_mode="ansi"),
    "Big Two": lambda: BigTwoTurns(render_mode="ansi"),
    "other rules": lambda: BigTwoTurns(
        observer="table", rules="fours", reward="shed", render_mode="ansi"
    ),
}
EACH_TURNS = [
    pytest.param(make, id=name, marks=needs_package if name in GENERAL else ())
    for name, make in TURNS.items()
]


@pytest.mark.thorough
@pytest.mark.parametrize("game", EACH_GAME)
def test_the_checker_of_gymnasium_passes(game: Game) -> None:
    """The checker ignores masks; by default an illegal action is no error."""
    name, options = game
    check_env(gymnasium.make(name, **options).unwrapped)
    play_a_while(gymnasium.make(name, disable_env_checker=False, **options), n_steps=60)


def play_a_while(environment: gymnasium.Env, n_steps: int) -> None:
    observation, _ = environment.reset(seed=1)
    environment.action_space.seed(1)
    for _ in range(n_steps):
        action = environment.action_space.sample(observation["action_mask"])
        observation, _, terminated, truncated, _ = environment.step(action)
        if terminated or truncated:
            observation, _ = environment.reset()


@pytest.mark.parametrize("game", EACH_GAME)
def test_an_illegal_action_is_an_error_only_on_request(game: Game) -> None:
    """Episodes also end without masks, and `info` shows which actions were illegal."""
    name, options = game
    lenient = gymnasium.make(name, **options)
    strict = gymnasium.make(name, illegal="refuse", **options)
    lenient.reset(seed=4)
    strict.reset(seed=4)
    lenient.action_space.seed(4)
    is_over = False
    for _ in range(3_000):
        mask = lenient.get_wrapper_attr("action_masks")()
        action = lenient.action_space.sample()
        *_, terminated, truncated, info = lenient.step(action)
        assert info["illegal_action"] == (not mask[action])
        is_over = terminated or truncated
        if is_over:
            break
    assert is_over
    illegal = int(np.flatnonzero(~strict.get_wrapper_attr("action_masks")())[0])
    with pytest.raises(ValueError, match="illegal"):
        strict.step(illegal)


@pytest.mark.parametrize("game", EACH_GAME)
def test_masked_learners_of_other_libraries_find_the_masks(game: Game) -> None:
    """Masks are where sb3-contrib's `is_masking_supported` and `get_action_masks` look for them."""
    name, options = game
    environment = gymnasium.make(name, **options)
    find_masks = environment.get_wrapper_attr("action_masks")
    with pytest.raises(ResetNeeded):
        find_masks()
    observation, _ = environment.reset(seed=2)
    for _ in range(200):
        masks = find_masks()
        assert masks.shape == (environment.action_space.n,)
        np.testing.assert_array_equal(masks, observation["action_mask"].astype(bool))
        observation, _, terminated, truncated, info = environment.step(int(masks.argmax()))
        assert info["illegal_action"] is False
        if terminated or truncated:
            observation, _ = environment.reset()
    many = gymnasium.make_vec(name, num_envs=3, **options)
    with pytest.raises(ResetNeeded):
        many.action_masks()
    observations, _ = many.reset(seed=2)
    np.testing.assert_array_equal(many.action_masks(), observations["action_mask"].astype(bool))


@pytest.mark.thorough
@pytest.mark.parametrize("name", [DUEL, BIG_TWO])
def test_a_masked_ppo_of_another_library_trains_without_a_wrapper(name: str) -> None:
    """Runs only where stable-baselines3 and sb3-contrib are installed, which no extra requires."""
    learners = pytest.importorskip("sb3_contrib")
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    checker.check_env(gymnasium.make(name).unwrapped)
    environment = gymnasium.make(name)
    model = learners.MaskablePPO("MultiInputPolicy", environment, n_steps=64, device="cpu")
    model.learn(128)
    assert model.num_timesteps == 128


@pytest.mark.parametrize("game", EACH_GAME)
def test_the_vector_environment_equals_single_ones_side_by_side(game: Game) -> None:
    (name, options) = game
    n = 5
    many = gymnasium.make_vec(name, num_envs=n, **options)
    singles = SyncVectorEnv(
        [lambda: gymnasium.make(name, disable_env_checker=True, **options).unwrapped] * n,
        autoreset_mode=AutoresetMode.SAME_STEP,
    )
    assert (type(many), type(singles.envs[0])) == MADE[name]
    assert many.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    for space in ("observation_space", "action_space"):
        assert getattr(many, f"single_{space}") == getattr(singles, f"single_{space}")
        assert getattr(many, space) == getattr(singles, space)
    rng = np.random.default_rng(8)
    of_many = many.reset(seed=31)
    of_singles = singles.reset(seed=31)
    n_ended = 0
    for step in range(150):
        assert_equal(of_many, of_singles)
        assert of_many[0] in many.observation_space
        if step == 100:
            of_many = many.reset()
            of_singles = singles.reset()
            continue
        mask = of_many[0]["action_mask"]
        actions = (rng.random(mask.shape) * mask).argmax(axis=1)
        of_many = many.step(actions)
        of_singles = singles.step(actions)
        assert [part.dtype for part in of_many[1:4]] == [part.dtype for part in of_singles[1:4]]
        n_ended += (of_many[2] | of_many[3]).sum()
    assert n_ended > 5


@pytest.mark.parametrize("make", EACH_TURNS)
@pytest.mark.filterwarnings(
    # The checker warns of all observations that are dictionaries with a mask ...
    "ignore:Observation space for each agent probably should be:UserWarning",
    "ignore:Observation is not a NumPy array:UserWarning",
    # ... and of the empty masks that PettingZoo recommends for agents that are not to move.
    "ignore:Action mask numpy array is all zeros:UserWarning",
)
def test_the_checkers_of_pettingzoo_pass(make, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(make(), num_cycles=300)
    seed_test(make, num_cycles=300)
    assert "Passed API test" in capsys.readouterr().out
