"""Prices: patches are certified by the games of their price; rules that cost steps are named."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from balance import BalanceSettings, build_space, question_of
from balance.cards.relaxations import spaces_without_rules
from balance.run.prices import LIKELY, PriceRow, price_list
from balance.run.rule_prices import rule_prices
from balance.run.stages import run_stages
from balance.search.cleanup import clean_up
from balance.search.method import Method
from balance.search.methods import method_named
from balance.search.selection import select
from balance.settings.tables import Games
from balance.space.tune import Tune
from balance.verdict.certificate import certify
from tests.balance.contests import THREE, CoinEvaluator, coin_evaluator, free_space
from tests.balance.model.test_model_search import SPACE, Strengths
from tests.balance.test_selection import state_of

# So many games in the selection that luck plays no part.
GAMES = Games(matchups=400, search=100, select=400_000, certify=20_000)
# One card for each number. Without a patch the rate is 41 %, and each step adds a point.
LINE = free_space([-9] * 6, [9] * 6)


def priced(evaluator: CoinEvaluator, genomes: list[list[int]]) -> list[PriceRow]:
    """Return the prices of the patches of a search, of which the first one is recommended."""
    seen = np.array(genomes, np.int16)
    state = state_of(seen, np.full(len(seen), 0.5))
    settings = BalanceSettings(seed=1, games=GAMES)
    method: Method = method_named("ga")(evaluator, settings)
    selection = select(evaluator, state, np.array([0]), GAMES)
    selection, cleanup = clean_up(evaluator, selection, GAMES, most_games=0)
    # Without the reduced patches, so that only the given ones have prices.
    cleanup = replace(cleanup, smaller=())
    return [*price_list(evaluator, method, state, selection, cleanup).rows]


PATCHES = [[7, 1, 0, 0, 0, 0], [7, 0, 0, 0, 0, 0], [6, 0, 0, 0, 0, 0], [5, 0, 0, 0, 0, 0],
           [3, 0, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0]]  # fmt: skip


def test_prices_rise_towards_the_edge_of_the_band() -> None:
    rows = priced(coin_evaluator(LINE, at_zero_pp=-9.0), PATCHES)
    sizes = [(row.cards_touched, row.change) for row in rows]
    assert sizes == [(1, 6.0), (1, 7.0), (2, 2.0), (2, 8.0)]
    assert [row.recommended for row in rows] == [False, False, False, True]
    small = rows.pop(2)  # of least change, and outside its band
    assert small.games is None
    games = [row.games or 0 for row in rows]
    assert games[0] > games[1] > games[2] > 0
    bands = [row.band_pp or 0.0 for row in rows]
    assert 5 > bands[0] > bands[1] > bands[2] > 1
    for row, off_pp in zip(rows, (3.0, 2.0, 1.0), strict=True):
        assert row.imbalance_pp.low < off_pp < row.imbalance_pp.high
        assert row.n == 4 * GAMES.select


def test_a_patch_outside_its_band_has_a_band_as_its_only_price() -> None:
    rows = priced(coin_evaluator(LINE, at_zero_pp=-9.0), [[7, 1, 0, 0, 0, 0], [3, 0, 0, 0, 0, 0]])
    outside, recommended = rows
    assert (outside.games, outside.cards_touched) == (None, 1)
    assert 6 < (outside.band_pp or 0) < 7.5
    assert recommended.games


@pytest.mark.thorough
@pytest.mark.parametrize("steps", [5, 6, 7])
def test_a_price_certifies_most_patches(steps: int) -> None:
    evaluator = coin_evaluator(LINE, at_zero_pp=-9.0)
    rows = priced(evaluator, [[7, 1, 0, 0, 0, 0], [steps, 0, 0, 0, 0, 0]])
    (row,) = (row for row in rows if not row.recommended)
    assert row.games is not None
    genome = np.array([steps, 0, 0, 0, 0, 0], np.int16)
    verdicts = [
        certify(replace(evaluator, run_seed=seed), genome, n_games=row.games)[0].certified
        for seed in range(100)
    ]
    assert LIKELY - 0.1 <= np.mean(verdicts) <= 0.99


def test_bands_grow_with_fewer_certifying_games() -> None:
    evaluator = coin_evaluator(LINE, at_zero_pp=-9.0)
    many = priced(evaluator, PATCHES)[-1]
    assert many.band_pp is not None
    assert many.games is not None
    assert many.games < GAMES.certify
    assert many.band_pp < evaluator.demands.band_pp


def test_every_design_rule_that_restricts_patches_has_a_space_without_it() -> None:
    tune = Tune.model_validate({"max_card_change": 1, "stat_budget": 2, "sense": {"attack": False}})
    spaces = spaces_without_rules(THREE, tune, build_space(THREE, tune))
    assert set(spaces) == {
        "tune.max_steps = 4", "no tune.max_card_change", "no tune.stat_budget",
        "tune.sense.cost = false", "tune.sense.dominance = false", "tune.sense.direction = false",
    }  # fmt: skip
    assert spaces["no tune.max_card_change"].card_change is None
    assert spaces["no tune.stat_budget"].sums is None
    assert (spaces["tune.max_steps = 4"].high.astype(int).sum()) > build_space(
        THREE, tune
    ).high.sum()


def test_a_rule_that_costs_steps_is_found() -> None:
    settings = BalanceSettings.model_validate(
        {"seed": 1, "search": {"rounds": 8}, "games": {"matchups": 4_000}}
    )
    tight = replace(SPACE, low=np.maximum(SPACE.low, -1), high=np.minimum(SPACE.high, 1))
    found = run_stages(question_of(Strengths(), settings, tight))
    assert found.certificate.certified
    wide = {"more steps": SPACE, "nothing": tight}
    prices = rule_prices(found.evaluator, settings, wide, found.size)
    assert [row.setting for row in prices.rows] == ["more steps", "nothing"]
    assert [row.is_smaller for row in prices.rows] == [True, False]
    more = prices.rows[0]
    assert more.change is not None
    assert more.cards_touched is not None
    assert more.cards_touched < found.cards_touched
    priced_run = found.with_prices(wide)
    assert priced_run.games["prices"] >= prices.n_games
    assert [row.recommended for row in priced_run.rows(PriceRow)].count(True) == 1
    assert [*priced_run.to_dict()["rule_prices"][0]][:2] == ["setting", "cards_touched"]
