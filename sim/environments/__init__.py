"""The games as reinforcement-learning environments of Gymnasium and PettingZoo.

`vector` plays many duels at once, and one; `turns` one with a learner in every seat. What
they observe and do is the view of the decks' games (`sim.observation.view`): of a plain duel 67
values and 40 actions with a mask (`sim.engine.viewing`), of any other game as many as its rules
and pool make (`sim.observation.general_view`). `base`, `learners` and `seated` know no cards: they
are what Big Two's environments share, too (`sim.big_two.environment`).
"""

from __future__ import annotations

from importlib.util import find_spec

from sim.errors import InputError

for _package in ("gymnasium", "pettingzoo"):
    if find_spec(_package) is None:
        raise InputError(
            f"{__name__} needs {_package}, which needs the extra: " + 'pip install "evenhand[rl]"'
        )
