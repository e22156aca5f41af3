"""Cost of playing games by a program: processor time beyond that of the games themselves.

The program burns a given processor time for each game. The cost is the time of this process and of
the program, without its start, divided by the time of the games. It includes the JSON of the
program.

    python -m experiments.benchmarks.simulator
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

import numpy as np

from experiments.benchmarks.script import load_words, run_script
from sim.seeds import numbers_of, stream_seed
from sim.simulator.block import Block
from sim.simulator.kept_games import KeptGames
from sim.simulator.program import ProgramSimulator
from sim.simulator.simulator import Simulator

# Seconds of processor time of a game, and the number of games: about two seconds of games each.
GAMES = {1e-3: 2_000, 20e-6: 100_000}

# Blocks into which the games are divided, as many as a small generation of candidates has.
N_BLOCKS = 20

PROGRAM = """
import json, sys, time
game_s = float(sys.argv[1])
hello = {"evenhand": 1, "game": "busy", "players": ["a", "b"], "can": ["turns"],
         "parameters": {"a.x": {"value": 0, "high": 30}}}
for line in sys.stdin:
    request = json.loads(line)
    answer = hello
    if request["do"] == "play":
        results = []
        for row in request["rows"]:
            winners = []
            for seed in row["seeds"]:
                until = time.thread_time() + game_s
                winners.append("01"[int(seed, 16) & 1])
                while time.thread_time() < until:
                    pass
            results.append({"winners": "".join(winners), "turns": [12] * len(winners)})
        answer = {"id": request["id"], "results": results}
    print(json.dumps(answer), flush=True)
"""
"""Program with games that take a given processor time."""


def main() -> None:
    """Print the cost for each length of a game, without and with kept games."""
    for game_s, n_games in GAMES.items():
        for is_kept in (False, True):
            start_s = _processor_s(game_s, N_BLOCKS, is_kept=is_kept)
            used_s = _processor_s(game_s, n_games, is_kept=is_kept) - start_s
            cost = used_s / (game_s * (n_games - N_BLOCKS)) - 1
            what = "kept" if is_kept else "played"
            print(f"{1e6 * game_s:,.0f} us a game, {what}: {100 * cost:.1f} % more ({n_games:,})")
    print(load_words())


def _processor_s(game_s: float, n_games: int, *, is_kept: bool) -> float:
    """Return the processor time of this process and of the program for some games, in seconds.

    Args:
        game_s: processor time of a game in seconds.
        n_games: number of games.
        is_kept: whether the games are kept on the disk.
    """
    own_s = time.process_time()
    children_s = _children_s()
    seeds = numbers_of(stream_seed(1, "bench"), np.arange(n_games))
    blocks = [
        Block({"a.x": number}, ("a", "b"), part)
        for number, part in enumerate(np.split(seeds, N_BLOCKS))
    ]
    command = [sys.executable, "-c", PROGRAM, str(game_s)]
    with tempfile.TemporaryDirectory() as folder:
        simulator: Simulator = ProgramSimulator(command, Path(folder))
        if is_kept:
            simulator = KeptGames(simulator, Path(folder))
        with closing(simulator):
            for _ in simulator.play(blocks):
                pass
    return time.process_time() - own_s + _children_s() - children_s


def _children_s() -> float:
    """Return the processor time of all ended children of this process, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    run_script(main)
