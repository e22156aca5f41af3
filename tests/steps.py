"""Games stepped from Python, for tests that look inside them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sim.engine import layout as at
from sim.engine.stepping import ask_agent, begin_game, new_state, perform
from sim.game_log.snapshot import Snapshot, take_snapshot
from sim.play import CompiledAgent, Table

Words16 = npt.NDArray[np.int16]


@dataclass(frozen=True)
class FinishedGame:
    """A finished game.

    Attributes:
        end: the last position.
        played: deck slots of the cards that each seat played, in order.
        actions: actions of each seat, in order.
    """

    end: Snapshot
    played: tuple[list[int], list[int]]
    actions: tuple[list[int], list[int]]


def block(seat: int) -> int:
    """Return the offset of a seat's block in a state."""
    return at.SEATS + at.SEAT_SIZE * seat


def items(state: Words16, seat: int, zone: int) -> list[int]:
    """Return the records in a seat's hand, board or secrets, or the slots in its deck."""
    start = block(seat) + zone
    return state[start + 1 :][: state[start]].tolist()


def begin(table: Table, decks: Words16, seed: int) -> Words16:
    """Return a fresh game of deck 0 against deck 1."""
    state = new_state()
    begin_game(state, table.words[0], decks.ravel(), 0, 1, seed)
    return state


def finished_games(
    table: Table, decks: Words16, agents: Sequence[CompiledAgent], seeds: Iterable[int]
) -> Iterator[FinishedGame]:
    """Yield one whole game for each seed."""
    for seed in seeds:
        state = begin(table, decks, seed)
        played: tuple[list[int], list[int]] = ([], [])
        actions: tuple[list[int], list[int]] = ([], [])
        while state[at.RESULT] == at.RUNNING:
            now = take_snapshot(state)
            action = ask_agent(state, table.words[0], agents[now.active].address(general=False))
            if at.PLAY <= action < at.ATTACK_WITH:
                position = (action >> at.SOURCE_SHIFT) & at.POSITION_MASK
                played[now.active].append(now.seats[now.active].hand[position].slot)
            actions[now.active].append(action)
            perform(state, table.words[0], action)
        yield FinishedGame(take_snapshot(state), played, actions)
