"""Games by the general rules: starter decks, and plain bodies as other simulators were timed."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec

import numpy as np

from agents.registry import agent_named, compiled_agent_named
from experiments.benchmarks.duel import Against, Published, Task
from sim import game_seed, load_deck, load_pool, load_ruleset, stream_seed
from sim.engine import layout as at
from sim.engine.copying import copy_repeatedly
from sim.engine.stepping import ask_agent, begin_game, perform
from sim.play import Batch, Table, pack_table, play, row_of_deck

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
COPIES = 5_000_000
WARM_COPIES = 1_000
MIDDLE_TURN = 9

# Per CPU-second of one core, uniform random play, fifteen plain minions twice, measured on one
# machine (docs/performance.md).
FASTEST_PEER = Published(6_340, "SabberStone (C#), 6,340 games")


def legacy_tasks() -> list[Task]:
    """Greedy agents with decks of the general rules, random ones with plain bodies, a clone."""
    tasks = [_games("saga_greedy", "saga", SAGA, "greedy", None), *_clones()]
    if find_spec("hearthstone_data"):
        tasks += [
            _games("starters_greedy", "hearthstone", STARTERS, "greedy", None),
            _games("plain_minions_random", "hearthstone", PLAIN, "random", FASTEST_PEER),
        ]
    return tasks


def _games(
    name: str, pool: str, decks: tuple[str, ...], agent: str, against: Against | Published | None
) -> Task:
    """Every pair of `decks` in both seatings, and every mirror."""
    table = pack_table(load_pool(pool), load_ruleset("legacy"))
    run = _round_robin(table, decks, agent, GAMES_PER_PAIR[decks])
    _round_robin(table, decks, agent, 10)()
    return Task(name, "games", len(decks) ** 2 * GAMES_PER_PAIR[decks], run, against)


def _round_robin(
    table: Table, names: tuple[str, ...], agent: str, n_games: int
) -> Callable[[], None]:
    loaded = [load_deck(name) for name in names]
    rows = [row_of_deck(deck, table.pool) for deck in loaded]
    seats = [(first, second) for first in range(len(names)) for second in range(len(names))]
    batch = Batch(
        decks=np.stack(rows),
        variant=np.zeros(len(seats), dtype=np.int64),
        seats=np.array(seats),
        n_games=np.full(len(seats), n_games),
        first_game=np.zeros(len(seats), dtype=np.int64),
        stream=stream_seed(0, "bench"),
    )
    agents = [agent_named(agent)] * len(names)

    def run() -> None:
        play(batch, table, agents, threads=1)

    return run


def _clones() -> list[Task]:
    """Copies of a game in its middle, and of a state whose records have all been used."""
    table = pack_table(load_pool("saga"), load_ruleset("legacy"))
    row = row_of_deck(load_deck(SAGA[0]), table.pool)
    states = np.zeros(2 * at.STATE_SIZE, dtype=np.int16)
    game, words = states[: at.STATE_SIZE], table.words[0]
    begin_game(game, words, np.concatenate([row, row]), 0, 1, game_seed(0, "bench", 0))
    greedy = compiled_agent_named("greedy")
    while game[at.TURN] < MIDDLE_TURN:
        perform(game, words, ask_agent(game, words, greedy.address(general=True)))
    full = states.copy()
    full[at.USED_SIZE] = at.CLONE_SIZE
    copy_repeatedly(states, WARM_COPIES)
    return [
        Task("clone", "copies", COPIES, lambda: copy_repeatedly(states, COPIES)),
        Task("clone_of_a_full_state", "copies", COPIES, lambda: copy_repeatedly(full, COPIES)),
    ]
