"""Card power against brute force by the reference implementation, and general laws."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from balance.cards.card_contest import CardContest
from balance.cards.power import (
    Baseline,
    CardPower,
    Versus,
    games_of_power,
    measure_power,
    n_powers_of,
    with_vanilla_bodies,
)
from sim import Card, game_seed
from sim.cards.effect import Effect, Token
from tests.balance.contests import body, own_contest
from tests.duels import CORE, DUEL, reference_card, reference_rules
from tests.reference_duel import Deck, play_reference
from tests.steps import finished_games

SEED = 7
CARDS = [
    body("runner", 1, 2, 1, keywords=("haste",)),
    body("wall", 2, 0, 4),
    body(
        "caller",
        3,
        2,
        2,
        effects=(Effect(on="play", do="summon", token=Token(attack=1, health=1)),),
    ),
    body("giant", 4, 5, 5),
    body("healer", 2, 1, 3, effects=(Effect(on="play", do="heal", amount=2),)),
]
SMALL = own_contest(
    CARDS,
    [
        {"runner": 6, "giant": 1, "wall": 6, "healer": 6},
        {"caller": 6, "wall": 3, "healer": 6, "runner": 5},
        {"giant": 5, "caller": 3, "runner": 6, "wall": 6},
    ],
    agents=["aggro", "control", "greedy"],
)


def power_of(contest: CardContest, card_id: str, **more) -> CardPower:
    how = {"n_games": 2000, "run_seed": SEED, **more}
    position = contest.table.pool.index(card_id)
    return next(power for power in measure_power(contest, **how) if power.card == position)


# --- brute force by the reference ---


def vanilla(card: Card) -> Card:
    return body("plain", card.cost, min(card.cost, 5), min(card.cost + 1, 5))


def reference_deck_without(
    contest: CardContest, player: int, left_out: str | None, baseline: str
) -> Deck:
    """Return the deck of a player with blanks or plain bodies for one kind of card."""
    pool = contest.table.pool
    cards = [pool.cards[index] for index in contest.players[player].deck.slots(pool)]
    if baseline == "vanilla":
        plain = [vanilla(card) if card.id == left_out else card for card in cards]
        return [reference_card(card) for card in plain]
    return [None if card.id == left_out else reference_card(card) for card in cards]


def reference_rate(
    contest: CardContest, a: Deck, b: Deck, pilots: tuple[int, int], n: int
) -> float:
    """Return the win rate of `a` over both seatings of n games."""
    rules = reference_rules(contest.table.ruleset)
    agent, enemy = (contest.players[pilot].agent.name for pilot in pilots)
    worth = np.array([1.0, 0.0, 0.5])
    points = 0.0
    for index in range(n):
        seed = game_seed(SEED, "power", index)
        points += worth[play_reference(rules, (a, b), (agent, enemy), seed).winner]
        points += 1 - worth[play_reference(rules, (b, a), (enemy, agent), seed).winner]
    return points / (2 * n)


@pytest.mark.parametrize("versus", ["mirror", "field"])
@pytest.mark.parametrize("baseline", ["skip", "vanilla"])
def test_power_is_brute_force_by_the_reference(baseline: Baseline, versus: Versus) -> None:
    powers = measure_power(SMALL, n_games=24, run_seed=SEED, baseline=baseline, versus=versus)
    for power in powers:
        player = power.player
        opponents = [player] if versus == "mirror" else [o for o in range(3) if o != player]
        left_out = SMALL.table.pool.cards[power.card].id
        losses = []
        for opponent in opponents:
            against = reference_deck_without(SMALL, opponent, None, baseline)
            rates = [
                reference_rate(
                    SMALL,
                    reference_deck_without(SMALL, player, card_id, baseline),
                    against,
                    (player, opponent),
                    12,
                )
                for card_id in (None, left_out)
            ]
            losses.append(rates[0] - rates[1])
            if versus == "mirror":
                assert rates[0] == 0.5
        assert power.power.estimate == pytest.approx(np.mean(losses), abs=1e-12)
        assert power.n_games == 24 * len(opponents)


@pytest.mark.parametrize("versus", ["mirror", "field"])
def test_the_announced_number_of_games_is_played(versus: Versus) -> None:
    n_played = list[int]()
    contest = replace(SMALL, on_games=n_played.append)
    measure_power(contest, n_games=24, run_seed=SEED, versus=versus)
    assert sum(n_played) == games_of_power(SMALL, n_powers_of(SMALL), 24, versus)


def test_drawn_and_played_counts_equal_those_of_the_reference() -> None:
    powers = measure_power(SMALL, n_games=60, run_seed=SEED)
    worth = np.array([[1.0, 0.0, 0.5], [0.0, 1.0, 0.5]])
    for player in range(3):
        mirror = SMALL.deck_rows[[player, player]]
        pilots = [SMALL.players[player].agent] * 2
        slots = mirror[0, 1 : 1 + mirror[0, 0]]
        drawn, drawn_points, played, played_points = np.zeros((4, len(slots)))
        seeds = [game_seed(SEED, "power", index) for index in range(30)]
        for game in finished_games(SMALL.table, mirror, pilots, seeds):
            for seat in range(2):
                won = worth[seat, game.end.result]
                seen = list(game.end.seats[seat].drawn_slots)
                drawn[seen] += 1
                drawn_points[seen] += won
                played[game.played[seat]] += 1
                played_points[game.played[seat]] += won
        for power in (power for power in powers if power.player == player):
            copies = slots == power.card
            counted = [each[copies].sum() for each in (drawn, played, drawn_points, played_points)]
            assert [power.n_drawn, power.n_played] == counted[:2]
            rates = np.array([power.when_drawn.estimate, power.when_played.estimate])
            np.testing.assert_allclose(rates * counted[:2], counted[2:], rtol=1e-12)


# --- laws ---


def test_every_kind_of_card_of_every_deck_is_measured_in_deck_order() -> None:
    powers = measure_power(SMALL, n_games=4, run_seed=SEED)
    assert [(power.player, power.card, power.n_copies) for power in powers] == [
        (player, SMALL.table.pool.index(card_id), n_copies)
        for player, one in enumerate(SMALL.players)
        for card_id, n_copies in one.deck.cards.items()
    ]


def test_plain_bodies_keep_within_the_rulesets_limits_and_behind_the_pool() -> None:
    limits = DUEL.limits.model_copy(update={"attack": (2, 3), "health": (1, 4)})
    extended, places = with_vanilla_bodies(CORE, DUEL.model_copy(update={"limits": limits}))
    assert extended.cards[: len(CORE.cards)] == CORE.cards
    assert sorted(places) == sorted({card.cost for card in CORE.cards})
    for cost, place in places.items():
        plain = extended.cards[place]
        wanted = body("plain", cost, max(2, min(cost, 3)), min(cost + 1, 4))
        assert plain.model_copy(update={"id": wanted.id, "name": wanted.name}) == wanted


def test_plain_bodies_give_way_to_cards_that_are_called_like_them() -> None:
    names = ["vanilla_body_3", "vanilla_body_3_2", "vanilla_body_4"]
    namesakes = [body(name, 3, 3, 4) for name in names]
    pool = CORE.model_copy(update={"cards": (*CORE.cards, *namesakes)})
    extended, places = with_vanilla_bodies(pool, DUEL)
    ids = [extended.cards[places[cost]].id for cost in (3, 4, 5)]
    assert ids == ["vanilla_body_3_3", "vanilla_body_4_2", "vanilla_body_5"]
    contest = own_contest([*namesakes, *CARDS], [{"vanilla_body_3": 4, "runner": 4}])
    power = power_of(contest, "vanilla_body_3", n_games=20, baseline="vanilla")
    assert tuple(power.power) == (0.0, 0.0, 0.0)  # it is such a body itself


def test_unaffordable_cards_are_equal_burdens() -> None:
    poor = DUEL.model_copy(update={"mana_max": 3})
    contest = own_contest(
        [*CARDS, body("idol", 5, 5, 5)], [{"runner": 24, "idol": 6}], ruleset=poor
    )
    skipped = power_of(contest, "idol")
    assert skipped.power.high < 0  # without it, every draw is a card that can be played
    assert skipped.n_drawn > skipped.n_played == 0
    np.testing.assert_array_equal(skipped.when_played, (np.nan, 0, 1))
    replaced = power_of(contest, "idol", baseline="vanilla")  # by a body of cost 5
    assert tuple(replaced.power) == (0.0, 0.0, 0.0)


def test_a_deck_without_its_only_kind_of_card_always_loses() -> None:
    contest = own_contest(CARDS, [{"runner": 20}])
    assert tuple(power_of(contest, "runner").power) == (0.5, 0.5, 0.5)
