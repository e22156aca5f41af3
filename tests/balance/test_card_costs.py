"""Cards with a wrong cost: found in simulated results, and in the games of a small pool."""

from __future__ import annotations

import numpy as np
import pytest

from agents.registry import agent_named
from balance.decks.card_costs import CardCosts, card_costs_of, judge_card_costs
from balance.decks.deck_pairs import (
    COST_STEPS,
    ROUNDS,
    SOLVED_PAIRS_MAX,
    PairDesign,
    PairState,
    copies_ahead,
    pair_design,
    play_deck_pairs,
)
from balance.statistics.intervals import Floats
from sim import Pool
from sim.play import Agent, pack_table
from sim.seeds import generator
from tests.balance.contests import body
from tests.balance.decks import space_in
from tests.duels import CORE, DUEL, TABLE

COSTS = np.array([card.cost for card in CORE.cards])
N_CARDS = len(COSTS)
CONTROL = agent_named("control")
MANA = 0.06  # log-odds that a mana is worth in the simulated results


def design_of(games: int = 60, run_seed: int = 1, pilot: Agent = CONTROL) -> PairDesign:
    return pair_design(space_in(), TABLE, pilot, games_per_card=games, run_seed=run_seed)


def simulated(excess: Floats, run: int) -> CardCosts:
    """Return the verdicts on cards with known deviations from a curve, in log-odds."""
    design = design_of(games=250, run_seed=run)
    ahead = copies_ahead(design)
    worth = 0.08 - MANA * COSTS / 3 + excess
    at_steps = np.stack([worth - MANA * step for step in COST_STEPS])
    log_odds = (ahead * at_steps).sum(axis=(1, 2))
    rng = generator(run, "results")
    wins = rng.binomial(design.n_games, 1 / (1 + np.exp(-log_odds)))
    return card_costs_of(
        ahead,
        cards=np.arange(N_CARDS),
        costs=COSTS,
        rates=wins / design.n_games,
        n_games=design.n_games,
    )


def test_cards_with_a_wrong_cost_are_found_in_both_directions_and_no_others():
    n_false = 0
    for run in range(2):
        rng = generator(4, f"excess/{run}")
        excess = rng.normal(0, 0.008, N_CARDS)
        under, over = rng.permutation(np.flatnonzero(COSTS == 2))[:2].tolist()
        excess[under] = 1.5 * MANA
        excess[over] = -1.5 * MANA
        found = simulated(excess, run)
        assert (found.verdict[under], found.verdict[over]) == (1, -1)
        n_false += int(np.count_nonzero(found.verdict)) - 2
    assert n_false <= 1


def test_intervals_cover_the_effects_and_the_excesses():
    covered = []
    for run in range(2):
        excess = generator(4, f"excess/{run}").normal(0, 0.02, N_CARDS)
        found = simulated(excess, run)
        worth = 0.08 - MANA * COSTS / 3 + excess
        truth = (worth - worth.mean()) * N_CARDS / (N_CARDS - 1)
        _, low, high = found.effect
        covered.append((low <= truth) & (truth <= high))
        assert found.n_games.min() > 250
        np.testing.assert_allclose(
            found.excess.estimate, found.effect.estimate - found.expected, atol=1e-12
        )
    assert 0.9 <= np.mean(covered) <= 0.99


def test_all_cards_have_equal_chances_and_the_decks_of_a_pair_differ():
    design = design_of(games=400)
    decks = np.concatenate([design.decks_of_round(index) for index in range(ROUNDS)])
    copies = design.space.counts(decks.reshape(-1, design.space.size))
    assert design.space.legal(decks.reshape(-1, design.space.size)).all()
    expected = design.space.size / N_CARDS
    assert np.abs(copies.mean(axis=0) / expected - 1).max() < 0.1
    first = design.space.counts(decks[:, 0])
    second = design.space.counts(decks[:, 1])
    assert not ((first > 0) & (second > 0)).any()
    ahead = copies_ahead(design)
    np.testing.assert_array_equal(ahead.sum(axis=1), first - second)
    shares = np.count_nonzero(ahead, axis=0).sum(axis=1) / np.count_nonzero(ahead)
    np.testing.assert_allclose(shares[0], 4 / 6, atol=0.12)  # cards at 0 and 5 have one move
    low, high = DUEL.limits.cost
    assert not ahead[:, 1, high == COSTS].any()
    assert not ahead[:, 2, low == COSTS].any()


@pytest.mark.parametrize("limits", [{"curve": {"1": (9, 9)}}, {"limits": {"puffball": 0}}])
def test_decks_keep_the_limits_of_the_build(limits):
    space = space_in(**limits)
    design = pair_design(space, TABLE, CONTROL, games_per_card=2, run_seed=1)
    decks = np.concatenate([design.decks_of_round(index) for index in range(3)])
    assert space.legal(decks.reshape(-1, space.size)).all()
    many = pair_design(space, TABLE, CONTROL, games_per_card=600, run_seed=1)
    assert (many.n_pairs == SOLVED_PAIRS_MAX) == ("curve" in limits)
    assert many.n_pairs * many.n_games >= 600 * np.count_nonzero(space.most)


def test_games_that_continue_have_the_result_of_games_without_a_break():
    design = design_of(games=8)
    states: list[PairState] = []
    whole = play_deck_pairs(design, on_round=states.append)
    again = play_deck_pairs(design, state=states[3])
    np.testing.assert_array_equal(whole.points, again.points)
    assert [state.generation for state in states] == list(range(1, ROUNDS + 1))
    assert whole.points.max() <= design.n_games
    assert (whole.points[: len(states[0].points)] == states[0].points).all()


def test_a_small_pool_has_its_two_wrong_costs_found():
    sizes = {1: [(1, 1), (1, 2), (2, 1)], 2: [(2, 2), (2, 3), (3, 2)], 3: [(3, 3), (3, 4), (4, 3)]}
    even = [(cost, *size) for cost, group in sizes.items() for size in group * 2]
    cards = tuple(body(f"card_{k}", *numbers) for k, numbers in enumerate(even))
    wrong = (body("gift", 1, 4, 4), body("burden", 3, 1, 1))
    table = pack_table(Pool(name="own", cards=cards + wrong), DUEL)
    space = space_in(table, size=20)
    design = pair_design(space, table, CONTROL, games_per_card=1000, run_seed=1)
    found = judge_card_costs(design, play_deck_pairs(design))
    assert found.verdict.tolist() == [0] * len(cards) + [1, -1]
