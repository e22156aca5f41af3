"""Messages of the protocol: what is written is read again, and anything else is refused."""

from __future__ import annotations

import io
import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.errors import InputError
from sim.simulator.block import Played
from sim.simulator.chunks import Chunk, Piece, Queue
from sim.simulator.game_results import GameResults, results_of
from sim.simulator.protocol import (
    HELLO_REQUEST,
    Answer,
    Hello,
    PlayRequest,
    play_request,
    read_message,
)
from sim.simulator.serving import serve
from tests.simulator.blocks import Skirmish, block_of, plain, results
from tests.simulator.skirmish import HELLO, NUMBERS

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)


@st.composite
def played_games(draw: st.DrawFn) -> Played:
    """Draw results of some games of three seats."""
    n_games = draw(st.integers(0, 6))

    def column(values: Any, dtype: Any) -> Any:
        drawn = draw(st.lists(values, min_size=n_games, max_size=n_games))
        return np.array(drawn, dtype=dtype)

    points = st.lists(st.floats(0, 1e300), min_size=3, max_size=3)
    return Played(
        column(st.integers(-1, 2), np.int8),
        column(st.integers(0, 2**31 - 1), np.int32) if draw(st.booleans()) else None,
        column(points, float).reshape(n_games, 3) if draw(st.booleans()) else None,
    )


@given(played_games())
def test_results_are_read_as_they_were_written(played):
    line = json.dumps(results_of(played)).encode()
    again = read_message(GameResults, line).played(len(played.winners), 3)
    assert plain(again) == plain(played)
    for one, other in zip(again[:3], played[:3], strict=True):
        assert (one is None) == (other is None)
        assert one is None or one.dtype == other.dtype


def test_reasons_are_read_as_they_were_written():
    played = Played(np.empty(0, dtype=np.int8), infeasible="too strong")
    line = json.dumps(results_of(played)).encode()
    assert plain(read_message(GameResults, line).played(5, 2)) == plain(played)


@pytest.mark.parametrize("kind", [Hello, Answer, PlayRequest, GameResults])
@given(line=st.binary(max_size=30) | json_values.map(lambda value: json.dumps(value).encode()))
def test_any_other_line_is_refused(kind, line):
    with pytest.raises(InputError):
        read_message(kind, line)


@settings(max_examples=300)
@given(st.data())
def test_a_hello_with_one_wrong_value_is_refused_or_read(data):
    """No value of any key ends in another exception than the one for bad input."""
    hello = json.loads(json.dumps(HELLO))
    target = data.draw(st.sampled_from([hello, *hello["parameters"].values()]))
    target[data.draw(st.sampled_from([*target, "better", "step", "choices"]))] = data.draw(
        json_values
    )
    try:
        read = read_message(Hello, json.dumps(hello).encode())
    except InputError:
        return
    assert read.players


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"evenhand": 2}, "evenhand"),
        ({"seats": 1}, "seats"),
        ({"seats": 11}, "seats"),
        ({"players": []}, "players"),
        ({"players": ["rush", "rush"]}, "players"),
        ({"can": ["fly"]}, "can"),
        ({"parameters": {"rush.power": {"value": 5, "players": ["rook"]}}}, "parameters"),
        ({"parameters": {"rush.power": {"value": 0.5, "high": 1.0}}}, "parameters"),
        ({"speed": 3}, ""),
    ],
)
def test_faults_of_a_hello_name_the_key(changes, place):
    with pytest.raises(InputError) as raised:
        read_message(Hello, json.dumps(HELLO | changes).encode())
    assert raised.value.place.startswith(place)


def test_a_simulator_is_served():
    blocks = [block_of(5), block_of(3, rush_power=0), block_of(0)]
    requests = [HELLO_REQUEST, play_request(4, blocks, NUMBERS)]
    answers = io.BytesIO()
    serve(Skirmish(), Hello.model_validate(HELLO), requests, answers)
    first, second = answers.getvalue().splitlines()
    assert read_message(Hello, first) == Hello.model_validate(HELLO)
    answer = read_message(Answer, second)
    assert answer.id == 4
    assert answer.results is not None
    served = [
        plain(result.played(block.n_games, 2))
        for block, result in zip(blocks, answer.results, strict=True)
    ]
    assert served == results(Skirmish(), blocks)


@pytest.mark.parametrize("line", [b"\xff", b"[]", b'{"do": "sing"}', b'{"do": "hello"}'])
def test_wrong_requests_to_a_served_simulator_name_their_line(line):
    with pytest.raises(InputError) as raised:
        serve(Skirmish(), Hello.model_validate(HELLO), [HELLO_REQUEST, line], io.BytesIO())
    assert raised.value.place.startswith("request 2")


sizes = st.lists(st.integers(0, 30), max_size=8)


@given(sizes, st.integers(1, 12), st.integers(1, 4), st.integers(2, 9))
def test_every_game_is_taken_once(n_games, chunk, rows_max, n_parts):
    """Every second chunk fails once and is divided."""
    blocks = [block_of(size) for size in n_games]
    queue = Queue(blocks, rows_max)
    seen = []
    failed = set()
    while (taken := queue.take(chunk)) is not None:
        assert taken.n_games <= chunk
        assert len(taken.pieces) <= rows_max
        games = [(p.block, game) for p in taken.pieces for game in range(p.start, p.stop)]
        if len(games) > 1 and len(failed) % 2 == 0 and games[0] not in failed:
            failed.add(games[0])
            queue.put_back(taken.divided(n_parts))
        else:
            seen += games
    assert queue.n_games == 0
    assert sorted(seen) == [(b, game) for b, size in enumerate(n_games) for game in range(size)]


@given(sizes.filter(any), st.integers(1, 9))
def test_a_divided_chunk_has_the_same_games(n_games, n_parts):
    pieces = tuple(Piece(block, 5, 5 + size) for block, size in enumerate(n_games) if size)
    parts = Chunk(pieces, n_failures=2).divided(n_parts)
    assert len(parts) <= n_parts
    assert max(part.n_games for part in parts) == -(-sum(n_games) // n_parts)
    assert sum(part.n_games for part in parts) == sum(n_games)
    assert {part.n_failures for part in parts} == {0}


def test_dropped_blocks_are_not_taken():
    queue = Queue([block_of(10), block_of(10), block_of(3)], 5)
    first = queue.take(4)
    assert first is not None
    queue.put_back([first])
    queue.drop(0)
    queue.drop(2)
    taken = queue.take(100)
    assert taken is not None
    assert taken.pieces == (Piece(1, 0, 10),)
    assert queue.take(100) is None
    assert queue.n_games == 0
