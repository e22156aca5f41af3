"""Reinforcement-learning environments for Gymnasium and PettingZoo.

`vector` has the environments with one learner, for one duel or many at once. `turns` has the
environment of one duel with a learner in every seat. Observations and actions are those of the view
of the games (`sim.observation.view`): 67 values and 40 actions in a duel of plain cards
(`sim.engine.viewing`). In other games their numbers depend on rules and decks
(`sim.observation.general_view`). `base`, `learners` and `seated` do not depend on cards; the
environments of Big Two also use them (`sim.big_two.environment`).
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
            remedy='run: pip install "evenhand[rl]"',
        )
