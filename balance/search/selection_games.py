"""Readings of the candidates of a selection, and further games of small ones near their margin.

The smallest candidate with enough margin is recommended. A smaller one may lack margin only because
few games leave its rates uncertain, so it plays on before the choice.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from balance.contest.readings import Readings
from balance.settings.tables import Games
from balance.space.search_space import Steps
from balance.statistics.intervals import Counts, Flags, Floats, Positions
from balance.verdict.evaluation import Evaluator, Scores
from balance.verdict.room import read_room, rooms_pp

# Factor on the games of candidates that play on: it halves the standard error of a rate. Chosen by
# hand.
_TIMES = 4
# Maximum number of candidates that play on. Chosen by hand: they take about as many games as all
# other candidates together.
_MOST_CONTESTED = 4


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


def _put(
    values: npt.NDArray[Any], positions: Positions, others: npt.NDArray[Any]
) -> npt.NDArray[Any]:
    """Return a copy of an array with other values at given positions of its first axis."""
    changed = values.copy()
    changed[positions] = others
    return changed


def play_on(
    evaluator: Evaluator,
    genomes: Steps,
    played: Readings,
    read: CandidateReadings,
    games: Games,
) -> tuple[CandidateReadings, int]:
    """Play on with the small candidates that more games may show to have enough margin.

    Args:
        evaluator: evaluator that plays genomes.
        genomes: candidates by increasing size, shape ``[S, K]``.
        played: their games and, as the last variant, those of the baseline.
        read: readings of these games.
        games: games per matchup of each stage.

    Returns:
        The readings with those of all games, and the number of further games, over all matchups.
        Readings stay as they are if games of a candidate never end.
    """
    contested = _contested(evaluator, genomes, read, games)
    if not len(contested):
        return read, 0
    more = evaluator.play(
        genomes[contested],
        n_games=(_TIMES - 1) * games.select,
        purpose="select",
        first_game=played.n_seeds,
        faults="keep",
    )
    n_games = evaluator.games_of(len(contested), more.n_games)
    if more.faults:
        return read, n_games
    longer = played.take(np.array([*contested, -1])).joined(more)
    again = CandidateReadings.of(evaluator, genomes[contested], longer, games)
    return read.replaced(contested, again), n_games


def _contested(
    evaluator: Evaluator, genomes: Steps, read: CandidateReadings, games: Games
) -> Positions:
    """Return the positions of small candidates that more games may show to have enough margin.

    They are smaller than every candidate with enough margin. A run with a total number of games has
    none.

    Args:
        evaluator: evaluator with demands and search space.
        genomes: candidates by increasing size, shape ``[S, K]``.
        read: their readings.
        games: games per matchup of each stage.
    """
    if evaluator.has_total:
        return np.zeros(0, dtype=np.intp)
    demands = evaluator.demands
    needed_pp = rooms_pp(evaluator, genomes, _TIMES * games.select, games)
    spare_pp = demands.spare_pp(demands.of(read.scores.win_rate), needed_pp)
    # 50 / sqrt(n) is the standard error of a rate near 50 %, in percentage points.
    may_pass = (spare_pp >= -50 / np.sqrt(read.n_games)) & (read.broken == 0) & ~read.has_room
    first = int(np.argmax(read.has_room)) if read.has_room.any() else len(genomes)
    return np.flatnonzero(may_pass[:first] & genomes[:first].any(axis=1))[:_MOST_CONTESTED]
