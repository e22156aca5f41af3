"""Search of the whole own turn: what wins at once, else the best line that the enemy can answer.

Everything is in whole numbers and in an order of its own, so that all machines and threads choose
the same.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.search.turn import mind as of
from agents.search.turn import tree
from agents.search.turn.features import IS_HOPELESS, nearness
from agents.search.turn.growth import BY_HARM, BY_WORTH, NOTHING, grow
from agents.search.turn.replies import answered_worth
from agents.search.worlds import decision_stream
from sim.engine import layout as at
from sim.engine.compiled import Block, Words, compiled, i64
from sim.engine.copying import copy_game
from sim.engine.listing import list_actions, listed, listed_source
from sim.engine.pointers import words_at, words_from
from sim.engine.streams import load32, store32

NEVER = -(1 << 31)  # less than anything is worth
FOR_HARM = 2  # of so many parts of the budget, one is spent first on a line that wins


@compiled(i64(Words, i64, i64))
def _n_of_cost(state: Any, n_listed: int, cost: int) -> int:
    """How many of the cards that may still be replaced cost this much."""
    n_cards = 0
    for k in range(n_listed - 1):
        n_cards += state[listed_source(state, k) + at.COST] == cost
    return n_cards


@compiled(i64(Words, i64, Words))
def _answer_mulligan(state: Any, n_listed: int, mind: Any) -> int:
    """Replace the first card that is too dear, or of a cost that another card has; or end.

    So a hand that can be played turn by turn is kept.

    Args:
        state: the game, its actions listed: cards, and the end last.
        n_listed: how many.
        mind: up to which costs all cards are kept, or one of each.
    """
    for k in range(n_listed - 1):
        cost = state[listed_source(state, k) + at.COST]
        is_double = cost > mind[of.CHEAP] and _n_of_cost(state, n_listed, cost) > 1
        if cost > mind[of.DEAREST] or is_double:
            return listed(state, k)
    return at.END_TURN


@compiled(i64(Block, Words, Words, i64, i64), apart=True)
def _best_line(block: Any, table: Any, mind: Any, may_end: int, agent: int) -> int:
    """The first action of the best line; of equals, of the one that was found first."""
    words, best_node, best_worth = words_at(block, 0), tree.ROOT, NEVER
    if not may_end:
        words[tree.node_at(tree.ROOT) + tree.FLAGS] |= tree.IS_TAKEN
    for _ in range(mind[of.LEAVES]):
        node = tree.take_best(words)
        if node == tree.NO_NODE:
            break
        worth = answered_worth(block, table, mind, node, agent)
        store32(words, tree.node_at(node) + tree.ANSWERED, worth)
        if worth > best_worth:
            best_node, best_worth = node, worth
    return load32(words, tree.node_at(best_node) + tree.FIRST)


@compiled(i64(Block, Words, Words, Words), apart=True)
def _winning_action(block: Any, table: Any, mind: Any, state: Any) -> int:
    """The first action of a line that wins in this turn whatever luck brings, or `NOTHING`."""
    seat = state[at.ACTIVE]
    if nearness(state, seat) == IS_HOPELESS:
        return NOTHING
    stream, budget = decision_stream(state, seat), mind[of.NODES] // FOR_HARM
    return grow(block, table, mind, state, stream, budget, BY_HARM)


@compiled(i64(Block, Words, Words, Words, i64))
def search_turn(block: Any, table: Any, mind: Any, state: Any, agent: int) -> int:
    """As `best_turn`, with the mind's words and room for the tree, from which all can be read."""
    words, game = words_at(block, 0), words_at(block, tree.GAME)
    copy_game(state, game)
    n_listed = list_actions(game, table)
    if n_listed == 1:
        words[tree.DECIDED_BY] = tree.BY_NECESSITY
        return listed(game, 0)
    if state[at.PHASE] == at.MULLIGAN_PHASE:
        words[tree.DECIDED_BY] = tree.BY_MULLIGAN
        return _answer_mulligan(game, n_listed, mind)
    found = _winning_action(block, table, mind, state)
    if found == NOTHING:
        stream = decision_stream(state, state[at.ACTIVE])
        found = grow(block, table, mind, state, stream, mind[of.NODES], BY_WORTH)
    words[tree.DECIDED_BY] = tree.BY_WIN
    if found == NOTHING:
        words[tree.DECIDED_BY] = tree.BY_LINE
        found = _best_line(block, table, mind, state[at.PHASE] == at.MAIN_PHASE, agent)
    return found


def best_turn(state: Any, table: Any, mind_at: int, agent: int, _: int) -> int:
    """The action to take now, by a search of the whole turn.

    The block is the one allocation: games are played by several threads at once through the same
    agent, so it can be nobody's but this decision's.

    Args:
        state: the game; only what the seat to move may see has an influence.
        table: the numbers of its variant.
        mind_at: address of ``[MIND_SIZE]`` words (`agents.search.turn.mind`).
        agent: address of the agent that answers for the enemy, and ends lines that were not
            searched to their end.
    """
    mind = words_from(mind_at, of.MIND_SIZE)
    block = np.empty(tree.block_size(mind[of.NODES]), np.int16)
    return search_turn(block, table, mind, state, agent)
