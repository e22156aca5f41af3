"""Experiment: an experiment file with all data that it names, from which a run can be repeated."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from pathlib import Path
from typing import Any, cast

from agents.search.turn.weights import load_weights
from balance import BalanceSettings, CardContest, Edit, Player, apply_patch
from balance.cards.known_names import Seated, player_names, with_known_names
from balance.cards.total_games import within_total
from balance.contest.patch import apply_to_rules
from balance.settings.tables import Stage
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
from sim.cards.pool_file import edit_pool_file, write_pool
from sim.play import Agent, pack_table
from sim.ruleset import RULES, write_ruleset

# Keys added after the first runs. They are left out of the hashed data if they are not set, so that
# folders of older runs keep their names.
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
"""Tables of an experiment file with a key `agent` that may name an agent no player has."""

_TRAINING = ("name", "seed", "ruleset", "pool", "player", "learner", "train")
"""Keys of an experiment file on which training depends."""

PATCHED_POOL = "patched_pool.toml"
"""Name of the file with the patched cards in a run folder."""

PATCHED_RULESET = "patched_ruleset.toml"
"""Name of the file with the patched rules in a run folder."""


@dataclass(frozen=True)
class Experiment:
    """Experiment file of a card game, with the data that it names.

    Attributes:
        path: path of the experiment file.
        settings: contents of the experiment file.
        ruleset: rules of the games.
        pool: cards of the games.
        decks: decks of the players, ``[D]``.
        agents: agents of the players, ``[D]``; empty before they are loaded.
        pilots: files of the trained agents on which results depend, by the agents' names.
        merged: players that are left out because one agent plays all decks, each with the name of
            the remaining player of the same deck (`experiments.one_agent`).
        for_panel: whether the experiment is to be balanced for the panel of `[robust]`.
    """

    path: Path
    settings: ExperimentFile
    ruleset: Ruleset
    pool: Pool
    decks: tuple[Deck, ...]
    agents: tuple[Agent, ...]
    pilots: Mapping[str, PilotFile] = field(default_factory=dict)
    merged: Mapping[str, str] = field(default_factory=dict)
    for_panel: bool = False

    @property
    def player_names(self) -> tuple[str, ...]:
        """Display names of the players, ``[D]``; a player without a name has the deck's name."""
        pairs = zip(self.settings.players, self.decks, strict=True)
        return tuple(entry.name or deck.name for entry, deck in pairs)

    @property
    def declared_archetypes(self) -> tuple[str, ...]:
        """Archetype of each player, ``[D]``; its display name if the file gives none."""
        pairs = zip(self.player_names, self.settings.players, strict=True)
        return tuple(entry.archetype or name for name, entry in pairs)

    @property
    def seated(self) -> list[Seated]:
        """Names by which settings may refer to each player, ``[D]``: player, deck, deck file."""
        return [
            Seated(name, deck.name, Path(entry.deck).stem)
            for name, deck, entry in zip(
                self.player_names, self.decks, self.settings.players, strict=True
            )
        ]

    def with_known_names(self) -> Experiment:
        """Return the experiment with other spellings of names in its settings replaced by ids.

        Raises:
            InputError: the name of a card, deck or player is unknown or ambiguous.
        """
        settings, pool = with_known_names(self.settings, self.pool, self.seated)
        players = player_names(self.seated)
        learners = tuple(learner.with_known_players(players) for learner in settings.learners)
        settings = settings.model_copy(update={"learners": learners})
        return replace(self, settings=settings, pool=pool)

    @property
    def first_seat_bounds(self) -> tuple[float, float]:
        """Lower and upper bounds outside which reports mark the first seat's win rate."""
        return self.settings.target.first_seat_bounds

    def contest(self) -> CardContest:
        """Return the contest of the experiment's players, with packed cards.

        Raises:
            InputError: the pool exceeds the ruleset's limits.
        """
        players = tuple(
            Player(name, deck, agent)
            for name, deck, agent in zip(self.player_names, self.decks, self.agents, strict=True)
        )
        return CardContest(pack_table(self.pool, self.ruleset), players)

    def balance_settings(self) -> BalanceSettings:
        """Return the settings for the balancing stages, which are those of the file."""
        return self.settings

    def resolved(self, command: str = "") -> dict[str, Any]:
        """Return all data on which the results of a command depend, as plain data.

        The name of a run folder contains a hash of these data. Training depends only on a part of
        the file, so trained agents stay valid if, for example, a number of games changes.

        Args:
            command: name of the command, such as `train`; empty for any other command.
        """
        # Only `agree` uses archetypes, and adds them itself.
        unasked: dict[str, Any] = {"players": {"__all__": {"archetype"}}}
        if command != "balance":  # other commands do not depend on second opinions
            unasked["second_opinion"] = True
        settings = self.settings.model_dump(mode="json", by_alias=True, exclude=unasked)
        has_variants = settings["train"]["variants"] is not None
        _remove_later_keys(settings)
        if not self.for_panel:  # other runs do not depend on the panel
            del settings["robust"]
        for table in WITH_AGENT:
            settings[table]["agent"] = without_folder(settings[table]["agent"], self.path)
        if not self.settings.tunes_weights:
            del settings["turn"]
        if not self.settings.trains_values:
            del settings["net"]
        if command == "train":
            settings = self._of_training(settings, has_variants=has_variants)
        return {
            "experiment": settings,
            "ruleset": self.ruleset.model_dump(mode="json"),
            "pool": self.pool.model_dump(mode="json", by_alias=True, exclude_unset=True),
            "decks": [deck.model_dump(mode="json") for deck in self.decks],
            "pilots": {agent: file.content for agent, file in self.pilots.items()}
            | contents_of([*self.agents, *self._agents_with_files(command)]),
        }

    def _of_training(self, settings: dict[str, Any], *, has_variants: bool) -> dict[str, Any]:
        """Return the settings on which training depends.

        Args:
            settings: settings of the whole file, as plain data.
            has_variants: whether training varies the numbers of cards.
        """
        of_all = _TRAINING[:-1]
        if self.settings.trains_values:
            return {key: settings[key] for key in (*of_all, "net")}
        if self.settings.tunes_weights:
            kept = {key: settings[key] for key in (*of_all, "turn")}
            kept["turn"]["weights"] = load_weights(self.settings.turn.start).model_dump()
            return kept
        kept = {key: settings[key] for key in _TRAINING + ("tune",) * has_variants}
        if kept["train"]["together"] is None:
            del kept["train"]["together"]
        return kept

    def _agents_with_files(self, command: str) -> Iterator[Agent]:
        """Yield the agents with weights from a file that settings name, except those of players.

        Args:
            command: name of the command; only `balance` uses the agents of second opinions.
        """
        others = self.settings.second_opinion.pilots if command == "balance" else ()
        if self.for_panel:
            others = (*others, *self.settings.robust.pilots)
        for name in (*(getattr(self.settings, table).agent for table in WITH_AGENT), *others):
            if names_file(name):
                yield agent_near(without_folder(name, self.path), self.path)

    def position(self, player: str, option: str) -> int:
        """Return the position of the player that a command-line option names.

        Args:
            player: name of the player or of the player's deck.
            option: name of the option, for errors.

        Raises:
            InputError: no player has the name, or several have it.
        """
        with option_place(option):
            return self.player_names.index(player_names(self.seated).find(player))

    def with_collection(self, file: Path | None) -> Experiment:
        """Return the experiment with the collection in a CSV file.

        Args:
            file: file with card names and copies; `None` to keep the experiment's collection.

        Raises:
            InputError: the file cannot be read, or is not a valid collection.
        """
        if file is None:
            return self
        with option_place("collection"):
            return self.with_settings(collection=read_collection(file, self.pool))

    def with_seed(self, seed: int | None) -> Experiment:
        """Return the experiment with another run seed.

        Args:
            seed: seed of the run; `None` to keep the experiment's seed.

        Raises:
            InputError: the seed is outside its limits.
        """
        if seed is None:
            return self
        if not 0 <= seed <= SEED_MAX:
            raise InputError(
                f"{seed} must be from 0 to {SEED_MAX}",
                place="--seed",
                value=seed,
                limit=SEED_MAX,
                separator=" ",
            )
        return self.with_settings(seed=seed)

    def with_games(self, n_games: int | None, stage: Stage = "matchups") -> Experiment:
        """Return the experiment with another number of games of a stage.

        Args:
            n_games: games per matchup, or per card for the stage `power`, or per step for the stage
                `lever`; `None` to keep the experiment's number.
            stage: key in `[games]`.

        Raises:
            InputError: the number of games is odd.
        """
        if n_games is None:
            return self
        if n_games % 2:
            raise option_error(
                "games",
                f"{n_games} must be even: half of the games are played in each seating",
                value=n_games,
                limit=2,
            )
        return self.with_settings(games=self.settings.games.model_copy(update={stage: n_games}))

    def with_settings(self, **changes: Any) -> Experiment:
        """Return the experiment with given settings replaced, which are not validated."""
        return replace(self, settings=self.settings.model_copy(update=changes))

    def within_total(self) -> Experiment:
        """Return the experiment with a total number of games split among all stages.

        An experiment without `games.total` is returned unchanged.

        Raises:
            InputError: the total is too small.
        """
        if self.settings.games.total is None:
            return self
        settings = within_total(self.contest(), self.settings)
        return replace(self, settings=cast("ExperimentFile", settings))

    def with_pilots(self, pilots: Mapping[str, PilotFile]) -> Experiment:
        """Return the experiment with further files of trained agents, by the agents' names."""
        return replace(self, pilots={**self.pilots, **pilots})

    def write_patched(self, patch: Sequence[Edit], folder: Path) -> None:
        """Write the patched cards and, if the patch edits rules, the patched rules to files.

        Args:
            patch: edits of cards and rules.
            folder: folder in which `patched_pool.toml` and `patched_ruleset.toml` are written.
        """
        target = folder / PATCHED_POOL
        if self.settings.pool == REAL_POOL:  # a pool without a file that could be edited
            write_pool(apply_patch(self.pool, patch), target)
        else:
            source = find_data_file("pools", self.settings.pool, near=self.path)
            edits = [(edit.card, edit.field, edit.after) for edit in patch if edit.card != RULES]
            edit_pool_file(source, target, edits)
        if any(edit.card == RULES for edit in patch):
            write_ruleset(apply_to_rules(self.ruleset, patch), folder / PATCHED_RULESET)


def contents_of(agents: Iterable[Agent]) -> dict[str, str]:
    """Return the data on which agents depend in addition to their names, by agent name.

    Agents without such data are left out.
    """
    contents = {agent.name: getattr(agent, "content", "") for agent in agents}
    return {name: content for name, content in contents.items() if content}


def _remove_later_keys(settings: dict[str, Any]) -> None:
    """Remove keys that older runs did not have, if they have no effect; see `_LATER`."""
    for *tables, key in _LATER:
        holder = reduce(lambda inside, name: inside[name] or {}, tables, settings)
        if holder.get(key, "") is None:
            del holder[key]
    for learner in settings["learner"]:
        if learner["kind"] == "dqn":  # older runs had only this kind
            del learner["kind"]
        if not learner["settings"]:  # only learners of packages have settings
            del learner["settings"]


def players_at(
    experiment: Experiment,
    first: str | None,
    second: str | None,
    options: tuple[str, str] = ("first", "second"),
) -> list[int]:
    """Return the positions of two players that command-line options name.

    Args:
        experiment: experiment with the players.
        first: name of the first player; `None` for the experiment's first player other than
            `second`.
        second: name of the second player; `None` for the experiment's first player other than the
            first one.
        options: names of the two options, for errors.

    Returns:
        Positions of the first and the second player. They are equal if the same player is named
        twice, or if the experiment has only one player.

    Raises:
        InputError: no player has one of the names.
    """
    first_position = None if first is None else experiment.position(first, options[0])
    second_position = None if second is None else experiment.position(second, options[1])
    if first_position is None:
        first_position = 0 if second_position is None else _first_other(experiment, second_position)
    return [
        first_position,
        _first_other(experiment, first_position) if second_position is None else second_position,
    ]


def _first_other(experiment: Experiment, player: int) -> int:
    """Return the position of the first player other than a given one.

    Args:
        experiment: experiment with the players.
        player: position of the given player, which is returned if it is the only one.
    """
    return next((k for k in range(len(experiment.decks)) if k != player), player)
