"""Playthroughs: one game of a batch again, as text that a person can read.

The game is named by its seed (run, purpose, index) and stepped with the code that `play` runs,
so it is the game that `play` played. What happened is told from the difference between the
state before and after each action (`sim.game_log.story`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from sim.engine.layout import DRAWN, GENERAL, RUNNING
from sim.engine.stepping import ask_agent, begin_game, may_act, new_state, perform
from sim.game_log.changes import Names
from sim.game_log.snapshot import Snapshot, take_snapshot
from sim.game_log.story import Story
from sim.play.agent import CompiledAgent
from sim.play.card_fault import fault_of_state, is_faulty
from sim.play.table import Table
from sim.seeds import game_seed


def playthrough(
    table: Table,
    decks: npt.NDArray[np.int16],
    agents: Sequence[CompiledAgent],
    *,
    names: Sequence[str],
    run_seed: int,
    purpose: str,
    game_index: int,
    variant: int = 0,
) -> str:
    """The whole course of one game, action by action.

    Args:
        table: the numbers of all variants.
        decks: ``[2, DECK_ROW_SIZE]`` row of each seat's deck (`sim.play.batch.deck_row`).
        agents: the agent of each seat.
        names: what the text calls each seat's deck.
        run_seed: seed of the run that the game belongs to.
        purpose: what the run played it for (`sim.seeds`).
        game_index: which of the purpose's games.
        variant: row of the table.

    Raises:
        RuntimeError: an agent chose an illegal action.
        CardFault: a card's texts stopped the game.
    """
    seated = [agent.seated(table, lambda: decks) for agent in agents]
    story = Story(Names(table.pool, decks), table.ruleset.life)
    lines = [
        f"pool {table.pool.name}  ruleset {table.ruleset.name}  "
        f"seed {run_seed}/{purpose}  game {game_index}",
        *(f"seat {seat}: {names[seat]} ({agents[seat].name})" for seat in range(len(names))),
    ]
    state, words = new_state(), table.words[variant]
    seed = game_seed(run_seed, purpose, game_index)
    begin_game(state, words, decks.ravel(), 0, 1, seed)
    now = take_snapshot(state)
    lines += story.opening(now)
    while now.result == RUNNING:
        agent = seated[now.active]
        action = ask_agent(state, words, agent.address(general=bool(state[GENERAL])))
        if not may_act(state, words, action):
            raise RuntimeError(f"agent {agent.name} chose an illegal action in turn {now.turn}")
        perform(state, words, action)
        before, now = now, take_snapshot(state)
        lines += story.action(action, before, now)
    if is_faulty(state):
        raise fault_of_state(state, table, seed, variant)
    lines += ["", _result(now)]
    return "\n".join(lines) + "\n"


def _result(end: Snapshot) -> str:
    first, second = end.seats
    who = "nobody" if end.result == DRAWN else f"seat {end.result}"
    return (
        f"result {who}  turns {end.turn}  actions {end.n_actions}  "
        f"life {first.life} / {second.life}  draws {first.n_draws} / {second.n_draws}"
    )
