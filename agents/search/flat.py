"""Flat Monte-Carlo search: tries all legal actions in the same imagined games; most points win."""

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

WIN = 2  # points of a won game: twice those of a draw, so that points stay whole numbers
DRAW = 1  # points of a drawn game: half a win, as in all win rates
DROPPED = -1  # instead of an action's points: below all points
FIRST_HALVING = 4  # fewest worlds before actions are dropped; chosen by hand, not tuned
WORLDS_MAX = 10_000  # an action's points, at most twice as many, must fit a 16-bit word

# --- scratch: three games, the points of each action ---
FORGETFUL = 0  # offset of the game without hidden information; its work area lists the actions
WORLD = at.STATE_SIZE  # offset of one imagined game, from which all actions start
GAME = 2 * at.STATE_SIZE  # offset of the copy in which an action is played to the game's end
POINTS = 3 * at.STATE_SIZE  # offset of the points by action
N_PLAYED = POINTS + at.MAX_LISTED  # number of worlds tried: fewer if one action was left early
SCRATCH_SIZE = N_PLAYED + 1  # one word for N_PLAYED


@compiled(none(Words, Words, i64, i64, i64))
def _play_out(state: Any, table: Any, action: int, first_agent: int, second_agent: int) -> None:
    """Take `action`, then let the agents of both seats play to the end of the game."""
    while True:
        act(state, table, action)
        if state[at.RESULT] != at.RUNNING:
            return
        action = call_policy(second_agent if state[at.ACTIVE] else first_agent, state, table)


@compiled(i64(Words, i64))
def _points(state: Any, seat: int) -> int:
    """Return the points of a finished game for `seat`."""
    if state[at.RESULT] == seat:
        return WIN
    return DRAW if state[at.RESULT] == at.DRAWN else 0


@compiled(i64(Words, Words, i64, i64))
def _best_by_points(actions: Any, points: Any, n_actions: int, favourite: int) -> int:
    """Return the action with the most points; of equals `favourite`, else the first."""
    best = 0
    for k in range(1, n_actions):
        is_tie = points[k] == points[best] and listed(actions, k) == favourite
        if points[k] > points[best] or is_tie:
            best = k
    return listed(actions, best)


@compiled(i64(Words, Words, i64, i64))
def _drop_half(actions: Any, points: Any, n_actions: int, favourite: int) -> int:
    """Drop the worse half of the remaining actions: their points become `DROPPED`.

    Of equals the later ones are dropped, but `favourite` stays.

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
    """Return the choice of `best_action`, computed in ``[SCRATCH_SIZE]`` words of scratch.

    After `halves_after` worlds, and each time their number has doubled, half of the actions are
    dropped. Points and the number of worlds stay in the scratch.
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
    # The agent gets the actual game: agents use no hidden information (`agents.conformance`).
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
        for k in range(n_actions):  # all in the same world, so that chance favours no action
            if points[k] == DROPPED:
                continue
            copy_game(world, game)
            _play_out(game, table, listed(forgetful, k), first_agent, second_agent)
            points[k] += _points(game, seat)
        n_played[0] = index + 1
    return _best_by_points(forgetful, points, n_actions, favourite)


def best_action(state: Any, table: Any, n_worlds: int, own_agent: int, enemy_agent: int) -> int:
    """Return the legal action with the most points over the imagined worlds.

    Of equals the action that `own_agent` would choose is taken, else the first: a seat that is sure
    to win, or to lose, would otherwise take whatever is listed first.

    Args:
        state: the game; only what the seat to move may see has an influence.
        table: the numbers of the game's variant.
        n_worlds: number of worlds to deal, up to `WORLDS_MAX`.
        own_agent: address of the agent that plays on for the seat to move.
        enemy_agent: address of the agent that plays on for the other seat.
    """
    # Allocated per decision, the only allocation in compiled code: several threads play games
    # through the same agent. It takes under 0.1 us, a world several.
    scratch = np.empty(SCRATCH_SIZE, np.int16)
    return search_flat(state, table, scratch, n_worlds, own_agent, enemy_agent, n_worlds)


@compiled(i64(i64), from_python=True)
def first_halving(n_worlds: int) -> int:
    """Return the number of worlds after which half of the actions is dropped first."""
    return max(n_worlds // 4, FIRST_HALVING)


def best_by_halving(state: Any, table: Any, n_worlds: int, own_agent: int, enemy_agent: int) -> int:
    """Return the choice of `best_action` for slow agents: bad actions are dropped early.

    After a quarter of the worlds (at least four), and after twice as many, the worse half of the
    remaining actions is dropped (sequential halving: Karnin, Koren and Somekh, "Almost optimal
    exploration in multi-armed bandits", 2013). Most actions are clearly bad, so the worlds are
    spent on comparing the good ones. Arguments as for `best_action`.
    """
    scratch = np.empty(SCRATCH_SIZE, np.int16)
    halves_after = first_halving(n_worlds)
    return search_flat(state, table, scratch, n_worlds, own_agent, enemy_agent, halves_after)


# --- explanation of a choice, read from the search itself ---


@compiled(i64(Block, Block, Block, i64, i64, i64, i64), from_python=True)
def _search_in(
    state: Any, table: Any, scratch: Any, n_worlds: int, own: int, enemy: int, halves_after: int
) -> int:
    """Return the choice of `search_flat`, called from Python; the points stay in the scratch."""
    return search_flat(
        words_at(state, 0), words_at(table, 0), scratch, n_worlds, own, enemy, halves_after
    )


def flat_explainer(
    table: Words16, n_worlds: int, addresses: dict[bool, tuple[int, int]], halves_after: int
) -> Explainer:
    """Return the function that explains the choices of a flat search by the points of all actions.

    Args:
        table: the numbers of the cards and rules.
        n_worlds: number of games that the search imagines for each action.
        addresses: addresses of the agents that play on for the own seat and for the enemy, by
            whether the game is general.
        halves_after: number of worlds after which half of the actions is dropped first.
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
                option.score is None,  # dropped ones last
                -(option.score or 0),
                option.actions != (chosen,),
            )
        )
        return Explanation(chosen, "points", tuple(compared), {"worlds": int(scratch[N_PLAYED])})

    return explain
