"""A simulator that keeps the results of its games on disk, so that a stopped run can continue."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

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

# Games of a part if the speed is unknown, and number of such parts: enough to know the speed within
# a factor, few enough that they cost little even if a game takes a second.
_FIRST_PART_GAMES = 16
_FIRST_PARTS = 8

# Most games of a part of a block: a thousand games are one line of about 20 kB.
_PART_GAMES_MAX = 1_000

# Hexadecimal digits of the folder of a simulator, see `GameStore`.
_FOLDER_DIGITS = 16


class _Part(NamedTuple):
    """Games of a block.

    Attributes:
        block: position of the block.
        games: positions of the games in the block.
    """

    block: int
    games: npt.NDArray[np.intp]


def _ignore(_: str) -> None:
    """Drop a note; a function with a name, so that other processes can load it."""


class KeptGames(Simulator):
    """Simulator that plays only games that are not kept yet, by another simulator.

    Kept games are found by parameters, players and seed, however they are divided into blocks.
    """

    def __init__(
        self,
        simulator: Simulator,
        folder: Path,
        note: Callable[[str], object] = _ignore,
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
        self._part_games = 0

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for another process, which reads and writes files of its own."""
        return {name: value for name, value in vars(self).items() if name != "_store"}

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
        missing = list[_Part]()
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
            missing.append(_Part(position, np.delete(np.arange(block.n_games), games)))
        for parts in self._rounds(missing):
            open_parts = [part for part in parts if part.block in assemblies]
            for part, played in self._played(open_parts, blocks, settings):
                unfinished = assemblies.get(part.block)
                if unfinished is None:  # infeasible, as another part of the block has shown
                    continue
                if played.infeasible:
                    del assemblies[part.block]
                    yield part.block, infeasible_games(played.infeasible)
                    continue
                unfinished.add(part.games, played)
                if unfinished.is_complete:
                    del assemblies[part.block]
                    yield part.block, unfinished.played()

    def _rounds(self, missing: Sequence[_Part]) -> Iterator[list[_Part]]:
        """Yield missing games in rounds, as parts that take about a second.

        If the speed is unknown, the first round consists of a few small parts, which measure it.
        """
        rest = list(missing)
        if not self._part_games:
            parts = _divided(rest, _FIRST_PART_GAMES)
            yield parts[:_FIRST_PARTS]
            rest = _joined(parts[_FIRST_PARTS:])
        yield _divided(rest, self._part_games or _FIRST_PART_GAMES)

    def _played(
        self, parts: Sequence[_Part], blocks: Sequence[Block], settings: Sequence[str]
    ) -> Iterator[tuple[_Part, Played]]:
        """Play parts by the wrapped simulator, and write the results about once in a second.

        Args:
            parts: games to play.
            blocks: all blocks.
            settings: hash of the setting of each block.
        """
        if not parts:
            return
        small = [blocks[at]._replace(seeds=blocks[at].seeds[games]) for at, games in parts]
        n_games = 0
        began_s = time.monotonic()
        written_s = began_s
        try:
            for number, played in self._simulator.play(small):
                part = parts[number]
                self._store.add(settings[part.block], small[number].seeds, played)
                n_games += len(played.winners)
                now_s = time.monotonic()
                is_late = now_s - written_s >= _LOST_S
                if is_late or self._store.n_unwritten >= _UNWRITTEN_MAX:
                    self._store.write()
                    written_s = now_s
                yield part, played
        finally:
            self._store.write()
        if n_games:
            wanted = int(_LOST_S * n_games / max(time.monotonic() - began_s, 1e-9))
            self._part_games = max(1, min(wanted, _PART_GAMES_MAX))

    def close(self) -> None:
        """End processes that the wrapped simulator has started."""
        self._simulator.close()


def _divided(parts: Sequence[_Part], n_games: int) -> list[_Part]:
    """Return games in parts of at most `n_games` games, in their order."""
    return [
        _Part(part.block, part.games[start : start + n_games])
        for part in parts
        for start in range(0, len(part.games), n_games)
    ]


def _joined(parts: Sequence[_Part]) -> list[_Part]:
    """Return games with all parts of a block as one part, in their order."""
    by_block = dict[int, list[npt.NDArray[np.intp]]]()
    for part in parts:
        by_block.setdefault(part.block, []).append(part.games)
    return [_Part(block, np.concatenate(games)) for block, games in by_block.items()]
