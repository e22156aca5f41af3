"""Games that a person has played, as files: which game it is, and all that was done in it."""

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
_ACTION_MAX = 2**31 - 1
_HEAD = (
    "A game of evenhand: `evenhand replay FILE` tells it with all that was hidden, "
    "`evenhand play FILE` goes on with it."
)


class SavedGame(StrictModel):
    """A game as its file has it.

    Attributes:
        experiment: the path of its file, or a shipped name.
        seed: the run seed.
        index: which game of the stream `play`.
        seat: the person's, in words, as are the next three; see `experiments.game.Place`.
        player: whose deck it is.
        against: whose deck the opponent's is.
        agent: who plays for the others.
        made_of: names the rules, cards and decks, and the code that plays them.
        undone: how many actions were taken back.
        conceded: whether the person gave up.
        actions: what was done, by all seats.
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
        """Where the person sits."""
        return Place(self.seat, self.player, self.against, self.agent)


def new_game(experiment: AnyExperiment, place: Place, index: int) -> SavedGame:
    """A game in which nothing has been done."""
    path = experiment.path
    return SavedGame(
        experiment=path.stem if path.parent == SHIPPED else str(path.resolve()),
        seed=experiment.settings.seed,
        index=index,
        made_of=made_of(experiment),
        **asdict(place),
    )


def made_of(experiment: AnyExperiment) -> str:
    """Names all that a list of actions hangs on but the seed."""
    told = experiment.resolved("play")
    kept = {key: value for key, value in told.items() if key not in {"experiment", "pilots"}}
    return hashlib.sha256(f"{source_hash(_SIM)}{to_json(kept)}".encode()).hexdigest()[:12]


def check_same_game(saved: SavedGame, path: Path, experiment: AnyExperiment) -> None:
    """Refuse a game whose cards, rules or engine are no longer what they were.

    Raises:
        InputError: names the file.
    """
    if saved.made_of != made_of(experiment):
        raise InputError(
            f"{path}: was played with other cards, rules or code than {experiment.path} has now "
            f"({saved.made_of}, now {made_of(experiment)}); begin a new game"
        )


def saved_game_at(name: str) -> SavedGame | None:
    """The game in a file; `None` if the name is that of an experiment.

    Raises:
        InputError: the file is damaged.
    """
    path = Path(name)
    if not path.is_file():
        return None
    told = read_toml(path)
    return validate(SavedGame, told, source=name) if "made_of" in told else None


def save_game(path: Path, saved: SavedGame, actions: Sequence[int]) -> None:
    """Write a game, into a folder that need not be there."""
    document = tomlkit.document()
    document.add(tomlkit.comment(_HEAD))
    document.update(saved.model_dump(exclude_none=True) | {"actions": list(actions)})
    with made_folder(path.parent):
        write_atomically(path, tomlkit.dumps(document))


def free_game(results: Path, experiment: str, index: int | None) -> tuple[Path, int]:
    """A file that is not there yet, and the number of the game that it is for.

    Args:
        results: parent of the run folders.
        experiment: name of the experiment.
        index: which game; default the first that has no file.
    """
    folder = results / f"{file_label(experiment)}-play"
    if index is None:
        number = next(n for n in count() if not (folder / f"game-{n}.toml").exists())
        return folder / f"game-{number}.toml", number
    names = (f"game-{index}{f'-{n}' if n else ''}.toml" for n in count())
    return next(folder / name for name in names if not (folder / name).exists()), index
