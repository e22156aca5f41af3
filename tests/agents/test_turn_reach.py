"""The bound on a plain turn's damage is never below what a full search of the turn finds."""

from __future__ import annotations

from itertools import islice

from agents import agent_named
from agents.conformance.games import games_of, positions
from agents.search.turn.reach import UNBOUNDED, most_plain_damage
from sim.engine import layout as at
from sim.engine.addresses import words_at
from sim.engine.compiled import Block, compiled, i64
from tests.agents.test_turn import ENDLESS, whole_turn
from tests.steps import block

N_POSITIONS = 200


@compiled(i64(Block, Block, i64), from_python=True)
def most_damage(state, table, seat):
    return most_plain_damage(words_at(state, 0), words_at(table, 0), seat)


def test_no_line_of_a_plain_turn_does_more_damage_than_the_bound() -> None:
    games = games_of("duel")
    n_tight = 0
    n_harmful = 0
    for position in islice(positions(agent_named("greedy"), games, 100), N_POSITIONS):
        state = position.state.copy()
        seat = int(state[at.ACTIVE])
        enemy = block(1 - seat)
        state[enemy + at.HEALTH] = ENDLESS
        turn = whole_turn(games, state, 400) if state[at.PHASE] == at.MAIN_PHASE else None
        if turn is None:
            continue
        damage = max(ENDLESS - int(end[enemy + at.HEALTH]) for end, _ in turn.values())
        bound = most_damage(state, games.numbers, seat)
        assert damage <= bound < UNBOUNDED
        n_tight += damage == bound
        n_harmful += damage > 0
    assert n_harmful > N_POSITIONS // 4
    assert n_tight > N_POSITIONS // 4  # else the bound would spare little
