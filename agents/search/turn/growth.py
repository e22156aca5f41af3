"""How the tree of a turn grows: a position is expanded into all that one action makes of it.

Luck is tried in several worlds: what it has given in world 0, where the search goes on, is taken
from the worth of all that follows, so that nobody counts on it.
"""

from __future__ import annotations

from typing import Any

from agents.search.turn import mind as of
from agents.search.turn import tree
from agents.search.turn.features import IS_HOPELESS, WON, nearness, promise, worth
from agents.search.worlds import deal_hidden, forget_hidden
from sim.engine import layout as at
from sim.engine.addresses import words_at
from sim.engine.compiled import Block, Words, compiled, i64, none, u64
from sim.engine.kernel import copy_game
from sim.engine.listing import add_listed, list_actions, listed, listed_source
from sim.engine.rules import act
from sim.engine.streams import load32, store32
from sim.engine.zones import player, secrets
from sim.ruleset import DECK_CAPACITY, N_SEATS

BY_WORTH, BY_HARM = 0, 1  # what a search is after: a good position, or the enemy's death
NOTHING = 0  # no action wins; ending the turn never does
SCORE_MAX = 8 * WON


@compiled(none(Words, Words, i64), apart=True)
def take(state: Any, table: Any, action: int) -> None:
    """Carry out an action: the one copy of the engine in this search."""
    act(state, table, action)


@compiled(none(Words, Words, u64), apart=True)
def deal_anew(state: Any, table: Any, seed: int) -> None:
    """Make of a game another that the seat to move cannot tell from it."""
    forget_hidden(state, table)
    deal_hidden(state, table, seed)


@compiled(i64(Words), apart=True)
def luck_count(state: Any) -> int:
    """A number that changes whenever something random or hidden has shown."""
    total = 0
    for seat in range(N_SEATS):
        total += state[player(seat) + at.N_DRAWS] + 64 * state[secrets(seat)]
        for slot in range(DECK_CAPACITY + 2):
            total += state[player(seat) + at.USES + slot]
    return total & 0x7FFF


# --- one child ---


@compiled(none(Words, Words, Words, i64, i64), apart=True)
def _try_action(game: Any, table: Any, state: Any, action: int, source: int) -> None:
    """Carry out an action of a game's list in a copy of it; its list proves that it is legal."""
    copy_game(game, state)
    state[at.N_LISTED] = add_listed(state, 0, action, source, 0)
    take(state, table, action)


@compiled(i64(Block, Words, Words, i64, i64), apart=True)
def _mean_worth(block: Any, table: Any, mind: Any, action: int, worth_here: int) -> int:
    """What an action of the position that is expanded is worth in the mean of all worlds.

    Args:
        block: the tree.
        table: the numbers.
        mind: settings and weights.
        action: which.
        worth_here: what it is worth in world 0.
    """
    words, other = words_at(block, 0), words_at(block, tree.OTHER)
    total = worth_here
    for world in range(1, mind[of.WORLDS]):
        copy_game(words_at(block, tree.GAME), other)
        deal_anew(other, table, tree.world_seed(words, world))
        take(other, table, action)
        total += worth(other, table, mind, words[tree.SEAT])
    words[tree.N_SPENT] += mind[of.WORLDS] - 1
    return total // mind[of.WORLDS]


@compiled(none(Words, i64, i64, i64))
def _note_way(words: Any, node: int, parent: int, action: int) -> None:
    """Write down how a node was reached."""
    place, above = tree.node_at(node), tree.node_at(parent)
    words[place + tree.DEPTH] = words[above + tree.DEPTH] + 1
    words[place + tree.PARENT] = parent
    store32(words, place + tree.ACTION, action)
    first = action if parent == tree.ROOT else load32(words, above + tree.FIRST)
    store32(words, place + tree.FIRST, first)


@compiled(none(Block, Words, Words, i64, i64, i64))
def _note_worth(block: Any, table: Any, mind: Any, node: int, parent: int, action: int) -> None:
    """Write down what a new node is worth, and let it wait if the turn goes on from there."""
    words, state = words_at(block, 0), tree.game_of(block, node)
    place, above, seat = tree.node_at(node), tree.node_at(parent), words[tree.SEAT]
    luck_off, flags = load32(words, above + tree.LUCK_OFF), words[above + tree.FLAGS]
    flags &= tree.IS_LUCKY
    luck, raw = luck_count(state), worth(state, table, mind, seat)
    if raw == WON and flags:  # in one of the ways that luck could have gone
        raw = WON // 2
    if luck != words[above + tree.LUCK]:
        luck_off += raw - _mean_worth(block, table, mind, action, raw)
        flags = tree.IS_LUCKY
    is_over = state[at.RESULT] != at.RUNNING
    score = max(min(raw - luck_off, SCORE_MAX), -SCORE_MAX)
    words[place + tree.LUCK] = luck
    words[place + tree.FLAGS] = flags | tree.IS_OVER if is_over else flags
    store32(words, place + tree.LUCK_OFF, luck_off)
    store32(words, place + tree.SCORE, score)
    store32(words, place + tree.RANK, score + promise(state, mind, seat))
    is_deep = words[place + tree.DEPTH] == mind[of.DEPTH]
    if not (is_over or is_deep):
        tree.push_open(words, node)


@compiled(i64(Block, i64), apart=True)
def _wins_for_sure(block: Any, parent: int) -> bool:
    """Whether the newest game is won, with no luck in it, and no enemy secret that may wait."""
    words = words_at(block, 0)
    if words_at(block, tree.GAME)[secrets(1 - words[tree.SEAT])] > 0:
        return False
    state, above = tree.game_of(block, words[tree.N_MADE]), tree.node_at(parent)
    if state[at.RESULT] != words[tree.SEAT] or words[above + tree.FLAGS] & tree.IS_LUCKY:
        return False
    return luck_count(state) == words[above + tree.LUCK]


@compiled(none(Block, Words, Words, i64, i64), apart=True)
def _keep_for_worth(block: Any, table: Any, mind: Any, parent: int, action: int) -> None:
    """Make the newest game a node, if its position is new."""
    words = words_at(block, 0)
    node = words[tree.N_MADE]
    if tree.keep_newest(block):
        _note_way(words, node, parent, action)
        _note_worth(block, table, mind, node, parent, action)


@compiled(none(Block, i64, i64), apart=True)
def _keep_for_harm(block: Any, parent: int, action: int) -> None:
    """Make the newest game a node that waits, if its position is new, sure, and not hopeless."""
    words = words_at(block, 0)
    node = words[tree.N_MADE]
    state, place = tree.game_of(block, node), tree.node_at(node)
    if state[at.RESULT] != at.RUNNING:
        return
    luck, near = luck_count(state), nearness(state, words[tree.SEAT])
    if luck != words[tree.node_at(parent) + tree.LUCK] or near == IS_HOPELESS:
        return
    if tree.keep_newest(block):
        _note_way(words, node, parent, action)
        words[place + tree.LUCK], words[place + tree.FLAGS] = luck, 0
        store32(words, place + tree.RANK, near)
        tree.push_open(words, node)


# --- the tree ---


@compiled(i64(Block, Words, Words, i64, i64, i64), apart=True)
def _expand(block: Any, table: Any, mind: Any, aim: int, node: int, n_listed: int) -> int:
    """Try all actions of a node, whose game is listed; the first that wins for sure, or `NOTHING`.

    Ending the turn is no child: a node stands for that itself.
    """
    words, game = words_at(block, 0), words_at(block, tree.GAME)
    for k in range(n_listed):
        action = listed(game, k)
        if action == at.END_TURN:
            continue
        if words[tree.N_SPENT] >= words[tree.BUDGET]:
            return NOTHING
        words[tree.N_SPENT] += 1
        newest = tree.game_of(block, words[tree.N_MADE])
        _try_action(game, table, newest, action, listed_source(game, k))
        if _wins_for_sure(block, node):
            _note_way(words, words[tree.N_MADE], node, action)
            return load32(words, tree.node_at(words[tree.N_MADE]) + tree.FIRST)
        if aim == BY_HARM:
            _keep_for_harm(block, node, action)
        else:
            _keep_for_worth(block, table, mind, node, action)
    words[tree.node_at(node) + tree.FLAGS] |= tree.IS_EXPANDED
    return NOTHING


@compiled(i64(Block, Words, Words, Words), apart=True)
def _plant(block: Any, table: Any, mind: Any, state: Any) -> int:
    """Let the tree be the position to choose in, as world 0 has it; how many actions there are."""
    words, game, place = words_at(block, 0), words_at(block, tree.GAME), tree.node_at(tree.ROOT)
    copy_game(state, game)
    n_listed = list_actions(game, table)
    deal_anew(game, table, tree.world_seed(words, 0))
    copy_game(game, tree.game_of(block, tree.ROOT))
    tree.keep_newest(block)
    words[place + tree.DEPTH], words[place + tree.FLAGS] = 0, 0
    words[place + tree.LUCK] = luck_count(game)
    may_end = game[at.PHASE] == at.MAIN_PHASE
    store32(words, place + tree.FIRST, at.END_TURN if may_end else listed(game, 0))
    store32(words, place + tree.LUCK_OFF, 0)
    store32(words, place + tree.SCORE, worth(game, table, mind, words[tree.SEAT]))
    return n_listed


@compiled(i64(Block, Words, Words, Words, u64, i64, i64), apart=True)
def grow(block: Any, table: Any, mind: Any, state: Any, stream: int, budget: int, aim: int) -> int:
    """Search the turn of the seat to move, the best position first.

    Args:
        block: room for the tree, overwritten.
        table: the numbers.
        mind: settings and weights.
        state: the game.
        stream: of the worlds' seeds.
        budget: how many positions may be tried.
        aim: `BY_WORTH`, or `BY_HARM` for a line that wins.

    Returns:
        The first action of a line that wins whatever luck brings, or `NOTHING` if none was found.
    """
    words, game, node = words_at(block, 0), words_at(block, tree.GAME), tree.ROOT
    tree.clear(words, state[at.ACTIVE], budget, stream)
    n_listed = _plant(block, table, mind, state)
    while True:
        found = _expand(block, table, mind, aim, node, n_listed)
        if found != NOTHING or words[tree.N_SPENT] >= budget:
            return found
        node = tree.pop_open(words)
        if node == tree.NO_NODE:
            return NOTHING
        copy_game(tree.game_of(block, node), game)
        n_listed = list_actions(game, table)
