"""Episodes of Big Two: many games with one learner, stepped together, and their rewards."""

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
from sim.observation.parallel_games import ParallelGames, Values
from sim.seeds import number_of

N_OPPONENTS = N_SEATS - 1
_ONLY = CompiledAgent("only", find_only_moves)
"""An agent that chooses where one action is legal, and `NO_ACTION` elsewhere."""


Reward = Literal["first", "points", "shed"]
"""Kind of reward.

`first`: 1 for the first place, -1 for any other. `points`: the winner gains what the others pay
for their cards, and they lose it (`sim.big_two.rules.BigTwoRules.owed`). `shed`: a fifth of a point
for each card when it is played.
"""

REWARDS: tuple[Reward, ...] = get_args(Reward)
_PER_CARD = 1 / 5  # 13 cards then sum to 2.6, the order of other rewards; chosen, not tuned


def final_rewards(reward: Reward, games: Games, rows: Positions) -> npt.NDArray[np.float64]:
    """Return the rewards at the end of games, for all seats.

    Args:
        reward: kind of reward.
        games: the games.
        rows: indices of finished games, shape ``[B]``.

    Returns:
        reward of each seat, shape ``[B, 4]``.
    """
    won = np.arange(N_SEATS) == games.winner[rows, np.newaxis]
    if reward == "first":
        return np.where(won, 1.0, -1.0)
    if reward == "shed":
        return np.zeros(won.shape)
    owed = games.rules.owed(games.cards_left[rows])
    return np.where(won, owed.sum(axis=1, keepdims=True), -owed).astype(np.float64)


def rewards_of_plays(reward: Reward, n_cards: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Return the immediate reward of a play.

    Args:
        reward: kind of reward.
        n_cards: number of cards played, of any shape.
    """
    return np.asarray(n_cards) * (_PER_CARD if reward == "shed" else 0.0)


class BigTwoEpisodes(ParallelGames):
    """``N`` games that are stepped together; when a game ends, the next one begins at once.

    The seed of an environment's n-th game is a function of its stream and n.

    Attributes:
        games: the games being played.
        view: the way the learner sees them.
        opponents: agents that sit after the learner, in turn order.
        ended: 1 where a game ended in the last step, shape ``[N]``.
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
        """Create the games; `reset` begins them.

        Args:
            view: the way the learner sees the games, which includes their rules.
            opponents: agents that sit after the learner, in turn order; or one for all three.
            n_environments: number of games, ``N``.
            stream: seed from which the stream of each environment is derived.
            seat: seat of the learner; seats differ if the rules deal them different numbers of
                cards.
            reward: kind of reward.
            skip_forced: whether positions with one legal action are skipped.

        Raises:
            InputError: there are too many or too few opponents, or no such seat or reward.
        """
        for opponent in opponents:
            require_player(opponent)
        if len(opponents) not in (1, N_OPPONENTS):
            raise InputError(
                f"{len(opponents)} given",
                place="opponents",
                value=len(opponents),
                limit=N_OPPONENTS,
                remedy=f"give {N_OPPONENTS}, or one for all seats",
            )
        if seat not in range(N_SEATS):
            raise InputError(
                f"= {seat!r} must be 0 to {N_SEATS - 1}",
                place="seat",
                value=seat,
                limit=(0, N_SEATS - 1),
                separator=" ",
            )
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
        """Abandon running games and begin the next ones.

        Args:
            chosen: environments to reset, shape ``[N]``; by default all.
            options: `fixed_hands`, the hands of seats in these games
                (`sim.big_two.games.Games.deal`), or nothing.

        Raises:
            InputError: the fixed hands are not four sets of different cards, at most 13 each.
        """
        rows = self._everywhere if chosen is None else np.flatnonzero(chosen)
        self._deal(rows, options.get("fixed_hands"))
        self._play_on(rows)
        self.rewards[rows] = 0
        self.ended[rows] = 0  # games that ended before the learner moved do not count

    def answer(self, actions: npt.NDArray[np.int64]) -> None:
        """Do nothing: opponents choose inside `step`."""

    def step(self, actions: npt.NDArray[np.int64]) -> None:
        """Carry out one action of the learner in each game, and all moves until its next choice.

        Raises:
            ValueError: an action was illegal; its game has not changed.
        """
        self.rewards[:] = 0
        self.ended[:] = 0
        self._act(self._everywhere, actions)
        self._play_on(self._everywhere)

    def _act(self, rows: Positions, actions: Positions) -> None:
        """Carry out the learner's actions, and add their immediate rewards."""
        held = self.games.hands[rows, self._seats[0]]
        self.games.act(rows, actions)
        played = np.bitwise_count(held & ~self.games.hands[rows, self._seats[0]])
        earned = rewards_of_plays(self._reward, played)
        # A forced action after an end belongs to the next game, and `rewards` describes the end.
        self.rewards[rows] += np.where(self.ended[rows], 0, earned)

    def _play_on(self, rows: Positions) -> None:
        """Play all games until the learner must choose in each of them.

        Opponents move, finished games are replaced, and forced actions are carried out.

        Args:
            rows: indices of the games.
        """
        games = self.games
        own = self._seats[0]
        while len(rows):
            over = rows[games.winner[rows] != NOBODY]
            if len(over):
                self._end(over)
                self._deal(over)
            for seat, agent in zip(self._seats[1:], self.opponents * N_OPPONENTS, strict=False):
                # A winner stays active, so a game that ends here is left alone by later seats.
                asked = rows[games.active[rows] == seat]
                if len(asked):
                    games.act(asked, agent.choose(games, asked))
            goes_on = (games.active[rows] != own) | (games.winner[rows] != NOBODY)
            if self._skip_forced:
                rows = np.concatenate([rows[goes_on], self._play_forced(rows[~goes_on])])
            else:
                rows = rows[goes_on]
        self._look(self._everywhere, self.observations)
        games.mark(self._everywhere, self.masks)

    def _play_forced(self, rows: Positions) -> Positions:
        """Carry out the learner's action where only one is legal.

        Args:
            rows: indices of games in which the learner must choose.

        Returns:
            Indices of the games in which an action was carried out.
        """
        actions = _ONLY.choose(self.games, rows)
        is_forced = actions != NO_ACTION
        self._act(rows[is_forced], actions[is_forced])
        return np.asarray(rows[is_forced])

    def _look(self, rows: Positions, values: Values) -> None:
        """Write what the learner sees of ``[B]`` games into ``[B, n_values]`` values."""
        seats = np.full(len(rows), self._seats[0])
        self.view.observer.see(self.games, rows, seats, values)

    def _end(self, rows: Positions) -> None:
        """Record the ends of games; of several ends of an environment, only the first."""
        rows = rows[self.ended[rows] == 0]
        finals = np.empty_like(self.finals[rows])
        self._look(rows, finals)
        self.finals[rows] = finals
        self.ended[rows] = 1
        self.rewards[rows] += final_rewards(self._reward, self.games, rows)[:, self._seats[0]]

    def _deal(self, rows: Positions, fixed_hands: Sequence[str | int] | None = None) -> None:
        """Begin the next game in selected environments.

        Args:
            rows: indices of the environments.
            fixed_hands: hands of the seats (`Games.deal`); by default all are drawn.
        """
        keys = zip(self._streams[rows].tolist(), self._begun[rows].tolist(), strict=True)
        seeds = np.array([number_of(stream, n) for stream, n in keys], dtype=np.uint64)
        self.games.deal(seeds.view(np.int64), rows, fixed_hands=fixed_hands)
        self._begun[rows] += 1

    def _changing_arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return all arrays that change from step to step, by name."""
        return super()._changing_arrays() | {"games": self.games.words}
