"""An experiment of Big Two: what its file may say, and what that comes to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from agents.big_two import agent_named
from balance.big_two_contest import LABELS, PLACES, BigTwoContest, BigTwoPlayer, Rate, rule_space
from balance.methods import check_search
from balance.search_space import SearchSpace
from balance.settings import BalanceSettings, Games, Search
from balance.target import RESERVED, BandWidth, Goal, Target
from balance.tune import StepWeight
from experiments.files.agent_files import PREFIX, PilotFile, find_pilots
from experiments.files.experiment_file import FolderName, Reference
from experiments.runs.ledger import Question
from sim import SEED_MAX, InputError, error_place, read_toml, validate
from sim.big_two.cards import N_SEATS
from sim.big_two.rules import VARIANTS, BigTwoRules, rules_of
from sim.files.validation import Name, StrictModel, in_order_of, one_of
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


@dataclass(frozen=True)
class BigTwoExperiment:
    """An experiment file of Big Two with what it names.

    Attributes:
        path: the file.
        settings: what it says.
        rules: its variant, with what the file changes.
        players: in the order of their seats.
        pilots: the files of the trained agents, by what refers to them.
    """

    path: Path
    settings: BigTwoFile
    rules: BigTwoRules
    players: tuple[BigTwoPlayer, ...]
    pilots: Mapping[str, PilotFile] = field(default_factory=dict)

    @property
    def first_seat_bounds(self) -> None:
        """Its four seats have no first of two."""

    def contest(self) -> BigTwoContest:
        """The four players at their table."""
        return BigTwoContest(self.rules, self.players, self.settings.target.of)

    def space(self) -> SearchSpace:
        """What may move.

        Raises:
            InputError: a range is none of its number's, or nothing may move.
        """
        tune = self.settings.tune
        return rule_space(self.rules, tune.rules, tune.weights)

    def balance_settings(self) -> BalanceSettings:
        """What the science is told."""
        told = self.settings
        return BalanceSettings(
            seed=told.seed,
            target=Target(**told.target.model_dump(exclude={"of"})),
            games=Games(**told.games.model_dump()),
            search=told.search,
        )

    def resolved(self, command: str = "") -> dict[str, Any]:  # noqa: ARG002 (alike for all)
        """Everything that the results of a command depend on, as plain data."""
        return {
            "experiment": self.settings.model_dump(mode="json", by_alias=True),
            "rules": self.rules.model_dump(mode="json"),
            "pilots": {agent: file.content for agent, file in self.pilots.items()},
        }

    def question(self) -> Question:
        """What a certificate speaks of, and how that is found out."""
        known = self.resolved()
        told = known["experiment"]
        asked = {
            "player": told["player"],
            "target": told["target"],
            "tune": told["tune"]["rules"],
            "rules": known["rules"],
            "pilots": known["pilots"],
        }
        weights = told["tune"]["weights"]
        how = {"games": told["games"], "search": told["search"], "weights": weights}
        return Question(told["name"], told["seed"], asked, how)

    def with_seed(self, seed: int | None) -> BigTwoExperiment:
        """The same experiment under another run seed; `None` keeps its own."""
        if seed is None:
            return self
        return replace(self, settings=self.settings.model_copy(update={"seed": seed}))


def load_big_two(path: Path) -> BigTwoExperiment:
    """Read an experiment of Big Two.

    Raises:
        InputError: the file is missing or wrong; names the file, the field, the value, the limit.
    """
    settings = validate(BigTwoFile, read_toml(path), source=str(path))
    changed = {name: getattr(settings.rules, name) for name in settings.rules.model_fields_set}
    with error_place(path):
        named = [
            (one.agent, f"player {one.called!r}: agent")
            for one in settings.players
            if one.agent.startswith(PREFIX)
        ]
        pilots = find_pilots(named, near=path, results=Path("results"))
        players = tuple(_player(entry, pilots) for entry in settings.players)
        found = BigTwoExperiment(path, settings, rules_of(**changed), players, pilots)
        found.balance_settings().demands_in(found.contest())
        if settings.tune.rules:
            found.space()
    return found


def check_balance(experiment: BigTwoExperiment) -> None:
    """Refuse what the stages of a search would refuse, before anything is played.

    Raises:
        InputError: nothing may move, or there is no such search.
    """
    experiment.space()
    check_search(experiment.settings.search)


def _player(entry: BigTwoPlayerEntry, pilots: Mapping[str, PilotFile]) -> BigTwoPlayer:
    if entry.called in {*PLACES, *RESERVED}:
        raise InputError(
            f"player {entry.called!r}: means something in [target]; give another `name`"
        )
    name = f"{PREFIX}{pilots[entry.agent].path}" if entry.agent in pilots else entry.agent
    with error_place(f"player {entry.called!r}: agent"):
        return BigTwoPlayer(entry.called, agent_named(name))
