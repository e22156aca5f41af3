"""Wins in one turn that a search misses, of those that a search with far more positions finds.

`python -m experiments.benchmarks.turn_wins` plays games of `greedy` between nine starters of real
cards. Each turn is played from its first moment by the yardstick, `turn:4000`; the turns that it
wins are played by the other agents, too. A win is *sure* if the yardstick knows it at that moment;
the other wins needed chance, mostly a drawn card. `--decks saga` takes other cards; `--timed` also
measures the mean time of all turns.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from typing import Annotated, NamedTuple

import numpy as np
import typer

from agents.explanation import explainer_of
from agents.registry import compiled_agent_named
from balance.card_contest import CardContest
from balance.statistics.intervals import wilson
from experiments.benchmarks.script import run_script
from experiments.benchmarks.turn_search import SETS, decks_of
from experiments.screen import percent_between
from sim import game_seed, known_word
from sim.engine import layout as at
from sim.engine.stepping import Words16, ask_agent, begin_game, new_state, perform
from sim.play import CompiledAgent

PURPOSE = "turn_wins"
LONG = 5  # actions of the yardstick from which a win counts as long
_ACTIONS_MAX = 60  # most actions of a turn: more than any agent of ours takes


class Turn(NamedTuple):
    """First moment of a turn, and how the yardstick played the turn.

    Attributes:
        state: the game at that moment.
        is_won: whether the yardstick won the game in this turn.
        is_sure: whether it knew that before its first action.
        n_actions: number of its actions.
    """

    state: Words16
    is_won: bool
    is_sure: bool
    n_actions: int


class Missed(NamedTuple):
    """Wins of the yardstick of one sort, and how many of them an agent missed.

    Attributes:
        agent: name of the agent.
        sort: sort of the wins, in words.
        n_missed: number of wins that the agent missed.
        n_won: number of wins of this sort.
    """

    agent: str
    sort: str
    n_missed: int
    n_won: int


def play_out(state: Words16, numbers: Words16, agent: CompiledAgent) -> tuple[bool, int]:
    """Play a turn to its end; return whether that won the game, and the number of actions."""
    game = state.copy()
    address = agent.address(general=bool(game[at.GENERAL]))
    seat = game[at.ACTIVE]
    n_actions = 0
    while game[at.RESULT] == at.RUNNING and game[at.ACTIVE] == seat and n_actions < _ACTIONS_MAX:
        perform(game, numbers, ask_agent(game, numbers, address))
        n_actions += 1
    return bool(game[at.RESULT] == seat), n_actions


def moments_of(decks: CardContest, n_games: int, run_seed: int) -> Iterator[Words16]:
    """Yield the first moment of each turn in games of `greedy`, with each pair of decks in turn."""
    numbers = decks.table.words[0]
    greedy = compiled_agent_named("greedy")
    n_decks = len(decks.deck_rows)
    for index in range(n_games):
        first = index % n_decks
        second = (index // n_decks + index) % n_decks
        state = new_state()
        rows = np.concatenate([decks.deck_rows[first], decks.deck_rows[second]])
        begin_game(state, numbers, rows, 0, 1, game_seed(run_seed, PURPOSE, index))
        address = greedy.address(general=bool(state[at.GENERAL]))
        turn = -1
        while state[at.RESULT] == at.RUNNING:
            if state[at.TURN] != turn and state[at.PHASE] == at.MAIN_PHASE:
                turn = int(state[at.TURN])
                yield state.copy()
            perform(state, numbers, ask_agent(state, numbers, address))


def play_turns(
    decks: CardContest, yardstick: CompiledAgent, n_games: int, run_seed: int
) -> Iterator[Turn]:
    """Yield all turns of `n_games` games, as the yardstick plays them."""
    numbers = decks.table.words[0]
    explain = explainer_of(yardstick, decks.table, decks.deck_rows[:2])
    for state in moments_of(decks, n_games, run_seed):
        is_won, n_actions = play_out(state, numbers, yardstick)
        is_sure = is_won and explain is not None and explain(state.copy()).by == "win"
        yield Turn(state, is_won, is_sure, n_actions)


def count_missed(
    decks: CardContest, turns: Sequence[Turn], names: Sequence[str]
) -> Iterator[Missed]:
    """Yield the wins that each agent misses, by sort: all, long, sure, and by chance."""
    won = [turn for turn in turns if turn.is_won]
    is_long = [turn.n_actions >= LONG for turn in won]
    is_sure = [turn.is_sure for turn in won]
    sorts = {
        "all": [True] * len(won),
        f"of {LONG} actions or more": is_long,
        "sure": is_sure,
        f"sure, of {LONG} or more": [a and b for a, b in zip(is_long, is_sure, strict=True)],
        "by chance": [not sure for sure in is_sure],
    }
    for name in names:
        agent = compiled_agent_named(name)
        wins = [play_out(turn.state, decks.table.words[0], agent)[0] for turn in won]
        for sort, belongs in sorts.items():
            taken = [win for win, counts in zip(wins, belongs, strict=True) if counts]
            yield Missed(name, sort, taken.count(False), len(taken))


def mean_turn_ms(decks: CardContest, turns: Sequence[Turn], name: str) -> float:
    """Return the mean CPU time of these turns, engine included, in ms of this thread."""
    agent = compiled_agent_named(name)
    numbers = decks.table.words[0]
    play_out(turns[0].state, numbers, agent)  # compiles it before it is measured
    began_ns = time.thread_time_ns()
    for turn in turns:
        play_out(turn.state, numbers, agent)
    return (time.thread_time_ns() - began_ns) / 1e6 / len(turns)


def print_missed(rows: Sequence[Missed]) -> None:
    """Print a line for each agent and sort of wins."""
    for row in rows:
        if row.n_won > 0:
            share = percent_between(wilson(row.n_missed, row.n_won))
            print(
                f"  {row.agent:10} {row.sort:24} missed {row.n_missed:3} of {row.n_won:4}: {share}"
            )


def main(
    *,
    agents: Annotated[
        str, typer.Option(metavar="NAME,NAME", help="Agents to measure.")
    ] = "greedy,light,turn:60,turn:200,turn:600",
    yardstick: Annotated[
        str, typer.Option(help="Agent that determines which turns can be won.")
    ] = "turn:4000",
    decks: Annotated[str, typer.Option(help=f"Set of decks: {', '.join(SETS)}.")] = "starters",
    games: Annotated[int, typer.Option(min=1, help="Games that the turns are from.")] = 390,
    timed: Annotated[bool, typer.Option("--timed", help="Also time all turns.")] = False,
    seed: Annotated[int, typer.Option(help="Seed of the games.")] = 5,
) -> None:
    """Print how many wins in one turn each agent misses."""
    name = known_word("decks", decks, SETS)
    if name == "starters" and find_spec("hearthstone_data") is None:
        name = "saga"
    contest = decks_of(name)
    turns = list(play_turns(contest, compiled_agent_named(yardstick), games, seed))
    n_won = sum(turn.is_won for turn in turns)
    print(f"{name}: {games} games of greedy, {len(turns):,} turns, {n_won} won by {yardstick}")
    print_missed(list(count_missed(contest, turns, agents.split(","))))
    if timed:
        for agent in agents.split(","):
            print(f"  {agent:10} a turn takes {mean_turn_ms(contest, turns, agent):.3f} ms")


if __name__ == "__main__":
    run_script(main)
