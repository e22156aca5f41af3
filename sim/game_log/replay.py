"""Playthroughs: one game of a batch again, as text that a person can read.

The game is named by its seed (run, purpose, index) and stepped with the code that `play` runs,
so it is the game that `play` played. What happened is told from the difference between the
state before and after each action (`sim.game_log.story`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from sim.engine.layout import ACTIVE
from sim.game_log.deal import Deal
from sim.play.agent import Agent
from sim.play.mover import mover_of
from sim.play.table import Table


def playthrough(
    table: Table,
    decks: npt.NDArray[np.int16],
    agents: Sequence[Agent],
    *,
    names: Sequence[str],
    run_seed: int,
    purpose: str,
    game_index: int,
    variant: int = 0,
) -> str:
    """The whole course of one game, action by action.

    Args:
        table: the numbers of all variants.
        decks: ``[2, DECK_ROW_SIZE]`` row of each seat's deck (`sim.play.batch.deck_row`).
        agents: the agent of each seat.
        names: what the text calls each seat's deck.
        run_seed: seed of the run that the game belongs to.
        purpose: what the run played it for (`sim.seeds`).
        game_index: which of the purpose's games.
        variant: row of the table.

    Raises:
        RuntimeError: an agent chose an illegal action.
        CardFault: a card's texts stopped the game.
    """
    pilots = tuple(agent.name for agent in agents)
    deal = Deal(table, decks, tuple(names), pilots, run_seed, purpose, game_index, variant)
    movers = [mover_of(agent, table, decks, variant) for agent in agents]
    return "\n".join([*deal.tell(lambda state: movers[state[ACTIVE]](state)), ""])
