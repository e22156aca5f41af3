"""Compiled stepping of many learners' games at once, used by `sim.environments.episodes`."""

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

Shares: Any = types.Array(types.float64, 1, "C")

# Codes for the agent that has to act in an environment, or for the reason why none has. They are
# negative, since the numbers from 0 are the positions of learned opponents.
(
    LEARNER,
    NOBODY,  # all games tried were over before an outside agent was to move
    FAULTY,  # a compiled opponent chose an illegal action
    STOPPED,  # the game was stopped as a fault of its cards, and stays unchanged
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
# Number of low bits of an episode's first random number that draw the variant. The line-up uses the
# other 53 bits, which a float64 represents exactly.
_VARIANT_BITS = 11
VARIANTS_MAX = 1 << _VARIANT_BITS
# Maximum number of games begun in search of a game in which an outside agent is to move. Chosen by
# hand: it only bounds the loop, since this happens in the first turns of nearly every game.
_TRIES = 100


@compiled(i64(Shares, u64, i64))
def draw_lineup(shares: Any, stream: int, episode: int) -> int:
    """Return the index of the line-up of an environment's episode, drawn according to the shares.

    Args:
        shares: cumulative probabilities of the L line-ups, shape ``[L]``.
        stream: seed of the environment's episodes.
        episode: number of the episode, from 0.
    """
    # Episode n uses two numbers of its stream: number 2n + 1 for line-up and variant, and number
    # 2n + 2 as the seed of its game.
    place = float(number(stream, 2 * episode + 1) >> _VARIANT_BITS) * 2.0**-53
    drawn: Any = np.searchsorted(shares, place, side="right")
    return min(int(drawn), len(shares) - 1)


@compiled(i64(i64, u64, i64), from_python=True)
def draw_variant(n_variants: int, stream: int, episode: int) -> int:
    """Return the index of the variant that an environment's episode plays, drawn at random.

    The probabilities of the variants are equal up to 1 / `VARIANTS_MAX`.

    Args:
        n_variants: number of variants, at most `VARIANTS_MAX`.
        stream: seed of the environment's episodes.
        episode: number of the episode, from 0.
    """
    return int(np.int64(number(stream, 2 * episode + 1) & (VARIANTS_MAX - 1)) % n_variants)


@compiled(Words(Block, u64, i64))
def _numbers_of(table: Any, stream: int, episode: int) -> Any:
    """Return the card table of the variant that an environment's episode plays.

    Args:
        table: card tables of all V variants, shape ``[V * size]``.
        stream: seed of the environment's episodes.
        episode: number of the episode, from 0.
    """
    size = int(table[at.TABLE_LENGTH])
    return words_at(table, size * draw_variant(len(table) // size, stream, episode))


@compiled(none(Words, Words, Words, Vector, i64, i64, Bytes))
def _play_on(
    state: Any, table: Any, view: Any, lineups: Any, lineup: int, skip_forced: int, mask: Any
) -> None:
    """Play compiled agents' moves until an outside agent is to move or the game is over.

    Args:
        state: words of a game.
        table: card table of the game's variant.
        view: words of the view that all outside agents use.
        lineups: all line-ups, shape ``[L * LINEUP_SIZE]``.
        lineup: offset of the game's line-up.
        skip_forced: whether an outside agent's only legal action is taken without a request.
        mask: legal actions of the outside agent that is to move, shape ``[n_actions]``,
            overwritten.
    """
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
    """Begin an environment's next episode and return the number of episodes begun so far.

    An episode that ends before an outside agent is to move is skipped, up to `_TRIES` episodes. If
    all of them end that early, the last game stays in the state, finished.

    Args:
        state: words of the game, overwritten.
        table: card tables of all V variants, shape ``[V * size]``.
        view: words of the view that all outside agents use.
        decks: deck rows.
        lineups: all line-ups, shape ``[L * LINEUP_SIZE]``.
        shares: cumulative probabilities of the line-ups, shape ``[L]``.
        stream: seed of the environment's episodes.
        n_begun: number of episodes begun before.
        skip_forced: whether an outside agent's only legal action is taken without a request.
        mask: legal actions of the outside agent that is to move, shape ``[n_actions]``,
            overwritten.
    """
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

    A draw between two living players means that the turn cap ended the game.
    """
    both_live = state[player(0) + at.HEALTH] > 0 and state[player(1) + at.HEALTH] > 0
    return TRUNCATED if state[at.RESULT] == at.DRAWN and both_live else TERMINATED


@compiled(types.float32(Words, i64))
def _reward(state: Any, learner: int) -> float:
    """Return the learner's reward for a finished game: 1 for a win, 0 for a draw, -1 for a loss.

    Args:
        state: words of the finished game.
        learner: seat of the learner.
    """
    if state[at.RESULT] == at.DRAWN:
        return 0.0
    return 1.0 if state[at.RESULT] == learner else -1.0


@compiled(i64(Words, i64, Vector, i64))
def _next_to_act(state: Any, fault: int, lineups: Any, lineup: int) -> int:
    """Return which agent has to act in an environment, or the reason why none has.

    Args:
        state: words of the current game.
        fault: FAULT_* bits of the previous game, if that game ended in this step; else 0.
        lineups: all line-ups, shape ``[L * LINEUP_SIZE]``.
        lineup: offset of the current game's line-up.

    Returns:
        `STOPPED`, `FAULTY`, `NOBODY`, `LEARNER`, or the position of a learned opponent, from 0.
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
        *(Block, Block, Vector, Shares, Block),  # parameters from `table` to `view`
        *(Vector, i64, Block, Vector, Vector),  # parameters from `streams` to `playing`
        *(Vector, ByteBlock),  # parameters `actions` and `moving`
        *(FloatBlock, ByteBlock, FloatBlock, FloatBlock, ByteBlock, Vector),  # `observations` on
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
    """Carry out one action in each moving game and play on until an outside agent is to move again.

    A game that ends is followed at once by the next episode of its environment. If no game is
    running in an environment yet, its action is ignored and its next episode begins. A game that is
    stopped as a fault keeps its state, and no next episode begins.

    Args:
        table: card tables of the variants, at most `VARIANTS_MAX`, shape ``[V * size]``.
        decks: deck rows, shape ``[D * DECK_ROW_SIZE]``.
        lineups: line-ups that an episode may have, shape ``[L * LINEUP_SIZE]``.
        shares: cumulative probabilities of the line-ups, shape ``[L]``.
        view: words of the view that all outside agents use (`sim.observation.view`).
        streams: seed of each environment's episodes, shape ``[N]``.
        skip_forced: whether an outside agent's only legal action is taken without a request.
        states: states of the games, updated, shape ``[N * STATE_SIZE]``.
        begun: number of episodes begun in each environment, updated, shape ``[N]``.
        playing: index of the line-up being played, updated, shape ``[N]``.
        actions: action of the agent to move in each game, as a number of the view, shape ``[N]``.
        moving: 1 for games that take their action, 0 for games that stay unchanged, shape ``[N]``.
        observations: observation of the agent to move, overwritten, shape ``[N * n_values]``.
        masks: legal actions of the agent to move, overwritten, shape ``[N * n_actions]``.
        last_observations: learner's observation of a game that ended, overwritten, shape
            ``[N * n_values]``.
        rewards: the learner's reward in this step, overwritten, shape ``[N]``.
        ended: 0, `TERMINATED` or `TRUNCATED` for each game, overwritten, shape ``[N]``.
        asked: `LEARNER`, the position of a learned opponent, `NOBODY`, `FAULTY` or `STOPPED`,
            overwritten for moving games, shape ``[N]``.

    Returns:
        Number of illegal actions of outside agents, each of which ended its player's turn instead.
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
                # `see` observes for the active seat, but the opponent may have moved last.
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
