"""Flat Monte-Carlo search: legal actions in the same imagined games; most points win."""

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

WIN = 2
DRAW = 1  # points of a game
DROPPED = -1  # instead of points
FIRST_HALVING = 4  # worlds at least
WORLDS_MAX = 10_000  # an action's points must fit a word, and twice this does

# --- scratch: three games, the points of each action ---
FORGETFUL = 0  # the game without what the seat may not see; its work area lists the actions
WORLD = at.STATE_SIZE  # one way it may be
GAME = 2 * at.STATE_SIZE  # that world played out
POINTS = 3 * at.STATE_SIZE
N_PLAYED = POINTS + at.MAX_LISTED  # worlds, fewer than asked where one action was left early
SCRATCH_SIZE = N_PLAYED + 1


@compiled(none(Words, Words, i64, i64, i64))
def _play_out(state: Any, table: Any, action: int, first_agent: int, second_agent: int) -> None:
    """Take `action`, then let the agents play to the end of the game."""
    while True:
        act(state, table, action)
        if state[at.RESULT] != at.RUNNING:
            return
        action = call_policy(second_agent if state[at.ACTIVE] else first_agent, state, table)


@compiled(i64(Words, i64))
def _points(state: Any, seat: int) -> int:
    """What a finished game is worth to `seat`."""
    if state[at.RESULT] == seat:
        return WIN
    return DRAW if state[at.RESULT] == at.DRAWN else 0


@compiled(i64(Words, Words, i64, i64))
def _first_of_most(actions: Any, points: Any, n_actions: int, favourite: int) -> int:
    """The action with the most points; of equals `favourite` if it is one, else the first."""
    best = 0
    for k in range(1, n_actions):
        is_tie = points[k] == points[best] and listed(actions, k) == favourite
        if points[k] > points[best] or is_tie:
            best = k
    return listed(actions, best)


@compiled(i64(Words, Words, i64, i64))
def _drop_half(actions: Any, points: Any, n_actions: int, favourite: int) -> int:
    """Drop the worse half of the actions that are left: `DROPPED`; of equals the later ones.

    Returns:
        How many there still are.
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
    """As `best_action`, with ``[SCRATCH_SIZE]`` words of scratch.

    After `halves_after` worlds, and whenever there have been twice as many, half are dropped.
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
        for k in range(n_actions):  # in the same world, so that luck does not choose among them
            if points[k] == DROPPED:
                continue
            copy_game(world, game)
            _play_out(game, table, listed(forgetful, k), first_agent, second_agent)
            points[k] += _points(game, seat)
        n_played[0] = index + 1
    return _first_of_most(forgetful, points, n_actions, favourite)


def best_action(state: Any, table: Any, n_worlds: int, own_agent: int, enemy_agent: int) -> int:
    """The legal action with the most points over the imagined worlds.

    Of equals it is what `own_agent` would do, or the first: else a seat that is sure to win, or
    to lose, would do whatever is listed first.

    The scratch is the one allocation in compiled code: games are played by several threads at
    once through the same agent, so it can be nobody's but this decision's. It takes under
    0.1 us, where a world takes several.

    Args:
        state: the game; only what the seat to move may see has an influence.
        table: the numbers of its variant.
        n_worlds: how many worlds to deal, up to `WORLDS_MAX`.
        own_agent: address of the agent that plays on for the seat to move.
        enemy_agent: likewise for the other seat.
    """
    scratch = np.empty(SCRATCH_SIZE, np.int16)
    return search_flat(state, table, scratch, n_worlds, own_agent, enemy_agent, n_worlds)


@compiled(i64(i64), from_python=True)
def first_halving(n_worlds: int) -> int:
    """After how many worlds half of the actions is dropped first."""
    return max(n_worlds // 4, FIRST_HALVING)


def best_by_halving(state: Any, table: Any, n_worlds: int, own_agent: int, enemy_agent: int) -> int:
    """As `best_action`, for agents that are slow: half of the actions are dropped now and then.

    After a quarter of the worlds, at least four, and after twice as many the worse half of the
    actions left is tried no more (Karnin, Koren and Somekh, "Almost optimal exploration in
    multi-armed bandits", 2013). Most are clearly bad; the worlds are for telling good ones apart.
    """
    scratch = np.empty(SCRATCH_SIZE, np.int16)
    halves_after = first_halving(n_worlds)
    return search_flat(state, table, scratch, n_worlds, own_agent, enemy_agent, halves_after)


# --- why it chose: from the very search that an agent makes ---


@compiled(i64(Block, Block, Block, i64, i64, i64, i64), from_python=True)
def _search_in(
    state: Any, table: Any, scratch: Any, n_worlds: int, own: int, enemy: int, halves_after: int
) -> int:
    """The choice of `best_action`, with the points left in the scratch."""
    return search_flat(
        words_at(state, 0), words_at(table, 0), scratch, n_worlds, own, enemy, halves_after
    )


def flat_explainer(
    table: Words16, n_worlds: int, addresses: dict[bool, tuple[int, int]], halves_after: int
) -> Explainer:
    """What explains the choices of a flat search.

    Args:
        table: the numbers.
        n_worlds: how many games it imagines for each action.
        addresses: of who plays on for the own seat and for the other, in plain games and in
            all others.
        halves_after: so many worlds half of the actions are dropped.
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
            key=lambda one: (one.score is None, -(one.score or 0), one.actions != (chosen,))
        )
        return Explanation(chosen, "points", tuple(compared), {"worlds": int(scratch[N_PLAYED])})

    return explain
