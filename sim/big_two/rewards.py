"""Rewards: what a learner is told of how well it plays."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from sim.big_two.cards import N_SEATS
from sim.big_two.games import Games, Positions
from sim.errors import known_word

Reward = Literal["first", "points", "shed"]
"""`first`: 1 for the first place, -1 for any other; `points`: what the others pay whoever wins for
their cards, and they lose (`sim.big_two.rules.BigTwoRules.owed`); `shed`: a fifth of a point for
each card, as it is played."""

REWARDS: tuple[Reward, ...] = ("first", "points", "shed")
PER_CARD = 1 / 5


def check_reward(reward: str) -> None:
    """Refuse a reward that nobody knows.

    Raises:
        InputError: names it.
    """
    known_word("reward", reward, REWARDS)


def final_rewards(reward: Reward, games: Games, rows: Positions) -> npt.NDArray[np.float64]:
    """``[B, 4]`` what the end of ``[B]`` games brings each seat."""
    won = np.arange(N_SEATS) == games.winner[rows, np.newaxis]
    if reward == "first":
        return np.where(won, 1.0, -1.0)
    if reward == "shed":
        return np.zeros(won.shape)
    owed = games.rules.owed(games.cards_left[rows])
    return np.where(won, owed.sum(axis=1, keepdims=True), -owed).astype(np.float64)


def rewards_of_plays(reward: Reward, n_cards: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """What playing so many cards brings at once."""
    return np.asarray(n_cards) * (PER_CARD if reward == "shed" else 0.0)
