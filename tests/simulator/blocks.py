"""Blocks of the skirmish for tests, and simulators that play them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from sim.seeds import numbers_of, stream_seed
from sim.simulator.block import DRAWN, Block, Played
from sim.simulator.program import ProgramSimulator
from sim.simulator.simulator import Simulator
from tests.simulator.skirmish import NUMBERS, REASON, play

SKIRMISH = Path(__file__).with_name("skirmish.py")


def seeds_of(n_games: int, first: int = 0) -> Any:
    """Return the seeds of some games."""
    return numbers_of(stream_seed(1, "test"), np.arange(first, first + n_games))


def block_of(
    n_games: int, players: tuple[str, ...] = ("rush", "keep"), first: int = 0, **changes: Any
) -> Block:
    """Return games of the skirmish; changes are written with `_` in place of the dot."""
    numbers = {name.replace("_", "."): value for name, value in changes.items()}
    return Block(NUMBERS | numbers, players, seeds_of(n_games, first))


def program(*words: str, nothing_left_of: str = "", **how: Any) -> ProgramSimulator:
    """Return the skirmish as a program, with options such as `--fault`.

    Its processes have `nothing_left_of` in their command.
    """
    how = {"timeout_s": 10.0, "start_timeout_s": 10.0} | how
    if nothing_left_of:
        words = (*words, "--mark", nothing_left_of)
    return ProgramSimulator([sys.executable, str(SKIRMISH), *words], SKIRMISH.parent, **how)


class Skirmish(Simulator):
    """The skirmish in this process, which counts the games that it plays."""

    def __init__(self) -> None:
        self.n_played = 0

    @property
    def identity(self) -> str:
        return "skirmish"

    @property
    def n_seats(self) -> int:
        return 2

    def play(self, blocks: Sequence[Block]) -> Iterator[tuple[int, Played]]:
        for position, block in enumerate(blocks):
            if block.numbers["rush.power"] == 0:
                yield position, Played(np.empty(0, dtype=np.int8), infeasible=REASON)
                continue
            self.n_played += block.n_games
            games = [
                play(dict(block.numbers), list(block.players), seed, list(block.without))
                for seed in block.seeds.tolist()
            ]
            winners = [DRAWN if winner == "d" else int(winner) for winner, _, _ in games]
            yield (
                position,
                Played(
                    np.array(winners, dtype=np.int8),
                    np.array([turns for _, turns, _ in games], dtype=np.int32),
                    np.array([points for _, _, points in games], dtype=float).reshape(-1, 2),
                ),
            )


def results(simulator: Simulator, blocks: Sequence[Block]) -> list[list[Any]]:
    """Return the results of every block as plain lists, in the order of the blocks."""
    played = dict(simulator.play(blocks))
    return [plain(played[position]) for position in range(len(blocks))]


def plain(played: Played) -> list[Any]:
    """Return results as plain lists, which can be compared."""
    return [value.tolist() if isinstance(value, np.ndarray) else value for value in played]
