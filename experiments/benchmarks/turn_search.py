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
from itertools import combinations
from typing import Annotated, NamedTuple

import numpy as np
import numpy.typing as npt
import typer

from agents.registry import agent_named, compiled_agent_named
from balance.card_contest import play_pairs
from balance.metagame.round_robin import RoundRobin, round_robin_of
from balance.statistics.intervals import Floats, Interval, rate_over_seeds
from experiments.benchmarks.legacy import SAGA, STARTERS
from sim import game_seed, known_word, load_deck, load_pool, load_ruleset, stream_seed
from sim.engine import layout as at
from sim.engine.stepping import ask_agent, begin_game, new_state, perform
from sim.errors import InputError
from sim.play import Agent, CompiledAgent, Table, pack_table, row_of_deck

DUEL = ("ember_rush", "tide_keep", "grove_march", "spore_swarm")
SETS = {  # pool, ruleset, decks
    "starters": ("hearthstone", "legacy", STARTERS),
    "saga": ("saga", "legacy", SAGA),
    "duel": ("core", "duel", DUEL),
}
PURPOSE = "turn_search"
_TURN = "turn:{}"
_NODES = (50, 100, 200, 400, 600, 1_000, 1_500, 2_000, 3_000, 4_000, 6_000, 8_000)


class Decks(NamedTuple):
    """Decks that play mirrors.

    Attributes:
        names: ``D`` of them.
        rows: ``[D, DECK_ROW_SIZE]``.
        table: the numbers of their cards.
    """

    names: tuple[str, ...]
    rows: npt.NDArray[np.int16]
    table: Table


def decks_of(name: str) -> Decks:
    """One of `SETS`."""
    pool_name, ruleset, names = SETS[name]
    pool = load_pool(pool_name)
    rows = np.stack([row_of_deck(load_deck(deck), pool) for deck in names])
    return Decks(names, rows, pack_table(pool, load_ruleset(ruleset)))


def mirror_points(
    decks: Decks, agent: Agent, other: Agent, *, n_seeds: int, run_seed: int
) -> Floats:
    """``[D, n_seeds]`` what `agent` gets of each seed's two games, 1 for winning both."""
    n_decks = len(decks.names)
    counts = play_pairs(
        [(deck, n_decks + deck) for deck in range(n_decks)],
        decks.table,
        np.concatenate([decks.rows, decks.rows]),
        [agent] * n_decks + [other] * n_decks,
        n_games=2 * n_seeds,
        stream=stream_seed(run_seed, PURPOSE),
    )
    return counts.rates_by_seed(0)


def turn_times_ms(decks: Decks, agent: CompiledAgent, other: CompiledAgent, n_games: int) -> Floats:
    """What each turn of `agent` takes in games of mirrored decks, in ms of this thread."""
    numbers, taken = decks.table.words[0], list[float]()
    for index in range(n_games):
        row = decks.rows[index % len(decks.names)]
        state, seat = new_state(), index // len(decks.names) % 2
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
    sets: Sequence[Decks], agent: str, against: str, *, n_seeds: int, run_seed: int
) -> Iterator[tuple[str, Interval]]:
    """The rate of `agent` in each mirror, then in the mean of them."""
    one, other = agent_named(agent), agent_named(against)
    points = [
        mirror_points(decks, one, other, n_seeds=n_seeds, run_seed=run_seed) for decks in sets
    ]
    for decks, each in zip(sets, points, strict=True):
        for name, of_seeds in zip(decks.names, each, strict=True):
            yield name, rate_over_seeds(of_seeds)
    yield "mean", rate_over_seeds(np.concatenate(points).mean(axis=0))


def rate_agents(
    sets: Sequence[Decks], names: Sequence[str], *, n_seeds: int, run_seed: int
) -> RoundRobin:
    """All of these against each other, in all mirrors."""
    agents = [agent_named(name) for name in names]
    pairs = tuple(combinations(range(len(agents)), 2))
    by_seed = [
        np.concatenate(
            [
                mirror_points(decks, agents[a], agents[b], n_seeds=n_seeds, run_seed=run_seed)
                for decks in sets
            ]
        )
        for a, b in pairs
    ]
    return round_robin_of(np.stack(by_seed), pairs, len(agents), run_seed)


def print_ratings(names: Sequence[str], found: RoundRobin) -> None:
    """The rating of each agent, and how far it is beyond the best of the others."""
    print(f"Bradley-Terry, Elo points, {found.n_games:,} games of each pair")
    for k, name in enumerate(names):
        rating, lead = found.ratings.at(k), found.leads.at(k)
        told = (
            f"{one.estimate:+.0f} ({one.low:+.0f} to {one.high:+.0f})" for one in (rating, lead)
        )
        print(f"  {name:16} {', beyond the best other '.join(told)}")


def mean_turn_ms(sets: Sequence[Decks], agent: str, n_games: int) -> float:
    """What a turn takes in the mean, in games against greedy."""
    one, greedy = compiled_agent_named(agent), compiled_agent_named("greedy")
    times_ms = [turn_times_ms(decks, one, greedy, n_games) for decks in sets]
    return float(np.concatenate(times_ms).mean())


def as_slow_as(sets: Sequence[Decks], other: str, n_games: int) -> str:
    """The `turn:N` of `_NODES` whose turns take most nearly as long as those of another agent."""
    mean_turn_ms(sets, _TURN.format(_NODES[0]), 1)  # which compiles it
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


def print_times(sets: Sequence[Decks], agent: str, n_games: int) -> None:
    """Median and 99th percentile of what a turn takes."""
    one, greedy = compiled_agent_named(agent), compiled_agent_named("greedy")
    for decks in sets:
        turn_times_ms(decks, one, greedy, 1)  # which compiles it
    times_ms = np.concatenate([turn_times_ms(decks, one, greedy, n_games) for decks in sets])
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
    try:
        sets = [decks_of(known_word("decks", name, SETS)) for name in names]
        if as_slow:
            agent = as_slow_as(sets, as_slow, timed)
        if ratings:
            everybody = [agent, *against.split(",")]
            found = rate_agents(sets, everybody, n_seeds=seeds, run_seed=seed)
            print_ratings(everybody, found)
            return
        for other in against.split(","):
            print(f"{agent} against {other}, {2 * seeds} games of each mirror, in %")
            for name, rate in strengths(sets, agent, other, n_seeds=seeds, run_seed=seed):
                low, high = 100 * rate.low, 100 * rate.high
                print(f"  {name:16} {100 * rate.estimate:5.1f} ({low:.1f} to {high:.1f})")
        print_times(sets, agent, timed)
    except InputError as error:
        raise typer.BadParameter(str(error)) from None


if __name__ == "__main__":
    typer.run(main)
