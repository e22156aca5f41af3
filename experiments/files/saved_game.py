"""Saved games of a person: which game it is, and all its actions."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict
from itertools import count
from pathlib import Path
from typing import Annotated, ClassVar

import tomlkit
from pydantic import Field

from experiments.files.output_file import file_label
from experiments.game import AnyExperiment, Place
from experiments.loading import SHIPPED
from experiments.runs.json_file import to_json
from sim import SEED_MAX, InputError, Name, StrictModel, read_toml, validate, write_atomically
from sim.engine.cache import source_hash
from sim.files.made_folder import made_folder

_SIM = Path(__file__).parents[2] / "sim"
_ACTION_MAX = 2**31 - 1  # actions are 32-bit integers
_HEAD = (
    "A game of evenhand: `evenhand replay FILE` shows it with all hidden cards, "
    "`evenhand play FILE` continues it."
)


class SavedGame(StrictModel):
    """Content of a saved game's file.

    Attributes:
        experiment: path of the experiment's file, or a shipped name.
        seed: run seed.
        index: number of the game in the stream `play`.
        seat: seat of the person, in words as the next three; see `experiments.game.Place`.
        player: player with the person's deck.
        against: player with the opponent's deck.
        agent: agent that plays for the others.
        made_of: hash of the rules, cards and decks, and of the code that plays them.
        undone: number of actions that were taken back.
        conceded: whether the person gave up.
        actions: all actions, of all seats.
    """

    element: ClassVar[str] = "saved game"

    experiment: str
    seed: int = Field(ge=0, le=SEED_MAX)
    index: int = Field(ge=0, le=SEED_MAX)
    seat: str | None = None
    player: Name | None = None
    against: Name | None = None
    agent: str | None = None
    made_of: str
    undone: int = Field(default=0, ge=0)
    conceded: bool = False
    actions: tuple[Annotated[int, Field(ge=0, le=_ACTION_MAX)], ...] = ()

    @property
    def place(self) -> Place:
        """Seat, decks and opponent of the person."""
        return Place(self.seat, self.player, self.against, self.agent)


def new_game(experiment: AnyExperiment, place: Place, index: int) -> SavedGame:
    """Return a game without actions.

    Args:
        experiment: the experiment.
        place: seat, decks and opponent of the person.
        index: number of the game in the stream `play`.
    """
    path = experiment.path
    return SavedGame(
        experiment=path.stem if path.parent == SHIPPED else str(path.resolve()),
        seed=experiment.settings.seed,
        index=index,
        made_of=made_of(experiment),
        **asdict(place),
    )


def made_of(experiment: AnyExperiment) -> str:
    """Return a hash of everything that determines a game, except its seed and actions."""
    resolved = experiment.resolved("play")
    # Settings of the experiment and other agents do not affect the person's game.
    kept = {key: value for key, value in resolved.items() if key not in {"experiment", "pilots"}}
    return hashlib.sha256(f"{source_hash(_SIM)}{to_json(kept)}".encode()).hexdigest()[:12]


def check_same_game(saved: SavedGame, path: Path, experiment: AnyExperiment) -> None:
    """Check that cards, rules and engine have not changed since a game was played.

    Args:
        saved: the game.
        path: its file.
        experiment: the current experiment.

    Raises:
        InputError: they differ; names the file.
    """
    if saved.made_of != made_of(experiment):
        raise InputError(
            f"was played with other cards, rules or code than {experiment.path} has now "
            f"({saved.made_of}, now {made_of(experiment)})",
            place=path,
            value=saved.made_of,
            limit=made_of(experiment),
            remedy="begin a new game",
        )


def saved_game_at(name: str) -> SavedGame | None:
    """Return the game in a file; `None` if there is no such file, or it is an experiment's.

    Args:
        name: path of the file.

    Raises:
        InputError: the file is damaged.
    """
    path = Path(name)
    if not path.is_file():
        return None
    content = read_toml(path)
    return validate(SavedGame, content, source=name) if "made_of" in content else None


def save_game(path: Path, saved: SavedGame, actions: Sequence[int]) -> None:
    """Write a game to a file, and make its folder if needed.

    Args:
        path: the file.
        saved: the game.
        actions: all its actions.
    """
    document = tomlkit.document()
    document.add(tomlkit.comment(_HEAD))
    document.update(saved.model_dump(exclude_none=True) | {"actions": list(actions)})
    with made_folder(path.parent):
        write_atomically(path, tomlkit.dumps(document))


def free_game(results: Path, experiment: str, index: int | None) -> tuple[Path, int]:
    """Return a file that does not exist yet, and the number of its game.

    Args:
        results: parent of the run folders.
        experiment: name of the experiment.
        index: number of the game; default the first without a file.
    """
    folder = results / f"{file_label(experiment)}-play"
    if index is None:
        number = next(n for n in count() if not (folder / f"game-{n}.toml").exists())
        return folder / f"game-{number}.toml", number
    names = (f"game-{index}{f'-{n}' if n else ''}.toml" for n in count())
    return next(folder / name for name in names if not (folder / name).exists()), index
