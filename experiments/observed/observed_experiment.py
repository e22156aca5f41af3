"""Experiment of observed games: a table of results in place of players that evenhand would play."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from experiments.files.agent_files import PilotFile
from experiments.observed.deck_lists import DeckLists, read_deck_lists
from experiments.observed.observed_results import ObservedResults, read_results
from sim.errors import system_error_place

GAME = "observed"
"""Name of the game of such experiments in run folders, as other games have names."""
SEED = 1
"""Default seed of the resampling. Any number would do: intervals hardly depend on it."""
_BLOCK = 2**20  # bytes of a file that are hashed at a time, to limit memory


@dataclass(frozen=True)
class ObservedSettings:
    """Settings of an experiment of observed games.

    Attributes:
        name: name of the experiment: that of the file.
        seed: seed of the resampling.
        source: who played the games, in words; `""` if not known.
    """

    name: str
    seed: int
    source: str = ""


@dataclass(frozen=True)
class ObservedExperiment:
    """Table of results as an experiment.

    Attributes:
        path: path of the table.
        settings: name, seed and source.
        results: results of the games in the table.
        digest: hash of the file's content.
        decks: lists of the players' decks; `None` without lists.
        pilots: files of trained agents: none.
    """

    path: Path
    settings: ObservedSettings
    results: ObservedResults
    digest: str
    decks: DeckLists | None = None
    pilots: Mapping[str, PilotFile] = field(default_factory=dict)

    @property
    def first_seat_bounds(self) -> None:
        """Bounds of the first seat's win rate: none, since no target is set."""
        return

    def resolved(self, command: str = "") -> dict[str, Any]:  # noqa: ARG002 (one command only)
        """Return all data on which results depend, as plain data."""
        decks = self.decks
        return {
            "experiment": {
                "game": GAME,
                "name": self.settings.name,
                "seed": self.settings.seed,
                "source": self.settings.source,
                "columns": dict(self.results.columns),
                "assumed_games": self.results.assumed_games,
            },
            "file": self.digest,
            "decks": None if decks is None else {"cards": decks.cards, "copies": decks.copies},
            "pilots": {},
        }

    def with_seed(self, seed: int | None) -> ObservedExperiment:
        """Return the experiment with another seed; itself if `seed` is `None`."""
        if seed is None:
            return self
        return replace(self, settings=replace(self.settings, seed=seed))

    def with_games(self, _: int, __: str = "matchups") -> ObservedExperiment:
        """Return the experiment; `load_observed` has applied the number of games behind rates."""
        return self


def load_observed(
    name: str,
    *,
    columns: Mapping[str, str] | None = None,
    n_games: int | None = None,
    decks: Path | None = None,
    source: str = "",
) -> ObservedExperiment:
    """Return the experiment of a table of results.

    Args:
        name: path of the table.
        columns: titles of columns by meaning.
        n_games: number of games behind each rate of a table without a column of games.
        decks: table or folder with the lists of the decks.
        source: who played the games, in words.

    Raises:
        InputError: the table or the lists cannot be read.
    """
    path = Path(name)
    results = read_results(path, columns, n_games=n_games)
    lists = None if decks is None else read_deck_lists(decks, results.matchups.names)
    settings = ObservedSettings(path.stem, SEED, source)
    return ObservedExperiment(path, settings, results, file_digest(path), lists)


def file_digest(path: Path) -> str:
    """Return the SHA-256 hash of the content of a file."""
    digest = hashlib.sha256()
    with system_error_place(path, "read"), path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()
