"""Exploration: win rates under any edits and their changes, from games that are kept and reused.

All edits are played on one stream of seeds, so changes are much more precise than the rates
themselves. The games of each matchup are kept by the edits that its players can reach: undoing an
edit takes no games, a matchup without the edited card keeps its games, and a request for more games
plays only those that are missing. The results depend on edits and number of games alone, not on the
order of requests.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import NamedTuple

import numpy as np

from balance.contest import Contest
from balance.demands import Demands
from balance.readings import SeatReadings
from balance.statistics.intervals import CONFIDENCE, Flags, Floats, Interval
from sim.play.table import Gene

STREAM = "whatif"
"""Name of the stream of game seeds."""

Edits = Mapping[Gene, int]
"""Numbers with their steps from the baseline; all other numbers have their baseline values."""


class Step(NamedTuple):
    """A move of one number.

    Attributes:
        gene: the number.
        by: steps from its current value.
    """

    gene: Gene
    by: int


_Inputs = tuple[int, tuple[tuple[Gene, int], ...]]
"""All that the games of a matchup depend on except their seeds: the contest with its cards and
rules, by number, and the edits that the matchup can reach."""


@dataclass(frozen=True)
class Explored:
    """Games of all ``M`` matchups with some edits.

    Attributes:
        readings: readings of one candidate; those of two seats include the first seat's.
        inputs: all that the games of each matchup depend on except their seeds, ``[M]``.
    """

    readings: SeatReadings
    inputs: tuple[_Inputs, ...]

    @property
    def n_games(self) -> int:
        """Games per matchup."""
        return self.readings.n_games

    def can_differ(self, other: Explored) -> Flags:
        """Return whether games of a matchup can differ from another exploration's, ``[M]``."""
        return np.array([a != b for a, b in zip(self.inputs, other.inputs, strict=True)])

    def rates(self, demands: Demands) -> Interval:
        """Return the demanded rates with intervals, ``[N]``."""
        return demands.read(self.readings, CONFIDENCE).at(0)

    def change_from(self, other: Explored, demands: Demands) -> Interval:
        """Return the changes of the demanded rates from another exploration's, ``[N]``.

        Args:
            other: equally many games on equal seeds.
            demands: demanded rates.
        """
        can_differ = self.can_differ(other)[np.newaxis]
        return demands.change(self.readings, other.readings, can_differ).at(0)


@dataclass(frozen=True)
class Exploration:
    """A contest with any edits, and the games played with them so far.

    Attributes:
        contest: players, matchups and baseline numbers.
        run_seed: seed of the run; games come from its stream `whatif`.
        threads: number of threads; default all cores.
    """

    contest: Contest
    run_seed: int
    threads: int | None = None
    _kept: dict[tuple[int, _Inputs], Floats] = field(default_factory=dict, repr=False)
    _origins: tuple[int, ...] = ()
    """Number of the contest that gives each matchup its cards; empty if all are of the first."""
    _numbers: Iterator[int] = field(default_factory=lambda: count(1), repr=False)
    """Numbers of further contests, shared by all explorations derived from one."""

    def with_contest(self, contest: Contest) -> Exploration:
        """Return an exploration of the same players with other cards or rules, on the same seeds.

        Matchups that play alike in both contests share their games.

        Args:
            contest: contest with the same matchups.

        Raises:
            ValueError: it has other matchups.
        """
        if contest.matchup_names != self.contest.matchup_names:
            raise ValueError("both contests must have the same matchups")
        number = next(self._numbers)
        plays_alike = self.contest.plays_alike(contest)
        current = self._origins or (0,) * len(plays_alike)
        origins = tuple(
            own if alike else number for own, alike in zip(current, plays_alike, strict=True)
        )
        return replace(self, contest=contest, _origins=origins)

    def explore(self, edits: Edits, n_games: int) -> Explored:
        """Return the games of all matchups with some edits; only missing games are played.

        Args:
            edits: steps of the edited numbers; a step of 0 is no edit.
            n_games: games per matchup, equally many in every seating, of at least two seeds.

        Raises:
            InputError: the number of games is not permitted.
            CardFault: games with these edits never end.
        """
        n_games = self.contest.checked_games(n_games)
        n_seatings = self.contest.n_seatings
        moved = _canonical(edits)
        inputs = self._inputs_of(moved)
        n_seeds = n_games // n_seatings
        self._play_missing(moved, inputs, n_seeds)
        shares = [self._kept[key][:, :n_seeds] for key in enumerate(inputs)]
        kind = _PairReadings if n_seatings == 2 else SeatReadings
        return Explored(kind.of(np.stack(shares)[np.newaxis]), inputs)

    def changes_by_steps(
        self, edits: Edits, steps: Sequence[Step], demand: Demands, n_games: int
    ) -> Floats:
        """Return the change of a demanded rate by each step, ``[E]``; NaN if games never end.

        Steps are played on the same seeds as the current edits, so few games suffice, and only in
        matchups that belong to the rate and that the number can reach.

        Args:
            edits: current edits, from which each step is taken.
            steps: steps to try, one at a time.
            demand: demands with a single rate.
            n_games: games per matchup, equally many in every seating.
        """
        contest = self.contest
        # Matchups that a step cannot reach keep the results of the current edits.
        base = self.explore(edits, n_games).readings
        genes = [*dict.fromkeys([*edits, *(step.gene for step in steps)])]
        moved = np.tile(np.array([edits.get(gene, 0) for gene in genes], np.int16), (len(steps), 1))
        for row, step in zip(moved, steps, strict=True):
            row[genes.index(step.gene)] += step.by
        is_part = demand.touched(np.eye(len(contest.matchups), dtype=np.bool_))[:, 0] > 0
        reach = contest.matchup_reach([step.gene for step in steps])
        shares = np.repeat(base.shares_by_seed(), len(steps), axis=0)
        for m in np.flatnonzero(is_part & reach.any(axis=0)):
            reached = np.flatnonzero(reach[:, m])
            shares[reached, m] = contest.play(
                moved[reached],
                genes,
                n_games=n_games,
                run_seed=self.run_seed,
                purpose=STREAM,
                matchups=[contest.matchups[m]],
                threads=self.threads,
                faults="keep",
            ).shares_by_seed()[:, 0]
        stepped = type(base).with_faults(shares)
        after = demand.of(demand.rates(stepped))[:, 0]
        before = demand.of(demand.rates(base))[:, 0]
        return np.asarray(after - before)

    def n_kept(self, edits: Edits) -> int:
        """Return the games per matchup with some edits that all matchups have already."""
        kept = [self._kept.get(key) for key in enumerate(self._inputs_of(_canonical(edits)))]
        return min((0 if shares is None else shares.size for shares in kept), default=0)

    def keep_only(self, sets: Iterable[Edits]) -> None:
        """Forget all games except those with some sets of edits."""
        wanted = {key for edits in sets for key in enumerate(self._inputs_of(_canonical(edits)))}
        for key in self._kept.keys() - wanted:
            del self._kept[key]

    def _inputs_of(self, edits: Edits) -> tuple[_Inputs, ...]:
        """Return all that the games of each matchup depend on except their seeds, ``[M]``."""
        origins = self._origins or (0,) * len(self.contest.matchups)
        genes = [*edits]
        if not genes:
            return tuple((origin, ()) for origin in origins)
        reach = self.contest.matchup_reach(genes)
        return tuple(
            (origin, tuple((genes[k], edits[genes[k]]) for k in np.flatnonzero(reached)))
            for origin, reached in zip(origins, reach.T, strict=True)
        )

    def _play_missing(self, edits: Edits, inputs: tuple[_Inputs, ...], n_seeds: int) -> None:
        """Play the games that are not kept yet; matchups that lack equally many share a batch.

        Args:
            edits: steps of the edited numbers.
            inputs: all that the games of each matchup depend on.
            n_seeds: number of seeds wanted.
        """
        by_n_kept = dict[int, list[int]]()
        for m, matchup_inputs in enumerate(inputs):
            n_kept = (
                self._kept[m, matchup_inputs].shape[-1] if (m, matchup_inputs) in self._kept else 0
            )
            if n_kept < n_seeds:
                by_n_kept.setdefault(n_kept, []).append(m)
        for n_kept, matchups in by_n_kept.items():
            readings = self.contest.play(
                np.array([[*edits.values()]], dtype=np.int16),
                [*edits],
                n_games=(n_seeds - n_kept) * self.contest.n_seatings,
                run_seed=self.run_seed,
                purpose=STREAM,
                first_game=n_kept,
                matchups=[self.contest.matchups[m] for m in matchups],
                threads=self.threads,
            )
            for m, shares in zip(matchups, readings.shares_by_seed()[0], strict=True):
                key = m, inputs[m]
                self._kept[key] = np.append(self._kept[key], shares, -1) if n_kept else shares


def _canonical(edits: Edits) -> Edits:
    """Return edits without steps of 0, in a canonical order."""
    return {gene: step for gene, step in sorted(edits.items()) if step}


class _PairReadings(SeatReadings):
    """Readings of games with two seats, from which the first seat's rate is known."""

    def first_seat_by_seed(self) -> Floats:
        """Return the rate of the player who moves first by seed, ``[V, M, S]``."""
        return np.asarray((self.shares[..., 0, :] + 1 - self.shares[..., 1, :]) / 2)
