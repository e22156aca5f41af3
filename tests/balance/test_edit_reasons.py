"""Reasons of edits: from the clean-up if it tried them, else from the games of the effects."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from balance import build_space
from balance.search.cleanup import clean_up
from balance.search.selection import Selection, select
from balance.search.without_margin import WithoutMargin, smallest_without_margin
from balance.settings.tables import Games
from balance.space.broken_rules import broken_rules
from balance.space.tune import Tune
from balance.verdict.clean_up_result import CleanUp
from balance.verdict.edit_effects import measure_edits
from balance.verdict.edit_reasons import EditReason, reasons_of
from sim.play import Gene
from tests.balance.contests import (
    AtMost,
    CoinEvaluator,
    body,
    coin_evaluator,
    free_space,
    own_contest,
)
from tests.balance.test_selection import state_of

WIDE = free_space([-3] * 4, [3] * 4)
GAMES = Games.model_construct(search=100, select=10_000, certify=20_000, total=None)
PATCH = [2, 1, 0, 0]  # at 48 %; a step less reads inside, but has no room
PLENTY = 10**9


def cleaned(
    evaluator: CoinEvaluator, genomes: list[list[int]], recommended: int, most_games: int
) -> tuple[Selection, CleanUp]:
    """Return selection and clean-up of given genomes, of which one is recommended."""
    seen = np.array(genomes, np.int16)
    result = select(evaluator, state_of(seen, np.full(len(seen), 0.5)), np.arange(len(seen)), GAMES)
    assert result.recommended == recommended
    return clean_up(evaluator, result, GAMES, most_games=most_games)


def reasons(
    most_games: int, *, measures: bool = True, genome: list[int] = PATCH, at_zero_pp: float = -8.0
) -> list[EditReason]:
    evaluator = coin_evaluator(WIDE, at_zero_pp=at_zero_pp, pp_per_step=2.0)
    selection, cleanup = cleaned(evaluator, [genome], 0, most_games)
    effects = measure_edits(evaluator, selection.genome, GAMES) if measures else None
    return reasons_of(evaluator, selection.genome, cleanup, effects)


def test_a_rate_that_leaves_its_band_or_its_margin_keeps_an_edit() -> None:
    first, second = reasons(PLENTY)
    assert (first.kind, second.kind) == ("matchup", "matchup margin")
    assert (first.by, second.by) == ("clean-up", "clean-up")
    assert first.limit == second.limit == 0.45
    assert first.reading is not None
    assert second.reading is not None
    assert first.reading < 0.45 < second.reading < (second.needed or 0)
    assert first.name == second.name == "0"


def test_patches_that_the_clean_up_did_not_reach_are_not_tried() -> None:
    kinds = [one.kind for one in reasons(7_000, measures=False)]
    assert kinds == ["not tried", "not tried"]
    # Games of the effects show that the first is needed, even if the clean-up has not tried it.
    first, second, margin = reasons(7_000)
    assert (first.kind, first.by) == ("matchup", "edits")
    assert (second.kind, margin.kind) == ("not tried", "matchup margin")


def test_edits_of_a_patch_without_margin_are_not_tried() -> None:
    (only,) = reasons(PLENTY, measures=False, genome=[1, 0, 0, 0])
    assert only.kind == "not begun"


def test_limits_that_the_whole_patch_breaks_are_no_reason_for_an_edit() -> None:
    (only,) = reasons(PLENTY, genome=[1, 0, 0, 0])  # at 44 %, and without the edit at 42
    assert only.kind == "not begun"


def test_a_guard_keeps_an_edit_by_its_key() -> None:
    evaluator = coin_evaluator(WIDE, at_zero_pp=-8.0, pp_per_step=2.0)
    # 100 seeds of coins show no draw rate below 3 %: a limit of 2 % has no room.
    tight = replace(evaluator, guards=evaluator.guards.model_copy(update={"max_draw_rate": 0.0}))
    effects = measure_edits(tight, np.array(PATCH, np.int16), GAMES)
    assert effects is not None
    guards = [one for one in effects.shortfalls[0] if one.kind == "guard"]
    assert [(one.name, one.limit, one.is_broken) for one in guards] == [
        ("max_draw_rate", 0.0, False)
    ]
    assert guards[0].needed is None  # no share of draws is below 0
    assert guards[0].high > 0


def test_a_rule_keeps_an_edit_by_its_key_and_its_cards() -> None:
    pool = [body("moth", 2, 2, 2), body("tourist", 2, 1, 2), body("other", 5, 4, 4)]
    contest = own_contest(pool, [{"moth": 2, "other": 2}, {"tourist": 2, "other": 2}])
    space = build_space(contest, Tune())
    genome = np.zeros(len(space.genes), np.int16)
    assert broken_rules(space, genome) == []  # as it is today
    genome[space.genes.index(Gene(1, "health"))] = 1  # now neither is better in everything
    genome[space.genes.index(Gene(0, "cost"))] = 1
    assert broken_rules(space, genome) == []
    genome[:] = 0
    genome[space.genes.index(Gene(2, "attack"))] = 1
    genome[space.genes.index(Gene(2, "health"))] = -1
    (result,) = broken_rules(space, genome)
    assert (result.key, result.owners) == ("tune.sense.direction", (2,))


def test_every_rule_that_a_space_knows_is_found_where_a_genome_breaks_one() -> None:
    space = replace(WIDE, constraints=(AtMost(1),), most_cards=2, most_change=4.0)
    rng = np.random.default_rng(5)
    genomes = rng.integers(-2, 3, (60, 4)).astype(np.int16)
    result = [bool(broken_rules(space, genome)) for genome in genomes]
    assert result == (~space.allows(genomes)).tolist()
    assert len({*result}) == 2


def margin_of(genomes: list[list[int]], recommended: int) -> WithoutMargin | None:
    evaluator = coin_evaluator(WIDE, at_zero_pp=-8.0, pp_per_step=2.0)
    selection, cleanup = cleaned(evaluator, genomes, recommended, 0)
    return smallest_without_margin(evaluator, selection, cleanup, GAMES)


def test_a_smaller_patch_without_margin_is_reported_with_the_games_that_it_needs() -> None:
    result = margin_of([[-1, 0, 0, 0], [1, 1, 0, 0], [2, 0, 0, 0], [2, 1, 0, 0]], 3)
    assert result is not None
    assert (result.change, result.n_patches) == (2.0, 2)  # of one step it reads outside
    assert float(result.imbalance_pp.estimate) == pytest.approx(4, abs=0.8)
    assert result.times_games is not None
    assert result.times_games > 1
    assert margin_of([[-1, 0, 0, 0], [2, 1, 0, 0]], 1) is None


def test_a_patch_is_not_smaller_than_itself() -> None:
    assert margin_of([[1, 1, 0, 0]], 0) is None
