"""Built decks: selected and certified on separate seeds, improved only if verified."""

from __future__ import annotations

import numpy as np
import pytest

from agents.registry import agent_named
from balance.decks.building import build_deck
from balance.decks.built_deck import BuiltDeck
from balance.metagame.field import field_of, play_field
from sim import check_deck, load_deck
from sim.play.batch import deck_row
from tests.balance.contests import THREE
from tests.balance.decks import CoinField, coin_field, settings_of
from tests.balance.test_deck_search import WORTH
from tests.duels import CORE, DUEL

TINY = {"population": 8, "generations": 3, "search": 10, "select": 40, "certify": 80}
COINS = {"population": 20, "generations": 20, "search": 100, "select": 2_000, "certify": 4_000}


def test_a_built_deck_is_legal_and_its_file_plays_the_certified_games():
    built = build_deck(THREE, settings_of(seed=5, **TINY))
    check_deck(built.deck, CORE, DUEL)
    assert built.deck.n_cards == DUEL.deck_limit
    again = play_field(
        field_of(THREE),
        deck_row(built.deck.slots(CORE))[np.newaxis],
        agent_named("aggro"),
        n_games=80,
        run_seed=5,
        purpose="build/certify",
        keep_games=True,
    )
    assert float(again.score().estimate[0]) == float(built.score.estimate)
    assert again.win_rate().low[0].tolist() == built.win_rates.low.tolist()
    assert built.n_games == 80
    assert len(built.win_rates.estimate) == len(built.field.opponents) == 3


def improved(swaps: int, **more) -> BuiltDeck:
    """Return an improvement of Ember Rush with at most some number of swaps."""
    return build_deck(THREE, settings_of(improve="ember_rush", swaps=swaps, **(COINS | more)))


@pytest.fixture(scope="module")
def chosen() -> tuple[CoinField, list[str], BuiltDeck]:
    """A deck built with simulated games, with the field and the stages that were reported."""
    with pytest.MonkeyPatch.context() as patch:
        coins = coin_field(patch, WORTH)
        stages = list[str]()
        return coins, stages, build_deck(THREE, settings_of(**COINS), on_stage=stages.append)


def test_choosing_and_certifying_have_seeds_of_their_own_and_one_deck_is_certified(chosen):
    coins, stages, built = chosen
    assert stages == ["search", "select", "certify"]
    n_selected = len(built.selection.decks)
    assert coins.calls[-2:] == [
        ("build/select", n_selected, 2_000),
        ("build/certify", 1, 4_000),
    ]
    assert not {purpose for purpose, _, _ in coins.calls[:-2]} & {"build/select", "build/certify"}
    per_stage = {"select": 3 * n_selected * 2_000, "certify": 3 * 4_000}
    assert built.games == {"search": int(built.state.history[-1, 0])} | per_stage


def test_the_chosen_deck_is_the_best_of_the_selection_not_of_the_search(chosen):
    coins, _, built = chosen
    selection = built.selection
    assert built.deck == selection.decks[0]
    assert (np.diff(selection.score.estimate) <= 0).all()
    assert selection.behind.estimate[0] == 0
    assert (selection.behind.estimate >= 0).all()
    truth = coins.rates(np.array([deck.slots(CORE) for deck in selection.decks]))
    assert truth[0] > np.median(truth)
    assert len(set(map(str, (sorted(deck.cards.items()) for deck in selection.decks)))) == 30


def test_claimed_win_rates_stay_with_their_decks(chosen):
    *_, built = chosen
    state = built.state
    selection = built.selection
    seen = [tuple(np.sort(slots)) for slots in state.seen]
    rows = [seen.index(tuple(np.sort(deck.slots(CORE)))) for deck in selection.decks]
    n_games = state.seen_games[rows]
    assert selection.n_claimed.tolist() == n_games.tolist()
    rates = built.field.score(state.seen_points[rows]) / n_games
    np.testing.assert_allclose(selection.claimed, rates, rtol=1e-9)


def test_decks_that_may_be_as_good_are_not_certainly_behind(monkeypatch):
    """Of decks with equal win rates the one with the fewest swaps is recommended."""
    coin_field(monkeypatch, {})
    selection = improved(3).selection
    assert selection.n_swaps[selection.recommended] == 0
    assert selection.n_swaps[0] > 0  # luck puts another first


def test_certified_means_that_the_lower_bound_reaches_the_goal(chosen, monkeypatch):
    coin_field(monkeypatch, WORTH)
    *_, built = chosen
    assert built.certified is None  # without a goal
    low = float(built.score.low)
    for goal, is_certified in ((low, True), (low + 1e-6, False)):
        assert build_deck(THREE, settings_of(goal=goal, **COINS)).certified is is_certified


def test_the_best_swaps_are_found_for_every_number_of_them(monkeypatch):
    # The deck has two Toll Ogres that cost it games; only Puffballs are better than the rest.
    worth = {"toll_ogre": -0.06, "hired_blade": -0.03, "puffball": 0.09, "road_squire": 0.06}
    coin_field(monkeypatch, worth)
    built = improved(3, population=40, generations=30, search=400, select=10_000)
    assert (built.origin, built.agent) == (load_deck("ember_rush"), THREE.players[0].agent)
    assert [player.name for player in built.field.opponents] == ["tide_keep", "grove_march"]
    best = {one.n_swaps: one.deck.cards for one in built.improvements}
    assert [*best] == [1, 2, 3]
    assert best[1]["toll_ogre"] == best[1]["puffball"] == 1
    assert (best[2].get("toll_ogre"), best[2]["puffball"]) == (None, 2)
    assert best[3]["road_squire"] == best[3]["hired_blade"] == 1
    assert (built.deck.cards, built.deck.name) == (best[3], "ember_rush_improved")
    assert built.tried is built.improvements[-1]
    assert built.tried.gain.low > 0.2
    assert abs(built.tried.gain.estimate - 0.39) < 0.03
    gains = [one.gain.estimate for one in built.improvements]
    assert gains == sorted(gains)
    assert float(built.score.estimate) == float(built.tried.score.estimate)


def test_a_swap_that_brings_nothing_for_certain_is_not_recommended(monkeypatch):
    coin_field(monkeypatch, {"toll_ogre": -0.2, "puffball": 0.1})
    built = improved(4)
    before = load_deck("ember_rush").cards
    assert sum(built.deck.cards.get(card, 0) < copies for card, copies in before.items()) == 1
    assert built.deck.cards["puffball"] == 2


@pytest.mark.parametrize("worth", [{}, {"puffball": -0.02, "toll_ogre": 0.01}])
def test_a_deck_without_a_better_one_is_kept(monkeypatch, worth):
    others = {card.id: -0.02 for card in CORE.cards} if worth else {}
    coin_field(monkeypatch, others | dict.fromkeys(load_deck("ember_rush").cards, 0.0) | worth)
    built = improved(2)
    assert built.deck == built.origin == load_deck("ember_rush")
    assert built.tried is None


def test_an_unverified_improvement_is_replaced_by_the_original_deck(monkeypatch):
    play = coin_field(monkeypatch, {}).play

    def flatter(field, decks, pilot, *, purpose, **more):
        """Play, and make the original deck lose all games of the selection."""
        counts = play(field, decks, pilot, purpose=purpose, **more)
        if purpose == "build/select":
            is_origin = (decks == deck_row(load_deck("ember_rush").slots(CORE))).all(axis=1)
            assert is_origin.sum() == 1
            counts.by_seed[is_origin] = 0
        return counts

    monkeypatch.setattr("balance.decks.selection.play_field", flatter)
    built = improved(2)
    assert built.selection.n_swaps[built.selection.recommended] > 0
    assert built.tried.gain.estimate == pytest.approx(0, abs=0.03)
    assert built.tried.gain.low <= 0
    assert built.deck == built.origin
    assert float(built.score.estimate) != float(built.tried.score.estimate)


def test_a_deck_that_may_not_stay_is_changed_whatever_it_costs(monkeypatch):
    rush = load_deck("ember_rush").cards
    cheap = [card.id for card in CORE.cards if card.cost == 1]
    n_cheap = sum(rush.get(card, 0) for card in cheap)
    coin_field(monkeypatch, dict.fromkeys(set(cheap) - set(rush), -0.1))
    built = improved(2, curve={"1": (n_cheap + 2, n_cheap + 2)}, generations=5)
    assert sum(built.deck.cards.get(card, 0) for card in cheap) == n_cheap + 2
    assert built.tried.gain.high < 0


def test_a_field_and_a_name_may_be_given():
    field = field_of(THREE, {"tide_keep": 3, "ember_rush": 0})
    built = build_deck(THREE, settings_of(**TINY), field=field, name="attacker_1")
    assert (built.field, built.deck.name) == (field, "attacker_1")
    expected = 0.75 * built.win_rates.estimate[0] + 0.25 * built.win_rates.estimate[1]
    assert np.isclose(float(built.score.estimate), expected)


@pytest.mark.thorough
def test_the_interval_of_the_certificate_has_its_coverage(monkeypatch):
    coins = coin_field(monkeypatch, WORTH)
    small = COINS | {"generations": 2, "select": 400, "certify": 400}
    found = [build_deck(THREE, settings_of(seed=seed, **small)) for seed in range(100)]
    truth = coins.rates(np.array([built.deck.slots(CORE) for built in found]))
    low, high = np.array([built.score[1:] for built in found]).T
    # of 100 at 95 %: fewer in 1 of 200 such tests
    assert ((low <= truth) & (truth <= high)).sum() >= 89
