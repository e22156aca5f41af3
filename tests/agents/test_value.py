"""The learned value: equal in torch and in compiled code, for every variant, and fair."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents import agent_named
from agents.conformance.games import exchange_hidden, games_of, positions
from agents.reading.card_inputs import row_inputs
from agents.reading.columns import Columns
from agents.reading.network_file import load_network, network_bytes, shipped_pair
from agents.reading.position import (
    CARDS_MAX,
    N_CARDS,
    N_ZONES,
    ROW_SIZE,
    ZONE_STRIDE,
    gather_row,
)
from agents.reading.seated_network import SeatedNetwork, seated_network
from agents.search.turn.features import WON
from agents.search.turn.second_look import CERTAIN, chance_of
from agents.search.value.evaluate import SCRATCH_SIZE, value_rows
from agents.search.value.recording import GAME, RESULT, SEAT
from agents.search.value.value_network import ValueNetwork
from balance.learning.random_games import N_DECKS, record_random_games, varied_table
from sim import InputError, generator, load_pool, load_ruleset
from sim.engine import layout as at
from sim.engine.compiled import compiled, i64
from sim.play.table import Gene, Table, pack_table
from sim.play.workers.current import using_threads

POINTS = 1_000
Words16 = np.ndarray


@cache
def table_of(source: str) -> Table:
    pool = {"duel": "core", "saga": "saga"}[source]
    return pack_table(load_pool(pool), load_ruleset({"duel": "duel"}.get(source, "legacy")))


@cache
def recorded(source: str, number: int = 0):
    return record_random_games(table_of(source), agent_named("greedy"), 40, 1, number)


def values_of(value: SeatedNetwork, words: Words16, rows: Words16) -> np.ndarray:
    values = np.zeros(len(rows), dtype=np.int64)
    sums = np.zeros(SCRATCH_SIZE, dtype=np.float32)
    value_rows(np.ascontiguousarray(rows).ravel(), value.header, words, sums, POINTS, values)
    return values


@pytest.mark.parametrize("source", ["duel", "saga"])
def test_compiled_code_and_torch_agree(source: str) -> None:
    torch = pytest.importorskip("torch")
    from agents.reading.card_module import TableInputs
    from agents.search.value.value_module import ValueModule

    games = recorded(source)
    columns = Columns.of_tables([games.words])
    torch.manual_seed(3)
    module = ValueModule(columns, games.rows[:, :N_CARDS].astype(np.float32), drop=0.5).eval()
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.1)
        logits = module(torch.from_numpy(games.rows), TableInputs(columns, games.words)).numpy()
    network = module.exported()
    values = values_of(seated_network(network, games.words[np.newaxis]), games.words, games.rows)
    assert np.ptp(logits) > 0.5
    # Weights of the first layer are rounded to a fraction of 2^-12, values to whole points.
    np.testing.assert_allclose(values / POINTS, logits, atol=0.05)


def test_an_edited_card_has_another_value_and_others_have_not() -> None:
    table = table_of("saga")
    edited = next(k for k, card in enumerate(table.pool.cards) if card.kind == "minion")
    genes = [Gene(edited, "attack"), Gene(edited, "cost")]
    both = table.vary(genes, np.array([[0, 0], [2, 1], [1, 0]]))
    network = shipped_pair(ValueNetwork)[1]
    together = seated_network(network, both.words)
    rows = recorded("saga").rows
    listed = rows[:, N_CARDS + 1 :] % ZONE_STRIDE
    holds = ((listed == edited) & (np.arange(CARDS_MAX) < rows[:, [N_CARDS]])).any(axis=1)
    assert 0 < holds.sum() < len(holds)
    first = values_of(together, both.words[0], rows)
    for variant in (1, 2):
        values = values_of(together, both.words[variant], rows)
        alone = replace(both, words=both.words[[variant]])
        np.testing.assert_array_equal(
            values, values_of(seated_network(network, alone.words), alone.words[0], rows)
        )
        np.testing.assert_array_equal(values[~holds], first[~holds])
        assert (values[holds] != first[holds]).mean() > 0.5


@pytest.mark.parametrize("source", ["duel", "saga"])
def test_hidden_cards_change_no_input(source: str) -> None:
    games = games_of(source)
    rng = np.random.default_rng(2)
    for position in positions(agent_named("greedy"), games, 4):
        seat = int(position.state[at.ACTIVE])
        rows = []
        for state in (position.state, exchange_hidden(position.state, games.numbers, rng)):
            row = np.zeros(ROW_SIZE, dtype=np.int16)
            gather_row(state, games.numbers, seat, row)
            n_listed = int(row[N_CARDS])
            rows.append((row[: N_CARDS + 1].tolist(), sorted(row[N_CARDS + 1 :][:n_listed])))
        assert rows[0] == rows[1]


def test_rows_name_cards_of_the_table() -> None:
    for source in ("duel", "saga"):
        games = recorded(source)
        n_cards = len(
            seated_network(shipped_pair(ValueNetwork)[1], table_of(source).words).blocks[2][0]
        )
        for row in games.rows[:200]:
            listed = row[N_CARDS + 1 :][: row[N_CARDS]]
            assert (listed % ZONE_STRIDE < n_cards).all()
            assert (listed // ZONE_STRIDE < N_ZONES).all()


def test_recordings_do_not_depend_on_threads() -> None:
    games = []
    for n_threads in (1, 3):
        with using_threads(n_threads):
            games.append(record_random_games(table_of("duel"), agent_named("greedy"), 120, 5, 1))
    np.testing.assert_array_equal(games[0].rows, games[1].rows)
    np.testing.assert_array_equal(games[0].about, games[1].about)
    assert set(games[0].about[:, SEAT]) == {0, 1}
    assert set(games[0].about[:, RESULT]) <= {0, 1, at.DRAWN}
    assert games[0].about[:, GAME].max() == 119


def test_varied_numbers_are_permitted() -> None:
    table = table_of("saga")
    varied = varied_table(table, generator(1, "test"))
    assert (varied.words != table.words).any()
    for owner, card in enumerate(table.pool.cards):
        low, high = table.ruleset.limits.of("cost")
        cost = varied.words[0, at.CARDS + at.CARD_SIZE * owner + at.CARD_COST]
        assert low <= cost <= high, card.id


def test_a_lambda_return_mixes_predictions_and_the_result() -> None:
    pytest.importorskip("torch")
    from agents.search.value.training import lambda_returns

    about = np.array([[0, 0, 1], [0, 1, 1], [0, 0, 1], [0, 1, 1], [1, 0, at.DRAWN]])
    predicted = np.array([0.1, 0.2, 0.3, 0.4, 0.5], dtype=np.float32)
    returns = lambda_returns(about, predicted, 0.8)
    # Seat 0 lost game 0: 0.2 of the prediction 0.3, and 0.8 of the result 0.
    np.testing.assert_allclose(returns, [0.06, 0.88, 0.0, 1.0, 0.5], atol=1e-6)


def test_a_file_of_a_value_is_read_again_or_refused(tmp_path: Path) -> None:
    network = shipped_pair(ValueNetwork)[0]
    path = tmp_path / "value.npz"
    path.write_bytes(network_bytes(network))
    again = load_network(path, ValueNetwork)
    assert again.columns == network.columns
    np.testing.assert_array_equal(again.weights, network.weights)
    assert len(path.read_bytes()) < 2**20
    path.write_bytes(path.read_bytes()[:1_000])
    with pytest.raises(InputError) as raised:
        load_network(path, ValueNetwork)
    assert raised.value.place == str(path)
    with pytest.raises(ValueError):  # noqa: PT011 (the only check of a new network)
        replace(network, weights=network.weights[:-1])


def test_an_unknown_word_is_left_out() -> None:
    network = shipped_pair(ValueNetwork)[1]
    table = table_of("saga")
    known = Columns(network.columns.card, network.columns.row[1:])
    smaller = ValueNetwork(
        known, network.row_layer[1:], network.card_layer, network.place_layer, network.weights
    )
    cards = [k for k in range(table.n_cards) if row_inputs(table.words[0], k)]
    assert smaller.card_rows(table.words[0], cards).shape == (len(cards), N_ZONES, 32)


@compiled(i64(i64, i64), from_python=True)
def chance(value, points):
    return chance_of(value, points)


@given(value=st.integers(-WON, WON), points=st.integers(100, 5_000))
def test_chances_follow_the_logistic_function(value: int, points: int) -> None:
    exact = CERTAIN * np.tanh(value / (2 * points))
    if abs(value) > WON // 2:
        assert chance(value, points) == CERTAIN * np.sign(value)
    else:
        assert abs(chance(value, points) - exact) < 0.03 * CERTAIN


def test_random_decks_are_legal() -> None:
    from balance.learning.random_games import random_deck_rows

    for source in ("duel", "saga"):
        table = table_of(source)
        rows = random_deck_rows(table.pool, 30, 2, generator(1, "decks"))
        assert rows.shape == (N_DECKS, at.DECK_ROW_SIZE)
        for row in rows:
            cards = row[1 : 1 + row[0]]
            assert row[0] == 30
            assert np.bincount(cards).max() <= 2
            heroes = {table.pool.cards[card].hero for card in cards} - {""}
            assert len(heroes) <= 1
