"""Results of games on disk and in memory, found by the parameters, the players and the seed."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, TypeVar

import numpy as np
import numpy.typing as npt
from pydantic import Field

from sim.errors import InputError, system_error_place
from sim.files.validation import StrictModel
from sim.simulator.block import Block, Played, Seeds
from sim.simulator.game_results import GameResults, infeasible_games, results_of
from sim.simulator.protocol import read_message

# Hexadecimal digits of a checksum and of a setting. A line is damaged by chance with a fitting
# checksum once in 10^19; 2^64 settings are needed until two of them share their digits.
_CHECKSUM_DIGITS = 16
_SETTING_DIGITS = 32

_SEED_DIGITS = 16  # of 64 bits

Scalar = TypeVar("Scalar", bound=np.generic)


class _Record(StrictModel):
    """Games of a setting with their results, as a line of a file has them.

    Attributes:
        setting: hash of everything that determines the games except their seeds.
        seeds: seeds of the games, 16 hexadecimal digits each.
        results: results of the games.
    """

    setting: Annotated[str, Field(pattern="^[0-9a-f]+$")]
    seeds: Annotated[str, Field(pattern="^([0-9a-f]{16})*$")]
    results: GameResults


@dataclass
class _Setting:
    """Known games of a setting, sorted by seed once they are looked up.

    Attributes:
        seeds: seeds of some games, one array for each recorded part.
        played: results of these parts.
        infeasible: reason why the setting cannot be played; empty if it can.
        is_sorted: whether there is one part, sorted by seed.
    """

    seeds: list[Seeds] = field(default_factory=list)
    played: list[Played] = field(default_factory=list)
    infeasible: str = ""
    is_sorted: bool = False

    def add(self, seeds: Seeds, played: Played) -> None:
        """Record a part."""
        self.seeds.append(seeds)
        self.played.append(played)
        self.is_sorted = False

    def sort(self) -> None:
        """Join all parts into one, sorted by seed."""
        if self.is_sorted:
            return
        seeds = np.concatenate(self.seeds)
        order = np.argsort(seeds, kind="stable")
        joined = Played(
            np.concatenate([part.winners for part in self.played]),
            _joined([part.turns for part in self.played]),
            _joined([part.points for part in self.played]),
        )
        self.seeds = [seeds[order]]
        self.played = [_selected(joined, order)]
        self.is_sorted = True


class GameStore:
    """Results of games in files of one folder, all of which are also in memory.

    Every process appends to a file of its own, a line for each part of a block. A line begins with
    its checksum, so a line that was cut by the end of a process is recognised and ignored.
    """

    def __init__(
        self, folder: Path, n_seats: int, note: Callable[[str], object] = lambda _: None
    ) -> None:
        """Read all files of a folder.

        Args:
            folder: folder of the files; it is created when the first results are written.
            n_seats: number of seats of a game.
            note: function that receives a line about damaged files.

        Raises:
            InputError: a file cannot be read.
        """
        self._n_seats = n_seats
        self._path = folder / f"{secrets.token_hex(8)}.games"
        self._settings = dict[str, _Setting]()
        self._unwritten = list[bytes]()
        self.n_unwritten = 0
        for path in sorted(folder.glob("*.games")):
            if n_damaged := self._read(path):
                note(
                    f"{path}: {n_damaged:,} damaged lines are ignored, and their games are played "
                    "again"
                )

    @property
    def n_games(self) -> int:
        """Number of known games."""
        return sum(len(part) for setting in self._settings.values() for part in setting.seeds)

    def find(self, setting: str, seeds: Seeds) -> tuple[npt.NDArray[np.intp], Played]:
        """Return the known games among some games.

        Args:
            setting: hash of everything that determines the games except their seeds.
            seeds: seeds of the games, ``[S]``.

        Returns:
            Positions of the known games among the seeds, and their results; no positions and the
            reason if the setting cannot be played.
        """
        known = self._settings.get(setting, _Setting())
        if known.infeasible or not known.seeds or not len(seeds):
            return np.empty(0, dtype=np.intp), infeasible_games(known.infeasible)
        known.sort()
        places = np.searchsorted(known.seeds[0], seeds).clip(max=len(known.seeds[0]) - 1)
        found = np.flatnonzero(known.seeds[0][places] == seeds)
        return found, _selected(known.played[0], places[found])

    def add(self, setting: str, seeds: Seeds, played: Played) -> None:
        """Record the results of games; `write` writes them to the disk.

        Args:
            setting: hash of everything that determines the games except their seeds.
            seeds: seeds of the games, ``[S]``.
            played: their results.
        """
        self._remember(setting, seeds, played)
        record = {
            "setting": setting,
            "seeds": seeds.astype(">u8").tobytes().hex(),
            "results": results_of(played),
        }
        text = json.dumps(record, separators=(",", ":")).encode()
        self._unwritten.append(_checksum(text) + b" " + text + b"\n")
        self.n_unwritten += len(seeds)

    def write(self) -> None:
        """Append the results that are not on the disk yet.

        Raises:
            InputError: the file cannot be written.
        """
        if not self._unwritten:
            return
        with system_error_place(self._path.parent, "made"):
            self._path.parent.mkdir(parents=True, exist_ok=True)
        with system_error_place(self._path, "written"), self._path.open("ab") as file:
            file.write(b"".join(self._unwritten))
        self._unwritten.clear()
        self.n_unwritten = 0

    def _remember(self, setting: str, seeds: Seeds, played: Played) -> None:
        """Record results in memory."""
        known = self._settings.setdefault(setting, _Setting())
        if played.infeasible:
            known.infeasible = played.infeasible
        else:
            known.add(seeds, played)

    def _read(self, path: Path) -> int:
        """Read a file, and return the number of damaged lines.

        A last line without an end was cut when its process ended, which is no damage.
        """
        n_damaged = 0
        with system_error_place(path, "read"), path.open("rb") as file:
            for line in file:
                checksum, _, text = line.rstrip(b"\n").partition(b" ")
                try:
                    if checksum != _checksum(text):
                        raise InputError("does not fit its checksum")  # noqa: TRY301
                    record = read_message(_Record, text)
                    played = record.results.played(len(record.seeds) // _SEED_DIGITS, self._n_seats)
                except InputError:
                    n_damaged += line.endswith(b"\n")
                    continue
                seeds = np.frombuffer(bytes.fromhex(record.seeds), dtype=">u8").astype(np.uint64)
                self._remember(record.setting, seeds, played)
        return n_damaged


def setting_of(block: Block) -> str:
    """Return the hash of everything that determines the games of a block except their seeds."""
    content = [sorted(block.numbers.items()), block.players, block.without]
    text = json.dumps(content, separators=(",", ":")).encode()
    return hashlib.sha256(text).hexdigest()[:_SETTING_DIGITS]


def _checksum(text: bytes) -> bytes:
    """Return the checksum of a line."""
    return hashlib.sha256(text).hexdigest()[:_CHECKSUM_DIGITS].encode()


def _joined(parts: list[npt.NDArray[Scalar] | None]) -> npt.NDArray[Scalar] | None:
    """Return arrays one after another; `None` if one of them is missing."""
    arrays = [part for part in parts if part is not None]
    return np.concatenate(arrays) if len(arrays) == len(parts) else None


def _selected(played: Played, games: npt.NDArray[np.intp]) -> Played:
    """Return the results of some games, given by their positions."""
    return Played(
        played.winners[games],
        None if played.turns is None else played.turns[games],
        None if played.points is None else played.points[games],
    )
