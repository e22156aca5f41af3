"""Recorded games: position rows at the start of each turn, and the results of the games."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from agents.reading.position import N_CARDS, ROW_SIZE, ZONE_STRIDE, gather
from sim.engine import layout as at
from sim.engine.addresses import call_policy, words_at
from sim.engine.compiled import Block, Vector, Words, compiled, i64, u64
from sim.engine.kernel import copy_game, prepare
from sim.engine.layout import numbered
from sim.engine.listing import list_actions, listed
from sim.engine.rules import act, deal
from sim.engine.streams import number, pick

# --- numbers of a recorded position ---
(
    GAME,  # number of the game
    SEAT,  # seat that is to move
    RESULT,  # result of the game: the seat that won, or `DRAWN`
    ABOUT_SIZE,
    *_,
) = numbered()
Words16 = npt.NDArray[np.int16]
PER_MILLE = 1_000  # unit of probabilities
OFTEN = 500  # probability of a random action in a wild turn, per mille
SELDOM = 30  # probability of a random action in all other turns, per mille
TURNS_MAX = 120  # turns of a game that are recorded; a longer game is cut to these


class Recorded(NamedTuple):
    """Recorded positions of games with one variant of a card table.

    Attributes:
        words: words of the card table, shape ``[size]``.
        rows: position rows, shape ``[n, ROW_SIZE]``.
        about: game, seat and result of each position, shape ``[n, ABOUT_SIZE]``.
    """

    words: Words16
    rows: Words16
    about: npt.NDArray[np.int64]

    def of_fold(self, fold: int) -> Recorded:
        """Return the positions of the games with even (0) or odd (1) numbers."""
        is_kept = self.about[:, GAME] % 2 == fold
        return Recorded(self.words, self.rows[is_kept], self.about[is_kept])

    def without_zones(self, zones: Collection[int]) -> Recorded:
        """Return the positions without the listed cards of given zones."""
        if not zones:
            return self
        rows = self.rows.copy()
        for row in rows:
            listed = row[N_CARDS + 1 :][: row[N_CARDS]]
            kept = listed[~np.isin(listed // ZONE_STRIDE, list(zones))]
            row[N_CARDS] = len(kept)
            row[N_CARDS + 1 :][: len(kept)] = kept
        return self._replace(rows=rows)


@compiled(i64(Words, Words, Words, i64, u64, i64), apart=True)
def _action(state: Any, table: Any, other: Any, agent: int, stream: int, chance: int) -> int:
    """Return the action of an agent, or with a given probability a random legal action.

    Args:
        state: state of the game.
        table: card table of the game's variant.
        other: scratch memory for a copy of the game.
        agent: address of the agent.
        stream: seed of the random numbers of this decision.
        chance: probability of a random action, per mille.
    """
    if pick(stream, 1, PER_MILLE) >= chance:
        return call_policy(agent, state, table)
    copy_game(state, other)
    n_listed = list_actions(other, table)
    return listed(other, pick(stream, 2, n_listed))


@compiled(i64(Words, Words, Words, Block, Vector, i64, u64, i64, i64))
def _record_game(
    state: Any,
    table: Any,
    other: Any,
    rows: Any,
    about: Any,
    n_rows: int,
    stream: int,
    wild: int,
    agent: int,
) -> int:
    """Play a dealt game, and return the number of rows after its positions were recorded.

    Args:
        state: state of the game, changed in place.
        table: card table of the game's variant.
        other: scratch memory for a copy of the game.
        rows: position rows, added to.
        about: numbers of the positions, added to.
        n_rows: number of rows before the game.
        stream: seed of the random actions.
        wild: probability of a wild turn, per mille.
        agent: address of the agent of both seats.
    """
    turn = -1
    chance = SELDOM
    n_decisions = 0
    first_row = n_rows
    while state[at.RESULT] == at.RUNNING:
        if state[at.PHASE] == at.MAIN_PHASE and state[at.TURN] != turn:
            turn = state[at.TURN]
            chance = OFTEN if pick(stream, 2 * turn + 2, PER_MILLE) < wild else SELDOM
            if n_rows - first_row < TURNS_MAX:
                gather(state, table, state[at.ACTIVE], words_at(rows, ROW_SIZE * n_rows))
                about[ABOUT_SIZE * n_rows + SEAT] = state[at.ACTIVE]
                n_rows += 1
        n_decisions += 1
        act(
            state,
            table,
            _action(state, table, other, agent, number(stream, 2 * n_decisions + 1), chance),
        )
    return n_rows


@compiled(
    i64(Block, Block, Vector, i64, u64, i64, i64, i64, Block, Block, Vector), from_python=True
)
def record_games(
    table: Any,
    decks: Any,
    pairs: Any,
    agent: int,
    stream: int,
    wild: int,
    start: int,
    stop: int,
    scratch: Any,
    rows: Any,
    about: Any,
) -> int:
    """Play games between decks in the hands of one agent, and record the start of each turn.

    Args:
        table: card table of one variant.
        decks: words of the deck rows.
        pairs: decks of both seats in each game, shape ``[2 * n_games]``.
        agent: address of the agent of both seats.
        stream: seed of the games.
        wild: probability, per mille, of a turn in which half of the actions are random.
        start: number of the first game.
        stop: number behind the last game.
        scratch: scratch memory, shape ``[2 * STATE_SIZE]``.
        rows: output, position rows, shape ``[(stop - start) * TURNS_MAX * ROW_SIZE]``.
        about: output, numbers of each position, shape ``[n_rows * ABOUT_SIZE]``.

    Returns:
        Number of recorded positions.
    """
    state = words_at(scratch, 0)
    other = words_at(scratch, at.STATE_SIZE)
    numbers = words_at(table, 0)
    n_rows = 0
    for game in range(start, stop):
        prepare(state, numbers, words_at(decks, 0), pairs[2 * game], pairs[2 * game + 1])
        deal(state, numbers, number(stream, 2 * game + 1))
        first = n_rows
        n_rows = _record_game(
            state, numbers, other, rows, about, n_rows, number(stream, 2 * game + 2), wild, agent
        )
        for k in range(first, n_rows):
            about[ABOUT_SIZE * k + GAME] = game
            about[ABOUT_SIZE * k + RESULT] = state[at.RESULT]
    return n_rows
