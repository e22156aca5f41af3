"""Episodes of card games: many games that are stepped together, for reinforcement learning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from sim.engine import layout as at
from sim.engine.episodes import (
    FAULTY,
    LEARNER,
    NOBODY,
    STOPPED,
    TERMINATED,
    TRUNCATED,
    VARIANTS_MAX,
    draw_variant,
    step_episodes,
)
from sim.engine.streams import MASK64
from sim.errors import CardFault, InputError
from sim.observation.parallel_games import ParallelGames
from sim.observation.view import View, check_agents, view_of
from sim.play.agent import Agent, CompiledAgent, address_of_agent
from sim.play.outcomes import fault_of_state
from sim.play.reach import reach_of_rows
from sim.play.table import Table
from sim.seeds import number_of

__all__ = ["LEARNER", "TERMINATED", "TRUNCATED", "Episodes", "Lineup"]

Rows16 = npt.NDArray[np.int16]


@dataclass(frozen=True)
class Lineup:
    """Decks, opponent and seat of an episode.

    Attributes:
        own: deck row of the learner (`sim.play.batch.deck_row`), shape ``[DECK_ROW_SIZE]``.
        enemy: deck row of the opponent, shape ``[DECK_ROW_SIZE]``.
        opponent: position of the opponent's agent in the list of opponents.
        seat: seat of the learner; seat 0 moves first.
        weight: relative frequency of this line-up among all line-ups.
    """

    own: Rows16
    enemy: Rows16
    opponent: int
    seat: int
    weight: float = 1.0


class Episodes(ParallelGames):
    """``N`` card games that are stepped together, one in each environment.

    When a game ends, the environment begins its next game in the same step. The line-up, variant
    and game seed of an environment's n-th episode are functions of its stream and n.

    Attributes:
        n_environments: number of games, ``N``.
        view: view of the games.
        opponents: agents that play the opponents' decks.
        rewards: reward of the learner in the last step, shape ``[N]``: 1 for a win, -1 for a loss,
            otherwise 0.
        ended: way in which an episode ended in the last step, shape ``[N]``: `TERMINATED`,
            `TRUNCATED` by the turn limit, or 0 if no episode ended.
        asked: player who must choose next, int64, shape ``[N]``: `LEARNER`, or the position of a
            learned opponent.
        lineup: index of the line-up of the running game, int64, shape ``[N]``.
    """

    view: View
    opponents: Sequence[Agent]

    def __init__(
        self,
        table: Table,
        lineups: Sequence[Lineup],
        opponents: Sequence[Agent],
        n_environments: int,
        stream: int,
        *,
        view: View | None = None,
        skip_forced: bool = False,
    ) -> None:
        """Create the games; `reset` begins them.

        Args:
            table: card table; each episode plays one of its variants.
            lineups: possible line-ups of episodes, at least one.
            opponents: agents that play the opponents' decks. Compiled agents move inside `step`;
                for learned agents, the caller must call `answer` and then `step`.
            n_environments: number of games, ``N``.
            stream: seed from which the streams of all environments are derived.
            view: view of the games; by default the view for all cards that the decks of the
                line-ups can reach.
            skip_forced: whether the only legal action of a player is taken without asking.

        Raises:
            InputError: the view cannot show a card, or a learned opponent was trained with another
                view.
            ValueError: the table has too many variants.
        """
        self._decks = np.stack([deck for lineup in lineups for deck in (lineup.own, lineup.enemy)])
        reached = reach_of_rows(table.pool, table.ruleset, self._decks)
        self.view = view_of(table, reached) if view is None else view
        self.view.check_cards(reached)
        super().__init__(n_environments, self.view.size)
        check_agents(self.view, opponents)
        if table.n_variants > VARIANTS_MAX:
            raise ValueError(f"table: {table.n_variants} variants; the limit is {VARIANTS_MAX}")
        self._table = table
        self.n_environments = n_environments
        self.opponents = opponents
        self._skip_forced = skip_forced
        self._rows = np.array(
            [_row(position, lineup, opponents, table) for position, lineup in enumerate(lineups)]
        )
        weights = np.array([lineup.weight for lineup in lineups], dtype=np.float64)
        self._shares = np.cumsum(weights) / weights.sum()
        self._states = np.zeros((n_environments, at.STATE_SIZE), dtype=np.int16)
        self._all_environments = np.ones(n_environments, dtype=np.bool_)
        self._no_actions = np.zeros(n_environments, dtype=np.int64)
        self.asked: npt.NDArray[np.int64] = np.zeros(n_environments, dtype=np.int64)
        self.lineup: npt.NDArray[np.int64] = np.zeros(n_environments, dtype=np.int64)
        self._arguments = self._engine_arguments()
        self.seed([number_of(stream, e) for e in range(n_environments)])

    @property
    def is_learners(self) -> npt.NDArray[np.bool_]:
        """Whether the learner must choose next in each game, shape ``[N]``."""
        return np.equal(self.asked, LEARNER)

    def seed(self, streams: Sequence[int], environments: Sequence[int] | None = None) -> None:
        """Assign new streams to environments and abandon their running games.

        Args:
            streams: 64-bit seed of the stream of each environment.
            environments: indices of the environments; by default all, in order.
        """
        super().seed(streams, environments)
        chosen = (
            self._all_environments
            if environments is None
            else np.array(environments, dtype=np.int64)
        )
        self._states[chosen, at.RESULT] = at.DRAWN

    def reset(self, chosen: npt.NDArray[np.bool_] | None = None) -> None:
        """Abandon running games, and begin the next episode.

        Args:
            chosen: whether to reset each environment, shape ``[N]``; by default all are reset.
        """
        chosen = self._all_environments if chosen is None else chosen
        self._states[chosen, at.RESULT] = at.DRAWN
        self.step(self._no_actions, chosen)

    def step(
        self, actions: npt.NDArray[np.int64], moving: npt.NDArray[np.bool_] | None = None
    ) -> None:
        """Carry out one action of the player who must choose, in each game.

        Args:
            actions: numbers of actions of the view, int64, shape ``[N]``.
            moving: whether to step each game, shape ``[N]``; other games remain unchanged. By
                default all games are stepped.

        Raises:
            ValueError: an action was illegal.
            InputError: games of an environment end again and again before the learner can move.
            CardFault: the effects of a card stopped a game; the next step begins a new game in its
                environment.
            RuntimeError: a compiled opponent chose an illegal action.
        """
        moves = self._all_environments if moving is None else moving
        before, after = self._arguments
        arguments: tuple[Any, ...] = (*before, actions, moves.view(np.uint8), *after)
        n_illegal = step_episodes(*arguments)
        if n_illegal:
            raise ValueError(
                f"the actions of {n_illegal} of {self.n_environments} games are illegal; choose "
                "actions that `masks` marks as legal"
            )
        if (self.asked == STOPPED).any():
            raise self._fault(int(np.flatnonzero(self.asked == STOPPED)[0]))
        if (self.asked == FAULTY).any():
            names = ", ".join(opponent.name for opponent in self.opponents)
            raise RuntimeError(
                f"opponents {names}: one of them chose an illegal action; an agent may only choose "
                "from the legal actions"
            )
        if (self.asked == NOBODY).any():
            raise InputError(
                "these decks and rules end games before the learner's first move",
                remedy="use other decks or rules",
            )

    def answer(self, actions: npt.NDArray[np.int64]) -> None:
        """Write the actions of learned opponents into `actions`, in games in which they choose.

        Args:
            actions: numbers of actions, changed in place, shape ``[N]``.
        """
        for position, opponent in enumerate(self.opponents):
            rows = np.flatnonzero(self.asked == position)
            # Compiled opponents have moved inside `step`.
            if len(rows) and not isinstance(opponent, CompiledAgent):
                actions[rows] = opponent.choose(self.observations[rows], self.masks[rows])

    def _fault(self, environment: int) -> CardFault:
        """Return the error that describes why the running game of an environment was stopped."""
        stream = int(self._streams[environment]) & MASK64
        episode = self._begun[environment] - 1
        # Each episode uses two numbers of the stream: the first one determines line-up and variant,
        # the second one is the seed of the game.
        game_seed = number_of(stream, 2 * int(episode) + 1)
        variant = draw_variant(self._table.n_variants, stream, int(episode))
        return fault_of_state(self._states[environment], self._table, game_seed, variant)

    def _engine_arguments(self) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """Return the arguments of `step_episodes` that precede and follow the actions.

        They are flat views of this object's arrays, so they can be created once for all steps.
        """
        before = (
            self._table.words.ravel(),
            self._decks.ravel(),
            self._rows.ravel(),
            self._shares,
            self.view.words,
            self._streams,
            self._skip_forced,
            self._states.reshape(-1),
            self._begun,
            self.lineup,
        )
        after = (
            self.observations.reshape(-1),
            self.masks.reshape(-1).view(np.uint8),
            self.finals.reshape(-1),
            self.rewards,
            self.ended,
            self.asked,
        )
        return before, after

    def _changing_arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the arrays, by name, that make up the state of the games; they are not copied."""
        return super()._changing_arrays() | {
            "states": self._states,
            "asked": self.asked,
            "lineup": self.lineup,
        }


def _row(position: int, lineup: Lineup, opponents: Sequence[Agent], table: Table) -> list[int]:
    """Return the words that describe a line-up to the engine.

    The words are the deck row of each seat, the agent's address of each seat, the learner's seat
    and the opponent's position. Line-up k has deck rows 2k (learner) and 2k + 1 (opponent).

    Args:
        position: index k of the line-up.
        lineup: line-up to describe.
        opponents: agents that play the opponents' decks.
        table: card table of the games.
    """
    own = 2 * position
    enemy = 2 * position + 1
    decks = np.stack([lineup.own, lineup.enemy])
    is_general = bool(table.is_general(decks).any())
    address = address_of_agent(opponents[lineup.opponent], table, lambda: decks, general=is_general)
    if lineup.seat == 0:
        return [own, enemy, at.ASK, address, 0, lineup.opponent]
    return [enemy, own, address, at.ASK, 1, lineup.opponent]
