"""A small game as a program of its own, which can be started with a fault of every kind.

    python skirmish.py [--fault KIND] [--at SEED] [--seconds S]

The fault occurs in the game with the seed, or in the answer to the request that contains it; by
default in every game. The file imports nothing from the packages under test.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

NUMBERS = {"rush.power": 5, "keep.power": 5, "keep.wall": 0.5}
HELLO = {
    "evenhand": 1,
    "game": "skirmish",
    "version": "1.0",
    "players": ["rush", "keep", "swarm"],
    "parameters": {
        "rush.power": {"value": 5, "low": 0, "high": 10, "players": ["rush"]},
        "keep.power": {"value": 5, "low": 0, "high": 10},
        "keep.wall": {"value": 0.5, "low": 0.0, "high": 1.0, "step": 0.1},
    },
    "can": ["turns", "points", "without"],
}
REASON = "rush needs power"
LAST_WORDS = ("first line", "the shield is None")
MASK = 2**64 - 1


def mixed(number: int) -> int:
    """Return the splitmix64 finaliser of a 64-bit number."""
    number = ((number ^ (number >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    number = ((number ^ (number >> 27)) * 0x94D049BB133111EB) & MASK
    return number ^ (number >> 31)


def play(
    numbers: dict[str, Any], players: list[str], seed: int, without: list[str | None]
) -> tuple[str, int, list[float]]:
    """Return the winner, the length and the points of a game: dice, weighted by the numbers."""
    points = []
    for seat, player in enumerate(players):
        strength = numbers.get(f"{player}.power", 4) + numbers.get(f"{player}.wall", 0)
        if without and without[seat] == player:
            strength = 0
        points.append(round(strength + mixed((seed + seat) & MASK) % 7, 6))
    first, second = points
    winner = "d" if first == second else str(int(second > first))
    return winner, 1 + seed % 9, points


def fail(kind: str, seconds: float) -> None:
    """Do what a program with a fault does in the middle of a game."""
    if kind == "hang":
        time.sleep(3600)
    elif kind == "die":
        sys.stderr.write("".join(f"{word}\n\n" for word in LAST_WORDS))
        sys.stderr.flush()
        os.kill(os.getpid(), signal.SIGSEGV)
    elif kind == "exit":
        sys.exit(3)
    elif kind == "close":
        os.close(1)
        time.sleep(3600)
    elif kind == "print":
        sys.stdout.write("debug: rush attacks\n")
        sys.stdout.flush()
    elif kind == "grandchild":
        code = "import time; time.sleep(3600)"
        subprocess.Popen([sys.executable, "-c", code, *sys.argv])
        sys.exit(4)
    elif kind == "flood":
        sys.stderr.write("x" * 300_000 + "\n")
    elif kind in ("slow", "alive"):
        time.sleep(seconds)


def spoilt(kind: str, answer: dict[str, Any]) -> str:
    """Return an answer as a program with a fault prints it."""
    if kind == "id":
        answer["id"] += 1
    elif kind == "short":
        answer["results"][0]["winners"] = answer["results"][0]["winners"][1:]
    elif kind == "rows":
        answer["results"] = answer["results"][1:]
    elif kind == "nan":
        answer["results"][0]["points"][0][0] = float("nan")
    elif kind == "seat":
        answer["results"][0]["winners"] = "7" + answer["results"][0]["winners"][1:]
    elif kind == "turns":
        del answer["results"][0]["turns"]
    elif kind == "long":
        return "x" * 9_000_000
    return json.dumps(answer)


def results_of(row: dict[str, Any], kind: str, at: str, seconds: float) -> dict[str, Any]:
    """Return the results of a row; `rush.power` = 0 cannot be played."""
    numbers = NUMBERS | row["changes"]
    if numbers["rush.power"] == 0:
        return {"infeasible": REASON}
    games = []
    for seed in row["seeds"]:
        if at in {"", seed}:
            fail(kind, seconds)
        games.append(play(numbers, row["players"], int(seed, 16), row.get("without", [])))
    winners, turns, points = zip(*games, strict=True)
    return {"winners": "".join(winners), "turns": turns, "points": points}


def main() -> None:
    """Answer the requests on standard input."""
    options = argparse.ArgumentParser()
    options.add_argument("--fault", default="")
    options.add_argument("--at", default="")
    options.add_argument("--mark", help="folder of a test, which marks its processes")
    options.add_argument("--seconds", type=float, default=0.0)
    given = options.parse_args()
    for line in sys.stdin:
        request = json.loads(line)
        if request["do"] == "hello":
            if given.fault == "once" and not Path(given.mark, "started").exists():
                Path(given.mark, "started").touch()
                os.kill(os.getpid(), signal.SIGKILL)
            if given.fault == "mute":
                time.sleep(3600)
            text = "not JSON" if given.fault == "hello" else json.dumps(HELLO)
        else:
            results = []
            for row in request["rows"]:
                if given.fault in ("slow", "alive"):
                    n_done = len(results) if given.fault == "slow" else 0
                    sys.stdout.write(json.dumps({"id": request["id"], "done": n_done}) + "\n")
                    sys.stdout.flush()
                results.append(results_of(row, given.fault, given.at, given.seconds))
            seeds = [seed for row in request["rows"] for seed in row["seeds"]]
            is_at = not given.at or given.at in seeds
            answer = {"id": request["id"], "results": results}
            text = spoilt(given.fault if is_at else "", answer)
        sys.stdout.write(text + "\n")
        if given.fault != "buffer":
            sys.stdout.flush()


if __name__ == "__main__":
    main()
