"""Experiments of any contest: the tables of their files, and the objects that these describe."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import lcm
from pathlib import Path
from typing import Annotated, Any, ClassVar

import numpy as np
from pydantic import Field

from balance import Contest, Edit
from balance.cards.pool_edits import SizedPatch
from balance.contest.contest import GAMES_MAX, Parameter, games_in
from balance.contest.contest_limits import ContestLimits
from balance.contest.contest_space import contest_space
from balance.contest.moved import MovedContest
from balance.contest.patch import patch_of
from balance.contest.target import Target, WinRates
from balance.contest.whatif import Edits
from balance.settings.contest_budget import split_total
from balance.settings.tables import BalanceSettings, Games, Guards, Search, Stage
from balance.space.search_space import SearchSpace, Steps
from balance.space.tune import StepWeight
from experiments.files.agent_files import PilotFile
from experiments.files.experiment_file import FolderName
from experiments.files.option_errors import option_error
from experiments.runs.ledger import Attempt
from sim import SEED_MAX, error_place, known_word, validate, write_atomically
from sim.files.toml_document import load_tomlkit
from sim.files.validation import StrictModel
from sim.files.whole_file import read_text
from sim.play.table import Gene
from sim.simulator.block import Value
from sim.simulator.parameter_entry import VALUES_MAX
from sim.value_error import value_error

_SPLIT = ("games", "search")
"""Tables with settings that a total number of games determines unless the file gives them."""

PATCHED = "patched_experiment.toml"
"""Name of the file with the patched experiment in a run folder."""

# Games per matchup, in each seating equally many: even, and at least two seeds.
StageGames = Annotated[int, games_in(2)]


class ContestTarget(Target):
    """The `[target]` table: as of card games, but players are equal by default.

    Attributes:
        win_rate: goals of the matchups; a matchup of ``n`` players without a goal has 1/n.
    """

    win_rate: WinRates = Field(default_factory=dict)


class ContestTune(ContestLimits):
    """The `[tune]` table: the numbers that a search may change, and limits of patches.

    Attributes:
        numbers: lowest and highest value of each number that may change, by owner and field.
        weights: cost of one step of a number, by owner and field; by default 1.
    """

    numbers: dict[str, dict[str, tuple[Value, Value]]] = Field(default_factory=dict)
    weights: dict[str, dict[str, StepWeight]] = Field(default_factory=dict)


class ContestGames(StrictModel):
    """The `[games]` table: games of each stage per matchup, multiples of 2 and of the seatings.

    Attributes:
        total: number of games of all stages and matchups together, split among the stages
            (`balance.settings.budget`); numbers that are set for a stage replace its share.
        matchups: games that measure the baseline.
        lever: games that measure the sensitivity to a number, for each direction.
        design: games of the initial design of the method `model`, over all its patches; by default
            half of the games that would score every step of every number.
        search: games that score a candidate in the search.
        select: games that score each of the best candidates again.
        certify: maximum games that judge the recommended patch.
    """

    total: int | None = Field(default=None, ge=1, le=10**12)
    # The defaults are multiples of 2, 3, 4, 5 and 6 seatings.
    matchups: StageGames = 12_000
    lever: StageGames = 3_600
    design: StageGames | None = None
    search: StageGames = 480
    select: StageGames = 12_000
    certify: StageGames = 24_000


class ContestStudy(StrictModel):
    """The `[study]` table: methods that `evenhand study` compares, and their runs.

    Attributes:
        method: names of the search methods to compare; if empty, the method of the experiment.
        run_seeds: number of runs of each method, with the run seeds `seed`, `seed + 1`, ...
        truth_games: games per matchup for a reference estimate of each certified patch; 0 skips the
            estimate.
    """

    method: tuple[str, ...] = ()
    run_seeds: int = Field(default=10, ge=1, le=1000)
    truth_games: int = Field(default=0, ge=0, le=GAMES_MAX)


class ContestFile(StrictModel):
    """Content of an experiment file of a contest; a game adds the tables of its players.

    Attributes:
        name: name of the experiment, which is also the name of its run folders.
        game: name of the game.
        seed: seed of the run.
        numbers: values that replace those of the game, by owner and field.
        target: goals of the win rates.
        guards: limits on side effects of a patch, for games with readings of them.
        tune: numbers that a search may change.
        games: number of games of each stage.
        search: settings of the search.
        study: settings of `evenhand study`.
    """

    element: ClassVar[str] = "experiment"

    name: FolderName
    game: str
    seed: int = Field(ge=0, le=SEED_MAX)
    numbers: dict[str, dict[str, Value]] = Field(default_factory=dict)
    target: ContestTarget = ContestTarget()
    guards: Guards = Guards()
    tune: ContestTune = ContestTune()
    games: ContestGames = ContestGames()
    search: Search = Search()
    study: ContestStudy = ContestStudy()


@dataclass(frozen=True)
class ContestExperiment:
    """Experiment of a contest: the contents of its file, and the contest that they describe.

    Attributes:
        path: path of the experiment file.
        settings: contents of the file.
        unmoved: contest with the numbers of the game, without those that the file sets.
        pilots: files of the trained agents on which results depend, by the agents' names.
    """

    path: Path
    settings: ContestFile
    unmoved: Contest
    pilots: Mapping[str, PilotFile] = field(default_factory=dict)

    no_opinion: ClassVar[str] = (
        "No second opinion: the pilots that give one play games of cards only."
    )
    """Sentence on why no other pilots play a patch."""

    @property
    def rates(self) -> str:
        """Name of the rates in titles of tables."""
        return "Win rate of the first-named"

    @property
    def first_seat_bounds(self) -> tuple[float, float] | None:
        """Bounds outside which reports mark the first seat's rate; `None` unless seats are two."""
        is_of_two = self.unmoved.n_seatings == 2
        return self.settings.target.first_seat_bounds if is_of_two else None

    def contest(self) -> Contest:
        """Return the contest, with the numbers that the file sets.

        Raises:
            InputError: the file sets a number that the game does not have, or a value that the
                number cannot have.
        """
        moved = dict[Gene, int]()
        for gene, (number, value) in _by_gene(self.unmoved, self.settings.numbers, "numbers"):
            with error_place(f"numbers.{number.owner}.{number.field}"):
                moved[gene] = number.scale.position(value) - number.value
        return MovedContest(self.unmoved, moved) if moved else self.unmoved

    def space(self) -> SearchSpace:
        """Return the search space of the numbers that may change.

        Raises:
            InputError: a number does not exist, its range does not contain its value, or no number
                may change.
        """
        contest = self.contest()
        return contest_space(contest, self.ranges(contest), self.weights(), self.settings.tune)

    def ranges(self, contest: Contest) -> dict[Gene, tuple[int, int]]:
        """Return the lowest and highest step of each number with a range in the file.

        Args:
            contest: contest with the numbers that the file sets.

        Raises:
            InputError: a number does not exist, or its range does not contain its value.
        """
        steps = {}
        table = self.settings.tune.numbers
        for gene, (number, ends) in _by_gene(contest, table, "tune.numbers"):
            place = f"tune.numbers.{number.owner}.{number.field}"
            with error_place(place):
                low, high = map(number.scale.position, ends)
            if not low <= number.value <= high:
                today = number.scale.value(number.value)
                problem = f"must contain the current value, {today}"
                raise value_error(place, [*ends], problem, limit=today)
            if high - low > VALUES_MAX:
                problem = f"must contain at most {VALUES_MAX:,} values"
                raise value_error(place, [*ends], problem, limit=VALUES_MAX)
            if low < high:
                steps[gene] = low - number.value, high - number.value
        return steps

    def weights(self) -> dict[Gene, float]:
        """Return the weight of one step of each number for which the file gives one.

        Raises:
            InputError: `[tune.weights]` names a number that the game does not have.
        """
        table = _by_gene(self.unmoved, self.settings.tune.weights, "tune.weights")
        return {gene: weight for gene, (_, weight) in table}

    def sized_patch(self, edits: Edits) -> SizedPatch:
        """Return the patch that consists of given edits, with its size.

        Args:
            edits: step of each number; the settings need not permit them.
        """
        space, steps = self.space_of_edits(edits)
        genome = steps[np.newaxis]
        return SizedPatch(
            patch_of(steps, space, self.contest()),
            float(space.change(genome)[0]),
            int(space.cards_touched(genome)[0]),
        )

    def space_of_edits(self, edits: Edits) -> tuple[SearchSpace, Steps]:
        """Return the smallest search space that contains given edits, and their steps, ``[K]``."""
        genes = tuple(gene for gene in self.unmoved.genes if gene in edits)
        steps = np.array([edits[gene] for gene in genes], dtype=np.int16)
        low = np.minimum(steps, 0)
        known = self.weights()
        weights = np.array([known.get(gene, 1.0) for gene in genes])
        return SearchSpace(genes, low, np.maximum(steps, 0), weights), steps

    def balance_settings(self) -> BalanceSettings:
        """Return the settings for the balancing stages: seed, target, guards, games and search.

        A total number of games is split among the stages.

        Raises:
            InputError: the total is too small.
        """
        settings = self.settings
        has_total = settings.games.total is not None
        # Stages without a number of their own get their share of the total.
        games = settings.games.model_dump(exclude_unset=has_total)
        return split_total(
            self.unmoved,
            BalanceSettings(
                seed=settings.seed,
                target=Target(**settings.target.model_dump()),
                guards=settings.guards,
                games=Games(**games | {"total": settings.games.total}),
                search=settings.search,
            ),
        )

    def measuring_settings(self) -> BalanceSettings:
        """Return the settings of a measurement, with the games of `[games] matchups`."""
        settings = self.balance_settings()
        games = settings.games.model_copy(update={"matchups": self.settings.games.matchups})
        return settings.model_copy(update={"games": games})

    def checked(self) -> ContestExperiment:
        """Return the experiment after checking the numbers, goals and games of its file.

        Raises:
            InputError: a number or a goal does not fit the contest, or a number of games is not a
                multiple of its seatings.
        """
        contest = self.contest()
        contest.require_opponents()
        self.balance_settings().demands_in(contest)
        own = self.settings.games
        # Stages without a number of their own get a share of the total that fits the seatings.
        has_total = own.total is not None
        games = own.model_dump(exclude_none=True, exclude={"total"}, exclude_unset=has_total)
        for stage, n_games in games.items():
            with error_place(f"games.{stage}"):
                contest.checked_games(n_games)
        if self.ranges(contest):
            self.space()
        return self

    def resolved(self, command: str = "") -> dict[str, Any]:  # noqa: ARG002 (equal for all commands)
        """Return all data that results depend on, as JSON values; equal for all commands."""
        settings = self.settings
        content = settings.model_dump(mode="json", by_alias=True)
        pilots = {agent: file.content for agent, file in self.pilots.items()}
        resolved = {"experiment": content, "pilots": pilots}
        if settings.games.total is None:
            return resolved
        split = self.balance_settings()
        content["search"] = split.search.model_dump(mode="json", by_alias=True)
        shares = split.games.model_dump(mode="json")
        content["games"] |= {stage: shares[stage] for stage in content["games"]}
        given = {table: sorted(getattr(settings, table).model_fields_set) for table in _SPLIT}
        return resolved | {"given": given}

    def attempt(self) -> Attempt:
        """Return the certification attempt, for the ledger of repeated attempts.

        Numbers of games, the search and the weights are recorded as the method that was used.
        """
        resolved = self.resolved()
        asked = dict(resolved["experiment"])
        name, seed, tune = (asked.pop(key) for key in ("name", "seed", "tune"))
        del asked["study"]
        how = {key: asked.pop(key) for key in ("games", "search")} | {"weights": tune["weights"]}
        asked |= {"tune": tune["numbers"], "pilots": resolved["pilots"]}
        return Attempt(name, seed, asked, how)

    def with_seed(self, seed: int | None) -> ContestExperiment:
        """Return the experiment with another run seed; itself if `seed` is `None`."""
        return self if seed is None else self.with_settings(seed=seed)

    def with_games(self, n_games: int, stage: Stage = "matchups") -> ContestExperiment:
        """Return the experiment with another number of games of a stage.

        Args:
            n_games: games per matchup.
            stage: key in `[games]`.

        Raises:
            InputError: the number is odd, or not a multiple of the seatings.
        """
        unit = lcm(2, self.unmoved.n_seatings)
        if n_games % unit:
            raise option_error(
                "games", f"{n_games} must be a multiple of {unit}", value=n_games, limit=unit
            )
        games = self.settings.games.model_copy(update={stage: n_games})
        return self.with_settings(games=games)

    def with_settings(self, **changes: Any) -> ContestExperiment:
        """Return the experiment with given settings replaced, which are not validated."""
        return replace(self, settings=self.settings.model_copy(update=changes))

    def write_patched(self, patch: Sequence[Edit], folder: Path) -> None:
        """Write a copy of the experiment file with a patch in its `[numbers]` table.

        Args:
            patch: edits of numbers.
            folder: folder of the new file.

        Raises:
            InputError: the experiment file cannot be read, or the new one cannot be written.
        """
        tomlkit = load_tomlkit()

        document: Any = tomlkit.parse(read_text(self.path))
        numbers = document.setdefault("numbers", tomlkit.table()) if patch else {}
        for edit in patch:
            numbers.setdefault(edit.card, tomlkit.table())[edit.field] = edit.after
        write_atomically(folder / PATCHED, tomlkit.dumps(document))


def recorded_tables(resolved: Mapping[str, Any]) -> dict[str, Any]:
    """Return the content of an experiment file as it was before a total of games was split.

    Args:
        resolved: data of a run, as `ContestExperiment.resolved` returns them.
    """
    tables = dict(resolved["experiment"])
    for table, keys in resolved.get("given", {}).items():
        kept = {*keys, "total"}
        tables[table] = {key: value for key, value in tables[table].items() if key in kept}
    return tables


def read_contest(
    tables: Mapping[str, Any],
    path: Path,
    *,
    file: type[ContestFile],
    contest: Callable[[Any], Contest],
) -> ContestExperiment:
    """Return the experiment that the content of a file describes, after checking it.

    Args:
        tables: content of the file.
        path: path of the file.
        file: type of the content.
        contest: function of the content that returns the contest.

    Raises:
        InputError: a value is not permitted; the message names the file and the field.
    """
    settings = validate(file, tables, source=str(path))
    with error_place(path):
        return ContestExperiment(path, settings, contest(settings)).checked()


def _by_gene(
    contest: Contest, table: Mapping[str, Mapping[str, Any]], place: str
) -> Iterator[tuple[Gene, tuple[Parameter, Any]]]:
    """Yield the number and the value of each entry of a table by owner and field.

    Args:
        contest: contest with the numbers.
        table: values by owner and field.
        place: place of the table in the file, for messages.

    Raises:
        InputError: the contest has no number of an owner and field.
    """
    numbers = {gene: contest.parameter(gene) for gene in contest.genes}
    for owner, values in table.items():
        known_word("owner", owner, dict.fromkeys(n.owner for n in numbers.values()), place)
        genes = {n.field: gene for gene, n in numbers.items() if n.owner == owner}
        for name, value in values.items():
            gene = genes[known_word("number", name, genes, f"{place}.{owner}")]
            yield gene, (numbers[gene], value)
