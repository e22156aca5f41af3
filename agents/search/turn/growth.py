"""How the tree of a turn grows: a position is expanded into all that one action makes of it.

Luck is tried in several worlds: what it has given in world 0, where the search goes on, is taken
from the worth of all that follows, so that nobody counts on it.
"""

from __future__ import annotations

from typing import Any

from agents.search.turn import parameters as of
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

NOTHING = 0  # no action wins; ending the turn never does
SCORE_MAX = 8 * WON
_N_COUNTERS = DECK_CAPACITY + 2  # slots, the hero power and the coin
_EVEN_LANES = 0x0000FFFF0000FFFF


@compiled(none(Words, Words, i64), apart=True)
def take(state: Any, table: Any, action: int) -> None:
    """Carry out an action: the one copy of the engine in this search."""
    act(state, table, action)


@compiled(none(Words, Words, u64), apart=True)
def deal_anew(state: Any, table: Any, seed: int) -> None:
    """Make of a game another that the seat to move cannot tell from it."""
    forget_hidden(state, table)
    deal_hidden(state, table, seed)


@compiled(u64(u64))
def _sum_of_lanes(packed: int) -> int:
    """The sum of the four 16-bit numbers packed into one word."""
    pairs = (packed & _EVEN_LANES) + ((packed >> 16) & _EVEN_LANES)
    return (pairs + (pairs >> 32)) & 0xFFFFFFFF


@compiled(i64(u64))
def _low_bits(total: int) -> int:
    """As much of a sum as one word of a node holds."""
    return total & 0x7FFF


@compiled(i64(Words), apart=True)
def luck_count(state: Any) -> int:
    """A number that changes whenever something random or hidden has shown.

    The counters of all slots are added four at a time, since every position that is tried asks.
    """
    total = 0
    for seat in range(N_SEATS):
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
    """Carry out an action of a game's list in a copy of it; its list proves that it is legal."""
    copy_game(game, state)
    state[at.N_LISTED] = add_listed(state, 0, action, source, 0)
    take(state, table, action)


@compiled(i64(Words, Words, Words, i64, i64), apart=True)
def _mean_worth(words: Any, table: Any, parameters: Any, action: int, worth_here: int) -> int:
    """What an action of the position that is expanded is worth in the mean of all worlds.

    Args:
        words: the tree.
        table: the numbers.
        parameters: settings and weights.
        action: which.
        worth_here: what it is worth in world 0.
    """
    other = words_beyond(words, tree.OTHER)
    total = worth_here
    for world in range(1, parameters[of.WORLDS]):
        copy_game(words_beyond(words, tree.GAME), other)
        deal_anew(other, table, tree.world_seed(words, world))
        take(other, table, action)
        total += worth(other, table, parameters, words[tree.SEAT])
    words[tree.N_SPENT] += parameters[of.WORLDS] - 1
    return total // parameters[of.WORLDS]


@compiled(none(Words, i64, i64, i64))
def note_way(words: Any, node: int, parent: int, action: int) -> None:
    """Write down how a node was reached."""
    place = tree.node_at(node)
    above = tree.node_at(parent)
    words[place + tree.DEPTH] = words[above + tree.DEPTH] + 1
    words[place + tree.PARENT] = parent
    store32(words, place + tree.ACTION, action)
    first = action if parent == tree.ROOT else load32(words, above + tree.FIRST)
    store32(words, place + tree.FIRST, first)


@compiled(none(Words, Words, Words, i64, i64, i64))
def _note_worth(
    words: Any, table: Any, parameters: Any, node: int, parent: int, action: int
) -> None:
    """Write down what a new node is worth, and let it wait if the turn goes on from there."""
    state = tree.game_of(words, node)
    place = tree.node_at(node)
    above = tree.node_at(parent)
    seat = words[tree.SEAT]
    luck_off = load32(words, above + tree.LUCK_OFF)
    flags = words[above + tree.FLAGS]
    flags &= tree.IS_LUCKY
    luck = luck_count(state)
    raw = worth(state, table, parameters, seat)
    if raw == WON and flags:  # in one of the ways that luck could have gone
        raw = WON // 2
    if luck != words[above + tree.LUCK]:
        luck_off += raw - _mean_worth(words, table, parameters, action, raw)
        flags = tree.IS_LUCKY
    is_over = state[at.RESULT] != at.RUNNING
    score = max(min(raw - luck_off, SCORE_MAX), -SCORE_MAX)
    words[place + tree.LUCK] = luck
    words[place + tree.FLAGS] = flags | tree.IS_OVER if is_over else flags
    store32(words, place + tree.LUCK_OFF, luck_off)
    store32(words, place + tree.SCORE, score)
    store32(words, place + tree.RANK, score + promise(state, parameters, seat))
    is_deep = words[place + tree.DEPTH] == parameters[of.DEPTH]
    if not (is_over or is_deep):
        tree.push_open(words, node)


@compiled(i64(Words, i64), apart=True)
def _wins_for_sure(words: Any, parent: int) -> bool:
    """Whether the newest game is won, with no luck in it, and no enemy secret that may wait."""
    if words_beyond(words, tree.GAME)[secrets(1 - words[tree.SEAT])] > 0:
        return False
    state = tree.game_of(words, words[tree.N_MADE])
    above = tree.node_at(parent)
    if state[at.RESULT] != words[tree.SEAT] or words[above + tree.FLAGS] & tree.IS_LUCKY:
        return False
    return luck_count(state) == words[above + tree.LUCK]


@compiled(none(Words, Words, Words, i64, i64), apart=True)
def _keep(words: Any, table: Any, parameters: Any, parent: int, action: int) -> None:
    """Make the newest game a node, if its position is new."""
    node = words[tree.N_MADE]
    if tree.keep_newest(words):
        note_way(words, node, parent, action)
        _note_worth(words, table, parameters, node, parent, action)


# --- the tree ---


@compiled(i64(Words, Words, Words, i64, i64), apart=True)
def _expand(words: Any, table: Any, parameters: Any, node: int, n_listed: int) -> int:
    """Try all actions of a node, whose game is listed; the first that wins for sure, or `NOTHING`.

    Ending the turn is no child: a node stands for that itself.
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
            note_way(words, words[tree.N_MADE], node, action)
            return load32(words, tree.node_at(words[tree.N_MADE]) + tree.FIRST)
        _keep(words, table, parameters, node, action)
    words[tree.node_at(node) + tree.FLAGS] |= tree.IS_EXPANDED
    return NOTHING


@compiled(none(Words, Words, Words, i64, u64), apart=True)
def plant(words: Any, table: Any, parameters: Any, seat: int, stream: int) -> None:
    """Make the position at `GAME`, whose actions are listed, the root, as world 0 has it.

    Args:
        words: room for the tree, overwritten.
        table: the numbers.
        parameters: settings and weights.
        seat: whose turn it is.
        stream: of the worlds' seeds.
    """
    words[tree.SEAT] = seat
    store64(words, tree.WORLDS_STREAM, stream)
    game = words_beyond(words, tree.GAME)
    place = tree.node_at(tree.ROOT)
    first = at.END_TURN if game[at.PHASE] == at.MAIN_PHASE else listed(game, 0)
    deal_anew(game, table, tree.world_seed(words, 0))
    copy_game(game, tree.game_of(words, tree.ROOT))
    words[place + tree.DEPTH] = 0
    words[place + tree.LUCK] = luck_count(game)
    store32(words, place + tree.FIRST, first)
    store32(words, place + tree.LUCK_OFF, 0)
    store32(words, place + tree.SCORE, worth(game, table, parameters, seat))


@compiled(i64(Words, Words, i64), apart=True)
def list_node(words: Any, table: Any, node: int) -> int:
    """Copy the position of a node to `GAME` and list its actions; returns how many there are."""
    game = words_beyond(words, tree.GAME)
    copy_game(tree.game_of(words, node), game)
    return list_actions(game, table)


@compiled(i64(Words, Words, Words, i64, i64), apart=True)
def grow(words: Any, table: Any, parameters: Any, n_listed: int, budget: int) -> int:
    """Search the turn of the seat to move from the root, the best position first.

    Args:
        words: the tree; all but its root is overwritten.
        table: the numbers.
        parameters: settings and weights.
        n_listed: how many actions the root has; they are listed at `GAME`.
        budget: how many positions may be tried.

    Returns:
        The first action of a line that wins whatever luck brings, or `NOTHING` if none was found.
    """
    node = tree.ROOT
    tree.clear(words, budget)
    tree.keep_newest(words)
    words[tree.node_at(tree.ROOT) + tree.FLAGS] = 0
    while True:
        found = _expand(words, table, parameters, node, n_listed)
        if found != NOTHING or words[tree.N_SPENT] >= budget:
            return found
        node = tree.pop_open(words)
        if node == tree.NO_NODE:
            return NOTHING
        n_listed = list_node(words, table, node)
