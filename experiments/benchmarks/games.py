"""Whole games of scripted agents, played inside the engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from balance.card_contest import CardContest
from experiments.benchmarks.duel import play_duel
from experiments.benchmarks.task import Against, Task

GAMES = 200_000
WARM_GAMES = 1_000
REFERENCE = "reference"  # of the task that plays the same games by the plain reference
BARE = "engine_bare"
COUNTED = "engine_with_card_counts"


def game_tasks(contest: CardContest) -> list[Task]:
    """One thread with and without card counts, and two."""

    def games(threads: int = 1, keep: Sequence[str] = ()) -> Callable[[], None]:
        return lambda: play_duel(contest, GAMES, threads=threads, keep=keep)

    play_duel(contest, WARM_GAMES, keep=["cards"])
    one_thread = Against(COUNTED, "CPU time of one thread", of_time=True)
    return [
        Task(COUNTED, "games", GAMES, games(keep=["cards"]), Against(REFERENCE, "plain reference")),
        Task(BARE, "games", GAMES, games()),
        Task("two_threads", "games", GAMES, games(threads=2, keep=["cards"]), one_thread),
    ]
