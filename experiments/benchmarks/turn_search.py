"""How strong a turn search is, and what a turn of it costs.

`python -m experiments.benchmarks.turn_search` plays `turn:600` in mirrors of nine starters of real
cards and the four decks of saga, against scripts, both seatings of each seed; `--agent`,
`--against` and `--decks` name others. Where real cards are not installed, saga plays alone. Then
turns are timed one by one, in games against greedy. With `--ratings` the others meet each other,
too, and all are rated; with `--as-slow-as rollout:50` the agent is the `turn:N` whose turns take
about as long as that agent's.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from typing import Annotated, Any

import numpy as np
import typer

from agents.registry import agent_named, compiled_agent_named
from balance.card_contest import CardContest, load_contest
from balance.metagame.round_robin import RoundRobin, mirror_rates, round_robin_of
from balance.statistics.intervals import Floats, Interval, rate_over_seeds
from experiments.benchmarks.legacy import SAGA, STARTERS
from experiments.benchmarks.script import run_script
from experiments.screen import percent_between
from sim import game_seed, known_word
from sim.engine import layout as at
from sim.engine.stepping import ask_agent, begin_game, new_state, perform
from sim.play import Agent, CompiledAgent

DUEL = ("ember_rush", "tide_keep", "grove_march", "spore_swarm")
SETS = {"starters": STARTERS, "saga": SAGA, "duel": DUEL}
PURPOSE = "turn_search"
_TURN = "turn:{}"
_NODES = (50, 100, 200, 400, 600, 1_000, 1_500, 2_000, 3_000, 4_000, 6_000, 8_000)


def decks_of(name: str) -> CardContest:
    """One of `SETS`, whoever pilots them."""
    return load_contest(*((deck, "greedy") for deck in SETS[name]))


def mirror_points(
    sets: Sequence[CardContest], agents: Sequence[Agent], *, n_seeds: int, run_seed: int
) -> Floats:
    """``[P, D, n_seeds]`` win rates of each pair of agents in each mirror, by seed."""
    how: dict[str, Any] = {"n_games": 2 * n_seeds, "run_seed": run_seed, "purpose": PURPOSE}
    return np.concatenate([mirror_rates(decks, agents, **how) for decks in sets], axis=1)


def turn_times_ms(
    decks: CardContest, agent: CompiledAgent, other: CompiledAgent, n_games: int
) -> Floats:
    """What each turn of `agent` takes in games of mirrored decks, in ms of this thread."""
    numbers = decks.table.words[0]
    taken = list[float]()
    for index in range(n_games):
        round_of_decks, deck = divmod(index, len(decks.players))
        row = decks.deck_rows[deck]
        state = new_state()
        seat = round_of_decks % 2
        begin_game(
            *(state, numbers, np.concatenate([row, row]), 0, 1),
            game_seed(1, PURPOSE, index),
        )
        general = bool(state[at.GENERAL])
        ours, theirs = (one.address(general=general) for one in (agent, other))
        turn = -1
        while state[at.RESULT] == at.RUNNING:
            is_ours = state[at.ACTIVE] == seat
            began_ns = time.thread_time_ns()
            action = ask_agent(state, numbers, ours if is_ours else theirs)
            took_ms = (time.thread_time_ns() - began_ns) / 1e6
            if is_ours and state[at.TURN] != turn:
                turn = int(state[at.TURN])
                taken.append(0.0)
            if is_ours:
                taken[-1] += took_ms
            perform(state, numbers, action)
    return np.array(taken)


def strengths(
    sets: Sequence[CardContest], agent: str, against: str, *, n_seeds: int, run_seed: int
) -> Iterator[tuple[str, Interval]]:
    """The rate of `agent` in each mirror, then in the mean of them."""
    agents = [agent_named(agent), agent_named(against)]
    (points,) = mirror_points(sets, agents, n_seeds=n_seeds, run_seed=run_seed)
    names = [name for decks in sets for name in decks.player_names]
    for name, of_seeds in zip(names, points, strict=True):
        yield name, rate_over_seeds(of_seeds)
    yield "mean", rate_over_seeds(points.mean(axis=0))


def rate_agents(
    sets: Sequence[CardContest], names: Sequence[str], *, n_seeds: int, run_seed: int
) -> RoundRobin:
    """All of these against each other, in all mirrors."""
    agents = [agent_named(name) for name in names]
    by_seed = mirror_points(sets, agents, n_seeds=n_seeds, run_seed=run_seed)
    return round_robin_of(by_seed, len(agents), run_seed)


def print_ratings(names: Sequence[str], found: RoundRobin) -> None:
    """The rating of each agent, and how far it is beyond the best of the others."""
    print(f"Bradley-Terry, Elo points, {found.n_games:,} games of each pair")
    for k, name in enumerate(names):
        rating = found.ratings.at(k)
        lead = found.leads.at(k)
        told = (
            f"{one.estimate:+.0f} ({one.low:+.0f} to {one.high:+.0f})" for one in (rating, lead)
        )
        print(f"  {name:16} {', beyond the best other '.join(told)}")


def all_turns_ms(sets: Sequence[CardContest], agent: str, n_games: int) -> Floats:
    """What each turn takes, in so many games against greedy with each set of decks."""
    one = compiled_agent_named(agent)
    greedy = compiled_agent_named("greedy")
    for decks in sets:
        turn_times_ms(decks, one, greedy, 1)  # which compiles it
    return np.concatenate([turn_times_ms(decks, one, greedy, n_games) for decks in sets])


def mean_turn_ms(sets: Sequence[CardContest], agent: str, n_games: int) -> float:
    """The same in the mean."""
    return float(all_turns_ms(sets, agent, n_games).mean())


def as_slow_as(sets: Sequence[CardContest], other: str, n_games: int) -> str:
    """The `turn:N` of `_NODES` whose turns take most nearly as long as those of another agent."""
    wanted_ms = mean_turn_ms(sets, other, n_games)
    taken_ms = {}
    for n_nodes in _NODES:
        taken_ms[n_nodes] = mean_turn_ms(sets, _TURN.format(n_nodes), n_games)
        if taken_ms[n_nodes] > wanted_ms:
            break
    found = min(taken_ms, key=lambda n: abs(np.log(taken_ms[n] / wanted_ms)))
    print(
        f"{other}: a turn takes {wanted_ms:.2f} ms in the mean of {n_games} games a set of decks;"
    )
    print(", ".join(f"turn:{n} {taken_ms[n]:.2f} ms" for n in taken_ms))
    return _TURN.format(found)


def print_times(sets: Sequence[CardContest], agent: str, n_games: int) -> None:
    """Median and 99th percentile of what a turn takes."""
    times_ms = all_turns_ms(sets, agent, n_games)
    median, late = np.percentile(times_ms, [50, 99])
    print(f"{agent}: a turn takes {median:.2f} ms in the median, 99 % at most {late:.2f} ms ")
    print(f"  ({len(times_ms):,} turns against greedy, CPU time of one core)")


def main(
    *,
    agent: str = "turn:600",
    against: Annotated[str, typer.Option(metavar="NAME,NAME")] = "random,greedy,aggro,control",
    decks: Annotated[str, typer.Option(help=f"Of {', '.join(SETS)}.")] = "starters,saga",
    seeds: Annotated[int, typer.Option(min=2, help="Of each mirror, two games each.")] = 100,
    timed: Annotated[int, typer.Option(min=1, help="Games whose turns are timed.")] = 40,
    ratings: Annotated[bool, typer.Option("--ratings", help="Rate all of them.")] = False,
    as_slow: Annotated[str, typer.Option("--as-slow-as", metavar="NAME")] = "",
    seed: int = 1,
) -> None:
    """Play and print."""
    names = [n for n in decks.split(",") if n != "starters" or find_spec("hearthstone_data")]
    sets = [decks_of(known_word("decks", name, SETS)) for name in names]
    if as_slow:
        agent = as_slow_as(sets, as_slow, timed)
    if ratings:
        everybody = [agent, *against.split(",")]
        print_ratings(everybody, rate_agents(sets, everybody, n_seeds=seeds, run_seed=seed))
        return
    for other in against.split(","):
        print(f"{agent} against {other}, {2 * seeds} games of each mirror, in %")
        for name, rate in strengths(sets, agent, other, n_seeds=seeds, run_seed=seed):
            print(f"  {name:16} {percent_between(rate, '')}")
    print_times(sets, agent, timed)


if __name__ == "__main__":
    run_script(main)
