"""Search for a line that wins in the current turn, with its own number of positions.

Positions are expanded by rank and, if ranks are equal, by their numbers (`tree.order_of`). Both
depend only on the position, not on the path to it. A new search after the first action of a winning
line therefore expands no position that the first search did not expand. It finds the rest of the
line within the same number of positions.
"""

from __future__ import annotations

from typing import Any

from agents.search.turn import tree
from agents.search.turn import work as sums
from agents.search.turn.growth import (
    NOTHING,
    chance_count,
    deal_anew,
    list_node,
    note_path,
    take,
    try_action,
)
from agents.search.turn.reach import IS_HOPELESS, may_help, win_rank
from sim.engine import layout as at
from sim.engine.addresses import words_beyond
from sim.engine.compiled import Words, compiled, i64, none
from sim.engine.kernel import copy_game
from sim.engine.listing import list_actions, listed, listed_source, was_listed
from sim.engine.streams import load32, store32
from sim.engine.zones import secrets

N_CHILDREN_MAX = 64  # nodes by which the last expansion may exceed the budget; not tuned
N_PROOFS = 12  # number of worlds in which a line with chance must win; chosen by hand, not tuned
FIRST_PROOF = 2_000  # first of these worlds; the enemy's answers use lower numbers
FOR_PROOF = 6  # number of positions that a failed proof counts as: it takes about as long
CHANCE_COST = 8  # subtracted from the rank of a position after chance; chosen by hand, not tuned
RANK_LIMIT = 15_000  # so that a rank and the 16 bits of `order_of` fit a 32-bit number


@compiled(i64(Words, i64))
def _is_won(words: Any, node: int) -> bool:
    """Return whether the game of a node is won by the seat to move."""
    return tree.game_of(words, node)[at.RESULT] == words[tree.SEAT]


@compiled(i64(Words, i64))
def _store_path(words: Any, node: int) -> int:
    """Store the actions from the root to a node at `PATH`, and return their number.

    Nothing is stored and 0 is returned if the number exceeds `PATH_MAX`.
    """
    n_actions = words[tree.node_at(node) + tree.DEPTH]
    if n_actions > tree.PATH_MAX:
        return 0
    for k in range(n_actions - 1, -1, -1):
        place = tree.node_at(node)
        store32(words, tree.PATH + 2 * k, load32(words, place + tree.ACTION))
        node = words[place + tree.PARENT]
    return n_actions


@compiled(i64(Words, Words, i64, i64), apart=True)
def _wins_in_world(words: Any, table: Any, n_actions: int, world: int) -> bool:
    """Return whether the actions at `PATH` win in a given world.

    They do not if an action is illegal there, or the turn ends before the win.

    Args:
        words: block with the tree; the game at `OTHER` is overwritten.
        table: numbers of the cards and rules.
        n_actions: number of actions at `PATH`.
        world: number of the world.
    """
    game = words_beyond(words, tree.OTHER)
    copy_game(tree.game_of(words, tree.ROOT), game)
    deal_anew(game, table, tree.world_seed(words, world))
    for k in range(n_actions):
        action = load32(words, tree.PATH + 2 * k)
        list_actions(game, table)
        if not was_listed(game, action):
            return False
        take(game, table, action)
        if game[at.RESULT] != at.RUNNING:
            return game[at.RESULT] == words[tree.SEAT]
        if game[at.ACTIVE] != words[tree.SEAT]:
            return False
    return False


@compiled(i64(Words, Words, i64), apart=True)
def _wins_in_all_worlds(words: Any, table: Any, node: int) -> bool:
    """Return whether the actions from the root to a node win in all `N_PROOFS` other worlds.

    A line with more than `PATH_MAX` actions does not count as a win.

    Args:
        words: block with the tree; the game at `OTHER` and the actions at `PATH` are overwritten.
        table: numbers of the cards and rules.
        node: number of the node.
    """
    n_actions = _store_path(words, node)
    for world in range(N_PROOFS):
        if not _wins_in_world(words, table, n_actions, FIRST_PROOF + world):
            return False
    return n_actions > 0


@compiled(none(Words, i64))
def _store_help(words: Any, node: int) -> None:
    """Copy `USEFUL` and `ASKED` from the work to a node, for its later expansion."""
    work = words_beyond(words, tree.WORK)
    place = tree.node_at(node)
    words[place + tree.USEFUL] = work[sums.USEFUL]
    words[place + tree.ASKED] = work[sums.ASKED]


@compiled(none(Words, Words, i64), apart=True)
def _keep_newest(words: Any, table: Any, had_chance: int) -> None:
    """Store the newest game as a node to be expanded, if it is new and may still be won.

    The game is dropped if it or the turn is over, its position is already in the tree, or its slack
    is negative.

    Args:
        words: block with the tree.
        table: numbers of the cards and rules.
        had_chance: 1 if something random happened on the way, else 0.
    """
    node = words[tree.N_MADE]
    state = tree.game_of(words, node)
    place = tree.node_at(node)
    if state[at.RESULT] != at.RUNNING or state[at.ACTIVE] != words[tree.SEAT]:
        return
    hash_place = tree.place_of_newest(words)
    if hash_place < 0:  # the position is known
        return
    work = words_beyond(words, tree.WORK)
    rank = win_rank(state, table, work, words[tree.SEAT])
    if rank == IS_HOPELESS:
        return
    tree.keep_newest_at(words, hash_place)
    _store_help(words, node)
    rank = max(min(rank - CHANCE_COST * had_chance, RANK_LIMIT), -RANK_LIMIT)
    store32(words, place + tree.RANK, (rank << 16) + tree.order_of(state, words[tree.SEAT]))
    words[place + tree.FLAGS] = tree.HAD_CHANCE if had_chance else 0
    tree.push_open(words, node)


@compiled(i64(Words, Words, i64, i64), apart=True)
def _expand(words: Any, table: Any, node: int, n_listed: int) -> int:
    """Try the useful actions of a node and store the resulting positions as its children.

    A win after something random counts only if the line wins in all `N_PROOFS` worlds.

    Args:
        words: block with the tree.
        table: numbers of the cards and rules.
        node: number of the node; `GAME` contains its game with the actions listed.
        n_listed: number of listed actions.

    Returns:
        First action of a line that wins, or `NOTHING` if none was found.
    """
    game = words_beyond(words, tree.GAME)
    above = tree.node_at(node)
    useful = words[above + tree.USEFUL]
    asked = words[above + tree.ASKED]
    for k in range(n_listed):
        action = listed(game, k)
        helps = may_help(game, useful, asked, action)
        if not helps or words[tree.N_MADE] >= words[tree.BUDGET] + N_CHILDREN_MAX:
            continue
        words[tree.N_SPENT] += 1
        newest = words[tree.N_MADE]
        state = tree.game_of(words, newest)
        try_action(game, table, state, action, listed_source(game, k))
        note_path(words, newest, node, action)
        chance = chance_count(state)
        words[tree.node_at(newest) + tree.CHANCE] = chance
        had_chance = (
            words[above + tree.FLAGS] & tree.HAD_CHANCE or chance != words[above + tree.CHANCE]
        )
        if not _is_won(words, newest):
            _keep_newest(words, table, 1 if had_chance else 0)
        elif not had_chance or _wins_in_all_worlds(words, table, newest):
            return load32(words, tree.node_at(newest) + tree.FIRST)
        else:
            words[tree.N_SPENT] += FOR_PROOF
    return NOTHING


@compiled(i64(Words, Words, i64, i64), apart=True)
def search_win(words: Any, table: Any, n_listed: int, budget: int) -> int:
    """Search the turn of the seat to move for a line of actions that wins.

    Args:
        words: block with the tree; only its root is kept. The work in the block must contain the
            sums of `slack_of` for the root.
        table: numbers of the cards and rules.
        n_listed: number of the root's actions, which are listed at `GAME`.
        budget: number of positions after which no further node is expanded.

    Returns:
        First action of a line that wins, or `NOTHING` if none was found.
    """
    node = tree.ROOT
    tree.clear(words, budget + N_CHILDREN_MAX)
    words[tree.BUDGET] = budget
    tree.keep_newest(words)
    _store_help(words, tree.ROOT)
    has_secrets = tree.game_of(words, tree.ROOT)[secrets(1 - words[tree.SEAT])] > 0
    words[tree.node_at(tree.ROOT) + tree.FLAGS] = tree.HAD_CHANCE if has_secrets else 0
    while True:
        winning_action = _expand(words, table, node, n_listed)
        if winning_action != NOTHING or words[tree.N_SPENT] >= budget:
            return winning_action
        node = tree.pop_open(words)
        if node == tree.NO_NODE:
            return NOTHING
        n_listed = list_node(words, table, node)
