"""Growth of the tree of a turn, in which positions are expanded into the results of their actions.

Random outcomes are averaged over several worlds, but the search continues in world 0 only. The
amount by which chance in world 0 exceeded the average is subtracted from the values of all
following positions, so that no line is chosen because of good luck in world 0.
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

NOTHING = 0  # means that no action wins: 0 is the end of the turn, which wins no game
SCORE_MAX = 8 * WON  # limit of scores: twice the absolute value of `FAULTY`, the largest value
_N_COUNTERS = DECK_CAPACITY + 2  # one for each slot, the hero power and the coin
_EVEN_LANES = 0x0000FFFF0000FFFF  # mask of the first and third of four 16-bit numbers in a word


@compiled(none(Words, Words, i64), apart=True)
def take(state: Any, table: Any, action: int) -> None:
    """Carry out an action in a game, in place."""
    # Called from everywhere in this search, so that the engine's code is compiled into it once.
    act(state, table, action)


@compiled(none(Words, Words, u64), apart=True)
def deal_anew(state: Any, table: Any, seed: int) -> None:
    """Replace the hidden information of a game by other information that is also possible.

    Args:
        state: state of the game, changed in place.
        table: numbers of the cards and rules.
        seed: seed of the new information and of later random events.
    """
    forget_hidden(state, table)
    deal_hidden(state, table, seed)


@compiled(u64(u64))
def _sum_of_lanes(packed: int) -> int:
    """Return the sum of four unsigned 16-bit numbers that are packed into one 64-bit word."""
    pairs = (packed & _EVEN_LANES) + ((packed >> 16) & _EVEN_LANES)
    return (pairs + (pairs >> 32)) & 0xFFFFFFFF


@compiled(i64(u64))
def _low_bits(total: int) -> int:
    """Return the lowest 15 bits of a sum, which fit a signed 16-bit word."""
    return total & 0x7FFF


@compiled(i64(Words), apart=True)
def chance_count(state: Any) -> int:
    """Return a number that changes whenever something random happens or a secret leaves play.

    It is computed from the numbers of draws, random effects and secrets of both seats.
    """
    total = 0
    for seat in range(N_SEATS):
        # 64 is more than the draws of a turn, so that no draws make up for a secret that is gone.
        total += state[player(seat) + at.N_DRAWS] + 64 * state[secrets(seat)]
        uses = player(seat) + at.USES
        packed = load64(state, uses)
        # Four counters are added at a time, since every tried position needs this number.
        for k in range(1, _N_COUNTERS // 4):
            packed = (packed + load64(state, uses + 4 * k)) & MASK64
        total += _low_bits(_sum_of_lanes(packed))
        for k in range(_N_COUNTERS // 4 * 4, _N_COUNTERS):
            total += state[uses + k]
    return total & 0x7FFF


# --- evaluation of one child of a node ---


@compiled(none(Words, Words, Words, i64, i64), apart=True)
def try_action(game: Any, table: Any, state: Any, action: int, source: int) -> None:
    """Copy a game and carry out one of its listed actions in the copy.

    Args:
        game: state of the game before the action.
        table: numbers of the cards and rules.
        state: memory for the copy.
        action: listed action.
        source: offset of the record of the action's source.
    """
    copy_game(game, state)
    # A list of this action alone marks it as legal, without listing all actions again.
    state[at.N_LISTED] = add_listed(state, 0, action, source, 0)
    take(state, table, action)


@compiled(i64(Words, Words, Words, i64, i64), apart=True)
def _mean_value(words: Any, table: Any, parameters: Any, action: int, value_here: int) -> int:
    """Return the mean value, over all worlds, of an action in the game at `GAME`.

    The additional positions count as tried.

    Args:
        words: block with the tree.
        table: numbers of the cards and rules.
        parameters: settings and weights, shape ``[PARAMETERS_SIZE]``.
        action: action of the seat to move.
        value_here: value after the action in world 0.
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
    """Store a node's depth, parent, last action, and first action from the root.

    Args:
        words: block with the tree.
        node: number of the node.
        parent: number of its parent.
        action: action from the parent to the node.
    """
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
    """Store the value and the rank of a new node, and queue the node to be expanded.

    The node is not queued if its game is over or the depth limit is reached.

    Args:
        words: block with the tree.
        table: numbers of the cards and rules.
        parameters: settings and weights, shape ``[PARAMETERS_SIZE]``.
        node: number of the node.
        parent: number of its parent.
        action: action from the parent to the node.
    """
    state = tree.game_of(words, node)
    place = tree.node_at(node)
    above = tree.node_at(parent)
    seat = words[tree.SEAT]
    chance_off = load32(words, above + tree.CHANCE_OFF)
    flags = words[above + tree.FLAGS]
    flags &= tree.HAD_CHANCE
    chance = chance_count(state)
    raw = worth(state, table, parameters, seat)
    if raw == WON and flags:  # after chance the win is known for world 0 only
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
    """Return whether the newest game is won with certainty by the seat to move.

    A win is certain if nothing random happened on the way to it and the enemy has no secret.

    Args:
        words: block with the tree.
        parent: number of the node from which the newest game was reached.
    """
    if words_beyond(words, tree.GAME)[secrets(1 - words[tree.SEAT])] > 0:
        return False
    state = tree.game_of(words, words[tree.N_MADE])
    above = tree.node_at(parent)
    if state[at.RESULT] != words[tree.SEAT] or words[above + tree.FLAGS] & tree.HAD_CHANCE:
        return False
    return chance_count(state) == words[above + tree.CHANCE]


@compiled(none(Words, Words, Words, i64, i64), apart=True)
def _keep_newest(words: Any, table: Any, parameters: Any, parent: int, action: int) -> None:
    """Store the newest game as a child of `parent`, unless its position is already in the tree.

    The child gets its path, value and rank, and is queued to be expanded if its turn goes on.
    """
    node = words[tree.N_MADE]
    if tree.keep_newest(words):
        note_path(words, node, parent, action)
        _note_value(words, table, parameters, node, parent, action)


# --- growth of the whole tree ---


@compiled(i64(Words, Words, Words, i64, i64), apart=True)
def _expand(words: Any, table: Any, parameters: Any, node: int, n_listed: int) -> int:
    """Try all actions of a node and store the resulting positions as its children.

    The end of the turn has no child, since the node itself represents it. The expansion stops early
    if the budget is spent or an action is certain to win.

    Args:
        words: block with the tree.
        table: numbers of the cards and rules.
        parameters: settings and weights, shape ``[PARAMETERS_SIZE]``.
        node: number of the node; `GAME` contains its game with the actions listed.
        n_listed: number of listed actions.

    Returns:
        First action of a line that is certain to win, or `NOTHING` if none was found.
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
    """Store the position at `GAME` as the root, with the hidden information of world 0.

    Args:
        words: block for the tree, overwritten.
        table: numbers of the cards and rules.
        parameters: settings and weights, shape ``[PARAMETERS_SIZE]``.
        seat: seat to move.
        stream: seed from which the seeds of the worlds are drawn.
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
    """Copy the game of a node to `GAME`, list its actions there, and return their number."""
    game = words_beyond(words, tree.GAME)
    copy_game(tree.game_of(words, node), game)
    return list_actions(game, table)


@compiled(i64(Words, Words, Words, i64, i64), apart=True)
def grow(words: Any, table: Any, parameters: Any, n_listed: int, budget: int) -> int:
    """Grow the tree of the turn from its root, expanding the node with the highest rank first.

    Args:
        words: block with the tree; only its root is kept.
        table: numbers of the cards and rules.
        parameters: settings and weights, shape ``[PARAMETERS_SIZE]``.
        n_listed: number of the root's actions, which are listed at `GAME`.
        budget: maximum number of positions that are tried.

    Returns:
        First action of a line that is certain to win, or `NOTHING` if none was found.
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
