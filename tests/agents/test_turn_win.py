"""The search for a win in this turn finds it, with any number of positions for the rest."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice

import numpy as np
import pytest

from agents import agent_named
from agents.conformance.games import exchange_hidden, games_of, positions
from agents.registry import compiled_agent_named
from agents.roster.turn import TurnAgent
from sim import game_seed
from sim.engine import layout as at
from sim.engine.stepping import ask_agent, perform
from sim.real_cards.scenario.position import Ground
from sim.real_cards.scenario.runner import build
from sim.real_cards.scenario.scenario import Setup
from tests.agents.test_turn import EACH_SOURCE
from tests.legacy import legacy_table, needs_package
from tests.steps import Words16

NODES = (20, 60, 200, 600)
N_ACTIONS_MAX = 40
YETI = "CS2_182"
OGRE = "CS2_200"  # 4/5, 6/7
TAUNT = "CS2_232"
SHIELD = "CS2_179"  # 8/8 and 3/5, both with taunt
DECK = [["CS2_231", 12]]
ENEMIES = ["CS2_231", "CS2_182", "CS2_120"]


def side(hero: str, **what: object) -> dict[str, object]:
    mana = {"available": 10, "max": 10}
    return {"class": hero, "mana": mana, "hand": [], "board": [], "deck": DECK, **what}


def turn_of(own: dict[str, object], enemy: dict[str, object]) -> Setup:
    return Setup.model_validate({"active": "p1", "p1": own, "p2": enemy})


CASES = {
    # Three attackers, Fireball and Fireblast for exactly 19.
    "attackers and magic": turn_of(
        side(
            "MAGE",
            hand=["CS2_029", "CS2_120", "CS2_023", "CS2_025"],
            board=[{"card": YETI}, {"card": YETI}, {"card": YETI}],
            mana={"available": 6, "max": 6},
        ),
        side("MAGE", health=19, board=ENEMIES),
    ),
    # Fireball over the head of a guard that nothing in the hand could kill.
    "magic past a guard": turn_of(
        side("MAGE", hand=["CS2_029", "CS2_025"], board=[{"card": YETI}]),
        side("MAGE", health=7, board=[TAUNT, *ENEMIES]),
    ),
    # The ogre has to take the guard, since two of the others would be too few for the player.
    "a guard in the way": turn_of(
        side("PRIEST", hand=["CS2_120"], board=[{"card": c} for c in (OGRE, YETI, YETI)]),
        side("MAGE", health=8, board=["CS2_231", SHIELD]),
    ),
    # A spell for all attackers before the attacks, and a spell with a draw that changes nothing.
    "a draw that does not matter": turn_of(
        side(
            "DRUID",
            hand=["CS2_011", "EX1_173"],
            board=[{"card": YETI}],
            mana={"available": 9, "max": 9},
        ),
        side("MAGE", health=13, board=ENEMIES),
    ),
}


def wins_turn(state: Words16, numbers: Words16, name: str) -> bool:
    """Return whether an agent that plays a turn to its end wins in it."""
    game = state.copy()
    agent = compiled_agent_named(name).address(general=bool(game[at.GENERAL]))
    seat = game[at.ACTIVE]
    for _ in range(N_ACTIONS_MAX):
        if game[at.RESULT] != at.RUNNING or game[at.ACTIVE] != seat:
            break
        perform(game, numbers, ask_agent(game, numbers, agent))
    return bool(game[at.RESULT] == seat)


def reports_win(state: Words16, numbers: Words16, name: str) -> bool:
    """Return whether an agent's explanation says that the turn is won."""
    agent = agent_named(name)
    assert isinstance(agent, TurnAgent)
    return agent.explainer(numbers)(state.copy()).by == "win"


@needs_package
@pytest.mark.parametrize(
    ("case", "name"),
    [(case, f"turn:{n_nodes}") for case in CASES for n_nodes in NODES]
    + [(case, "light") for case in list(CASES)[1:]],  # the first takes 57 positions, it has 40
)
def test_an_available_win_is_taken(case: str, name: str) -> None:
    ground = Ground(legacy_table())
    for seed in range(5):
        position = build(ground, CASES[case], game_seed(1, "wins", seed))
        assert reports_win(position.words, ground.numbers, name)
        assert wins_turn(position.words, ground.numbers, name)


@needs_package
@pytest.mark.parametrize("case", CASES)
def test_a_point_more_of_life_is_no_win(case: str) -> None:
    ground = Ground(legacy_table())
    setup = CASES[case]
    enemy = setup.p2.model_copy(update={"health": (setup.p2.health or 0) + 1})
    position = build(ground, setup.model_copy(update={"p2": enemy}), game_seed(1, "wins", 0))
    assert not wins_turn(position.words, ground.numbers, "turn:600")


@cache
def winning_turns(source: str) -> list[Words16]:
    """Return positions of greedy's games in which a search with many positions reports a win."""
    return list(islice(_winning_turns(source), 25))


def _winning_turns(source: str) -> Iterator[Words16]:
    games = games_of(source)
    turn = -1
    for position in positions(agent_named("greedy"), games, 300):
        state = position.state
        is_new = state[at.TURN] != turn and state[at.PHASE] == at.MAIN_PHASE
        turn = int(state[at.TURN])
        if is_new and reports_win(state, games.numbers, "turn:600:wins=4000"):
            yield state


@pytest.mark.parametrize("source", EACH_SOURCE)
def test_a_line_that_was_found_is_followed_to_its_end(source: str) -> None:
    games = games_of(source)
    n_won = 0
    for state in winning_turns(source):
        for n_nodes in NODES:
            name = f"turn:{n_nodes}"
            if reports_win(state, games.numbers, name):
                assert wins_turn(state, games.numbers, name)
                n_won += 1
    assert n_won > 80


@pytest.mark.parametrize("source", EACH_SOURCE)
def test_more_positions_lose_no_win(source: str) -> None:
    games = games_of(source)
    n_lost_by_few = 0
    for state in winning_turns(source):
        few, *more = [wins_turn(state, games.numbers, f"turn:9:wins={n}") for n in (1, 30, 1000)]
        assert sorted(more) == more
        n_lost_by_few += more[-1] and not few
        won = [reports_win(state, games.numbers, f"turn:{n_nodes}") for n_nodes in NODES]
        assert sorted(won) == won
        assert won[0]
    assert n_lost_by_few > 0  # else the budget would change nothing


@pytest.mark.parametrize("source", EACH_SOURCE)
def test_what_is_hidden_makes_no_difference_to_a_win(source: str) -> None:
    games = games_of(source)
    rng = np.random.default_rng(5)
    for state in winning_turns(source)[:10]:
        other = exchange_hidden(state, games.numbers, rng)
        agent = agent_named("turn:60")
        assert games.ask(agent, state.copy()) == games.ask(agent, other)
