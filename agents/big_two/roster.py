"""The scripts of Big Two, and the functions that find agents of Big Two by name.

The scripts play at random, play the weakest set, or keep cards of equal rank together.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from agents.declaration import KnownAgent
from sim.big_two import layout as to
from sim.big_two.cards import N_CARDS, N_PLACES, N_SEATS, PASS
from sim.big_two.games import BigTwoAgent, CompiledAgent
from sim.big_two.play import (
    agents_number,
    cards_at,
    count_cards,
    lay_out,
    list_few,
    list_fives,
    list_moves,
)
from sim.engine.compiled import Vector, compiled, i64, none
from sim.names import named_word

TRAINED = "dqn:"
"""Prefix of the names of trained agents; the rest of such a name is the path of a file."""

_LOWEST_SUIT = sum(1 << card for card in range(0, N_CARDS, 4))
"""Set of all cards of the lowest suit."""

_NEARLY_OUT = 2  # cards left with which an opponent may soon win; chosen by hand, not tuned
_RANKS_BEFORE_STRENGTH = 1 << 52  # greater than all strengths and sets, so that ranks decide first


@compiled(i64(i64))
def count_ranks(cards: int) -> int:
    """Return the number of different ranks in a set of cards."""
    return count_cards((cards | cards >> 1 | cards >> 2 | cards >> 3) & _LOWEST_SUIT)


@compiled(none(Vector, Vector, Vector, Vector, Vector), from_python=True)
def choose_random(games: Any, order: Any, rows: Any, moves: Any, actions: Any) -> None:
    """Choose each legal action with equal probability.

    The arguments are those of `sim.big_two.games.CompiledAgent.chooser`.
    """
    for k in range(len(rows)):
        at = to.GAME_SIZE * rows[k]
        n_moves = list_moves(games, at, order, moves)
        actions[k] = moves[agents_number(games, at, n_moves)] & to.ACTION


@compiled(none(Vector, Vector, Vector, Vector, Vector), from_python=True)
def choose_lowest(games: Any, order: Any, rows: Any, moves: Any, actions: Any) -> None:
    """Play the weakest legal set, and pass only if there is none.

    A set with fewer cards counts as weaker, so the script leads single cards. The arguments are
    those of `sim.big_two.games.CompiledAgent.chooser`.
    """
    for k in range(len(rows)):
        at = to.GAME_SIZE * rows[k]
        lay_out(games, at)
        size = 1
        n_moves = 0
        while size < N_PLACES and n_moves == 0:
            n_moves = list_few(games, at, order, size, moves, 0)
            size += 1
        if n_moves == 0:
            n_moves = list_fives(games, at, order, moves, 0)
        best = moves[0] if n_moves else PASS
        for move in range(n_moves):
            best = min(best, moves[move])
        actions[k] = best & to.ACTION


@compiled(i64(Vector, i64))
def _is_opponent_nearly_out(games: Any, at: int) -> bool:
    """Return whether an opponent of the active seat holds at most `_NEARLY_OUT` cards."""
    for seat in range(N_SEATS):
        n_left = count_cards(games[at + to.HANDS + seat])
        if seat != games[at + to.ACTIVE] and n_left <= _NEARLY_OUT:
            return True
    return False


@compiled(i64(Vector, i64, i64, i64))
def _cost(games: Any, at: int, move: int, is_lead: int) -> int:
    """Return the cost of a move for `choose_together`; the move with the lowest cost is preferred.

    The number of ranks left in the hand after the move decides first. Moves with equal numbers are
    compared by their lowest card if the active seat leads, otherwise by the strength of their sets.

    Args:
        games: words of many games; the work area must contain the active seat's cards.
        at: offset of this game.
        move: move to rate (`sim.big_two.play.list_moves`).
        is_lead: whether the active seat leads.
    """
    cards = cards_at(games, at, move & to.ACTION)
    n_left = count_ranks(games[at + to.HANDS + games[at + to.ACTIVE]] & ~cards)
    weakness = cards & -cards if is_lead else move
    return n_left * _RANKS_BEFORE_STRENGTH + weakness


@compiled(none(Vector, Vector, Vector, Vector, Vector), from_python=True)
def choose_together(games: Any, order: Any, rows: Any, moves: Any, actions: Any) -> None:
    """Play the set that leaves the fewest ranks; pass instead of breaking up cards of a rank.

    Of sets that leave equally many ranks, the script leads the set with the lowest card, and beats
    a set on the table with the weakest set. If an opponent holds at most `_NEARLY_OUT` cards, the
    script beats a set with the strongest set, and passes only if it must. The arguments are those
    of `sim.big_two.games.CompiledAgent.chooser`.
    """
    for k in range(len(rows)):
        at = to.GAME_SIZE * rows[k]
        n_moves = list_moves(games, at, order, moves)
        is_lead = games[at + to.TABLE] == 0
        hurries = not is_lead and _is_opponent_nearly_out(games, at)
        hand = games[at + to.HANDS + games[at + to.ACTIVE]]
        best = 0
        lowest_cost = count_ranks(hand) * _RANKS_BEFORE_STRENGTH
        if is_lead or hurries:
            best = moves[n_moves - 1]
            lowest_cost = 1 << 60  # greater than all costs, so that a move is always chosen
        for move in range(n_moves):
            cost = -moves[move] if hurries else _cost(games, at, moves[move], is_lead)
            if moves[move] and cost < lowest_cost:
                best = moves[move]
                lowest_cost = cost
        actions[k] = best & to.ACTION


AGENTS = {
    agent.name: agent
    for agent in (
        CompiledAgent("random", choose_random),
        CompiledAgent("lowest", choose_lowest),
        CompiledAgent("together", choose_together),
    )
}
"""Scripts of Big Two, by name."""


def agent_named(name: str) -> BigTwoAgent:
    """Return the agent of Big Two with a name: a script, or `dqn:FILE` for a trained agent.

    Raises:
        InputError: no agent has this name, or the file is missing, damaged or does not contain an
            agent of Big Two.
    """
    if isinstance(name, str) and name.startswith(TRAINED):
        from agents.big_two.training import load_big_two_pilot  # noqa: PLC0415 - loads torch

        return load_big_two_pilot(Path(name.removeprefix(TRAINED)))
    return AGENTS[named_word("Big Two agent", name, AGENTS)]


def agent_names() -> list[str]:
    """Return the names of all scripts of Big Two; trained agents are not included."""
    return list(AGENTS)


def known_agents() -> list[KnownAgent]:
    """Return descriptions of all scripts and of trained agents, as experiments can name them.

    The description of a script is the first line of its docstring.
    """
    scripts = [
        KnownAgent(name, str(agent.chooser.__doc__).partition("\n")[0], example=name)
        for name, agent in AGENTS.items()
    ]
    return [*scripts, KnownAgent(f"{TRAINED}PILOT.pt", "The trained network in the file.")]
