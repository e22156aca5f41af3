"""Episodes: many games side by side, as learners see them: what reinforcement learning steps."""

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
from sim.observation.side_by_side import SideBySide
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
    """One way in which an episode may be made up.

    Attributes:
        own: ``[DECK_ROW_SIZE]`` the learner's deck (`sim.play.batch.deck_row`).
        enemy: ``[DECK_ROW_SIZE]`` its opponent's.
        opponent: who pilots the enemy's deck: a position among the opponents.
        seat: the learner's.
        weight: how often, relative to the other line-ups.
    """

    own: Rows16
    enemy: Rows16
    opponent: int
    seat: int
    weight: float = 1.0


class Episodes(SideBySide):
    """``N`` games, stepped together; one that ends is followed at once by another.

    Line-up, variant and game seed of an environment's n-th episode are functions of its stream
    and n.

    Attributes:
        n_environments: ``N``.
        view: how the games are seen.
        opponents: who pilots the enemies' decks.
        rewards: the learner's in the last step: 1 won, -1 lost, else 0.
        ended: how the episode ended in the last step: 0 it did not, `TERMINATED`, or `TRUNCATED`
            by the turn cap.
        asked: ``[N]`` int64, who moves now: `LEARNER` or the position of a learned opponent.
        lineup: ``[N]`` int64, the line-up being played.
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
        """Make the games; `reset` begins them.

        Args:
            table: the cards; of several variants each episode plays one.
            lineups: how episodes may be made up, at least one.
            opponents: who pilots the enemies' decks. Compiled ones move inside `step`; learned
                ones are asked, like the learner.
            n_environments: ``N``.
            stream: seed from which every environment's own is derived.
            view: how the games are seen; default by the cards that the line-ups' decks reach.
            skip_forced: whether a player with one legal action is not asked.

        Raises:
            InputError: the view cannot express the rules or a card, or a learned opponent sees by
                another one.
        """
        self._decks = np.stack([deck for one in lineups for deck in (one.own, one.enemy)])
        reached = reach_of_rows(table.pool, table.ruleset, self._decks)
        self.view = view_of(table, reached) if view is None else view
        self.view.check_cards(reached)
        super().__init__(n_environments, self.view.size)
        check_agents(self.view, opponents)
        if table.n_variants > VARIANTS_MAX:
            raise ValueError(f"{table.n_variants} variants; the most are {VARIANTS_MAX}")
        self._table = table
        self.n_environments = n_environments
        self.opponents = opponents
        self._skip_forced = skip_forced
        self._rows = np.array([_row(k, one, opponents, table) for k, one in enumerate(lineups)])
        weights = np.array([one.weight for one in lineups], dtype=np.float64)
        self._shares = np.cumsum(weights) / weights.sum()
        self._states = np.zeros((n_environments, at.STATE_SIZE), dtype=np.int16)
        self._everybody = np.ones(n_environments, dtype=np.bool_)
        self._nothing = np.zeros(n_environments, dtype=np.int64)
        self.asked = np.zeros(n_environments, dtype=np.int64)
        self.lineup = np.zeros(n_environments, dtype=np.int64)
        self._arguments = self._engine_arguments()
        self.seed([number_of(stream, e) for e in range(n_environments)])

    @property
    def is_learners(self) -> npt.NDArray[np.bool_]:
        """``[N]`` where the learner is asked."""
        return np.equal(self.asked, LEARNER)

    def seed(self, streams: Sequence[int], environments: Sequence[int] | None = None) -> None:
        """As `SideBySide.seed`; the games that were being played are over."""
        super().seed(streams, environments)
        chosen = self._everybody if environments is None else np.array(environments, dtype=np.int64)
        self._states[chosen, at.RESULT] = at.DRAWN

    def reset(self, chosen: npt.NDArray[np.bool_] | None = None) -> None:
        """Leave the games where they are and begin the next episode, everywhere or in `chosen`."""
        chosen = self._everybody if chosen is None else chosen
        self._states[chosen, at.RESULT] = at.DRAWN
        self.step(self._nothing, chosen)

    def step(
        self, actions: npt.NDArray[np.int64], moving: npt.NDArray[np.bool_] | None = None
    ) -> None:
        """Carry out one action of whoever is asked, in every game or in those `moving`.

        Args:
            actions: ``[N]`` int64, numbers among the view's.
            moving: ``[N]`` bool; the other games stay as they are.

        Raises:
            ValueError: an action was illegal.
            InputError: the games of an environment end before anybody can move.
            CardFault: a card's texts stopped a game; the next step begins another one there.
            RuntimeError: a compiled opponent chose an illegal action.
        """
        moves = self._everybody if moving is None else moving
        before, after = self._arguments
        arguments: tuple[Any, ...] = (*before, actions, moves.view(np.uint8), *after)
        n_illegal = step_episodes(*arguments)
        if n_illegal:
            raise ValueError(f"{n_illegal} of the actions were illegal; see `masks`")
        if (self.asked == STOPPED).any():
            raise self._fault(int(np.flatnonzero(self.asked == STOPPED)[0]))
        if (self.asked == FAULTY).any():
            names = ", ".join(opponent.name for opponent in self.opponents)
            raise RuntimeError(f"opponents {names}: one of them chose an illegal action")
        if (self.asked == NOBODY).any():
            raise InputError("these decks and rules end games before the learner's first move")

    def answer(self, actions: npt.NDArray[np.int64]) -> None:
        """Write into ``[N]`` `actions` what the learned opponents that are asked choose."""
        for position, opponent in enumerate(self.opponents):
            rows = np.flatnonzero(self.asked == position)
            # Compiled ones have moved inside `step`.
            if len(rows) and not isinstance(opponent, CompiledAgent):
                actions[rows] = opponent.choose(self.observations[rows], self.masks[rows])

    def _fault(self, environment: int) -> CardFault:
        """What stopped the game of an environment; its seed is the second of its episode's."""
        stream = int(self._streams[environment]) & MASK64
        episode = self._begun[environment] - 1
        game_seed = number_of(stream, 2 * int(episode) + 1)
        variant = draw_variant(self._table.n_variants, stream, int(episode))
        return fault_of_state(self._states[environment], self._table, game_seed, variant)

    def _engine_arguments(self) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """What every step hands the engine, before and after the actions; flat and in place."""
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

    def _kept(self) -> dict[str, npt.NDArray[Any]]:
        return super()._kept() | {
            "states": self._states,
            "asked": self.asked,
            "lineup": self.lineup,
        }


def _row(position: int, lineup: Lineup, opponents: Sequence[Agent], table: Table) -> list[int]:
    """The words of a line-up for the engine; its decks are rows 2k and 2k + 1."""
    own = 2 * position
    enemy = 2 * position + 1
    decks = np.stack([lineup.own, lineup.enemy])
    is_general = bool(table.is_general(decks).any())
    address = address_of_agent(opponents[lineup.opponent], table, lambda: decks, general=is_general)
    if lineup.seat == 0:
        return [own, enemy, at.ASK, address, 0, lineup.opponent]
    return [enemy, own, address, at.ASK, 1, lineup.opponent]
