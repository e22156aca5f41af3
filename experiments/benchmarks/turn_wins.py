"""Wins of a turn that a search misses, of those that a search with far more positions takes.

`python -m experiments.benchmarks.turn_wins` plays games of `greedy` between nine starters of real
cards. Each turn of them is played from its first moment by the yardstick, `turn:4000`; those that
it wins, the other agents play, too. A win is *sure* if the yardstick says so at that moment: else
it had luck on the way, mostly a card that it drew. `--decks saga` takes other cards; `--timed` also
measures what a turn takes, all turns together, on this machine.
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
LONG = 5  # actions of the yardstick from which on a win counts as long
_ACTIONS_MAX = 60  # of a turn: no agent of ours takes as many


class Turn(NamedTuple):
    """The first moment of a turn, and what the yardstick made of it.

    Attributes:
        state: the game then.
        is_won: whether the yardstick won in this turn.
        is_sure: whether it knew that before its first action.
        n_actions: how many it took.
    """

    state: Words16
    is_won: bool
    is_sure: bool
    n_actions: int


class Missed(NamedTuple):
    """Of the turns of one sort that the yardstick won, those that an agent did not.

    Attributes:
        agent: its name.
        sort: which turns.
        n_missed: how many of them it did not win.
        n_won: how many there are.
    """

    agent: str
    sort: str
    n_missed: int
    n_won: int


def play_out(state: Words16, numbers: Words16, agent: CompiledAgent) -> tuple[bool, int]:
    """Play a turn to its end; whether that won the game, and by how many actions."""
    game = state.copy()
    address = agent.address(general=bool(game[at.GENERAL]))
    seat = game[at.ACTIVE]
    n_actions = 0
    while game[at.RESULT] == at.RUNNING and game[at.ACTIVE] == seat and n_actions < _ACTIONS_MAX:
        perform(game, numbers, ask_agent(game, numbers, address))
        n_actions += 1
    return bool(game[at.RESULT] == seat), n_actions


def moments_of(decks: CardContest, n_games: int, run_seed: int) -> Iterator[Words16]:
    """The first moment of each turn in games of `greedy`, each deck against each in turn."""
    numbers = decks.table.words[0]
    greedy = compiled_agent_named("greedy")
    n_decks = len(decks.deck_rows)
    for index in range(n_games):
        one = index % n_decks
        other = (index // n_decks + index) % n_decks
        state = new_state()
        rows = np.concatenate([decks.deck_rows[one], decks.deck_rows[other]])
        begin_game(state, numbers, rows, 0, 1, game_seed(run_seed, PURPOSE, index))
        address = greedy.address(general=bool(state[at.GENERAL]))
        turn = -1
        while state[at.RESULT] == at.RUNNING:
            if state[at.TURN] != turn and state[at.PHASE] == at.MAIN_PHASE:
                turn = int(state[at.TURN])
                yield state.copy()
            perform(state, numbers, ask_agent(state, numbers, address))


def judged_turns(
    decks: CardContest, yardstick: CompiledAgent, n_games: int, run_seed: int
) -> Iterator[Turn]:
    """All turns of so many games, as the yardstick plays them."""
    numbers = decks.table.words[0]
    explain = explainer_of(yardstick, decks.table, decks.deck_rows[:2])
    for state in moments_of(decks, n_games, run_seed):
        is_won, n_actions = play_out(state, numbers, yardstick)
        is_sure = is_won and explain is not None and explain(state.copy()).by == "win"
        yield Turn(state, is_won, is_sure, n_actions)


def missed_by(decks: CardContest, turns: Sequence[Turn], names: Sequence[str]) -> Iterator[Missed]:
    """What each agent misses of all wins, of the sure ones and of those that hung on luck."""
    won = [turn for turn in turns if turn.is_won]
    is_long = [turn.n_actions >= LONG for turn in won]
    is_sure = [turn.is_sure for turn in won]
    sorts = {
        "all": [True] * len(won),
        f"of {LONG} actions or more": is_long,
        "sure": is_sure,
        f"sure, of {LONG} or more": [a and b for a, b in zip(is_long, is_sure, strict=True)],
        "by luck": [not sure for sure in is_sure],
    }
    for name in names:
        agent = compiled_agent_named(name)
        wins = [play_out(turn.state, decks.table.words[0], agent)[0] for turn in won]
        for sort, belongs in sorts.items():
            taken = [win for win, counts in zip(wins, belongs, strict=True) if counts]
            yield Missed(name, sort, taken.count(False), len(taken))


def mean_turn_ms(decks: CardContest, turns: Sequence[Turn], name: str) -> float:
    """What one of these turns takes in the mean, engine included, CPU time of this thread."""
    agent = compiled_agent_named(name)
    numbers = decks.table.words[0]
    play_out(turns[0].state, numbers, agent)  # which compiles it
    began_ns = time.thread_time_ns()
    for turn in turns:
        play_out(turn.state, numbers, agent)
    return (time.thread_time_ns() - began_ns) / 1e6 / len(turns)


def print_missed(rows: Sequence[Missed]) -> None:
    """One line for each agent and sort of turns."""
    for row in rows:
        if row.n_won > 0:
            share = percent_between(wilson(row.n_missed, row.n_won))
            print(
                f"  {row.agent:10} {row.sort:24} missed {row.n_missed:3} of {row.n_won:4}: {share}"
            )


def main(
    *,
    agents: Annotated[str, typer.Option(metavar="NAME,NAME")] = (
        "greedy,light,turn:60,turn:200,turn:600"
    ),
    yardstick: str = "turn:4000",
    decks: Annotated[str, typer.Option(help=f"Of {', '.join(SETS)}.")] = "starters",
    games: Annotated[int, typer.Option(min=1)] = 390,
    timed: Annotated[bool, typer.Option("--timed", help="Also time all turns.")] = False,
    seed: int = 5,
) -> None:
    """Play and print."""
    name = known_word("decks", decks, SETS)
    if name == "starters" and find_spec("hearthstone_data") is None:
        name = "saga"
    contest = decks_of(name)
    turns = list(judged_turns(contest, compiled_agent_named(yardstick), games, seed))
    n_won = sum(turn.is_won for turn in turns)
    print(f"{name}: {games} games of greedy, {len(turns):,} turns, {n_won} won by {yardstick}")
    print_missed(list(missed_by(contest, turns, agents.split(","))))
    if timed:
        for agent in agents.split(","):
            print(f"  {agent:10} a turn takes {mean_turn_ms(contest, turns, agent):.3f} ms")


if __name__ == "__main__":
    run_script(main)
