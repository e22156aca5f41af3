"""Search of the whole own turn: what wins at once, else the best line that the enemy can answer.

Everything is in whole numbers and in an order of its own, so that all machines and threads choose
the same.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.search.turn import parameters as of
from agents.search.turn import tree
from agents.search.turn.features import (
    WON,
    coming_attack,
    guarding_health,
    life_of,
    worth,
)
from agents.search.turn.growth import (
    NOTHING,
    deal_anew,
    grow,
    list_node,
    plant,
    take,
)
from agents.search.turn.reach import slack_of
from agents.search.turn.win import N_CHILDREN_MAX, search_win
from agents.search.turn.work import DRAWS
from agents.search.worlds import decision_stream
from sim.engine import layout as at
from sim.engine.addresses import call_policy, words_at, words_beyond, words_from
from sim.engine.compiled import Words, compiled, i64, none
from sim.engine.kernel import copy_game
from sim.engine.listing import list_actions, listed, listed_source
from sim.engine.streams import load32, store32

NEVER = -(1 << 31)  # less than anything is worth
PARTS = 16  # of the weight `REPLY`
N_ACTIONS_MAX = 60  # of an imagined turn: no agent of ours takes as many
# Damage short of a win that a card may bring that is drawn, and positions that are tried then. On
# 615 turns that `turn:4000` won, `turn:60` missed three that hung on draws, and one with these.
BY_DRAWS = 2
FOR_DRAWS = 600
FIRST_WORLD = 1_000  # of those in which the enemy answers

# --- the mulligan ---


@compiled(i64(Words, i64, i64))
def _n_of_cost(state: Any, n_listed: int, cost: int) -> int:
    """How many of the cards that may still be replaced cost this much."""
    n_cards = 0
    for k in range(n_listed - 1):
        n_cards += state[listed_source(state, k) + at.COST] == cost
    return n_cards


@compiled(i64(Words, i64, Words))
def _answer_mulligan(state: Any, n_listed: int, parameters: Any) -> int:
    """Replace the first card that is too dear, or of a cost that another card has; or end.

    So a hand that can be played turn by turn is kept.

    Args:
        state: the game, its actions listed: cards, and the end last.
        n_listed: how many.
        parameters: up to which costs all cards are kept, or one of each.
    """
    for k in range(n_listed - 1):
        cost = state[listed_source(state, k) + at.COST]
        is_double = cost > parameters[of.CHEAP] and _n_of_cost(state, n_listed, cost) > 1
        if cost > parameters[of.DEAREST] or is_double:
            return listed(state, k)
    return at.END_TURN


# --- what the enemy makes of the turn: its own, played by an agent in dealt worlds ---


@compiled(none(Words, Words, i64, i64), apart=True)
def _play_turn(game: Any, table: Any, seat: int, agent: int) -> None:
    """Let an agent play until the turn of a seat is over."""
    for _ in range(N_ACTIONS_MAX):
        if game[at.RESULT] != at.RUNNING or game[at.ACTIVE] != seat:
            return
        take(game, table, call_policy(agent, game, table))


@compiled(i64(Words, Words, Words, i64, i64, i64), apart=True)
def worth_in_world(
    words: Any, table: Any, parameters: Any, node: int, agent: int, world: int
) -> int:
    """What a node is worth after the enemy's turn in one world, whose game then stands at `GAME`.

    A line that the search has not come to the end of is played on by the agent that answers.
    """
    game = words_beyond(words, tree.GAME)
    seat = words[tree.SEAT]
    flags = words[tree.node_at(node) + tree.FLAGS]
    copy_game(tree.game_of(words, node), game)
    deal_anew(game, table, tree.world_seed(words, world))
    ends_here = node == tree.ROOT or flags & tree.IS_EXPANDED  # the root stands for ending the turn
    if ends_here and game[at.PHASE] == at.MAIN_PHASE:
        take(game, table, at.END_TURN)
    else:
        _play_turn(game, table, seat, agent)
    if game[at.RESULT] == at.RUNNING and coming_attack(game, 1 - seat) >= life_of(game, seat):
        return -WON  # the agent might not see it
    _play_turn(game, table, 1 - seat, agent)
    return worth(game, table, parameters, seat)


@compiled(i64(Words, Words, Words, i64, i64), apart=True)
def _answered_worth(words: Any, table: Any, parameters: Any, node: int, agent: int) -> int:
    """What a node is worth as the end of the turn, in part by what comes after it.

    Args:
        words: the tree.
        table: the numbers.
        parameters: settings and weights.
        node: which one.
        agent: address of the agent that answers, and ends lines that are not at their end.
    """
    place = tree.node_at(node)
    score = load32(words, place + tree.SCORE)
    share = parameters[of.REPLY]
    if words[place + tree.FLAGS] & tree.IS_OVER or share == 0:
        return score
    total = 0
    for world in range(parameters[of.WORLDS]):
        total += worth_in_world(words, table, parameters, node, agent, FIRST_WORLD + world)
    later = total // parameters[of.WORLDS] - load32(words, place + tree.LUCK_OFF)
    return (share * later + (PARTS - share) * score) // PARTS


# --- the choice ---


@compiled(i64(Words, Words, Words, i64, i64), apart=True)
def _best_line(words: Any, table: Any, parameters: Any, may_end: int, agent: int) -> int:
    """The first action of the best line; of equals, of the one that was found first."""
    best_node = tree.ROOT
    best_worth = NEVER
    if not may_end:
        words[tree.node_at(tree.ROOT) + tree.FLAGS] |= tree.IS_TAKEN
    for _ in range(parameters[of.LEAVES]):
        node = tree.take_best(words)
        if node == tree.NO_NODE:
            break
        answered = _answered_worth(words, table, parameters, node, agent)
        store32(words, tree.node_at(node) + tree.ANSWERED, answered)
        if answered > best_worth:
            best_node = node
            best_worth = answered
    return load32(words, tree.node_at(best_node) + tree.FIRST)


@compiled(i64(Words, i64, i64))
def _n_positions(parameters: Any, slack: int, n_draws: int) -> int:
    """How many positions are tried for a good one: more where a card that is drawn may win.

    That such a card may come is seen only where luck is tried in several worlds.
    """
    n_nodes: int = parameters[of.NODES]
    if n_draws > 0 and slack >= -BY_DRAWS and parameters[of.WORLDS] > 1:
        return max(n_nodes, min(parameters[of.WINS], FOR_DRAWS))
    return n_nodes


@compiled(i64(Words, Words, Words, Words, i64))
def search_turn(words: Any, table: Any, parameters: Any, state: Any, agent: int) -> int:
    """Search as `best_turn` does, into `words`, from which the tree can be read afterwards."""
    game = words_beyond(words, tree.GAME)
    copy_game(state, game)
    n_listed = list_actions(game, table)
    if n_listed == 1:
        words[tree.DECIDED_BY] = tree.BY_NECESSITY
        return listed(game, 0)
    if state[at.PHASE] == at.MULLIGAN_PHASE:
        words[tree.DECIDED_BY] = tree.BY_MULLIGAN
        return _answer_mulligan(game, n_listed, parameters)
    seat = state[at.ACTIVE]
    plant(words, table, parameters, seat, decision_stream(state, seat))
    work = words_beyond(words, tree.WORK)
    slack = slack_of(state, table, work, seat, guarding_health(state, 1 - seat))
    n_nodes = _n_positions(parameters, slack, work[DRAWS])
    found = NOTHING
    if slack >= 0:
        found = search_win(words, table, n_listed, parameters[of.WINS])
        n_listed = list_node(words, table, tree.ROOT)
    if found == NOTHING:
        found = grow(words, table, parameters, n_listed, n_nodes)
    words[tree.DECIDED_BY] = tree.BY_WIN
    if found == NOTHING:
        words[tree.DECIDED_BY] = tree.BY_LINE
        found = _best_line(words, table, parameters, state[at.PHASE] == at.MAIN_PHASE, agent)
    return found


@compiled(i64(Words))
def room_for(parameters: Any) -> int:
    """Positions that a tree needs room for."""
    return max(parameters[of.NODES], parameters[of.WINS] + N_CHILDREN_MAX)


def best_turn(state: Any, table: Any, parameters_at: int, agent: int, _: int) -> int:
    """The action to take now, by a search of the whole turn.

    The block is the one allocation: games are played by several threads at once through the same
    agent, so it can be nobody's but this decision's.

    Args:
        state: the game; only what the seat to move may see has an influence.
        table: the numbers of its variant.
        parameters_at: address of ``[PARAMETERS_SIZE]`` words (`agents.search.turn.parameters`).
        agent: address of the agent that answers for the enemy, and ends lines that were not
            searched to their end.
    """
    parameters = words_from(parameters_at, of.PARAMETERS_SIZE)
    block = np.empty(tree.block_size(room_for(parameters)), np.int16)
    action = search_turn(words_at(block, 0), table, parameters, state, agent)
    return action if block.size else at.END_TURN  # a use of the block, which keeps it until here
