"""Saved games of a person: identity of the game, and all its actions."""

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
        experiment: path of the experiment file, or name of a shipped experiment.
        seed: run seed of the experiment.
        index: number of the game in the stream `play`.
        seat: seat of the person; this and the next three values are those of
            `experiments.game.Place`.
        player: name of the player with the person's deck.
        against: name of the player with the opponent's deck.
        agent: name of the agent that plays the other seats.
        made_of: hash of the rules, cards and decks, and of the code that plays them.
        undone: number of actions that the person took back.
        conceded: whether the person conceded.
        actions: numbers of all actions of all seats, in order.
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
        """Seat and deck of the person, and deck and agent of the opponent."""
        return Place(self.seat, self.player, self.against, self.agent)


def new_game(experiment: AnyExperiment, place: Place, index: int) -> SavedGame:
    """Return a saved game without actions.

    Args:
        experiment: experiment with the cards, rules and decks of the game.
        place: seat and deck of the person, and deck and agent of the opponent.
        index: number of the game in the stream `play`.
    """
    path = experiment.path
    # Shipped experiments are saved by name, because their paths differ between machines.
    return SavedGame(
        experiment=path.stem if path.parent == SHIPPED else str(path.resolve()),
        seed=experiment.settings.seed,
        index=index,
        made_of=made_of(experiment),
        **asdict(place),
    )


def made_of(experiment: AnyExperiment) -> str:
    """Return a hash of everything that determines a game, except its place, seed and actions."""
    resolved = experiment.resolved("play")
    # Settings of the experiment and other agents do not affect the person's game.
    kept = {key: value for key, value in resolved.items() if key not in {"experiment", "pilots"}}
    return hashlib.sha256(f"{source_hash(_SIM)}{to_json(kept)}".encode()).hexdigest()[:12]


def check_same_game(saved: SavedGame, path: Path, experiment: AnyExperiment) -> None:
    """Check that cards, rules and engine have not changed since a game was played.

    Args:
        saved: saved game.
        path: file of the saved game, for messages.
        experiment: experiment of the game in its current state.

    Raises:
        InputError: the cards, decks, rules or code have changed; the message names the file.
    """
    if saved.made_of != made_of(experiment):
        raise InputError(
            f"was played with other cards, rules or code than {experiment.path} has now "
            f"(fingerprint then: {saved.made_of}; now: {made_of(experiment)})",
            place=path,
            value=saved.made_of,
            limit=made_of(experiment),
            remedy="begin a new game",
        )


def saved_game_at(name: str) -> SavedGame | None:
    """Return the game in a file; `None` if the file does not exist or is not a saved game.

    Args:
        name: path of the file.

    Raises:
        InputError: the file is not valid TOML, or is a damaged saved game.
    """
    path = Path(name)
    if not path.is_file():
        return None
    content = read_toml(path)
    return validate(SavedGame, content, source=name) if "made_of" in content else None


def save_game(path: Path, saved: SavedGame, actions: Sequence[int]) -> None:
    """Write a game to a file, and create its folder if needed.

    Args:
        path: file to write; an existing file is replaced.
        saved: game to write, of which `actions` is ignored.
        actions: numbers of all actions of the game, in order.
    """
    document = tomlkit.document()
    document.add(tomlkit.comment(_HEAD))
    document.update(saved.model_dump(exclude_none=True) | {"actions": list(actions)})
    with made_folder(path.parent):
        write_atomically(path, tomlkit.dumps(document))


def free_game(results: Path, experiment: str, index: int | None) -> tuple[Path, int]:
    """Return the path of a new file for a saved game, and the number of the game.

    If a file for the given number exists, the name of the new file gets a suffix.

    Args:
        results: parent of the run folders.
        experiment: name of the experiment.
        index: number of the game; by default the first number without a file.
    """
    folder = results / f"{file_label(experiment)}-play"
    if index is None:
        number = next(n for n in count() if not (folder / f"game-{n}.toml").exists())
        return folder / f"game-{number}.toml", number
    names = (f"game-{index}{f'-{n}' if n else ''}.toml" for n in count())
    return next(folder / name for name in names if not (folder / name).exists()), index
