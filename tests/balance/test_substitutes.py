"""What to play instead of missing cards."""

from __future__ import annotations

import numpy as np
import pytest

from balance.decks.open_slots import find_vacancies
from balance.decks.substitutes import Substitution, find_substitutes, n_stages
from balance.metagame.field import field_of, mirror_of, play_field
from sim.play.batch import deck_row
from tests.balance.contests import THREE, body, own_contest
from tests.duels import DUEL
from tests.refusals import complaint_of

POOL = THREE.table.pool
RUSH = THREE.players[0]
FIELD = field_of(THREE, but=RUSH.name)
BUDGET = {"race_games": 40, "n_games": 200, "shown": 4, "run_seed": 5}


def substitutes_of(*missing: str, **more: object) -> Substitution:
    vacancies = find_vacancies(RUSH.deck, POOL, DUEL, missing)
    return find_substitutes(RUSH, FIELD, vacancies, **(BUDGET | more))


@pytest.fixture(scope="module")
def found() -> Substitution:
    return substitutes_of("ember_whelp")


def test_a_far_stronger_card_comes_first_and_a_twin_does_no_harm():
    plain = [body(f"plain_{k}", k, k, k) for k in (1, 2, 3, 4, 5)]
    cards = [body("weak", 1, 0, 1), body("twin", 1, 0, 1), body("giant", 1, 5, 5), *plain]
    deck = {"weak": 2} | {card.id: 2 for card in plain}
    contest = own_contest(cards, [deck, deck])
    player, pool = contest.players[0], contest.table.pool
    vacancies = find_vacancies(player.deck, pool, DUEL, ["weak"])
    found = find_substitutes(player, field_of(contest, but="a"), vacancies, **BUDGET)
    by_name = {pool.cards[one.cards[0]].id: one for one in found.candidates}
    assert list(by_name) == ["giant", "twin"]
    assert by_name["twin"].gain == (0, 0, 0)
    assert by_name["twin"].distance == 0
    assert found.by_role == (1, 0)
    assert by_name["giant"].gain.low > 0


def test_every_legal_card_is_ranked_once_in_both_orders(found):
    cards = [one.cards[0] for one in found.candidates]
    assert sorted(cards) == [k for k in range(len(POOL.cards)) if k not in RUSH.deck.slots(POOL)]
    assert sorted(found.by_role) == list(range(len(cards)))
    distances = [found.candidates[k].distance for k in found.by_role]
    assert distances == sorted(distances)


def test_the_best_of_both_orders_are_measured_and_the_first_raced_longest(found):
    measured = [k for k, one in enumerate(found.candidates) if one.gain is not None]
    assert measured == list(range(len(measured)))
    assert set(found.by_role[:4]) <= set(measured)
    gains = [found.candidates[k].race_gain for k in measured]
    assert gains == sorted(gains, reverse=True)
    spent = [one.n_games for one in found.candidates]
    assert spent[0] == max(spent)
    assert min(spent) == 40


def test_the_interval_comes_from_games_that_chose_nothing(found):
    first = found.candidates[0]
    intact = deck_row(RUSH.deck.slots(POOL))
    decks = np.stack([intact, found.vacancies.fill(intact, first.cards)])
    games = {"n_games": 200, "run_seed": 5, "purpose": "substitute/measure"}
    again = play_field(FIELD, decks, RUSH.agent, keep_games=True, **games)
    assert first.gain == tuple(bound[1] for bound in again.gain_over(0))
    assert found.intact == tuple(bound[0] for bound in again.score())


def test_where_few_cards_may_stand_in_their_order_in_the_pool_does_not_matter():
    """Two of twelve are far better; with as many shown as there are, all the same they race."""
    plain = [body(f"plain_{k}", k, k, k) for k in (1, 2, 3, 4)]
    weak = [body(f"weak_{k}", 1, 0, 1) for k in range(10)]
    giants = [body(f"giant_{k}", 1, 5, 5) for k in range(2)]
    deck = {card.id: 2 for card in plain}
    for order in (weak + giants, giants + weak):
        contest = own_contest([*plain, *order], [deck, deck])
        pool = contest.table.pool
        owned = {card.id: 2 for card in order}
        missing = [card.id for card in plain]
        vacancies = find_vacancies(contest.players[0].deck, pool, DUEL, missing, owned)
        asked = {"race_games": 20, "n_games": 40, "shown": 12, "run_seed": 5}
        found = find_substitutes(contest.players[0], field_of(contest, but="a"), vacancies, **asked)
        first = {pool.cards[card].id for card in found.candidates[0].cards}
        assert {"giant_0", "giant_1"} <= first


def test_several_missing_cards_are_filled_together():
    found = substitutes_of("ember_whelp", "furnace_rat", "pyre_champion", race_games=4, n_games=40)
    decks = [frozenset(found.vacancies.copies_of(one.cards).items()) for one in found.candidates]
    assert len(set(decks)) == len(decks)
    for one in found.candidates:
        assert found.vacancies.is_legal(one.cards)
        assert len(set(one.cards)) == 3  # with two copies each, nobody can take two places


def test_the_mirror_measures_against_the_intact_deck():
    vacancies = find_vacancies(RUSH.deck, POOL, DUEL, ["ember_whelp"])
    found = find_substitutes(RUSH, mirror_of(THREE, RUSH), vacancies, **BUDGET)
    assert found.intact == (0.5, 0.5, 0.5)


def test_all_games_are_counted(found):
    finalists = sum(one.gain is not None for one in found.candidates)
    rounds = [41, 21, 11, 6]  # halved until four are left, the intact deck beside them
    races = sum((1 + n) * 40 * 2**k for k, n in enumerate(rounds))
    assert found.total_games == 2 * (races + 2 * (1 + finalists) * 200)


@pytest.mark.parametrize("missing", [("ember_whelp",), ("ember_whelp", "furnace_rat")])
def test_it_says_what_comes_next(missing: tuple[str, ...]):
    stages: list[str] = []
    found = substitutes_of(*missing, race_games=4, n_games=4, on_stage=stages.append)
    assert len(stages) == n_stages(found.vacancies)
    assert stages[-1].startswith("measuring")


def test_a_pair_that_nothing_can_fill_together_is_refused():
    cards = [body("a", 1, 1, 1), body("b", 1, 1, 2), body("c", 1, 2, 1), body("d", 2, 2, 2)]
    contest = own_contest(cards, [{"a": 2, "b": 2, "d": 2}, {"d": 2, "c": 2, "a": 2}])
    player = contest.players[0]
    owned = {"a": 0, "b": 0, "c": 2, "d": 2}
    vacancies = find_vacancies(player.deck, contest.table.pool, DUEL, (), owned)
    assert "cards 'a', 'b': no legal cards can take their 4 places" in complaint_of(
        find_substitutes, player, field_of(contest, but="a"), vacancies, **BUDGET
    )
