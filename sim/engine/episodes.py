"""Stepping the games of many learners at once: the compiled part of `sim.environments.episodes`."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types

from sim.engine import layout as at
from sim.engine.addresses import bytes_at, floats_at, words_at
from sim.engine.compiled import (
    Block,
    ByteBlock,
    Bytes,
    FloatBlock,
    Vector,
    Words,
    compiled,
    i64,
    none,
    u64,
)
from sim.engine.kernel import prepare
from sim.engine.rules import act, deal
from sim.engine.streams import number
from sim.engine.viewing import play_until_asked, see, to_engine
from sim.engine.zones import player

Shares = types.Array(types.float64, 1, "C")

# Who has to act in an environment; a learned opponent is named by its position, from 0.
(
    LEARNER,
    NOBODY,  # all games tried were over before an agent outside was asked
    FAULTY,  # a compiled opponent chose an illegal action
    STOPPED,  # a card's texts have stopped the game, which stays as it is
    *_,
) = at.numbered(-1, each=-1)

# Words of a line-up: the decks, agents and seats of one episode.
(
    FIRST_DECK,  # deck of seat 0
    SECOND_DECK,
    FIRST_AGENT,  # address of seat 0's agent, or ASK
    SECOND_AGENT,
    SEAT,  # seat of the learner
    OPPONENT,  # position of the learned opponent
    LINEUP_SIZE,
    *_,
) = at.numbered()

TERMINATED = 1
TRUNCATED = 2
# Low bits of an episode's first random number: 64 less the 53 that its line-up uses, which are as
# many as a float64 holds.
_VARIANT_BITS = 11
VARIANTS_MAX = 1 << _VARIANT_BITS
# Games begun in search of one that lasts until an agent outside is asked. Chosen by hand: it only
# bounds the loop, since nearly every game asks in its first turns.
_TRIES = 100


@compiled(i64(Shares, u64, i64))
def draw_lineup(shares: Any, stream: int, episode: int) -> int:
    """Return the line-up of an environment's n-th episode, drawn in proportion to the shares.

    Args:
        shares: ``[L]`` cumulative probabilities of the line-ups.
        stream: seed of the environment's episodes.
        episode: number of the episode, from 0.
    """
    place = float(number(stream, 2 * episode + 1) >> _VARIANT_BITS) * 2.0**-53
    drawn: Any = np.searchsorted(shares, place, side="right")
    return min(int(drawn), len(shares) - 1)


@compiled(i64(i64, u64, i64), from_python=True)
def draw_variant(n_variants: int, stream: int, episode: int) -> int:
    """Return the variant of an environment's n-th episode, each about equally likely.

    Args:
        n_variants: number of variants, at most `VARIANTS_MAX`.
        stream: seed of the environment's episodes.
        episode: number of the episode, from 0.
    """
    return int(np.int64(number(stream, 2 * episode + 1) & (VARIANTS_MAX - 1)) % n_variants)


@compiled(Words(Block, u64, i64))
def _numbers_of(table: Any, stream: int, episode: int) -> Any:
    """Return the card table of the variant that an environment's n-th episode plays."""
    size = int(table[at.TABLE_LENGTH])
    return words_at(table, size * draw_variant(len(table) // size, stream, episode))


@compiled(none(Words, Words, Words, Vector, i64, i64, Bytes))
def _play_on(
    state: Any, table: Any, view: Any, lineups: Any, lineup: int, skip_forced: int, mask: Any
) -> None:
    """Let compiled agents move until an agent outside is asked or the game is over."""
    first = lineups[lineup + FIRST_AGENT]
    second = lineups[lineup + SECOND_AGENT]
    play_until_asked(
        state, table, view, view, view, first, second, skip_forced, mask, lineups[:0], 0
    )


@compiled(i64(Words, Block, Words, Words, Vector, Shares, u64, i64, i64, Bytes))
def _begin_next(
    state: Any,
    table: Any,
    view: Any,
    decks: Any,
    lineups: Any,
    shares: Any,
    stream: int,
    n_begun: int,
    skip_forced: int,
    mask: Any,
) -> int:
    """Begin an environment's next episode that asks an agent; returns how many have begun."""
    for episode in range(n_begun, n_begun + _TRIES):
        lineup = LINEUP_SIZE * draw_lineup(shares, stream, episode)
        numbers = _numbers_of(table, stream, episode)
        prepare(state, numbers, decks, lineups[lineup + FIRST_DECK], lineups[lineup + SECOND_DECK])
        deal(state, numbers, number(stream, 2 * episode + 2))
        _play_on(state, numbers, view, lineups, lineup, skip_forced, mask)
        if state[at.RESULT] in (at.RUNNING, at.FAULTED):
            return episode + 1
    return n_begun + _TRIES


@compiled(i64(Words))
def _kind_of_end(state: Any) -> int:
    """Return `TRUNCATED` if the turn cap ended the game, else `TERMINATED`.

    Only the turn cap makes a draw between two living players.
    """
    both_live = state[player(0) + at.HEALTH] > 0 and state[player(1) + at.HEALTH] > 0
    return TRUNCATED if state[at.RESULT] == at.DRAWN and both_live else TERMINATED


@compiled(types.float32(Words, i64))
def _reward(state: Any, learner: int) -> float:
    """Return the learner's reward for a finished game: 1 for a win, 0 for a draw, -1 for a loss."""
    if state[at.RESULT] == at.DRAWN:
        return 0.0
    return 1.0 if state[at.RESULT] == learner else -1.0


@compiled(i64(Words, i64, Vector, i64))
def _next_to_act(state: Any, fault: int, lineups: Any, lineup: int) -> int:
    """Return who has to act in an environment, or why no one has.

    Args:
        state: the game that is running now.
        fault: FAULT_* bits of the game before, if one ended in this step.
        lineups: ``[L * LINEUP_SIZE]`` the line-ups.
        lineup: offset of the line-up being played.
    """
    if state[at.RESULT] == at.FAULTED:
        return STOPPED
    if (fault | state[at.FAULT]) != 0:
        return FAULTY
    if state[at.RESULT] != at.RUNNING:
        return NOBODY
    return LEARNER if state[at.ACTIVE] == lineups[lineup + SEAT] else lineups[lineup + OPPONENT]


@compiled(
    i64(
        *(Block, Block, Vector, Shares, Block),  # variants, decks, line-ups, view
        *(Vector, i64, Block, Vector, Vector),  # the games
        *(Vector, ByteBlock),  # actions
        *(FloatBlock, ByteBlock, FloatBlock, FloatBlock, ByteBlock, Vector),  # results
    ),
    from_python=True,
)
def step_episodes(
    table: npt.NDArray[np.int16],
    decks: npt.NDArray[np.int16],
    lineups: npt.NDArray[np.int64],
    shares: npt.NDArray[np.float64],
    view: npt.NDArray[np.int16],
    streams: npt.NDArray[np.int64],
    skip_forced: int,
    states: npt.NDArray[np.int16],
    begun: npt.NDArray[np.int64],
    playing: npt.NDArray[np.int64],
    actions: npt.NDArray[np.int64],
    moving: npt.NDArray[np.uint8],
    observations: npt.NDArray[np.float32],
    masks: npt.NDArray[np.uint8],
    last_observations: npt.NDArray[np.float32],
    rewards: npt.NDArray[np.float32],
    ended: npt.NDArray[np.uint8],
    asked: npt.NDArray[np.int64],
) -> int:
    """Carry out one action in each moving game and play on until an agent outside is asked again.

    A game that ends is followed at once by the next episode of its environment. Where no game is
    running yet the action is ignored and the next episode begins.

    Args:
        table: ``[V * size]`` card tables of the variants, at most `VARIANTS_MAX` variants.
        decks: ``[D * DECK_ROW_SIZE]`` deck rows.
        lineups: ``[L * LINEUP_SIZE]`` line-ups that an episode may have.
        shares: ``[L]`` cumulative probabilities of the line-ups.
        view: words of the view by which the learner sees the games (`sim.observation.view`).
        streams: ``[N]`` seed of each environment's episodes.
        skip_forced: whether the only legal action is taken without asking.
        states: ``[N * STATE_SIZE]`` the games.
        begun: ``[N]`` number of episodes begun in each environment.
        playing: ``[N]`` line-up being played.
        actions: ``[N]`` action of each asked player, as a number of the view.
        moving: ``[N]`` whether the game moves; the others stay as they are.
        observations: ``[N * n_values]`` observation of the player asked, overwritten.
        masks: ``[N * n_actions]`` legal actions of the player asked, overwritten.
        last_observations: ``[N * n_values]`` the learner's observation of a game that ended.
        rewards: ``[N]`` the learner's reward in this step.
        ended: ``[N]`` 0, `TERMINATED` or `TRUNCATED`.
        asked: ``[N]`` `LEARNER`, the position of a learned opponent, `NOBODY`, `FAULTY` or
            `STOPPED`.

    Returns:
        The number of illegal actions; each ended its player's turn instead.
    """
    n_illegal = 0
    deck_words = words_at(decks, 0)
    seen_by = words_at(view, 0)
    n_values = view[at.VIEW_N_VALUES]
    n_actions = view[at.VIEW_N_ACTIONS]
    for e in range(len(asked)):
        rewards[e] = 0.0
        ended[e] = 0
        if not moving[e]:
            continue
        state = words_at(states, e * at.STATE_SIZE)
        mask = bytes_at(masks, e * n_actions)
        fault = 0
        lineup = LINEUP_SIZE * playing[e]
        stream = int(streams[e])
        numbers = _numbers_of(table, stream, int(begun[e]) - 1)
        if state[at.RESULT] == at.RUNNING:
            act(state, numbers, to_engine(numbers, seen_by, actions[e]))
            n_illegal += state[at.FAULT] & at.FAULT_ILLEGAL
            state[at.FAULT] &= ~at.FAULT_ILLEGAL
            _play_on(state, numbers, seen_by, lineups, lineup, skip_forced, mask)
            if state[at.RESULT] == at.FAULTED:
                asked[e] = STOPPED
                continue
            fault = state[at.FAULT]
            if state[at.RESULT] != at.RUNNING:
                ended[e] = _kind_of_end(state)
                rewards[e] = _reward(state, lineups[lineup + SEAT])
                # The last observation is the learner's, although the opponent may have moved last.
                state[at.ACTIVE] = lineups[lineup + SEAT]
                see(state, numbers, seen_by, floats_at(last_observations, e * n_values))
        if state[at.RESULT] != at.RUNNING:
            begun[e] = _begin_next(
                state,
                table,
                seen_by,
                deck_words,
                lineups,
                shares,
                stream,
                begun[e],
                skip_forced,
                mask,
            )
            playing[e] = draw_lineup(shares, stream, int(begun[e]) - 1)
            lineup = LINEUP_SIZE * playing[e]
            numbers = _numbers_of(table, stream, int(begun[e]) - 1)
        asked[e] = _next_to_act(state, fault, lineups, lineup)
        if asked[e] >= LEARNER:
            see(state, numbers, seen_by, floats_at(observations, e * n_values))
    return n_illegal
