"""Trial of a simulator: whether its games are repeatable, and what equal seeds are worth."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, islice
from typing import NamedTuple

import numpy as np

from balance.statistics.intervals import Flags, Floats, Interval, rate_over_seeds
from sim.errors import InputError
from sim.seeds import numbers_of, stream_seed
from sim.simulator.block import DRAWN, Block, Played, Value
from sim.simulator.parameter_entry import ParameterEntry, decimal
from sim.simulator.simulator import Simulator

# Seconds of games after which the speed is known well enough to choose the size of the trial.
_TIMED_S = 1.0
# Games that are timed at most, and at least.
_TIMED_MAX = 2_000
_TIMED_MIN = 4

# Seconds that one pass over all groups of players should take; a trial has about twenty passes.
_PASS_S = 4.0
# Seeds of each group in a pass. With 400, a share of 5 % is known to 0.5 points over six pairs.
_SEEDS_MAX = 400
_SEEDS_MIN = 10

# Groups of players that are tried: all pairs of four players.
_GROUPS_MAX = 6
# Parameters that are tried, spread evenly over all.
_PARAMETERS_MAX = 12


class Compared(NamedTuple):
    """Comparison of games on equal seeds.

    Attributes:
        n_games: number of compared games.
        n_changed: number of games that differ.
        share: share of changed games with its interval.
        squares: sum over the games of the squared change of the first seat's points.
        example: one of the changed games, by its players and seed; `""` if none is named.
    """

    n_games: int
    n_changed: int
    share: Interval
    squares: float
    example: str = ""


class EditedParameter(NamedTuple):
    """Effect of one step of a parameter.

    Attributes:
        name: name of the parameter.
        value: value in the baseline.
        edited: neighbouring value.
        games: comparison of the games of the players that the parameter can affect; `None` if the
            value is infeasible.
    """

    name: str
    value: Value
    edited: Value
    games: Compared | None


@dataclass(frozen=True)
class CheckedGame:
    """Game of a simulator that is tried.

    Attributes:
        simulator: what plays the games.
        parameters: declaration of every parameter, by name.
        players: names of the players.
        seed: run seed; the stream of game seeds is `simulator_check`.
    """

    simulator: Simulator
    parameters: Mapping[str, ParameterEntry]
    players: tuple[str, ...]
    seed: int = 1

    @property
    def baseline(self) -> dict[str, Value]:
        """Value of every parameter in the baseline, by name."""
        return {name: entry.value for name, entry in self.parameters.items()}

    @cached_property
    def games_per_s(self) -> float:
        """Games in a second, measured by the first group of players."""
        n_games = _TIMED_MIN
        # The first games start processes and load code, which a long run does once.
        _ = self._played(self._blocks(n_games, n_groups=1))
        while True:
            blocks = self._blocks(n_games, n_groups=1)
            began_s = time.monotonic()
            _ = self._played(blocks)
            seconds = time.monotonic() - began_s
            if seconds >= _TIMED_S or n_games >= _TIMED_MAX:
                return sum(block.n_games for block in blocks) / max(seconds, 1e-9)
            n_games *= 4

    @cached_property
    def blocks(self) -> list[Block]:
        """Games of one pass: all groups of players in all seatings, with the baseline numbers."""
        n_blocks = len(self._blocks(0))
        n_seeds = int(self.games_per_s * _PASS_S / n_blocks)
        return self._blocks(min(max(n_seeds, _SEEDS_MIN), _SEEDS_MAX))

    @cached_property
    def played(self) -> list[Played]:
        """Results of one pass.

        Raises:
            InputError: the baseline is infeasible.
        """
        results = self._played(self.blocks)
        for block, played in zip(self.blocks, results, strict=True):
            if played.infeasible:
                raise InputError(
                    f"the baseline cannot be played ({played.infeasible})",
                    place=" vs ".join(block.players),
                    value=played.infeasible,
                )
        return results

    def _blocks(self, n_seeds: int, n_groups: int = _GROUPS_MAX) -> list[Block]:
        """Return the games of some groups of players in all rotations of their seats."""
        n_seats = self.simulator.n_seats
        players = self.players
        while len(players) < n_seats:
            players = (*players, *self.players)
        seeds = numbers_of(stream_seed(self.seed, "simulator_check"), np.arange(n_seeds))
        return [
            Block(self.baseline, (*group[turn:], *group[:turn]), seeds)
            for group in islice(combinations(players, n_seats), n_groups)
            for turn in range(n_seats)
        ]

    def _played(self, blocks: Sequence[Block]) -> list[Played]:
        """Return the results of blocks, in their order."""
        played = dict(self.simulator.play(blocks))
        return [played[position] for position in range(len(blocks))]

    def repeated(self) -> Compared:
        """Play all games twice, and compare."""
        return self._compared_with(self._played(self.blocks))

    def reordered(self) -> Compared:
        """Play all games in the opposite order, in blocks of half the size, and compare."""
        halves = [
            block._replace(seeds=seeds)
            for block in self.blocks[::-1]
            for seeds in np.array_split(block.seeds[::-1], 2)
        ]
        played = self._played(halves)
        joined = [_joined(played[at + 1], played[at]) for at in range(0, len(played), 2)]
        return self._compared_with(joined[::-1])

    def _compared_with(self, others: Sequence[Played]) -> Compared:
        """Return how many games of one pass differ from other results of them, with an example."""
        compared = _compared(self.played, others, _has_other_result)
        for block, one, other in zip(self.blocks, self.played, others, strict=True):
            if (changed := _has_other_result(one, other)).any():
                example = f"players {', '.join(block.players)}, seed {block.seeds[changed][0]}"
                return compared._replace(example=example)
        return compared

    def first_seat(self) -> Interval:
        """Return the share of points of the first seat, over all groups and seatings."""
        return rate_over_seeds(np.mean([_points(played) for played in self.played], axis=0))

    def edits(self) -> Iterator[EditedParameter]:
        """Yield the effect of one step of some parameters, spread evenly over all."""
        movable = {
            name: edited
            for name, entry in self.parameters.items()
            if (edited := _neighbour(entry)) is not None
        }
        places = np.linspace(0, len(movable) - 1, min(len(movable), _PARAMETERS_MAX))
        names = list(movable)
        for name in [names[place] for place in places.round().astype(int).tolist()]:
            entry = self.parameters[name]
            concerned = [
                position
                for position, block in enumerate(self.blocks)
                if not entry.players or not set(entry.players).isdisjoint(block.players)
            ]
            played = self._edited(concerned, {name: movable[name]})
            games = None
            if concerned and not any(results.infeasible for results in played):
                games = _compared([self.played[at] for at in concerned], played, _has_other_winner)
            yield EditedParameter(name, entry.value, movable[name], games)

    def _edited(self, positions: Sequence[int], changes: Mapping[str, Value]) -> list[Played]:
        """Return the results of some blocks with other numbers."""
        numbers = {**self.baseline, **changes}
        return self._played([self.blocks[at]._replace(numbers=numbers) for at in positions])

    def infeasible(self, end: str) -> str:
        """Return why all parameters at one end of their ranges are infeasible; empty if played.

        Args:
            end: name of the end, `low` or `high`.
        """
        numbers = {
            name: entry.choices[-(end == "high")] if entry.choices else getattr(entry, end)
            for name, entry in self.parameters.items()
        }
        changes = {name: value for name, value in numbers.items() if value is not None}
        (played,) = self._edited([0], changes)
        return played.infeasible

    def saving(self, edits: Sequence[EditedParameter]) -> float | None:
        """Return how many times fewer games comparisons need because games share their seeds.

        It is the variance of the difference of independent games, divided by the mean square of the
        difference of games on equal seeds.

        Args:
            edits: effects of single steps.

        Returns:
            The factor; `None` if no game was won by another seat.
        """
        compared = [edit.games for edit in edits if edit.games is not None]
        squares = sum(games.squares for games in compared)
        if not squares:
            return None
        variance = float(np.mean([_points(played).var() for played in self.played]))
        return 2 * variance * sum(games.n_games for games in compared) / squares


def _neighbour(entry: ParameterEntry) -> Value | None:
    """Return a neighbouring value of a parameter within its range; `None` if it is fixed."""
    if entry.choices:
        place = entry.choices.index(str(entry.value))
        return entry.choices[place + 1 if place + 1 < len(entry.choices) else place - 1]
    value = decimal(entry.value)
    for bound, sign in ((entry.high, 1), (entry.low, -1)):
        if bound is not None and bound != entry.value:
            moved = value + sign * entry.step_size
            is_whole = isinstance(entry.value, int) and moved == moved.to_integral_value()
            return int(moved) if is_whole else float(moved)
    return None


def _points(played: Played) -> Floats:
    """Return the points of the first seat in each game, a draw counted half, ``[S]``."""
    return np.where(played.winners == DRAWN, 0.5, np.where(played.winners == 0, 1.0, 0.0))


def _compared(
    first: Sequence[Played], second: Sequence[Played], differ: Callable[[Played, Played], Flags]
) -> Compared:
    """Return how many games differ, over blocks with the same seeds.

    Args:
        first: results of some blocks.
        second: other results of the same blocks.
        differ: function that returns whether each game of a block differs, ``[S]``.
    """
    changed = np.stack([differ(one, other) for one, other in zip(first, second, strict=True)])
    moved = [_points(one) - _points(other) for one, other in zip(first, second, strict=True)]
    return Compared(
        n_games=changed.size,
        n_changed=int(changed.sum()),
        share=rate_over_seeds(changed.mean(axis=0)),
        squares=float(np.square(moved).sum()),
    )


def _has_other_winner(one: Played, other: Played) -> Flags:
    """Return whether each game has another winner, ``[S]``."""
    return np.asarray(one.winners != other.winners)


def _has_other_result(one: Played, other: Played) -> Flags:
    """Return whether each game has another winner or other points, ``[S]``."""
    changed = _has_other_winner(one, other)
    if one.points is not None and other.points is not None:
        changed = changed | (one.points != other.points).any(axis=1)
    return np.asarray(changed)


def _joined(first: Played, second: Played) -> Played:
    """Return the results of two halves of a block with reversed seeds, in the original order."""
    points = None
    if first.points is not None and second.points is not None:
        points = np.concatenate([first.points[::-1], second.points[::-1]])
    winners = np.concatenate([first.winners[::-1], second.winners[::-1]])
    return Played(winners, points=points)
