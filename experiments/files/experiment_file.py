"""Structure of an experiment file, as pydantic models."""

from __future__ import annotations

import re
from typing import Annotated, ClassVar

from pydantic import AfterValidator, Field

from agents.dqn.settings import TrainSettings
from agents.registry import known_spelling
from balance import BalanceSettings, Learner, NarrowBy
from balance.learning.learner_kinds import BUILT_IN
from balance.learning.net_settings import NetSettings
from balance.tuning.settings import TurnSettings
from sim.errors import InputError
from sim.files.validation import Name, StrictModel

# Parts of paths, not permitted in a name that becomes a part of a folder's name below `results`.
_OF_PATHS = ("/", "\\", "..")
_DEVICE = re.compile(r"[a-z]:|(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)", re.IGNORECASE)


def _is_reference(text: str) -> str:
    """Return a name or a path, after checking that it is not blank and is printable on one line.

    Raises:
        InputError: the text is blank, or has line breaks or other characters that do not print.
    """
    if not text.strip() or not text.isprintable():
        raise InputError("must be a name or a path, on one line", value=text)
    return text


Reference = Annotated[str, AfterValidator(_is_reference)]
"""Name, or path of a file; unlike `Name`, its length is not limited."""


def _names_a_folder(name: str) -> str:
    """Return a name, after checking that names of folders may begin with it on all systems.

    Raises:
        InputError: the name begins with a dot, has a part of a path, or is reserved by Windows.
    """
    if name.startswith("."):
        raise InputError("must not begin with a dot, since folders are named after it", value=name)
    part = next((part for part in _OF_PATHS if part in name), None)
    if part is not None:
        raise InputError(
            f"must not contain {part!r}, since folders are named after it", value=name, limit=part
        )
    if _DEVICE.match(name):
        raise InputError("must not be the name of a Windows drive or device", value=name)
    return name


FolderName = Annotated[Name, AfterValidator(_names_a_folder)]
"""Name with which names of folders may begin on all operating systems."""


class PlayerEntry(StrictModel):
    """Table `[[player]]` of an experiment file.

    Attributes:
        deck: name or path of the player's deck.
        agent: name of the agent that pilots the deck; `dqn:REFERENCE` for a trained agent.
        name: name of the player in results; by default the name of the deck.
        archetype: name that the deck has in observed results (`evenhand agree`); several decks of
            one archetype are compared together; by default the name of the player.
    """

    deck: Reference
    agent: Annotated[Reference, AfterValidator(known_spelling)]
    name: Name | None = None
    archetype: Name | None = None


def _is_truth(n_games: int) -> int:
    """Return the number of games of a reference estimate, after checking it.

    Raises:
        InputError: the number is neither 0 nor an even number of at least 4.
    """
    if n_games and (n_games < 4 or n_games % 2):
        raise InputError("must be 0, or even and at least 4", value=n_games, limit=4)
    return n_games


class Study(StrictModel):
    """Settings of a study: a grid of balance runs with all combinations of settings and seeds.

    Attributes:
        narrow: ways of narrowing to compare; if empty, those of the methods or of the experiment.
        method: names in `methods.toml` of the search methods to compare; if empty, the method of
            the experiment.
        run_seeds: number of runs of each combination, with the run seeds `seed`, `seed + 1`, ...
        truth_games: number of games per matchup for a reference estimate of each certified patch; 0
            skips the estimate.
    """

    narrow: tuple[NarrowBy, ...] = ()
    method: tuple[str, ...] = ()
    run_seeds: int = Field(default=10, ge=1, le=1000)
    truth_games: Annotated[int, AfterValidator(_is_truth)] = Field(default=0, le=100_000_000)


class Evaluate(StrictModel):
    """Settings of `evenhand evaluate`: numbers of games for each pairing of a learner.

    Attributes:
        games: number of games for the win rates of scripts and learners.
        rollout_games: number of games for the win rates of searches, which are slow; 0 skips them.
        histogram_games: number of games in which actions and cards are counted.
        reference: name `dqn:...` of a trained agent that is the rollout policy of a second search;
            `None` skips that search. It must not be a learner of the same file, so that no learner
            is measured by itself.
    """

    games: int = Field(default=10_000, ge=2, le=100_000_000)
    rollout_games: int = Field(default=1_000, ge=0, le=100_000_000)
    histogram_games: int = Field(default=50_000, ge=2, le=100_000_000)
    reference: str | None = None


class ExperimentFile(BalanceSettings):
    """Content of an experiment file: balance settings, players, learners and further settings.

    Attributes:
        name: name of the experiment, with which its run folders begin.
        ruleset: name or path of the ruleset.
        pool: name or path of the card pool.
        players: players of the contest, at least one (tables `[[player]]`).
        learners: agents to train (tables `[[learner]]`).
        train: settings of the training of networks.
        turn: settings of the tuning of search weights.
        net: settings of the training of learned values.
        evaluate: settings of `evenhand evaluate`.
        study: settings of `evenhand study`.
    """

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
    net: NetSettings = NetSettings()
    evaluate: Evaluate = Evaluate()
    study: Study = Study()

    @property
    def tunes_weights(self) -> bool:
        """Whether the learners are weights of turn searches instead of networks."""
        return any(learner.kind == "turn" for learner in self.learners)

    @property
    def trains_values(self) -> bool:
        """Whether the learners are values of positions."""
        return any(learner.kind == "net" for learner in self.learners)

    @property
    def learns_by_plugin(self) -> bool:
        """Whether a learner is of a kind that a package declares."""
        return any(learner.kind not in BUILT_IN for learner in self.learners)
