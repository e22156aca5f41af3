"""Agents that experiments name: scripts, searches, trained ones; who plays, who measures power."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from agents.dqn import require_torch
from agents.registry import known_spelling
from balance import LEARNERS, OWN, CardContest
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


def load_fitting_pilot(
    name: str, file: PilotFile, experiment: Experiment, decks: Sequence[Deck]
) -> Agent:
    """The trained agent in a file, or the search on it, called `name`; needs torch.

    Args:
        name: what experiments and results call it; says which it is.
        file: its file.
        experiment: by whose rules, with whose cards and against whose decks it is to play.
        decks: that it is to play.

    Raises:
        InputError: the file is no pilot, or one for other rules, cards or decks.
    """
    from agents.dqn.checkpoint import check_fits, load_pilot  # noqa: PLC0415 (loads torch)
    from agents.roster.rollout import rollout_on  # noqa: PLC0415 (few need it)

    pilot = load_pilot(file.path, name=name)
    found = rollout_on(name, pilot) if name.startswith(SEARCH_PREFIX) else pilot
    pool = experiment.pool
    ruleset = experiment.ruleset
    reached = reach_of_decks(pool, ruleset, [*decks, *experiment.decks])
    with error_place(file.path):
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
    name = known_spelling(name)
    if not is_pilot(name):
        return _seated(agent_near(name, experiment.path, results), experiment, decks)
    file = find_pilot(name, near=experiment.path, results=results)
    return load_fitting_pilot(name, file, experiment, decks)


def _seated(agent: Agent, experiment: Experiment, decks: Sequence[Deck]) -> Agent:
    """The agent, refused now where it would be when it is to play: weights for other rules."""
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


def player_agents(experiment: Experiment, results: Path) -> tuple[Agent, ...]:
    """The agents of an experiment's players, which it need not have yet; its pilots it has.

    Args:
        experiment: whose players.
        results: parent of the run folders.

    Raises:
        InputError: there is no such agent, or it cannot play this; names the player.
    """
    players = experiment.settings.players
    pilots = experiment.pilots
    decks = experiment.decks
    places = {entry.agent: place_of(entry) for entry in reversed(players)}

    def load(name: str, theirs: Sequence[Deck]) -> Agent:
        with error_place(places[name]):
            if name not in pilots:
                return _seated(agent_near(name, experiment.path, results), experiment, decks)
            return load_fitting_pilot(name, pilots[name], experiment, theirs)

    return agents_of([entry.agent for entry in players], decks, load)


def place_of(entry: PlayerEntry) -> str:
    """What messages call the place of a player's agent."""
    return f"player {entry.name or entry.deck!r}: agent"


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
        with error_place("narrow.agent"):
            agent_near(pilot, experiment.path)


def find_power_pilots(experiment: Experiment, results: Path) -> Experiment:
    """The experiment, depending on the trained agents that measure power, where it asks for them.

    Args:
        experiment: its `[narrow]` may say `agent = "learners"`.
        results: parent of the run folders, where they are looked for.

    Raises:
        InputError: the experiment cannot be run; no learner, or more than one, pilots a deck;
            or they were not trained, or for something else.
    """
    check_contest(experiment)
    if experiment.settings.narrow.agent != LEARNERS:
        return experiment
    require_torch(_FIELD)
    contest = experiment.contest()
    check_view(contest.table, [player.deck for player in contest.players])
    files = {
        name: find_pilot(name, near=experiment.path, results=results)
        for name in learners_of(experiment).values()
    }
    found = experiment.with_pilots(files)
    power_contest(found)  # refuses what does not fit
    return found


def power_contest(experiment: Experiment) -> CardContest:
    """The decks in the hands of those who measure power.

    Raises:
        InputError: a trained agent does not fit its deck.
    """
    contest = experiment.contest()
    settings = experiment.settings
    if settings.narrow.agent != LEARNERS:
        from balance.pipeline import pilots  # noqa: PLC0415 (loads the searches)

        return pilots(contest, settings)
    names = learners_of(experiment)

    def load(name: str, theirs: Sequence[Deck]) -> Agent:
        return load_fitting_pilot(name, experiment.pilots[name], experiment, theirs)

    agents = agents_of(list(names.values()), experiment.decks, load)
    return contest.with_agents(dict(zip(names, agents, strict=True)))


def are_scripts(contest: CardContest) -> bool:
    """Whether no player of the contest is piloted by a trained agent."""
    return all(isinstance(agent, CompiledAgent) for agent in contest.agents)


def learners_of(experiment: Experiment) -> dict[str, str]:
    """The trained agent of each player, by the player's name: what `train` makes of this file.

    Raises:
        InputError: no learner, or more than one, pilots a player's deck.
    """
    settings = experiment.settings
    found = {}
    for player in (player.name for player in experiment.contest().players):
        theirs = [learner.name for learner in settings.learners if player in learner.decks]
        if len(theirs) != 1:
            raise InputError(
                f"{_FIELD}: player {player!r} needs one [[learner]] with it among its decks; "
                f"there is {', '.join(map(repr, theirs)) or 'none'}"
            )
        found[player] = f"{PREFIX}{settings.name}/{theirs[0]}"
    return found
