"""An experiment: a file with the data that it names, everything that a rerun needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from pathlib import Path
from typing import Any, Literal, cast

from agents.search.turn.weights import load_weights
from balance import CardContest, Edit, Player, apply_patch
from balance.known_names import Seated, player_names, with_known_names
from balance.patch import apply_to_rules
from experiments.files.agent_files import PilotFile, agent_near, names_file, without_folder
from experiments.files.csv_files import read_collection
from experiments.files.experiment_file import ExperimentFile
from experiments.files.option_errors import option_error, option_place
from sim import (
    REAL_POOL,
    SEED_MAX,
    Deck,
    InputError,
    Pool,
    Ruleset,
    find_data_file,
)
from sim.play import Agent, pack_table
from sim.ruleset import RULES, write_ruleset

# Keys that are left out where they say nothing, so that older runs keep their names.
_LATER = (
    ("train", "variants"),
    ("train", "together", "latest"),
    ("evaluate", "reference"),
    ("target", "first_seat_band_pp"),
    ("build", "only"),
    ("build", "within"),
    ("build", "quotas"),
    ("substitute", "only"),
    ("substitute", "within"),
)
WITH_AGENT = ("narrow", "build")
"""Tables that name an agent which is no player's."""
_TRAINING = ("name", "seed", "ruleset", "pool", "player", "learner", "train")
PATCHED_POOL = "patched_pool.toml"
PATCHED_RULESET = "patched_ruleset.toml"


@dataclass(frozen=True)
class Experiment:
    """An experiment file with the data that it names.

    Attributes:
        path: the file.
        settings: what it says.
        ruleset: its ruleset.
        pool: its cards.
        decks: the deck of each player.
        agents: the agent of each player.
        pilots: the files of the trained agents that it depends on, by what refers to them.
        merged: players of the file that are left out since one agent pilots all decks, and whose
            deck each has (`experiments.one_agent`).
    """

    path: Path
    settings: ExperimentFile
    ruleset: Ruleset
    pool: Pool
    decks: tuple[Deck, ...]
    agents: tuple[Agent, ...]
    pilots: Mapping[str, PilotFile] = field(default_factory=dict)
    merged: Mapping[str, str] = field(default_factory=dict)

    @property
    def player_names(self) -> tuple[str, ...]:
        """What people call the players: their own name, else their deck's."""
        pairs = zip(self.settings.players, self.decks, strict=True)
        return tuple(entry.name or deck.name for entry, deck in pairs)

    @property
    def seated(self) -> list[Seated]:
        """What the players are called: by name, by deck, by file."""
        return [
            Seated(name, deck.name, Path(entry.deck).stem)
            for name, deck, entry in zip(
                self.player_names, self.decks, self.settings.players, strict=True
            )
        ]

    def with_known_names(self) -> Experiment:
        """The same experiment, whose settings name cards, decks and players by their ids.

        Raises:
            InputError: a name stands for nothing, or for several things.
        """
        settings, pool = with_known_names(self.settings, self.pool, self.seated)
        players = player_names(self.seated)
        learners = tuple(one.with_known_players(players) for one in settings.learners)
        settings = settings.model_copy(update={"learners": learners})
        return replace(self, settings=settings, pool=pool)

    @property
    def first_seat_bounds(self) -> tuple[float, float]:
        """Beyond which the first seat's share of the games is marked."""
        return self.settings.target.first_seat_bounds

    def contest(self) -> CardContest:
        """Pack the cards and seat the players.

        Raises:
            InputError: the pool breaks the ruleset's limits.
        """
        players = tuple(
            Player(name, deck, agent)
            for name, deck, agent in zip(self.player_names, self.decks, self.agents, strict=True)
        )
        return CardContest(pack_table(self.pool, self.ruleset), players)

    def resolved(self, command: str = "") -> dict[str, Any]:
        """Everything that the results of `command` depend on, as plain data.

        Training depends on a part of the file only, so that a pilot outlives an edit of how
        many games measure it.
        """
        unasked = set() if command == "balance" else {"second_opinion"}
        settings = self.settings.model_dump(mode="json", by_alias=True, exclude=unasked)
        has_variants = settings["train"]["variants"] is not None
        for *tables, key in _LATER:
            holder = reduce(lambda inside, name: inside[name] or {}, tables, settings)
            if holder.get(key, "") is None:
                del holder[key]
        for table in WITH_AGENT:
            settings[table]["agent"] = without_folder(settings[table]["agent"], self.path)
        for learner in settings["learner"]:
            if learner["kind"] == "dqn":  # as all learners were in older runs
                del learner["kind"]
        if not self.settings.tunes_weights:
            del settings["turn"]
        if command == "train" and self.settings.tunes_weights:
            settings = {key: settings[key] for key in (*_TRAINING[:-1], "turn")}
            settings["turn"]["weights"] = load_weights(self.settings.turn.start).model_dump()
        elif command == "train":
            settings = {key: settings[key] for key in _TRAINING + ("tune",) * has_variants}
            if settings["train"]["together"] is None:
                del settings["train"]["together"]
        return {
            "experiment": settings,
            "ruleset": self.ruleset.model_dump(mode="json"),
            "pool": self.pool.model_dump(mode="json", by_alias=True, exclude_unset=True),
            "decks": [deck.model_dump(mode="json") for deck in self.decks],
            "pilots": {agent: file.content for agent, file in self.pilots.items()}
            | contents_of([*self.agents, *self._agents_with_files(command)]),
        }

    def _agents_with_files(self, command: str) -> Iterator[Agent]:
        """Agents that are no player's and whose weights a file says."""
        others = self.settings.second_opinion.pilots if command == "balance" else ()
        for name in (*(getattr(self.settings, table).agent for table in WITH_AGENT), *others):
            if names_file(name):
                yield agent_near(without_folder(name, self.path), self.path)

    def position(self, player: str, option: str) -> int:
        """The position of the player that an option of the command line names, or whose deck.

        Raises:
            InputError: there is no such player, or there are several.
        """
        with option_place(option):
            return self.player_names.index(player_names(self.seated).find(player))

    def with_collection(self, file: Path | None) -> Experiment:
        """The same experiment, whose decks may hold what a CSV file lists; `None` keeps its own."""
        if file is None:
            return self
        with option_place("collection"):
            return self.with_settings(collection=read_collection(file, self.pool))

    def with_seed(self, seed: int | None) -> Experiment:
        """The same experiment under another run seed; `None` keeps its own."""
        if seed is None:
            return self
        if not 0 <= seed <= SEED_MAX:
            raise InputError(f"--seed {seed} must be from 0 to {SEED_MAX}")
        return self.with_settings(seed=seed)

    def with_games(
        self, n_games: int | None, stage: Literal["matchups", "power"] = "matchups"
    ) -> Experiment:
        """The same experiment with other games of a stage; `None` keeps its own.

        Args:
            n_games: per matchup, or per card for its power.
            stage: which of `[games]`.

        Raises:
            InputError: the number is odd.
        """
        if n_games is None:
            return self
        if n_games % 2:
            raise option_error("games", f"{n_games} must be even, for both seatings")
        return self.with_settings(games=self.settings.games.model_copy(update={stage: n_games}))

    def with_settings(self, **changes: Any) -> Experiment:
        """The same experiment with some of its settings replaced."""
        return replace(self, settings=self.settings.model_copy(update=changes))

    def within_total(self) -> Experiment:
        """With the games of all stages, if there is a total that they are split from."""
        if self.settings.games.total is None:
            return self
        from balance.pipeline import within_total  # noqa: PLC0415 (loads the searches)

        settings = within_total(self.contest(), self.settings)
        return replace(self, settings=cast("ExperimentFile", settings))

    def with_pilots(self, pilots: Mapping[str, PilotFile]) -> Experiment:
        """The same experiment, depending on more trained agents."""
        return replace(self, pilots={**self.pilots, **pilots})

    def write_patched(self, patch: Sequence[Edit], folder: Path) -> None:
        """Write `patched_pool.toml`, and `patched_ruleset.toml` where rules move; both load.

        Args:
            patch: edits of the cards and rules.
            folder: where to.
        """
        from sim.cards.pool_file import edit_pool_file, write_pool  # noqa: PLC0415 (few need it)

        target = folder / PATCHED_POOL
        if self.settings.pool == REAL_POOL:  # has no file of its own
            write_pool(apply_patch(self.pool, patch), target)
        else:
            source = find_data_file("pools", self.settings.pool, near=self.path)
            edits = [(one.card, one.field, one.after) for one in patch if one.card != RULES]
            edit_pool_file(source, target, edits)
        if any(edit.card == RULES for edit in patch):
            write_ruleset(apply_to_rules(self.ruleset, patch), folder / PATCHED_RULESET)


def contents_of(agents: Iterable[Agent]) -> dict[str, str]:
    """By name, the content of what agents are told that their names do not say: weights."""
    told = {agent.name: getattr(agent, "content", "") for agent in agents}
    return {name: content for name, content in told.items() if content}


def players_at(
    experiment: Experiment,
    first: str | None,
    second: str | None,
    options: tuple[str, str] = ("first", "second"),
) -> list[int]:
    """Two players; one that is not named is another than the one that is.

    Args:
        experiment: whose players.
        first: the name of one; default the experiment's first other than `second`.
        second: the name of the other; default the experiment's first other than that.
        options: which say the names.

    Raises:
        InputError: there is no such player.
    """
    one = None if first is None else experiment.position(first, options[0])
    other = None if second is None else experiment.position(second, options[1])
    if one is None:
        one = 0 if other is None else _first_but(experiment, other)
    return [one, _first_but(experiment, one) if other is None else other]


def _first_but(experiment: Experiment, player: int) -> int:
    """The first player other than this one; the player itself where it is the only one."""
    return next((k for k in range(len(experiment.decks)) if k != player), player)
