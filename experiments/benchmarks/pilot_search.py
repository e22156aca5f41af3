"""Strength of a search on trained agents, compared with scripted agents and rollouts.

`python -m experiments.benchmarks.pilot_search thesis_dqn` lets five agents play each learner's
pairings on the same seeds. They are the best scripted agent, `rollout:50`, `rollout:200`, the pilot
that `evenhand train` wrote, and a search on that pilot. The searches imagine the opponent's actual
agent. For each agent the script prints the win rate, its difference from `rollout:200`, paired by
game, and the time of a game.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from agents import agent_named
from balance import CardContest, Pairing, pairings, play_pairings
from balance.contest.readings import seat_points
from balance.statistics.intervals import Floats, Interval, paired_mean, wilson
from experiments.agents import load_fitting_pilot
from experiments.benchmarks.script import run_script
from experiments.experiment import Experiment
from experiments.files.agent_files import PREFIX, find_pilot
from experiments.learning.places import SCRIPTED, pairing_title
from experiments.loading import load_experiment
from sim.play import Agent, kept

BAR = "rollout:200"  # the strongest yardstick of docs/learning.md without training
_PURPOSE = "pilot_search"


class Games(NamedTuple):
    """Results and CPU time of an agent's games in a pairing.

    Attributes:
        points: points of each game, 1 for a win and 0.5 for a draw, shape ``[G]``.
        cpu_s: CPU time of all games together, in seconds.
    """

    points: Floats
    cpu_s: float

    @property
    def rate(self) -> Interval:
        """Win rate over all games, with its Wilson interval; draws count half."""
        return wilson(self.points.sum(), len(self.points))


def play_in(
    contest: CardContest, pairing: Pairing, agent: Agent, *, n_games: int, run_seed: int
) -> Games:
    """Play games of an agent in a pairing with one thread; every agent gets the same seeds.

    Args:
        contest: cards and players.
        pairing: deck, opponent and seat of the agent.
        agent: agent that is measured.
        n_games: number of games.
        run_seed: seed of the run.
    """
    options: dict[str, Any] = {"run_seed": run_seed, "purpose": _PURPOSE, "keep": "winner"}
    play_pairings(contest, [pairing], agent, n_games=1, threads=1, **options)  # compiles it
    began_s = time.process_time()
    outcomes = play_pairings(contest, [pairing], agent, n_games=n_games, threads=1, **options)
    points = seat_points(kept(outcomes.winners), pairing.seat)
    return Games(points, time.process_time() - began_s)


def play_in_turn(
    experiment: Experiment,
    pairing: Pairing,
    pilot: str,
    *,
    worlds: int,
    n_games: int,
    results: Path,
) -> Iterator[tuple[str, Games]]:
    """Yield the name and the games of each measured agent in a pairing.

    The agents are the best scripted agent, two rollouts, the pilot, and a search on the pilot.

    Args:
        experiment: experiment with the contest and the seed.
        pairing: deck, opponent and seat of the agents.
        pilot: name of the trained agent.
        worlds: number of games that the search on the pilot imagines for each action.
        n_games: number of games of each agent.
        results: folder with run folders, in which the pilot's file is looked up.

    Raises:
        InputError: the pilot cannot be found, or was trained for another game.
    """
    contest = experiment.contest()
    options = {"n_games": n_games, "run_seed": experiment.settings.seed}
    file = find_pilot(pilot, near=experiment.path, results=results)
    deck = contest.players[pairing.deck].deck

    def learned(name: str) -> Agent:
        return load_fitting_pilot(name, file, experiment, [deck])

    scripts = {name: play_in(contest, pairing, agent_named(name), **options) for name in SCRIPTED}
    yield max(scripts.items(), key=lambda item: item[1].points.mean())
    opponent = contest.players[pairing.opponent].agent.name
    for name in (BAR, "rollout:50"):
        yield name, play_in(contest, pairing, agent_named(f"{name}:{opponent}"), **options)
    yield "learned", play_in(contest, pairing, learned(pilot), **options)
    search = f"rollout:{worlds}:{opponent}"
    yield f"{search}:learned", play_in(contest, pairing, learned(f"{search}:{pilot}"), **options)


def line_of(name: str, games: Games, bar: Games | None) -> str:
    """Return a line with an agent's win rate and time per game.

    Args:
        name: name of the agent.
        games: games of the agent.
        bar: games of the agent `BAR`, to which the difference is computed; `None` if it has not
            played yet.
    """
    rate = games.rate.times(100)
    cost_ms = 1e3 * games.cpu_s / len(games.points)
    line = f"  {name:36} {rate.estimate:5.1f} % ({rate.low:.1f} to {rate.high:.1f})"
    if bar is not None and bar is not games:
        more = paired_mean(games.points - bar.points).times(100)
        line += f"  {more.estimate:+5.1f} pp ({more.low:+.1f} to {more.high:+.1f})"
    return f"{line}  {cost_ms:.2f} ms a game"


def main(
    name: Annotated[str, typer.Argument(metavar="EXPERIMENT")],
    *,
    learner: Annotated[str | None, typer.Option(help="Measure only this learner.")] = None,
    pilot: Annotated[
        str | None, typer.Option(help="Agent to measure instead of dqn:EXPERIMENT/LEARNER.")
    ] = None,
    worlds: Annotated[int, typer.Option(help="Worlds of the search on the pilot.")] = 16,
    games: Annotated[int, typer.Option(help="Games of each agent in each pairing.")] = 1_000,
    results: Annotated[Path, typer.Option(help="Folder with run folders.")] = Path("results"),
) -> None:
    """Measure agents in the pairings of an experiment's learners, and print a line for each."""
    experiment = load_experiment(name, results)
    settings = experiment.settings
    contest = experiment.contest()
    for each_learner in settings.learners:
        if learner not in {None, each_learner.name}:
            continue
        its_pilot = pilot or f"{PREFIX}{settings.name}/{each_learner.name}"
        for pairing in pairings(contest, each_learner):
            print(f"{pairing_title(contest, pairing)}, {games:,} games", flush=True)
            options: dict[str, Any] = {"worlds": worlds, "n_games": games, "results": results}
            bar = None
            for agent, agent_games in play_in_turn(experiment, pairing, its_pilot, **options):
                bar = agent_games if agent == BAR else bar
                print(line_of(agent, agent_games, bar), flush=True)


if __name__ == "__main__":
    run_script(main)
