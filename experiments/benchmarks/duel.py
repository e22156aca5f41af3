"""What a task is, and the duel that is measured: an aggressive deck against a controlling one."""

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
    """What a task is compared with: another task, measured in turn with it.

    Attributes:
        task: its name.
        label: how reports call it.
        of_time: whether the ratio is that of the times for the same work, not of the rates.
    """

    task: str
    label: str
    of_time: bool = False


@dataclass(frozen=True)
class Published:
    """What a task is compared with: a figure that somebody measured elsewhere.

    Attributes:
        per_s: the rate.
        label: how reports call it.
    """

    per_s: float
    label: str


@dataclass(frozen=True)
class Task:
    """The same work every time it is run.

    Attributes:
        name: the row of the report.
        unit: what is counted: `games`, `steps`, ...
        amount: how many of them one run does.
        run: does them; everything that is not to be measured has been done before.
        against: what it is compared with; left out of the report where that is not measured.
    """

    name: str
    unit: str
    amount: int
    run: Callable[[], None]
    against: Against | Published | None = None


AGGRO = 0
CONTROL = 1  # the players that are measured
PURPOSE = "bench"
TITLE = "ember_rush (aggro) vs tide_keep (control)"
GAMES = 200_000
WARM_GAMES = 1_000
SEARCHED_GAMES = 60
LIGHT = "light"
LIGHT_GAMES = 2_000  # about half a second, as long as the other tasks take
WORLDS = 50  # that it imagines for each action
REFERENCE = "reference"  # of the task that plays the same games by the plain reference
BARE = "engine_bare"
COUNTED = "engine_with_card_counts"


def load_duel() -> CardContest:
    """The players and their cards."""
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
        n_games: in both seatings together.
        agents: ``[D]`` who pilots each player's deck; default its own agent.
        threads: as for `sim.play.batch.play`.
        keep: likewise.
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
    """Play so many games in each of some seatings, a pair of players each; else as `play_duel`."""
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
    """One thread with and without card counts, and two; and games of agents that search."""

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
