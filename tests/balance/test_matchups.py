"""Contests and matchups: pairings, equal counts of both seatings, and points of real games."""

from __future__ import annotations

from dataclasses import fields, replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from agents.registry import agent_named, agent_names
from balance import MatchupCounts, wilson
from balance.cards.card_contest import CardContest, Matchup, Player, load_contest, play_matchups
from sim.cards.deck import load_deck
from sim.play import Table, kept
from tests.balance.contests import RUSH_KEEP, THREE, counts_of
from tests.duels import DECK_NAMES, DECKS, TABLE, reference_singly

# Contests count games of any agent alike; the dearest take thousands of times as long as scripts.
FAST_AGENTS = tuple(name for name in agent_names() if name not in {"reader", "strong"})
players = st.lists(
    st.tuples(st.sampled_from(DECK_NAMES), st.sampled_from(FAST_AGENTS)), min_size=2, max_size=3
)


def contest_between(pairs: list[tuple[str, str]]) -> CardContest:
    """Return a contest of players by deck and agent, which may repeat."""
    return CardContest(
        TABLE,
        tuple(
            Player(f"player {place}", load_deck(deck), agent_named(agent))
            for place, (deck, agent) in enumerate(pairs)
        ),
    )


def counted(
    contest: CardContest, table: Table = TABLE, *, n_games: int = 60, seed: int = 1, **more
):
    how = {"purpose": "test", **more}
    return play_matchups(contest, table, n_games=n_games, run_seed=seed, **how)


@settings(max_examples=10)
@given(players, st.integers(0, 2**63 - 1))
def test_points_are_those_of_the_others_when_listed_the_other_way(pairs, seed: int) -> None:
    forth = counted(contest_between(pairs), seed=seed)
    back = counted(contest_between(pairs[::-1]), seed=seed)
    there = {matchup: k for k, matchup in enumerate(contest_between(pairs).matchups)}
    last = len(pairs) - 1
    mirrored = [there[last - b, last - a] for a, b in contest_between(pairs).matchups]
    assert (forth.points[0] + back.points[0, mirrored] == 60).all()
    np.testing.assert_array_equal(forth.winners[0], back.winners[0, mirrored, ::-1])
    first, first_back = (counts.first_seat_by_seed()[0] for counts in (forth, back))
    np.testing.assert_array_equal(first, first_back[mirrored])
    np.testing.assert_array_equal(forth.turns[0], back.turns[0, mirrored])


@settings(max_examples=10)
@given(players, st.integers(0, 2**63 - 1))
def test_all_counts_follow_from_the_winners(pairs, seed: int) -> None:
    counts = counted(contest_between(pairs), seed=seed)
    winners = counts.winners[0]
    drawn = (winners == 2).sum(axis=(1, 2))
    won_by_a, won_by_first = (
        (winners == seats).sum(axis=(1, 2)) + drawn / 2 for seats in (np.array([[0], [1]]), 0)
    )
    assert counts.points[0].tolist() == won_by_a.tolist()
    assert counts.draw_rate().estimate[0] == pytest.approx(drawn.mean() / 60)
    by_seed = counts.first_seat_by_seed()[0]
    np.testing.assert_allclose(60 * by_seed.mean(axis=1), won_by_first, rtol=1e-12)
    assert counts.first_seat().estimate[0] == pytest.approx(won_by_first.mean() / 60)
    assert (counts.turns[0].sum(axis=1) == 60).all()


def test_card_counts_are_kept_only_on_request() -> None:
    with pytest.raises(ValueError, match="not kept"):
        kept(counted(RUSH_KEEP).seen)
    with_cards = counted(RUSH_KEEP, keep_cards=True)
    assert kept(with_cards.seen).sum() > 0
    np.testing.assert_array_equal(with_cards.winners, counted(RUSH_KEEP).winners)


def test_win_rates_are_wilsons_and_the_first_seats_is_a_mean_over_seeds() -> None:
    counts = counted(THREE, n_games=400)
    np.testing.assert_array_equal(counts.win_rate(0.9), wilson(counts.points, 400, 0.9))
    by_seed = (np.array([1.0, 0.0, 0.5])[counts.winners[0]]).mean(axis=(0, 1))
    assert by_seed.shape == (200,)
    first = counts.first_seat()
    assert first.estimate[0] == pytest.approx(by_seed.mean())
    expected = stats.norm.interval(0.95, by_seed.mean(), stats.sem(by_seed))
    np.testing.assert_allclose([first.low[0], first.high[0]], expected)


def test_a_draw_rate_is_as_uncertain_as_one_of_a_game_for_each_seed() -> None:
    for rate, n_drawn in ((0.02, 4), (0.0, 0)):
        draw_rates = counts_of(np.full((1, 3), 200.0), 400, draw_rate=rate).draw_rate()
        np.testing.assert_allclose(np.ravel(draw_rates), np.ravel(wilson(n_drawn, 200)))


def test_a_contest_may_list_its_matchups_and_any_be_played_from_any_seed() -> None:
    whole = counted(THREE, TABLE.vary([], np.zeros((2, 0), int)), n_games=40)
    two = replace(THREE, only=(Matchup(0, 2), Matchup(1, 2)))
    np.testing.assert_array_equal(counted(two, n_games=40).winners[0], whole.winners[0, 1:])
    later = counted(
        THREE, TABLE.vary([], np.zeros((2, 0), int)), n_games=20, first_game=[0, 10],
        matchups=[(0, 2)],
    )  # fmt: skip
    np.testing.assert_array_equal(later.winners[0, 0], whole.winners[0, 1, :, :10])
    np.testing.assert_array_equal(later.winners[1, 0], whole.winners[0, 1, :, 10:])


def test_games_of_further_seeds_join_as_if_played_at_once() -> None:
    table = TABLE.vary([], np.zeros((2, 0), int))
    first = counted(THREE, table, n_games=20, keep_cards=True)
    more = counted(THREE, table, n_games=40, first_game=10, keep_cards=True)
    whole = counted(THREE, table, n_games=60, keep_cards=True)
    joined = first.joined(more)
    for one in fields(whole):
        np.testing.assert_array_equal(getattr(joined, one.name), getattr(whole, one.name))
    with pytest.raises(ValueError, match="joined"):
        first.joined(replace(more, faults={0: ValueError()}))


def test_purposes_and_run_seeds_bring_games_of_their_own() -> None:
    games = [
        tuple(counted(RUSH_KEEP, seed=seed, purpose=purpose).rates_by_seed().ravel())
        for seed in (1, 2)
        for purpose in ("select", "certify")
    ]
    assert len(set(games)) == 4


@pytest.mark.parametrize("seed", [1, 2])
def test_points_are_those_of_the_plain_reference(seed: int) -> None:
    by_seed = 2 * counted(RUSH_KEEP, n_games=40, seed=seed).rates_by_seed(0)[0]
    decks = DECKS[[DECK_NAMES.index("ember_rush"), DECK_NAMES.index("tide_keep")]]
    a_first = reference_singly(TABLE, decks, ["aggro", "control"], 20, run_seed=seed)
    b_first = reference_singly(TABLE, decks[::-1], ["control", "aggro"], 20, run_seed=seed)
    worth = np.array([1.0, 0.0, 0.5])
    expected = [
        worth[one.winner] + 1 - worth[other.winner]
        for one, other in zip(a_first, b_first, strict=True)
    ]
    assert by_seed.tolist() == expected


def shared_luck(rng: np.random.Generator, n_variants: int, n_seeds: int) -> MatchupCounts:
    """Return counts of 3 matchups with a seat's luck repeated in all games of a seed.

    Variants are repetitions of the experiment; the first seat wins 60 of 100 games.
    """
    luck = rng.normal(stats.norm.ppf(0.6) * np.sqrt(2), 1.0, (n_variants, 1, 1, n_seeds))
    first_won = luck + rng.normal(size=(n_variants, 3, 2, n_seeds)) > 0
    nobody = counts_of(np.zeros((n_variants, 3)), 2 * n_seeds)
    return replace(nobody, winners=np.where(first_won, 0, 1).astype(np.int8))


@pytest.mark.parametrize("n_seeds", [50, 200])
def test_a_first_seats_interval_covers_the_truth_though_luck_is_shared(n_seeds: int) -> None:
    counts = shared_luck(np.random.default_rng(1), 3000, n_seeds)
    first = counts.first_seat()
    assert first.estimate.mean() == pytest.approx(0.6, abs=0.005)
    assert ((first.low <= 0.6) & (first.high >= 0.6)).mean() == pytest.approx(0.95, abs=0.015)
    won = (counts.winners == 0).sum(axis=(1, 2, 3))
    pooled = wilson(won, 6 * n_seeds)  # as if all games were independent
    assert ((pooled.low <= 0.6) & (pooled.high >= 0.6)).mean() < 0.85


def test_every_pair_of_players_meets_once() -> None:
    assert [tuple(matchup) for matchup in THREE.matchups] == list(combinations(range(3), 2))
    assert [THREE.matchup_name(matchup) for matchup in THREE.matchups] == [
        "ember_rush vs tide_keep",
        "ember_rush vs grove_march",
        "tide_keep vs grove_march",
    ]


def test_a_contest_is_loaded_by_the_names_of_decks_and_agents() -> None:
    loaded = load_contest(("ember_rush", "aggro"), ("tide_keep", "control"))
    assert loaded.players == RUSH_KEEP.players
    assert (loaded.table.pool.name, loaded.table.ruleset.name) == ("core", "duel")
