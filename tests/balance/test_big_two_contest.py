"""Big Two is measured and balanced by the same methods as card games."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from agents.big_two import agent_named
from balance import Demands, question_of, run_stages
from balance.big_two.big_two_contest import PLACES, BigTwoContest, BigTwoPlayer, rule_genes
from balance.contest.patch import edit_of
from balance.contest.target import Target, demands_of
from balance.settings.tables import BalanceSettings
from balance.space.search_space import SearchSpace
from sim.big_two.cards import HAND_SIZE
from sim.big_two.rules import rules_of
from tests.messages import check_message
from tests.refusals import refusal_of

STYLES = ("together", "lowest", "together", "lowest")
NAMES = ("keeper", "low", "other keeper", "other low")
PLAYERS = tuple(BigTwoPlayer(n, agent_named(s)) for n, s in zip(NAMES, STYLES, strict=True))
CONTEST = BigTwoContest(rules_of(), PLAYERS)
ALIKE = replace(
    CONTEST, players=tuple(player._replace(agent=agent_named("lowest")) for player in PLAYERS)
)
CARDS = rule_genes([f"cards_of_seat_{seat}" for seat in range(4)])


def played(contest: BigTwoContest, steps, genes=(), n_games: int = 800, **options):
    usual = {"n_games": n_games, "run_seed": 1, "purpose": "matchups"}
    return contest.play(np.array(steps, np.int16), genes, **usual | options)


@pytest.mark.parametrize("rate", ["first_places", "points"])
def test_players_share_every_game_and_so_do_places(rate) -> None:
    readings = played(replace(CONTEST, rate=rate), np.zeros((1, 0)))
    assert readings.shares.shape == (1, 8, 4, 200)
    assert readings.shares.min() >= 0
    np.testing.assert_allclose(readings.shares.reshape(2, 4, -1).sum(axis=1), 1)
    np.testing.assert_array_equal(readings.rates[0, :4].argsort(kind="stable")[2:] % 2, [0, 0])


def test_points_are_what_is_owed_for_cards_left() -> None:
    points = replace(CONTEST, rate="points")
    outcomes = points.outcomes(400, 1, "matchups")
    shares = played(points, np.zeros((1, 0)), (), 400)
    owed = points.rules.owed(outcomes.cards_left)
    assert points.rules.owed([1, 9, 10, HAND_SIZE]).tolist() == [1, 9, 20, 26]
    won = np.arange(4) == outcomes.winner[:, None]
    gained = np.where(won, owed.sum(axis=1, keepdims=True), -owed)
    np.testing.assert_allclose(shares.points[0, :4], (0.25 + gained / 104).sum(axis=0))


def test_selected_matchups_and_later_deals_equal_those_of_all() -> None:
    whole, later, some = (
        played(CONTEST, np.zeros((1, 0)), **options)
        for options in (
            {},
            {"n_games": 400, "first_game": 100},
            {"matchups": CONTEST.matchups[4:2:-1]},
        )
    )
    np.testing.assert_array_equal(whole.shares[..., 100:], later.shares)
    np.testing.assert_array_equal(some.shares, whole.shares[:, 4:2:-1])
    names = [CONTEST.matchup_name(matchup) for matchup in CONTEST.matchups[3:5]]
    assert names == ["other low", "opener"]


def test_equal_players_are_even_fewer_cards_help_and_equal_edits_are_paired() -> None:
    readings = played(ALIKE, [[0, 0, 0, 0], [0, -2, 0, 0], [0, 0, 0, 0]], CARDS, 4_000)
    np.testing.assert_allclose(readings.rates_by_seed()[0, :4], 0.25)
    assert readings.rates[1, 1] > 0.25 + 0.05
    np.testing.assert_array_equal(readings.shares[0], readings.shares[2])


def test_the_demands_are_a_quarter_each_for_players_and_places() -> None:
    demands = demands_of(CONTEST, Target(win_rate={}))
    assert demands.names == (*NAMES, *PLACES)
    assert (demands.aims == 0.25).all()


@pytest.mark.thorough
def test_a_search_finds_an_unfair_number_of_cards_and_its_patch_is_certified() -> None:
    n_cards = np.array([13, 10, 13, 13], np.int16)
    contest = replace(ALIKE, rules=rules_of(cards=n_cards.tolist()))
    space = SearchSpace(CARDS, np.full(4, -4, np.int16), 13 - n_cards, np.ones(4))
    demands = Demands(NAMES, np.eye(4, 8), np.full(4, 0.21), np.full(4, 0.29), 4.0)
    games = {"search": 1_000, "select": 8_000, "certify": 12_000}
    settings = BalanceSettings.model_validate({"seed": 3, "games": games, "search": {"rounds": 3}})
    found = run_stages(replace(question_of(contest, settings, space), demands=demands))
    assert found.certificate.certified
    assert found.certificate.before_pp.estimate > 5
    assert {(edit.field, edit.before) for edit in found.patch} == {("cards_of_seat_1", 10)}


def test_edits_name_cards_and_rules_in_words() -> None:
    genes = rule_genes(["opening_card", "opening_lead", "cards_of_seat_1"])
    edits = [
        str(edit_of(CONTEST.parameter(gene), after))
        for gene, after in zip(genes, (7, 2, 11), strict=True)
    ]
    check_message("\n".join(edits))


def test_unknown_numbers_are_refused() -> None:
    assert refusal_of(rule_genes, ["luck"]).value == "luck"
