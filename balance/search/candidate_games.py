"""Games of the candidates of a selection: few for all, then more for those that may be recommended.

The smallest candidate with enough margin is recommended. So the candidates that few games do not
rule out play on in the order of their size, until one of them has enough margin. A smaller one may
lack margin only because its rates are uncertain, so it plays on before the choice.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from balance.contest.readings import Readings
from balance.search.short_trial import play_short_trial
from balance.settings.tables import Games
from balance.space.search_space import Steps
from balance.statistics.intervals import Counts, Flags, Floats, Positions
from balance.verdict.evaluation import Evaluator, Scores
from balance.verdict.room import read_room, rooms_pp

# Candidates that play on together. Chosen by hand: larger batches waste games after the first
# success, smaller ones use the processors worse.
AT_ONCE = 4
# Minimum number of candidates that play on if few games rule out more: the nearest of them show how
# far a question without a sufficient patch is from its targets. Chosen by hand.
_LEAST = 4
# Factor on the games of small candidates near their margin: it halves the standard error of a rate.
# Chosen by hand.
TIMES = 4
# Maximum number of candidates with this factor, and number of those that play together. Chosen by
# hand: they take more games than all other candidates together.
MOST_CONTESTED = 4
_CONTESTED_AT_ONCE = 2


class CandidateReadings(NamedTuple):
    """Readings of candidates in the games of the selection.

    Attributes:
        scores: scores; a guard that lacks its margin counts as violated, ``[S]``.
        has_room: whether all rates and guards have the margin that they need, ``[S]``.
        points: points, ``[S, R]``.
        n_games: number of games per matchup, ``[S]``.
        broken: violation of guards, without margins, and of constraints, ``[S]``.
        reads_inside: whether all bands, guards and constraints are satisfied, ``[S]``.
    """

    scores: Scores
    has_room: Flags
    points: Floats
    n_games: Counts
    broken: Floats
    reads_inside: Flags

    @classmethod
    def of(
        cls, evaluator: Evaluator, genomes: Steps, played: Readings, games: Games
    ) -> CandidateReadings:
        """Return the readings of candidates.

        Args:
            evaluator: evaluator with demands, guards and search space.
            genomes: candidates, shape ``[S, K]``.
            played: games of the candidates and, as the last variant, of the baseline.
            games: games per matchup of each stage.
        """
        demands = evaluator.demands
        scores, has_room, _ = read_room(evaluator, genomes, played, games)
        broken = evaluator.violation(played) + evaluator.space.breaches(genomes)
        is_inside = demands.spare_pp(demands.of(scores.win_rate)) >= 0
        points = demands.points(played)[:-1]
        n_games = np.full(len(genomes), played.n_games)
        return cls(scores, has_room, points, n_games, broken, is_inside & (broken == 0))

    def replaced(self, positions: Positions, other: CandidateReadings) -> CandidateReadings:
        """Return these readings with those of more games at given positions."""
        return CandidateReadings(
            self.scores.replaced(positions, other.scores),
            *(
                _put(values, positions, more)
                for values, more in zip(self[1:], other[1:], strict=True)
            ),
        )

    def take(self, positions: Positions) -> CandidateReadings:
        """Return the readings of the candidates at given positions, in their order."""
        others: list[npt.NDArray[Any]] = [values[positions] for values in self[1:]]
        return CandidateReadings(self.scores.take(positions), *others)


def _put(
    values: npt.NDArray[Any], positions: Positions, others: npt.NDArray[Any]
) -> npt.NDArray[Any]:
    """Return a copy of an array with other values at given positions of its first axis."""
    changed = values.copy()
    changed[positions] = others
    return changed


class CandidateGames:
    """Games of the candidates of one selection, on the stream of seeds `select`.

    Attributes:
        genomes: candidates by increasing size, shape ``[S, K]``.
        read: readings of the games of each candidate so far.
        may_pass: whether few games leave it possible that a candidate has enough margin, ``[S]``.
        ends: whether all games of a candidate end, ``[S]``.
        played: positions of the candidates with at least `games.select` games.
        readings: their first `games.select` games and, as the last variant, those of the baseline.
        n_played: number of games over all matchups.
    """

    def __init__(self, evaluator: Evaluator, genomes: Steps, games: Games) -> None:
        """Play few games of all candidates.

        Args:
            evaluator: evaluator that plays genomes.
            genomes: candidates by increasing size, shape ``[S, K]``.
            games: games per matchup of each stage.
        """
        trial = play_short_trial(evaluator, genomes, games, "select")
        self._evaluator = evaluator
        self._games = games
        self._few = trial.played
        self.genomes = genomes
        self.read = CandidateReadings.of(evaluator, genomes, trial.played, games)
        breaches = evaluator.space.breaches(genomes)
        self.may_pass = trial.may_pass & (breaches == 0)
        self._nearest = np.lexsort([-trial.spare_pp, breaches])
        self.ends = np.ones(len(genomes), dtype=np.bool_)
        self.ends[list(trial.played.faults)] = False
        self.played: Positions = np.zeros(0, dtype=np.intp)
        # Without candidates these are the games of the baseline alone.
        self.readings: Readings = trial.played.take(slice(-1, None))
        self.n_played = evaluator.games_of(len(genomes), trial.played.n_games)
        # Games of the baseline by their first seed, which all batches of candidates share.
        self._today = dict[int, Readings]()

    def play_until_one_has_room(self) -> None:
        """Play on with candidates by rising size, until one of them has enough margin.

        If none has, and few games rule out almost all, the nearest of those play on as well. At the
        end small candidates near their margin play on, unless the run has a total number of games.
        """
        open_ = np.flatnonzero(self.may_pass)
        for start in range(0, len(open_), AT_ONCE):
            self._play_rest(open_[start : start + AT_ONCE])
            if self.read.has_room[self.played].any():
                break
        if not self.read.has_room.any():
            others = self._nearest[(self.ends & ~self.may_pass)[self._nearest]]
            self._play_rest(np.sort(others[: max(_LEAST - len(open_), 0)]))
        if not self._evaluator.has_total:
            self._play_contested()

    def _play_contested(self) -> None:
        """Play on with small candidates near their margin, until one of them has enough."""
        contested = self._contested()
        for start in range(0, len(contested), _CONTESTED_AT_ONCE):
            rows = contested[start : start + _CONTESTED_AT_ONCE]
            self._play_more(rows)
            if self.read.has_room[self.played[rows]].any():
                break

    def _play_rest(self, batch: Positions) -> None:
        """Play candidates up to the number of games of a selection.

        Args:
            batch: positions of candidates with few games; may be empty.
        """
        if not len(batch):
            return
        few = self._few.take(np.array([*batch, -1]))
        n_more = self._games.select - few.n_games
        if n_more > 0:
            few, batch = self._joined(few, batch, n_more)
        if not len(batch):
            return
        self._keep(batch, few)
        before = self.readings.take(slice(-1)) if len(self.played) else None
        self.readings = few if before is None else before.followed_by(few)
        self.played = np.concatenate([self.played, batch])

    def _play_more(self, rows: Positions) -> None:
        """Play candidates up to a multiple of the number of games of a selection.

        Args:
            rows: places of the candidates in `played`.
        """
        played = self.readings.take(np.array([*rows, -1]))
        n_more = (TIMES - 1) * self._games.select
        longer, batch = self._joined(played, self.played[rows], n_more)
        if len(batch):
            self._keep(batch, longer)

    def _joined(
        self, played: Readings, batch: Positions, n_more: int
    ) -> tuple[Readings, Positions]:
        """Play further games, and return all games of the candidates with games that all end.

        Args:
            played: games of the candidates so far and, as the last variant, of the baseline.
            batch: positions of the candidates.
            n_more: number of further games per matchup.

        Returns:
            Readings of all games of the remaining candidates and of the baseline, and the positions
            of these candidates.
        """
        first_game = played.n_seeds
        today = self._today.get(first_game)
        more = self._evaluator.play(
            self.genomes[batch],
            n_games=n_more,
            purpose="select",
            first_game=first_game,
            faults="keep",
            today=today,
        )
        n_edited = len(batch) - (today is not None)  # `games_of` counts the baseline
        self.n_played += self._evaluator.games_of(n_edited, n_more)
        self._today[first_game] = more.take(slice(-1, None))
        self.ends[batch[list(more.faults)]] = False
        rows = np.array([k for k in range(len(batch) + 1) if k not in more.faults])
        return played.take(rows).joined(more.take(rows)), batch[rows[:-1]]

    def _keep(self, batch: Positions, played: Readings) -> None:
        """Replace the readings of candidates by those of more games."""
        more = CandidateReadings.of(self._evaluator, self.genomes[batch], played, self._games)
        self.read = self.read.replaced(batch, more)

    def _contested(self) -> Positions:
        """Return the places in `played` of candidates that more games may show to have margin.

        They are smaller than every candidate with enough margin.
        """
        evaluator = self._evaluator
        demands = evaluator.demands
        genomes = self.genomes[self.played]
        read = self.read.take(self.played)
        needed_pp = rooms_pp(evaluator, genomes, TIMES * self._games.select, self._games)
        spare_pp = demands.spare_pp(demands.of(read.scores.win_rate), needed_pp)
        # 50 / sqrt(n) is the standard error of a rate near 50 %, in percentage points.
        may_pass = (spare_pp >= -50 / np.sqrt(read.n_games)) & (read.broken == 0) & ~read.has_room
        may_pass &= self.ends[self.played] & genomes.any(axis=1)
        has_room = np.flatnonzero(self.read.has_room)
        if len(has_room):
            may_pass &= self.played < has_room[0]
        rows = np.flatnonzero(may_pass)
        return rows[np.argsort(self.played[rows], kind="stable")][:MOST_CONTESTED]
