"""Compiled pilots choose what their networks choose, and searches on them work as documented."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from agents import DQNPilot, agent_named
from agents.conformance.games import SOURCES, Games, games_of, positions
from agents.dqn.compiled_pilot import compiled_pilot
from agents.dqn.network import Architecture, QNetwork
from agents.roster.rollout import rollout_on
from agents.search.flat import first_halving
from sim.engine.stepping import action_to_engine, look_through
from sim.observation.view import View, view_of
from sim.play import CompiledAgent, play
from sim.play.reach import reach_of_rows
from tests.agents.test_rollout import plain_search
from tests.experiments.learners import write_pilot
from tests.refusals import refusal_of


def view_in(games: Games) -> View:
    return view_of(games.table, reach_of_rows(games.table.pool, games.table.ruleset, games.decks))


def pilot_of(games: Games, *, improved: bool = True) -> DQNPilot:
    """Return an untrained pilot, with a seed by which it chooses several actions."""
    size = view_in(games).size
    network = QNetwork(
        Architecture(hidden=16, dueling=improved, one_hot=improved, view=size), seed=6
    )
    return DQNPilot("dqn:chance", network)


def search_on(games: Games, name: str) -> CompiledAgent:
    return rollout_on(f"{name}:dqn:chance", pilot_of(games))


@pytest.mark.parametrize(("source", "improved"), [("duel", True), ("duel", False), ("saga", True)])
def test_a_compiled_pilot_chooses_what_its_network_does(source: str, improved: bool) -> None:
    games = games_of(source)
    view = view_in(games)
    pilot = pilot_of(games, improved=improved)
    compiled = compiled_pilot(pilot, view)
    size = view.size
    values = np.zeros(size.n_values, dtype=np.float32)
    mask = np.zeros(size.n_actions, dtype=np.uint8)
    chosen = set()
    for position in positions(compiled, games, 4):
        state = position.state.copy()
        if look_through(state, games.numbers, view.words, values, mask) > 1:
            (wanted,) = pilot.choose(values[None], mask[None].astype(np.bool_))
            assert action_to_engine(games.numbers, view.words, wanted) == position.action
            chosen.add(int(wanted))
    assert len(chosen) > 4


@pytest.mark.thorough
@pytest.mark.parametrize(("n_worlds", "opponent"), [(2, ""), (9, ""), (5, ":aggro")])
@pytest.mark.parametrize("source", SOURCES[:2])
def test_it_searches_as_it_says(source: str, n_worlds: int, opponent: str) -> None:
    """Check a search that halves its actions after a quarter and after half of the worlds."""
    games = games_of(source)
    first = first_halving(n_worlds)
    agent = search_on(games, f"rollout:{n_worlds}{opponent}")
    base = compiled_pilot(pilot_of(games), view_in(games))
    enemy = agent_named(opponent[1:]) if opponent else base
    n_asked = n_own = 0
    for index, position in enumerate(positions(agent_named("greedy"), games, 2)):
        if index % 3 == 0:
            chosen = games.ask(agent, position.state.copy())
            assert chosen == plain_search(
                games, position.state, n_worlds, base, enemy, (first, 2 * first)
            )
            n_own += chosen != games.ask(base, position.state.copy())
            n_asked += 1
    assert 0 < n_own < n_asked


def test_it_is_refused_where_its_pilot_is() -> None:
    saga = games_of("saga")
    agent = search_on(games_of("duel"), "rollout:2")
    batch = saga.batch()
    others = [agent_named("random")] * 3
    refusal_of(play, batch, saga.table, [agent, *others])


def test_the_registry_reads_its_pilot_anew(tmp_path: Path) -> None:
    name = f"rollout:4:dqn:{write_pilot(tmp_path / 'ember.pt')}"
    first = agent_named(name)
    assert first.name == name
    assert agent_named(name) is not first
