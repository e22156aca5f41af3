"""Explanations state what agents compared, in all decisions of many games."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest

from agents import agent_named
from agents.conformance.games import Games, games_of
from agents.explanation import Explanation, explainer_of
from agents.search.turn.features import WON
from sim import game_seed
from sim.engine import layout as at
from sim.engine.stepping import Words16, begin_game, legal_actions, may_act, new_state, perform
from sim.play import Agent
from sim.play.mover import mover_of
from tests.agents.dqn.test_rollout_on_a_pilot import pilot_of, search_on
from tests.agents.test_turn import EACH_SOURCE


def explained(
    games: Games, agent: Agent, n_games: int
) -> Iterator[tuple[Words16, int, Explanation]]:
    """Yield each decision of an agent in games against greedy, with its explanation."""
    greedy = agent_named("greedy")
    for index in range(n_games):
        decks = np.roll(games.decks, index, axis=0)[:2]
        state = new_state()
        begin_game(state, games.numbers, decks.ravel(), 0, 1, game_seed(3, "why", index))
        explain = explainer_of(agent, games.table, decks)
        movers = [mover_of(player, games.table, decks) for player in (agent, greedy)]
        seat = index % 2
        while state[at.RESULT] == at.RUNNING:
            is_own = state[at.ACTIVE] == seat
            before = state.copy()
            action = movers[0 if is_own else 1](state)
            if is_own:
                yield before, action, explain(before)
            assert may_act(state, games.numbers, action)
            perform(state, games.numbers, action)


@cache
def all_of(agent: str, source: str, n_games: int) -> list[tuple[Words16, int, Explanation]]:
    return list(explained(games_of(source), agent_named(agent), n_games))


@pytest.mark.parametrize("source", EACH_SOURCE)
@pytest.mark.parametrize(
    "agent", ["turn:60", "turn:8:gsvb", "reader", "strong", "rollout:4", "rollout:3:aggro"]
)
def test_the_explained_choice_is_the_played_one(agent: str, source: str) -> None:
    decisions = all_of(agent, source, 4)
    assert len(decisions) > 60
    for state, action, why in decisions:
        assert why.action == action
        legal = legal_actions(state, games_of(source).numbers)
        assert (why.by == "only") == (len(legal) == 1)
        if why.by in {"win", "worth", "points"}:
            assert (*why.compared[0].actions, at.END_TURN)[0] == action
            # The second comparison of these agents may choose a line that was not the first.
            n_chosen = 1 if agent in {"reader", "strong"} else 0
            scores = [option.score for option in why.compared[n_chosen:]]
            assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("source", EACH_SOURCE)
@pytest.mark.parametrize("agent", ["turn:60", "reader"])
def test_the_parts_of_a_line_s_worth_sum_up_to_it(agent: str, source: str) -> None:
    n_lines = 0
    for _, _, why in all_of(agent, source, 4):
        for line in why.compared if why.by == "worth" else ():
            if line.parts:
                # Not equal, since the search divides whole numbers.
                assert abs(sum(line.parts.values()) - line.score) < 3
                n_lines += len(line.parts) > 5
    assert n_lines > 100


@pytest.mark.parametrize("source", EACH_SOURCE)
def test_each_line_can_be_played_and_ends_as_it_says(source: str) -> None:
    games = games_of(source)
    kinds = set()
    for state, _, why in all_of("turn:60", source, 4):
        if why.by not in {"win", "worth"}:
            continue
        kinds.add(why.by)
        for line in why.compared:
            end = why.start.copy()
            for action in line.actions:
                assert end[at.ACTIVE] == state[at.ACTIVE]
                assert may_act(end, games.numbers, action)
                perform(end, games.numbers, action)
            if why.by == "win":
                assert (end[at.RESULT], line.score) == (state[at.ACTIVE], WON)
                assert line.n_sure == len(line.actions)
            elif line.ends_turn and end[at.RESULT] == at.RUNNING:
                assert may_act(end, games.numbers, at.END_TURN)
    assert kinds == {"win", "worth"}


def test_points_are_those_of_games_that_are_imagined_for_each_action() -> None:
    for state, _, why in all_of("rollout:4", "duel", 4):
        if why.by == "points":
            numbers = games_of("duel").numbers
            taken = sorted(option.actions[0] for option in why.compared)
            assert taken == sorted(legal_actions(state, numbers))
            assert all(0 <= option.score <= 2 * why.facts["worlds"] for option in why.compared)


def test_points_are_of_as_many_games_as_were_imagined() -> None:
    """Check a choice of two actions, of which one is dropped after a quarter of the worlds."""
    games = games_of("duel")
    decisions = explained(games, search_on(games, "rollout:16"), 1)
    two = next(why for *_, why in decisions if len(why.compared) == 2)
    assert two.facts == {"worlds": 4}
    assert two.compared[1].score is None


@pytest.mark.parametrize("source", EACH_SOURCE)
def test_a_network_s_values_choose_what_it_chooses(source: str) -> None:
    games = games_of(source)
    pilot = pilot_of(games)
    decisions = list(explained(games, pilot, 2))
    assert any(why.by == "value" for _, _, why in decisions)
    for state, action, why in decisions:
        assert why.action == action
        if why.by == "value":
            assert len(why.compared) == len(legal_actions(state, games.numbers))
            assert why.compared[0].score == max(option.score for option in why.compared)


def test_scripts_have_nothing_to_explain() -> None:
    games = games_of("duel")
    for name in ("greedy", "aggro", "control", "random"):
        assert explainer_of(agent_named(name), games.table, games.decks[:2]) is None
