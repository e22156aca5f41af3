"""`evenhand bench`: rates and ratios, each pair measured in turn within this process."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from balance.contest import Contest
from experiments.console import Screen
from experiments.experiment import load_experiment
from sim.batch import Batch, play
from sim.seeds import stream_seed

REPEATS = 7
GAMES = 200_000
REFERENCE_GAMES = 400


def run_bench(screen: Screen) -> dict[str, Any]:
    """Measure the engine, the plain reference (in a checkout) and threads; CPU time, medians."""
    contest = load_experiment("quickstart").contest()
    aggro, control = 0, 1

    def play_games(n_games: int, threads: int, keep: Sequence[str]) -> None:
        batch = Batch(
            decks=contest.deck_rows,
            variant=np.zeros(2, dtype=np.int64),
            seats=np.array([[aggro, control], [control, aggro]]),
            n_games=np.full(2, n_games // 2),
            first_game=np.zeros(2, dtype=np.int64),
            stream=stream_seed(0, "bench"),
        )
        play(batch, contest.table, contest.agents, threads=threads, keep=keep)

    play_games(1000, 1, ("cards",))
    cards_s, bare_s, two_threads_s, reference_s = _in_turn(
        lambda: play_games(GAMES, 1, ("cards",)),
        lambda: play_games(GAMES, 1, ()),
        lambda: play_games(GAMES, 2, ("cards",)),
        _reference_games(contest),
    )
    summary: dict[str, Any] = {
        "engine_with_card_counts": _entry(GAMES, cards_s, reference_s, "plain reference"),
        "engine_bare": _entry(GAMES, bare_s, None, ""),
        "two_threads": {
            "per_s": GAMES / two_threads_s,
            "ratio": two_threads_s / cards_s,
            "against": "CPU time of one thread",
        },
    }
    if reference_s:
        summary["reference"] = _entry(REFERENCE_GAMES, reference_s, None, "")
    screen.table(
        f"ember_rush (aggro) vs tide_keep (control), both seatings; CPU time, median of {REPEATS}",
        ("what", "games per CPU-second", "ratio", "against"),
        [
            (
                name,
                f"{entry['per_s']:,.0f}",
                "" if entry["ratio"] is None else f"{entry['ratio']:.2f}",
                entry["against"],
            )
            for name, entry in summary.items()
        ],
    )
    return summary


def _in_turn(*tasks: Callable[[], None] | None) -> list[float]:
    """Median CPU seconds of each task, all tasks once per round; 0 for a missing one."""
    taken: list[list[float]] = [[] for _ in tasks]
    for _ in range(REPEATS):
        for task, times in zip(tasks, taken, strict=True):
            if task is not None:
                began_s = time.process_time()
                task()
                times.append(time.process_time() - began_s)
    return [median(times) if times else 0.0 for times in taken]


def _entry(n_games: int, taken_s: float, other_s: float | None, against: str) -> dict[str, Any]:
    """A rate, and how many times as fast as `REFERENCE_GAMES` in `other_s`."""
    rate = n_games / taken_s
    ratio = rate / (REFERENCE_GAMES / other_s) if other_s else None
    return {"per_s": rate, "ratio": ratio, "against": against if other_s else ""}


def _reference_games(contest: Contest) -> Callable[[], None] | None:
    """The same games by the plain reference, where the tests are at hand."""
    root = Path(__file__).parent.parent
    if not (root / "tests" / "reference_duel.py").exists():
        return None
    sys.path.insert(0, str(root))
    from tests.duels import reference_singly  # noqa: PLC0415

    def play_reference() -> None:
        for seats in ([0, 1], [1, 0]):
            names = [contest.players[seat].agent.name for seat in seats]
            decks = contest.deck_rows[seats]
            n_games = REFERENCE_GAMES // 2
            reference_singly(contest.table, decks, names, n_games, run_seed=0, purpose="bench")

    return play_reference
