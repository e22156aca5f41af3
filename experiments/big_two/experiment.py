"""Experiment files of Big Two: their contents, and the objects they describe."""

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
"""Number of games, each deal in all rotations of the hands; an interval needs two deals."""


_BY_NUMBER = in_order_of("number of the rules", LABELS)


class RulesEntry(BigTwoRules):
    """The `[rules]` table: a variant, and changes of its rules.

    Attributes:
        variant: name of the variant.
    """

    variant: Annotated[str, one_of("variant", VARIANTS)] = "standard"


class BigTwoPlayerEntry(StrictModel):
    """A `[[player]]` table.

    Attributes:
        agent: name of the agent that plays.
        name: name of the player in tables; by default the agent's name. Players with the same name
            share one rate, the mean of theirs.
    """

    agent: Reference
    name: Name | None = None

    @property
    def label(self) -> str:
        """Name of the player in tables."""
        return self.name or self.agent


class BigTwoTarget(StrictModel):
    """The wanted shares of the players and of the places in turn order.

    Attributes:
        of: what shares are of, first places or points.
        win_rate: goals by player and by place; `others` stands for those that are not named, 0.25
            by default.
        band_pp: permitted distance of a share from its goal in percentage points, for goals without
            bounds of their own.
    """

    of: Rate = "first_places"
    win_rate: dict[str, Goal] = Field(default_factory=dict)
    band_pp: BandWidth = 5.0


class BigTwoTune(StrictModel):
    """The numbers that may change.

    Attributes:
        rules: lowest and highest value of each number of the rules that may change.
        weights: cost of one step of each number; by default 1.
    """

    rules: Annotated[dict[str, SignedRange], _BY_NUMBER] = Field(default_factory=dict)
    weights: Annotated[dict[str, StepWeight], _BY_NUMBER] = Field(default_factory=dict)


class BigTwoGames(StrictModel):
    """Number of games of each stage, a multiple of four: all rotations of a deal.

    Attributes:
        matchups: games to measure the baseline rules.
        design: games of `model` for all patches of the initial design; by default half of what it
            would take to score each step of each number.
        search: games to score a patch in the search.
        select: games to score each of the best patches once more.
        certify: games to judge the recommended patch.
    """

    # With n games, a share of 25 % has an interval of about 85 / sqrt(n) percentage points to each
    # side: 0.6 for 20,000 games, 2.7 for 1,000 and 0.4 for 40,000. The default band is 5.
    matchups: TableCount = 20_000
    design: TableCount | None = None
    search: TableCount = 1_000
    select: TableCount = 20_000
    certify: TableCount = 40_000


class BigTwoFile(StrictModel):
    """An experiment file of Big Two."""

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
    """An experiment file of Big Two, with the objects that it names.

    Attributes:
        path: the file.
        settings: contents of the file.
        rules: rules of the variant, with the changes of the file.
        players: players in the order of their seats.
        pilots: files of the trained agents, by the names in the experiment.
    """

    path: Path
    settings: BigTwoFile
    rules: BigTwoRules
    players: tuple[BigTwoPlayer, ...]
    pilots: Mapping[str, PilotFile] = field(default_factory=dict)

    @property
    def first_seat_bounds(self) -> None:
        """No bounds: shares of the first of two seats do not exist with four seats."""

    def contest(self) -> BigTwoContest:
        """Return the contest of the four players."""
        return BigTwoContest(self.rules, self.players, self.settings.target.of)

    def space(self) -> SearchSpace:
        """Return the search space.

        Raises:
            InputError: a range is not permitted for its number, or no number may change.
        """
        tune = self.settings.tune
        return rule_space(self.rules, tune.rules, tune.weights)

    def balance_settings(self) -> BalanceSettings:
        """Return the settings of the balancing pipeline."""
        settings = self.settings
        return BalanceSettings(
            seed=settings.seed,
            target=Target(**settings.target.model_dump(exclude={"of"})),
            games=Games(**settings.games.model_dump()),
            search=settings.search,
        )

    def resolved(self, command: str = "") -> dict[str, Any]:  # noqa: ARG002 (equal for all commands)
        """Return all data that the results of a command depend on."""
        return {
            "experiment": self.settings.model_dump(mode="json", by_alias=True),
            "rules": self.rules.model_dump(mode="json"),
            "pilots": {agent: file.content for agent, file in self.pilots.items()},
        }

    def question(self) -> Question:
        """Return the question that a certificate answers, and the settings of its search."""
        resolved = self.resolved()
        settings = resolved["experiment"]
        asked = {
            "player": settings["player"],
            "target": settings["target"],
            "tune": settings["tune"]["rules"],
            "rules": resolved["rules"],
            "pilots": resolved["pilots"],
        }
        weights = settings["tune"]["weights"]
        how = {"games": settings["games"], "search": settings["search"], "weights": weights}
        return Question(settings["name"], settings["seed"], asked, how)

    def with_seed(self, seed: int | None) -> BigTwoExperiment:
        """Return the experiment with another run seed; `None` keeps its own."""
        if seed is None:
            return self
        return replace(self, settings=self.settings.model_copy(update={"seed": seed}))


def load_big_two(path: Path) -> BigTwoExperiment:
    """Read an experiment file of Big Two.

    Raises:
        InputError: the file is missing or wrong; names the file, field, value and limit.
    """
    settings = validate(BigTwoFile, read_toml(path), source=str(path))
    changed = {name: getattr(settings.rules, name) for name in settings.rules.model_fields_set}
    with error_place(path):
        trained = [
            (player.agent, f"player {player.label!r}: agent")
            for player in settings.players
            if player.agent.startswith(PREFIX)
        ]
        pilots = find_pilots(trained, near=path, results=Path("results"))
        players = tuple(_player(entry, pilots) for entry in settings.players)
        experiment = BigTwoExperiment(path, settings, rules_of(**changed), players, pilots)
        # Goals and ranges are checked here, so that a wrong file is rejected by all commands.
        experiment.balance_settings().demands_in(experiment.contest())
        if settings.tune.rules:
            experiment.space()
    return experiment


def check_balance(experiment: BigTwoExperiment) -> None:
    """Check that a search is possible, before any game is played.

    Raises:
        InputError: no number may change, or the settings of the search are wrong.
    """
    experiment.space()
    check_search(experiment.settings.search)


def _player(entry: BigTwoPlayerEntry, pilots: Mapping[str, PilotFile]) -> BigTwoPlayer:
    """Return the player of an entry.

    Args:
        entry: the `[[player]]` table.
        pilots: files of the trained agents, by the names in the experiment.

    Raises:
        InputError: the name is a word of `[target]`, or there is no such agent.
    """
    if entry.label in {*PLACES, *RESERVED}:
        raise InputError(
            "is a reserved word of [target]",
            place=f"player {entry.label!r}",
            value=entry.label,
            remedy="give the player another `name`",
        )
    name = f"{PREFIX}{pilots[entry.agent].path}" if entry.agent in pilots else entry.agent
    with error_place(f"player {entry.label!r}: agent"):
        return BigTwoPlayer(entry.label, agent_named(name))
