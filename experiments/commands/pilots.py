"""Who pilots the decks of a run, and who is weak at it: on the screen and in the summary."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from balance.pilot_check import LOOKS, WeakPilot, weak_pilots
from experiments.experiment import Experiment
from experiments.runs.run import Findings, Run
from experiments.screen import in_pp
from sim import entry


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


def find_weak_pilots(experiment: Experiment, threads: int | None = None) -> list[WeakPilot]:
    """The players whose pilot is shown to be weak, by no more games than a matchup has.

    Args:
        experiment: whose players; nothing is measured of those that `light` pilots.
        threads: threads to use; default all cores.
    """
    return weak_pilots(
        experiment.contest(),
        run_seed=experiment.settings.seed,
        most_games=min(LOOKS[-1], experiment.settings.games.matchups),
        threads=threads,
    )


def weak_pilot_entries(weak: list[WeakPilot]) -> dict[str, Any]:
    """What summaries say of weak pilots."""
    return {"weak_pilots": [entry(one) for one in weak]}


def weak_pilot_lines(weak: list[WeakPilot]) -> list[str]:
    """What people are shown of weak pilots, a line each."""
    lines = list[str]()
    for one in weak:
        rate, low, high = in_pp(one.win_rate)
        lines.append(
            f"{one.player}: {one.against} beats its pilot {one.agent} {rate:.1f} % [{low:.1f}, "
            f"{high:.1f}] in the mirror (n = {one.n:,}); results speak for that pilot's play only: "
            f"see `evenhand matchups --agent {one.against}`"
        )
    return lines
