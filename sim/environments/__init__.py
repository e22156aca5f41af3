"""Reinforcement-learning environments for Gymnasium and PettingZoo.

`vector` plays many duels at once, or one, with one learner; `turns` plays one duel with a learner
in every seat. Observations and actions are those of the view of the decks' games
(`sim.observation.view`): 67 values and 40 actions in a duel of plain cards (`sim.engine.viewing`);
in other games their number depends on rules and pool (`sim.observation.general_view`). `base`,
`learners` and `seated` do not depend on cards; the environments of Big Two share them
(`sim.big_two.environment`).
"""

from __future__ import annotations

from importlib.util import find_spec

from sim.errors import InputError

for _package in ("gymnasium", "pettingzoo"):
    if find_spec(_package) is None:
        raise InputError(
            f"needs the package {_package}, which is not installed",
            place=__name__,
            value=_package,
            remedy='pip install "evenhand[rl]"',
        )
