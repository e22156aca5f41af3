"""Growth of the tree of a turn: a position is expanded into the results of all its actions.

Random outcomes are averaged over several worlds. The search goes on in world 0; what chance gave
there beyond the average is subtracted from the values of all following positions, so that no line
is chosen for chance that it will not have.
"""

from __future__ import annotations

from typing import Any

from agents.search.turn import parameters as param
from agents.search.turn import tree
from agents.search.turn.features import WON, promise, worth
from agents.search.worlds import deal_hidden, forget_hidden
from sim.engine import layout as at
from sim.engine.addresses import words_beyond
from sim.engine.compiled import Words, compiled, i64, none, u64
from sim.engine.kernel import copy_game
from sim.engine.listing import add_listed, list_actions, listed, listed_source
from sim.engine.rules import act
from sim.engine.streams import MASK64, load32, load64, store32, store64
from sim.engine.zones import player, secrets
from sim.ruleset import DECK_CAPACITY, N_SEATS

NOTHING = 0  # instead of a winning action: 0 ends the turn, which wins no game
SCORE_MAX = 8 * WON  # scores are clipped to this: twice the size of `FAULTY`, the largest value
_N_COUNTERS = DECK_CAPACITY + 2  # one for each slot, the hero power and the coin
_EVEN_LANES = 0x0000FFFF0000FFFF  # the first and third of four 16-bit numbers in a word


@compiled(none(Words, Words, i64), apart=True)
def take(state: Any, table: Any, action: int) -> None:
    """Carry out an action; the only copy of the engine's code in this search."""
    act(state, table, action)


@compiled(none(Words, Words, u64), apart=True)
def deal_anew(state: Any, table: Any, seed: int) -> None:
    """Replace a game by another that the seat to move cannot distinguish from it."""
    forget_hidden(state, table)
    deal_hidden(state, table, seed)


@compiled(u64(u64))
def _sum_of_lanes(packed: int) -> int:
    """Return the sum of the four 16-bit numbers packed into one word."""
    pairs = (packed & _EVEN_LANES) + ((packed >> 16) & _EVEN_LANES)
    return (pairs + (pairs >> 32)) & 0xFFFFFFFF


@compiled(i64(u64))
def _low_bits(total: int) -> int:
    """Return the part of a sum that fits one signed word of a node."""
    return total & 0x7FFF


@compiled(i64(Words), apart=True)
def chance_count(state: Any) -> int:
    """Return a number that changes whenever something random or hidden was revealed.

    Four counters of slots are added at a time, since every tried position needs this number.
    """
    total = 0
    for seat in range(N_SEATS):
        # 64: more than the draws of a turn, so that a draw does not cancel a secret that is gone.
        total += state[player(seat) + at.N_DRAWS] + 64 * state[secrets(seat)]
        uses = player(seat) + at.USES
        packed = load64(state, uses)
        for k in range(1, _N_COUNTERS // 4):
            packed = (packed + load64(state, uses + 4 * k)) & MASK64
        total += _low_bits(_sum_of_lanes(packed))
        for k in range(_N_COUNTERS // 4 * 4, _N_COUNTERS):
            total += state[uses + k]
    return total & 0x7FFF


# --- one child ---


@compiled(none(Words, Words, Words, i64, i64), apart=True)
def try_action(game: Any, table: Any, state: Any, action: int, source: int) -> None:
    """Carry out a listed action of a game in a copy of it.

    The copy's list holds only that action, which marks it as legal without listing all again.
    """
    copy_game(game, state)
    state[at.N_LISTED] = add_listed(state, 0, action, source, 0)
    take(state, table, action)


@compiled(i64(Words, Words, Words, i64, i64), apart=True)
def _mean_value(words: Any, table: Any, parameters: Any, action: int, value_here: int) -> int:
    """Return the mean value, over all worlds, of an action in the position that is expanded.

    Args:
        words: the tree.
        table: the numbers of the cards and rules.
        parameters: settings and weights.
        action: the action.
        value_here: its value in world 0.
    """
    other = words_beyond(words, tree.OTHER)
    total = value_here
    for world in range(1, parameters[param.WORLDS]):
        copy_game(words_beyond(words, tree.GAME), other)
        deal_anew(other, table, tree.world_seed(words, world))
        take(other, table, action)
        total += worth(other, table, parameters, words[tree.SEAT])
    words[tree.N_SPENT] += parameters[param.WORLDS] - 1
    return total // parameters[param.WORLDS]


@compiled(none(Words, i64, i64, i64))
def note_path(words: Any, node: int, parent: int, action: int) -> None:
    """Store the depth, the parent and the actions by which a node was reached."""
    place = tree.node_at(node)
    above = tree.node_at(parent)
    words[place + tree.DEPTH] = words[above + tree.DEPTH] + 1
    words[place + tree.PARENT] = parent
    store32(words, place + tree.ACTION, action)
    first = action if parent == tree.ROOT else load32(words, above + tree.FIRST)
    store32(words, place + tree.FIRST, first)


@compiled(none(Words, Words, Words, i64, i64, i64))
def _note_value(
    words: Any, table: Any, parameters: Any, node: int, parent: int, action: int
) -> None:
    """Store the value of a new node, and queue the node if the turn goes on from it."""
    state = tree.game_of(words, node)
    place = tree.node_at(node)
    above = tree.node_at(parent)
    seat = words[tree.SEAT]
    chance_off = load32(words, above + tree.CHANCE_OFF)
    flags = words[above + tree.FLAGS]
    flags &= tree.HAD_CHANCE
    chance = chance_count(state)
    raw = worth(state, table, parameters, seat)
    if raw == WON and flags:  # won in world 0 only, for all that is known
        raw = WON // 2
    if chance != words[above + tree.CHANCE]:
        chance_off += raw - _mean_value(words, table, parameters, action, raw)
        flags = tree.HAD_CHANCE
    is_over = state[at.RESULT] != at.RUNNING
    score = max(min(raw - chance_off, SCORE_MAX), -SCORE_MAX)
    words[place + tree.CHANCE] = chance
    words[place + tree.FLAGS] = flags | tree.IS_OVER if is_over else flags
    store32(words, place + tree.CHANCE_OFF, chance_off)
    store32(words, place + tree.SCORE, score)
    store32(words, place + tree.RANK, score + promise(state, parameters, seat))
    is_deep = words[place + tree.DEPTH] == parameters[param.DEPTH]
    if not (is_over or is_deep):
        tree.push_open(words, node)


@compiled(i64(Words, i64), apart=True)
def _wins_for_sure(words: Any, parent: int) -> bool:
    """Return whether the newest game is won by no chance and no waiting secret of the enemy."""
    if words_beyond(words, tree.GAME)[secrets(1 - words[tree.SEAT])] > 0:
        return False
    state = tree.game_of(words, words[tree.N_MADE])
    above = tree.node_at(parent)
    if state[at.RESULT] != words[tree.SEAT] or words[above + tree.FLAGS] & tree.HAD_CHANCE:
        return False
    return chance_count(state) == words[above + tree.CHANCE]


@compiled(none(Words, Words, Words, i64, i64), apart=True)
def _keep_newest(words: Any, table: Any, parameters: Any, parent: int, action: int) -> None:
    """Make the newest game a node, unless its position is already known."""
    node = words[tree.N_MADE]
    if tree.keep_newest(words):
        note_path(words, node, parent, action)
        _note_value(words, table, parameters, node, parent, action)


# --- the tree ---


@compiled(i64(Words, Words, Words, i64, i64), apart=True)
def _expand(words: Any, table: Any, parameters: Any, node: int, n_listed: int) -> int:
    """Try all actions of a node and keep their positions as its children.

    Ending the turn gives no child: the node itself stands for that.

    Args:
        words: the tree.
        table: the numbers of the cards and rules.
        parameters: settings and weights.
        node: the node; its game is listed at `GAME`.
        n_listed: number of listed actions.

    Returns:
        First action of the line to an action that wins whatever chance brings, or `NOTHING`.
    """
    game = words_beyond(words, tree.GAME)
    for k in range(n_listed):
        action = listed(game, k)
        if action == at.END_TURN:
            continue
        if words[tree.N_SPENT] >= words[tree.BUDGET]:
            return NOTHING
        words[tree.N_SPENT] += 1
        newest = tree.game_of(words, words[tree.N_MADE])
        try_action(game, table, newest, action, listed_source(game, k))
        if _wins_for_sure(words, node):
            note_path(words, words[tree.N_MADE], node, action)
            return load32(words, tree.node_at(words[tree.N_MADE]) + tree.FIRST)
        _keep_newest(words, table, parameters, node, action)
    words[tree.node_at(node) + tree.FLAGS] |= tree.IS_EXPANDED
    return NOTHING


@compiled(none(Words, Words, Words, i64, u64), apart=True)
def make_root(words: Any, table: Any, parameters: Any, seat: int, stream: int) -> None:
    """Make the listed position at `GAME` the root, as it is in world 0.

    Args:
        words: room for the tree, overwritten.
        table: the numbers of the cards and rules.
        parameters: settings and weights.
        seat: the seat to move.
        stream: seed of the worlds' seeds.
    """
    words[tree.SEAT] = seat
    store64(words, tree.WORLDS_STREAM, stream)
    game = words_beyond(words, tree.GAME)
    place = tree.node_at(tree.ROOT)
    first = at.END_TURN if game[at.PHASE] == at.MAIN_PHASE else listed(game, 0)
    deal_anew(game, table, tree.world_seed(words, 0))
    copy_game(game, tree.game_of(words, tree.ROOT))
    words[place + tree.DEPTH] = 0
    words[place + tree.CHANCE] = chance_count(game)
    store32(words, place + tree.FIRST, first)
    store32(words, place + tree.CHANCE_OFF, 0)
    store32(words, place + tree.SCORE, worth(game, table, parameters, seat))


@compiled(i64(Words, Words, i64), apart=True)
def list_node(words: Any, table: Any, node: int) -> int:
    """Copy the position of a node to `GAME`, list its actions and return their number."""
    game = words_beyond(words, tree.GAME)
    copy_game(tree.game_of(words, node), game)
    return list_actions(game, table)


@compiled(i64(Words, Words, Words, i64, i64), apart=True)
def grow(words: Any, table: Any, parameters: Any, n_listed: int, budget: int) -> int:
    """Search the turn of the seat to move from the root, expanding the best position first.

    Args:
        words: the tree; everything but its root is overwritten.
        table: the numbers of the cards and rules.
        parameters: settings and weights.
        n_listed: number of the root's actions, which are listed at `GAME`.
        budget: number of positions that may be tried.

    Returns:
        First action of a line that wins whatever chance brings, or `NOTHING`.
    """
    node = tree.ROOT
    tree.clear(words, budget)
    tree.keep_newest(words)
    words[tree.node_at(tree.ROOT) + tree.FLAGS] = 0
    while True:
        winning_action = _expand(words, table, parameters, node, n_listed)
        if winning_action != NOTHING or words[tree.N_SPENT] >= budget:
            return winning_action
        node = tree.pop_open(words)
        if node == tree.NO_NODE:
            return NOTHING
        n_listed = list_node(words, table, node)
