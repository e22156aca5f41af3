"""Agents that experiments name: scripts, searches and trained ones, by whom and where they play."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path

import numpy as np

from experiments.experiment import Experiment
from experiments.files.experiment_file import PlayerEntry
from experiments.files.option_errors import blaming
from experiments.files.pilots import SEARCH_PREFIX, PilotFile, find_pilot, is_pilot
from experiments.files.weights_files import agent_near
from sim import Deck, Pool, Ruleset, view_for
from sim.play import Agent, CompiledAgent, pack_table, row_of_deck
from sim.play.reach import reach_of_decks


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
        agent = agent_near(name, experiment.path, results)
        return _seated(agent, experiment.ruleset, experiment.pool, decks)
    file = find_pilot(name, near=experiment.path, results=results)
    rules, pool = experiment.ruleset, experiment.pool
    return load_fitting_pilot(name, file, rules, pool, decks, experiment.decks)


def _seated(agent: Agent, ruleset: Ruleset, pool: Pool, decks: Sequence[Deck]) -> Agent:
    """The agent, refused now where it would be when it is to play: weights for other rules."""
    if isinstance(agent, CompiledAgent):
        table = pack_table(pool, ruleset)
        agent.seated(table, lambda: np.array([row_of_deck(deck, pool) for deck in decks]))
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


def player_agents(
    players: Sequence[PlayerEntry],
    pilots: Mapping[str, PilotFile],
    decks: Sequence[Deck],
    pool: Pool,
    ruleset: Ruleset,
    near: Path,
    results: Path,
) -> tuple[Agent, ...]:
    """The agents of an experiment's players.

    Args:
        players: what the file says of them.
        pilots: the files of the trained ones, by name.
        decks: of the players.
        pool: their cards.
        ruleset: by which they play.
        near: the experiment file.
        results: parent of the run folders.

    Raises:
        InputError: there is no such agent, or it cannot play this; names the player.
    """
    places = {entry.agent: place_of(entry) for entry in reversed(players)}

    def load(name: str, theirs: Sequence[Deck]) -> Agent:
        with blaming(places[name]):
            if name not in pilots:
                return _seated(agent_near(name, near, results), ruleset, pool, decks)
            return load_fitting_pilot(name, pilots[name], ruleset, pool, theirs, decks)

    return agents_of([entry.agent for entry in players], decks, load)


def place_of(entry: PlayerEntry) -> str:
    """What messages call the place of a player's agent."""
    return f"player {entry.name or entry.deck!r}: agent"
