"""How much a search adds to trained agents, beside the best script and rollouts.

`python -m experiments.benchmarks.pilot_search thesis_dqn` plays each learner's pairings, all on the
same seeds: the best script, `rollout:50` and `rollout:200` that know their opponent, what
`evenhand train` made of the learner, and a search on it that knows its opponent too. Beside each
stands its difference to `rollout:200`, game by game, and what a game costs.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from agents import agent_named
from balance import CardContest, Pairing, pairings, play_pairings
from balance.readings import seat_points
from balance.statistics.intervals import Floats, Interval, paired_mean, wilson
from experiments.agents import load_fitting_pilot
from experiments.benchmarks.script import run_script
from experiments.experiment import Experiment
from experiments.files.agent_files import PREFIX, find_pilot
from experiments.learning.places import SCRIPTED, pairing_title
from experiments.loading import load_experiment
from sim.play import Agent, kept

BAR = "rollout:200"
_PURPOSE = "pilot_search"


class Played(NamedTuple):
    """An agent in a pairing.

    Attributes:
        points: ``[G]`` of each game: 1 won, 0.5 drawn.
        cpu_s: what they took together.
    """

    points: Floats
    cpu_s: float

    @property
    def rate(self) -> Interval:
        """How often it wins."""
        return wilson(self.points.sum(), len(self.points))


def play_in(
    contest: CardContest, pairing: Pairing, agent: Agent, *, n_games: int, run_seed: int
) -> Played:
    """The games of `agent` in a pairing, one thread; the same seeds for every agent."""
    how: dict[str, Any] = {"run_seed": run_seed, "purpose": _PURPOSE, "keep": "winner"}
    play_pairings(contest, [pairing], agent, n_games=1, threads=1, **how)  # which compiles it
    began_s = time.process_time()
    played = play_pairings(contest, [pairing], agent, n_games=n_games, threads=1, **how)
    points = seat_points(kept(played.winners), pairing.seat)
    return Played(points, time.process_time() - began_s)


def in_turn(
    experiment: Experiment,
    pairing: Pairing,
    pilot: str,
    *,
    worlds: int,
    n_games: int,
    results: Path,
) -> Iterator[tuple[str, Played]]:
    """Who is measured in a pairing, by name: the best script, rollouts, the pilot, a search on it.

    Raises:
        InputError: there is no such pilot, or it plays something else.
    """
    contest = experiment.contest()
    how = {"n_games": n_games, "run_seed": experiment.settings.seed}
    file = find_pilot(pilot, near=experiment.path, results=results)
    deck = contest.players[pairing.deck].deck

    def learned(name: str) -> Agent:
        return load_fitting_pilot(name, file, experiment, [deck])

    scripts = {name: play_in(contest, pairing, agent_named(name), **how) for name in SCRIPTED}
    yield max(scripts.items(), key=lambda item: item[1].points.mean())
    opponent = contest.players[pairing.opponent].agent.name
    for name in (BAR, "rollout:50"):
        yield name, play_in(contest, pairing, agent_named(f"{name}:{opponent}"), **how)
    yield "learned", play_in(contest, pairing, learned(pilot), **how)
    search = f"rollout:{worlds}:{opponent}"
    yield f"{search}:learned", play_in(contest, pairing, learned(f"{search}:{pilot}"), **how)


def line_of(name: str, played: Played, bar: Played | None) -> str:
    """What an agent came to, in words; with its difference to the bar if that has played."""
    rate = played.rate.times(100)
    cost_ms = 1e3 * played.cpu_s / len(played.points)
    told = f"  {name:36} {rate.estimate:5.1f} % ({rate.low:.1f} to {rate.high:.1f})"
    if bar is not None and bar is not played:
        more = paired_mean(played.points - bar.points).times(100)
        told += f"  {more.estimate:+5.1f} pp ({more.low:+.1f} to {more.high:+.1f})"
    return f"{told}  {cost_ms:.2f} ms a game"


def main(
    name: Annotated[str, typer.Argument(metavar="EXPERIMENT")],
    *,
    learner: Annotated[str | None, typer.Option(help="only this one")] = None,
    pilot: Annotated[str | None, typer.Option(help="instead of dqn:EXPERIMENT/LEARNER")] = None,
    worlds: int = 16,
    games: Annotated[int, typer.Option(help="of each agent in each pairing")] = 1_000,
    results: Path = Path("results"),
) -> None:
    """Play, and print a line for each agent in each pairing."""
    experiment = load_experiment(name, results)
    settings = experiment.settings
    contest = experiment.contest()
    for one in settings.learners:
        if learner not in {None, one.name}:
            continue
        its_pilot = pilot or f"{PREFIX}{settings.name}/{one.name}"
        for pairing in pairings(contest, one):
            print(f"{pairing_title(contest, pairing)}, {games:,} games", flush=True)
            how: dict[str, Any] = {"worlds": worlds, "n_games": games, "results": results}
            bar = None
            for agent, played in in_turn(experiment, pairing, its_pilot, **how):
                bar = played if agent == BAR else bar
                print(line_of(agent, played, bar), flush=True)


if __name__ == "__main__":
    run_script(main)
