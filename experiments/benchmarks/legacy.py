"""Benchmark tasks with the general rules: games of shipped decks, and copies of states."""

from __future__ import annotations

from functools import partial
from importlib.util import find_spec

import numpy as np

from agents.registry import compiled_agent_named
from balance.cards.card_contest import load_contest
from experiments.benchmarks.duel import LIGHT, PURPOSE, Published, Task, play_seatings
from sim import game_seed
from sim.engine import layout as at
from sim.engine.kernel import copy_repeatedly
from sim.engine.stepping import ask_agent, begin_game, perform

STARTERS = tuple(
    f"legacy_{hero}"
    for hero in (
        "druid",
        "hunter",
        "mage",
        "paladin",
        "priest",
        "rogue",
        "shaman",
        "warlock",
        "warrior",
    )
)
SAGA = ("saga_ember", "saga_tide", "saga_grove", "saga_spore")
PLAIN = ("plain_bodies",)
# Games per pair and seating, about half a second for each set of decks.
GAMES_PER_PAIR = {STARTERS: 200, SAGA: 1_000, PLAIN: 8_000}
LIGHT_GAMES_PER_PAIR = 20  # fewer: a game of searching agents takes about 100 times as long
WARM_GAMES_PER_PAIR = 10  # enough to compile everything
COPIES = 5_000_000  # about half a second
MIDDLE_TURN = 9  # turn in which a game is copied; about the middle of a game of greedy

# Games per CPU-second of one core in uniform random play with fifteen plain minions, two copies
# each, measured on one machine (docs/performance.md).
FASTEST_PEER = Published(6_340, "SabberStone (C#), 6,340 games")


def legacy_tasks() -> list[Task]:
    """Return the tasks with games of greedy, light and random agents, and with copies of states.

    Tasks with real cards are left out if the extra `hearthstone` is not installed.
    """
    tasks = [
        _games("saga_greedy", SAGA, "greedy", None),
        _games(f"saga_{LIGHT}", SAGA, LIGHT, None, n_games=LIGHT_GAMES_PER_PAIR),
        *_clones(),
    ]
    if find_spec("hearthstone_data"):
        tasks += [
            _games("starters_greedy", STARTERS, "greedy", None),
            _games("plain_minions_random", PLAIN, "random", FASTEST_PEER),
        ]
    return tasks


def _games(
    name: str,
    decks: tuple[str, ...],
    agent: str,
    against: Published | None,
    *,
    n_games: int | None = None,
) -> Task:
    """Return the task that plays every pair of `decks` in both seatings, and every mirror.

    Args:
        name: name of the task.
        decks: names of the decks.
        agent: name of the agent that plays all decks.
        against: published rate for the same games; `None` if there is none.
        n_games: number of games of each pair and seating; default: `GAMES_PER_PAIR`.
    """
    contest = load_contest(*((deck, agent) for deck in decks))
    seats = [(a, b) for a in range(len(decks)) for b in range(len(decks))]
    n_games = n_games or GAMES_PER_PAIR[decks]
    play_seatings(contest, seats, min(n_games, WARM_GAMES_PER_PAIR))
    run = partial(play_seatings, contest, seats, n_games)
    return Task(name, "games", len(seats) * n_games, run, against)


def _clones() -> list[Task]:
    """Return the tasks that copy a game in its ninth turn, and a state with all records in use."""
    saga = load_contest((SAGA[0], "greedy"))
    states = np.zeros(2 * at.STATE_SIZE, dtype=np.int16)
    game = states[: at.STATE_SIZE]
    words = saga.table.words[0]
    begin_game(game, words, saga.deck_rows[[0, 0]].ravel(), 0, 1, game_seed(0, PURPOSE, 0))
    greedy = compiled_agent_named("greedy")
    while game[at.TURN] < MIDDLE_TURN:
        perform(game, words, ask_agent(game, words, greedy.address(general=True)))
    full = states.copy()
    full[at.USED_SIZE] = at.CLONE_SIZE
    copy_repeatedly(states, 1_000)  # compiles it before it is measured
    return [
        Task("clone", "copies", COPIES, lambda: copy_repeatedly(states, COPIES)),
        Task("clone_of_a_full_state", "copies", COPIES, lambda: copy_repeatedly(full, COPIES)),
    ]
