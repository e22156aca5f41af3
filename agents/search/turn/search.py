"""Search of the whole own turn for a line that wins, or else is best after the enemy's answer.

All numbers are whole and all loops have a fixed order, so that the choice is the same on all
machines and with any number of threads.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.search.pressure import guarding_health
from agents.search.turn import parameters as param
from agents.search.turn import tree
from agents.search.turn.answers import answered_value
from agents.search.turn.growth import NOTHING, grow, list_node, make_root
from agents.search.turn.reach import slack_of
from agents.search.turn.second_look import best_of_lines, partner_of
from agents.search.turn.win import N_CHILDREN_MAX, search_win
from agents.search.turn.work import DRAWS
from agents.search.worlds import decision_stream
from sim.engine import layout as at
from sim.engine.addresses import call_policy, words_at, words_beyond, words_from
from sim.engine.compiled import Words, compiled, i64
from sim.engine.kernel import copy_game
from sim.engine.listing import list_actions, listed, listed_source
from sim.engine.streams import load32, store32

NEVER = -(1 << 31)  # lower than the value of every position
# Of 615 turns that `turn:4000` won, `turn:60` missed three that depended on draws; with the
# following two numbers it missed one.
BY_DRAWS = 2  # maximum missing damage that a drawn card is expected to add
FOR_DRAWS = 600  # number of positions that are tried in that case

# --- the mulligan, which a rule answers without a search if there is no policy network ---


@compiled(i64(Words, i64, i64))
def _n_of_cost(state: Any, n_listed: int, cost: int) -> int:
    """Return the number of replaceable cards of a cost in a mulligan.

    Args:
        state: state of the game, with its actions listed.
        n_listed: number of listed actions, the last of which ends the mulligan.
        cost: cost of the cards.
    """
    n_cards = 0
    for k in range(n_listed - 1):
        n_cards += state[listed_source(state, k) + at.COST] == cost
    return n_cards


@compiled(i64(Words, i64, Words))
def _answer_mulligan(state: Any, n_listed: int, parameters: Any) -> int:
    """Return the mulligan action: replace the first card that costs too much, or end the mulligan.

    A card is replaced if it costs more than `DEAREST`. It is also replaced if it costs more than
    `CHEAP` and another card of the hand has the same cost.

    Args:
        state: state of the game, with its actions listed: one per card, and the end last.
        n_listed: number of listed actions.
        parameters: settings and weights, shape ``[PARAMETERS_SIZE]``.
    """
    for k in range(n_listed - 1):
        cost = state[listed_source(state, k) + at.COST]
        is_double = cost > parameters[param.CHEAP] and _n_of_cost(state, n_listed, cost) > 1
        if cost > parameters[param.DEAREST] or is_double:
            return listed(state, k)
    return at.END_TURN


# --- the choice of a line ---


@compiled(i64(Words, Words, Words, i64, i64, i64), apart=True)
def _best_line(
    words: Any, table: Any, parameters: Any, may_end: int, agent: int, value_at: int
) -> int:
    """Return the first action of the line with the highest value after the enemy's answer.

    The `LEAVES` nodes with the highest scores are answered. Of equal lines, the line with the
    higher score before the answer is chosen. If `LINES` is set, the best lines are compared again.

    Args:
        words: block with the tree.
        table: numbers of the cards and rules.
        parameters: settings and weights, shape ``[PARAMETERS_SIZE]``.
        may_end: whether the turn may end at once, so that the root counts as a line.
        agent: address of the answering agent.
        value_at: address of the words of the learned value, 0 for none.
    """
    best_node = tree.ROOT
    best_value = NEVER
    if not may_end:
        words[tree.node_at(tree.ROOT) + tree.FLAGS] |= tree.IS_TAKEN
    for _ in range(parameters[param.LEAVES]):
        node = tree.take_best(words)
        if node == tree.NO_NODE:
            break
        answered = answered_value(words, table, parameters, node, agent, value_at)
        store32(words, tree.node_at(node) + tree.ANSWERED, answered)
        if answered > best_value:
            best_node = node
            best_value = answered
    if parameters[param.LINES] > 1 and partner_of(value_at) >= 0:
        best_node = best_of_lines(words, table, parameters, may_end, value_at)
    return load32(words, tree.node_at(best_node) + tree.FIRST)


@compiled(i64(Words, i64, i64))
def _n_positions(parameters: Any, slack: int, n_draws: int) -> int:
    """Return the number of positions to try, which is larger if a drawn card may win.

    More positions are tried if the hand can draw, at most `BY_DRAWS` damage is missing, and the
    search uses several worlds. One world does not show the chance of a draw.

    Args:
        parameters: settings and weights, shape ``[PARAMETERS_SIZE]``.
        slack: slack of the position (`agents.search.turn.reach.slack_of`).
        n_draws: number of available effects that draw or choose cards, `DRAWS` of the work.
    """
    n_nodes: int = parameters[param.NODES]
    if n_draws > 0 and slack >= -BY_DRAWS and parameters[param.WORLDS] > 1:
        return max(n_nodes, min(parameters[param.WINS], FOR_DRAWS))
    return n_nodes


@compiled(i64(Words, Words, Words, Words, i64, i64))
def search_turn(
    words: Any, table: Any, parameters: Any, state: Any, agent: int, value_at: int
) -> int:
    """Return the action to take now, by a search of the whole turn.

    A single legal action is returned at once, and mulligans are answered by
    the policy network, or by a rule if there is none. Otherwise the
    action begins a line that certainly wins, or else the line with the highest value after the
    enemy's answer. The reason for the choice is stored in the word `DECIDED_BY`.

    Args:
        words: block for the tree, overwritten.
        table: numbers of the cards and rules.
        parameters: settings and weights, shape ``[PARAMETERS_SIZE]``.
        state: state of the game; only information visible to the seat to move is used.
        agent: address of the agent that plays the enemy's turn.
        value_at: address of the words of the learned value, 0 for none.
    """
    game = words_beyond(words, tree.GAME)
    copy_game(state, game)
    n_listed = list_actions(game, table)
    if n_listed == 1:
        words[tree.DECIDED_BY] = tree.BY_NECESSITY
        return listed(game, 0)
    if state[at.PHASE] == at.MULLIGAN_PHASE:
        words[tree.DECIDED_BY] = tree.BY_MULLIGAN
        partner = partner_of(value_at)
        if partner >= 0:
            return call_policy(partner, game, table)
        return _answer_mulligan(game, n_listed, parameters)
    seat = state[at.ACTIVE]
    make_root(words, table, parameters, seat, decision_stream(state, seat))
    work = words_beyond(words, tree.WORK)
    slack = slack_of(state, table, work, seat, guarding_health(state, 1 - seat))
    n_nodes = _n_positions(parameters, slack, work[DRAWS])
    action = NOTHING
    if slack >= 0:
        action = search_win(words, table, n_listed, parameters[param.WINS])
        n_listed = list_node(words, table, tree.ROOT)  # `GAME` contains another game by now
    if action == NOTHING:
        action = grow(words, table, parameters, n_listed, n_nodes)
    words[tree.DECIDED_BY] = tree.BY_WIN
    if action == NOTHING:
        words[tree.DECIDED_BY] = tree.BY_LINE
        may_end = state[at.PHASE] == at.MAIN_PHASE
        action = _best_line(words, table, parameters, may_end, agent, value_at)
    return action


@compiled(i64(Words))
def n_nodes_needed(parameters: Any) -> int:
    """Return the number of nodes for which a tree with given settings needs memory."""
    return max(parameters[param.NODES], parameters[param.WINS] + N_CHILDREN_MAX)


def best_turn(state: Any, table: Any, parameters_at: int, agent: int, value_at: int) -> int:
    """Return the action to take now, by a search of the whole turn in newly allocated memory.

    Args:
        state: state of the game; only information visible to the seat to move is used.
        table: numbers of the cards and rules.
        parameters_at: address of the settings and weights, shape ``[PARAMETERS_SIZE]``
            (`agents.search.turn.parameters`).
        agent: address of the agent that plays the enemy's turn, and the rest of the own turn in
            lines that were not expanded.
        value_at: address of the words of the learned value (`agents.search.value.evaluate`), 0 for
            none.
    """
    parameters = words_from(parameters_at, param.PARAMETERS_SIZE)
    # Allocated per decision, since several threads may play games through the same agent.
    block = np.empty(tree.block_size(n_nodes_needed(parameters)), np.int16)
    action = search_turn(words_at(block, 0), table, parameters, state, agent, value_at)
    # The search has only the address of the block; this use keeps the block alive until here.
    return action if block.size else at.END_TURN
