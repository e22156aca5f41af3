"""Effects of edits: rates with the patch minus rates without each edit, and broken limits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from balance import Demands, Evaluator
from balance.settings.tables import Games, Guards
from balance.space.search_space import Steps
from balance.statistics.intervals import paired_change
from balance.verdict.edit_effects import LEAST_GAMES, EditEffects, measure_edits
from sim.play import Gene
from tests.balance.contests import RUSH_KEEP, AtMost, coin_evaluator, free_space
from tests.balance.four_seats import FourSeats

SPACE = free_space([-3] * 4, [3] * 4)
TWO = free_space([-1, -1], [1, 1])
GAMES = Games(select=20_000)
PATCH = np.array([3, 0, -2, 1], np.int16)


def effects_of(
    evaluator: Evaluator, genome: Steps = PATCH, games: Games = GAMES, n_spent: int = 0
) -> EditEffects:
    effects = measure_edits(evaluator, genome, games, n_spent=n_spent)
    assert effects is not None
    return effects


def test_the_gain_of_an_edit_is_that_of_its_steps() -> None:
    evaluator = coin_evaluator(SPACE, n_matchups=2, pp_per_step=2.0, at_zero_pp=-5.0)
    effects = effects_of(evaluator)  # 49 % with all: 43 % without the first, 53 % without the next
    assert effects.genes.tolist() == [0, 2, 3]
    steps = np.array([6.0, -4.0, 2.0])[:, np.newaxis] / 100
    assert ((effects.gain.low <= steps) & (steps <= effects.gain.high)).all()
    assert np.allclose(effects.without.estimate, 0.49 - steps, atol=0.02)
    assert effects.fails.tolist() == [[True, True], [False, False], [False, False]]
    imbalances = [effects.imbalance_pp, *effects.imbalance_without_pp]
    assert imbalances == pytest.approx([1, 7, 3, 3], abs=1.7)
    assert (effects.n_games, effects.n_played) == (10_000, 5 * 2 * 10_000)
    assert not (effects.breaks_guard | effects.breaks_rule).any()


def test_effects_are_differences_of_the_same_games() -> None:
    evaluator = Evaluator(RUSH_KEEP, TWO, Demands.around([0.5], 5), Guards(), 7)
    patch = np.array([1, -1], np.int16)
    effects = effects_of(evaluator, patch, Games(select=800))
    played = RUSH_KEEP.play(
        np.array([patch, [0, -1], [1, 0]]),
        evaluator.space.genes,
        n_games=400,
        run_seed=7,
        purpose="edits",
    )
    assert np.allclose(effects.gain.estimate, played.rates[0] - played.rates[1:], atol=1e-12)
    patched, *without = played.rates_by_seed()[:, 0]
    expected = paired_change(patched - np.array(without))
    assert np.allclose(effects.gain, np.array(expected)[..., np.newaxis])


def test_an_edit_of_an_unused_card_has_a_gain_of_exactly_zero() -> None:
    held = {number for row in RUSH_KEEP.deck_rows[:, 1:] for number in row.tolist()}
    stray = next(k for k in range(len(RUSH_KEEP.table.pool.cards)) if k not in held)
    genes = (Gene(stray, "attack"), Gene(int(RUSH_KEEP.deck_rows[0, 1]), "cost"))
    evaluator = Evaluator(
        RUSH_KEEP, replace(TWO, genes=genes), Demands.around([0.5], 5), Guards(), 7
    )
    gain = effects_of(evaluator, np.array([1, 1], np.int16), Games(select=400)).gain
    assert not any(bound[0, 0] for bound in gain)
    assert gain.low[1, 0] < gain.high[1, 0]


def test_an_edit_that_keeps_a_rate_from_its_bounds_is_reported() -> None:
    for band_pp, lacks in ((8.0, False), (3.5, True)):
        evaluator = replace(
            coin_evaluator(SPACE, n_matchups=2, pp_per_step=2.0, at_zero_pp=-5.0),
            demands=Demands.around([0.5, 0.5], band_pp),
        )
        effects = effects_of(evaluator)  # 47 and 53 % without the last two
        assert effects.rates_lack_room[1:].tolist() == [lacks, lacks]
        assert not effects.guards_lack_room.any()


def test_rules_that_a_patch_without_an_edit_breaks_are_reported() -> None:
    for n_edits in (1, 2):
        space = replace(SPACE, constraints=(AtMost(n_edits),))
        assert effects_of(coin_evaluator(space)).breaks_rule.tolist() == [n_edits < 2] * 3


@pytest.mark.parametrize(
    ("genome", "left"), [(0 * PATCH, 10**7), *((PATCH, n) for n in (-1, 0, 5 * LEAST_GAMES - 1))]
)
def test_no_games_are_played_without_edits_or_with_too_few_games(genome: Steps, left: int) -> None:
    evaluator = coin_evaluator(SPACE)
    games = GAMES.model_copy(update={"total": 10**7})
    assert measure_edits(evaluator, genome, games, n_spent=10**7 - left) is None
    assert evaluator.purposes == []


@pytest.mark.parametrize(("left", "n_games"), [(5 * LEAST_GAMES, LEAST_GAMES), (10**6, 10_000)])
def test_a_total_is_not_overdrawn(left: int, n_games: int) -> None:
    games = GAMES.model_copy(update={"total": 10**7 + left})
    effects = effects_of(coin_evaluator(SPACE), games=games, n_spent=10**7)
    assert (effects.n_games, effects.n_played) == (n_games, 5 * n_games)
    assert effects.n_played <= left


def test_tables_of_four_seats_are_played_in_whole_seeds() -> None:
    contest = FourSeats.won_by(0.25, 0.25, 0.25, 0.25)
    evaluator = Evaluator(contest, SPACE, Demands.around([0.25] * 4, 5), Guards(), 1)
    effects = effects_of(evaluator, np.array([2, 0, 0, 0], np.int16), Games(select=406))
    assert effects.n_games == 200
    assert effects.gain.estimate[0, 0] > 0 > effects.gain.estimate[0, 1]
