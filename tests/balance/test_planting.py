"""Hidden edits: the requested number of steps, far enough off, and certainly reversible."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import default_rng

from balance import apply_patch, build_space
from balance.cards.card_contest import patched
from balance.run import planting
from balance.run.planting import IMBALANCE_PP, Planted, Planting, draw_edits
from balance.settings.tables import BalanceSettings, Games, Guards, Target
from balance.space.tune import Tune
from sim.play import using_threads
from tests.balance.contests import RUSH_KEEP

NAME = RUSH_KEEP.matchup_name(RUSH_KEEP.matchups[0])
SETTINGS = BalanceSettings(
    seed=3,
    target=Target(win_rate=0.7, band_pp=8),  # it wins 69 %
    guards=Guards(max_first_seat_pp=20, median_turns=1),
    games=Games.model_construct(certify=2_000),
)
SPACE = build_space(RUSH_KEEP, Tune())


@given(st.integers(1, 9), st.integers(0, 2**32))
def test_edits_are_as_many_steps_each_card_made_stronger_or_weaker(n_steps: int, seed: int) -> None:
    genome = draw_edits(SPACE, n_steps, default_rng(seed))
    assert abs(genome).sum() == n_steps
    assert ((SPACE.low <= genome) & (genome <= SPACE.high)).all()
    better = np.array([-1 if gene.field == "cost" else 1 for gene in SPACE.genes])
    sides = {(SPACE.genes[k].owner, np.sign(better * genome)[k]) for k in np.flatnonzero(genome)}
    assert len({owner for owner, _ in sides}) == len(sides) <= 5


@cache
def planted(*, as_target: bool = False) -> Planted:
    return Planting(RUSH_KEEP, SETTINGS, n_games=1_000).plant(
        3, "plant/planted/0", as_target=as_target
    )


@pytest.mark.parametrize("as_target", [False, True])
def test_planted_edits_are_reproducible_and_as_far_off_as_declared(*, as_target: bool) -> None:
    hidden = planted(as_target=as_target)
    with using_threads(3):
        assert hidden == planted.__wrapped__(as_target=as_target)
    assert sum(abs(edit.after - edit.before) for edit in hidden.edits) == 3
    assert IMBALANCE_PP[0] <= 100 * abs(hidden.win_rates[NAME] - 0.7) <= IMBALANCE_PP[1]


def test_taking_the_edits_back_brings_today_back_and_keeps_sense() -> None:
    hidden = planted()
    contest = patched(RUSH_KEEP, hidden.edits)
    back = tuple(one._replace(before=one.after, after=one.before) for one in hidden.edits)
    assert apply_patch(contest.table.pool, back) == RUSH_KEEP.table.pool
    space = build_space(contest, Tune())
    steps = {(one.card, one.field): one.after - one.before for one in back}
    patch = np.array([
        [steps.get((contest.parameter(gene).owner, gene.field), 0) for gene in space.genes]
    ])  # fmt: skip
    assert abs(patch).sum() == 3
    assert space.allows(patch.astype(np.int16)).all()
    assert ((space.low <= patch) & (patch <= space.high)).all()


@pytest.mark.parametrize("as_target", [False, True])
def test_only_a_way_that_is_certified_is_planted(
    *, as_target: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The certificate is of the given cards, with the guards, and of the right target rates."""
    certify = planting.certify
    asked = list[Any]()

    def refused_once(evaluator: Any, genome: Any, **how: Any) -> Any:
        asked.append(evaluator)
        verdict, readings = certify(evaluator, genome, **how)
        if len(asked) == 1:
            object.__setattr__(verdict, "certified", False)
        return verdict, readings

    first = planted(as_target=as_target)
    monkeypatch.setattr(planting, "certify", refused_once)
    second = planted.__wrapped__(as_target=as_target)
    assert len(asked) >= 2
    assert second.edits != first.edits
    given = RUSH_KEEP if as_target else patched(RUSH_KEEP, first.edits)
    assert asked[0].contest.table.pool == given.table.pool
    assert asked[0].guards == SETTINGS.guards
    assert asked[0].demands.aims[0].tolist() == [first.win_rates[NAME] if as_target else 0.7]
