"""A simulator that keeps the results of its games on disk, so that a stopped run can continue."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from sim.simulator.block import Block, Played
from sim.simulator.chunks import Assembly
from sim.simulator.game_results import infeasible_games
from sim.simulator.game_store import GameStore, setting_of
from sim.simulator.simulator import Simulator

# Seconds of games that a stopped run may lose, and the number of games after which results are
# written in any case: a write takes 0.1 ms, and memory holds all results anyway.
_LOST_S = 1.0
_UNWRITTEN_MAX = 1_000

# Games of a part of a block of which the speed is unknown: enough that an exchange with a program
# costs little, and a part of slow games takes seconds.
_PART_GAMES = 16

# Most games of a part of a block: a thousand games are one line of about 20 kB.
_PART_GAMES_MAX = 1_000

# Hexadecimal digits of the folder of a simulator, see `GameStore`.
_FOLDER_DIGITS = 16


class KeptGames(Simulator):
    """Simulator that plays only games that are not kept yet, by another simulator.

    Kept games are found by parameters, players and seed, however they are divided into blocks.
    """

    def __init__(
        self,
        simulator: Simulator,
        folder: Path,
        note: Callable[[str], object] = lambda _: None,
    ) -> None:
        """Wrap a simulator.

        Args:
            simulator: what plays the games.
            folder: folder of the kept games; those of each code are in a folder of their own.
            note: function that receives a line about damaged files.
        """
        self._simulator = simulator
        self._folder = folder
        self._note = note
        self._part_games = _PART_GAMES

    @cached_property
    def _store(self) -> GameStore:
        """Kept games of this simulator's code, read on first use."""
        folder = self._folder / self.identity[:_FOLDER_DIGITS]
        return GameStore(folder, self.n_seats, self._note)

    @property
    def identity(self) -> str:
        """Hash of the code that plays, by the wrapped simulator."""
        return self._simulator.identity

    @property
    def n_seats(self) -> int:
        """Number of players of a game, by the wrapped simulator."""
        return self._simulator.n_seats

    @property
    def can_leave_out(self) -> bool:
        """Whether a seat can play without a group of parameters, by the wrapped simulator."""
        return self._simulator.can_leave_out

    @property
    def n_games(self) -> int:
        """Number of kept games of this simulator's code."""
        return self._store.n_games

    def play(self, blocks: Sequence[Block]) -> Iterator[tuple[int, Played]]:
        """Yield kept results, and play the other games; see `Simulator.play`.

        Args:
            blocks: games to play.

        Raises:
            InputError: the code of the game failed, or a file cannot be read or written. The
                results of games that were played before are kept.
        """
        assemblies = dict[int, Assembly]()
        settings = [setting_of(block) for block in blocks]
        parts = list[tuple[int, npt.NDArray[np.intp]]]()
        for position, block in enumerate(blocks):
            assembly = Assembly(block.n_games, self.n_seats)
            games, played = self._store.find(settings[position], block.seeds)
            if played.infeasible:
                yield position, played
                continue
            if len(games):
                assembly.add(games, played)
            if assembly.is_complete:
                yield position, assembly.played()
                continue
            assemblies[position] = assembly
            missing = np.delete(np.arange(block.n_games), games)
            cuts = range(self._part_games, len(missing), self._part_games)
            parts += [(position, part) for part in np.split(missing, cuts)]
        small = [blocks[at]._replace(seeds=blocks[at].seeds[games]) for at, games in parts]
        for number, played in self._played(small, [settings[at] for at, _ in parts]):
            position, games = parts[number]
            if position not in assemblies:  # infeasible, as another part of the block has shown
                continue
            if played.infeasible:
                del assemblies[position]
                yield position, infeasible_games(played.infeasible)
                continue
            assemblies[position].add(games, played)
            if assemblies[position].is_complete:
                yield position, assemblies.pop(position).played()

    def _played(
        self, blocks: Sequence[Block], settings: Sequence[str]
    ) -> Iterator[tuple[int, Played]]:
        """Play blocks by the wrapped simulator, and write the results about once in a second.

        Args:
            blocks: games to play.
            settings: hash of the setting of each block.
        """
        if not blocks:
            return
        n_games = 0
        began_s = time.monotonic()
        written_s = began_s
        try:
            for position, played in self._simulator.play(blocks):
                self._store.add(settings[position], blocks[position].seeds, played)
                n_games += blocks[position].n_games
                now_s = time.monotonic()
                is_late = now_s - written_s >= _LOST_S
                if is_late or self._store.n_unwritten >= _UNWRITTEN_MAX:
                    self._store.write()
                    written_s = now_s
                yield position, played
        finally:
            self._store.write()
        game_s = (time.monotonic() - began_s) / max(1, n_games)
        wanted = int(_LOST_S / max(game_s, 1e-9))
        self._part_games = max(1, min(wanted, _PART_GAMES_MAX))

    def close(self) -> None:
        """End processes that the wrapped simulator has started."""
        self._simulator.close()
