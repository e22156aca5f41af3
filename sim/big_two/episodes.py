"""Episodes: many games side by side as one seat meets them, and what a learner is told of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from sim.big_two.cards import N_SEATS
from sim.big_two.games import (
    NO_ACTION,
    BigTwoAgent,
    CompiledAgent,
    Games,
    Positions,
    find_only_moves,
    require_player,
)
from sim.big_two.layout import NOBODY
from sim.big_two.observers import BigTwoView
from sim.errors import InputError, known_word
from sim.observation.side_by_side import SideBySide, Values
from sim.seeds import number_of

N_OPPONENTS = N_SEATS - 1
_ONLY = CompiledAgent("only", find_only_moves)


Reward = Literal["first", "points", "shed"]
"""`first`: 1 for the first place, -1 for any other; `points`: what the others pay whoever wins for
their cards, and they lose (`sim.big_two.rules.BigTwoRules.owed`); `shed`: a fifth of a point for
each card, as it is played."""

REWARDS: tuple[Reward, ...] = get_args(Reward)
_PER_CARD = 1 / 5


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
    return np.asarray(n_cards) * (_PER_CARD if reward == "shed" else 0.0)


class BigTwoEpisodes(SideBySide):
    """``N`` games, stepped together; one that ends is followed at once by another.

    The seed of an environment's n-th game is a function of its stream and n.

    Attributes:
        games: those that are played.
        view: how the learner sees them.
        opponents: who sits after the learner, in turn order.
        ended: 1 where a game ended in the last step.
    """

    view: BigTwoView
    opponents: tuple[BigTwoAgent, ...]

    def __init__(
        self,
        view: BigTwoView,
        opponents: Sequence[BigTwoAgent],
        n_environments: int,
        stream: int,
        *,
        seat: int = 0,
        reward: Reward = "first",
        skip_forced: bool = False,
    ) -> None:
        """Make the games; `reset` begins them.

        Args:
            view: how the learner sees games, and by which rules they are played.
            opponents: who sits after the learner, in turn order; or one for all of them.
            n_environments: ``N``.
            stream: seed from which every environment's own is derived.
            seat: the learner's; seats differ where the rules give them different cards.
            reward: what the learner is told.
            skip_forced: whether the learner is not asked where it has one legal action.

        Raises:
            InputError: too many or too few opponents, or no such seat or reward.
        """
        for opponent in opponents:
            require_player(opponent)
        if len(opponents) not in (1, N_OPPONENTS):
            raise InputError(f"{len(opponents)} opponents; give {N_OPPONENTS}, or one for all")
        if seat not in range(N_SEATS):
            raise InputError(f"seat = {seat!r}; it must be 0 to {N_SEATS - 1}")
        known_word("reward", reward, REWARDS)
        super().__init__(n_environments, view.size)
        self.view = view
        self.opponents = tuple(opponents)
        self.games = Games(view.rules, n_environments)
        self._seats = [(seat + k) % N_SEATS for k in range(N_SEATS)]  # the learner's first
        self._reward = reward
        self._skip_forced = skip_forced
        self._everywhere = np.arange(n_environments)
        self.seed([number_of(stream, e) for e in range(n_environments)])

    def reset(
        self,
        chosen: npt.NDArray[np.bool_] | None = None,
        options: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        """Leave the games where they are and begin the next ones, everywhere or in `chosen`.

        Args:
            chosen: ``[N]``.
            options: `fixed_hands`, what seats hold in these games (`sim.big_two.games.Games.deal`),
                or nothing.

        Raises:
            InputError: fixed hands are no four sets of different cards, 13 at most.
        """
        rows = self._everywhere if chosen is None else np.flatnonzero(chosen)
        self._deal(rows, options.get("fixed_hands"))
        self._play_on(rows)
        self.rewards[rows] = 0
        self.ended[rows] = 0  # of games that ended without the learner

    def answer(self, actions: npt.NDArray[np.int64]) -> None:
        """Nobody else is asked."""

    def step(self, actions: npt.NDArray[np.int64]) -> None:
        """Carry out one action of the learner in every game.

        Raises:
            ValueError: an action was illegal; nothing has happened in its game.
        """
        self.rewards[:] = 0
        self.ended[:] = 0
        self._act(self._everywhere, actions)
        self._play_on(self._everywhere)

    def _act(self, rows: Positions, actions: Positions) -> None:
        """Carry out the learner's actions, which may bring something at once."""
        held = self.games.hands[rows, self._seats[0]]
        self.games.act(rows, actions)
        played = np.bitwise_count(held & ~self.games.hands[rows, self._seats[0]])
        earned = rewards_of_plays(self._reward, played)
        self.rewards[rows] += np.where(self.ended[rows], 0, earned)  # once over, of the next game

    def _play_on(self, rows: Positions) -> None:
        """Let the others move, and games follow each other, until the learner is asked in all."""
        games = self.games
        own = self._seats[0]
        while len(rows):
            over = rows[games.winner[rows] != NOBODY]
            if len(over):
                self._end(over)
                self._deal(over)
            for seat, agent in zip(self._seats[1:], self.opponents * N_OPPONENTS, strict=False):
                asked = rows[games.active[rows] == seat]  # whoever won stays active, and comes once
                if len(asked):
                    games.act(asked, agent.choose(games, asked))
            goes_on = (games.active[rows] != own) | (games.winner[rows] != NOBODY)
            if self._skip_forced:
                rows = np.concatenate([rows[goes_on], self._forced(rows[~goes_on])])
            else:
                rows = rows[goes_on]
        self._look(self._everywhere, self.observations)
        games.mark(self._everywhere, self.masks)

    def _forced(self, rows: Positions) -> Positions:
        """Those of the learner's games in which one action is legal, which is carried out."""
        actions = _ONLY.choose(self.games, rows)
        is_forced = actions != NO_ACTION
        self._act(rows[is_forced], actions[is_forced])
        return np.asarray(rows[is_forced])

    def _look(self, rows: Positions, values: Values) -> None:
        """Write what the learner sees of ``[B]`` games into ``[B, n_values]`` values."""
        seats = np.full(len(rows), self._seats[0])
        self.view.observer.see(self.games, rows, seats, values)

    def _end(self, rows: Positions) -> None:
        """Tell of the ends of games; of an environment's first one, if there are several."""
        rows = rows[self.ended[rows] == 0]
        finals = np.empty_like(self.finals[rows])
        self._look(rows, finals)
        self.finals[rows] = finals
        self.ended[rows] = 1
        self.rewards[rows] += final_rewards(self._reward, self.games, rows)[:, self._seats[0]]

    def _deal(self, rows: Positions, fixed_hands: Sequence[str | int] | None = None) -> None:
        """Begin the next game of some environments."""
        told = zip(self._streams[rows].tolist(), self._begun[rows].tolist(), strict=True)
        seeds = np.array([number_of(stream, n) for stream, n in told], dtype=np.uint64)
        self.games.deal(seeds.view(np.int64), rows, fixed_hands=fixed_hands)
        self._begun[rows] += 1

    def _changing_arrays(self) -> dict[str, npt.NDArray[Any]]:
        return super()._changing_arrays() | {"games": self.games.words}
