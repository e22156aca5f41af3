"""The positions of one own turn, each once, in one block of memory.

A node is a position and how it was reached. Its game lies in the pool; a game that is being
played on needs room behind it to work in, which is where the next games will lie. So only the
newest one is ever played on.

That two orders of actions meet is known by marks of 64 bits. What counts is what stands on the
boards and in the own hand, in whatever order, and the players. The order itself, serial numbers and
the counters of luck are left out.
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

N_NODES_MAX = 8_000
ROOT = 0
NO_NODE = -1
_NO_SLOT = 0x0000FFFFFFFFFFFF  # the slot is the last of its four words: twins are as good

_NO_CARD = 0xFFFFFFFFFFFF0000  # the number of the card is the first of its four words

# --- a node ---
(
    SCORE,  # what the position is worth as the turn's end; two words, as the next three
    RANK,  # its place in the order of search
    LUCK_OFF,  # what luck in world 0 has given on the way, to be taken from all that follow
    FIRST,  # the action that leads here from the root, two words
    ACTION,  # and that which leads here from the parent, two words
    ANSWERED,  # what it is worth after the enemy's answer, if it was asked for; two words
    *_,
) = numbered(each=2)
USEFUL = ANSWERED
ASKED = ANSWERED + 1  # of a search for a win, as `agents.search.turn.work`
(
    DEPTH,  # actions from the root
    PARENT,
    LUCK,  # what the counters of luck stood at
    FLAGS,
    MARK,  # four words
    *_,
) = numbered(ANSWERED + 2)
NODE_SIZE = MARK + 4

IS_LUCKY = 1
IS_EXPANDED = 2
IS_OVER = 4
IS_TAKEN = 8

# --- the block ---
(
    N_MADE,  # nodes
    N_OPEN,  # of them, those that wait for being expanded
    N_SPENT,  # positions tried
    BUDGET,  # how many may be
    HASH_MASK,
    SEAT,  # whose turn it is
    DECIDED_BY,  # what the choice came from, one of those below
    WORLDS_STREAM,  # four words
    *_,
) = numbered()
BY_NECESSITY, BY_MULLIGAN, BY_WIN, BY_LINE = range(4)
HASH_SIZE = 16_384  # a power of two, twice as many as nodes
NODES = WORLDS_STREAM + 4
HEAP = NODES + NODE_SIZE * (1 + N_NODES_MAX)  # the root, too
HASH = HEAP + 1 + N_NODES_MAX
GAME = HASH + HASH_SIZE  # the position that is being expanded, or played out
OTHER = GAME + at.STATE_SIZE  # the same in another world
WORK = OTHER + at.STATE_SIZE  # sums and a path, of the search for a win
PATH_MAX = 60  # actions of a line
PATH = WORK + WORK_SIZE
POOL = -(-(PATH + 2 * PATH_MAX) // 32) * 32
SLOT = -(-at.CLONE_SIZE // 32) * 32


@compiled(i64(i64), from_python=True)
def block_size(n_nodes: int) -> int:
    """Words of a block for a tree of so many nodes below the root."""
    return POOL + SLOT * (1 + n_nodes) + at.STATE_SIZE


@compiled(i64(i64))
def node_at(node: int) -> int:
    """Where in the block a node stands."""
    return NODES + NODE_SIZE * node


@compiled(Words(Words, i64))
def game_of(words: Any, node: int) -> Any:
    """The position of a node."""
    return words_beyond(words, POOL + SLOT * node)


@compiled(none(Words, i64))
def clear(words: Any, budget: int) -> None:
    """Remove all nodes, and make room for as many as may be tried, and the root.

    Args:
        words: the block.
        budget: how many positions may be tried.
    """
    size = 64
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
    """The seed of an imagined world, from 0 on."""
    return number(load64(words, WORLDS_STREAM), world + 1)


# --- marks of positions ---


@compiled(u64(u64, u64))
def _join(mark: int, words: int) -> int:
    """A mark and four more words as one mark.

    The first words are joined to a mark of 0: two loads that were put together by `^` alone would
    be the same for an attack of 3 of a unit that is not ready and an attack of 2 of one that is.
    One multiplication, not the two of `mix64`: a position has some hundred words to join, and
    `_mark_of_zone` and `mark_of` scatter what they end with.
    """
    product = ((mark ^ words) * GAMMA) & MASK64
    return product ^ (product >> 32)


@compiled(u64(i64))
def _unsigned(word: int) -> int:
    return word & 0xFFFF


@compiled(u64(Words, i64, u64), apart=True)
def _mark_of_texts(state: Any, record: int, mark: int) -> int:
    """The mark of a record, joined with what texts have made of it; plain games have none."""
    lent = load64(state, record + at.TURN_KEYWORDS)  # and the words behind: for a turn or by auras
    mark = _join(_join(mark, lent), load64(state, record + at.OWNER) & 0xFFFFFFFF)
    mark = _join(mark, _unsigned(state[record + at.HEARS]))
    for k in range(state[at.N_ATTACHED]):
        if state[at.ATTACHED + 2 * k] == record:
            mark = _join(mark, _unsigned(state[at.ATTACHED + 2 * k + 1]))
    return mark


@compiled(u64(Words, i64))
def _mark_of_record(state: Any, record: int) -> int:
    """What a card or a minion is now."""
    mark = _join(0, load64(state, record + at.CARD))
    mark = _join(mark, load64(state, record + at.MAX_HEALTH) & _NO_SLOT)
    return _mark_of_texts(state, record, mark) if state[at.GENERAL] else mark


@compiled(u64(Words, i64))
def _mark_of_zone(state: Any, zone: int) -> int:
    """What stands in a zone, in whatever order."""
    mark = _unsigned(state[zone])
    for position in range(state[zone]):
        mark = (mark + mix64(_mark_of_record(state, item(state, zone, position)))) & MASK64
    return mark


@compiled(u64(Words, i64))
def _mark_of_player(state: Any, seat: int) -> int:
    """A player, its mana and what it may still do; of the deck, how many cards are left."""
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
    """The mark of a position in the turn of `seat`."""
    mark = _join(_join(0, _mark_of_player(state, 0)), _mark_of_player(state, 1))
    mark = _join(mark, _mark_of_zone(state, board(0)))
    mark = _join(mark, _mark_of_zone(state, board(1)))
    mark = _join(mark, _mark_of_zone(state, hand(seat)))
    if state[at.CHOICES] > 0:
        mark = _join(mark, load64(state, at.CHOICES))
    return mix64(mark)


@compiled(u64(Words, i64))
def _numbers_in_zone(state: Any, zone: int) -> int:
    """The numbers of what stands in a zone, in whatever order, as one word."""
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
    """16 bits by which positions of equal rank are put in order, in the turn of `seat`.

    They depend on the numbers of a position alone. The mark would depend on how the cards of the
    pool are numbered, and so on cards that no deck has.
    """
    mark = _join(_numbers_in_zone(state, board(0)), _numbers_in_zone(state, board(1)))
    mark = _join(mark, _numbers_in_zone(state, hand(seat)))
    for each in range(2):
        mark = _join(mark, load64(state, player(each) + at.CARD) & _NO_CARD)
    mark = _join(mark, load64(state, player(seat) + at.MANA) & 0xFFFFFFFF)
    return mix64(mark) & 0xFFFF


# --- nodes, each position once ---


@compiled(i64(Words, u64))
def _first_place(words: Any, mark: int) -> int:
    return mark & words[HASH_MASK]


@compiled(i64(Words, u64), apart=True)
def _free_place(words: Any, mark: int) -> int:
    """Where in the hash a mark may be noted, or -1 if it has been."""
    offset = _first_place(words, mark)
    while words[HASH + offset] != 0:
        if load64(words, node_at(words[HASH + offset] - 1) + MARK) == mark:
            return -1  # it is known
        offset = (offset + 1) & words[HASH_MASK]
    return HASH + offset


@compiled(i64(Words), apart=True)
def place_of_newest(words: Any) -> int:
    """Where the game behind the last node would be noted, below 0 if its position is known."""
    node = words[N_MADE]
    mark = mark_of(game_of(words, node), words[SEAT])
    store64(words, node_at(node) + MARK, mark)
    return _free_place(words, mark)


@compiled(none(Words, i64))
def keep_newest_at(words: Any, place: int) -> None:
    """Make the game behind the last node a node, noted at its `place_of_newest`.

    The other words of the node are for the caller to write.
    """
    words[place] = words[N_MADE] + 1
    words[N_MADE] += 1


@compiled(i64(Words), apart=True)
def keep_newest(words: Any) -> bool:
    """Make the game behind the last node a node, unless its position is known."""
    place = place_of_newest(words)
    if place < 0:
        return False
    keep_newest_at(words, place)
    return True


# --- the order of search: a heap of open nodes, the best first, of equals the oldest ---


@compiled(i64(Words, i64, i64))
def _comes_before(words: Any, node: int, other: int) -> bool:
    rank = load32(words, node_at(node) + RANK)
    other_rank = load32(words, node_at(other) + RANK)
    return rank > other_rank or (rank == other_rank and node < other)


@compiled(none(Words, i64), apart=True)
def push_open(words: Any, node: int) -> None:
    """Let a node wait for being expanded."""
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
    """Take the node that is next, `NO_NODE` if none waits."""
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
    """The node with the highest score that has not been taken yet, `NO_NODE` if all have.

    Of equals it is the oldest.
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
