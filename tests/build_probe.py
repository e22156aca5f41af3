"""Games that every build of the engine must play alike; `python -m tests.build_probe` prints them.

The build is chosen by the environment (see `sim.engine.compiled`), so other builds need another
process.
"""

from __future__ import annotations

import json
import sys
from itertools import product
from typing import Any

import numpy as np

from agents.registry import agent_named
from sim.agent import CompiledAgent
from sim.batch import Batch, play
from sim.engine.compiled import CHECKED, PLAIN_PYTHON
from sim.engine.layout import END_TURN, HAND, PLAY, SEATS, STATE_SIZE, TABLE_LENGTH
from sim.engine.stepping import ask_agent, may_act
from sim.seeds import stream_seed
from sim.table import Gene, Table, pack_table
from tests.duels import AGENT_NAMES, CORE, DECKS, DUEL, TABLE
from tests.steps import begin


def build() -> str:
    return "plain" if PLAIN_PYTHON else "checked" if CHECKED else "compiled"


def games() -> list[Any]:
    """Outcomes of a few hundred games: all pairs of agents, two variants, two rulesets."""
    tired = DUEL.model_copy(update={"deck_out": "fatigue", "hand_limit": 5, "board_limit": 3})
    return [_outcomes(TABLE, 4), _outcomes(pack_table(CORE, tired), 4)]


def _outcomes(table: Table, n_games: int) -> list[Any]:
    seats = np.array(list(product(range(len(AGENT_NAMES)), repeat=2)))
    seats = np.concatenate([seats, seats])
    genes = [Gene(card, "health") for card in range(len(CORE.cards))]
    batch = Batch(
        decks=DECKS,
        variant=np.arange(len(seats)) % 2,
        seats=seats,
        n_games=np.full(len(seats), n_games),
        first_game=np.arange(len(seats)),
        stream=stream_seed(3, "probe"),
    )
    table = table.vary(genes, np.array([[0] * len(genes), [1] * len(genes)]))
    agents = [agent_named(name) for name in AGENT_NAMES]
    played = play(batch, table, agents, threads=1, keep=("winner", "cards"))
    arrays = [played.totals, played.turns, played.seen, played.winners]
    return [np.asarray(array).tolist() for array in arrays]


def _reads_past_the_table(state: Any, table: Any) -> int:
    return END_TURN + 0 * table[table[TABLE_LENGTH]]


def caught() -> list[str]:
    """What the build says when an agent, then the engine itself, reads past its memory."""
    complaints: list[str] = []
    sys.unraisablehook = lambda problem: complaints.append(f"agent: {problem.exc_type.__name__}")
    culprit = CompiledAgent("culprit", _reads_past_the_table)
    state = begin(TABLE, DECKS[:2], seed=1)
    ask_agent(state, TABLE.words[0], culprit.address)
    state[SEATS + HAND + 1] = STATE_SIZE  # seat 0's oldest card lies beyond the state
    try:
        may_act(state, TABLE.words[0], PLAY)
    except IndexError as error:
        complaints.append(f"engine: {type(error).__name__}")
    return complaints


if __name__ == "__main__":
    report = {"build": build(), "games": games(), "caught": caught() if CHECKED else []}
    sys.stdout.write(json.dumps(report))
