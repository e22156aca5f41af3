"""The benchmark of wins in one turn counts those that a search misses."""

from __future__ import annotations

from agents.registry import compiled_agent_named
from experiments.benchmarks.turn_search import decks_of
from experiments.benchmarks.turn_wins import count_missed, play_turns
from sim.engine import layout as at


def test_missed_wins_are_those_that_the_yardstick_takes() -> None:
    decks = decks_of("saga")
    turns = list(play_turns(decks, compiled_agent_named("turn:200"), 12, 5))
    won = [turn for turn in turns if turn.is_won]
    assert all(turn.state[at.PHASE] == at.MAIN_PHASE for turn in turns)
    assert 0 < len(won) < len(turns)
    assert all(turn.is_won for turn in turns if turn.is_sure)
    rows = {
        (row.agent, row.sort): row for row in count_missed(decks, turns, ["random", "turn:200"])
    }
    assert rows["turn:200", "all"].n_missed == 0
    assert rows["random", "all"].n_missed > 0
    assert rows["random", "all"].n_won == len(won)
    assert rows["random", "sure"].n_won + rows["random", "by chance"].n_won == len(won)
