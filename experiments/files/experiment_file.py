"""What an experiment file may say."""

from __future__ import annotations

import re
from typing import Annotated, ClassVar

from pydantic import AfterValidator, Field

from agents.dqn.settings import TrainSettings
from agents.registry import known_spelling
from balance import BalanceSettings, Learner, NarrowBy
from balance.tuning.settings import TurnSettings
from sim.files.validation import Name, StrictModel

_OF_PATHS = ("/", "\\", "..")
_DEVICE = re.compile(r"[a-z]:|(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)", re.IGNORECASE)


def _is_reference(text: str) -> str:
    if not text.strip() or not text.isprintable():
        raise ValueError("must be a name or a path, on one line")
    return text


Reference = Annotated[str, AfterValidator(_is_reference)]
"""A name, or the path of a file; paths may be longer than names."""


def _names_a_folder(name: str) -> str:
    """Runs are kept in folders that begin with the experiment's name, under any system."""
    if name.startswith("."):
        raise ValueError("must not begin with a dot, since folders are named after it")
    part = next((part for part in _OF_PATHS if part in name), None)
    if part is not None:
        raise ValueError(f"must not hold {part!r}, since folders are named after it")
    if _DEVICE.match(name):
        raise ValueError("must not be the name of a drive or a device, as Windows has them")
    return name


FolderName = Annotated[Name, AfterValidator(_names_a_folder)]
"""A name that can begin that of a folder."""


class PlayerEntry(StrictModel):
    """A `[[player]]` table.

    Attributes:
        deck: name or path of the deck.
        agent: name of the agent that pilots it; `dqn:` and a reference for a trained one.
        name: what tables call the player; default the deck's name.
    """

    deck: Reference
    agent: Annotated[Reference, AfterValidator(known_spelling)]
    name: Name | None = None


def _is_truth(n_games: int) -> int:
    if n_games and (n_games < 4 or n_games % 2):
        raise ValueError("must be 0, or even and at least 4")
    return n_games


class Study(StrictModel):
    """A grid of balance runs: every combination, once per run seed.

    Attributes:
        narrow: ways of narrowing to compare; none are the method's or the experiment's own.
        method: ways to search, by their names in `methods.toml`; none are the experiment's own.
        run_seeds: runs of each combination, with seeds `seed`, `seed + 1`, ...
        truth_games: per matchup, which tell the truth of a certified patch; 0 asks nobody.
    """

    narrow: tuple[NarrowBy, ...] = ()
    method: tuple[str, ...] = ()
    run_seeds: int = Field(default=10, ge=1, le=1000)
    truth_games: Annotated[int, AfterValidator(_is_truth)] = Field(default=0, le=100_000_000)


class Evaluate(StrictModel):
    """How many games `evenhand evaluate` plays, per pairing of a learner.

    Attributes:
        games: for the win rates.
        rollout_games: for the win rates of searches, which are slow; 0 leaves them out.
        histogram_games: whose actions and cards are counted.
        reference: a trained agent `dqn:...` that plays on in a second search, by default there is
            none. It is no learner of this file, so that none is measured by itself.
    """

    games: int = Field(default=10_000, ge=2, le=100_000_000)
    rollout_games: int = Field(default=1_000, ge=0, le=100_000_000)
    histogram_games: int = Field(default=50_000, ge=2, le=100_000_000)
    reference: str | None = None


class ExperimentFile(BalanceSettings):
    """An experiment file as it is written."""

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
        """Whether its learners are weights of turn searches; then none is a network."""
        return any(learner.kind == "turn" for learner in self.learners)
