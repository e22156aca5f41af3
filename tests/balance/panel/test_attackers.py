"""Decks built against a patch: their matchups, and the limits on their win rates."""

from __future__ import annotations

import numpy as np

from balance.contest.target import FIELD
from balance.panel.attack import Attack, attack_patch
from balance.panel.attackers import AttackingDeck, with_attacker_limits, with_attackers
from balance.panel.panel_question import prepare_panel
from balance.settings.tables import Build
from tests.balance.panel.panels import SETTINGS, TOTAL, hands

QUICK = SETTINGS.model_copy(
    update={"build": Build(population=4, generations=2, search=4, select=40, certify=400)}
)
HANDS = hands()


def attacked(number: int, n_decks: int = 1) -> tuple[AttackingDeck, ...]:
    return attack_patch(HANDS, (), QUICK, Attack(number, most=0.55, n_decks=n_decks))


ATTACKERS = (attacked(1)[0], attacked(2)[0])


def test_an_attack_is_the_same_for_the_same_number_only() -> None:
    first, second = ATTACKERS
    assert attacked(1)[0] == first
    assert first.cards != second.cards
    assert (first.attack, second.attack) == (1, 2)


def test_both_cheapest_pilots_search_and_every_pilot_judges() -> None:
    decks = attacked(3, n_decks=2)
    assert len(decks) == 4
    assert len({deck.name for deck in decks}) == 4
    assert [deck.win_rate for deck in decks] == sorted((d.win_rate for d in decks), reverse=True)
    for deck in decks:
        # Three opponents; `own` plays four games for each game of `greedy`.
        assert deck.n == {"own": 3 * 400, "greedy": 3 * 400}[deck.pilot]
        # Each pilot's rate counts, and the deck has that of the pilot with which it wins most.
        assert deck.joins >= (deck.high > 0.55)


def test_decks_that_have_joined_are_not_judged_again() -> None:
    found = attacked(3, n_decks=2)
    attack = Attack(3, most=0.55, n_decks=2)
    again = attack_patch(HANDS, (), QUICK, attack, known=found[:1])
    assert len(again) == 3
    assert found[0].cards not in [deck.cards for deck in again]


def test_attackers_play_every_deck_and_only_those() -> None:
    hand = hands()[0]
    contest = with_attackers(hand, ATTACKERS, QUICK).contest
    assert contest.matchups[:3] == hand.contest.matchups
    assert contest.matchups[3:] == tuple((a, deck) for a in (3, 4) for deck in range(3))
    assert with_attackers(hand, (), QUICK) is hand
    assert {player.agent.name for player in contest.players[3:]} == {QUICK.build.agent}


def test_each_attackers_mean_rate_is_limited_alike_for_all_pilots() -> None:
    goals = SETTINGS.demands_in(hands()[0].contest)
    limited = with_attacker_limits(goals, ATTACKERS, 3, 0.55)
    rates = np.array([0.5, 0.5, 0.5, 0.9, 0.6, 0.3, 0.4, 0.4, 0.4])
    np.testing.assert_allclose(limited.of(rates)[3:], [0.6, 0.4])
    question = prepare_panel(hands(), QUICK, 4 * TOTAL, ATTACKERS, 0.55)
    names = [
        f"{pilot}: {deck.name} vs {FIELD}" for pilot in ("own", "greedy") for deck in ATTACKERS
    ]
    high = dict(zip(question.demands.names, question.demands.high, strict=True))
    assert {round(float(high[name]), 9) for name in names} == {0.55}
    assert question.demands.n_rates == len(question.contest.matchups)
    owners = {gene.owner for gene in question.space.genes}
    assert owners <= {*question.contest.base.reached}
