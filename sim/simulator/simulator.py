"""Interface of a simulator: anything that plays blocks of games."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence

from sim.simulator.block import Block, Played


class Simulator(ABC):
    """Interface of a game of another author, which plays blocks of games on request.

    A game must be determined by its block: equal parameters, players and seed give an equal game.
    """

    @property
    @abstractmethod
    def identity(self) -> str:
        """Hash of the code that plays; results of another code are not used to resume a run."""

    @property
    @abstractmethod
    def n_seats(self) -> int:
        """Number of players of a game, at least 2."""

    @property
    def can_leave_out(self) -> bool:
        """Whether a seat can play without a group of parameters, as card power requires."""
        return False

    @abstractmethod
    def play(self, blocks: Sequence[Block]) -> Iterator[tuple[int, Played]]:
        """Play blocks, and yield the position of each block with its results, in any order.

        Args:
            blocks: games to play.

        Raises:
            InputError: the code of the game failed; the message names the seed, the players and
                the parameters of the game. No game is left out or counted as drawn.
        """

    def close(self) -> None:  # noqa: B027 (a simulator without processes has nothing to end)
        """End processes that the simulator has started; by default there are none."""
