"""Calls of `sim`, `sim.play`, the environments and Big Two that must be refused."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from agents import big_two
from balance import MatchupRow
from sim import (
    Deck,
    check_deck,
    check_pool,
    check_view,
    content_hash,
    entry,
    find_data_file,
    game_seed,
    generator,
    known_word,
    load_deck,
    load_pool,
    load_ruleset,
    playthrough,
    read_rows,
    read_toml,
    stream_seed,
    validate,
    view_for,
    write_atomically,
)
from sim.big_two.environment import BigTwoEnv, BigTwoVectorEnv
from sim.big_two.games import Games, play_games
from sim.big_two.rules import rules_of
from sim.big_two.turns import BigTwoTurns
from sim.environments.turns import DuelTurns
from sim.environments.vector import DuelEnv, DuelVectorEnv
from sim.play import (
    Gene,
    deck_row,
    kept,
    pack_table,
    play,
    row_of_deck,
    slot_counts,
    using_threads,
    without,
)
from sim.real_cards.deck_code import read_deck_code
from tests.arguments.values import (
    AGGRO,
    DECK,
    NAN,
    NO_COUNTS,
    NO_NAMES,
    NO_POSITIONS,
    NO_SEEDS,
    NO_THREADS,
    POOL,
    ROW,
    ROWS,
    RULES,
    TABLE,
    batch_with,
)
from tests.sim.big_two.tables import STANDARD

NO_FILE = Path("no_such_folder/no_such_file")
LOWEST = big_two.agent_named("lowest")
SEEDS = np.arange(4, dtype=np.uint64)
ATTACK = Gene(0, "attack")


def copy_of(model: Any, **changes: Any) -> Any:
    """Return a copy of a model with changed fields, without validation."""
    return model.model_copy(update=changes)


def playthrough_with(**changes: Any) -> str:
    """Call `playthrough` with some arguments changed."""
    usual = {
        "table": TABLE,
        "decks": ROWS,
        "agents": [AGGRO, AGGRO],
        "names": ["a", "b"],
        "run_seed": 1,
        "purpose": "p",
        "game_index": 0,
    }
    return playthrough(**usual | changes)  # type: ignore[arg-type]


def play_with(agents: Any = (AGGRO, AGGRO), how: Any = None, **columns: Any) -> Any:
    """Call `play` with other columns of the batch and other arguments."""
    return play(batch_with(**columns), TABLE, agents, **how or {})


def duel_with(**changes: Any) -> DuelVectorEnv:
    """Make duel environments with some arguments changed."""
    usual = {
        "num_envs": 1,
        "deck": "ember_rush",
        "opponent_deck": "tide_keep",
        "opponent": AGGRO,
    }
    return DuelVectorEnv(**usual | changes)  # type: ignore[arg-type]


def big_two_with(**changes: Any) -> BigTwoVectorEnv:
    """Make Big Two environments with some arguments changed."""
    usual: dict[str, Any] = {"num_envs": 1, "opponents": [LOWEST]}
    return BigTwoVectorEnv(**usual | changes)


def vary(steps: Any, gene: Gene = ATTACK) -> Any:
    """Vary the first card's attack, or another number."""
    return TABLE.vary([gene], np.array(steps))


OF_SIM: dict[str, list[partial[Any]]] = {
    "sim.check_deck": [
        partial(check_deck, copy_of(DECK, cards={"ember_whelp": -3}), POOL, RULES),
        partial(check_deck, copy_of(DECK, cards={"ember_whelp": 20}), POOL, RULES),
        partial(check_deck, copy_of(DECK, cards={}), POOL, RULES),
        partial(check_deck, copy_of(DECK, cards={"nobody": 2}), POOL, RULES),
        partial(check_deck, copy_of(DECK, name=""), POOL, RULES),
        partial(check_deck, DECK, load_pool("saga"), RULES),
    ],
    "sim.check_pool": [
        partial(check_pool, copy_of(POOL, cards=(copy_of(POOL.cards[0], attack=-7),)), RULES),
    ],
    "sim.check_view": [
        partial(check_view, TABLE, [copy_of(DECK, cards={"nobody": 2})]),
    ],
    "sim.content_hash": [partial(content_hash, value) for value in (None, 5, "core", {})],
    "sim.entry": [partial(entry, (1, 2))],
    "sim.find_data_file": [
        *(partial(find_data_file, "decks", name) for name in NO_NAMES),
        *(partial(find_data_file, kind, "core") for kind in NO_NAMES),
    ],
    "sim.game_seed": [
        *(partial(game_seed, seed, "p", 0) for seed in NO_SEEDS),
        *(partial(game_seed, 1, "p", index) for index in NO_SEEDS),
    ],
    "sim.generator": [partial(generator, seed, "p") for seed in NO_SEEDS],
    "sim.known_word": [partial(known_word, "word", word, ["core"]) for word in NO_NAMES],
    "sim.load_deck": [partial(load_deck, name) for name in NO_NAMES],
    "sim.load_pool": [partial(load_pool, name) for name in NO_NAMES],
    "sim.load_ruleset": [partial(load_ruleset, name) for name in NO_NAMES],
    "sim.playthrough": [
        *(partial(playthrough_with, run_seed=seed) for seed in NO_SEEDS),
        *(partial(playthrough_with, game_index=index) for index in NO_SEEDS),
        *(partial(playthrough_with, variant=variant) for variant in NO_POSITIONS),
        partial(playthrough_with, agents=["aggro", "aggro"]),
        partial(playthrough_with, agents=[AGGRO]),
        partial(playthrough_with, agents=[]),
        partial(playthrough_with, names=["a"]),
        partial(playthrough_with, decks=ROWS[:1]),
        partial(playthrough_with, decks=ROWS[:, :9]),
        partial(playthrough_with, decks=np.stack([deck_row([900] * 20)] * 2)),
    ],
    "sim.read_rows": [partial(read_rows, path, MatchupRow) for path in (NO_FILE, "", 5, None)],
    "sim.read_toml": [partial(read_toml, path) for path in (NO_FILE, "", "a\0b", 5, None)],
    "sim.stream_seed": [partial(stream_seed, seed, "p") for seed in NO_SEEDS],
    "sim.validate": [partial(validate, Deck, data, source="it") for data in (None, 5, [], {})],
    "sim.view_for": [
        partial(view_for, TABLE, "aggro", [0]),
        *(partial(view_for, TABLE, AGGRO, [number]) for number in (-1, 10**6, 1.5, "0")),
    ],
    "sim.write_atomically": [
        *(partial(write_atomically, path, "text") for path in (NO_FILE, "", "a\0b", 5, None)),
        partial(write_atomically, NO_FILE, 5),
        partial(write_atomically, NO_FILE, None),
    ],
    "sim.play.Table": [
        partial(vary, [[-30]]),
        partial(vary, [[40_000]]),
        partial(vary, [[0.5]]),
        partial(vary, [[NAN]]),
        partial(vary, [[1, 2]]),
        partial(vary, [1]),
        partial(vary, [[1]], Gene(0, "attck")),
        partial(vary, [[1]], Gene(-1, "attack")),
        partial(vary, [[5000]], Gene(-1, "life")),
        *(partial(vary, [[1]], Gene(owner, "attack")) for owner in (-2, 10**6, 1.5, "0")),
    ],
    "sim.play.deck_row": [
        partial(deck_row, [1] * 61),
        *(partial(deck_row, [1, card]) for card in (-2, 2**70, 1.5, NAN, "1", None)),
        *(partial(deck_row, [1], power) for power in (-2, 2**70, 1.5, NAN, "1", None, True)),
    ],
    "sim.play.kept": [partial(kept, None)],
    "sim.play.pack_table": [
        partial(pack_table, POOL, copy_of(RULES, board_limit=1000)),
        partial(pack_table, POOL, copy_of(RULES, life=-1)),
        partial(pack_table, POOL, copy_of(RULES, turn_cap=0)),
        partial(pack_table, copy_of(POOL, cards=()), RULES),
        partial(pack_table, copy_of(POOL, cards=POOL.cards[:1] * 2), RULES),
        partial(pack_table, copy_of(POOL, cards=(copy_of(POOL.cards[0], cost=99),)), RULES),
    ],
    "sim.play.using_threads": [partial(using_threads, n) for n in (*NO_THREADS, None)],
    "sim.play.play": [
        *(partial(play_with, how={"threads": threads}) for threads in NO_THREADS),
        *(partial(play_with, stream=stream) for stream in NO_SEEDS),
        partial(play_with, how={"keep": "x"}),
        partial(play_with, how={"faults": "x"}),
        partial(play_with, ["aggro", "aggro"]),
        partial(play_with, [AGGRO]),
        partial(play_with, [AGGRO, None]),
        partial(play_with, [AGGRO, type(AGGRO)]),
        *(partial(play_with, n_games=np.array([n])) for n in (-1, 2.5, NAN, 10**15, True)),
        partial(play_with, n_games=[2]),
        partial(play_with, n_games=np.array([2, 2])),
        partial(play_with, first_game=np.array([-1])),
        partial(play_with, variant=np.array([1])),
        partial(play_with, seats=np.array([[0, 2]])),
        partial(play_with, decks=ROWS[:, :5]),
        partial(play_with, decks=np.stack([deck_row([900] * 20)] * 2)),
    ],
    "sim.play.row_of_deck": [
        partial(row_of_deck, DECK, load_pool("saga")),
        partial(row_of_deck, copy_of(DECK, cards={"ember_whelp": 99}), POOL),
    ],
    "sim.play.slot_counts": [
        partial(slot_counts, np.zeros((1, 2, 3, 60, 8), dtype=int), seat)
        for seat in (-1, 2, 1.5, NAN, "0", None)
    ],
    "sim.play.without": [
        *(partial(without, ROW, card) for card in (-1, 40, 2**70, 1.5, NAN, "1", None)),
        *(partial(without, ROW, int(ROW[1]), card) for card in (-2, 2**70, 1.5, NAN, "1", None)),
    ],
    "sim.environments.vector.DuelVectorEnv": [
        *(partial(duel_with, num_envs=n) for n in (*NO_COUNTS, 10**9)),
        *(partial(duel_with, seat=seat) for seat in (-1, 2, 1.5, NAN, True, None, "first")),
        *(partial(duel_with, illegal=word) for word in (*NO_NAMES, "pass")),
        *(partial(duel_with, render_mode=word) for word in NO_NAMES if word is not None),
        *(partial(duel_with, deck=name) for name in (*NO_NAMES, [])),
        *(partial(duel_with, opponent_deck=name) for name in (*NO_NAMES, [])),
        *(partial(duel_with, opponent=agent) for agent in ("aggro", ["aggro"], None, 5, [])),
        partial(duel_with, skip_forced=2),
        partial(duel_with, pool="nope"),
        partial(duel_with, ruleset="nope"),
        partial(duel_with, deck=copy_of(DECK, cards={"ember_whelp": 20})),
    ],
    "sim.environments.vector.DuelEnv": [
        partial(DuelEnv, deck="nope", opponent_deck="tide_keep", opponent=AGGRO),
    ],
    "sim.environments.turns.DuelTurns": [
        partial(DuelTurns, "ember_rush"),
        partial(DuelTurns, "ember_rush", "nope"),
        partial(DuelTurns, "ember_rush", "tide_keep", render_mode="human"),
        partial(DuelTurns, copy_of(DECK, cards={"ember_whelp": 20}), "tide_keep"),
    ],
    "sim.big_two.environment.BigTwoVectorEnv": [
        *(partial(big_two_with, num_envs=n) for n in (*NO_COUNTS, 10**9)),
        *(partial(big_two_with, seat=seat) for seat in (-1, 4, 1.5, NAN, None, "first")),
        *(partial(big_two_with, illegal=word) for word in (*NO_NAMES, "end_turn")),
        *(partial(big_two_with, render_mode=word) for word in NO_NAMES if word is not None),
        *(partial(big_two_with, observer=word) for word in NO_NAMES),
        *(partial(big_two_with, rules=word) for word in NO_NAMES),
        *(partial(big_two_with, reward=word) for word in NO_NAMES),
        *(
            partial(big_two_with, opponents=agents)
            for agents in ("lowest", ["lowest"], [], [LOWEST] * 2)
        ),
    ],
    "sim.big_two.environment.BigTwoEnv": [partial(BigTwoEnv, opponents=[])],
    "sim.big_two.turns.BigTwoTurns": [
        *(partial(BigTwoTurns, rules=word) for word in NO_NAMES),
        partial(BigTwoTurns, render_mode="human"),
    ],
    "sim.big_two.rules.rules_of": [
        *(partial(rules_of, word) for word in NO_NAMES),
        partial(rules_of, cards=[1, 2]),
        partial(rules_of, crads=[13, 13, 13, 13]),
    ],
    "sim.big_two.games.Games": [
        partial(Games(STANDARD, 2).deal, [1, 2, 3]),
        partial(Games(STANDARD, 2).deal, [1], np.array([7])),
        partial(Games(STANDARD, 2).deal, [1], rotations=4),
        *(partial(Games(STANDARD, 2).deal, [seed]) for seed in NO_SEEDS),
        partial(Games(STANDARD, 2).deal, [1], fixed_hands=["3d"]),
    ],
    "sim.big_two.games.play_games": [
        partial(play_games, STANDARD, [LOWEST] * 3, SEEDS),
        partial(play_games, STANDARD, ["lowest"] * 4, SEEDS),
        partial(play_games, STANDARD, [LOWEST] * 4, SEEDS / 2),
        partial(play_games, STANDARD, [LOWEST] * 4, SEEDS, rotations=9),
        partial(play_games, STANDARD, [LOWEST] * 4, SEEDS, variants=3),
        partial(play_games, STANDARD, [LOWEST] * 4, SEEDS, numbers=np.zeros((2, 3), dtype=int)),
        *(partial(play_games, STANDARD, [LOWEST] * 4, SEEDS, threads=n) for n in NO_THREADS),
    ],
    "sim.real_cards.deck_code.read_deck_code": [
        partial(read_deck_code, code, POOL) for code in (None, 5, ["AAEC"])
    ],
}

TAKES_ANYTHING_OF_SIM = {
    "sim.error_place": "a context, with any name of a place",
    "sim.system_error_place": "a context, with any name of a file",
    "sim.did_you_mean": "a suggestion, which is empty for a word that resembles none",
    "sim.unknown_word": "a message about any word",
    "sim.play.n_cores": "no arguments",
    "sim.play.working_with": "a context, with any workers",
}

DATA_OF_SIM = {
    "sim.Card", "sim.CardFault", "sim.Deck", "sim.Effect", "sim.Infeasible", "sim.InputError",
    "sim.Pool", "sim.Result", "sim.Ruleset", "sim.StrictModel", "sim.play.Batch",
    "sim.play.CompiledAgent", "sim.play.Gene",
    "sim.play.LearnedAgent", "sim.play.Outcomes",
}  # fmt: skip
