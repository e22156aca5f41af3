"""In random plain positions, agents and their shortcuts choose what the reference chooses."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.registry import compiled_agent_named
from sim.engine import layout as at
from sim.engine.stepping import ask_agent
from tests.duels import AGENT_NAMES, DECKS, TABLE
from tests.reference_duel import (
    AGENTS,
    Action,
    Attack,
    EndTurn,
    Game,
    Play,
    ReferenceCard,
    ReferenceRules,
    Unit,
)
from tests.steps import begin

GAME_SEED = 77
lives = st.one_of(st.integers(1, 6), st.integers(1, 20))
boards = st.lists(st.builds(Unit, st.integers(0, 6), st.integers(1, 8), st.booleans()), max_size=5)


@st.composite
def positions(draw: st.DrawFn) -> Game:
    """Return random positions in which seat 0 is to move."""
    game = Game(ReferenceRules(), ((), ()), GAME_SEED)
    costs = draw(st.lists(st.integers(0, 6), max_size=9))
    game.own.hand = [ReferenceCard(cost, 1, 1) for cost in costs]
    game.own.mana = draw(st.integers(0, 5))
    game.own.has_attacked = draw(st.booleans())
    for player in game.players:
        player.life = draw(lives)
        player.board = draw(boards)
    return game


def as_state(game: Game) -> npt.NDArray[np.int16]:
    """Return a position of the reference as the engine's words."""
    state = begin(TABLE, DECKS[:2], GAME_SEED)
    state[at.N_ATTACKS] = game.own.has_attacked
    state[at.SEATS + at.MANA] = game.own.mana
    record = at.RECORDS
    state[at.SEATS + at.HAND] = len(game.own.hand)
    for position, card in enumerate(game.own.hand):
        state[at.SEATS + at.HAND + 1 + position] = record
        state[record + at.COST] = card.cost
        record += at.RECORD_SIZE
    for seat, player in enumerate(game.players):
        block = at.SEATS + at.SEAT_SIZE * seat
        state[block + at.HEALTH] = player.life
        state[block + at.BOARD] = len(player.board)
        for position, unit in enumerate(player.board):
            state[block + at.BOARD + 1 + position] = record
            state[[record + at.ATTACK, record + at.HEALTH, record + at.READY]] = (
                unit.attack,
                unit.health,
                unit.ready,
            )
            record += at.RECORD_SIZE
    return state


def as_reference(action: int, game: Game) -> Action:
    position = (action >> at.SOURCE_SHIFT) & at.POSITION_MASK
    target = action & at.POSITION_MASK
    if action == at.END_TURN:
        return EndTurn()
    if action < at.ATTACK_WITH:
        assert action & ~(at.POSITION_MASK << at.SOURCE_SHIFT) == at.PLAY + at.AT_NOBODY
        return Play(position)
    enemy = None if target == at.AT_PLAYER else game.enemy.board[target]
    return Attack(game.own.board[position], enemy)


@settings(max_examples=600)
@given(positions(), st.sampled_from(AGENT_NAMES))
def test_every_agent_and_its_shortcut_choose_as_in_the_reference(game: Game, name: str) -> None:
    state = as_state(game)
    agent = compiled_agent_named(name)
    expected = AGENTS[name](game, next(game.own.choice_numbers))
    for general in (False, True):
        chosen = ask_agent(state, TABLE.words[0], agent.address(general=general))
        assert as_reference(chosen, game) == expected
