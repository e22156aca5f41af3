"""Games by the general rules: starter decks, and plain bodies as other simulators were timed."""

from __future__ import annotations

from functools import partial
from importlib.util import find_spec

import numpy as np

from agents.registry import compiled_agent_named
from balance.card_contest import load_contest
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
GAMES_PER_PAIR = {STARTERS: 200, SAGA: 1_000, PLAIN: 8_000}
LIGHT_GAMES_PER_PAIR = 20  # a game of searches takes some hundred times as long
WARM_GAMES_PER_PAIR = 10
COPIES = 5_000_000
MIDDLE_TURN = 9

# Per CPU-second of one core, uniform random play, fifteen plain minions twice, measured on one
# machine (docs/performance.md).
FASTEST_PEER = Published(6_340, "SabberStone (C#), 6,340 games")


def legacy_tasks() -> list[Task]:
    """Greedy agents with decks of the general rules, random ones with plain bodies, a clone."""
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
    """Every pair of `decks` in both seatings, and every mirror.

    Args:
        name: of the task.
        decks: that meet.
        agent: that pilots all of them.
        against: a published figure for the same games.
        n_games: of each pair and seating; default `GAMES_PER_PAIR`.
    """
    contest = load_contest(*((deck, agent) for deck in decks))
    seats = [(a, b) for a in range(len(decks)) for b in range(len(decks))]
    n_games = n_games or GAMES_PER_PAIR[decks]
    play_seatings(contest, seats, min(n_games, WARM_GAMES_PER_PAIR))
    run = partial(play_seatings, contest, seats, n_games)
    return Task(name, "games", len(seats) * n_games, run, against)


def _clones() -> list[Task]:
    """Copies of a game in its middle, and of a state whose records have all been used."""
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
    copy_repeatedly(states, 1_000)  # which compiles it
    return [
        Task("clone", "copies", COPIES, lambda: copy_repeatedly(states, COPIES)),
        Task("clone_of_a_full_state", "copies", COPIES, lambda: copy_repeatedly(full, COPIES)),
    ]
