"""Episodes of Big Two: many games with one learner that are stepped together, and rewards."""

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
"""Agent that chooses the only legal action of a position, or `NO_ACTION` if several are legal."""


Reward = Literal["first", "points", "shed"]
"""Kind of reward.

`first`: 1 for winning the game, -1 for losing it. `points`: a loser loses the payment for its
remaining cards (`sim.big_two.rules.BigTwoRules.owed`), and the winner gains all payments. `shed`:
0.2 for each card at the time it is played.
"""

REWARDS: tuple[Reward, ...] = get_args(Reward)
"""Names of all kinds of reward."""

# The rewards for 13 cards sum to 2.6, which is of the order of `first`. Chosen by hand, not tuned.
_PER_CARD = 1 / 5


def final_rewards(reward: Reward, games: Games, rows: Positions) -> npt.NDArray[np.float64]:
    """Return the rewards that all seats receive at the end of games.

    Args:
        reward: kind of reward (`Reward`); it is 0 for `shed`, which has only immediate rewards.
        games: states of all games.
        rows: indices of the selected games, which must be finished, shape ``[B]``.

    Returns:
        Reward of each seat, shape ``[B, 4]``.
    """
    won = np.arange(N_SEATS) == games.winner[rows, np.newaxis]
    if reward == "first":
        return np.where(won, 1.0, -1.0)
    if reward == "shed":
        return np.zeros(won.shape)
    owed = games.rules.owed(games.cards_left[rows])
    return np.where(won, owed.sum(axis=1, keepdims=True), -owed).astype(np.float64)


def rewards_of_plays(reward: Reward, n_cards: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Return the immediate rewards of plays, in the shape of `n_cards`.

    Args:
        reward: kind of reward (`Reward`); all kinds but `shed` have no immediate rewards.
        n_cards: numbers of cards played, of any shape.
    """
    return np.asarray(n_cards) * (_PER_CARD if reward == "shed" else 0.0)


class BigTwoEpisodes(ParallelGames):
    """``N`` games of Big Two that are stepped together, one in each environment.

    When a game ends, the environment begins its next game in the same step. The seed of an
    environment's n-th game is a function of its stream and n.

    Attributes:
        games: running game of each environment.
        view: view through which the learner observes the games.
        opponents: agents of the seats after the learner in turn order, or one agent for all three.
        ended: 1 if a game ended in the last step, else 0, shape ``[N]``.
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
            view: view through which the learner observes the games; it also has their rules.
            opponents: agents of the seats after the learner in turn order, or one agent for all
                three.
            n_environments: number of games, ``N``.
            stream: seed from which the streams of all environments are derived.
            seat: seat of the learner, 0 to 3; seats differ only if the rules deal them different
                numbers of cards.
            reward: kind of reward (`Reward`).
            skip_forced: whether the learner's only legal action is carried out without asking.

        Raises:
            InputError: the number of opponents is not 1 or 3, an opponent is not an agent, or the
                seat or the kind of reward does not exist.
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
                f"= {seat!r} must be from 0 to {N_SEATS - 1}",
                place="seat",
                value=seat,
                limit=(0, N_SEATS - 1),
                separator=" ",
            )
        known_word("reward", reward, REWARDS)
        super().__init__(n_environments, view.size)
        self.view = view
        self.opponents = tuple(opponents)
        self.games: Games = Games(view.rules, n_environments)
        self._seats = [(seat + k) % N_SEATS for k in range(N_SEATS)]  # the learner's seat is first
        self._reward = reward
        self._skip_forced = skip_forced
        self._everywhere = np.arange(n_environments)
        self.seed([number_of(stream, e) for e in range(n_environments)])

    def reset(
        self,
        chosen: npt.NDArray[np.bool_] | None = None,
        options: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        """Abandon running games, begin the next ones, and play until the learner must choose.

        Args:
            chosen: whether to reset each environment, shape ``[N]``; by default all are reset.
            options: dictionary that may have an entry `fixed_hands`, the hands of all seats in
                these games (`sim.big_two.games.Games.deal`).

        Raises:
            InputError: the fixed hands are not four sets of different cards with at most 13 cards
                each.
        """
        rows = self._everywhere if chosen is None else np.flatnonzero(chosen)
        self._deal(rows, options.get("fixed_hands"))
        self._play_on(rows)
        self.rewards[rows] = 0
        self.ended[rows] = 0  # games that end before the learner's first move do not count

    def answer(self, actions: npt.NDArray[np.int64]) -> None:
        """Do nothing, since opponents choose inside `step`."""

    def step(self, actions: npt.NDArray[np.int64]) -> None:
        """Carry out one action of the learner in each game, and all moves until its next choice.

        Args:
            actions: number of the learner's action in each game, shape ``[N]``.

        Raises:
            ValueError: an action is illegal; its game has not changed.
        """
        self.rewards[:] = 0
        self.ended[:] = 0
        self._act(self._everywhere, actions)
        self._play_on(self._everywhere)

    def _act(self, rows: Positions, actions: Positions) -> None:
        """Carry out the learner's actions in selected games, and add their immediate rewards.

        Args:
            rows: indices of the selected games.
            actions: number of the learner's action in each selected game.
        """
        held = self.games.hands[rows, self._seats[0]]
        self.games.act(rows, actions)
        played = np.bitwise_count(held & ~self.games.hands[rows, self._seats[0]])
        earned = rewards_of_plays(self._reward, played)
        # If a game has ended in this step, a forced action belongs to the next game. Its reward is
        # not added, since `rewards` describes the game that has ended.
        self.rewards[rows] += np.where(self.ended[rows], 0, earned)

    def _play_on(self, rows: Positions) -> None:
        """Play selected games until the learner must choose, and write all observations and masks.

        Opponents move, and finished games are replaced by the next game of their environment. If
        forced actions are skipped, they are carried out.

        Args:
            rows: indices of the selected games.
        """
        games = self.games
        own = self._seats[0]
        while len(rows):
            over = rows[games.winner[rows] != NOBODY]
            if len(over):
                self._end(over)
                self._deal(over)
            for seat, agent in zip(self._seats[1:], self.opponents * N_OPPONENTS, strict=False):
                # The winner of a game remains active, so later seats do not act in that game.
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
        """Carry out the learner's action in the games in which only one action is legal.

        Args:
            rows: indices of games in which the learner is to move.

        Returns:
            Indices of the games in which an action was carried out.
        """
        actions = _ONLY.choose(self.games, rows)
        is_forced = actions != NO_ACTION
        self._act(rows[is_forced], actions[is_forced])
        return np.asarray(rows[is_forced])

    def _look(self, rows: Positions, values: Values) -> None:
        """Write the learner's observations of selected games.

        Args:
            rows: indices of the selected games, shape ``[B]``.
            values: observations, overwritten, shape ``[B, n_values]``.
        """
        seats = np.full(len(rows), self._seats[0])
        self.view.observer.see(self.games, rows, seats, values)

    def _end(self, rows: Positions) -> None:
        """Record the final observations and rewards of finished games.

        If several games of an environment end in one step, only the first one is recorded.

        Args:
            rows: indices of the finished games.
        """
        rows = rows[self.ended[rows] == 0]
        finals = np.empty_like(self.finals[rows])
        self._look(rows, finals)
        self.finals[rows] = finals
        self.ended[rows] = 1
        self.rewards[rows] += final_rewards(self._reward, self.games, rows)[:, self._seats[0]]

    def _deal(self, rows: Positions, fixed_hands: Sequence[str | int] | None = None) -> None:
        """Begin the next game in selected environments.

        Args:
            rows: indices of the selected environments.
            fixed_hands: hand of each seat in these games (`Games.deal`); by default all hands are
                drawn.
        """
        keys = zip(self._streams[rows].tolist(), self._begun[rows].tolist(), strict=True)
        seeds = np.array([number_of(stream, n) for stream, n in keys], dtype=np.uint64)
        self.games.deal(seeds.view(np.int64), rows, fixed_hands=fixed_hands)
        self._begun[rows] += 1

    def _changing_arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the arrays, by name, that make up the state of the games; they are not copied."""
        return super()._changing_arrays() | {"games": self.games.words}
