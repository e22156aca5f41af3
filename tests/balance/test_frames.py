from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from balance import measure_power, play_matchups
from balance.cards.narrowing import (
    measure_levers,
    narrow,
    power_intervals,
    random_scores,
    scores_of,
)
from balance.result.frame import read_frame
from balance.run.frames import (
    card_frame,
    deck_frame,
    lever_frame,
    matchup_frame,
    narrowing_frame,
    power_frame,
)
from balance.run.result_tables import (
    CARD_COLUMNS,
    LEVER_COLUMNS,
    MatchupRow,
    NarrowingRow,
    PowerRow,
    card_rows,
    lever_rows,
    matchup_rows,
    narrowing_rows,
    power_rows,
)
from sim import Pool
from sim.files.row_file import Kind, Row, cells, columns
from tests.balance.contests import THREE, body, own_contest, space_of
from tests.messages import check_message
from tests.refusals import refusal_of


@pytest.fixture(scope="module")
def counts():
    return play_matchups(
        THREE, THREE.table, n_games=40, run_seed=1, purpose="test", keep_cards=True
    )


@pytest.fixture(scope="module")
def powers():
    return measure_power(THREE, n_games=40, run_seed=1)


def holds(frame: pd.DataFrame, kind: Kind[Row], rows: list[Row]) -> bool:
    values = [cells(row) for row in rows]
    return list(frame.columns) == columns(kind) and frame.to_numpy().tolist() == values


def test_frames_hold_the_rows_of_the_files(counts, powers):
    assert holds(matchup_frame(THREE, counts), MatchupRow, matchup_rows(THREE, counts))
    assert holds(card_frame(THREE, counts), CARD_COLUMNS, card_rows(THREE, counts))
    assert holds(power_frame(THREE, powers), PowerRow, power_rows(THREE, powers))


def test_every_estimate_comes_with_its_interval_and_sample_size(counts, powers):
    for frame, names in (
        (matchup_frame(THREE, counts), ["low", "win_rate_a", "high", "n"]),
        (card_frame(THREE, counts), ["drawn_low", "win_rate_when_drawn", "drawn_high", "n_games"]),
        (power_frame(THREE, powers), ["low_pp", "power_pp", "high_pp", "n"]),
    ):
        known = frame[names].dropna().to_numpy()
        assert len(known) > 0
        assert (np.diff(known[:, :3]) >= 0).all()
        assert (known[:, 3] > 0).all()


def test_a_deck_lists_its_cards_by_cost(powers):
    deck = THREE.players[0].deck
    pool = THREE.table.pool
    frame = deck_frame(deck, pool)
    assert dict(zip(frame["card"], frame["copies"], strict=True)) == deck.cards
    assert frame["cost"].is_monotonic_increasing
    whelp = frame.set_index("card").loc["ember_whelp", ["keywords", "attack"]]
    assert whelp.tolist() == ["haste", pool.card("ember_whelp").attack]
    refusal_of(deck_frame, deck, Pool(name="core", cards=(body("other", 1, 1, 1),)))


def test_levers_have_a_row_for_every_number_and_matchup():
    cards = [body("strong", 1, 3, 3), body("weak", 1, 1, 1)]
    contest = own_contest(cards, [{"strong": 10, "weak": 5}, {"weak": 15}])
    space = space_of(contest, fields=("attack",), max_steps=1)
    levers = measure_levers(contest, space, n_games=400, run_seed=1)
    frame = lever_frame(contest, space, levers)
    assert holds(frame, LEVER_COLUMNS, lever_rows(contest, space, levers))
    rows = frame[["card", "matchup", "today", "n"]].to_numpy().tolist()
    assert rows == [["strong", "a vs b", 3, 400], ["weak", "a vs b", 1, 400]]
    np.testing.assert_allclose(frame["pp_per_step"], 100 * levers.slope.estimate.ravel())
    assert frame["pp_per_step"].between(frame["low_pp"], frame["high_pp"]).all()


def test_narrowing_frames_hold_scores_and_kept_cards(powers):
    space = space_of(THREE)
    intervals = power_intervals(powers)
    kept = narrow(
        THREE, space, scores_of(intervals), by="power", keep=2, intervals=intervals, n_games=40
    )
    frame = narrowing_frame(THREE, kept, n_games=40)
    assert holds(frame.drop(columns="n"), NarrowingRow, narrowing_rows(THREE, kept))
    assert list(frame.columns[4:6]) == ["high_pp", "n"]
    assert frame["estimate_pp"].abs().is_monotonic_decreasing
    assert frame["kept"].sum() == len(kept.kept)
    assert "n" not in narrowing_frame(THREE, kept)
    drawn = narrow(THREE, space, random_scores(space, 1), by="random", keep=2)
    assert narrowing_frame(THREE, drawn)["estimate_pp"].isna().all()  # as nothing was measured


def test_tables_read_as_text_become_numbers_again():
    header = ["name", "n", "low", "holds", "why"]
    rows = [["a, b", "3", "0.25", "True", ""], ['c "d"', "4", "-1e-05", "False", ""]]
    *columns, why = (column for _, column in read_frame([header, *rows]).items())
    assert [column.tolist() for column in columns] == [
        ["a, b", 'c "d"'], [3, 4], [0.25, -1e-05], [True, False],
    ]  # fmt: skip
    assert why.isna().all()


def test_a_contest_shows_its_players():
    title, header, *rows = THREE._repr_mimebundle_()["text/plain"].split("\n")
    check_message(title)
    assert header.split() == ["player", "deck", "agent", "cards"]
    assert rows[1].split() == ["tide_keep", "tide_keep", "control", "30"]
    assert len(rows) == 3
