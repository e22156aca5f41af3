"""Experiment files of Big Two: their tables, and the experiments that they describe."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from agents.big_two import agent_named
from balance import Edit
from balance.big_two.big_two_contest import (
    LABELS,
    PLACES,
    BigTwoContest,
    BigTwoPlayer,
    Rate,
    rule_space,
)
from balance.contest.target import RESERVED, BandWidth, Goal, Target
from balance.settings.tables import BalanceSettings, Games, Search
from balance.space.search_space import SearchSpace
from balance.space.tune import StepWeight
from experiments.contest_experiment import PATCHED
from experiments.files.agent_files import PREFIX, PilotFile, find_pilots
from experiments.files.experiment_file import FolderName, Reference
from experiments.runs.ledger import Attempt
from sim import SEED_MAX, InputError, error_place, read_toml, validate, write_atomically
from sim.big_two.cards import N_SEATS
from sim.big_two.rules import VARIANTS, BigTwoRules, rules_of
from sim.files.toml_document import load_tomlkit
from sim.files.validation import Name, StrictModel, in_order_of, one_of
from sim.files.whole_file import read_text
from sim.ruleset import SignedRange

TableCount = Annotated[int, Field(ge=8, le=100_000_000, multiple_of=N_SEATS)]
"""Number of games, a multiple of four for the rotations of each deal; at least two deals."""


RATE_WORDS: dict[Rate, str] = {"first_places": "first places", "points": "points"}
"""Names of the kinds of rate in tables."""

NO_SECOND_OPINION = (
    "No second opinion: the pilots that give one (greedy, light, reader) play games of cards, "
    "not Big Two."
)

_BY_NUMBER = in_order_of("number of the rules", LABELS)
"""Validator of tables by number of the rules: rejects unknown names and sorts the others."""


class RulesEntry(BigTwoRules):
    """The `[rules]` table of an experiment file: a variant, and fields that differ from it.

    Attributes:
        variant: name of the variant (`sim.big_two.rules.VARIANTS`).
    """

    variant: Annotated[str, one_of("variant", VARIANTS)] = "standard"


class BigTwoPlayerEntry(StrictModel):
    """A `[[player]]` table of an experiment file, which describes the player in one seat.

    Attributes:
        agent: name of the agent that controls the player.
        name: name of the player in reports; by default the name of the agent. Players with the same
            name have a common rate, the mean of their rates.
    """

    agent: Reference
    name: Name | None = None

    @property
    def label(self) -> str:
        """Name of the player in reports: `name` if it is given, otherwise the agent's name."""
        return self.name or self.agent


class BigTwoTarget(StrictModel):
    """The `[target]` table of an experiment file: goals for the shares of players and places.

    Attributes:
        of: kind of rate that the goals are about: shares of first places or of points.
        win_rate: goal for the share of each player or place, by its name; the entry `others` is
            for all that are not named, by default 0.25.
        band_pp: permitted distance of a share from its goal in percentage points, for goals without
            bounds of their own.
    """

    of: Rate = "first_places"
    win_rate: dict[str, Goal] = Field(default_factory=dict)
    band_pp: BandWidth = 5.0


class BigTwoTune(StrictModel):
    """The `[tune]` table of an experiment file: the numbers that a search may change.

    Attributes:
        rules: lowest and highest value of each number that may change, by name.
        weights: cost of one step of each number, by name; by default 1.
    """

    rules: Annotated[dict[str, SignedRange], _BY_NUMBER] = Field(default_factory=dict)
    weights: Annotated[dict[str, StepWeight], _BY_NUMBER] = Field(default_factory=dict)


class BigTwoGames(StrictModel):
    """The `[games]` table of an experiment file: number of games in each stage.

    All numbers are multiples of four, since each deal is played in all rotations of the hands.

    Attributes:
        matchups: number of games to measure the baseline rules.
        design: number of games for all patches of the initial design of the method `model`; by
            default half of the number needed to score each step of each number of the rules.
        search: number of games to score one patch in the search.
        select: number of games to score each of the best patches once more.
        certify: number of games to certify the recommended patch.
    """

    # With n games, a share of 25 % has an interval of about 85 / sqrt(n) percentage points to each
    # side: 0.6 for 20,000 games, 2.7 for 1,000 and 0.4 for 40,000. The default band is 5.
    matchups: TableCount = 20_000
    design: TableCount | None = None
    search: TableCount = 1_000
    select: TableCount = 20_000
    certify: TableCount = 40_000


class BigTwoFile(StrictModel):
    """Contents of an experiment file of Big Two.

    Attributes:
        name: name of the experiment, which is also the name of its run folders.
        game: name of the game.
        seed: seed of the run.
        rules: rules before any patch.
        players: players in the order of their seats.
        target: goals for the shares of players and places.
        tune: numbers of the rules that a search may change.
        games: number of games in each stage.
        search: settings of the search.
    """

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
    """Experiment of Big Two: the contents of its file, and the objects that these describe.

    Attributes:
        path: path of the experiment file.
        settings: contents of the file.
        rules: baseline rules, which are the rules of the variant with the changes in the file.
        players: players in the order of their seats.
        pilots: files of the trained agents, by the name of the agent in the experiment file.
    """

    path: Path
    settings: BigTwoFile
    rules: BigTwoRules
    players: tuple[BigTwoPlayer, ...]
    pilots: Mapping[str, PilotFile] = field(default_factory=dict)

    no_opinion: ClassVar[str] = NO_SECOND_OPINION

    @property
    def rates(self) -> str:
        """Name of the rates in titles of tables."""
        return f"Share of {RATE_WORDS[self.settings.target.of]}"

    @property
    def first_seat_bounds(self) -> None:
        """Always `None`, since bounds for the first of two seats do not apply to four seats."""

    def contest(self) -> BigTwoContest:
        """Return the contest of the four players under the baseline rules."""
        return BigTwoContest(self.rules, self.players, self.settings.target.of)

    def space(self) -> SearchSpace:
        """Return the search space of the numbers of the rules that may change.

        Raises:
            InputError: a range is not permitted for its number, or no number may change.
        """
        tune = self.settings.tune
        return rule_space(self.rules, tune.rules, tune.weights)

    def balance_settings(self) -> BalanceSettings:
        """Return the settings for the balancing pipeline: seed, target, games and search."""
        settings = self.settings
        return BalanceSettings(
            seed=settings.seed,
            target=Target(**settings.target.model_dump(exclude={"of"})),
            games=Games(**settings.games.model_dump()),
            search=settings.search,
        )

    def resolved(self, command: str = "") -> dict[str, Any]:  # noqa: ARG002 (equal for all commands)
        """Return all data that results depend on, as JSON values; equal for all commands."""
        return {
            "experiment": self.settings.model_dump(mode="json", by_alias=True),
            "rules": self.rules.model_dump(mode="json"),
            "pilots": {agent: file.content for agent, file in self.pilots.items()},
        }

    def attempt(self) -> Attempt:
        """Return the certification attempt, for the ledger of repeated attempts.

        It consists of the players, target, tuned numbers, rules and trained agents. The numbers of
        games, the search and the weights are recorded as the method that was used.
        """
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
        return Attempt(settings["name"], settings["seed"], asked, how)

    def with_seed(self, seed: int | None) -> BigTwoExperiment:
        """Return a copy of the experiment with another run seed; itself if `seed` is `None`."""
        if seed is None:
            return self
        return replace(self, settings=self.settings.model_copy(update={"seed": seed}))

    def write_patched(self, patch: Sequence[Edit], folder: Path) -> None:
        """Write a copy of the experiment file with a patch in its `[rules]` table.

        Args:
            patch: edits of numbers of the rules.
            folder: folder of the new file.

        Raises:
            InputError: the experiment file cannot be read, or the new one cannot be written.
        """
        tomlkit = load_tomlkit()

        document: Any = tomlkit.parse(read_text(self.path))
        table = document.setdefault("rules", tomlkit.table())
        patched = self.rules.with_numbers({edit.field: edit.after for edit in patch})
        before = self.rules.model_dump(mode="json")
        after = patched.model_dump(mode="json")
        # Only changed fields are written, so that all other lines of the file remain as they are.
        table.update({name: value for name, value in after.items() if value != before[name]})
        write_atomically(folder / PATCHED, tomlkit.dumps(document))


def load_big_two(path: Path) -> BigTwoExperiment:
    """Read an experiment file of Big Two, and check its goals and ranges.

    Raises:
        InputError: the file is missing or damaged, a value is not permitted, or an agent does not
            exist; the message names the file and the field.
    """
    return read_big_two(read_toml(path), path)


def read_big_two(tables: Mapping[str, Any], path: Path) -> BigTwoExperiment:
    """Return the experiment of Big Two that the content of a file describes, after checking it.

    Args:
        tables: content of the file.
        path: path of the file.

    Raises:
        InputError: a value is not permitted, or an agent does not exist.
    """
    settings = validate(BigTwoFile, tables, source=str(path))
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
        # Goals and ranges are checked here, so that all commands reject a wrong file.
        experiment.balance_settings().demands_in(experiment.contest())
        if settings.tune.rules:
            experiment.space()
    return experiment


def _player(entry: BigTwoPlayerEntry, pilots: Mapping[str, PilotFile]) -> BigTwoPlayer:
    """Return the player that a `[[player]]` table describes.

    Args:
        entry: contents of the table.
        pilots: files of the trained agents, by the name of the agent in the experiment file.

    Raises:
        InputError: the name of the player is a reserved word of `[target]`, or the agent does not
            exist.
    """
    if entry.label in {*PLACES, *RESERVED}:
        raise InputError(
            "the name is a reserved word of [target]",
            place=f"player {entry.label!r}",
            value=entry.label,
            remedy="give the player another `name`",
        )
    name = f"{PREFIX}{pilots[entry.agent].path}" if entry.agent in pilots else entry.agent
    with error_place(f"player {entry.label!r}: agent"):
        return BigTwoPlayer(entry.label, agent_named(name))
