"""Compiled functions for one game of Big Two: the deal, the legal moves and the actions.

A game is a block of `GAME_SIZE` words (`sim.big_two.layout`) that begins at word `at` of a vector
of many games.
"""

from __future__ import annotations

from typing import Any

from sim.big_two import layout as to
from sim.big_two.cards import (
    CHOOSE,
    DECK,
    FIRST,
    FITTING,
    HAND_SIZE,
    N_CARDS,
    N_PLACES,
    N_SEATS,
    PASS,
    PLACES,
    SIZES,
)
from sim.big_two.sets import MAY_GROW, strength_of_few, strength_of_five
from sim.engine.compiled import Vector, compiled, i64, none
from sim.engine.streams import number, pick


@compiled(i64(i64))
def count_cards(cards: int) -> int:
    """Return the number of cards in a set, which is the number of its bits."""
    n_cards = 0
    while cards:
        cards &= cards - 1
        n_cards += 1
    return n_cards


@compiled(i64(i64, i64))
def _nth_card(cards: int, n: int) -> int:
    """Return the n-th lowest card of a set, counted from 0; the set must have more than n cards."""
    for card in range(N_CARDS):
        if (cards >> card) & 1:
            if n == 0:
                return card
            n -= 1
    return -1  # never reached


@compiled(none(Vector, i64, Vector, i64, i64, i64, Vector))
def deal(games: Any, at: int, numbers: Any, row: int, seed: int, rotation: int, fixed: Any) -> None:
    """Deal a game; the holder of the opening card leads first.

    Each seat without a fixed hand draws 13 cards, even if the rules deal it fewer and the others
    are not used. Equal seeds therefore deal equal hands under all rules.

    Args:
        games: words of many games.
        at: offset of this game.
        numbers: numbers of the rules (`sim.big_two.rules.NUMBERS`) of many variants.
        row: offset in `numbers` of this game's variant.
        seed: seed of the game.
        rotation: number of seats by which the drawn hands are rotated, 0 to 3.
        fixed: set of cards that each seat holds, or 0 if the seat draws its hand, shape ``[4]``.
    """
    for word in range(to.LOG):
        games[at + word] = 0
    left = DECK
    for seat in range(N_SEATS):
        games[at + to.HANDS + seat] = fixed[seat]
        left &= ~fixed[seat]
    n_left = count_cards(left)
    n_drawn = 0
    # Hands are drawn in the same order for all rotations; only their seats differ.
    for hand in range(N_SEATS):
        seat = (hand + rotation) % N_SEATS
        for k in range(HAND_SIZE if fixed[seat] == 0 else 0):
            n_drawn += 1
            card = 1 << _nth_card(left, pick(seed, n_drawn, n_left))
            left &= ~card
            n_left -= 1
            if k < numbers[row + to.CARDS + seat]:
                games[at + to.HANDS + seat] |= card
    games[at + to.SEED] = seed
    games[at + to.WINNER] = to.NOBODY
    games[at + to.LOCKS] = numbers[row + to.PASS_LOCKS]
    games[at + to.FOURS] = numbers[row + to.FOURS_ALONE]
    _open(games, at, numbers[row + to.OPENING_CARD], numbers[row + to.OPENING_LEAD])


@compiled(none(Vector, i64, i64, i64))
def _open(games: Any, at: int, opening_card: int, opening_lead: int) -> None:
    """Make the holder of the opening card the first seat to move.

    If no seat holds that card, the next higher card that a seat holds takes its place; the two of
    spades is followed by the three of diamonds.

    Args:
        games: words of many games, which contain the hands.
        at: offset of this game.
        opening_card: number of the opening card.
        opening_lead: condition on the first lead (`sim.big_two.rules.BigTwoRules`).
    """
    opener = to.NOBODY
    card = opening_card
    while opener == to.NOBODY:
        for seat in range(N_SEATS):
            if (games[at + to.HANDS + seat] >> card) & 1:
                opener = seat
        card = (card + 1) % N_CARDS
    games[at + to.OPENER] = games[at + to.ACTIVE] = games[at + to.OWNER] = opener
    if opening_lead > 0:
        games[at + to.NEEDED] = 1 << ((card + N_CARDS - 1) % N_CARDS)
        games[at + to.ALONE] = opening_lead - 1


@compiled(none(Vector, i64))
def lay_out(games: Any, at: int) -> None:
    """Write the active seat's cards into the work area, in rising order.

    Args:
        games: words of many games.
        at: offset of this game.
    """
    left = games[at + to.HANDS + games[at + to.ACTIVE]]
    n_cards = 0
    while left:
        below_lowest = (left & -left) - 1
        games[at + to.SORTED + n_cards] = count_cards(below_lowest)
        left &= left - 1
        n_cards += 1
    games[at + to.N_SORTED] = n_cards


@compiled(i64(Vector, i64, i64))
def cards_at(games: Any, at: int, action: int) -> int:
    """Return the set of cards that an action plays.

    Args:
        games: words of many games; the work area must contain the active seat's cards (`lay_out`).
        at: offset of this game.
        action: number of the action, which must fit the hand.
    """
    cards = 0
    for k in range(SIZES[action]):
        cards |= 1 << games[at + to.SORTED + PLACES[N_PLACES * action + k]]
    return cards


@compiled(i64(Vector, i64, Vector, i64, i64))
def _strength_at(games: Any, at: int, order: Any, action: int, size: int) -> int:
    """Return the strength of the set that an action plays; 0 if it may not be played.

    Args:
        games: words of many games; the work area must contain the active seat's cards (`lay_out`).
        at: offset of this game.
        order: order of straights and flushes (`BigTwoRules.order`).
        action: number of the action, which must fit the hand.
        size: number of cards that the action plays.
    """
    hand = at + to.SORTED
    places = N_PLACES * action
    a = games[hand + PLACES[places]]
    b = games[hand + PLACES[places + 1]]
    c = games[hand + PLACES[places + 2]]
    d = games[hand + PLACES[places + 3]]
    if size == N_PLACES:
        return strength_of_five(order, a, b, c, d, games[hand + PLACES[places + 4]])
    return strength_of_few(size, a, b, c, d)


@compiled(i64(Vector, i64, Vector, i64, i64))
def _legal_strength(games: Any, at: int, order: Any, action: int, size: int) -> int:
    """Return the strength of the set that an action plays; 0 if the action is illegal.

    An action is legal if its set beats the set on the table and meets the condition on the first
    lead. The arguments are those of `_strength_at`; the size must have been checked.
    """
    strength = _strength_at(games, at, order, action, size)
    if strength <= games[at + to.BEATEN]:
        return 0
    needed = games[at + to.NEEDED]
    if needed:
        cards = cards_at(games, at, action)
        if not cards & needed or (games[at + to.ALONE] and cards != needed):
            return 0
    return strength


@compiled(i64(Vector, i64, Vector, Vector))
def list_moves(games: Any, at: int, order: Any, moves: Any) -> int:
    """Write a list of the legal moves of the active seat, and return their number.

    A move is the action, in the low `ACTION_BITS` bits, and the strength of its set above them.
    Passing comes first if it is legal; sets follow, ordered by size and action.

    Args:
        games: words of many games; the work area is overwritten.
        at: offset of this game.
        order: order of straights and flushes (`BigTwoRules.order`).
        moves: list of moves, overwritten.
    """
    lay_out(games, at)
    n_moves = 0
    if games[at + to.TABLE]:
        moves[0] = PASS
        n_moves = 1
    for size in range(1, N_PLACES):
        n_moves = list_few(games, at, order, size, moves, n_moves)
    return list_fives(games, at, order, moves, n_moves)


@compiled(i64(Vector, i64, i64))
def _is_legal_size(games: Any, at: int, size: int) -> bool:
    """Return whether sets of a size may be played now if they are strong enough.

    The size must be that of the set on the table, or any size if the active seat leads. Four cards
    also need a rule that allows fours without a fifth card.
    """
    size_to_beat = count_cards(games[at + to.TABLE])
    return size_to_beat in (0, size) and (size != 4 or games[at + to.FOURS] != 0)


@compiled(i64(Vector, i64, Vector, i64, Vector, i64))
def list_few(games: Any, at: int, order: Any, size: int, moves: Any, n_moves: int) -> int:
    """Append the legal moves of one size below five to a list, and return the list's new length.

    Args:
        games: words of many games; the work area must contain the active seat's cards (`lay_out`).
        at: offset of this game.
        order: order of straights and flushes (`BigTwoRules.order`).
        size: number of cards of the sets, 1 to 4.
        moves: list of moves (`list_moves`), written from entry `n_moves` on.
        n_moves: number of moves in the list so far.
    """
    if not _is_legal_size(games, at, size):
        return n_moves
    for action in range(FIRST[size], FIRST[size] + FITTING[size, games[at + to.N_SORTED]]):
        n_moves = _list_move(games, at, order, action, size, moves, n_moves)
    return n_moves


@compiled(i64(Vector, i64, Vector, i64, i64, Vector, i64))
def _list_move(
    games: Any, at: int, order: Any, action: int, size: int, moves: Any, n_moves: int
) -> int:
    """Append a move to a list if it is legal, and return the list's new length.

    The arguments are those of `list_few`, and the number of the action.
    """
    strength = _legal_strength(games, at, order, action, size)
    if strength:
        moves[n_moves] = strength << to.ACTION_BITS | action
        return n_moves + 1
    return n_moves


@compiled(i64(Vector, i64, Vector, Vector, i64))
def list_fives(games: Any, at: int, order: Any, moves: Any, n_moves: int) -> int:
    """Append the legal moves of five cards to a list, and return the list's new length.

    The search chooses places a < b < c < d < e from the highest to the lowest. It abandons a
    partial choice if its cards have several suits and its ranks cannot become a set of five.

    The arguments are those of `list_few`.
    """
    if not _is_legal_size(games, at, N_PLACES):
        return n_moves
    hand = at + to.SORTED
    for e in range(4, games[at + to.N_SORTED]):
        for d in range(3, e):
            high = games[hand + e]
            fourth = games[hand + d]
            two = 1 << (high >> 2) | 1 << (fourth >> 2)
            before_two = CHOOSE[5, e] + CHOOSE[4, d]
            for c in range(2, d):
                middle = games[hand + c]
                three = two | 1 << (middle >> 2)
                suits = (high ^ fourth) | (high ^ middle)
                if suits & 3 and not order[three] & MAY_GROW:
                    continue
                for b in range(1, c):
                    second = games[hand + b]
                    four = three | 1 << (second >> 2)
                    of_four = suits | (high ^ second)
                    # Four cards of three ranks include a pair, which no straight has, and three
                    # ranks are too many for a full house or a four.
                    if of_four & 3 and (not order[four] & MAY_GROW or count_cards(four) == 3):
                        continue
                    action = FIRST[N_PLACES] + before_two + CHOOSE[3, c] + CHOOSE[2, b]
                    for a in range(b):
                        lowest = games[hand + a]
                        five = four | 1 << (lowest >> 2)
                        if (of_four | (high ^ lowest)) & 3 == 0 or order[five] & MAY_GROW:
                            n_moves = _list_move(
                                games, at, order, action + a, N_PLACES, moves, n_moves
                            )
    return n_moves


@compiled(i64(Vector, i64, Vector, i64))
def is_legal(games: Any, at: int, order: Any, action: int) -> bool:
    """Return whether an action of the active seat is legal.

    The work area is filled with the active seat's cards, for `act`. The arguments are those of
    `_strength_at`.
    """
    lay_out(games, at)
    if action == PASS:
        return bool(games[at + to.TABLE])
    size = SIZES[action]
    if not _is_legal_size(games, at, size):
        return False
    fits = PLACES[N_PLACES * action + size - 1] < games[at + to.N_SORTED]
    return fits and _legal_strength(games, at, order, action, size) > 0


@compiled(none(Vector, i64, Vector, i64))
def act(games: Any, at: int, order: Any, action: int) -> None:
    """Carry out a legal action of the active seat, and make the next seat active.

    Args:
        games: words of many games; the work area must contain the active seat's cards, as after
            `is_legal`.
        at: offset of this game.
        order: order of straights and flushes (`BigTwoRules.order`).
        action: number of the action.
    """
    seat = games[at + to.ACTIVE]
    cards = 0
    if action == PASS:
        games[at + to.PASSED] |= 1 << seat
    else:
        cards = cards_at(games, at, action)
        games[at + to.BEATEN] = _strength_at(games, at, order, action, SIZES[action])
        games[at + to.TABLE] = cards
        games[at + to.OWNER] = seat
        games[at + to.HANDS + seat] &= ~cards
        games[at + to.GONE + seat] |= cards
        games[at + to.NEEDED] = games[at + to.ALONE] = 0
        if not games[at + to.LOCKS]:
            games[at + to.PASSED] = 0
        if games[at + to.HANDS + seat] == 0:
            games[at + to.WINNER] = seat
    games[at + to.LOG + games[at + to.N_TURNS]] = seat << to.LOG_SEAT | cards
    games[at + to.N_TURNS] += 1
    if games[at + to.WINNER] == to.NOBODY:
        _pass_turn(games, at, seat)


@compiled(none(Vector, i64, i64))
def _pass_turn(games: Any, at: int, seat: int) -> None:
    """Activate the next seat after `seat` that has not passed.

    If this is the seat that played the set on the table, the table is cleared and the seat leads.
    """
    seat = (seat + 1) % N_SEATS
    while (games[at + to.PASSED] >> seat) & 1:
        seat = (seat + 1) % N_SEATS
    games[at + to.ACTIVE] = seat
    if seat == games[at + to.OWNER]:
        games[at + to.TABLE] = games[at + to.BEATEN] = games[at + to.PASSED] = 0


@compiled(i64(Vector, i64, i64))
def agents_number(games: Any, at: int, n_choices: int) -> int:
    """Return a random number from 0 to `n_choices` - 1 for a choice of the active seat's agent.

    It is a function of the game's seed, the active seat and the number of turns so far.

    Args:
        games: words of many games.
        at: offset of this game.
        n_choices: number of possible choices.
    """
    seed = int(games[at + to.SEED])
    # `int` matters when this runs as plain Python, where the words are numpy integers.
    seat = int(games[at + to.ACTIVE])
    return pick(number(seed, to.AGENTS_STREAM + seat), int(games[at + to.N_TURNS]) + 1, n_choices)
