"""Tasks of `evenhand bench`, and the games of two decks that most tasks play."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from agents import agent_named
from balance.cards.card_contest import CardContest
from experiments.loading import load_experiment
from sim.play import Agent, Batch, play
from sim.seeds import stream_seed


@dataclass(frozen=True)
class Against:
    """Comparison of a task with another task; both are measured alternately.

    Attributes:
        task: name of the other task.
        label: name of the comparison in reports.
        of_time: whether to compare the times for the same work instead of the rates.
    """

    task: str
    label: str
    of_time: bool = False


@dataclass(frozen=True)
class Published:
    """Comparison of a task with the rate of another project.

    Attributes:
        per_s: rate of the other project, in units per CPU-second.
        label: name of the comparison in reports.
    """

    per_s: float
    label: str


@dataclass(frozen=True)
class Task:
    """Work to be timed, which is the same in every run.

    Attributes:
        name: name of the row in the report.
        unit: plural noun for the units of work, such as `games` or `steps`.
        amount: number of units in one run.
        run: function that does the work, without any preparation.
        against: comparison in the report, left out if the other task is not measured; `None` if the
            task has no comparison.
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
# The numbers of games were chosen so that each task takes about half a second.
GAMES = 200_000
WARM_GAMES = 1_000  # enough to compile everything and to fill the caches
SEARCHED_GAMES = 60
LIGHT = "light"
LIGHT_GAMES = 2_000
WORLDS = 50  # number of games that the rollout agent imagines for each action
REFERENCE = "reference"  # task that plays the same games by the plain reference engine
BARE = "engine_bare"  # task that plays games and keeps only the results
COUNTED = "engine_with_card_counts"  # task that also keeps counts by card


def load_duel() -> CardContest:
    """Return the contest of the shipped experiment `quickstart_scripts`."""
    return load_experiment("quickstart_scripts").contest()


def play_duel(
    contest: CardContest,
    n_games: int,
    *,
    agents: Sequence[Agent] | None = None,
    threads: int = 1,
    keep: Sequence[str] = (),
) -> None:
    """Play games of the first two players of a contest, half of them in each seating.

    Args:
        contest: cards and players.
        n_games: number of games, both seatings together.
        agents: pilots of the players' decks, ``D`` of them; default: the players' own agents.
        threads: number of threads.
        keep: names of results to keep for every game; see `sim.play.batch.play`.
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
    """Play games in each of the given seatings; all calls use the same seeds.

    Args:
        contest: cards and players.
        seats: index of the player in the first seat and of the player in the second seat, for each
            seating.
        n_games: number of games per seating.
        agents: pilots of the players' decks, ``D`` of them; default: the players' own agents.
        threads: number of threads.
        keep: names of results to keep for every game; see `sim.play.batch.play`.
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
    """Return the tasks that play games with one thread, two threads and searching agents.

    Each kind of games is played once before, so that no task has to compile.

    Args:
        contest: contest of `load_duel`.
    """

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
