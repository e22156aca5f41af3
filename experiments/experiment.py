"""Experiment files: everything that a rerun needs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import resources
from pathlib import Path
from typing import Any, cast

from agents.search.turn.weights import load_weights
from balance import LEARNERS, OWN, CardContest, Player
from balance.card_space import check_names
from balance.settings import PRESETS
from balance.target import FREE, RESERVED, Target
from experiments.files.collection import read_collection
from experiments.files.experiment_file import ExperimentFile, PlayerEntry
from experiments.files.option_errors import OptionError, about_option, blaming
from experiments.files.pilots import SEARCH_PREFIX, PilotFile, find_pilot, find_pilots, is_pilot
from experiments.files.target_matrix import read_target_matrix
from experiments.files.weights_files import agent_near, with_file_beside, without_folder
from sim import (
    REAL_POOL,
    SEED_MAX,
    Deck,
    InputError,
    Pool,
    Ruleset,
    check_deck,
    check_pool,
    check_view,
    did_you_mean,
    find_data_file,
    known_word,
    load_deck,
    load_pool,
    load_ruleset,
    read_toml,
    unknown_word,
    validate,
    view_for,
)
from sim.play import Agent, pack_table
from sim.play.reach import reach_of_decks

SHIPPED = Path(str(resources.files("experiments").joinpath("configs")))
_LATER = ("train", "variants"), ("evaluate", "reference")  # left out, older runs keep their names
_WITH_AGENT = ("narrow", "build")  # tables that name an agent which is no player's
_TRAINING = ("name", "seed", "ruleset", "pool", "player", "learner", "train")
_TUNING = (*_TRAINING[:-1], "turn")


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
    """

    path: Path
    settings: ExperimentFile
    ruleset: Ruleset
    pool: Pool
    decks: tuple[Deck, ...]
    agents: tuple[Agent, ...]
    pilots: Mapping[str, PilotFile] = field(default_factory=dict)

    def contest(self) -> CardContest:
        """Pack the cards and seat the players.

        Raises:
            InputError: the pool breaks the ruleset's limits.
        """
        players = tuple(
            Player(entry.name or deck.name, deck, agent)
            for entry, deck, agent in zip(
                self.settings.players, self.decks, self.agents, strict=True
            )
        )
        return CardContest(pack_table(self.pool, self.ruleset), players)

    def resolved(self, command: str = "") -> dict[str, Any]:
        """Everything that the results of `command` depend on, as plain data.

        Training depends on a part of the file only, so that a pilot outlives an edit of how
        many games measure it.
        """
        settings = self.settings.model_dump(mode="json", by_alias=True)
        has_variants = settings["train"]["variants"] is not None
        for table, key in _LATER:
            if settings[table][key] is None:
                del settings[table][key]
        for table in _WITH_AGENT:
            settings[table]["agent"] = without_folder(settings[table]["agent"], self.path)
        for learner in settings["learner"]:
            if learner["kind"] == "dqn":  # as all learners were in older runs
                del learner["kind"]
        if not self.settings.tunes_weights:
            del settings["turn"]
        if command == "train" and self.settings.tunes_weights:
            settings = {key: settings[key] for key in _TUNING}
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
            | contents_of(self.agents),
        }

    def position(self, player: str, option: str) -> int:
        """The position of the player that an option of the command line names.

        Raises:
            OptionError: there is no such player.
        """
        names = [one.name for one in self.contest().players]
        with about_option(option):
            return names.index(known_word("player", player, names))

    def with_collection(self, file: Path | None) -> Experiment:
        """The same experiment, whose decks may hold what a CSV file lists; `None` keeps its own."""
        if file is None:
            return self
        with about_option("collection"):
            return self.with_settings(collection=read_collection(file, self.pool))

    def with_seed(self, seed: int | None) -> Experiment:
        """The same experiment under another run seed; `None` keeps its own."""
        if seed is None:
            return self
        if not 0 <= seed <= SEED_MAX:
            raise InputError(f"--seed {seed} must be from 0 to {SEED_MAX}")
        return self.with_settings(seed=seed)

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


def load_experiment(
    name: str, results: Path = Path("results"), preset: str | None = None
) -> Experiment:
    """Read an experiment and the data that it names.

    Args:
        name: path of a file, or the name of a shipped experiment such as `quickstart`.
        results: parent of the run folders, where trained agents are looked for.
        preset: a word for settings that the file leaves open, instead of its own word.

    Raises:
        InputError: a file is missing or wrong; names the file to mend (the experiment, or one
            that it names), the field, the value, the limit.
    """
    path = named_file("experiment", name, SHIPPED)
    if preset not in {None, *PRESETS}:
        raise OptionError("preset", unknown_word("word", str(preset), PRESETS))
    told = read_toml(path) if preset is None else read_toml(path) | {"preset": preset}
    if "game" in told:
        raise InputError(f"{path}: is of the game {told['game']!r}, this is for games of cards")
    settings = _with_target_matrix(validate(ExperimentFile, told, source=str(path)), path)
    with blaming(path):
        ruleset_file = find_data_file("rulesets", settings.ruleset, near=path)
    ruleset = load_ruleset(str(ruleset_file))
    pool, pool_file = _pool_and_file(settings.pool, path)
    with blaming(pool_file):
        check_pool(pool, ruleset)
    decks = tuple(_player_deck(entry, pool, ruleset, path) for entry in settings.players)
    with blaming(path):
        _check_names(settings, pool, decks)
        settings = _with_files_beside(settings, path)
        named = [(entry.agent, _place_of(entry)) for entry in settings.players]
        pilots = find_pilots(named, near=path, results=results)
        if pilots:
            check_view(pack_table(pool, ruleset), decks)
        agents = _player_agents(settings.players, pilots, decks, pool, ruleset, path, results)
        found = Experiment(path, settings, ruleset, pool, decks, agents, pilots)
        if len(decks) > 1:
            settings.demands_in(found.contest())
        return found.within_total()


def _with_target_matrix(settings: ExperimentFile, path: Path) -> ExperimentFile:
    """The settings, with the goals in a file if they name one."""
    target = settings.target
    if not isinstance(target.win_rate, str) or target.win_rate == FREE:
        return settings
    matrix = path.parent / target.win_rate
    told = {**target.model_dump(), "win_rate": read_target_matrix(matrix)}
    return settings.model_copy(update={"target": validate(Target, told, source=str(matrix))})


def _with_files_beside(settings: ExperimentFile, path: Path) -> ExperimentFile:
    """The settings, with the places of the weights of agents that are no player's."""
    changed = {}
    for table in _WITH_AGENT:
        told = getattr(settings, table)
        with blaming(f"{table}.agent"):
            agent = with_file_beside(told.agent, path)
        if agent != told.agent:
            changed[table] = told.model_copy(update={"agent": agent})
    return settings.model_copy(update=changed) if changed else settings


def load_fitting_pilot(
    name: str,
    file: PilotFile,
    ruleset: Ruleset,
    pool: Pool,
    decks: Sequence[Deck],
    met: Collection[Deck],
) -> Agent:
    """The trained agent in a file, or the search on it, called `name`; needs torch.

    Args:
        name: what experiments and results call it; says which it is.
        file: its file.
        ruleset: by these rules it is to play,
        pool: with these cards,
        decks: these decks,
        met: in games with these.

    Raises:
        InputError: the file is no pilot, or one for other rules, cards or decks.
    """
    from agents.dqn.checkpoint import check_fits, load_pilot  # noqa: PLC0415 (loads torch)
    from agents.roster.rollout import rollout_on  # noqa: PLC0415 (few need it)

    pilot = load_pilot(file.path, name=name)
    found = rollout_on(name, pilot) if name.startswith(SEARCH_PREFIX) else pilot
    reached = reach_of_decks(pool, ruleset, [*decks, *met])
    with blaming(file.path):
        for deck in decks:
            check_fits(pilot, ruleset, pool, deck, reached)
        view_for(pack_table(pool, ruleset), pilot, reached)
    return found


def agent_for(name: str, experiment: Experiment, decks: Sequence[Deck], results: Path) -> Agent:
    """An agent that the experiment need not name, to play some decks in its games.

    Args:
        name: what an experiment would call it.
        experiment: whose cards and rules it meets.
        decks: that it is to play.
        results: parent of the run folders, where trained agents are looked for.

    Raises:
        InputError: there is no such agent, or it cannot play this.
    """
    if not is_pilot(name):
        return agent_near(name, experiment.path, results)
    file = find_pilot(name, near=experiment.path, results=results)
    rules, pool = experiment.ruleset, experiment.pool
    return load_fitting_pilot(name, file, rules, pool, decks, experiment.decks)


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
        OptionError: there is no such player.
    """
    one = None if first is None else experiment.position(first, options[0])
    other = None if second is None else experiment.position(second, options[1])
    if one is None:
        one = 0 if other is None else _first_but(experiment, other)
    return [one, _first_but(experiment, one) if other is None else other]


def _first_but(experiment: Experiment, player: int) -> int:
    """The first player other than this one; the player itself where it is the only one."""
    return next((k for k in range(len(experiment.decks)) if k != player), player)


def check_contest(experiment: Experiment) -> None:
    """Refuse what any run would only find out after it has begun.

    Raises:
        InputError: names the field; nobody to play, an unknown pilot.
    """
    experiment.contest().require_opponents()
    pilot = experiment.settings.narrow.agent
    if is_pilot(pilot):
        raise InputError(
            f"narrow.agent: {pilot!r}: a trained agent plays only the decks that it learned; "
            "name it as the `agent` of its player, and leave narrow.agent out"
        )
    if pilot not in {OWN, LEARNERS}:
        with blaming("narrow.agent"):
            agent_near(pilot, experiment.path)


def named_file(what: str, name: str, shipped: Path) -> Path:
    """The file itself, or a shipped one of that name.

    Args:
        what: it is to be.
        name: path of a file, or the name of one of those that are shipped.
        shipped: the folder of those.

    Raises:
        InputError: there is none; lists the names that there are.
    """
    path = Path(name)
    if path.suffix == ".toml" or path.exists():
        return path
    if (shipped / f"{name}.toml").is_file():
        return shipped / f"{name}.toml"
    names = sorted(file.stem for file in shipped.glob("*.toml"))
    raise InputError(
        f"no {what} file {name!r}, and no shipped {what} of that name "
        f"({', '.join(names)}){did_you_mean(name, names)}"
    )


def _pool_and_file(name: str, path: Path) -> tuple[Pool, Path]:
    """The pool, and the file to mend where the ruleset refuses it."""
    with blaming(path):
        if name == REAL_POOL:  # has no file of its own
            return load_pool(name), path
        file = find_data_file("pools", name, near=path)
    return load_pool(str(file)), file


def _player_deck(entry: PlayerEntry, pool: Pool, ruleset: Ruleset, path: Path) -> Deck:
    with blaming(path):
        file = find_data_file("decks", entry.deck, near=path)
    deck = load_deck(str(file))
    with blaming(file):
        check_deck(deck, pool, ruleset)
    return deck


def contents_of(agents: Iterable[Agent]) -> dict[str, str]:
    """By name, the content of what agents are told that their names do not say: weights."""
    told = {agent.name: getattr(agent, "content", "") for agent in agents}
    return {name: content for name, content in told.items() if content}


def _player_agents(
    players: Sequence[PlayerEntry],
    pilots: Mapping[str, PilotFile],
    decks: Sequence[Deck],
    pool: Pool,
    ruleset: Ruleset,
    near: Path,
    results: Path,
) -> tuple[Agent, ...]:
    places = {entry.agent: _place_of(entry) for entry in reversed(players)}

    def load(name: str, theirs: Sequence[Deck]) -> Agent:
        with blaming(places[name]):
            if name not in pilots:
                return agent_near(name, near, results)
            return load_fitting_pilot(name, pilots[name], ruleset, pool, theirs, decks)

    return agents_of([entry.agent for entry in players], decks, load)


def agents_of(
    names: Sequence[str], decks: Sequence[Deck], load: Callable[[str, Sequence[Deck]], Agent]
) -> tuple[Agent, ...]:
    """The players' agents; those of one name share it, so that it answers them at once.

    Args:
        names: of each player's agent.
        decks: of each player.
        load: makes the agent of a name that plays these decks.
    """
    theirs: dict[str, list[Deck]] = {}
    for name, deck in zip(names, decks, strict=True):
        theirs.setdefault(name, []).append(deck)
    loaded = {name: load(name, played) for name, played in theirs.items()}
    return tuple(loaded[name] for name in names)


def _place_of(entry: PlayerEntry) -> str:
    return f"player {entry.name or entry.deck!r}: agent"


def _check_names(settings: ExperimentFile, pool: Pool, decks: tuple[Deck, ...]) -> None:
    """Refuse players of one name, and names of what is not there, whoever asks for them."""
    names = [entry.name or deck.name for entry, deck in zip(settings.players, decks, strict=True)]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"player {name!r} occurs twice; give one of them another `name`")
        if name in RESERVED:
            raise InputError(f"player {name!r}: means something in [target]; give another `name`")
    check_names(settings.tune, pool.cards, [deck.name for deck in decks])
    substitute, build = settings.substitute.deck, settings.build.improve
    for place, players in (
        ("field.weights", settings.field.weights),
        ("substitute.deck", [substitute] if substitute else []),
        ("build.improve", [build] if build else []),
    ):
        for name in players:
            known_word("player", name, names, place)
    for place, cards in (
        ("collection", settings.collection or {}),
        ("build.prices", settings.build.prices),
    ):
        with blaming(place):
            for card in cards:
                pool.index(card)
