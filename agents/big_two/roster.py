"""The roster of Big Two: its scripts, and the names of all its agents.

The scripts play at random, the lowest set first, or sets that keep combinations together.
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
_NEARLY_OUT = 2  # cards left at which an opponent may win with one play; chosen by hand, not tuned
_RANKS_BEFORE_STRENGTH = 1 << 52  # above any strength and any set of cards, so ranks decide first


@compiled(i64(i64))
def count_ranks(cards: int) -> int:
    """Return the number of different ranks in a set of cards."""
    return count_cards((cards | cards >> 1 | cards >> 2 | cards >> 3) & _LOWEST_SUIT)


@compiled(none(Vector, Vector, Vector, Vector, Vector), from_python=True)
def choose_random(games: Any, order: Any, rows: Any, moves: Any, actions: Any) -> None:
    """Choose each legal action with equal probability."""
    for k in range(len(rows)):
        at = to.GAME_SIZE * rows[k]
        n_moves = list_moves(games, at, order, moves)
        actions[k] = moves[agents_number(games, at, n_moves)] & to.ACTION


@compiled(none(Vector, Vector, Vector, Vector, Vector), from_python=True)
def choose_lowest(games: Any, order: Any, rows: Any, moves: Any, actions: Any) -> None:
    """Play the weakest legal set, and pass only if there is none.

    A set with fewer cards counts as weaker, so that the script leads its lowest card.
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
    """Return whether an opponent of the active seat holds at most two cards."""
    for seat in range(N_SEATS):
        n_left = count_cards(games[at + to.HANDS + seat])
        if seat != games[at + to.ACTIVE] and n_left <= _NEARLY_OUT:
            return True
    return False


@compiled(i64(Vector, i64, i64, i64))
def _cost(games: Any, at: int, move: int, is_lead: int) -> int:
    """Return the number of ranks left in the hand after a move, then a measure of strength.

    The second part is the lowest card of a lead, and otherwise the strength of the set.

    Args:
        games: words of many games.
        at: offset of this game.
        move: the move (`sim.big_two.play.list_moves`).
        is_lead: whether the active seat leads.
    """
    cards = cards_at(games, at, move & to.ACTION)
    n_left = count_ranks(games[at + to.HANDS + games[at + to.ACTIVE]] & ~cards)
    weakness = cards & -cards if is_lead else move
    return n_left * _RANKS_BEFORE_STRENGTH + weakness


@compiled(none(Vector, Vector, Vector, Vector, Vector), from_python=True)
def choose_together(games: Any, order: Any, rows: Any, moves: Any, actions: Any) -> None:
    """Play the set that leaves the fewest ranks; pass instead of breaking up cards of a rank.

    Of equally good sets, the script leads the one with the lowest card and answers with the
    weakest. If an opponent holds at most two cards, it passes only if it must, and answers with the
    strongest set.
    """
    for k in range(len(rows)):
        at = to.GAME_SIZE * rows[k]
        n_moves = list_moves(games, at, order, moves)
        is_lead = games[at + to.TABLE] == 0
        hurries = not is_lead and _is_opponent_nearly_out(games, at)
        hand = games[at + to.HANDS + games[at + to.ACTIVE]]
        best = 0
        least = count_ranks(hand) * _RANKS_BEFORE_STRENGTH
        if is_lead or hurries:
            best = moves[n_moves - 1]
            least = 1 << 60  # above all costs, so that some move is chosen
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
"""The scripts, by name."""


def agent_named(name: str) -> BigTwoAgent:
    """Return the agent with a name; `dqn:FILE` is a trained agent.

    Raises:
        InputError: no agent has this name, or the file is no pilot of Big Two.
    """
    if isinstance(name, str) and name.startswith(TRAINED):
        from agents.big_two.training import load_big_two_pilot  # noqa: PLC0415 - loads torch

        return load_big_two_pilot(Path(name.removeprefix(TRAINED)))
    return AGENTS[named_word("agent of Big Two", name, AGENTS)]


def agent_names() -> list[str]:
    """Return the names of all scripts."""
    return list(AGENTS)


def known_agents() -> list[KnownAgent]:
    """Return a description of each kind of agent that experiments can name."""
    scripts = [
        KnownAgent(name, str(agent.chooser.__doc__).partition("\n")[0], example=name)
        for name, agent in AGENTS.items()
    ]
    return [*scripts, KnownAgent(f"{TRAINED}PILOT.pt", "The trained network in the file.")]
