"""How the tree of a turn grows: a position is expanded into all that one action makes of it.

Luck is tried in several worlds: what it has given in world 0, where the search goes on, is taken
from the worth of all that follows, so that nobody counts on it.
"""

from __future__ import annotations

from typing import Any

from agents.search.turn import mind as of
from agents.search.turn import tree as in_
from agents.search.turn.features import WON, promise, worth
from agents.search.turn.harm import IS_HOPELESS, nearness
from agents.search.worlds import deal_hidden, forget_hidden
from sim.engine import layout as at
from sim.engine.compiled import Block, Words, compiled, i64, none, u64
from sim.engine.copying import copy_game
from sim.engine.listing import add_listed, list_actions, listed, listed_source
from sim.engine.pointers import words_at
from sim.engine.rules import act
from sim.engine.streams import load32, number, store32
from sim.engine.zones import player, secrets
from sim.ruleset import DECK_CAPACITY, N_SEATS

BY_WORTH, BY_HARM = 0, 1  # what a search is after: a good position, or the enemy's death
SCORE_MAX = 8 * WON


@compiled(none(Words, Words, i64), apart=True)
def take(state: Any, table: Any, action: int) -> None:
    """Carry out an action: the one copy of the engine in this search."""
    act(state, table, action)


@compiled(none(Words, Words, u64), apart=True)
def deal_anew(state: Any, table: Any, world_seed: int) -> None:
    """Make of a game another that the seat to move cannot tell from it."""
    forget_hidden(state, table)
    deal_hidden(state, table, world_seed)


@compiled(i64(Words), apart=True)
def luck_count(state: Any) -> int:
    """A number that changes whenever something random or hidden has shown."""
    total = 0
    for seat in range(N_SEATS):
        total += state[player(seat) + at.N_DRAWS] + 64 * state[secrets(seat)]
        for slot in range(DECK_CAPACITY + 2):
            total += state[player(seat) + at.USES + slot]
    return total & at.NUMBER_MAX


# --- one child ---


@compiled(none(Words, Words, Words, i64, i64), apart=True)
def _try_action(game: Any, table: Any, state: Any, action: int, source: int) -> None:
    """Carry out an action of a game's list in a copy of it; its list proves that it is legal."""
    copy_game(game, state)
    state[at.N_LISTED] = add_listed(state, 0, action, source, 0)
    take(state, table, action)


@compiled(i64(Block, Words, Words, i64, u64, i64, i64), apart=True)
def _mean_worth(
    block: Any, table: Any, mind: Any, seat: int, stream: int, k: int, worth_here: int
) -> int:
    """What the k-th action of the position that is expanded is worth over all worlds.

    Args:
        block: the tree.
        table: the numbers.
        mind: settings and weights.
        seat: whose turn it is.
        stream: of the worlds' seeds.
        k: which action of the list.
        worth_here: what it is worth in world 0.
    """
    game, other = words_at(block, in_.GAME), words_at(block, in_.OTHER)
    total = worth_here
    for world in range(1, mind[of.WORLDS]):
        copy_game(game, other)
        deal_anew(other, table, number(stream, world + 1))
        take(other, table, listed(game, k))
        total += worth(other, table, mind, seat)
    words_at(block, 0)[in_.N_SPENT] += mind[of.WORLDS] - 1
    return total // mind[of.WORLDS]


@compiled(none(Block, i64, i64, i64), apart=True)
def _note_way(block: Any, node: int, parent: int, action: int) -> None:
    """Write down how a node was reached."""
    tree = words_at(block, 0)
    place, above = in_.node_at(node), in_.node_at(parent)
    tree[place + in_.PARENT] = parent
    store32(tree, place + in_.ACTION, action)
    first = action if parent == in_.ROOT else load32(tree, above + in_.FIRST)
    store32(tree, place + in_.FIRST, first)


@compiled(none(Block, Words, Words, i64, u64, i64, i64, i64), apart=True)
def _note_worth(
    block: Any, table: Any, mind: Any, seat: int, stream: int, node: int, parent: int, k: int
) -> None:
    """Write down what a new node is worth, and let it wait if the turn goes on from there."""
    tree, state = words_at(block, 0), in_.game_of(block, node)
    place, above = in_.node_at(node), in_.node_at(parent)
    luck_off, flags = load32(tree, above + in_.LUCK_OFF), tree[above + in_.FLAGS] & in_.IS_LUCKY
    luck, raw = luck_count(state), worth(state, table, mind, seat)
    if raw == WON and flags:  # one of several ways that luck could have gone
        raw = WON // 2
    if luck != tree[above + in_.LUCK]:
        luck_off += raw - _mean_worth(block, table, mind, seat, stream, k, raw)
        flags = in_.IS_LUCKY
    if state[at.RESULT] != at.RUNNING:
        flags |= in_.IS_OVER
    score = max(min(raw - luck_off, SCORE_MAX), -SCORE_MAX)
    tree[place + in_.LUCK], tree[place + in_.FLAGS] = luck, flags
    store32(tree, place + in_.LUCK_OFF, luck_off)
    store32(tree, place + in_.SCORE, score)
    store32(tree, place + in_.RANK, score + promise(state, mind, seat))
    if state[at.RESULT] == at.RUNNING:
        in_.push_open(tree, node)


@compiled(none(Block, i64, i64, i64), apart=True)
def _note_nearness(block: Any, node: int, luck: int, near: int) -> None:
    """Write down how near to the enemy's death a new node is, and let it wait."""
    tree, place = words_at(block, 0), in_.node_at(node)
    tree[place + in_.LUCK], tree[place + in_.FLAGS] = luck, 0
    store32(tree, place + in_.RANK, near)
    in_.push_open(tree, node)


@compiled(i64(Block, i64, i64), apart=True)
def _wins_for_sure(block: Any, parent: int, seat: int) -> bool:
    """Whether the newest game is won, and no luck was in it."""
    tree = words_at(block, 0)
    state, above = in_.game_of(block, tree[in_.N_MADE]), in_.node_at(parent)
    if state[at.RESULT] != seat or tree[above + in_.FLAGS] & in_.IS_LUCKY:
        return False
    return luck_count(state) == tree[above + in_.LUCK]


@compiled(none(Block, Words, Words, i64, u64, i64, i64, i64), apart=True)
def _keep_child(
    block: Any, table: Any, mind: Any, seat: int, stream: int, parent: int, k: int, aim: int
) -> None:
    """Make the newest game a node, if its position is new and of use."""
    tree = words_at(block, 0)
    node = tree[in_.N_MADE]
    state = in_.game_of(block, node)
    action = listed(words_at(block, in_.GAME), k)
    if aim == BY_WORTH:
        if in_.keep_newest(block, seat):
            _note_way(block, node, parent, action)
            _note_worth(block, table, mind, seat, stream, node, parent, k)
        return
    if state[at.RESULT] != at.RUNNING:
        return
    luck, near = luck_count(state), nearness(state, seat)
    if luck != tree[in_.node_at(parent) + in_.LUCK] or near == IS_HOPELESS:
        return
    if in_.keep_newest(block, seat):
        _note_way(block, node, parent, action)
        _note_nearness(block, node, luck, near)


# --- the tree ---


@compiled(i64(Block, Words, Words, i64, u64, i64, i64, i64, i64), apart=True)
def _expand(
    block: Any,
    table: Any,
    mind: Any,
    seat: int,
    stream: int,
    node: int,
    n_listed: int,
    budget: int,
    aim: int,
) -> int:
    """Try all actions of a node, whose game is listed; the first that wins for sure, or 0.

    Ending the turn is no child: a node stands for that itself.
    """
    tree, game = words_at(block, 0), words_at(block, in_.GAME)
    for k in range(n_listed):
        action = listed(game, k)
        if action == at.END_TURN:
            continue
        if tree[in_.N_SPENT] >= budget:
            return 0
        tree[in_.N_SPENT] += 1
        state = in_.game_of(block, tree[in_.N_MADE])
        _try_action(game, table, state, action, listed_source(game, k))
        if _wins_for_sure(block, node, seat):
            return action if node == in_.ROOT else load32(tree, in_.node_at(node) + in_.FIRST)
        _keep_child(block, table, mind, seat, stream, node, k, aim)
    tree[in_.node_at(node) + in_.FLAGS] |= in_.IS_EXPANDED
    return 0


@compiled(i64(Block, Words, Words, Words, u64), apart=True)
def _plant(block: Any, table: Any, mind: Any, state: Any, stream: int) -> int:
    """Let the tree be the position to choose in, as world 0 has it; how many actions there are."""
    tree, game = words_at(block, 0), words_at(block, in_.GAME)
    seat = state[at.ACTIVE]
    copy_game(state, game)
    n_listed = list_actions(game, table)
    deal_anew(game, table, number(stream, 1))
    in_.clear(block, mind[of.NODES])
    copy_game(game, in_.game_of(block, in_.ROOT))
    in_.keep_newest(block, seat)
    place = in_.node_at(in_.ROOT)
    tree[place + in_.PARENT], tree[place + in_.FLAGS] = in_.ROOT, 0
    tree[place + in_.LUCK] = luck_count(game)
    store32(tree, place + in_.FIRST, at.END_TURN)
    store32(tree, place + in_.LUCK_OFF, 0)
    store32(tree, place + in_.SCORE, worth(game, table, mind, seat))
    return n_listed


@compiled(i64(Block, Words, Words, Words, u64, i64, i64), apart=True)
def grow(
    block: Any, table: Any, mind: Any, state: Any, stream: int, budget: int, aim: int
) -> int:
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
        The first action of a line that wins whatever is hidden, or 0 if none was found.
    """
    tree, game, seat = words_at(block, 0), words_at(block, in_.GAME), state[at.ACTIVE]
    n_listed, node = _plant(block, table, mind, state, stream), in_.ROOT
    while True:
        found = _expand(block, table, mind, seat, stream, node, n_listed, budget, aim)
        if found != 0 or tree[in_.N_SPENT] >= budget:
            return found
        node = in_.pop_open(tree)
        if node == in_.NO_NODE:
            return 0
        copy_game(in_.game_of(block, node), game)
        n_listed = list_actions(game, table)
