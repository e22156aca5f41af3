"""Steps of Big Two: each a move of one seat, which saw its view and a mask before."""

from __future__ import annotations

import numpy as np

from agents.big_two import agent_named
from experiments.benchmarks.duel import PURPOSE, Published, Task
from sim.big_two.games import Games, Positions
from sim.big_two.layout import NOBODY
from sim.big_two.observers import BigTwoView, observer_named
from sim.big_two.rules import rules_of
from sim.seeds import numbers_of, stream_seed

DEALS = 8
SIDE_BY_SIDE = 512  # games of a deal

# Per CPU-second of one core, random play, 412 values and 1,695 actions written at every step,
# measured on one machine (docs/performance.md).
FASTEST_PEER = Published(10_900, "big2_PPOalgorithm (Python), 10,900 steps")


def big_two_task() -> Task:
    """Whole games by moves that were drawn by chance beforehand, everything seen before each."""
    view = BigTwoView(rules_of(), observer_named("history"))
    games, chance = Games(view.rules, SIDE_BY_SIDE), agent_named("random")
    values = np.zeros((SIDE_BY_SIDE, view.size.n_values), dtype=np.float32)
    masks = np.zeros((SIDE_BY_SIDE, view.size.n_actions), dtype=np.bool_)
    seeds = numbers_of(stream_seed(0, PURPOSE), np.arange(DEALS * SIDE_BY_SIDE))
    deals = np.split(seeds.view(np.int64), DEALS)
    moves: list[list[tuple[Positions, Positions]]] = [[] for _ in deals]
    for deal, played in zip(deals, moves, strict=True):
        games.deal(deal)
        while len(rows := np.flatnonzero(games.winner == NOBODY)):
            played.append((rows, chance.choose(games, rows)))
            games.act(*played[-1])

    def run() -> None:
        for deal, played in zip(deals, moves, strict=True):
            games.deal(deal)
            for rows, actions in played:
                view.observer.see(games, rows, games.active[rows], values[: len(rows)])
                games.mark(rows, masks[: len(rows)])
                games.act(rows, actions)

    run()
    n_steps = sum(len(rows) for played in moves for rows, _ in played)
    return Task("big_two_steps", "steps", n_steps, run, FASTEST_PEER)
