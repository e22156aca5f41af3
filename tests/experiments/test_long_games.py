"""A game of unusual length is reported with its pairing, once, and again at long intervals."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from experiments.long_games import know_decks, long_game_words
from sim.engine import layout as at
from sim.play import long_games
from sim.play.batch import row_of_deck, without
from sim.play.long_games import LongGame, reporting_long_games, under_way
from sim.seeds import number_of
from tests.balance.contests import RUSH_KEEP

STREAM = 17


@pytest.fixture
def job() -> Any:
    """Return a job of two rows of ten games; one thread plays the games from number 12."""
    rows = np.stack([np.full(at.DECK_ROW_SIZE, k, dtype=np.int16) for k in range(2)])
    tally = SimpleNamespace(
        first_row=1,
        turns=np.zeros((1, at.TURN_BINS), dtype=np.int64),
        totals=np.zeros((1, at.N_TOTALS), dtype=np.int64),
    )
    batch = SimpleNamespace(
        decks=rows,
        seats=np.array([[0, 1], [1, 0]]),
        variant=np.array([0, 3]),
        n_games=np.array([10, 10]),
        first_game=np.array([100, 500]),
        stream=STREAM,
    )
    return SimpleNamespace(
        batch=batch,
        work=SimpleNamespace(ends=np.array([10, 20])),
        agents=[SimpleNamespace(name="turn:40"), SimpleNamespace(name="rollout:4")],
        running_chunks={12: tally},
        plays_one_by_one=True,
    )


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [0.0]
    monkeypatch.setattr(long_games.time, "monotonic", lambda: now[0])
    return now


def test_a_game_is_reported_with_its_pairing_number_and_seed(job: Any, clock: list[float]) -> None:
    reports: list[LongGame] = []
    watch = long_games._Watch(reports.append, 10.0, 50.0)
    with under_way(job):
        for clock[0] in (0.0, 5.0):
            watch.look()
        job.running_chunks[12].turns[0, 7] += 3  # three games have ended
        for clock[0] in (6.0, 15.9):
            watch.look()
        assert reports == []
        for clock[0] in (16.0, 17.0, 60.0, 66.1, 70.0):
            watch.look()
    assert [round(game.seconds) for game in reports] == [10, 60]
    game = reports[0]
    assert game.agents == ("rollout:4", "turn:40")
    assert (game.variant, game.game_index) == (3, 500 + 2 + 3)
    assert game.game_seed == number_of(STREAM, 505)
    watch.look()
    assert len(reports) == 2


def test_games_side_by_side_have_no_number(job: Any, clock: list[float]) -> None:
    reports: list[LongGame] = []
    watch = long_games._Watch(reports.append, 10.0, 50.0)
    job.plays_one_by_one = False
    with under_way(job):
        for clock[0] in (0.0, 11.0):
            watch.look()
    assert (reports[0].game_index, reports[0].game_seed) == (None, None)


def test_the_words_name_decks_pilots_and_the_game() -> None:
    rush, keep = (player.deck for player in RUSH_KEEP.players)
    pool = RUSH_KEEP.table.pool
    know_decks([rush, keep], pool)
    first = without(row_of_deck(rush, pool), pool.index(next(iter(rush.cards))))
    words = long_game_words(
        LongGame((first, row_of_deck(keep, pool)), ("turn:40", "rollout:4"), 0, 7, 99, 12.0)
    )
    for part in (rush.name, keep.name, "turn:40", "rollout:4", "12 s", "99"):
        assert part in words


def test_the_engine_is_looked_at_while_it_plays() -> None:
    """If every look reports, some games are seen while they are played."""
    from agents.registry import agent_named
    from balance.cards.card_contest import play_pairs

    reports: list[LongGame] = []
    agents = [agent_named("rollout:20"), agent_named("rollout:20")]
    end_s = time.monotonic() + 60
    with reporting_long_games(reports.append, long_s=0.0004, again_s=0.0):
        while not reports and time.monotonic() < end_s:
            play_pairs([(0, 1)], RUSH_KEEP.table, RUSH_KEEP.deck_rows, agents, n_games=40, stream=3)
    assert reports
    assert reports[0].agents == ("rollout:20", "rollout:20")
    assert reports[0].game_index in range(20)
