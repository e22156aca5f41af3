"""Games for tuning weights: the space of the weights, rounds of candidates, and their results."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from agents.registry import agent_named
from agents.roster.turn import turn_agent
from agents.search.turn.weights import WEIGHT_MAX, Weights, load_weights
from balance.cards.card_contest import CardContest
from balance.learning.learner import Learner, pairings
from balance.statistics.intervals import Counts, Floats
from balance.tuning.settings import SELF, START, TurnSettings
from sim.play import Agent, Batch, play
from sim.play.outcomes import DRAWN, kept
from sim.seeds import stream_seed

FARTHEST = 2.0  # maximum coordinate: a weight may become -1 to 3 times its start; chosen by hand
_LEAST = 10  # minimum scale of a weight, so that a weight of 0 can move; chosen by hand
_LIMITS = {("search", "reply"): (0, 16)}  # narrower limits than those of all other weights
_REPLY_SCALE = 5  # scale of `reply`, about a third of its range; chosen by hand

_SIDE = ("life", "points", "attack", "health", "bodies", "hand", "deck")
# Weights of features that can occur in plain games, by table.
_PLAIN = {
    "own": _SIDE,
    "enemy": _SIDE,
    "prospects": (
        *("crystals", "playable", "unused", "danger", "threat", "finish", "pressure", "mastery"),
    ),
}

Place = tuple[str, str]
"""Place of a weight in a weights file: name of a table, and key in this table."""


@dataclass(frozen=True)
class WeightSpace:
    """Space of the tuned weights, in which point 0 stands for the initial weights.

    A coordinate of 1 adds the scale of a weight, which is usually its absolute initial value.

    Attributes:
        start: weights with which the tuning starts.
        is_plain: whether all games are plain, so that only weights for plain games are tuned.
    """

    start: Weights
    is_plain: bool

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """Places of the tuned weights in a weights file, ``K`` of them, in the order of points."""
        start = self.start.model_dump()
        tuned = {
            "search": ("reply", "fresh"),
            **(_PLAIN if self.is_plain else {table: tuple(start[table]) for table in _PLAIN}),
        }
        return tuple((table, key) for table, keys in tuned.items() for key in keys)

    @property
    def n_weights(self) -> int:
        """Number of tuned weights, ``K``."""
        return len(self.places)

    @cached_property
    def values(self) -> Floats:
        """Initial values of the tuned weights, shape ``[K]``."""
        start: dict[str, Any] = self.start.model_dump()
        return np.array([start[table][key] for table, key in self.places], dtype=float)

    @cached_property
    def scale(self) -> Floats:
        """Change of each weight per unit of its coordinate, shape ``[K]``.

        The scale of a weight is its absolute initial value, but at least 10; that of `reply` is 5.
        """
        sizes = np.maximum(np.abs(self.values), _LEAST)
        is_reply = [place == ("search", "reply") for place in self.places]
        return np.where(is_reply, _REPLY_SCALE, sizes)

    def weights_at(self, point: Floats) -> Weights:
        """Return the weights at a point, rounded to whole numbers and clipped to their limits.

        Args:
            point: point of the space, clipped to -`FARTHEST`..`FARTHEST`, shape ``[K]``.
        """
        moved = np.rint(self.values + self.scale * np.clip(point, -FARTHEST, FARTHEST))
        weights: dict[str, Any] = self.start.model_dump()
        for place, value in zip(self.places, moved.astype(int).tolist(), strict=True):
            low, high = _LIMITS.get(place, (-WEIGHT_MAX, WEIGHT_MAX))
            weights[place[0]][place[1]] = min(max(value, low), high)
        return Weights.model_validate({**weights, "origin": None})


@dataclass(frozen=True)
class Round:
    """Games to be played by ``P`` candidates in one round of tuning.

    A pair of games uses one seed in both seatings. The number of a pair determines its decks,
    opponent and seed, so candidates that play the same pairs can be compared.

    Attributes:
        points: points of the candidates, shape ``[P, K]``.
        first_pair: number of each candidate's first pair, shape ``[P]``.
        n_pairs: number of consecutive pairs that each candidate plays.
        best: best point so far, shape ``[K]``, used by the opponent `self`.
    """

    points: Floats
    first_pair: Counts
    n_pairs: int
    best: Floats

    @property
    def n_games(self) -> int:
        """Total number of games of all candidates in the round."""
        return 2 * self.n_pairs * len(self.points)


Rounds = Generator[Round, Floats, Floats]
"""Generator of rounds, to which win rates, shape ``[P]``, are sent.

The generator returns the best point, shape ``[K]``.
"""


@dataclass(frozen=True)
class Trials:
    """Games in which a learner's candidates are compared.

    All combinations of a deck of the learner, a deck of an opponent, and an agent of the panel are
    played.

    Attributes:
        contest: cards and players.
        learner: learner with its decks and opponents.
        settings: settings of the tuning.
        run_seed: seed of the run.
    """

    contest: CardContest
    learner: Learner
    settings: TurnSettings
    run_seed: int

    @cached_property
    def places(self) -> list[tuple[int, int, int]]:
        """Kinds of games, ``R`` of them, each as three indices.

        The indices are those of the player with the own deck, of the player with the opponent's
        deck, and of the opponent's agent in the panel.
        """
        met = dict.fromkeys(
            (pairing.deck, pairing.opponent) for pairing in pairings(self.contest, self.learner)
        )
        n_panel = len(self.settings.panel)
        return [(deck, opponent, agent) for deck, opponent in met for agent in range(n_panel)]

    @cached_property
    def space(self) -> WeightSpace:
        """Space of the tuned weights: if all games are plain, only the weights for plain games."""
        is_plain = not self.contest.table.is_general(self.contest.deck_rows).any()
        return WeightSpace(load_weights(self.settings.start), is_plain)

    def pilot(self, point: Floats, name: str = "candidate") -> Agent:
        """Return a turn search with the weights at a point of the space.

        Args:
            point: point of the space, shape ``[K]``.
            name: name of the agent.
        """
        return turn_agent(name, self.space.weights_at(point).parameters(self.settings.nodes))

    def panel(self, best: Floats) -> list[Agent]:
        """Return the agents of the panel, in the order of the settings.

        Args:
            best: point of the weights of `self`, shape ``[K]``.
        """
        own = {SELF: best, START: np.zeros(self.space.n_weights)}
        return [
            self.pilot(own[name], name) if name in own else agent_named(name)
            for name in self.settings.panel
        ]

    def rates(self, round_: Round, purpose: str) -> Floats:
        """Play a round and return each candidate's win rate, shape ``[P]``; draws count half.

        Args:
            round_: candidates and their games.
            purpose: name of the stream of game seeds.
        """
        pilots = [self.pilot(point) for point in round_.points]
        rows = [self._rows(int(first), round_.n_pairs) for first in round_.first_pair]
        won = self.points(pilots, self.panel(round_.best), rows, purpose)
        return np.array([points.sum() for points in won]) / (2 * round_.n_pairs)

    def _rows(self, first_pair: int, n_pairs: int) -> Counts:
        """Return the first seed and the number of seeds of each kind of games, shape ``[R, 2]``.

        Pairs are assigned to the kinds of games in turn.

        Args:
            first_pair: number of the first pair.
            n_pairs: number of pairs.
        """
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
        """Play pairs of games and return each pilot's points per pair, from 0 to 2.

        Args:
            pilots: agents that play the learner's decks, ``P`` of them.
            panel: agents that play the opponents' decks.
            rows: for each pilot, first seed and number of seeds of each kind of games, shape
                ``[R, 2]``.
            purpose: name of the stream of game seeds.

        Returns:
            For each pilot, its points in each pair, shape ``[n_pairs]``. Pairs are ordered by kind
            of games, then by seed.
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
        # Each pilot plays all kinds of games in the first seat, then all in the second.
        seeds = np.concatenate([np.concatenate([own_rows, own_rows]) for own_rows in rows])
        batch = Batch(
            decks=np.tile(decks, (len(agents) // n_decks, 1)),
            variant=np.zeros(len(seeds), dtype=np.int64),
            seats=np.concatenate(seats),
            n_games=seeds[:, 1],
            first_game=seeds[:, 0],
            stream=stream_seed(self.run_seed, purpose),
        )
        outcomes = play(
            *(batch, self.contest.table, agents),
            keep="winner",
            faults="keep",
        )
        winners = kept(outcomes.winners)
        ends = np.cumsum([2 * int(own_rows[:, 1].sum()) for own_rows in rows])
        return [_points(of_pilot) for of_pilot in np.split(winners, ends[:-1])]


def _points(winners: np.ndarray[tuple[int], np.dtype[np.int8]]) -> Floats:
    """Return a pilot's points in each pair of games, from 0 to 2, shape ``[n]``.

    Args:
        winners: seat of the winner, or `DRAWN`, first of the ``n`` games with the pilot in seat 0,
            then of the ``n`` games with the pilot in seat 1; shape ``[2 * n]``.
    """
    first, second = winners.reshape(2, -1)
    shared = 0.5 * ((first == DRAWN).astype(float) + (second == DRAWN))
    return np.asarray(shared + (first == 0) + (second == 1))
