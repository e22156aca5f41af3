"""Many games of Big Two, compiled: what `sim.big_two.play` does to one, done to some of them."""

from __future__ import annotations

from typing import Any

from sim.big_two import layout as to
from sim.big_two.play import act, deal, is_legal, list_moves
from sim.engine.compiled import ByteBlock, Vector, compiled, i64, none

NO_ACTION = -1


@compiled(none(Vector, Vector, Vector, Vector, Vector, Vector, Vector), from_python=True)
def deal_games(
    games: Any, rows: Any, numbers: Any, variants: Any, seeds: Any, rotations: Any, fixed: Any
) -> None:
    """Deal the games of some rows.

    Args:
        games: ``[G * GAME_SIZE]`` words.
        rows: ``[B]`` which games.
        numbers: ``[V * N_NUMBERS]``.
        variants: ``[B]`` by which numbers.
        seeds: ``[B]`` 64 bits of each game's seed.
        rotations: ``[B]`` by how many seats the hands are turned.
        fixed: ``[4]`` sets that seats hold, 0 where hands are drawn.
    """
    for k in range(len(rows)):
        at, row, seed = to.GAME_SIZE * rows[k], to.N_NUMBERS * variants[k], int(seeds[k])
        deal(games, at, numbers, row, seed, rotations[k], fixed)


@compiled(i64(Vector, Vector, Vector, Vector), from_python=True)
def act_in_games(games: Any, order: Any, rows: Any, actions: Any) -> int:
    """Carry out an action in each of some games; returns how many could not be.

    An illegal one changes nothing, and neither does any where a game is over.
    """
    n_illegal = 0
    for k in range(len(rows)):
        at = to.GAME_SIZE * rows[k]
        is_over = games[at + to.WINNER] != to.NOBODY
        if is_over or not is_legal(games, at, order, actions[k]):
            n_illegal += 1
        else:
            act(games, at, order, actions[k])
    return n_illegal


@compiled(none(Vector, Vector, Vector, ByteBlock, i64, Vector), from_python=True)
def mark_in_games(
    games: Any, order: Any, rows: Any, masks: Any, n_actions: int, moves: Any
) -> None:
    """Mark what the active seats may do: ``[B * n_actions]`` bytes; nothing where it is over."""
    for k in range(len(rows)):
        for action in range(n_actions):
            masks[n_actions * k + action] = 0
        at = to.GAME_SIZE * rows[k]
        if games[at + to.WINNER] == to.NOBODY:
            for move in range(list_moves(games, at, order, moves)):
                action = moves[move] & to.ACTION
                if action < n_actions:  # by other numbers than the rules', fours may go alone
                    masks[n_actions * k + action] = 1


@compiled(none(Vector, Vector, Vector, Vector, Vector), from_python=True)
def find_only_moves(games: Any, order: Any, rows: Any, moves: Any, actions: Any) -> None:
    """Write for ``[B]`` games the action of the active seat if it has but one, else `NO_ACTION`."""
    for k in range(len(rows)):
        n_moves = list_moves(games, to.GAME_SIZE * rows[k], order, moves)
        actions[k] = moves[0] & to.ACTION if n_moves == 1 else NO_ACTION
