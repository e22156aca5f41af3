"""Loading experiments: a file, checked, with the ruleset, cards, decks and agents that it names."""

from __future__ import annotations

from dataclasses import replace
from importlib import resources
from pathlib import Path

from balance.card_space import check_names
from balance.settings import PRESETS
from balance.target import FREE, RESERVED, Target
from experiments.agents import place_of, player_agents
from experiments.experiment import WITH_AGENT, Experiment
from experiments.files.agent_files import find_pilots, with_file_beside
from experiments.files.csv_files import read_target_matrix
from experiments.files.experiment_file import ExperimentFile, PlayerEntry
from experiments.files.option_errors import OptionError
from experiments.long_games import know_decks
from experiments.one_agent import with_one_agent
from sim import (
    REAL_POOL,
    Deck,
    InputError,
    Pool,
    Ruleset,
    blaming,
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
)
from sim.play import pack_table

SHIPPED = Path(str(resources.files("experiments").joinpath("configs")))


def load_experiment(
    name: str,
    results: Path = Path("results"),
    preset: str | None = None,
    agent: str | None = None,
) -> Experiment:
    """Read an experiment and the data that it names.

    Args:
        name: path of a file, or the name of a shipped experiment such as `quickstart`.
        results: parent of the run folders, where trained agents are looked for.
        preset: a word for settings that the file leaves open, instead of its own word.
        agent: pilots every deck, whatever the file says; default as the file says.

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
        bare = Experiment(path, settings, ruleset, pool, decks, agents=())
        if agent is None:
            found = _with_own_agents(bare, results)
        else:
            found = with_one_agent(bare, agent, results)
        know_decks(decks, pool)
        if len(found.decks) > 1:
            found.settings.demands_in(found.contest())
        return found.within_total()


def _with_own_agents(experiment: Experiment, results: Path) -> Experiment:
    """The experiment with the agents and pilots that its file names."""
    named = [(entry.agent, place_of(entry)) for entry in experiment.settings.players]
    pilots = find_pilots(named, near=experiment.path, results=results)
    if pilots:
        check_view(pack_table(experiment.pool, experiment.ruleset), experiment.decks)
    found = experiment.with_pilots(pilots)
    return replace(found, agents=player_agents(found, results))


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
    for table in WITH_AGENT:
        told = getattr(settings, table)
        with blaming(f"{table}.agent"):
            agent = with_file_beside(told.agent, path)
        if agent != told.agent:
            changed[table] = told.model_copy(update={"agent": agent})
    return settings.model_copy(update=changed) if changed else settings


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
