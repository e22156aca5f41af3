"""Benchmark tasks that step learning environments with random actions drawn beforehand.

Games depend only on seeds and actions, so a legal sequence of actions stays legal from the same
start. The measured work includes the writing of observations, masks and rewards, and the opponent's
turns with its choices; choosing the learner's actions is not included.
"""

from __future__ import annotations

import numpy as np

from agents.big_two import agent_named
from balance.cards.card_contest import CardContest
from experiments.benchmarks.duel import AGGRO, CONTROL, PURPOSE, Published, Task
from sim.big_two.games import Games, Positions
from sim.big_two.layout import NOBODY
from sim.big_two.observers import BigTwoView, observer_named
from sim.big_two.rules import rules_of
from sim.environments.episodes import Episodes, Lineup
from sim.seeds import generator, numbers_of, stream_seed

STEPS = 1_024_000  # steps of all environments together: about half a second
ENVIRONMENTS = 64  # number of games in parallel, a usual size of a learner's batch
STEPPING = "environment_steps"


def step_task(contest: CardContest) -> Task:
    """Return the task that makes `STEPS` steps in `ENVIRONMENTS` parallel card games."""
    episodes = learners_games(contest, ENVIRONMENTS)
    episodes.reset()
    start = episodes.state_arrays()
    chance = generator(0, f"{PURPOSE}/actions")
    drawn = np.empty((STEPS // ENVIRONMENTS, ENVIRONMENTS), dtype=np.int64)
    for actions in drawn:
        # The legal action with the highest random number is taken, so all are equally likely.
        priorities = np.where(episodes.masks, chance.random(episodes.masks.shape), -1.0)
        actions[:] = priorities.argmax(axis=1)
        episodes.step(actions)

    def run() -> None:
        episodes.restore(start)
        for actions in drawn:
            episodes.step(actions)

    return Task(STEPPING, "steps", drawn.size, run)


def learners_games(
    contest: CardContest, n_environments: int, *, skip_forced: bool = False
) -> Episodes:
    """Return parallel games of a learner with aggro's deck, in the second seat, against control.

    The games must be reset before use.

    Args:
        contest: contest of `experiments.benchmarks.duel.load_duel`.
        n_environments: number of games in parallel.
        skip_forced: whether the learner skips positions with a single legal action.
    """
    decks = contest.deck_rows
    stream = stream_seed(0, PURPOSE)
    lineup = Lineup(own=decks[AGGRO], enemy=decks[CONTROL], opponent=0, seat=1)
    return Episodes(
        contest.table,
        [lineup],
        [contest.agents[CONTROL]],
        n_environments,
        stream,
        skip_forced=skip_forced,
    )


DEALS = 8  # number of times that all games are dealt
SIDE_BY_SIDE = 512  # number of games in parallel

# Steps per CPU-second of one core in random play, where every step writes 412 values and 1,695
# flags of actions, measured on one machine (docs/performance.md).
FASTEST_PEER = Published(10_900, "big2_PPOalgorithm (Python), 10,900 steps")


def big_two_task() -> Task:
    """Return the task that plays whole games of Big Two and writes every observation and mask."""
    view = BigTwoView(rules_of(), observer_named("history"))
    games = Games(view.rules, SIDE_BY_SIDE)
    chance = agent_named("random")
    values = np.zeros((SIDE_BY_SIDE, view.size.n_values), dtype=np.float32)
    masks = np.zeros((SIDE_BY_SIDE, view.size.n_actions), dtype=np.bool_)
    seeds = numbers_of(stream_seed(0, PURPOSE), np.arange(DEALS * SIDE_BY_SIDE))
    deals = np.split(seeds.view(np.int64), DEALS)
    moves_by_deal: list[list[tuple[Positions, Positions]]] = [[] for _ in deals]
    for deal, moves in zip(deals, moves_by_deal, strict=True):
        games.deal(deal)
        while len(rows := np.flatnonzero(games.winner == NOBODY)):
            moves.append((rows, chance.choose(games, rows)))
            games.act(*moves[-1])

    def run() -> None:
        for deal, moves in zip(deals, moves_by_deal, strict=True):
            games.deal(deal)
            for rows, actions in moves:
                view.observer.see(games, rows, games.active[rows], values[: len(rows)])
                games.mark(rows, masks[: len(rows)])
                games.act(rows, actions)

    run()
    n_steps = sum(len(rows) for moves in moves_by_deal for rows, _ in moves)
    return Task("big_two_steps", "steps", n_steps, run, FASTEST_PEER)
