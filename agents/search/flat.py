"""Flat Monte-Carlo search, which tries all legal actions in the same imagined games."""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.explanation import Compared, Explainer, Explanation
from agents.search.worlds import deal_hidden, decision_stream, forget_hidden
from sim.engine import layout as at
from sim.engine.addresses import call_policy, words_at
from sim.engine.compiled import (
    Block,
    Words,
    compiled,
    i64,
    none,
)
from sim.engine.kernel import copy_game
from sim.engine.listing import list_actions, listed
from sim.engine.rules import act
from sim.engine.stepping import Words16, legal_actions
from sim.engine.streams import number

WIN = 2  # points of a won game; 2 instead of 1, so that points of draws are whole numbers
DRAW = 1  # points of a drawn game, half of a win as in all win rates
DROPPED = -1  # replaces the points of a dropped action; lower than all points
FIRST_HALVING = 4  # minimum number of worlds before actions are dropped; chosen by hand, not tuned
WORLDS_MAX = 10_000  # an action gets at most 2 points per world, which must fit a 16-bit word

# --- layout of the scratch memory: three games, and the points of each action ---
FORGETFUL = 0  # offset of the game without hidden information; its work area lists the actions
WORLD = at.STATE_SIZE  # offset of one imagined game, from which all actions start
GAME = 2 * at.STATE_SIZE  # offset of the copy in which an action is played to the game's end
POINTS = 3 * at.STATE_SIZE  # offset of the points by action
N_PLAYED = POINTS + at.MAX_LISTED  # offset of the number of worlds in which actions were tried
SCRATCH_SIZE = N_PLAYED + 1  # number of words in total


@compiled(none(Words, Words, i64, i64, i64))
def _play_out(state: Any, table: Any, action: int, first_agent: int, second_agent: int) -> None:
    """Take an action, and let two agents play the game to its end.

    Args:
        state: state of the game, which is changed in place.
        table: numbers of the cards and rules.
        action: action of the seat to move.
        first_agent: address of the agent of seat 0.
        second_agent: address of the agent of seat 1.
    """
    while True:
        act(state, table, action)
        if state[at.RESULT] != at.RUNNING:
            return
        action = call_policy(second_agent if state[at.ACTIVE] else first_agent, state, table)


@compiled(i64(Words, i64))
def _points(state: Any, seat: int) -> int:
    """Return the points of a seat in a finished game: `WIN`, `DRAW`, or 0 for a loss."""
    if state[at.RESULT] == seat:
        return WIN
    return DRAW if state[at.RESULT] == at.DRAWN else 0


@compiled(i64(Words, Words, i64, i64))
def _best_by_points(actions: Any, points: Any, n_actions: int, favourite: int) -> int:
    """Return the action with the most points; of equal actions `favourite`, or else the first.

    Args:
        actions: state in which the actions are listed.
        points: points of the listed actions, at least `n_actions` of them.
        n_actions: number of listed actions.
        favourite: action that is preferred in case of a tie.
    """
    best = 0
    for k in range(1, n_actions):
        is_tie = points[k] == points[best] and listed(actions, k) == favourite
        if points[k] > points[best] or is_tie:
            best = k
    return listed(actions, best)


@compiled(i64(Words, Words, i64, i64))
def _drop_half(actions: Any, points: Any, n_actions: int, favourite: int) -> int:
    """Drop the half of the remaining actions with the fewest points, rounded down.

    The points of dropped actions become `DROPPED`. Of equal actions those listed later are dropped
    first, and `favourite` last.

    Args:
        actions: state in which the actions are listed.
        points: points of the listed actions, changed in place.
        n_actions: number of listed actions, including those dropped before.
        favourite: action that is preferred in case of a tie.

    Returns:
        Number of actions that remain.
    """
    n_left = 0
    for k in range(n_actions):
        n_left += points[k] != DROPPED
    for _ in range(n_left // 2):
        worst = -1
        for k in range(n_actions):
            if points[k] == DROPPED or (worst >= 0 and points[k] > points[worst]):
                continue
            is_tie = worst >= 0 and points[k] == points[worst]
            if not (is_tie and listed(actions, k) == favourite):
                worst = k
        points[worst] = DROPPED
    return n_left - n_left // 2


@compiled(i64(Words, Words, Block, i64, i64, i64, i64))
def search_flat(
    state: Any,
    table: Any,
    scratch: Any,
    n_worlds: int,
    own_agent: int,
    enemy_agent: int,
    halves_after: int,
) -> int:
    """Return the legal action with the most points over the imagined worlds.

    Of equal actions the action that `own_agent` would choose is returned, or else the first. After
    `halves_after` worlds, and whenever the number of worlds has doubled since, the worse half of
    the remaining actions is dropped; the search ends early if one action remains.

    Args:
        state: state of the game; only information visible to the seat to move is used.
        table: numbers of the cards and rules.
        scratch: scratch memory, shape ``[SCRATCH_SIZE]``; at the end it contains the points and the
            number of worlds, unless only one action was legal.
        n_worlds: number of imagined worlds, at most `WORLDS_MAX`.
        own_agent: address of the agent that plays for the seat to move after the tried action.
        enemy_agent: address of the agent that plays for the other seat.
        halves_after: number of worlds after which actions are first dropped; with `n_worlds`, no
            action is dropped.
    """
    forgetful = words_at(scratch, FORGETFUL)
    world = words_at(scratch, WORLD)
    game = words_at(scratch, GAME)
    points = words_at(scratch, POINTS)
    n_played = words_at(scratch, N_PLAYED)
    seat = state[at.ACTIVE]
    copy_game(state, forgetful)
    n_actions = list_actions(forgetful, table)
    if n_actions == 1:
        return listed(forgetful, 0)
    # The agent gets the actual game. This is fair, since agents use no hidden information
    # (`agents.conformance`).
    copy_game(state, game)
    favourite = call_policy(own_agent, game, table)
    first_agent = enemy_agent if seat else own_agent
    second_agent = own_agent if seat else enemy_agent
    stream = decision_stream(state, seat)
    for k in range(n_actions):
        points[k] = 0
    forget_hidden(forgetful, table)
    for index in range(n_worlds):
        copy_game(forgetful, world)
        deal_hidden(world, table, number(stream, index + 1))
        if index == halves_after:
            halves_after *= 2
            if _drop_half(forgetful, points, n_actions, favourite) == 1:
                break
        for k in range(n_actions):  # all actions in the same world, so that chance favours none
            if points[k] == DROPPED:
                continue
            copy_game(world, game)
            _play_out(game, table, listed(forgetful, k), first_agent, second_agent)
            points[k] += _points(game, seat)
        n_played[0] = index + 1
    return _best_by_points(forgetful, points, n_actions, favourite)


def best_action(state: Any, table: Any, n_worlds: int, own_agent: int, enemy_agent: int) -> int:
    """Return the legal action with the most points, with all actions tried in all worlds.

    Of equal actions the action that `own_agent` would choose is returned, or else the first. So a
    seat that wins or loses with every action plays like `own_agent`.

    Args:
        state: state of the game; only information visible to the seat to move is used.
        table: numbers of the cards and rules.
        n_worlds: number of imagined worlds, at most `WORLDS_MAX`.
        own_agent: address of the agent that plays for the seat to move after the tried action.
        enemy_agent: address of the agent that plays for the other seat.
    """
    # Allocated per decision, since several threads may play games through the same agent. The
    # allocation takes less than 0.1 us, a world several us.
    scratch = np.empty(SCRATCH_SIZE, np.int16)
    return search_flat(state, table, scratch, n_worlds, own_agent, enemy_agent, n_worlds)


@compiled(i64(i64), from_python=True)
def first_halving(n_worlds: int) -> int:
    """Return the number of worlds after which actions are first dropped.

    The number is a quarter of all worlds, rounded down, but at least `FIRST_HALVING`.
    """
    return max(n_worlds // 4, FIRST_HALVING)


def best_by_halving(state: Any, table: Any, n_worlds: int, own_agent: int, enemy_agent: int) -> int:
    """Return the legal action with the most points, after bad actions were dropped early.

    After a quarter of the worlds (at least four), and each time that their number has doubled, the
    worse half of the remaining actions is dropped (sequential halving: Karnin, Koren and Somekh,
    "Almost optimal exploration in multi-armed bandits", 2013). This saves time with slow agents,
    since most actions are clearly bad. The arguments are those of `best_action`.
    """
    scratch = np.empty(SCRATCH_SIZE, np.int16)
    halves_after = first_halving(n_worlds)
    return search_flat(state, table, scratch, n_worlds, own_agent, enemy_agent, halves_after)


# --- explanation of a choice, read from the search itself ---


@compiled(i64(Block, Block, Block, i64, i64, i64, i64), from_python=True)
def _search_in(
    state: Any, table: Any, scratch: Any, n_worlds: int, own: int, enemy: int, halves_after: int
) -> int:
    """Return the result of `search_flat` for arrays that are passed from Python."""
    return search_flat(
        words_at(state, 0), words_at(table, 0), scratch, n_worlds, own, enemy, halves_after
    )


def flat_explainer(
    table: Words16, n_worlds: int, addresses: dict[bool, tuple[int, int]], halves_after: int
) -> Explainer:
    """Return a function that explains the choices of a flat search by the points of all actions.

    The function repeats the search in the state to be explained.

    Args:
        table: words of the table of the games.
        n_worlds: number of games that the search imagines for each action.
        addresses: addresses of the agents that play for the own seat and for the enemy after the
            tried action, by whether the game is general.
        halves_after: number of worlds after which actions are first dropped.
    """

    def explain(state: Words16) -> Explanation:
        actions = legal_actions(state.copy(), table)
        if len(actions) == 1:
            return Explanation(actions[0], "only")
        scratch = np.empty(SCRATCH_SIZE, np.int16)
        agents = addresses[bool(state[at.GENERAL])]
        chosen = _search_in(state.copy(), table, scratch, n_worlds, *agents, halves_after)
        points = scratch[POINTS:][: len(actions)].tolist()
        compared = [
            Compared((action,), None if count == DROPPED else count)
            for action, count in zip(actions, points, strict=True)
        ]
        compared.sort(
            key=lambda option: (
                option.score is None,  # dropped actions last
                -(option.score or 0),
                option.actions != (chosen,),
            )
        )
        return Explanation(chosen, "points", tuple(compared), {"worlds": int(scratch[N_PLAYED])})

    return explain
