"""A learner in every seat: the games are those of batches, and each agent sees its own side."""

from __future__ import annotations

import numpy as np
import pytest

from agents import agent_named
from sim import load_deck, load_ruleset
from sim.environments.base import stream_of
from sim.environments.turns import DuelTurns
from sim.observation.general_view import columns as general_columns
from sim.play import kept, play
from tests.duels import DECKS, TABLE, batch_of
from tests.legacy import legacy_table, needs_package
from tests.messages import check_message
from tests.refusals import refusal_of
from tests.returned import assert_equal
from tests.view_agents import VIEW_AGENTS

LAST = 39
SEATS = ["seat_0", "seat_1"]
OWN = [0, 2, *range(40, 50), 65]  # values of the own side that the opponent sees too
ENEMYS = [1, 3, *range(50, 60), 66]  # the same values of the other side


def ember_against_tide(**options) -> DuelTurns:
    return DuelTurns("ember_rush", "tide_keep", **options)


def play_greedily(game: DuelTurns) -> dict[str, float]:
    """Play the game that has begun, and return the reward of each agent."""
    rewards = dict.fromkeys(SEATS, 0.0)
    for agent in game.agent_iter():
        observation, reward, terminated, truncated, _ = game.last()
        rewards[agent] += reward
        if terminated or truncated:
            game.step(None)
        else:
            mask = observation["action_mask"] == 1
            game.step(VIEW_AGENTS["greedy"](observation["observation"], mask, False))
    assert not game.agents
    return rewards


def test_its_games_are_those_of_batches() -> None:
    game = ember_against_tide()
    n_games = 60
    rewards = []
    for index in range(n_games):
        game.reset(seed=12 if index == 0 else None)
        rewards.append(list(play_greedily(game).values()))
    batch = batch_of(DECKS[:2], [[0, 1]], n_games, stream=stream_of(12))
    greedy = agent_named("greedy")
    winners = kept(play(batch, TABLE, [greedy, greedy], keep="winner").winners)
    assert rewards == [[1, -1] if winner == 0 else [-1, 1] for winner in winners]
    assert 0 < winners.sum() < n_games


def test_both_agents_see_the_same_from_their_own_side() -> None:
    game = ember_against_tide()
    game.reset(seed=1)
    n_checked = 0
    for agent in game.agent_iter(max_iter=120):
        if game.terminations[agent]:
            break
        seen = {seat: game.observe(seat) for seat in SEATS}
        (other,) = set(SEATS) - {agent}
        of_agent = seen[agent]["observation"]
        of_other = seen[other]["observation"]
        np.testing.assert_array_equal(of_agent[OWN + ENEMYS], of_other[ENEMYS + OWN])
        assert not seen[other]["action_mask"].any()
        assert seen[agent]["action_mask"][LAST]
        assert_equal(game.last()[0], seen[agent])
        game.step(seen[agent]["action_mask"].argmax())
        n_checked += 1
    assert n_checked > 20


def test_a_hand_stays_its_owners() -> None:
    game = ember_against_tide()
    game.reset(seed=1)
    hands = {seat: game.observe(seat)["observation"][4:40].tolist() for seat in SEATS}
    assert hands["seat_0"] != hands["seat_1"]
    game.step(LAST)
    assert game.agent_selection == "seat_1"
    np.testing.assert_array_equal(game.observe("seat_0")["observation"][4:40], hands["seat_0"])
    drawn = game.observe("seat_1")["observation"][4:40]
    np.testing.assert_array_equal(drawn[:20], hands["seat_1"][:20])


def test_an_illegal_action_is_refused_before_anything_happens() -> None:
    game = ember_against_tide()
    game.reset(seed=1)
    before = game.observe("seat_0")
    for action in (9, 40, -1):
        with pytest.raises(ValueError, match="illegal") as caught:
            game.step(action)
        check_message(str(caught.value))
    assert_equal(game.observe("seat_0"), before)
    assert game.agent_selection == "seat_0"


def test_the_turn_cap_truncates() -> None:
    game = ember_against_tide(ruleset=load_ruleset("duel").model_copy(update={"turn_cap": 3}))
    game.reset(seed=1)
    for _ in range(3):
        game.step(LAST)
    assert all(game.truncations.values())
    assert not any(game.terminations.values())
    assert set(game.rewards.values()) == {0.0}


def test_every_seat_needs_a_deck() -> None:
    error = refusal_of(DuelTurns, "ember_rush")
    assert (error.value, error.limit) == (1, 2)


def test_games_that_end_while_dealing_are_refused() -> None:
    # Four cards are fewer than an opening hand; fatigue lets such a deck through, and kills.
    frail = load_ruleset("duel").model_copy(update={"deck_out": "fatigue", "life": 1})
    small = {"cinder_imp": 2, "spark_runner": 2}
    deck = load_deck("ember_rush").model_copy(update={"cards": small})
    game = DuelTurns(deck, deck, ruleset=frail)
    refusal_of(game.reset, seed=1)


def test_a_position_can_be_rendered() -> None:
    silent = ember_against_tide()
    silent.reset(seed=1)
    assert silent.render() is None
    game = ember_against_tide(render_mode="ansi")
    game.reset(seed=1)
    assert (game.render() or "").startswith("seat_0\nown    life 20  mana 1")


@needs_package
def test_offered_cards_are_hidden_from_the_other_agent() -> None:
    """A card of the hunter's starter deck lets its player choose one of three cards."""
    environment = DuelTurns("legacy_hunter", "legacy_hunter")
    columns = general_columns(legacy_table().ruleset, 4)
    shown = [k for k, column in enumerate(columns) if column.name.startswith("choice ")]
    at_a_choice = [column.name for column in columns].index("at a choice")
    rng = np.random.default_rng(3)
    n_choices = 0
    for seed in range(30):
        environment.reset(seed=seed)
        while not any(environment.terminations.values()):
            mover = environment.agent_selection
            other = next(agent for agent in environment.agents if agent != mover)
            seen = environment.observe(mover)
            if seen["observation"][at_a_choice]:
                n_choices += 1
                assert seen["observation"][shown].any()
                assert not environment.observe(other)["observation"][shown].any()
            environment.step(rng.choice(np.flatnonzero(seen["action_mask"])))
    assert n_choices > 3
