"""Movers: functions that choose an agent's action in one position, for agents of any kind."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from sim.engine.layout import GENERAL
from sim.engine.stepping import action_to_engine, ask_agent, look_through
from sim.observation.view import view_for
from sim.play.agent import Agent, CompiledAgent, LearnedAgent
from sim.play.reach import reach_of_rows
from sim.play.table import Table

Words16 = npt.NDArray[np.int16]
Mover = Callable[[Words16], int]
"""Function that maps the words of a state to the engine action that the seat to move chooses."""


def mover_of(agent: Agent, table: Table, decks: npt.NDArray[np.int16], variant: int = 0) -> Mover:
    """Return a function that makes the same choices as the agent does in `sim.play.batch.play`.

    Args:
        agent: compiled or learned agent.
        table: card table of all variants.
        decks: row of each seat's deck (`sim.play.batch.deck_row`), shape ``[2, DECK_ROW_SIZE]``.
        variant: row of the card table that the games use.

    Raises:
        InputError: the agent's view cannot show these games.
    """
    words = table.words[variant]
    if not isinstance(agent, CompiledAgent):
        return _learned_mover(agent, table, decks, words)
    seated = agent.seated(table, lambda: decks)
    return lambda state: ask_agent(state, words, seated.address(general=bool(state[GENERAL])))


def _learned_mover(
    agent: LearnedAgent, table: Table, decks: npt.NDArray[np.int16], words: Words16
) -> Mover:
    """Return the mover of a learned agent, which observes each state through the agent's view.

    Args:
        agent: learned agent that chooses the actions.
        table: card table of all variants.
        decks: row of each seat's deck, shape ``[2, DECK_ROW_SIZE]``.
        words: words of the card table of the games' variant.

    Raises:
        InputError: the agent's view cannot show these games.
    """
    view = view_for(table, agent, reach_of_rows(table.pool, table.ruleset, decks))
    values = np.zeros((1, view.size.n_values), dtype=np.float32)
    mask = np.zeros((1, view.size.n_actions), dtype=np.bool_)

    def move(state: Words16) -> int:
        look_through(state, words, view.words, values[0], mask[0].view(np.uint8))
        return action_to_engine(words, view.words, int(agent.choose(values, mask)[0]))

    return move
