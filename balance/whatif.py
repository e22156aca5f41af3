"""What if: win rates under any edits, and what they change, from games that are kept.

All edits are played on one stream of seeds, so a change is told far better than the rates
themselves. Of each matchup games are kept by the edits that its players can reach: an edit taken
back costs nothing, a matchup without the edited card keeps its games, and more games are only
those that are missing. So numbers hang on edits and games alone, not on the way that led there.
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

Edits = Mapping[Gene, int]
"""Numbers, and how many steps each is from today's; the others are today's."""


class Step(NamedTuple):
    """A number, and how far it moves from where it is."""

    gene: Gene
    by: int


_Told = tuple[int, tuple[tuple[Gene, int], ...]]  # cards of whom, and which edits of them


@dataclass(frozen=True)
class Explored:
    """Games of all ``M`` matchups with some edits.

    Attributes:
        readings: of one candidate; those of two seats tell of the first.
        told_by: ``[M]`` what the games of a matchup hung on besides their seeds.
    """

    readings: SeatReadings
    told_by: tuple[_Told, ...]

    @property
    def n_games(self) -> int:
        """Per matchup."""
        return self.readings.n_games

    def can_differ(self, other: Explored) -> Flags:
        """``[M]`` whether games of a matchup can have come out otherwise than the other's."""
        return np.array([a != b for a, b in zip(self.told_by, other.told_by, strict=True)])

    def rates(self, demands: Demands) -> Interval:
        """``[N]`` the demanded rates."""
        return demands.read(self.readings, CONFIDENCE).at(0)

    def change_from(self, other: Explored, demands: Demands) -> Interval:
        """``[N]`` the demanded rates less those of the other, of as many games on equal seeds."""
        can_differ = self.can_differ(other)[np.newaxis]
        return demands.change(self.readings, other.readings, can_differ).at(0)


@dataclass(frozen=True)
class Exploration:
    """A contest under any edits.

    Attributes:
        contest: today's numbers, and who meets whom.
        run_seed: the run's seed; games come from its stream `whatif`.
        threads: threads to use; default all cores.
    """

    contest: Contest
    run_seed: int
    threads: int | None = None
    _kept: dict[tuple[int, _Told], Floats] = field(default_factory=dict, repr=False)
    _origins: tuple[int, ...] = ()  # of each matchup's cards; none where all are the first's
    _numbers: Iterator[int] = field(default_factory=lambda: count(1), repr=False)

    def beside(self, contest: Contest) -> Exploration:
        """The same players with other cards or rules, on the same luck.

        Matchups that both play with the same ones share their games.

        Args:
            contest: has the same matchups.

        Raises:
            ValueError: it has others.
        """
        if contest.matchup_names != self.contest.matchup_names:
            raise ValueError("contests beside each other must have the same matchups")
        number = next(self._numbers)
        same = self.contest.plays_alike(contest)
        mine = self._origins or (0,) * len(same)
        origins = tuple(own if alike else number for own, alike in zip(mine, same, strict=True))
        return replace(self, contest=contest, _origins=origins)

    def explore(self, edits: Edits, n_games: int) -> Explored:
        """All matchups with some edits; only games that are missing are played.

        Args:
            edits: what is changed; a number that moves by 0 steps is not.
            n_games: per matchup, equally many in every seating; of at least two seeds.

        Raises:
            InputError: there can be no such number of games.
            CardFault: the edits make games that never end.
        """
        n_games = self.contest.checked_games(n_games)
        n_seatings = self.contest.n_seatings
        moved = _moved(edits)
        told_by = self._told_by(moved)
        n_seeds = n_games // n_seatings
        self._play_missing(moved, told_by, n_seeds)
        shares = [self._kept[key][:, :n_seeds] for key in enumerate(told_by)]
        kind = _PairReadings if n_seatings == 2 else SeatReadings
        return Explored(kind.of(np.stack(shares)[np.newaxis]), told_by)

    def changes_by_steps(
        self, edits: Edits, steps: Sequence[Step], demand: Demands, n_games: int
    ) -> Floats:
        """``[E]`` what each step adds to a demanded rate; no number where its games never end.

        They are played on the luck of the edits that are there, so that a change is told by few
        games; and only in matchups that the rate is of and the number can reach.

        Args:
            edits: from which the steps lead on.
            steps: one at a time.
            demand: one.
            n_games: per matchup, equally many in every seating.
        """
        contest = self.contest
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
        rate, before = (demand.of(demand.rates(one))[:, 0] for one in (stepped, base))
        return np.asarray(rate - before)

    def n_kept(self, edits: Edits) -> int:
        """Games per matchup with some edits that are there already, in all matchups."""
        kept = [self._kept.get(key) for key in enumerate(self._told_by(_moved(edits)))]
        return min((0 if one is None else one.size for one in kept), default=0)

    def keep_only(self, sets: Iterable[Edits]) -> None:
        """Forget all games but those with some sets of edits."""
        wanted = {key for edits in sets for key in enumerate(self._told_by(_moved(edits)))}
        for key in self._kept.keys() - wanted:
            del self._kept[key]

    def _told_by(self, edits: Edits) -> tuple[_Told, ...]:
        """``[M]`` what games of a matchup hang on."""
        origins = self._origins or (0,) * len(self.contest.matchups)
        genes = [*edits]
        if not genes:
            return tuple((origin, ()) for origin in origins)
        reach = self.contest.matchup_reach(genes)
        return tuple(
            (origin, tuple((genes[k], edits[genes[k]]) for k in np.flatnonzero(reached)))
            for origin, reached in zip(origins, reach.T, strict=True)
        )

    def _play_missing(self, edits: Edits, told_by: tuple[_Told, ...], n_seeds: int) -> None:
        """Play what is not yet kept of so many seeds: matchups that lack as many in one batch."""
        lacking = dict[int, list[int]]()
        for m, told in enumerate(told_by):
            n_kept = self._kept[m, told].shape[-1] if (m, told) in self._kept else 0
            if n_kept < n_seeds:
                lacking.setdefault(n_kept, []).append(m)
        for n_kept, matchups in lacking.items():
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
                key = m, told_by[m]
                self._kept[key] = np.append(self._kept[key], shares, -1) if n_kept else shares


def _moved(edits: Edits) -> Edits:
    """Without numbers that move by 0 steps, in an order of their own."""
    return {gene: step for gene, step in sorted(edits.items()) if step}


class _PairReadings(SeatReadings):
    """Readings of games with two seats, of which the first seat's share can be told."""

    def first_seat_by_seed(self) -> Floats:
        """``[V, M, S]`` rate of whoever moves first in the two games of each seed."""
        return np.asarray((self.shares[..., 0, :] + 1 - self.shares[..., 1, :]) / 2)
