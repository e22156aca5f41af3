"""Values that are wrong for every argument of their kind, and small games to try them on."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from agents import agent_named
from balance import (
    CardContest,
    Demands,
    Evaluator,
    Learner,
    MatchupCounts,
    build_space,
    load_contest,
    play_matchups,
)
from balance.settings.tables import Guards, Search
from balance.space.tune import Tune
from sim import Deck, Pool, Ruleset, load_deck, load_pool, load_ruleset
from sim.play import Batch, Table, pack_table, row_of_deck

NAN = float("nan")
INFINITE = float("inf")

NO_WHOLE_NUMBERS: tuple[Any, ...] = (True, 1.5, 2.0, NAN, INFINITE, "4", [4])
NO_COUNTS = (*NO_WHOLE_NUMBERS, None, -1, 0)
NO_GAME_COUNTS = (*NO_COUNTS, 1, 2, 3, 11, 999, np.int64(11), 10**9, 2**70)
"""Numbers of games that files refuse: odd, too few for an interval, too many, or no number."""

NO_SEEDS = (*NO_WHOLE_NUMBERS, None, -1, 2**64)
NO_THREADS = (*NO_WHOLE_NUMBERS, -1, 0, 10**6)
NO_NAMES: tuple[Any, ...] = (None, 5, "", " ", "nope", "x" * 300, "a\0b", ["core"])
NO_POSITIONS = (True, 1.5, NAN, "0", None, -1, 10**6)

AGGRO = agent_named("aggro")
DECK: Deck = load_deck("ember_rush")
POOL: Pool = load_pool("core")
RULES: Ruleset = load_ruleset("duel")
TABLE: Table = pack_table(POOL, RULES)
ROW = row_of_deck(DECK, POOL)
ROWS = np.stack([ROW, ROW])
CONTEST: CardContest = load_contest(("ember_rush", "aggro"), ("tide_keep", "control"))
LONER: CardContest = load_contest(("ember_rush", "aggro"))
SPACE = build_space(CONTEST, Tune())
TODAY = np.zeros(len(SPACE.genes), dtype=np.int16)
EVALUATOR = Evaluator(CONTEST, SPACE, Demands.around(np.array([0.5]), 5.0), Guards(), run_seed=1)
SEARCH = Search(method="ga", population=4, generations=1)
LEARNER = Learner(name="learner", decks=("ember_rush",), opponents=("tide_keep",))
SCORES = dict.fromkeys(SPACE.cards, 1.0)


@cache
def counts_of_contest() -> MatchupCounts:
    """Return the counts of some games of `CONTEST`."""
    return play_matchups(CONTEST, CONTEST.table, n_games=40, run_seed=1, purpose="matchups")


def batch_with(**changes: Any) -> Batch:
    """Return a batch of one row of two games, with some columns changed."""
    usual = {
        "decks": ROWS,
        "variant": np.array([0]),
        "seats": np.array([[0, 1]]),
        "n_games": np.array([2]),
        "first_game": np.array([0]),
        "stream": 5,
    }
    return Batch(**usual | changes)  # type: ignore[arg-type]
