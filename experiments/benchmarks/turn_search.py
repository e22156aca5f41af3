"""Strength of a turn search, and the time of its turns.

`python -m experiments.benchmarks.turn_search` plays `turn:600` against scripted agents in mirrors
of nine starter decks of real cards and of the four decks of saga, each seed in both seatings. If
real cards are not installed, only saga is played. `--agent`, `--against` and `--decks` replace the
agents and decks. Afterwards the agent's turns in games against greedy are timed. With `--ratings`,
all agents play each other and are rated instead. `--as-slow-as rollout:50` measures the `turn:N`
with turns about as long as those of `rollout:50`.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from typing import Annotated, Any

import numpy as np
import typer

from agents.registry import agent_named, compiled_agent_named
from balance.cards.card_contest import CardContest, Player, load_contest
from balance.learning.random_games import random_deck_rows
from balance.metagame.round_robin import RoundRobin, mirror_rates, round_robin_of
from balance.statistics.intervals import Floats, Interval, rate_over_seeds
from experiments.benchmarks.legacy import SAGA, STARTERS
from experiments.benchmarks.script import run_script
from experiments.screen import percent_between
from sim import Deck, game_seed, generator, known_word, load_pool, load_ruleset
from sim.engine import layout as at
from sim.engine.stepping import ask_agent, begin_game, new_state, perform
from sim.play import Agent, CompiledAgent
from sim.play.table import pack_table

DUEL = ("ember_rush", "tide_keep", "grove_march", "spore_swarm")
SETS = {"starters": STARTERS, "saga": SAGA, "duel": DUEL}
UNSEEN = {
    "unseen_duel": ("core", "duel"),
    "unseen_saga": ("saga", "legacy"),
    "unseen_real": ("hearthstone", "legacy"),
}
"""Pools and rulesets of random decks, which no network was trained on."""
_N_UNSEEN = 20  # random decks of a set
PURPOSE = "turn_search"
_TURN = "turn:{}"
# Numbers of nodes that `--as-slow-as` tries, up to the maximum that a name may set. Chosen by hand.
_NODES = (50, 100, 200, 400, 600, 1_000, 1_500, 2_000, 3_000, 4_000, 6_000, 8_000)


def decks_of(name: str) -> CardContest:
    """Return the contest of a set of decks, all played by greedy.

    Args:
        name: name of the set, a key of `SETS` or `UNSEEN`.
    """
    if name in UNSEEN:
        return _unseen_decks(*UNSEEN[name])
    return load_contest(*((deck, "greedy") for deck in SETS[name]))


def _unseen_decks(pool_name: str, ruleset_name: str) -> CardContest:
    """Return a contest of random decks, drawn as in training but by another generator."""
    pool = load_pool(pool_name)
    rows = random_deck_rows(pool, 30, 2, generator(1, "unseen decks"), _N_UNSEEN)
    greedy = agent_named("greedy")
    players = []
    for number, row in enumerate(rows, start=1):
        cards = Counter(pool.cards[card].id for card in row[1 : 1 + row[0]].tolist())
        hero = next((one.id for one in pool.heroes if pool.number(one.power) == row[-1]), "")
        deck = Deck(
            name=f"random_{number}", pool=pool_name, ruleset=ruleset_name, hero=hero, cards=cards
        )
        players.append(Player(deck.name, deck, greedy))
    return CardContest(pack_table(pool, load_ruleset(ruleset_name)), tuple(players))


def mirror_points(
    sets: Sequence[CardContest], agents: Sequence[Agent], *, n_seeds: int, run_seed: int
) -> Floats:
    """Play all pairs of agents in all mirrors, and return the win rates of the first agent by seed.

    Args:
        sets: contests with the decks to be played, ``D`` decks in total.
        agents: agents that form ``P`` pairs.
        n_seeds: number of seeds, each played in both seatings.
        run_seed: seed of the games.

    Returns:
        Win rates, shape ``[P, D, n_seeds]``.
    """
    options: dict[str, Any] = {"n_games": 2 * n_seeds, "run_seed": run_seed, "purpose": PURPOSE}
    return np.concatenate([mirror_rates(decks, agents, **options) for decks in sets], axis=1)


def turn_times_ms(
    decks: CardContest, agent: CompiledAgent, other: CompiledAgent, n_games: int
) -> Floats:
    """Return the CPU time of an agent's decisions in each of its turns, in ms.

    Args:
        decks: contest with the decks, which are played in mirrors one after the other.
        agent: agent that is timed; its seat alternates after each round of all decks.
        other: opponent of the timed agent.
        n_games: number of games.

    Returns:
        Times, one per turn of the agent in all games.
    """
    numbers = decks.table.words[0]
    agent, other = (one.seated(decks.table, lambda: decks.deck_rows) for one in (agent, other))
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
        own_address, other_address = (player.address(general=general) for player in (agent, other))
        turn = -1
        while state[at.RESULT] == at.RUNNING:
            is_own = state[at.ACTIVE] == seat
            began_ns = time.thread_time_ns()
            action = ask_agent(state, numbers, own_address if is_own else other_address)
            took_ms = (time.thread_time_ns() - began_ns) / 1e6
            if is_own and state[at.TURN] != turn:
                turn = int(state[at.TURN])
                taken.append(0.0)
            if is_own:
                taken[-1] += took_ms
            perform(state, numbers, action)
    return np.array(taken)


def strengths(
    sets: Sequence[CardContest], agent: str, against: str, *, n_seeds: int, run_seed: int
) -> Iterator[tuple[str, Interval]]:
    """Yield the names of the decks and an agent's win rates in their mirrors, then the mean.

    Args:
        sets: contests with the decks to be played.
        agent: name of the agent.
        against: name of the opponent.
        n_seeds: number of seeds per mirror, each played in both seatings.
        run_seed: seed of the games.
    """
    agents = [agent_named(agent), agent_named(against)]
    (points,) = mirror_points(sets, agents, n_seeds=n_seeds, run_seed=run_seed)
    names = [name for decks in sets for name in decks.player_names]
    for name, of_seeds in zip(names, points, strict=True):
        yield name, rate_over_seeds(of_seeds)
    yield "mean", rate_over_seeds(points.mean(axis=0))
    # Decks vary more than games: this interval is for other decks of the same kind.
    yield "by deck", rate_over_seeds(points.mean(axis=1))


def rate_agents(
    sets: Sequence[CardContest], names: Sequence[str], *, n_seeds: int, run_seed: int
) -> RoundRobin:
    """Play all agents against each other in all mirrors, and return their ratings.

    Args:
        sets: contests with the decks to be played.
        names: names of the agents.
        n_seeds: number of seeds per mirror, each played in both seatings.
        run_seed: seed of the games.
    """
    agents = [agent_named(name) for name in names]
    by_seed = mirror_points(sets, agents, n_seeds=n_seeds, run_seed=run_seed)
    return round_robin_of(by_seed, len(agents), run_seed)


def print_ratings(names: Sequence[str], round_robin: RoundRobin) -> None:
    """Print the rating of each agent, and its lead over the best other agent, in Elo points."""
    print(f"Bradley-Terry, Elo points, {round_robin.n_games:,} games of each pair")
    for k, name in enumerate(names):
        rating = round_robin.ratings.at(k)
        lead = round_robin.leads.at(k)
        numbers = (
            f"{interval.estimate:+.0f} ({interval.low:+.0f} to {interval.high:+.0f})"
            for interval in (rating, lead)
        )
        print(f"  {name:16} {', beyond the best other '.join(numbers)}")


def all_turns_ms(sets: Sequence[CardContest], agent: str, n_games: int) -> Floats:
    """Return the CPU time of each turn of an agent in games against greedy, in ms.

    Args:
        sets: contests with the decks to be played in mirrors.
        agent: name of a compiled agent.
        n_games: number of games per contest.
    """
    timed = compiled_agent_named(agent)
    greedy = compiled_agent_named("greedy")
    for decks in sets:
        turn_times_ms(decks, timed, greedy, 1)  # compiles the agent before it is measured
    return np.concatenate([turn_times_ms(decks, timed, greedy, n_games) for decks in sets])


def mean_turn_ms(sets: Sequence[CardContest], agent: str, n_games: int) -> float:
    """Return the mean CPU time of an agent's turns in games against greedy, in ms."""
    return float(all_turns_ms(sets, agent, n_games).mean())


def as_slow_as(sets: Sequence[CardContest], other: str, n_games: int) -> str:
    """Return the `turn:N` with N in `_NODES` and a mean turn time nearest to another agent's.

    Numbers are tried in ascending order until a turn takes longer. The times are printed.

    Args:
        sets: contests with the decks to be played in mirrors.
        other: name of the other agent.
        n_games: number of games per contest.
    """
    wanted_ms = mean_turn_ms(sets, other, n_games)
    taken_ms = {}
    for n_nodes in _NODES:
        taken_ms[n_nodes] = mean_turn_ms(sets, _TURN.format(n_nodes), n_games)
        if taken_ms[n_nodes] > wanted_ms:
            break
    nearest = min(taken_ms, key=lambda n: abs(np.log(taken_ms[n] / wanted_ms)))
    print(
        f"{other}: a turn takes {wanted_ms:.2f} ms in the mean of {n_games} games a set of decks;"
    )
    print(", ".join(f"turn:{n} {taken_ms[n]:.2f} ms" for n in taken_ms))
    return _TURN.format(nearest)


def print_times(sets: Sequence[CardContest], agent: str, n_games: int) -> None:
    """Time an agent's turns in games against greedy; print the median and the 99th percentile."""
    times_ms = all_turns_ms(sets, agent, n_games)
    median, late = np.percentile(times_ms, [50, 99])
    print(f"{agent}: a turn takes {median:.2f} ms in the median, 99 % at most {late:.2f} ms ")
    print(f"  ({len(times_ms):,} turns against greedy, CPU time of one core)")


def main(
    *,
    agent: Annotated[str, typer.Option(help="Agent to measure.")] = "turn:600",
    against: Annotated[
        str, typer.Option(metavar="NAME,NAME", help="Agents to play against.")
    ] = "random,greedy,aggro,control",
    decks: Annotated[
        str, typer.Option(help=f"Sets of decks: {', '.join(SETS | UNSEEN)}.")
    ] = "starters,saga",
    seeds: Annotated[int, typer.Option(min=2, help="Seeds of each mirror, two games each.")] = 100,
    timed: Annotated[int, typer.Option(min=1, help="Games in which turns are timed.")] = 40,
    ratings: Annotated[bool, typer.Option("--ratings", help="Rate all agents.")] = False,
    as_slow: Annotated[
        str,
        typer.Option("--as-slow-as", metavar="NAME", help="Measure the turn:N as slow as NAME."),
    ] = "",
    seed: Annotated[int, typer.Option(help="Seed of the games.")] = 1,
) -> None:
    """Measure the strength and the turn times of a turn search, and print them."""
    names = [n for n in decks.split(",") if n != "starters" or find_spec("hearthstone_data")]
    sets = [decks_of(known_word("decks", name, SETS | UNSEEN)) for name in names]
    if as_slow:
        agent = as_slow_as(sets, as_slow, timed)
    if ratings:
        all_agents = [agent, *against.split(",")]
        print_ratings(all_agents, rate_agents(sets, all_agents, n_seeds=seeds, run_seed=seed))
        return
    for other in against.split(","):
        print(f"{agent} against {other}, {2 * seeds} games of each mirror, in %")
        for name, rate in strengths(sets, agent, other, n_seeds=seeds, run_seed=seed):
            print(f"  {name:16} {percent_between(rate, '')}")
    print_times(sets, agent, timed)


if __name__ == "__main__":
    run_script(main)
