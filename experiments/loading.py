"""Loading of experiments: reading and checking of the file, ruleset, cards, decks and agents."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any

from agents.registry import known_spelling
from balance.cards.card_contest import refuse_repeated_names
from balance.contest.target import FREE, RESERVED, Target
from balance.settings.tables import PRESETS, Games
from experiments.agents import place_of, player_agents
from experiments.experiment import WITH_AGENT, Experiment
from experiments.files.agent_files import find_pilots, with_file_beside
from experiments.files.csv_files import read_target_matrix
from experiments.files.experiment_file import ExperimentFile, PlayerEntry
from experiments.files.named_file import check_is_experiment, named_file
from experiments.files.option_errors import option_place
from experiments.long_games import know_decks
from experiments.one_agent import with_one_agent
from sim import (
    REAL_POOL,
    Deck,
    InputError,
    Pool,
    Ruleset,
    check_deck,
    check_pool,
    check_view,
    error_place,
    find_data_file,
    load_deck,
    load_pool,
    load_ruleset,
    read_toml,
    validate,
)
from sim.files.toml_file import DataKind
from sim.names import named_word
from sim.play import pack_table

SHIPPED = Path(str(resources.files("experiments").joinpath("configs")))
"""Folder with the files of the shipped experiments."""


def load_experiment(
    name: str,
    results: Path = Path("results"),
    preset: str | None = None,
    agent: str | None = None,
    total: int | None = None,
) -> Experiment:
    """Read and check an experiment of a card game, with all data that it names.

    Args:
        name: path of a file, or the name of a shipped experiment such as `quickstart`.
        results: parent of the run folders, which is searched for trained agents.
        preset: name of a preset that replaces the preset in the file; `None` to keep it.
        agent: name of an agent that plays every deck; `None` for the agents that the file names.
        total: total number of games, which replaces the table `[games]`; `None` to keep the table.

    Raises:
        InputError: a file is missing or invalid, or the experiment is of another game. The place of
            the error is the file to fix: that of the experiment, or one that it names.
    """
    path = named_file("experiment", name, SHIPPED)
    return read_experiment(
        read_toml(path), path, results=results, preset=preset, agent=agent, total=total
    )


def read_experiment(
    tables: Mapping[str, Any],
    path: Path,
    *,
    results: Path = Path("results"),
    preset: str | None = None,
    agent: str | None = None,
    total: int | None = None,
) -> Experiment:
    """Check the content of an experiment file of a card game, and read all data that it names.

    Args:
        tables: content of the file.
        path: path of the file.
        results: parent of the run folders, which is searched for trained agents.
        preset: name of a preset that replaces the preset in the file; `None` to keep it.
        agent: name of an agent that plays every deck; `None` for the agents that the file names.
        total: total number of games, which replaces the table `[games]`; `None` to keep the table.

    Raises:
        InputError: a value or a named file is invalid, or the experiment is of another game.
    """
    if preset is not None:
        with option_place("preset"):
            tables = {**tables, "preset": named_word("word", preset, PRESETS)}
    check_is_experiment(path, tables)
    if "game" in tables:
        raise InputError(
            f"is of the game {tables['game']!r}, but this command is for card games",
            place=path,
            value=tables["game"],
            remedy="name an experiment of a card game",
        )
    settings = _with_target_matrix(validate(ExperimentFile, tables, source=str(path)), path)
    with error_place(path):
        ruleset_file = find_data_file("rulesets", settings.ruleset, near=path)
    ruleset = load_ruleset(str(ruleset_file))
    pool, pool_file = _pool_and_file(settings.pool, path)
    with error_place(pool_file):
        check_pool(pool, ruleset)
    seated = [_player_deck(entry, pool, ruleset, path) for entry in settings.players]
    decks = tuple(deck for deck, _ in seated)
    settings = settings.model_copy(
        update={
            "ruleset": _canonical_name("rulesets", settings.ruleset, ruleset_file, path),
            "pool": _canonical_name("pools", settings.pool, pool_file, path),
            "players": tuple(entry for _, entry in seated),
        }
    )
    if total is not None:
        settings = settings.model_copy(update={"games": Games(total=total)})
    with error_place(path):
        _check_players(settings, decks)
        settings = _with_weight_paths(settings, path)
        bare = Experiment(path, settings, ruleset, pool, decks, agents=()).with_known_names()
        if agent is None:
            experiment = _with_own_agents(bare, results)
        else:
            experiment = with_one_agent(bare, known_spelling(agent), results)
        know_decks(decks, pool)
        if len(experiment.decks) > 1:
            experiment.settings.demands_in(experiment.contest())
        # If an option gives the total, errors about the total must name the option.
        with nullcontext() if total is None else option_place("games"):
            return experiment.within_total()


def _with_own_agents(experiment: Experiment, results: Path) -> Experiment:
    """Return the experiment with the agents that its file names, loaded from their files.

    Raises:
        InputError: an agent does not exist or cannot play its deck.
    """
    named = [(entry.agent, place_of(entry)) for entry in experiment.settings.players]
    pilots = find_pilots(named, near=experiment.path, results=results)
    if pilots:
        check_view(pack_table(experiment.pool, experiment.ruleset), experiment.decks)
    with_files = experiment.with_pilots(pilots)
    return replace(with_files, agents=player_agents(with_files, results))


def _with_target_matrix(settings: ExperimentFile, path: Path) -> ExperimentFile:
    """Return the settings with the file name in `[target] win_rate` replaced by its targets.

    Settings that do not name a matrix file are returned unchanged.

    Args:
        settings: contents of the experiment file.
        path: path of the experiment file; the path of the matrix file is relative to its folder.

    Raises:
        InputError: the matrix file cannot be read or is invalid.
    """
    target = settings.target
    if not isinstance(target.win_rate, str) or target.win_rate == FREE:
        return settings
    matrix = path.parent / target.win_rate
    fields = {**target.model_dump(), "win_rate": read_target_matrix(matrix)}
    return settings.model_copy(update={"target": validate(Target, fields, source=str(matrix))})


def _with_weight_paths(settings: ExperimentFile, path: Path) -> ExperimentFile:
    """Return the settings with full paths in the agents' names of the tables `WITH_AGENT`.

    Only names that contain the path of a file with weights are changed.

    Args:
        settings: contents of the experiment file.
        path: path of the experiment file; the paths of the weights are relative to its folder.
    """
    changed = {}
    for table in WITH_AGENT:
        table_settings = getattr(settings, table)
        with error_place(f"{table}.agent"):
            agent = with_file_beside(table_settings.agent, path)
        if agent != table_settings.agent:
            changed[table] = table_settings.model_copy(update={"agent": agent})
    return settings.model_copy(update=changed) if changed else settings


def _pool_and_file(name: str, path: Path) -> tuple[Pool, Path]:
    """Return a pool, and the path of the file that is named in errors about its cards.

    Args:
        name: name or file of the pool.
        path: path of the experiment file, which is returned for a pool without a file.
    """
    with error_place(path):
        if name == REAL_POOL:  # a pool without a file
            return load_pool(name), path
        file = find_data_file("pools", name, near=path)
    return load_pool(str(file)), file


def _canonical_name(kind: DataKind, name: str, file: Path, near: Path) -> str:
    """Return the name of a data file as its stem, independent of the spelling in settings.

    A path is returned unchanged. So is a name if the stem of its file would find a different file.

    Args:
        kind: kind of the data file, such as `decks`.
        name: name or path in the settings.
        file: path of the file that the name denotes.
        near: path of the experiment file.
    """
    if name.endswith(".toml") or name == file.stem or file == near:  # real cards have no file
        return name
    return file.stem if find_data_file(kind, file.stem, near) == file else name


def _player_deck(
    entry: PlayerEntry, pool: Pool, ruleset: Ruleset, path: Path
) -> tuple[Deck, PlayerEntry]:
    """Return the deck of a player, and the player's entry with the canonical name of the deck.

    Args:
        entry: entry of the player in the experiment file.
        pool: pool with the cards.
        ruleset: rules that the deck must satisfy.
        path: path of the experiment file.

    Raises:
        InputError: the deck does not exist, or the rules do not permit it.
    """
    with error_place(path):
        file = find_data_file("decks", entry.deck, near=path)
    deck = load_deck(str(file), pool=pool)
    with error_place(file):
        check_deck(deck, pool, ruleset)
    return deck, entry.model_copy(update={"deck": _canonical_name("decks", entry.deck, file, path)})


def _check_players(settings: ExperimentFile, decks: tuple[Deck, ...]) -> None:
    """Refuse two players with the same name, and a name that is a keyword of `[target]`.

    Raises:
        InputError: a name occurs twice, or is one of `balance.contest.target.RESERVED`.
    """
    names = [entry.name or deck.name for entry, deck in zip(settings.players, decks, strict=True)]
    refuse_repeated_names(names)
    for name in names:
        if name in RESERVED:
            raise InputError(
                "the name is a reserved word of [target]",
                place=f"player {name!r}",
                value=name,
                remedy="give the player another `name`",
            )
