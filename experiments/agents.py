"""Loading and checking of the agents that experiments name: scripted, searching or trained."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from agents.dqn import require_torch
from agents.registry import known_spelling
from balance import LEARNERS, OWN, CardContest
from balance.cards.power import piloted_for_power
from experiments.experiment import Experiment
from experiments.files.agent_files import (
    PREFIX,
    SEARCH_PREFIX,
    PilotFile,
    agent_near,
    find_pilot,
    is_pilot,
)
from experiments.files.experiment_file import PlayerEntry
from sim import Deck, InputError, check_view, error_place, view_for
from sim.play import Agent, CompiledAgent, pack_table, row_of_deck
from sim.play.reach import reach_of_decks

_FIELD = f"narrow.agent = {LEARNERS!r}"
"""Setting that errors about the trained agents that measure card power name as their place."""


def load_fitting_pilot(
    name: str, file: PilotFile, experiment: Experiment, decks: Sequence[Deck]
) -> Agent:
    """Load the trained agent in a file, or the search based on that agent; requires torch.

    Args:
        name: name of the agent in experiments and results; a name with the prefix of searches loads
            the search.
        file: file of the trained agent.
        experiment: experiment with the rules, cards and decks of the games.
        decks: decks that the agent will play.

    Raises:
        InputError: the file does not contain a trained agent, or the agent was trained for other
            rules, cards or decks.
    """
    from agents.dqn.checkpoint import check_fits, load_pilot  # noqa: PLC0415 (loads torch)
    from agents.roster.rollout import rollout_on  # noqa: PLC0415 (few need it)

    pilot = load_pilot(file.path, name=name)
    agent = rollout_on(name, pilot) if name.startswith(SEARCH_PREFIX) else pilot
    pool = experiment.pool
    ruleset = experiment.ruleset
    reached = reach_of_decks(pool, ruleset, [*decks, *experiment.decks])
    with error_place(file.path):
        for deck in decks:
            check_fits(pilot, ruleset, pool, deck, reached)
        view_for(pack_table(pool, ruleset), pilot, reached)
    return agent


def agent_for(name: str, experiment: Experiment, decks: Sequence[Deck], results: Path) -> Agent:
    """Load an agent for given decks; the file of the experiment need not name the agent.

    Args:
        name: name of the agent, in any spelling that an experiment file permits.
        experiment: experiment with the rules and cards.
        decks: decks that the agent will play.
        results: parent of the run folders, which is searched for trained agents.

    Raises:
        InputError: the agent does not exist, or cannot play these decks.
    """
    name = known_spelling(name)
    if not is_pilot(name):
        return _check_weights(agent_near(name, experiment.path, results), experiment, decks)
    file = find_pilot(name, near=experiment.path, results=results)
    return load_fitting_pilot(name, file, experiment, decks)


def _check_weights(agent: Agent, experiment: Experiment, decks: Sequence[Deck]) -> Agent:
    """Return an agent after checking that its weights fit the rules and decks.

    Only compiled agents are checked. Without this check the error would be raised when the first
    game begins.

    Args:
        agent: agent to check.
        experiment: experiment with the rules and cards.
        decks: decks that the agent will play.

    Raises:
        InputError: the weights of the agent do not fit.
    """
    if isinstance(agent, CompiledAgent):
        pool = experiment.pool
        agent.seated(
            pack_table(pool, experiment.ruleset),
            lambda: np.array([row_of_deck(deck, pool) for deck in decks]),
        )
    return agent


def agents_of(
    names: Sequence[str], decks: Sequence[Deck], load: Callable[[str, Sequence[Deck]], Agent]
) -> tuple[Agent, ...]:
    """Load the agent of each player; players with the same agent share one object.

    A shared agent computes the actions of all its players' games in one batch.

    Args:
        names: name of each player's agent, ``[D]``.
        decks: deck of each player, ``[D]``.
        load: function that loads the agent with a name for given decks.

    Returns:
        Agents, ``[D]``.
    """
    decks_by_agent: dict[str, list[Deck]] = {}
    for name, deck in zip(names, decks, strict=True):
        decks_by_agent.setdefault(name, []).append(deck)
    loaded = {name: load(name, own_decks) for name, own_decks in decks_by_agent.items()}
    return tuple(loaded[name] for name in names)


def player_agents(experiment: Experiment, results: Path) -> tuple[Agent, ...]:
    """Load the agents that the file of an experiment names for its players.

    Args:
        experiment: experiment with the files of its trained agents; its own agents are ignored.
        results: parent of the run folders.

    Returns:
        Agents in the order of the players, ``[D]``.

    Raises:
        InputError: an agent does not exist or cannot play its deck; the place of the error is the
            player.
    """
    players = experiment.settings.players
    pilots = experiment.pilots
    decks = experiment.decks
    # Reversed, so that errors of an agent with several players name the first of them.
    places = {entry.agent: place_of(entry) for entry in reversed(players)}

    def load(name: str, own_decks: Sequence[Deck]) -> Agent:
        """Load the agent with a name; the place of errors is its first player."""
        with error_place(places[name]):
            if name not in pilots:
                return _check_weights(agent_near(name, experiment.path, results), experiment, decks)
            return load_fitting_pilot(name, pilots[name], experiment, own_decks)

    return agents_of([entry.agent for entry in players], decks, load)


def place_of(entry: PlayerEntry) -> str:
    """Return the place of a player's agent for messages, such as `player 'aggro': agent`."""
    return f"player {entry.name or entry.deck!r}: agent"


def check_contest(experiment: Experiment) -> None:
    """Check an experiment for errors that a run would report only after its start.

    Raises:
        InputError: the experiment has fewer than two players, or `narrow.agent` is a trained agent
            or does not exist.
    """
    experiment.contest().require_opponents()
    pilot = experiment.settings.narrow.agent
    if is_pilot(pilot):
        raise InputError(
            f"{pilot!r} is a trained agent, which plays only the decks that it learned",
            place="narrow.agent",
            value=pilot,
            remedy="name it as the `agent` of its player, and leave narrow.agent out",
        )
    if pilot not in {OWN, LEARNERS}:
        with error_place("narrow.agent"):
            agent_near(pilot, experiment.path)


def find_power_pilots(experiment: Experiment, results: Path) -> Experiment:
    """Return the experiment with the files of the trained agents that measure power.

    An experiment without `[narrow] agent = "learners"` is checked and returned unchanged.

    Args:
        experiment: experiment with its players' agents.
        results: parent of the run folders, which is searched for trained agents.

    Raises:
        InputError: the experiment cannot be run; a player's deck has no learner or several; or a
            trained agent is missing or does not fit its deck.
    """
    check_contest(experiment)
    if experiment.settings.narrow.agent != LEARNERS:
        return experiment
    updated = with_learner_files(experiment, results)
    power_contest(updated)  # raises the error of an agent that does not fit before the run begins
    return updated


def with_learner_files(experiment: Experiment, results: Path, place: str = _FIELD) -> Experiment:
    """Return the experiment with the files of the agents that it trains for its players' decks.

    Args:
        experiment: experiment with its players' agents.
        results: parent of the run folders, which is searched for trained agents.
        place: setting that asks for the agents, for errors.

    Raises:
        InputError: torch is not installed, a player's deck has no learner or several, or a trained
            agent is missing.
    """
    require_torch(place)
    contest = experiment.contest()
    check_view(contest.table, [player.deck for player in contest.players])
    files = {
        name: find_pilot(name, near=experiment.path, results=results)
        for name in learners_of(experiment, place).values()
    }
    return experiment.with_pilots(files)


def power_contest(experiment: Experiment) -> CardContest:
    """Return the contest of an experiment with the agents that measure power.

    These are the agents that `narrow.agent` names; with `learners` they are loaded from the files
    in `experiment.pilots`.

    Raises:
        InputError: a trained agent does not fit its deck.
    """
    settings = experiment.settings
    if settings.narrow.agent != LEARNERS:
        return piloted_for_power(experiment.contest(), settings)
    return learners_contest(experiment)


def learners_contest(experiment: Experiment) -> CardContest:
    """Return the contest of an experiment in the hands of the agents that it trains.

    Args:
        experiment: experiment with the files of these agents.

    Raises:
        InputError: a trained agent does not fit its deck.
    """
    names = learners_of(experiment)

    def load(name: str, own_decks: Sequence[Deck]) -> Agent:
        """Load the trained agent with a name for given decks."""
        return load_fitting_pilot(name, experiment.pilots[name], experiment, own_decks)

    agents = agents_of(list(names.values()), experiment.decks, load)
    return experiment.contest().with_agents(dict(zip(names, agents, strict=True)))


def are_scripts(contest: CardContest) -> bool:
    """Return whether all agents of a contest are compiled agents, none of which is trained."""
    return all(isinstance(agent, CompiledAgent) for agent in contest.agents)


def learners_of(experiment: Experiment, place: str = _FIELD) -> dict[str, str]:
    """Return the name of the trained agent for each player's deck, by the player's name.

    Args:
        experiment: experiment with the learners.
        place: setting that asks for the agents, for errors.

    Raises:
        InputError: no learner of the experiment, or more than one, has the player among its decks.
    """
    settings = experiment.settings
    trained = {}
    for player in (player.name for player in experiment.contest().players):
        names = [learner.name for learner in settings.learners if player in learner.decks]
        if len(names) != 1:
            listed_learners = " and ".join(map(repr, names)) or "none"
            raise InputError(
                f"player {player!r} must be in the `decks` of one learner, but is in those of "
                f"{listed_learners}",
                place=place,
                value=tuple(names),
                limit=1,
                remedy="correct the `decks` of the [[learner]] tables",
            )
        trained[player] = f"{PREFIX}{settings.name}/{names[0]}"
    return trained
