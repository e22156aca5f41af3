"""Tasks of `evenhand bench`, and the measured duel of an aggressive and a controlling deck."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from agents import agent_named
from balance.card_contest import CardContest
from experiments.loading import load_experiment
from sim.play import Agent, Batch, play
from sim.seeds import stream_seed


@dataclass(frozen=True)
class Against:
    """Comparison of a task with another task, measured in turn with it.

    Attributes:
        task: name of the other task.
        label: name of the comparison in reports.
        of_time: whether the ratio is that of the times for the same work, not of the rates.
    """

    task: str
    label: str
    of_time: bool = False


@dataclass(frozen=True)
class Published:
    """Comparison of a task with a rate that was measured on another project.

    Attributes:
        per_s: the rate, per CPU-second.
        label: name of the comparison in reports.
    """

    per_s: float
    label: str


@dataclass(frozen=True)
class Task:
    """Piece of work that is the same every time it is run.

    Attributes:
        name: name of the row in the report.
        unit: what is counted, such as `games` or `steps`.
        amount: number of units that one run does.
        run: function that does them; all preparation has been done before.
        against: the comparison; omitted from the report if it cannot be measured.
    """

    name: str
    unit: str
    amount: int
    run: Callable[[], None]
    against: Against | Published | None = None


# Players of the measured contest, by index.
AGGRO = 0
CONTROL = 1
PURPOSE = "bench"
TITLE = "ember_rush (aggro) vs tide_keep (control)"
# The amounts of all tasks take about half a second each.
GAMES = 200_000
WARM_GAMES = 1_000  # enough to compile everything and to fill the caches
SEARCHED_GAMES = 60
LIGHT = "light"
LIGHT_GAMES = 2_000
WORLDS = 50  # games that the rollout agent imagines for each action
REFERENCE = "reference"  # task that plays the same games by the plain reference engine
BARE = "engine_bare"
COUNTED = "engine_with_card_counts"


def load_duel() -> CardContest:
    """Return the measured contest."""
    return load_experiment("quickstart_scripts").contest()


def play_duel(
    contest: CardContest,
    n_games: int,
    *,
    agents: Sequence[Agent] | None = None,
    threads: int = 1,
    keep: Sequence[str] = (),
) -> None:
    """Play half of the games in each seating.

    Args:
        contest: the players.
        n_games: number of games, both seatings together.
        agents: pilots of the players' decks, ``D`` of them; default: their own agents.
        threads: number of threads.
        keep: results to keep for every game; see `sim.play.batch.play`.
    """
    seats = [(AGGRO, CONTROL), (CONTROL, AGGRO)]
    play_seatings(contest, seats, n_games // 2, agents=agents, threads=threads, keep=keep)


def play_seatings(
    contest: CardContest,
    seats: Sequence[tuple[int, int]],
    n_games: int,
    *,
    agents: Sequence[Agent] | None = None,
    threads: int = 1,
    keep: Sequence[str] = (),
) -> None:
    """Play games in each of some seatings.

    Args:
        contest: the players.
        seats: pairs of players, by index: first seat, second seat.
        n_games: number of games per seating.
        agents: pilots of the players' decks, ``D`` of them; default: their own agents.
        threads: number of threads.
        keep: results to keep for every game; see `sim.play.batch.play`.
    """
    batch = Batch(
        decks=contest.deck_rows,
        variant=np.zeros(len(seats), dtype=np.int64),
        seats=np.array(seats),
        n_games=np.full(len(seats), n_games),
        first_game=np.zeros(len(seats), dtype=np.int64),
        stream=stream_seed(0, PURPOSE),
    )
    play(batch, contest.table, agents or contest.agents, threads=threads, keep=keep)


def game_tasks(contest: CardContest) -> list[Task]:
    """Return the tasks that play games: with one and two threads, and with searching agents."""

    def games(threads: int = 1, keep: Sequence[str] = ()) -> Callable[[], None]:
        return lambda: play_duel(contest, GAMES, threads=threads, keep=keep)

    searching: list[Agent] = list(contest.agents)
    searching[CONTROL] = agent_named(f"rollout:{WORLDS}:{contest.players[AGGRO].agent.name}")
    play_duel(contest, WARM_GAMES, keep=["cards"])
    play_duel(contest, 2, agents=searching)
    light: list[Agent] = [agent_named(LIGHT)] * len(contest.players)
    play_duel(contest, 2, agents=light)
    one_thread = Against(COUNTED, "CPU time of one thread", of_time=True)
    return [
        Task(COUNTED, "games", GAMES, games(keep=["cards"]), Against(REFERENCE, "plain reference")),
        Task(BARE, "games", GAMES, games()),
        Task("two_threads", "games", GAMES, games(threads=2, keep=["cards"]), one_thread),
        Task(
            f"games_of_rollout_{WORLDS}",
            "games",
            SEARCHED_GAMES,
            lambda: play_duel(contest, SEARCHED_GAMES, agents=searching),
        ),
        Task(
            f"games_of_{LIGHT}",
            "games",
            LIGHT_GAMES,
            lambda: play_duel(contest, LIGHT_GAMES, agents=light),
        ),
    ]
