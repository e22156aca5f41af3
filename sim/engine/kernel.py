"""Main loop over games, and functions that prepare, copy and count games.

`play_games` plays a chunk of a batch's games and adds up their results. Threads call it in
parallel, each on its own chunk, since it holds no lock and writes to no shared memory.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types

from sim.engine import layout as at
from sim.engine.addresses import call_policy, copy_words, words_at
from sim.engine.compensation import starting_life
from sim.engine.compiled import Block, Vector, Words, compiled, i64, none, u64
from sim.engine.faults import allow_actions
from sim.engine.rules import act, deal
from sim.engine.streams import number
from sim.engine.viewing import count_action
from sim.engine.zones import player
from sim.ruleset import DECK_CAPACITY, N_SEATS

Winners: Any = types.Array(types.int8, 1, "C")
Halt: Any = types.Array(types.uint8, 1, "C")
BATCH = Block, i64, Block, Vector, Vector, Vector, u64, Block  # `tables` to `view` of `play_games`
COUNTS = Vector, Vector, Vector, Vector, Winners, Halt  # `totals` to `halt` of `play_games`


@compiled(i64(Vector, i64, i64))
def player_of(rows: Any, row: int, seat: int) -> int:
    """Return the number of the player that has a given seat in a row of a batch.

    Args:
        rows: rows of the batch, as in `play_games`.
        row: index of the row.
        seat: the seat, 0 or 1.
    """
    return rows[at.GAMES_SIZE * row + at.GAMES_SEAT_0 + seat]


@compiled(Words(Block, i64, Vector, i64))
def table_of(tables: Any, table_size: int, rows: Any, row: int) -> Any:
    """Return the card table of the variant that a row of a batch plays.

    Args:
        tables: card tables, one after the other, shape ``[V * table_size]``.
        table_size: number of words of one table.
        rows: rows of the batch, as in `play_games`.
        row: index of the row.
    """
    return words_at(tables, rows[at.GAMES_SIZE * row + at.GAMES_VARIANT] * table_size)


@compiled(none(Words, Words, Words, i64, i64))
def _prepare_player(state: Any, table: Any, decks: Any, seat: int, deck: int) -> None:
    """Fill a player's block of a cleared state: life, hero power, and the deck in listed order.

    Args:
        state: words of the game, cleared.
        table: card table of the game's variant.
        decks: words of the deck rows.
        seat: seat of the player.
        deck: index of the player's deck.
    """
    block = player(seat)
    start = deck * at.DECK_ROW_SIZE
    state[block + at.CARD] = decks[start + at.DECK_POWER]
    state[block + at.SLOT] = at.POWER_SLOT
    state[block + at.OWNER] = seat
    state[block + at.HEALTH] = state[block + at.MAX_HEALTH] = starting_life(table, seat)
    if state[block + at.CARD] != at.BLANK:
        state[block + at.COST] = table[
            at.CARDS + at.CARD_SIZE * state[block + at.CARD] + at.CARD_COST
        ]
    n_slots = decks[start]
    state[block + at.DECK] = n_slots
    for slot in range(n_slots):
        card = decks[start + 1 + slot]
        state[block + at.DECK + 1 + slot] = slot
        state[block + at.CARD_OF_SLOT + slot] = card
        if card != at.BLANK:
            state[block + at.N_CARDS_LEFT] += 1
            state[at.GENERAL] |= table[at.CARDS + at.CARD_SIZE * card + at.CARD_IS_GENERAL]
    for slot in range(n_slots, DECK_CAPACITY):
        state[block + at.CARD_OF_SLOT + slot] = at.BLANK


@compiled(none(Words, Words, Words, i64, i64))
def prepare(state: Any, table: Any, decks: Any, first_deck: int, second_deck: int) -> None:
    """Fill `state` with a game of two decks before any card is drawn or any stream seeded.

    Args:
        state: words of the game, overwritten.
        table: card table of the game's variant.
        decks: words of the deck rows.
        first_deck: index of seat 0's deck.
        second_deck: index of seat 1's deck.
    """
    for word in range(at.STATE_SIZE):
        state[word] = 0
    state[at.STATE_LENGTH] = at.STATE_SIZE
    state[at.RESULT] = at.RUNNING
    state[at.GENERAL] = table[at.ALL_GENERAL]
    allow_actions(state, table)
    state[at.N_FREE] = at.MAX_RECORDS
    state[at.USED_SIZE] = at.RECORDS
    for k in range(at.MAX_RECORDS):
        state[at.FREE + k] = at.RECORDS + at.RECORD_SIZE * (at.MAX_RECORDS - 1 - k)
    _prepare_player(state, table, decks, 0, first_deck)
    _prepare_player(state, table, decks, 1, second_deck)


@compiled(none(Words, Words))
def copy_game(source: Any, target: Any) -> None:
    """Copy a game without its statistics, which no rule reads, and without unused records.

    The copy's list of legal actions is empty.

    Args:
        source: words of the game.
        target: words of another or an earlier copied game, overwritten.
    """
    n_attached = max(source[at.N_ATTACHED], min(target[at.N_ATTACHED], at.MAX_ATTACHED))
    copy_words(source, target, source[at.USED_SIZE])
    # A loop is faster than a second memory copy, since few games have any attachment.
    for word in range(at.ATTACHED, at.ATTACHED + 2 * n_attached):
        target[word] = source[word]
    target[at.N_LISTED] = 0


@compiled(none(Block, i64), from_python=True)
def copy_repeatedly(states: npt.NDArray[np.int16], n_copies: int) -> None:
    """Copy one game onto another many times, for the benchmark of copying.

    Each copy differs from the previous copy, so that the compiler cannot optimise any copy away.

    Args:
        states: words of the two games, of which the second is overwritten, shape
            ``[2 * STATE_SIZE]``.
        n_copies: number of copies.
    """
    source = words_at(states, 0)
    target = words_at(states, at.STATE_SIZE)
    for k in range(n_copies):
        source[at.N_ACTIONS] = k & 1023
        copy_game(source, target)


@compiled(none(Words, Words))
def _copy(source: Any, target: Any) -> None:
    """Copy a prepared game that has used no record yet, and clear the statistics of the copy."""
    copy_words(source, target, at.RECORDS)
    for word in range(at.SEEN, at.GAME_SIZE):
        target[word] = 0


@compiled(none(Words, Words, Words, i64, i64, Vector, i64, Halt))
def _play_out(
    state: Any,
    table: Any,
    view: Any,
    first_agent: int,
    second_agent: int,
    chosen: Any,
    row: int,
    halt: Any,
) -> None:
    """Play a game to its end, or until another thread sets `halt`.

    Args:
        state: a dealt game.
        table: card table of the game's variant.
        view: words of the view that numbers the counted actions.
        first_agent: address of seat 0's agent.
        second_agent: address of seat 1's agent.
        chosen: counts of the actions taken, or empty.
        row: row of `chosen` to count in.
        halt: 1 once the batch is cancelled, else 0, shape ``[1]``.
    """
    while state[at.RESULT] == at.RUNNING and halt[0] == 0:
        agent = second_agent if state[at.ACTIVE] else first_agent
        action = call_policy(agent, state, table)
        count_action(state, table, view, action, chosen, row)
        act(state, table, action)


@compiled(none(Words, Vector, Vector, i64))
def _tally(state: Any, totals: Any, turns: Any, row: int) -> None:
    """Add a finished game that was not stopped to the aggregates of its row.

    Args:
        state: words of the finished game.
        totals: aggregates of all rows, added to.
        turns: number of games of each row by length in turns, added to.
        row: row of the aggregates to add to.
    """
    word = row * at.N_TOTALS
    totals[word + at.WINS_FIRST + state[at.RESULT]] += 1  # words of results 0, 1, DRAWN in a row
    totals[word + at.SUM_TURNS] += state[at.TURN]
    totals[word + at.SUM_ACTIONS] += state[at.N_ACTIONS]
    totals[word + at.SUM_LIFE_FIRST] += state[player(0) + at.HEALTH]
    totals[word + at.SUM_LIFE_SECOND] += state[player(1) + at.HEALTH]
    totals[word + at.FAULTS] |= state[at.FAULT]
    turns[row * at.TURN_BINS + state[at.TURN]] += 1


@compiled(none(Words, i64, Vector, i64), apart=True)
def _tally_fault(state: Any, game: int, totals: Any, row: int) -> None:
    """Record the fault of a stopped game in the aggregates of its row.

    The bits of all faults of the row are combined; the details are those of its game with the
    lowest number.

    Args:
        state: words of the stopped game.
        game: number of the game in the batch.
        totals: aggregates of all rows, updated.
        row: row of the aggregates to update.
    """
    word = row * at.N_TOTALS
    totals[word + at.FAULTS] |= state[at.FAULT]
    if totals[word + at.FAULT_GAME] == 0 or game + 1 < totals[word + at.FAULT_GAME]:
        totals[word + at.FAULT_ROW] = state[at.ROW_AT_WORK]
        totals[word + at.FAULT_CARD] = state[at.LAST_PLAYED]
        totals[word + at.FAULT_AT_TURN] = state[at.TURN]
        totals[word + at.FAULT_GAME] = game + 1


@compiled(none(Words, Words, i64, i64, Vector, i64))
def _tally_cards(
    state: Any, decks: Any, first_deck: int, second_deck: int, seen: Any, row: int
) -> None:
    """Count the game's result for each deck slot, by whether its card was drawn and played.

    Args:
        state: words of the finished game.
        decks: words of the deck rows.
        first_deck: index of seat 0's deck.
        second_deck: index of seat 1's deck.
        seen: counts to add to, see `play_games`.
        row: row of `seen` to count in.
    """
    for seat in range(N_SEATS):
        word = (
            ((row * N_SEATS + seat) * at.N_RESULTS + state[at.RESULT])
            * DECK_CAPACITY
            * at.N_SEEN_CODES
        )
        marks = at.SEEN + DECK_CAPACITY * seat
        n_slots = decks[(second_deck if seat else first_deck) * at.DECK_ROW_SIZE]
        for slot in range(n_slots):
            seen[word + at.N_SEEN_CODES * slot + state[marks + slot]] += 1


@compiled(none(Words, Words, Vector, i64, i64, i64, Vector, Vector, Vector, Winners))
def record(
    state: Any,
    decks: Any,
    rows: Any,
    row: int,
    first_row: int,
    game: int,
    totals: Any,
    turns: Any,
    seen: Any,
    winners: Any,
) -> None:
    """Add a finished or stopped game to the counts of its batch.

    Of a stopped game, only the result and the fault are recorded.

    Args:
        state: words of the finished or stopped game.
        decks: words of the deck rows.
        rows: rows of the batch, as in `play_games`.
        row: row of the batch that contains the game.
        first_row: row of the batch to which row 0 of the aggregates belongs.
        game: number of the game in the batch.
        totals: aggregates to add to, as in `play_games`.
        turns: numbers of games by length to add to, as in `play_games`.
        seen: numbers of games by result and use of deck slots to add to, as in `play_games`.
        winners: results of all games of the batch, or empty, as in `play_games`.
    """
    if winners.size:
        winners[game] = state[at.RESULT]
    if state[at.RESULT] == at.FAULTED:
        _tally_fault(state, game, totals, row - first_row)
        return
    _tally(state, totals, turns, row - first_row)
    if seen.size:
        first = player_of(rows, row, 0)
        second = player_of(rows, row, 1)
        _tally_cards(state, decks, first, second, seen, row - first_row)


@compiled(i64(Vector, Vector, i64, i64))
def game_index(rows: Any, ends: Any, row: int, game: int) -> int:
    """Return the index of a game in the stream of game seeds.

    Args:
        rows: rows of the batch, as in `play_games`.
        ends: cumulative number of games up to and including each row, shape ``[R]``.
        row: row of the batch that contains the game.
        game: number of the game, counted over all rows of the batch.
    """
    before = ends[row - 1] if row > 0 else 0
    return rows[at.GAMES_SIZE * row + at.GAMES_FIRST_INDEX] + game - before


@compiled(none(*BATCH, Block, i64, i64, *COUNTS), from_python=True)
def play_games(
    tables: npt.NDArray[np.int16],
    table_size: int,
    decks: npt.NDArray[np.int16],
    rows: npt.NDArray[np.int64],
    ends: npt.NDArray[np.int64],
    agents: npt.NDArray[np.int64],
    stream: int,
    view: npt.NDArray[np.int16],
    scratch: npt.NDArray[np.int16],
    start: int,
    stop: int,
    totals: npt.NDArray[np.int64],
    turns: npt.NDArray[np.int64],
    seen: npt.NDArray[np.int64],
    chosen: npt.NDArray[np.int64],
    winners: npt.NDArray[np.int8],
    halt: npt.NDArray[np.uint8],
) -> None:
    """Play the games from `start` to `stop` - 1 of a batch.

    If a game is stopped as a fault, the remaining games of its row are skipped.

    Args:
        tables: card tables, one after the other, shape ``[V * table_size]``.
        table_size: number of words of one table.
        decks: deck rows (`sim.play.batch.deck_row`), shape ``[D * DECK_ROW_SIZE]``.
        rows: variant, player of seat 0, player of seat 1 and first game index of each row, shape
            ``[R * GAMES_SIZE]``.
        ends: cumulative number of games up to and including each row, shape ``[R]``.
        agents: addresses of the agent that pilots each deck, in plain and in general games, shape
            ``[2 * D]``.
        stream: seed of the stream of game seeds.
        view: words of the view that numbers the counted actions (`sim.observation.view`), at least
            one word.
        scratch: space for the prepared state of a row and for the game, shape ``[2 * STATE_SIZE]``.
        start: first game, counted over all rows.
        stop: one past the last game.
        totals: aggregates to add to, where row 0 is that of `start`, shape
            ``[rows touched * N_TOTALS]``.
        turns: number of games by their length in turns, added to, shape
            ``[rows touched * TURN_BINS]``.
        seen: number of games by result and use of each deck slot, added to, or empty to skip this
            count, shape ``[rows touched * N_SEATS * N_RESULTS * DECK_CAPACITY * N_SEEN_CODES]``.
        chosen: number of actions by seat and number in the view, added to, or empty to skip this
            count, shape ``[rows touched * N_SEATS * n_actions]``.
        winners: result of each game, overwritten, or empty to skip this record, shape
            ``[games of the batch]``.
        halt: 1 once another thread has cancelled the batch, which stops the running game, else 0,
            shape ``[1]``.
    """
    deck_words = words_at(decks, 0)
    view_words = words_at(view, 0)
    fresh = words_at(scratch, 0)
    state = words_at(scratch, at.STATE_SIZE)
    first_row: Any = np.searchsorted(ends, start, side="right")
    row = first_row
    game = start
    while game < stop and halt[0] == 0:
        table = table_of(tables, table_size, rows, row)
        first = player_of(rows, row, 0)
        second = player_of(rows, row, 1)
        index = int(game_index(rows, ends, row, game))
        # Once per row, since copying a prepared state is faster than preparing it again.
        prepare(fresh, table, deck_words, first, second)
        pilots = agents[2 * first + fresh[at.GENERAL]], agents[2 * second + fresh[at.GENERAL]]
        row_stop = min(stop, ends[row])
        while game < row_stop and halt[0] == 0:
            _copy(fresh, state)
            deal(state, table, number(stream, index + 1))
            _play_out(state, table, view_words, pilots[0], pilots[1], chosen, row - first_row, halt)
            if state[at.RESULT] == at.RUNNING:
                return
            record(state, deck_words, rows, row, first_row, game, totals, turns, seen, winners)
            game += 1
            index += 1
            if state[at.RESULT] == at.FAULTED:
                game = row_stop  # the row is reported as a fault, so no other game of it counts
        row += 1
