"""Who pilots the decks of a run: named on the screen and in the summary."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from experiments.experiment import Experiment
from experiments.runs.run import Findings, Run


def with_pilots_named(work: Callable[[Run], Findings]) -> Callable[[Run], Findings]:
    """A command's work whose findings also name the agent of every player.

    Args:
        work: finds a summary.
    """

    def run(run: Run) -> Findings:
        findings = work(run)
        agents = pilots_of(run.experiment)
        entries = [{"player": player, "agent": agent} for player, agent in agents.items()]
        summary = {**(findings.summary or {}), "pilots": entries}
        return replace(findings, summary=summary, shown=[*findings.shown, pilots_sentence(agents)])

    return run


def pilots_of(experiment: Experiment) -> dict[str, str]:
    """The agent of each player, by the player's name."""
    names = experiment.player_names
    agents = (entry.agent for entry in experiment.settings.players)
    return dict(zip(names, agents, strict=True))


def pilots_sentence(agents: dict[str, str]) -> str:
    """Whose play the results are about, in one line.

    Args:
        agents: of each player, by the player's name.
    """
    players = dict[str, list[str]]()
    for player, agent in agents.items():
        players.setdefault(agent, []).append(player)
    if len(players) == 1:
        (agent,) = players
        return f"All decks are piloted by {agent}"
    each = (f"{agent} ({', '.join(theirs)})" for agent, theirs in players.items())
    return f"Piloted by {', '.join(each)}"
