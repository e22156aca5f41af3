"""Search of the whole own turn: what wins at once, else the best line that the enemy can answer.

Everything is in whole numbers and in an order of its own, so that all machines and threads choose
the same.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.search.turn import mind as of
from agents.search.turn import tree as in_
from agents.search.turn.features import life_of
from agents.search.turn.growth import BY_HARM, BY_WORTH, grow
from agents.search.turn.harm import IS_HOPELESS, nearness
from agents.search.turn.mulligan import answer_mulligan
from agents.search.turn.replies import answered_worth
from agents.search.worlds import decision_stream
from sim.engine import layout as at
from sim.engine.compiled import Block, Words, compiled, i64, u64
from sim.engine.pointers import words_at, words_from
from sim.engine.listing import list_actions, listed
from sim.engine.copying import copy_game
from sim.engine.streams import load32

FOR_HARM = 4  # of so many parts of the budget, one goes to looking for a line that wins


@compiled(i64(Block, Words, Words, Words, i64, i64, u64), apart=True)
def _best_line(
    block: Any, table: Any, mind: Any, state: Any, own_agent: int, enemy_agent: int, stream: int
) -> int:
    """The first action of the best line; of equals, of the one that was found first."""
    tree, seat = words_at(block, 0), state[at.ACTIVE]
    best_node, best_worth = in_.NO_NODE, 0
    may_stop = state[at.PHASE] == at.MAIN_PHASE
    if not may_stop:
        tree[in_.node_at(in_.ROOT) + in_.FLAGS] |= in_.IS_TAKEN
    for _ in range(mind[of.LEAVES]):
        node = in_.take_best(tree)
        if node == in_.NO_NODE:
            break
        worth = answered_worth(block, table, mind, node, seat, own_agent, enemy_agent, stream)
        if best_node == in_.NO_NODE or worth > best_worth:
            best_node, best_worth = node, worth
    return load32(tree, in_.node_at(best_node) + in_.FIRST)


@compiled(i64(Words, Words, Words, Block, i64, i64))
def _search(
    state: Any, table: Any, mind: Any, block: Any, own_agent: int, enemy_agent: int
) -> int:
    """As `best_turn`, with the mind's words and room for the tree."""
    game, seat = words_at(block, in_.GAME), state[at.ACTIVE]
    copy_game(state, game)
    n_listed = list_actions(game, table)
    if n_listed == 1:
        return listed(game, 0)
    if state[at.PHASE] == at.MULLIGAN_PHASE:
        return answer_mulligan(game, n_listed, mind)
    stream, budget = decision_stream(state, seat), mind[of.NODES]
    if nearness(state, seat) != IS_HOPELESS:
        found = grow(block, table, mind, state, stream, budget // FOR_HARM, BY_HARM)
        if found != 0:
            return found
    found = grow(block, table, mind, state, stream, budget, BY_WORTH)
    if found != 0:
        return found
    return _best_line(block, table, mind, state, own_agent, enemy_agent, stream)


def best_turn(state: Any, table: Any, mind_at: int, own_agent: int, enemy_agent: int) -> int:
    """The action to take now, by a search of the whole turn.

    The block is the one allocation: games are played by several threads at once through the same
    agent, so it can be nobody's but this decision's.

    Args:
        state: the game; only what the seat to move may see has an influence.
        table: the numbers of its variant.
        mind_at: address of ``[MIND_SIZE]`` words (`agents.search.turn.mind`).
        own_agent: address of the agent that plays lines on that are not at their end.
        enemy_agent: of the agent that answers for the enemy.
    """
    mind = words_from(mind_at, of.MIND_SIZE)
    block = np.empty(in_.block_size(mind[of.NODES] + 1), np.int16)
    return _search(state, table, mind, block, own_agent, enemy_agent)
