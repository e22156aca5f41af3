"""What an experiment file of Big Two may say."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from balance.big_two_contest import LABELS, Rate
from balance.settings import Search
from balance.target import BandWidth, Goal
from balance.tune import StepWeight
from experiments.files.experiment_file import FolderName, Reference
from sim import SEED_MAX
from sim.big_two.cards import N_SEATS
from sim.big_two.rules import VARIANTS, BigTwoRules
from sim.files.strict_model import Name, StrictModel, in_order_of, one_of
from sim.ruleset import SignedRange

TableCount = Annotated[int, Field(ge=8, le=100_000_000, multiple_of=N_SEATS)]
"""Games, each deal in all rotations of the hands; an interval needs two deals."""


_BY_NUMBER = in_order_of("number of the rules", LABELS)


class RulesEntry(BigTwoRules):
    """The `[rules]` table: a variant, and what is different from it."""

    variant: Annotated[str, one_of("variant", VARIANTS)] = "standard"


class BigTwoPlayerEntry(StrictModel):
    """A `[[player]]` table.

    Attributes:
        agent: name of the agent that plays.
        name: what tables call the player; default the agent's name. Of players of one name the
            mean is told.
    """

    agent: Reference
    name: Name | None = None

    @property
    def called(self) -> str:
        """What tables call the player."""
        return self.name or self.agent


class BigTwoTarget(StrictModel):
    """What is wanted of the players and of the places in turn order.

    Attributes:
        of: what shares are of, first places or points.
        win_rate: goals by player and by place; `others` for those that it does not name, 0.25 if
            not said.
        band_pp: how far from its goal a share may be, in percentage points, where a goal has no
            bounds of its own.
    """

    of: Rate = "first_places"
    win_rate: dict[str, Goal] = Field(default_factory=dict)
    band_pp: BandWidth = 5.0


class BigTwoTune(StrictModel):
    """What may move.

    Attributes:
        rules: numbers of the rules, each from its lowest to its highest value.
        weights: what a step of each counts in the change; 1 if not said.
    """

    rules: Annotated[dict[str, SignedRange], _BY_NUMBER] = Field(default_factory=dict)
    weights: Annotated[dict[str, StepWeight], _BY_NUMBER] = Field(default_factory=dict)


class BigTwoGames(StrictModel):
    """How many games each stage plays, in multiples of four: all rotations of a deal.

    Attributes:
        matchups: measure today's rules.
        design: of `model`, all its random patches; default half of what a score of every step of
            every number would take.
        search: score a patch in the search.
        select: score each of the best once more.
        certify: judge the recommended one.
    """

    matchups: TableCount = 20_000
    design: TableCount | None = None
    search: TableCount = 1_000
    select: TableCount = 20_000
    certify: TableCount = 40_000


class BigTwoFile(StrictModel):
    """An experiment file of Big Two as it is written."""

    element: ClassVar[str] = "experiment"

    name: FolderName
    game: Literal["big_two"]
    seed: int = Field(ge=0, le=SEED_MAX)
    rules: RulesEntry = RulesEntry()
    players: Annotated[
        tuple[BigTwoPlayerEntry, ...],
        Field(
            min_length=N_SEATS,
            max_length=N_SEATS,
            validation_alias="player",
            serialization_alias="player",
        ),
    ]
    target: BigTwoTarget = BigTwoTarget()
    tune: BigTwoTune = BigTwoTune()
    games: BigTwoGames = BigTwoGames()
    search: Search = Search()
