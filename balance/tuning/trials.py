"""The games of tuning: weights as points, what a method asks, and candidates at play."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from agents.registry import agent_named
from agents.roster.turn import turn_agent
from agents.search.turn.weights import WEIGHT_MAX, Weights, load_weights
from balance.card_contest import CardContest
from balance.learning.learner import Learner, pairings
from balance.statistics.intervals import Counts, Floats
from balance.tuning.settings import SELF, START, TurnSettings
from sim.play import Agent, Batch, play
from sim.play.outcomes import DRAWN, kept
from sim.seeds import stream_seed

FARTHEST = 2.0  # a weight goes from -1 to 3 times what it was
_LEAST = 10  # a weight that was less, or nothing, moves in shares of this
_LIMITS = {("search", "reply"): (0, 16)}
_REPLY_SCALE = 5

_SIDE = ("life", "points", "attack", "health", "bodies", "hand", "deck")
# What counts in plain games: keys of the tables that are tuned.
_PLAIN = {
    "own": _SIDE,
    "enemy": _SIDE,
    "prospects": (
        *("crystals", "playable", "unused", "danger", "threat", "finish", "pressure", "mastery"),
    ),
}

Place = tuple[str, str]
"""A table of a file of weights, and a key in it."""


@dataclass(frozen=True)
class WeightSpace:
    """The weights that are tuned, as a point: 0 is the start, 1 is as much again.

    Attributes:
        start: the weights at point 0.
        is_plain: whether all games are plain, so that half of the weights never count.
    """

    start: Weights
    is_plain: bool

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """``[K]`` which weights."""
        told = self.start.model_dump()
        tuned = {
            "search": ("reply", "fresh"),
            **(_PLAIN if self.is_plain else {table: tuple(told[table]) for table in _PLAIN}),
        }
        return tuple((table, key) for table, keys in tuned.items() for key in keys)

    @property
    def n_weights(self) -> int:
        """``K``."""
        return len(self.places)

    @cached_property
    def values(self) -> Floats:
        """``[K]`` at the start."""
        told: dict[str, Any] = self.start.model_dump()
        return np.array([told[table][key] for table, key in self.places], dtype=float)

    @cached_property
    def scale(self) -> Floats:
        """``[K]`` what 1 is of each weight."""
        usual = np.maximum(np.abs(self.values), _LEAST)
        is_reply = [place == ("search", "reply") for place in self.places]
        return np.where(is_reply, _REPLY_SCALE, usual)

    def weights_at(self, point: Floats) -> Weights:
        """The weights, whole numbers, at ``[K]`` a point; beyond `FARTHEST` it is at that."""
        moved = np.rint(self.values + self.scale * np.clip(point, -FARTHEST, FARTHEST))
        told: dict[str, Any] = self.start.model_dump()
        for place, value in zip(self.places, moved.astype(int).tolist(), strict=True):
            low, high = _LIMITS.get(place, (-WEIGHT_MAX, WEIGHT_MAX))
            told[place[0]][place[1]] = min(max(value, low), high)
        return Weights.model_validate({**told, "origin": None})


@dataclass(frozen=True)
class Round:
    """``P`` candidates that are to play.

    A pair of games is one seed in both seatings; places in the order of all pairs say which, so
    candidates that share them share opponents and luck.

    Attributes:
        points: ``[P, K]`` the candidates.
        first_pair: ``[P]`` where the pairs of each begin.
        n_pairs: that each plays.
        best: ``[K]`` what the method holds for the best so far; it pilots `self`.
    """

    points: Floats
    first_pair: Counts
    n_pairs: int
    best: Floats

    @property
    def n_games(self) -> int:
        """Of all candidates together."""
        return 2 * self.n_pairs * len(self.points)


Rounds = Generator[Round, Floats, Floats]
"""Asks rounds, is sent ``[P]`` win rates, and returns the best point ``[K]`` in the end."""


@dataclass(frozen=True)
class Trials:
    """Who plays whom: every deck of the learner, every deck it meets, every agent of the panel.

    Attributes:
        contest: cards and decks.
        learner: which decks, against which.
        settings: nodes and panel.
        run_seed: the run's seed.
        threads: threads to use; default all cores.
    """

    contest: CardContest
    learner: Learner
    settings: TurnSettings
    run_seed: int
    threads: int | None = None

    @cached_property
    def places(self) -> list[tuple[int, int, int]]:
        """``[R]`` the player whose deck is piloted, the one met, and who of the panel pilots it."""
        met = dict.fromkeys((p.deck, p.opponent) for p in pairings(self.contest, self.learner))
        n_panel = len(self.settings.panel)
        return [(deck, opponent, agent) for deck, opponent in met for agent in range(n_panel)]

    @cached_property
    def space(self) -> WeightSpace:
        """The weights that are tuned; in plain games, those that count there."""
        is_plain = not self.contest.table.is_general(self.contest.deck_rows).any()
        return WeightSpace(load_weights(self.settings.start), is_plain)

    def pilot(self, point: Floats, name: str = "candidate") -> Agent:
        """The search by the weights at ``[K]`` a point."""
        return turn_agent(name, self.space.weights_at(point).parameters(self.settings.nodes))

    def panel(self, best: Floats) -> list[Agent]:
        """Who pilots the opponents' decks."""
        own = {SELF: best, START: np.zeros(self.space.n_weights)}
        return [
            self.pilot(own[name], name) if name in own else agent_named(name)
            for name in self.settings.panel
        ]

    def rates(self, asked: Round, purpose: str) -> Floats:
        """``[P]`` share of points that each candidate of a round gets."""
        pilots = [self.pilot(point) for point in asked.points]
        rows = [self._rows(int(first), asked.n_pairs) for first in asked.first_pair]
        won = self.points(pilots, self.panel(asked.best), rows, purpose)
        return np.array([points.sum() for points in won]) / (2 * asked.n_pairs)

    def _rows(self, first_pair: int, n_pairs: int) -> Counts:
        """``[R, 2]`` for each place the first of its seeds, and how many."""
        place = np.arange(len(self.places))
        ends = [(pair - place + len(place) - 1) // len(place) for pair in
                (first_pair, first_pair + n_pairs)]  # fmt: skip
        return np.stack([ends[0], ends[1] - ends[0]], axis=1)

    def points(
        self,
        pilots: Sequence[Agent],
        panel: Sequence[Agent],
        rows: Sequence[Counts],
        purpose: str,
    ) -> list[Floats]:
        """Of each pilot, ``[n_pairs]`` points of its pairs of games, 0 to 2, place after place.

        Args:
            pilots: ``P`` of them.
            panel: who pilots the opponents' decks.
            rows: of each pilot, ``[R, 2]`` the first seed of each place, and how many.
            purpose: names the stream of game seeds.
        """
        n_decks = len(self.contest.players)
        decks = self.contest.deck_rows
        agents = [agent for agent in (*pilots, *panel) for _ in range(n_decks)]
        place = np.array(self.places)
        met = (len(pilots) + place[:, 2]) * n_decks + place[:, 1]
        seats = []
        for pilot in range(len(pilots)):
            own = pilot * n_decks + place[:, 0]
            seats += [np.stack([own, met], axis=1), np.stack([met, own], axis=1)]
        # of each pilot all places as the first seat, then all as the second
        told = np.concatenate([np.concatenate([one, one]) for one in rows])
        batch = Batch(
            decks=np.tile(decks, (len(agents) // n_decks, 1)),
            variant=np.zeros(len(told), dtype=np.int64),
            seats=np.concatenate(seats),
            n_games=told[:, 1],
            first_game=told[:, 0],
            stream=stream_seed(self.run_seed, purpose),
        )
        outcomes = play(
            *(batch, self.contest.table, agents),
            threads=self.threads,
            keep="winner",
            faults="keep",
        )
        winners = kept(outcomes.winners)
        ends = np.cumsum([2 * int(one[:, 1].sum()) for one in rows])
        return [_points(of_pilot) for of_pilot in np.split(winners, ends[:-1])]


def _points(winners: np.ndarray[tuple[int], np.dtype[np.int8]]) -> Floats:
    """``[n]`` points of pairs, from ``[2 n]`` results: all in the first seat, then the second."""
    first, second = winners.reshape(2, -1)
    shared = 0.5 * ((first == DRAWN).astype(float) + (second == DRAWN))
    return np.asarray(shared + (first == 0) + (second == 1))
