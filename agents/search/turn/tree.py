"""Tree of the positions of one own turn, each stored once, in one block of memory.

A node is a position and how it was reached. Its game lies in the pool. A game that is still played
on needs scratch memory behind it, where later games will lie, so only the newest game is ever
played on.

Different orders of actions that lead to the same position are detected by 64-bit marks. A mark
covers the cards on the boards and in the own hand, in any order, and the players; the order of
cards, serial numbers and counters of chance are left out.
"""

from __future__ import annotations

from typing import Any

from agents.search.turn.work import WORK_SIZE
from sim.engine import layout as at
from sim.engine.addresses import words_beyond
from sim.engine.compiled import Words, compiled, i64, none, u64
from sim.engine.layout import numbered
from sim.engine.streams import GAMMA, MASK64, load32, load64, mix64, number, store64
from sim.engine.zones import board, hand, item, player, secrets

N_NODES_MAX = 8_000  # the hash holds twice as many places, and its node numbers fit 16 bits
ROOT = 0  # number of the root, the first node
NO_NODE = -1  # instead of the number of a node
_NO_SLOT = 0x0000FFFFFFFFFFFF  # masks the slot, the last of four words: equal cards are equal
_NO_CARD = 0xFFFFFFFFFFFF0000  # masks the number of the card, the first of four words

# --- a node ---
(
    SCORE,  # value of the position as the turn's end; two words, as the next five
    RANK,  # rank in the order of search, the highest first
    CHANCE_OFF,  # what chance gave on the way in world 0, subtracted from later values
    FIRST,  # action that leads here from the root
    ACTION,  # action that leads here from the parent
    ANSWERED,  # value after the enemy's answer, if it was computed
    *_,
) = numbered(each=2)
# A search for a win, which has no answers, stores two sums of `agents.search.turn.work` there.
USEFUL = ANSWERED
ASKED = ANSWERED + 1  # the second of the two words
(
    DEPTH,  # number of actions from the root
    PARENT,
    CHANCE,  # result of `growth.chance_count` in the position
    FLAGS,
    MARK,  # four words
    *_,
) = numbered(ANSWERED + 2)
NODE_SIZE = MARK + 4  # the mark has four words

# Flags of a node, as bits.
HAD_CHANCE = 1  # something random or hidden was revealed on the way
IS_EXPANDED = 2  # all its actions were tried
IS_OVER = 4  # the game is over
IS_TAKEN = 8  # returned by `take_best`

# --- the block ---
(
    N_MADE,  # number of nodes
    N_OPEN,  # number of nodes in the heap, which wait to be expanded
    N_SPENT,  # number of positions tried
    BUDGET,  # number of positions that may be tried
    HASH_MASK,  # places of the hash in use, minus 1
    SEAT,  # the seat to move
    DECIDED_BY,  # reason for the choice, one of those below
    WORLDS_STREAM,  # seed of the worlds' seeds, four words
    *_,
) = numbered()
# Values of `DECIDED_BY`: the only action, the rule of the mulligan, a sure win, the best line.
BY_NECESSITY, BY_MULLIGAN, BY_WIN, BY_LINE = range(4)
HASH_SIZE = 16_384  # places: a power of two, at least twice the number of nodes
NODES = WORLDS_STREAM + 4  # offset of the nodes, behind the four words of the stream
HEAP = NODES + NODE_SIZE * (1 + N_NODES_MAX)  # behind the root and all other nodes
HASH = HEAP + 1 + N_NODES_MAX  # behind the heap, which may hold the root and all other nodes
GAME = HASH + HASH_SIZE  # the position that is being expanded or played out
OTHER = GAME + at.STATE_SIZE  # the same position in another world
WORK = OTHER + at.STATE_SIZE  # sums of the search for a win
PATH_MAX = 60  # most actions of a line of the search for a win, as many as an imagined turn has
PATH = WORK + WORK_SIZE  # actions of such a line, two words each
POOL = -(-(PATH + 2 * PATH_MAX) // 32) * 32  # games of the nodes, aligned to 64 bytes
SLOT = -(-at.CLONE_SIZE // 32) * 32  # words per game in the pool, aligned to 64 bytes


@compiled(i64(i64), from_python=True)
def block_size(n_nodes: int) -> int:
    """Return the number of words of a block for a tree of `n_nodes` nodes below the root."""
    return POOL + SLOT * (1 + n_nodes) + at.STATE_SIZE


@compiled(i64(i64))
def node_at(node: int) -> int:
    """Return the offset of a node in the block."""
    return NODES + NODE_SIZE * node


@compiled(Words(Words, i64))
def game_of(words: Any, node: int) -> Any:
    """Return the game of a node."""
    return words_beyond(words, POOL + SLOT * node)


@compiled(none(Words, i64))
def clear(words: Any, budget: int) -> None:
    """Remove all nodes and make room for new ones.

    Args:
        words: the block.
        budget: number of positions that may be tried, apart from the root.
    """
    size = 64  # the smallest hash; it grows to at least two places per node
    while size < 2 * budget:
        size *= 2
    words[N_MADE] = 0
    words[N_OPEN] = 0
    words[N_SPENT] = 0
    words[BUDGET] = budget
    words[HASH_MASK] = size - 1
    for word in range(HASH, HASH + size):
        words[word] = 0


@compiled(u64(Words, i64))
def world_seed(words: Any, world: int) -> int:
    """Return the seed of an imagined world, numbered from 0."""
    return number(load64(words, WORLDS_STREAM), world + 1)


# --- marks of positions ---


@compiled(u64(u64, u64))
def _join(mark: int, words: int) -> int:
    """Return one mark for a mark and four more words.

    A record's first words must be joined to a mark of 0: combining two loads by `^` alone would
    give an attack of 3 of a unit that is not ready and an attack of 2 of a ready one the same mark.
    One multiplication is used instead of the two of `mix64`, since a position has some hundred
    words to join; `_mark_of_zone` and `mark_of` mix their results.
    """
    product = ((mark ^ words) * GAMMA) & MASK64
    return product ^ (product >> 32)


@compiled(u64(i64))
def _unsigned(word: int) -> int:
    """Return a signed 16-bit word as a number from 0 to 65,535."""
    return word & 0xFFFF


@compiled(u64(Words, i64, u64), apart=True)
def _mark_of_texts(state: Any, record: int, mark: int) -> int:
    """Return a record's mark joined with everything that texts changed of it."""
    # The keywords and the words behind them: gifts for a turn or by auras.
    lent = load64(state, record + at.TURN_KEYWORDS)
    mark = _join(_join(mark, lent), load64(state, record + at.OWNER) & 0xFFFFFFFF)
    mark = _join(mark, _unsigned(state[record + at.HEARS]))
    for k in range(state[at.N_ATTACHED]):
        if state[at.ATTACHED + 2 * k] == record:
            mark = _join(mark, _unsigned(state[at.ATTACHED + 2 * k + 1]))
    return mark


@compiled(u64(Words, i64))
def _mark_of_record(state: Any, record: int) -> int:
    """Return the mark of a card or a minion."""
    mark = _join(0, load64(state, record + at.CARD))
    mark = _join(mark, load64(state, record + at.MAX_HEALTH) & _NO_SLOT)
    return _mark_of_texts(state, record, mark) if state[at.GENERAL] else mark


@compiled(u64(Words, i64))
def _mark_of_zone(state: Any, zone: int) -> int:
    """Return the mark of the cards of a zone, in any order."""
    mark = _unsigned(state[zone])
    for position in range(state[zone]):
        mark = (mark + mix64(_mark_of_record(state, item(state, zone, position)))) & MASK64
    return mark


@compiled(u64(Words, i64))
def _mark_of_player(state: Any, seat: int) -> int:
    """Return the mark of a player, its mana and possible actions, and the number of cards left."""
    leader = player(seat)
    mark = _join(0, load64(state, leader + at.CARD))
    mark = _join(mark, load64(state, leader + at.MAX_HEALTH))
    mark = _join(mark, load64(state, leader + at.OWNER) & 0xFFFFFFFF)
    mark = _join(mark, load64(state, leader + at.MANA) & 0xFFFFFFFF)
    mark = _join(mark, load64(state, leader + at.N_CARDS_LEFT))
    mark = _join(mark, load64(state, leader + at.POWER_USED))
    mark = _join(mark, load64(state, leader + at.NEXT_SPELL))
    mark = _join(mark, _unsigned(state[secrets(seat)]))
    weapon = state[leader + at.WEAPON]
    return mark if weapon == 0 else _join(mark, _mark_of_record(state, weapon))


@compiled(u64(Words, i64), apart=True)
def mark_of(state: Any, seat: int) -> int:
    """Return the mark of a position in the turn of `seat`."""
    mark = _join(_join(0, _mark_of_player(state, 0)), _mark_of_player(state, 1))
    mark = _join(mark, _mark_of_zone(state, board(0)))
    mark = _join(mark, _mark_of_zone(state, board(1)))
    mark = _join(mark, _mark_of_zone(state, hand(seat)))
    if state[at.CHOICES] > 0:
        mark = _join(mark, load64(state, at.CHOICES))
    return mix64(mark)


@compiled(u64(Words, i64))
def _numbers_in_zone(state: Any, zone: int) -> int:
    """Return one word for the numbers of the cards of a zone, in any order; names do not count."""
    mark = _unsigned(state[zone])
    for position in range(state[zone]):
        record = item(state, zone, position)
        numbers = _join(
            load64(state, record + at.CARD) & _NO_CARD, _unsigned(state[record + at.STATUS])
        )
        mark = (mark + mix64(numbers)) & MASK64
    return mark


@compiled(i64(Words, i64), apart=True)
def order_of(state: Any, seat: int) -> int:
    """Return 16 bits that order positions of equal rank in the turn of `seat`.

    They depend only on the numbers of a position. The mark would depend on how the cards of the
    pool are numbered, and so on cards that no deck has.
    """
    mark = _join(_numbers_in_zone(state, board(0)), _numbers_in_zone(state, board(1)))
    mark = _join(mark, _numbers_in_zone(state, hand(seat)))
    for leader in range(2):
        mark = _join(mark, load64(state, player(leader) + at.CARD) & _NO_CARD)
    mark = _join(mark, load64(state, player(seat) + at.MANA) & 0xFFFFFFFF)
    return mix64(mark) & 0xFFFF


# --- nodes, each position once ---


@compiled(i64(Words, u64))
def _first_place(words: Any, mark: int) -> int:
    """Return the place of the hash where the search for a mark begins."""
    return mark & words[HASH_MASK]


@compiled(i64(Words, u64), apart=True)
def _free_place(words: Any, mark: int) -> int:
    """Return the offset in the hash where a mark can be stored, or -1 if it is stored already."""
    offset = _first_place(words, mark)
    while words[HASH + offset] != 0:
        if load64(words, node_at(words[HASH + offset] - 1) + MARK) == mark:
            return -1
        offset = (offset + 1) & words[HASH_MASK]
    return HASH + offset


@compiled(i64(Words), apart=True)
def place_of_newest(words: Any) -> int:
    """Return the hash place for the game behind the last node, -1 if its position is known."""
    node = words[N_MADE]
    mark = mark_of(game_of(words, node), words[SEAT])
    store64(words, node_at(node) + MARK, mark)
    return _free_place(words, mark)


@compiled(none(Words, i64))
def keep_newest_at(words: Any, place: int) -> None:
    """Make the game behind the last node a node, stored at its `place_of_newest`.

    The caller must write the other words of the node.
    """
    words[place] = words[N_MADE] + 1
    words[N_MADE] += 1


@compiled(i64(Words), apart=True)
def keep_newest(words: Any) -> bool:
    """Make the game behind the last node a node, and return whether its position is new."""
    place = place_of_newest(words)
    if place < 0:
        return False
    keep_newest_at(words, place)
    return True


# --- the order of search: a heap of open nodes, the best first, of equals the oldest ---


@compiled(i64(Words, i64, i64))
def _comes_before(words: Any, node: int, other: int) -> bool:
    """Return whether a node is expanded before another: by rank, of equals the older one."""
    rank = load32(words, node_at(node) + RANK)
    other_rank = load32(words, node_at(other) + RANK)
    return rank > other_rank or (rank == other_rank and node < other)


@compiled(none(Words, i64), apart=True)
def push_open(words: Any, node: int) -> None:
    """Add a node to the heap of nodes to be expanded."""
    place = int(words[N_OPEN])
    words[N_OPEN] += 1
    while place > 0:
        above = (place - 1) >> 1
        if _comes_before(words, words[HEAP + above], node):
            break
        words[HEAP + place] = words[HEAP + above]
        place = above
    words[HEAP + place] = node


@compiled(i64(Words), apart=True)
def pop_open(words: Any) -> int:
    """Remove the next node to be expanded from the heap and return it; `NO_NODE` if it is empty."""
    if words[N_OPEN] == 0:
        return NO_NODE
    best = words[HEAP]
    n_left = words[N_OPEN] - 1
    words[N_OPEN] = n_left
    last = words[HEAP + n_left]
    place = 0
    while 2 * place + 1 < n_left:
        below = 2 * place + 1
        if below + 1 < n_left and _comes_before(
            words, words[HEAP + below + 1], words[HEAP + below]
        ):
            below += 1
        if _comes_before(words, last, words[HEAP + below]):
            break
        words[HEAP + place] = words[HEAP + below]
        place = below
    words[HEAP + place] = last
    return best


@compiled(i64(Words), apart=True)
def take_best(words: Any) -> int:
    """Return the node with the highest score that was not taken yet, and mark it as taken.

    Of equal scores the oldest node is taken; `NO_NODE` if all were.
    """
    best = NO_NODE
    best_score = 0
    for node in range(words[N_MADE]):
        place = node_at(node)
        score = load32(words, place + SCORE)
        if words[place + FLAGS] & IS_TAKEN == 0 and (best == NO_NODE or score > best_score):
            best = node
            best_score = score
    if best != NO_NODE:
        words[node_at(best) + FLAGS] |= IS_TAKEN
    return best
