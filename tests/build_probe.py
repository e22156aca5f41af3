"""Games that every build of the engine must play alike; `python -m tests.build_probe asked`.

The build is chosen by the environment (see `sim.engine.compiled`), so other builds need another
process.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

from agents.registry import agent_named
from sim.engine import layout as at
from sim.engine.compiled import CHECKED, PLAIN_PYTHON
from sim.engine.stepping import ask_agent, look_through, may_act
from sim.engine.viewing import N_ACTIONS, N_VALUES
from sim.environments.episodes import Episodes, Lineup
from sim.observation.view import DuelView
from sim.play import Agent, Batch, CompiledAgent, Gene, Table, pack_table, play
from sim.ruleset import HAND_CAPACITY
from sim.seeds import stream_seed
from tests.duels import AGENT_NAMES, CORE, DECKS, DUEL, TABLE, varied
from tests.laws.playing import random_decks, rich_table
from tests.steps import begin
from tests.view_agents import Eager, Greedy

EXTRA = {"extra_life_second": 4, "extra_mana_second": 2}  # large enough to change most games


def build() -> str:
    """Return the name of the build that this process runs."""
    return "plain" if PLAIN_PYTHON else "checked" if CHECKED else "compiled"


def games() -> list[Any]:
    """Return outcomes of a few hundred games: all pairs of agents, two variants, three rulesets."""
    fatigue = DUEL.model_copy(update={"deck_out": "fatigue", "hand_limit": 5, "board_limit": 3})
    extra = DUEL.model_copy(update=EXTRA)
    searching = ["rollout:1", "rollout:2:random", "turn:6:lookahead"]
    return [
        _outcomes(TABLE, AGENT_NAMES, 4),
        _outcomes(pack_table(CORE, fatigue), AGENT_NAMES, 4),
        _outcomes(pack_table(CORE, extra), AGENT_NAMES, 2),
        _outcomes(TABLE, searching, 1),
    ]


def value_games() -> list[Any]:
    """Return outcomes of two games of a search with the learned value and a second comparison."""
    return _outcomes(TABLE, ["turn:3:leaves=2:worlds=1:wins=4:value=8:lines=2"], 1)


def _outcomes(table: Table, names: Sequence[str], n_games: int) -> list[Any]:
    seats = np.array(list(product(range(len(names)), repeat=2)))
    seats = np.concatenate([seats, seats])
    genes = [Gene(card, "health") for card in range(len(CORE.cards))]
    batch = Batch(
        decks=DECKS[: len(names)],
        variant=np.arange(len(seats)) % 2,
        seats=seats,
        n_games=np.full(len(seats), n_games),
        first_game=np.arange(len(seats)),
        stream=stream_seed(3, "probe"),
    )
    table = varied(table, genes, [[0] * len(genes), [1] * len(genes)])
    agents = [agent_named(name) for name in names]
    return _lists_of(play(batch, table, agents, threads=1, keep=("winner", "cards")))


def _lists_of(played: Any, *further: str) -> list[Any]:
    """Return the counts of games as lists, with some further ones."""
    names = ("totals", "turns", "seen", *further, "winners")
    return [np.asarray(getattr(played, name)).tolist() for name in names]


def general_games() -> list[Any]:
    """Return outcomes under the general rules: spells, weapons, auras, mulligans, choices."""
    table = rich_table("saga")
    agents = [agent_named(name) for name in ("random", "greedy", "aggro", "control")]
    seats = np.array([[0, 1], [2, 3], [1, 0], [3, 2]])
    rows = np.arange(len(seats))
    stream = stream_seed(5, "probe")
    batch = Batch(random_decks(table.pool, 2, 6), 0 * rows, seats, 0 * rows + 1, 7 * rows, stream)
    return _lists_of(play(batch, table, agents, threads=1, keep=("winner", "cards")))


def games_of_outside_agents() -> list[Any]:
    """Return games that ask outside agents: in lock-step, and as a learner's episodes."""
    agents = [Greedy(), agent_named("aggro"), Eager(), agent_named("random")]
    seats = np.array([[0, 1], [1, 2], [2, 0], [3, 1]])
    rows = np.arange(len(seats))
    stream = stream_seed(4, "probe")
    batch = Batch(DECKS, 0 * rows, seats, 0 * rows + 3, 7 * rows, stream)
    played = play(batch, TABLE, agents, threads=1, keep=("winner", "cards", "actions"))
    return [_lists_of(played, "chosen"), _episodes(agents[:2], stream)]


def _episodes(opponents: Sequence[Agent], stream: int) -> list[Any]:
    lineups = [
        Lineup(DECKS[seat], DECKS[3], opponent, seat, weight=1.0 + seat)
        for opponent, seat in product(range(len(opponents)), range(2))
    ]
    episodes = Episodes(TABLE, lineups, opponents, 4, stream, skip_forced=True)
    episodes.reset()
    trace = []
    for _ in range(60):
        episodes.step(episodes.masks.argmax(axis=1))
        trace.append({name: array.tolist() for name, array in episodes.state_arrays().items()})
        trace[-1]["last"] = episodes.finals.tolist()
    return trace


def _reads_past_the_table(state: Any, table: Any) -> int:
    return at.END_TURN + 0 * table[table[at.TABLE_LENGTH]]


def memory_errors() -> list[str]:
    """Return the errors that the build raises when code leaves its memory, by the code at fault."""
    culprit = CompiledAgent("culprit", _reads_past_the_table)
    state = begin(TABLE, DECKS[:2], seed=1)
    hand = at.SEATS + at.HAND
    complaints = [
        _complaint("agent", ask_agent, state, TABLE.words[0], culprit.address(general=False))
    ]
    state[hand + 1] = at.RECORDS + 1  # seat 0's oldest card, which it can pay, is no record
    state[at.SEATS + at.MANA] = 10_000
    state[at.GENERAL] = 1
    general = pack_table(CORE, DUEL, general=True).words[0]
    complaints += [_complaint("record", may_act, state, general, at.PLAY)]
    state[at.GENERAL] = 0
    state[hand + 1] = at.STATE_SIZE  # seat 0's oldest card lies beyond the state
    complaints += [_complaint("engine", may_act, state, TABLE.words[0], at.PLAY)]
    state[hand] = HAND_CAPACITY  # more cards than the duel's view has places
    state[hand + 1 :][:HAND_CAPACITY] = at.RECORDS
    words = TABLE.words[0], DuelView(TABLE).words
    seen = np.zeros(N_VALUES, dtype=np.float32), np.zeros(N_ACTIONS, dtype=np.uint8)
    complaints += [_complaint("view", look_through, state, *words, *seen)]
    return [complaint for complaint in complaints if complaint]


def _complaint(place: str, function: Any, *arguments: Any) -> str:
    try:
        function(*arguments)
    except IndexError as error:
        return f"{place}: {type(error).__name__}"
    return ""


GAMES = {
    "asked": games_of_outside_agents,
    "games": games,
    "general games": general_games,
    "value games": value_games,
}

if __name__ == "__main__":
    probe = {**GAMES, "memory errors": memory_errors}[sys.argv[1]]
    sys.stdout.write(json.dumps([build(), probe()]))
