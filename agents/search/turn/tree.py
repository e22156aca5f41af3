"""Tree of the positions of one own turn, each stored once, in one block of memory.

A node describes a position and how it was reached. The games of the nodes are stored in a pool, one
behind the other. An action needs scratch memory behind its game, so actions are taken only in the
newest game of the pool.

Different orders of actions that lead to the same position are detected by 64-bit hashes, the marks.
A mark covers the players, the boards and the own hand. It does not depend on the order of cards, on
serial numbers or on counters of random events.
"""

from __future__ import annotations

from typing import Any

from agents.reading.position import ROW_SIZE
from agents.search.turn.work import WORK_SIZE
from agents.search.value.evaluate import SCRATCH_SIZE
from sim.engine import layout as at
from sim.engine.addresses import words_beyond
from sim.engine.compiled import Words, compiled, i64, none, u64
from sim.engine.layout import numbered
from sim.engine.streams import GAMMA, MASK64, load32, load64, mix64, number, store64
from sim.engine.zones import board, hand, item, player, secrets

N_NODES_MAX = 8_000  # at most half of `HASH_SIZE`, and node numbers fit a 16-bit word
ROOT = 0  # number of the root, the first node
NO_NODE = -1  # stands for the number of a node if there is none
_NO_SLOT = 0x0000FFFFFFFFFFFF  # removes the slot, the last of four words: equal cards are equal
_NO_CARD = 0xFFFFFFFFFFFF0000  # removes the number of the card, the first of four words

# --- words of a node ---
(
    SCORE,  # value of the position as the turn's end; this and the next five have two words each
    RANK,  # rank in the order of search, the highest first
    CHANCE_OFF,  # gain by chance on the way in world 0, subtracted from later values
    FIRST,  # first action of the path from the root to this node
    ACTION,  # action from the parent to this node
    ANSWERED,  # value after the enemy's answer, if it was computed
    *_,
) = numbered(each=2)
# A search for a win has no answers and stores two sums of `agents.search.turn.work` instead.
USEFUL = ANSWERED
ASKED = ANSWERED + 1  # the second of the two words
(
    DEPTH,  # number of actions from the root
    PARENT,  # number of the parent node
    CHANCE,  # result of `growth.chance_count` in the position
    FLAGS,  # bits, see below
    MARK,  # hash of the position, four words
    *_,
) = numbered(ANSWERED + 2)
NODE_SIZE = MARK + 4  # number of words of a node; the mark has four

# Flags of a node, as bits.
HAD_CHANCE = 1  # something random happened or something hidden was revealed on the way
IS_EXPANDED = 2  # all actions of the node were tried
IS_OVER = 4  # the game is over
IS_TAKEN = 8  # the node was returned by `take_best`

# --- counters and areas of the block ---
(
    N_MADE,  # number of nodes
    N_OPEN,  # number of nodes in the heap of nodes to be expanded
    N_SPENT,  # number of positions tried
    BUDGET,  # maximum number of positions that are tried
    HASH_MASK,  # number of places of the hash table in use, minus 1
    SEAT,  # seat to move
    DECIDED_BY,  # reason for the choice, one of the constants below
    WORLDS_STREAM,  # seed from which the seeds of the worlds are drawn, four words
    *_,
) = numbered()
# Values of `DECIDED_BY`: the only action, the answer to a mulligan, a sure win, the best line.
BY_NECESSITY, BY_MULLIGAN, BY_WIN, BY_LINE = range(4)
HASH_SIZE = 16_384  # number of places: a power of two, at least twice the number of nodes
NODES = WORLDS_STREAM + 4  # offset of the nodes, behind the four words of the stream
HEAP = NODES + NODE_SIZE * (1 + N_NODES_MAX)  # offset of the heap of nodes to be expanded
HASH = HEAP + 1 + N_NODES_MAX  # offset of the hash table; the heap has room for all nodes
GAME = HASH + HASH_SIZE  # offset of the game that is being expanded or played out
OTHER = GAME + at.STATE_SIZE  # offset of the same position in another world
WORK = OTHER + at.STATE_SIZE  # offset of the sums of the search for a win
PATH_MAX = 60  # maximum number of actions of a line that wins: the limit of an imagined turn
PATH = WORK + WORK_SIZE  # offset of the actions of such a line, two words each
LINES_MAX = 100  # maximum number of lines that are compared again: one for each answer
LINES = PATH + 2 * PATH_MAX  # offset of the lines that are compared again, three words each
ROW = LINES + 3 * LINES_MAX  # offset of the position row of the learned value
SUMS = -(-(ROW + ROW_SIZE) // 32) * 32  # offset of its sums, aligned to 64 bytes
POOL = -(-(SUMS + 2 * SCRATCH_SIZE) // 32) * 32  # games of the nodes, aligned to 64 bytes
SLOT = -(-at.CLONE_SIZE // 32) * 32  # words per game in the pool, aligned to 64 bytes


@compiled(i64(i64), from_python=True)
def block_size(n_nodes: int) -> int:
    """Return the number of words of a block for a tree with a root and `n_nodes` other nodes."""
    return POOL + SLOT * (1 + n_nodes) + at.STATE_SIZE


@compiled(i64(i64))
def node_at(node: int) -> int:
    """Return the offset of a node's words in the block."""
    return NODES + NODE_SIZE * node


@compiled(Words(Words, i64))
def game_of(words: Any, node: int) -> Any:
    """Return the state of a node's game, as a view of the block."""
    return words_beyond(words, POOL + SLOT * node)


@compiled(none(Words, i64))
def clear(words: Any, budget: int) -> None:
    """Remove all nodes, reset the counters, and empty the hash table.

    The games in the pool stay.

    Args:
        words: block of the tree.
        budget: maximum number of positions that are tried, the root not counted.
    """
    size = 64  # minimum size of the hash table, which gets at least two places per node
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
    """Return the seed of an imagined world; worlds are numbered from 0."""
    return number(load64(words, WORLDS_STREAM), world + 1)


# --- marks of positions ---


@compiled(u64(u64, u64))
def _join(mark: int, words: int) -> int:
    """Return a mark extended by four 16-bit words: a hash of the mark and the words.

    A record's first words must be joined to a mark of 0. Otherwise `^` would combine two loads
    directly, and different records could get the same mark.
    """
    # One multiplication instead of the two of `mix64`, since a position has about a hundred words
    # to join; `_mark_of_zone` and `mark_of` mix their results.
    product = ((mark ^ words) * GAMMA) & MASK64
    return product ^ (product >> 32)


@compiled(u64(i64))
def _unsigned(word: int) -> int:
    """Return the bits of a signed 16-bit word as an unsigned number from 0 to 65,535."""
    return word & 0xFFFF


@compiled(u64(Words, i64, u64), apart=True)
def _mark_of_texts(state: Any, record: int, mark: int) -> int:
    """Return the mark of a record, joined with all changes that texts made to the record.

    Args:
        state: state of the game.
        record: offset of the record.
        mark: mark of the record without these changes.
    """
    # Four words: keywords until two different times, temporary attack, and attack from auras.
    lent = load64(state, record + at.TURN_KEYWORDS)
    mark = _join(_join(mark, lent), load64(state, record + at.OWNER) & 0xFFFFFFFF)
    mark = _join(mark, _unsigned(state[record + at.HEARS]))
    for k in range(state[at.N_ATTACHED]):
        if state[at.ATTACHED + 2 * k] == record:
            mark = _join(mark, _unsigned(state[at.ATTACHED + 2 * k + 1]))
    return mark


@compiled(u64(Words, i64))
def _mark_of_record(state: Any, record: int) -> int:
    """Return the mark of the record of a card or a minion; equal cards have equal marks."""
    mark = _join(0, load64(state, record + at.CARD))
    mark = _join(mark, load64(state, record + at.MAX_HEALTH) & _NO_SLOT)
    return _mark_of_texts(state, record, mark) if state[at.GENERAL] else mark


@compiled(u64(Words, i64))
def _mark_of_zone(state: Any, zone: int) -> int:
    """Return the mark of the cards of a zone, which does not depend on their order."""
    mark = _unsigned(state[zone])
    for position in range(state[zone]):
        mark = (mark + mix64(_mark_of_record(state, item(state, zone, position)))) & MASK64
    return mark


@compiled(u64(Words, i64))
def _mark_of_player(state: Any, seat: int) -> int:
    """Return the mark of a seat's player, weapon, mana, and numbers of secrets and cards left."""
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
    """Return the mark of a position, a 64-bit hash of its parts that matter in a seat's turn.

    The hash covers both players and boards, the seat's hand, and cards that are offered as a
    choice.
    """
    mark = _join(_join(0, _mark_of_player(state, 0)), _mark_of_player(state, 1))
    mark = _join(mark, _mark_of_zone(state, board(0)))
    mark = _join(mark, _mark_of_zone(state, board(1)))
    mark = _join(mark, _mark_of_zone(state, hand(seat)))
    if state[at.CHOICES] > 0:
        mark = _join(mark, load64(state, at.CHOICES))
    return mix64(mark)


@compiled(u64(Words, i64))
def _numbers_in_zone(state: Any, zone: int) -> int:
    """Return a hash of the numbers of a zone's cards, which does not depend on their order.

    The hash covers the cost, attack, health and status of the cards, but not their identity.
    """
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
    """Return 16 bits by which positions of equal rank are ordered in a seat's turn.

    The bits depend only on the numbers of a position. The mark is not used, since it depends on the
    numbering of the cards and therefore on cards of the pool that are in no deck.
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
    """Return the place in the hash table where the search for a mark begins."""
    return mark & words[HASH_MASK]


@compiled(i64(Words, u64), apart=True)
def _free_place(words: Any, mark: int) -> int:
    """Return the offset in the block where a mark can be stored, or -1 if it is stored already."""
    offset = _first_place(words, mark)
    while words[HASH + offset] != 0:
        if load64(words, node_at(words[HASH + offset] - 1) + MARK) == mark:
            return -1
        offset = (offset + 1) & words[HASH_MASK]
    return HASH + offset


@compiled(i64(Words), apart=True)
def place_of_newest(words: Any) -> int:
    """Return the offset of the hash place for the newest game, or -1 if its position is known.

    The newest game is the game in the pool behind that of the last node. Its mark is stored.
    """
    node = words[N_MADE]
    mark = mark_of(game_of(words, node), words[SEAT])
    store64(words, node_at(node) + MARK, mark)
    return _free_place(words, mark)


@compiled(none(Words, i64))
def keep_newest_at(words: Any, place: int) -> None:
    """Add the newest game to the tree as a node; the caller must write the words of the node.

    Args:
        words: block of the tree.
        place: result of `place_of_newest` for this game, not -1.
    """
    words[place] = words[N_MADE] + 1
    words[N_MADE] += 1


@compiled(i64(Words), apart=True)
def keep_newest(words: Any) -> bool:
    """Add the newest game to the tree if its position is new, and return whether it is new."""
    place = place_of_newest(words)
    if place < 0:
        return False
    keep_newest_at(words, place)
    return True


# --- order of search: a heap of the nodes to be expanded ---


@compiled(i64(Words, i64, i64))
def _comes_before(words: Any, node: int, other: int) -> bool:
    """Return whether a node is expanded before another node.

    The node with the higher rank comes first, and of equal ranks the older node.
    """
    rank = load32(words, node_at(node) + RANK)
    other_rank = load32(words, node_at(other) + RANK)
    return rank > other_rank or (rank == other_rank and node < other)


@compiled(none(Words, i64), apart=True)
def push_open(words: Any, node: int) -> None:
    """Add a node with its stored rank to the heap of nodes to be expanded."""
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
    """Remove the next node to be expanded from the heap and return its number.

    The result is `NO_NODE` if the heap is empty.
    """
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
    """Return the node with the highest score among those not taken yet, and mark it as taken.

    Of equal scores, the oldest node is taken. The result is `NO_NODE` if all nodes were taken.
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
