"""Next steps: what each adds is what playing it would tell, on the same games."""

from __future__ import annotations

import numpy as np
import pytest

from balance.target import Target, demands_of
from balance.whatif import Exploration, Step
from sim.play.table import OF_RULES, Gene
from tests.balance.contests import THREE

RUSHED, KEPT = (int(row[1]) for row in THREE.deck_rows[:2])
STEPS = [
    Step(Gene(RUSHED, "attack"), 1),
    Step(Gene(KEPT, "cost"), -1),
    Step(Gene(OF_RULES, "life"), 1),
    Step(Gene(RUSHED, "health"), 1),
]


@pytest.mark.parametrize("which", range(5))
@pytest.mark.parametrize("edits", [{}, {Gene(RUSHED, "attack"): 1, Gene(OF_RULES, "life"): -2}])
def test_a_step_adds_what_exploring_it_tells(edits, which: int) -> None:
    demands = demands_of(THREE, Target(field=0.5, first_seat=0.5))
    demand = demands.take(np.array([which % len(demands)]))
    exploration, n_games = Exploration(THREE, 5), 60
    found = exploration.changes_by_steps(edits, STEPS, demand, n_games)
    before = exploration.explore(edits, n_games).rates(demand).estimate
    for step, change in zip(STEPS, found.tolist(), strict=True):
        after = {**edits, step.gene: edits.get(step.gene, 0) + step.by}
        expected = exploration.explore(after, n_games).rates(demand).estimate - before
        assert change == pytest.approx(float(expected[0]), abs=1e-12)
