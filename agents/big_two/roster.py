"""The roster of Big Two: its scripts, and the names that experiments may give to agents.

The scripts are random, lowest first, and one that keeps combinations together.
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
_LOWEST_SUIT = sum(1 << card for card in range(0, N_CARDS, 4))
_NEARLY_OUT = 2  # cards left with which somebody is to be stopped
_RANKS_BEFORE_STRENGTH = 1 << 52


@compiled(i64(i64))
def count_ranks(cards: int) -> int:
    """How many ranks a set has."""
    return count_cards((cards | cards >> 1 | cards >> 2 | cards >> 3) & _LOWEST_SUIT)


@compiled(none(Vector, Vector, Vector, Vector, Vector), from_python=True)
def choose_random(games: Any, order: Any, rows: Any, moves: Any, actions: Any) -> None:
    """Every legal action equally likely."""
    for k in range(len(rows)):
        at = to.GAME_SIZE * rows[k]
        n_moves = list_moves(games, at, order, moves)
        actions[k] = moves[agents_number(games, at, n_moves)] & to.ACTION


@compiled(none(Vector, Vector, Vector, Vector, Vector), from_python=True)
def choose_lowest(games: Any, order: Any, rows: Any, moves: Any, actions: Any) -> None:
    """The weakest set that may be played; it passes only where it has to.

    A single is weaker than a pair, and so on, so that it leads its lowest card.
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
def _is_somebody_nearly_out(games: Any, at: int) -> bool:
    for seat in range(N_SEATS):
        n_left = count_cards(games[at + to.HANDS + seat])
        if seat != games[at + to.ACTIVE] and n_left <= _NEARLY_OUT:
            return True
    return False


@compiled(i64(Vector, i64, i64, i64))
def _cost(games: Any, at: int, move: int, is_lead: int) -> int:
    """Ranks that are left in the hand; then a leader's lowest card, else the set's strength."""
    cards = cards_at(games, at, move & to.ACTION)
    n_left = count_ranks(games[at + to.HANDS + games[at + to.ACTIVE]] & ~cards)
    weakness = cards & -cards if is_lead else move
    return n_left * _RANKS_BEFORE_STRENGTH + weakness


@compiled(none(Vector, Vector, Vector, Vector, Vector), from_python=True)
def choose_together(games: Any, order: Any, rows: Any, moves: Any, actions: Any) -> None:
    """The set that leaves the fewest ranks; it rather passes than tears up cards of a rank.

    Of equal ones it leads that with the lowest card, and answers with the weakest. Where somebody
    holds two cards or fewer it does not pass if it need not, and answers with the strongest.
    """
    for k in range(len(rows)):
        at = to.GAME_SIZE * rows[k]
        n_moves = list_moves(games, at, order, moves)
        is_lead = games[at + to.TABLE] == 0
        hurries = not is_lead and _is_somebody_nearly_out(games, at)
        hand = games[at + to.HANDS + games[at + to.ACTIVE]]
        best = 0
        least = count_ranks(hand) * _RANKS_BEFORE_STRENGTH
        if is_lead or hurries:
            best = moves[n_moves - 1]
            least = 1 << 60
        for move in range(n_moves):
            cost = -moves[move] if hurries else _cost(games, at, moves[move], is_lead)
            if moves[move] and cost < least:
                best = moves[move]
                least = cost
        actions[k] = best & to.ACTION


AGENTS = {
    agent.name: agent
    for agent in (
        CompiledAgent("random", choose_random),
        CompiledAgent("lowest", choose_lowest),
        CompiledAgent("together", choose_together),
    )
}
"""By name."""


def agent_named(name: str) -> BigTwoAgent:
    """The agent that an experiment calls `name`; `dqn:FILE` is a trained one.

    Raises:
        InputError: nobody has this name, or the file is no pilot of Big Two.
    """
    if isinstance(name, str) and name.startswith(TRAINED):
        from agents.big_two.training import load_big_two_pilot  # noqa: PLC0415 - loads torch

        return load_big_two_pilot(Path(name.removeprefix(TRAINED)))
    return AGENTS[named_word("agent of Big Two", name, AGENTS)]


def agent_names() -> list[str]:
    """The names of all agents but the trained ones."""
    return list(AGENTS)


def known_agents() -> list[KnownAgent]:
    """All that may be named."""
    scripts = [
        KnownAgent(name, str(agent.chooser.__doc__).partition("\n")[0], example=name)
        for name, agent in AGENTS.items()
    ]
    return [*scripts, KnownAgent(f"{TRAINED}PILOT.pt", "The trained network in the file.")]
