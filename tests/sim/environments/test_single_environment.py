"""The environment of one duel: its episodes, texts and registration, and the extra it needs."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded

import agents.environments
from agents.environments import make_duel
from sim.environments.position import action_text, position_text
from sim.environments.vector import DuelEnv
from sim.observation.view import DuelView
from tests.duels import ROOT, TABLE
from tests.messages import check_message
from tests.returned import assert_equal
from tests.scripts import python
from tests.test_laws_of_the_code import packages_imported_by, tree_of

LAST = 39
DUEL_VIEW = DuelView(TABLE)


def episode(environment: DuelEnv, **reset: Any) -> list[Any]:
    """Return all results of an episode of a player that takes the first legal action."""
    returned: list[Any] = [environment.reset(**reset)]
    while len(returned) == 1 or not (returned[-1][2] or returned[-1][3]):
        returned.append(environment.step(int(returned[-1][0]["action_mask"].argmax())))
    return returned


def test_reset_begins_the_next_episode_after_an_end_and_after_a_break() -> None:
    played = make_duel()
    left = make_duel()
    episode(played, seed=3)
    left.reset(seed=3)
    assert_equal(episode(played), episode(left))
    assert_equal(episode(played), episode(left))


def test_the_last_observation_shows_the_end() -> None:
    environment = make_duel(render_mode="ansi")
    for seed in range(20):
        observation, reward, terminated, truncated, info = episode(environment, seed=seed)[-1]
        own, enemy = observation["observation"][:2]
        assert (terminated, truncated) == (True, False)
        assert reward == (1.0 if enemy <= 0 else -1.0)
        assert (own <= 0) != (enemy <= 0)
        assert np.flatnonzero(info["action_mask"]).tolist() == [LAST]
        text = environment.render() or ""
        assert text.startswith(f"own    life {own:.0f} ")
        assert text.endswith("legal  nothing")


def test_a_step_outside_an_episode_is_refused() -> None:
    environment = make_duel()
    with pytest.raises(ResetNeeded):
        environment.step(LAST)
    episode(environment, seed=1)
    with pytest.raises(ResetNeeded):
        environment.step(LAST)


def test_a_position_as_text() -> None:
    values = np.zeros(67, dtype=np.float32)
    values[:4] = 17, -2, 3, 1
    values[4:12] = [2, 3, 1, 0, 4, 1, 5, 5]
    values[40:44] = [1, 2, 5, 4]
    values[50:52] = [3, 1]
    values[61] = 1
    values[65:] = 20, 19
    mask = np.zeros(40, dtype=bool)
    mask[[0, 15, 20, 39]] = True
    check_message(position_text(values, mask, DUEL_VIEW))
    for action in (3, 33, 17, 40):
        check_message(action_text(action, values, DUEL_VIEW))


@pytest.mark.thorough
def test_importing_the_module_registers_them() -> None:
    program = (
        "import gymnasium\n"
        "gymnasium.make('agents.environments:evenhand/Duel-v0').reset(seed=1)\n"
        "import sys; print('torch' in sys.modules)"
    )
    assert python("-W", "error", "-c", program) == "False\n"


@pytest.mark.parametrize("missing", ["gymnasium", "pettingzoo"])
def test_a_missing_extra_is_named(missing: str) -> None:
    program = (
        f"import sys; sys.modules[{missing!r}] = None\n"
        "from importlib import import_module\n"
        "from sim.errors import InputError\n"
        "for name in ('sim.environments.turns', 'sim.big_two.turns', 'agents.environments'):\n"
        "    try:\n"
        "        import_module(name)\n"
        "    except InputError as error:\n"
        "        print(error)"
    )
    first, second, third = python("-c", program).splitlines()
    assert first == second == third
    check_message(first)


@pytest.mark.thorough
def test_nothing_else_needs_the_extra() -> None:
    allowed = {ROOT / "agents" / "environments.py"}
    for path in [*(ROOT / "sim").rglob("*.py"), *(ROOT / "agents").rglob("*.py")]:
        if path not in allowed and path.parent != ROOT / "sim" / "environments":
            assert not packages_imported_by(tree_of(path)) & {"gymnasium", "pettingzoo"}, path
    assert agents.environments.DUEL in gymnasium.registry
