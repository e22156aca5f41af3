"""The search for a line that wins in this turn, with a budget of its own.

Positions are expanded by their rank and, of equal ranks, by their numbers (`tree.order_of`), which
they have by themselves and however they were reached. So what is expanded from the next position of
a line that was found is among what was expanded here: the line is found again, to its end.
"""

from __future__ import annotations

from typing import Any

from agents.search.turn import tree
from agents.search.turn import work as of
from agents.search.turn.growth import (
    NOTHING,
    deal_anew,
    list_node,
    luck_count,
    note_way,
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

N_CHILDREN_MAX = 64  # beyond the budget that the last expansion may try
N_PROOFS = 12  # worlds in which a line with luck in it has to win
FIRST_PROOF = 2_000  # of these worlds
FOR_PROOF = 6  # positions that a proof which fails counts as: it takes about as long
LUCK_COSTS = 8  # of a position's rank, if luck has had a say
RANK_LIMIT = 15_000  # so that a rank and the 16 bits of `order_of` fit one number


@compiled(i64(Words, i64))
def _is_won(words: Any, node: int) -> bool:
    return tree.game_of(words, node)[at.RESULT] == words[tree.SEAT]


@compiled(i64(Words, i64))
def _write_path(words: Any, node: int) -> int:
    """Write down the actions that lead to a node, at `PATH`; returns how many, 0 for too many."""
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
    """Whether the actions at `PATH` win in another world."""
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
def _wins_whatever_luck_brings(words: Any, table: Any, node: int) -> bool:
    """Whether the line to a node wins in all of some worlds."""
    n_actions = _write_path(words, node)
    for world in range(N_PROOFS):
        if not _wins_in_world(words, table, n_actions, FIRST_PROOF + world):
            return False
    return n_actions > 0


@compiled(none(Words, i64))
def _note_help(words: Any, node: int) -> None:
    """Write down which cards and attacks may help from a node on, for when it is expanded."""
    work = words_beyond(words, tree.WORK)
    place = tree.node_at(node)
    words[place + tree.USEFUL] = work[of.USEFUL]
    words[place + tree.ASKED] = work[of.ASKED]


@compiled(none(Words, Words, i64), apart=True)
def _keep(words: Any, table: Any, is_lucky: int) -> None:
    """Make the newest game a node that waits, if its position is new, and not hopeless."""
    node = words[tree.N_MADE]
    state = tree.game_of(words, node)
    place = tree.node_at(node)
    if state[at.RESULT] != at.RUNNING or state[at.ACTIVE] != words[tree.SEAT]:
        return
    known = tree.place_of_newest(words)
    if known < 0:
        return
    work = words_beyond(words, tree.WORK)
    rank = win_rank(state, table, work, words[tree.SEAT])
    if rank == IS_HOPELESS:
        return
    tree.keep_newest_at(words, known)
    _note_help(words, node)
    rank = max(min(rank - LUCK_COSTS * is_lucky, RANK_LIMIT), -RANK_LIMIT)
    store32(words, place + tree.RANK, (rank << 16) + tree.order_of(state, words[tree.SEAT]))
    words[place + tree.FLAGS] = tree.IS_LUCKY if is_lucky else 0
    tree.push_open(words, node)


@compiled(i64(Words, Words, i64, i64), apart=True)
def _expand(words: Any, table: Any, node: int, n_listed: int) -> int:
    """Try all actions of a node, whose game is listed; the first that wins, or `NOTHING`."""
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
        note_way(words, newest, node, action)
        luck = luck_count(state)
        words[tree.node_at(newest) + tree.LUCK] = luck
        is_lucky = words[above + tree.FLAGS] & tree.IS_LUCKY or luck != words[above + tree.LUCK]
        if not _is_won(words, newest):
            _keep(words, table, 1 if is_lucky else 0)
        elif not is_lucky or _wins_whatever_luck_brings(words, table, newest):
            return load32(words, tree.node_at(newest) + tree.FIRST)
        else:
            words[tree.N_SPENT] += FOR_PROOF
    return NOTHING


@compiled(i64(Words, Words, i64, i64), apart=True)
def search_win(words: Any, table: Any, n_listed: int, budget: int) -> int:
    """Search the turn of the seat to move from the root for a line that wins.

    Args:
        words: the tree; all but its root is overwritten. The work is what `slack_of` the root
            has left.
        table: the numbers.
        n_listed: how many actions the root has; they are listed at `GAME`.
        budget: how many positions may be tried before the last one is expanded.

    Returns:
        The first action of the line, or `NOTHING` if none was found.
    """
    node = tree.ROOT
    tree.clear(words, budget + N_CHILDREN_MAX)
    words[tree.BUDGET] = budget
    tree.keep_newest(words)
    _note_help(words, tree.ROOT)
    has_secrets = tree.game_of(words, tree.ROOT)[secrets(1 - words[tree.SEAT])] > 0
    words[tree.node_at(tree.ROOT) + tree.FLAGS] = tree.IS_LUCKY if has_secrets else 0
    while True:
        found = _expand(words, table, node, n_listed)
        if found != NOTHING or words[tree.N_SPENT] >= budget:
            return found
        node = tree.pop_open(words)
        if node == tree.NO_NODE:
            return NOTHING
        n_listed = list_node(words, table, node)
