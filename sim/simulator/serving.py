"""The other side of the protocol: any simulator answers the requests that a program receives."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, BinaryIO

import numpy as np

from sim.errors import InputError, error_place
from sim.files.json_text import parse_json
from sim.files.validation import validate
from sim.simulator.block import Block
from sim.simulator.game_results import results_of
from sim.simulator.protocol import Hello, HelloRequest, PlayRequest, Row
from sim.simulator.simulator import Simulator


def serve(simulator: Simulator, hello: Hello, requests: Iterable[bytes], answers: BinaryIO) -> None:
    """Answer requests to play games until they end.

    Args:
        simulator: what plays the games.
        hello: description of the game, which answers the first request.
        requests: lines of the requests, usually standard input.
        answers: where the answers are written, usually standard output.

    Raises:
        InputError: a request is invalid; the message names its line.
    """
    for number, line in enumerate(requests, 1):
        with error_place(f"request {number}"):
            answer = _answer(simulator, hello, line)
        answers.write(json.dumps(answer, separators=(",", ":")).encode() + b"\n")
        answers.flush()


def _answer(simulator: Simulator, hello: Hello, line: bytes) -> dict[str, Any]:
    """Return the answer to one request.

    Raises:
        InputError: the request is invalid.
    """
    try:
        data = parse_json(line.decode(), only_numbers=True)
    except UnicodeDecodeError:
        raise InputError("not text in UTF-8") from None
    if isinstance(data, dict) and data.get("do") == "hello":
        validate(HelloRequest, data, source="")
        return hello.model_dump(mode="json", exclude_defaults=True) | {"evenhand": hello.evenhand}
    request = validate(PlayRequest, data, source="")
    numbers = hello.numbers
    blocks = [_block(row, numbers | row.changes) for row in request.rows]
    results: list[dict[str, Any]] = [{} for _ in blocks]
    for position, played in simulator.play(blocks):
        results[position] = results_of(played)
    return {"id": request.id, "results": results}


def _block(row: Row, numbers: dict[str, Any]) -> Block:
    """Return the games of a row, with the value of every parameter."""
    seeds = np.array([int(seed, 16) for seed in row.seeds], dtype=np.uint64)
    return Block(numbers, row.players, seeds, row.without)
