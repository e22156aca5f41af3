"""Structure of an experiment file."""

from __future__ import annotations

import re
from typing import Annotated, ClassVar

from pydantic import AfterValidator, Field

from agents.dqn.settings import TrainSettings
from agents.registry import known_spelling
from balance import BalanceSettings, Learner, NarrowBy
from balance.tuning.settings import TurnSettings
from sim.errors import InputError
from sim.files.validation import Name, StrictModel

# Parts of paths: the name becomes a part of a folder's name below `results`.
_OF_PATHS = ("/", "\\", "..")
_DEVICE = re.compile(r"[a-z]:|(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)", re.IGNORECASE)


def _is_reference(text: str) -> str:
    """Return a name or a path, after checking that it is printable and on one line.

    Raises:
        InputError: it is not.
    """
    if not text.strip() or not text.isprintable():
        raise InputError("must be a name or a path, on one line", value=text)
    return text


Reference = Annotated[str, AfterValidator(_is_reference)]
"""A name, or the path of a file, which may be longer than a name."""


def _names_a_folder(name: str) -> str:
    """Return a name that folders may begin with, under any operating system.

    Raises:
        InputError: folders cannot have the name.
    """
    if name.startswith("."):
        raise InputError("must not begin with a dot, since folders are named after it", value=name)
    part = next((part for part in _OF_PATHS if part in name), None)
    if part is not None:
        raise InputError(
            f"must not hold {part!r}, since folders are named after it", value=name, limit=part
        )
    if _DEVICE.match(name):
        raise InputError("must not be the name of a drive or a device of Windows", value=name)
    return name


FolderName = Annotated[Name, AfterValidator(_names_a_folder)]
"""A name that a folder's name may begin with."""


class PlayerEntry(StrictModel):
    """A `[[player]]` table.

    Attributes:
        deck: name or path of the deck.
        agent: name of the agent that pilots the deck; `dqn:` and a reference for a trained one.
        name: name of the player in tables; default the deck's name.
    """

    deck: Reference
    agent: Annotated[Reference, AfterValidator(known_spelling)]
    name: Name | None = None


def _is_truth(n_games: int) -> int:
    """Return the number of games of a reference estimate, after checking it.

    Raises:
        InputError: it is neither 0 nor an even number of at least 4.
    """
    if n_games and (n_games < 4 or n_games % 2):
        raise InputError("must be 0, or even and at least 4", value=n_games, limit=4)
    return n_games


class Study(StrictModel):
    """A grid of balance runs: every combination of settings, with several run seeds.

    Attributes:
        narrow: ways of narrowing to compare; if empty, those of the methods or of the experiment.
        method: search methods to compare, by their names in `methods.toml`; if empty, the
            experiment's.
        run_seeds: number of runs of each combination, with seeds `seed`, `seed + 1`, ...
        truth_games: games per matchup for a reference estimate of each certified patch; 0 for none.
    """

    narrow: tuple[NarrowBy, ...] = ()
    method: tuple[str, ...] = ()
    run_seeds: int = Field(default=10, ge=1, le=1000)
    truth_games: Annotated[int, AfterValidator(_is_truth)] = Field(default=0, le=100_000_000)


class Evaluate(StrictModel):
    """Numbers of games that `evenhand evaluate` plays for each pairing of a learner.

    Attributes:
        games: games for the win rates.
        rollout_games: games for the win rates of searches, which are slow; 0 leaves them out.
        histogram_games: games in which actions and cards are counted.
        reference: a trained agent `dqn:...` as rollout policy of a second search; default none. It
            must not be a learner of this file, so that no learner is measured by itself.
    """

    games: int = Field(default=10_000, ge=2, le=100_000_000)
    rollout_games: int = Field(default=1_000, ge=0, le=100_000_000)
    histogram_games: int = Field(default=50_000, ge=2, le=100_000_000)
    reference: str | None = None


class ExperimentFile(BalanceSettings):
    """Content of an experiment file."""

    element: ClassVar[str] = "experiment"

    name: FolderName
    ruleset: Reference = "duel"
    pool: Reference = "core"
    players: Annotated[
        tuple[PlayerEntry, ...],
        Field(min_length=1, validation_alias="player", serialization_alias="player"),
    ]
    learners: Annotated[
        tuple[Learner, ...],
        Field(validation_alias="learner", serialization_alias="learner"),
    ] = ()
    train: TrainSettings = TrainSettings()
    turn: TurnSettings = TurnSettings()
    evaluate: Evaluate = Evaluate()
    study: Study = Study()

    @property
    def tunes_weights(self) -> bool:
        """Whether the learners are weights of turn searches; then none is a network."""
        return any(learner.kind == "turn" for learner in self.learners)
