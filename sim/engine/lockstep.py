"""Parallel play of a batch's games, so that learned agents can choose actions for many at once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sim.engine import layout as at
from sim.engine.addresses import bytes_at, floats_at, words_at
from sim.engine.compiled import (
    Block,
    ByteBlock,
    FloatBlock,
    Vector,
    compiled,
    i64,
)
from sim.engine.kernel import BATCH, COUNTS, game_index, player_of, prepare, record, table_of
from sim.engine.rules import act, deal
from sim.engine.streams import number
from sim.engine.viewing import count_action, play_until_asked, see, to_engine

NOBODY = -1  # in place of the number of a player or a game, where no game is left to play
SKIP_FORCED = 1  # the only legal action is taken without a request to the agent


@compiled(
    i64(
        *BATCH,
        *(Block, Vector, i64, i64),  # parameters from `views` to `n_actions`
        *(Block, Vector, Vector, i64, i64, i64),  # parameters from `states` to `first_row`
        *(Vector, FloatBlock, ByteBlock, Vector),  # parameters from `actions` to `asked`
        *COUNTS,
    ),
    from_python=True,
)
def tick(
    tables: npt.NDArray[np.int16],
    table_size: int,
    decks: npt.NDArray[np.int16],
    rows: npt.NDArray[np.int64],
    ends: npt.NDArray[np.int64],
    agents: npt.NDArray[np.int64],
    stream: int,
    counting_view: npt.NDArray[np.int16],
    views: npt.NDArray[np.int16],
    views_at: npt.NDArray[np.int64],
    n_values: int,
    n_actions: int,
    states: npt.NDArray[np.int16],
    games: npt.NDArray[np.int64],
    rows_of_games: npt.NDArray[np.int64],
    next_game: int,
    stop: int,
    first_row: int,
    actions: npt.NDArray[np.int64],
    observations: npt.NDArray[np.float32],
    masks: npt.NDArray[np.uint8],
    asked: npt.NDArray[np.int64],
    totals: npt.NDArray[np.int64],
    turns: npt.NDArray[np.int64],
    seen: npt.NDArray[np.int64],
    chosen: npt.NDArray[np.int64],
    winners: npt.NDArray[np.int8],
    halt: npt.NDArray[np.uint8],
) -> int:
    """Carry out outside agents' actions and play on in all places until outside agents are to move.

    Each of ``B`` places holds one game at a time. A finished game is added to the counts, and the
    next game of the batch begins in its place, until none is left. If `halt` is set, the remaining
    places stay unchanged. `sim.engine.kernel.play_games` describes the counts and their shapes.

    Args:
        tables: card tables, one after the other, shape ``[V * table_size]``.
        table_size: number of words of one table.
        decks: deck rows (`sim.play.batch.deck_row`), shape ``[D * DECK_ROW_SIZE]``.
        rows: variant, player of seat 0, player of seat 1 and first game index of each row, shape
            ``[R * GAMES_SIZE]``.
        ends: cumulative number of games up to and including each row, shape ``[R]``.
        agents: addresses of each player's agent in plain and in general games,
            `sim.engine.layout.ASK` for learned agents, shape ``[2 * D]``.
        stream: seed of the stream of game seeds.
        counting_view: words of the view that numbers the counted actions (`sim.observation.view`).
        views: words of the views of learned agents, one view after the other.
        views_at: offset in `views` of the view of each player's agent, any value for a compiled
            agent, shape ``[D]``.
        n_values: largest number of observed values of any view.
        n_actions: largest number of actions of any view.
        states: states of the games being played, updated, shape ``[B * STATE_SIZE]``.
        games: number in the batch of the game in each place, updated, `NOBODY` before the first
            game and after the last, shape ``[B]``.
        rows_of_games: row of the batch of each game, updated, shape ``[B]``.
        next_game: number of the first game that has not begun.
        stop: one past the number of the last game to play.
        first_row: row of the batch to which row 0 of the counts belongs.
        actions: chosen action in each place where an outside agent was to move, shape ``[B]``.
        observations: observation of the player to move, overwritten, shape ``[B * n_values]``.
        masks: legal actions of the player to move, overwritten, shape ``[B * n_actions]``.
        asked: player to move in each place, updated, `NOBODY` if no game is left, shape ``[B]``.
        totals: aggregates of each row, added to.
        turns: number of games of each row by length in turns, added to.
        seen: number of games by result and use of each deck slot, added to, or empty.
        chosen: number of actions by seat and number in the view, added to, or empty.
        winners: result of each game of the batch, overwritten, or empty.
        halt: 1 once another thread has cancelled the batch, else 0, shape ``[1]``.

    Returns:
        Updated number of the first game that has not begun.
    """
    deck_words = words_at(decks, 0)
    counted_by = words_at(counting_view, 0)
    for place in range(len(asked)):
        if halt[0] != 0:
            break
        state = words_at(states, place * at.STATE_SIZE)
        mask = bytes_at(masks, place * n_actions)
        row = rows_of_games[place]
        table = table_of(tables, table_size, rows, row)
        if asked[place] != NOBODY:
            action = to_engine(table, words_at(views, views_at[asked[place]]), actions[place])
            count_action(state, table, counted_by, action, chosen, row - first_row)
            act(state, table, action)
        asked[place] = NOBODY
        while True:
            first = player_of(rows, row, 0)
            second = player_of(rows, row, 1)
            play_until_asked(
                state,
                table,
                words_at(views, views_at[first]),
                words_at(views, views_at[second]),
                counted_by,
                agents[2 * first + state[at.GENERAL]],
                agents[2 * second + state[at.GENERAL]],
                SKIP_FORCED,
                mask,
                chosen,
                row - first_row,
            )
            if state[at.RESULT] == at.RUNNING:
                asked[place] = player_of(rows, row, state[at.ACTIVE])
                seen_by = words_at(views, views_at[asked[place]])
                see(state, table, seen_by, floats_at(observations, place * n_values))
                break
            if games[place] != NOBODY:
                game = games[place]
                record(state, deck_words, rows, row, first_row, game, totals, turns, seen, winners)
            if next_game == stop:
                games[place] = NOBODY
                break
            while ends[row] <= next_game:  # games begin in order, so few rows are passed
                row += 1
            games[place] = next_game
            rows_of_games[place] = row
            table = table_of(tables, table_size, rows, row)
            prepare(state, table, deck_words, player_of(rows, row, 0), player_of(rows, row, 1))
            deal(state, table, number(stream, int(game_index(rows, ends, row, next_game)) + 1))
            next_game += 1
    return next_game
