"""Implementation of the option `--agent`: one agent plays every deck of an experiment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from balance import OWN
from experiments.agents import agent_for
from experiments.experiment import Experiment
from experiments.files.agent_files import find_pilot, is_pilot
from experiments.files.experiment_file import ExperimentFile
from experiments.files.option_errors import option_error, option_place
from sim import check_view
from sim.play import pack_table

GoalT = TypeVar("GoalT")


def with_one_agent(experiment: Experiment, name: str, results: Path) -> Experiment:
    """Return the experiment with one agent that plays every deck.

    Players with the same deck would be equal, so only the first of them is kept. The other players
    are left out (`Experiment.merged`), and so are goals and weights that name them.

    Args:
        experiment: experiment, possibly without agents.
        name: name of the agent, as in an experiment file.
        results: parent of the run folders, which is searched for trained agents.

    Raises:
        InputError: the agent does not exist or cannot play these decks, or only one player would be
            left.
    """
    merged = _merged_players(experiment)
    names = experiment.player_names
    if merged and len(merged) == len(names) - 1:
        raise option_error(
            "agent",
            f"all players have the deck {names[0]!r}, so with {name!r} only one would be left",
            value=name,
            limit=2,
            remedy="leave the option out, or add a player with another deck",
        )
    kept = [k for k, player in enumerate(names) if player not in merged]
    settings = _without_players(experiment.settings, names, merged)
    players = tuple(settings.players[k].model_copy(update={"agent": name}) for k in kept)
    # The same agent also measures card power, in place of `narrow.agent` in the file.
    narrow = settings.narrow.model_copy(update={"agent": OWN})
    changed = replace(
        experiment,
        settings=settings.model_copy(update={"players": players, "narrow": narrow}),
        decks=tuple(experiment.decks[k] for k in kept),
        merged=merged,
    )
    with option_place("agent"):
        files = {}
        if is_pilot(name):
            files[name] = find_pilot(name, near=experiment.path, results=results)
            check_view(pack_table(experiment.pool, experiment.ruleset), changed.decks)
        agent = agent_for(name, changed, changed.decks, results)
    return replace(changed, agents=(agent,) * len(kept), pilots=files)


def _merged_players(experiment: Experiment) -> dict[str, str]:
    """Return the players with the deck of an earlier player, each with the name of that player."""
    merged = dict[str, str]()
    for k, name in enumerate(experiment.player_names):
        first = experiment.decks.index(experiment.decks[k])
        if first < k:
            merged[name] = experiment.player_names[first]
    return merged


def _without_players(
    settings: ExperimentFile, names: tuple[str, ...], dropped: Mapping[str, str]
) -> ExperimentFile:
    """Return the settings without goals and weights of players that are left out.

    Args:
        settings: contents of the experiment file.
        names: display names of all players.
        dropped: names of the players that are left out.
    """
    if not dropped:
        return settings
    removed = {*dropped}
    for first in names:
        for second in names:
            if first in dropped or second in dropped:
                removed.add(f"{first} vs {second}")
    target = settings.target.model_copy(
        update={
            "win_rate": _without_keys(settings.target.win_rate, removed),
            "field": _without_keys(settings.target.field, removed),
        }
    )
    weights = _without_keys(settings.field.weights, removed)
    field = settings.field.model_copy(update={"weights": weights})
    return settings.model_copy(update={"target": target, "field": field})


def _without_keys(goals: GoalT, removed: set[str]) -> GoalT:
    """Return a table without given keys; a value that is not a table is returned unchanged."""
    if not isinstance(goals, dict):
        return goals
    return type(goals)((key, goal) for key, goal in goals.items() if key not in removed)
