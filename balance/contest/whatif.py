"""Exploration of edits: win rates and their changes, from games that are stored and reused.

All edits are played on one stream of seeds, so changes are much more precise than the rates. The
games of each matchup are stored by the edits that can affect it. Therefore undoing an edit takes no
games, an edit takes games only in the matchups that it affects, and a request for more games plays
only the missing ones. The results depend on the edits and the number of games, and not on the order
of requests.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import NamedTuple

import numpy as np

from balance.contest.contest import Contest
from balance.contest.demands import Demands
from balance.contest.readings import SeatReadings
from balance.statistics.intervals import CONFIDENCE, Flags, Floats, Interval
from sim.play.table import Gene

STREAM = "whatif"
"""Name of the stream of game seeds for explorations."""

Edits = Mapping[Gene, int]
"""Steps from the baseline by number; numbers that are not listed have their baseline values."""


class Step(NamedTuple):
    """Change of one number from its current value.

    Attributes:
        gene: number of a card or of the rules.
        by: difference from the current value.
    """

    gene: Gene
    by: int


_Inputs = tuple[int, tuple[tuple[Gene, int], ...]]
"""Inputs of the games of a matchup other than their seeds: the number of the contest with its cards
and rules, and the edits that can affect the matchup. Equal inputs give equal games.
"""


@dataclass(frozen=True)
class Explored:
    """Games of all ``M`` matchups of a contest with given edits.

    Attributes:
        readings: readings of one candidate; for games of two seats they include the rate of the
            first seat.
        inputs: inputs of the games of each matchup, ``[M]``.
    """

    readings: SeatReadings
    inputs: tuple[_Inputs, ...]

    @property
    def n_games(self) -> int:
        """Number of games per matchup."""
        return self.readings.n_games

    def can_differ(self, other: Explored) -> Flags:
        """Return whether each matchup's games can differ from those with other edits, ``[M]``."""
        return np.array([a != b for a, b in zip(self.inputs, other.inputs, strict=True)])

    def rates(self, demands: Demands) -> Interval:
        """Return the demanded rates with 95 % intervals, shape ``[N]``."""
        return demands.read(self.readings, CONFIDENCE).at(0)

    def change_from(self, other: Explored, demands: Demands) -> Interval:
        """Return the changes of the demanded rates from other games to these, shape ``[N]``.

        Args:
            other: games with other edits, as many as these and on equal seeds.
            demands: demanded rates.

        Returns:
            Differences of shares with paired 95 % intervals.
        """
        can_differ = self.can_differ(other)[np.newaxis]
        return demands.change(self.readings, other.readings, can_differ).at(0)


@dataclass(frozen=True)
class Exploration:
    """Exploration of edits of a contest, which stores all games played so far.

    Attributes:
        contest: players, matchups and baseline numbers.
        run_seed: seed of the run; the stream of game seeds is `STREAM`.
    """

    contest: Contest
    run_seed: int
    _kept: dict[tuple[int, _Inputs], Floats] = field(default_factory=dict, repr=False)
    _origins: tuple[int, ...] = ()
    """Number of the contest in which the games of each matchup are played, ``[M]``.

    Empty if all games are played in the first contest, which has the number 0.
    """
    _numbers: Iterator[int] = field(default_factory=lambda: count(1), repr=False)
    """Generator of the numbers of further contests, shared by all derived explorations."""

    def with_contest(self, contest: Contest) -> Exploration:
        """Return an exploration of the same players with other cards or rules, on the same seeds.

        Both explorations share the stored games of matchups that have the same games in both
        contests.

        Args:
            contest: contest with the same matchups.

        Raises:
            ValueError: the contest has other matchups.
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
        """Return the games of all matchups with given edits; only missing games are played.

        Args:
            edits: steps of the edited numbers; steps of 0 are ignored.
            n_games: games per matchup, a multiple of the number of seatings, of at least two seeds.

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
        """Return the change of one demanded rate by each of ``E`` single steps, shape ``[E]``.

        Each step is played on the same seeds as the current edits, so few games suffice. Only
        matchups that are part of the rate and that the number can affect are played.

        Args:
            edits: current edits, to which each step is added.
            steps: steps, each added alone, ``[E]``.
            demand: demands with a single rate.
            n_games: games per matchup, a multiple of the number of seatings.

        Returns:
            Changes as differences of shares; NaN for a step with which games never end.
        """
        contest = self.contest
        # Matchups that a step cannot affect keep the results of the current edits.
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
                faults="keep",
            ).shares_by_seed()[:, 0]
        stepped = type(base).with_faults(shares)
        after = demand.of(demand.rates(stepped))[:, 0]
        before = demand.of(demand.rates(base))[:, 0]
        return np.asarray(after - before)

    def n_kept(self, edits: Edits) -> int:
        """Return the number of games with given edits that are stored for every matchup."""
        kept = [self._kept.get(key) for key in enumerate(self._inputs_of(_canonical(edits)))]
        return min((0 if shares is None else shares.size for shares in kept), default=0)

    def keep_only(self, sets: Iterable[Edits]) -> None:
        """Delete all stored games except those with given sets of edits."""
        wanted = {key for edits in sets for key in enumerate(self._inputs_of(_canonical(edits)))}
        for key in self._kept.keys() - wanted:
            del self._kept[key]

    def _inputs_of(self, edits: Edits) -> tuple[_Inputs, ...]:
        """Return the inputs of the games of each matchup other than their seeds, ``[M]``.

        Args:
            edits: edits in canonical form.
        """
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
        """Play and store the games that are not stored yet.

        Matchups with the same number of stored games are played in one batch.

        Args:
            edits: edits in canonical form.
            inputs: inputs of the games of each matchup, ``[M]``.
            n_seeds: number of seeds that every matchup needs.
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
            )
            for m, shares in zip(matchups, readings.shares_by_seed()[0], strict=True):
                key = m, inputs[m]
                self._kept[key] = np.append(self._kept[key], shares, -1) if n_kept else shares


def _canonical(edits: Edits) -> Edits:
    """Return edits without steps of 0, sorted by number, so that equal edits have equal form."""
    return {gene: step for gene, step in sorted(edits.items()) if step}


class _PairReadings(SeatReadings):
    """Readings of games with two seats, which include the rate of the first seat."""

    def first_seat_by_seed(self) -> Floats:
        """Return the rate of the first seat in the games of each seed, shape ``[V, M, S]``."""
        return np.asarray((self.shares[..., 0, :] + 1 - self.shares[..., 1, :]) / 2)
