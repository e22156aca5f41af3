"""Shares of the possible wins in one turn that agents miss, measured by a much larger search.

`python -m experiments.benchmarks.turn_wins` plays games of `greedy` between nine starter decks of
real cards. From the start of each turn, the yardstick `turn:4000` also plays this turn. The turns
that it wins are then played by the measured agents. A win is *sure* if the yardstick proves it
before its first action; other wins need chance, mostly a drawn card. `--decks saga` uses other
decks, and `--timed` also measures the mean time of all turns.
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
from balance.cards.card_contest import CardContest
from balance.statistics.intervals import wilson
from experiments.benchmarks.script import run_script
from experiments.benchmarks.turn_search import SETS, decks_of
from experiments.screen import percent_between
from sim import game_seed, known_word
from sim.engine import layout as at
from sim.engine.stepping import Words16, ask_agent, begin_game, new_state, perform
from sim.play import CompiledAgent

PURPOSE = "turn_wins"
LONG = 5  # minimum number of the yardstick's actions in a long win; chosen by hand
_ACTIONS_MAX = 60  # maximum number of actions of a turn, more than any agent here takes


class Turn(NamedTuple):
    """Start of a turn, and the result of the turn when the yardstick plays it.

    Attributes:
        state: state of the game at the start of the turn.
        is_won: whether the yardstick won the game in this turn.
        is_sure: whether the yardstick proved the win before its first action.
        n_actions: number of the yardstick's actions in the turn.
    """

    state: Words16
    is_won: bool
    is_sure: bool
    n_actions: int


class Missed(NamedTuple):
    """Number of the yardstick's wins of one kind that an agent missed.

    Attributes:
        agent: name of the agent.
        sort: kind of the wins, in words.
        n_missed: number of wins of this kind that the agent missed.
        n_won: number of wins of this kind.
    """

    agent: str
    sort: str
    n_missed: int
    n_won: int


def play_out(state: Words16, numbers: Words16, agent: CompiledAgent) -> tuple[bool, int]:
    """Play a turn to its end in a copy of a game, with at most `_ACTIONS_MAX` actions.

    Args:
        state: state of the game, not changed.
        numbers: words of the table.
        agent: agent that plays the turn.

    Returns:
        Whether the agent won the game in the turn, and the number of its actions.
    """
    game = state.copy()
    address = agent.address(general=bool(game[at.GENERAL]))
    seat = game[at.ACTIVE]
    n_actions = 0
    while game[at.RESULT] == at.RUNNING and game[at.ACTIVE] == seat and n_actions < _ACTIONS_MAX:
        perform(game, numbers, ask_agent(game, numbers, address))
        n_actions += 1
    return bool(game[at.RESULT] == seat), n_actions


def moments_of(decks: CardContest, n_games: int, run_seed: int) -> Iterator[Words16]:
    """Yield a copy of the state at the start of each turn in games of `greedy`.

    Args:
        decks: contest with the decks; all pairs of decks are played, one after the other.
        n_games: number of games.
        run_seed: seed of the games.
    """
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
    """Yield the turns of games of `greedy`, each with its result when the yardstick plays it.

    Args:
        decks: contest with the decks to be played.
        yardstick: agent that plays each turn from its start.
        n_games: number of games.
        run_seed: seed of the games.
    """
    numbers = decks.table.words[0]
    explain = explainer_of(yardstick, decks.table, decks.deck_rows[:2])
    for state in moments_of(decks, n_games, run_seed):
        is_won, n_actions = play_out(state, numbers, yardstick)
        is_sure = is_won and explain is not None and explain(state.copy()).by == "win"
        yield Turn(state, is_won, is_sure, n_actions)


def count_missed(
    decks: CardContest, turns: Sequence[Turn], names: Sequence[str]
) -> Iterator[Missed]:
    """Yield the numbers of wins that each agent misses, by kind of win.

    The kinds are all, long, sure, sure and long, and by chance; they overlap.

    Args:
        decks: contest with the decks of the turns.
        turns: turns as the yardstick played them.
        names: names of the measured agents.
    """
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
    """Return the mean CPU time in which an agent plays the given turns, in ms, engine included.

    Args:
        decks: contest with the decks of the turns.
        turns: turns to be played, at least one.
        name: name of the agent.
    """
    agent = compiled_agent_named(name)
    numbers = decks.table.words[0]
    play_out(turns[0].state, numbers, agent)  # compiles the agent before it is measured
    began_ns = time.thread_time_ns()
    for turn in turns:
        play_out(turn.state, numbers, agent)
    return (time.thread_time_ns() - began_ns) / 1e6 / len(turns)


def print_missed(rows: Sequence[Missed]) -> None:
    """Print a line for each agent and kind of win, unless there are no wins of the kind."""
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
    """Measure the wins in one turn that each agent misses, and print their numbers."""
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
