"""Pilots of a run's decks, and warnings about weak pilots, for the screen and for summaries."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from balance.cards.pilot_check import LOOKS, WeakPilot, weak_pilots
from experiments.experiment import Experiment
from experiments.results.known_agreement import known_agreement
from experiments.runs.run import Findings, RunOf
from experiments.screen import percent_between
from experiments.screen.people_words import people_words
from sim import entry


def with_pilots_named(work: Callable[[Any], Findings]) -> Callable[[Any], Findings]:
    """Return a function that runs a command and adds the players' agents to its findings.

    The agreement of the agents with people is added if it is known.

    Findings on games without cards, which have no pilots, are returned unchanged.

    Args:
        work: function that runs the command and returns its findings.
    """

    def run(run: RunOf[Any]) -> Findings:
        findings = work(run)
        if not isinstance(run.experiment, Experiment):
            return findings
        agents = pilots_of(run.experiment)
        known = known_agreement(run.experiment.ruleset.name, agents.values())
        summary = {
            **(findings.summary or {}),
            "pilots": pilot_entries(agents),
            "people": None if known is None else known.model_dump(mode="json"),
        }
        lines = [pilots_sentence(agents), *filter(None, [people_words(known)])]
        return replace(findings, summary=summary, shown=[*findings.shown, *lines])

    return run


def pilots_of(experiment: Experiment) -> dict[str, str]:
    """Return the name of each player's agent, by the player's name."""
    names = experiment.player_names
    agents = (entry.agent for entry in experiment.settings.players)
    return dict(zip(names, agents, strict=True))


def pilot_entries(agents: dict[str, str]) -> list[dict[str, str]]:
    """Return the entries `pilots` of a summary.

    Args:
        agents: name of each player's agent, by the player's name.
    """
    return [{"player": player, "agent": agent} for player, agent in agents.items()]


def pilots_sentence(agents: dict[str, str]) -> str:
    """Return a line that names the pilots of the decks; equal pilots are grouped.

    Args:
        agents: name of each player's agent, by the player's name.
    """
    players = dict[str, list[str]]()
    for player, agent in agents.items():
        players.setdefault(agent, []).append(player)
    if len(players) == 1:
        (agent,) = players
        return f"All decks are piloted by {agent}"
    pilots = (f"{agent} ({', '.join(names)})" for agent, names in players.items())
    return f"Piloted by {', '.join(pilots)}"


def find_weak_pilots(experiment: Experiment) -> list[WeakPilot]:
    """Return the pilots that `light` beats significantly in mirrors of their decks.

    Each pilot plays at most `[games] matchups` games.

    Args:
        experiment: the experiment; players with the pilot `light` are not measured.
    """
    return weak_pilots(
        experiment.contest(),
        run_seed=experiment.settings.seed,
        most_games=min(LOOKS[-1], experiment.settings.games.matchups),
    )


def weak_pilot_entries(weak: list[WeakPilot]) -> dict[str, Any]:
    """Return the entry `weak_pilots` of a summary."""
    return {"weak_pilots": [entry(pilot) for pilot in weak]}


def beaten_words(pilot: WeakPilot) -> str:
    """Return a clause on an agent that beats a player's pilot, with its win rate in mirrors."""
    return (
        f"{pilot.player}: {pilot.against} beats its pilot {pilot.agent} in "
        f"{percent_between(pilot.win_rate)} of mirror games, n = {pilot.n:,}"
    )


def weak_pilot_lines(weak: list[WeakPilot]) -> list[str]:
    """Return a warning for each weak pilot, with the win rate of the agent that beats it."""
    return [
        f"{beaten_words(pilot)}; results hold only for this weak pilot: see `evenhand "
        f"matchups --agent {pilot.against}`"
        for pilot in weak
    ]
