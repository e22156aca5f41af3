"""The clean-up: backward elimination of edits that a recommended patch does not need.

Each reduced patch takes one edit back, by one step or wholly. A first, short trial discards the
reduced patches that have no chance of a certificate. The remaining ones, most promising first, are
played with as many games as in the selection. The first with enough margin replaces the recommended
patch, and the elimination starts over from it. The final patch is locally minimal: on fresh games,
no reduced patch has enough margin.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from balance.clean_up_result import CleanUp, Outcome, SmallerPatch, State
from balance.evaluation import Evaluator
from balance.readings import Readings
from balance.room import needed_room_pp, read_room
from balance.search_space import SearchSpace, Steps
from balance.selection import Selection
from balance.settings import Games
from balance.shortfall import shortfalls_of
from balance.statistics.intervals import Flags, Floats, Interval, Positions

FEW = 5  # the selection's games divided by those of the short trial; chosen by hand, not tuned
# Reduced patches per batch of the long trial. Chosen by hand: larger batches waste games after the
# first success, smaller ones take more batches.
AT_ONCE = 3
# Standard errors that a patch may miss its bounds by in the short trial and still go on: at three,
# about 1 in 1,000 sufficient patches is discarded by chance.
_ERRORS = 3.0


@dataclass
class _GameBudget:
    """Number of games that may still be played.

    Attributes:
        most: games in total, over all matchups.
        spent: games spent so far, over all matchups.
    """

    most: int
    spent: int = 0

    def spend(self, n_games: int) -> bool:
        """Spend a number of games if enough are left; return whether they were."""
        is_enough = self.spent + n_games <= self.most
        if is_enough:
            self.spent += n_games
        return is_enough


def few_games(evaluator: Evaluator, games: Games) -> int:
    """Return the games per matchup of the short trial of each reduced patch."""
    n_seatings = evaluator.contest.n_seatings
    return max(games.select // FEW // n_seatings, 2) * n_seatings


def clean_up(
    evaluator: Evaluator, selection: Selection, games: Games, *, most_games: int
) -> tuple[Selection, CleanUp]:
    """Remove edits that a recommended patch does not need; a patch without margin stays unchanged.

    Args:
        evaluator: plays and scores genomes, with the purposes `cleanup/<round>/few` and
            `cleanup/<round>/<position>`.
        selection: selection with the recommended genome.
        games: games per matchup: `select` of them for each long trial; `certify` of them determine
            the margin that the certificate will need.
        most_games: games that the clean-up may play, over all matchups.

    Returns:
        The selection, which recommends the smallest patch with enough margin and reports the rates
        of its short trial; and the cost and progress of the clean-up.
    """
    n_few = few_games(evaluator, games)
    budget = _GameBudget(most_games)
    n_replaced = 0
    smaller_patches: tuple[SmallerPatch, ...] = ()
    is_begun = selection.has_room[selection.recommended] or not selection.genome.any()
    state: State = "complete" if is_begun else "not begun"
    while state == "complete" and len(smaller := _smaller(selection.genome, evaluator.space)):
        round_ = _Round(evaluator, games, budget, n_few, f"cleanup/{n_replaced}", smaller)
        replacement = round_.find_replacement(selection)
        smaller_patches = tuple(round_.patches)
        if replacement is None:
            state = "complete" if round_.is_decided else "out of games"
            break
        selection = replacement
        n_replaced = n_replaced + 1
        smaller_patches = ()
    done = CleanUp(
        state, n_replaced, smaller_patches, budget.spent, most_games, n_few, games.select
    )
    return selection, done


class _Round:
    """One round of the clean-up: the reduced patches of one recommended patch.

    Attributes:
        patches: outcome of each reduced patch, in the order of `smaller`.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        games: Games,
        budget: _GameBudget,
        n_few: int,
        purpose: str,
        smaller: Steps,
    ) -> None:
        """Prepare the round; every patch is `not tried` yet.

        Args:
            evaluator: plays and scores the patches.
            games: games per matchup of each stage.
            budget: games that may still be played.
            n_few: games per matchup of the short trial.
            purpose: prefix of the names of the streams of game seeds.
            smaller: reduced patches as steps from the baseline, shape ``[P, K]``.
        """
        self._evaluator = evaluator
        self._games = games
        self._budget = budget
        self._n_few = n_few
        self._purpose = purpose
        self._smaller = smaller
        self.patches = [SmallerPatch(genome, "not tried") for genome in smaller]

    @property
    def is_decided(self) -> bool:
        """Whether every reduced patch was tried."""
        return all(patch.outcome != "not tried" for patch in self.patches)

    def find_replacement(self, selection: Selection) -> Selection | None:
        """Play the trials; return a selection that recommends a reduced patch with enough margin.

        Returns `None` if no reduced patch has enough margin, or if games run out.
        """
        evaluator = self._evaluator
        games = self._games
        n_few = self._n_few
        if not self._budget.spend(evaluator.games_of(len(self._smaller), n_few)):
            return None
        few = evaluator.play(
            self._smaller, n_games=n_few, purpose=f"{self._purpose}/few", faults="keep"
        )
        promising, few_rates = self._rank_by_few_games(few)
        for start in range(0, len(promising), AT_ONCE):
            batch = promising[start : start + AT_ONCE]
            if not self._budget.spend(evaluator.games_of(len(batch), games.select)):
                return None
            played = evaluator.play(
                self._smaller[batch],
                n_games=games.select,
                purpose=f"{self._purpose}/{start}",
                faults="keep",
            )
            scores, has_room, spare_pp = read_room(evaluator, self._smaller[batch], played, games)
            has_room[list(played.faults)] = False
            self._decide(batch, played, has_room)
            if has_room.any():
                # Among patches with enough margin: the smallest change, then the largest margin.
                best = np.lexsort([-spare_pp, scores.change, ~has_room])[0]
                points = evaluator.demands.points(played)[best]
                return selection.with_recommended(
                    self._smaller[batch[best]],
                    few_rates[batch[best]],
                    n_few,
                    points,
                    scores.take(best[np.newaxis]),
                )
        return None

    def _rank_by_few_games(self, few: Readings) -> tuple[Positions, Floats]:
        """Return the patches that may have enough margin by the short trial, and all rates.

        Returns:
            Positions of the patches that may have enough margin, most promising first; and the
            rates of all patches and of the baseline in the short trial, ``[P + 1, R]``.
        """
        demands = self._evaluator.demands
        room_pp = needed_room_pp(self._evaluator, self._games)
        few_rates = demands.rates(few)
        few_spare_pp = demands.spare_pp(demands.of(few_rates[:-1]), room_pp)
        # 50 / sqrt(n) is the standard error, in percentage points, of a rate near 50 % in n games.
        is_feasible = few_spare_pp >= -_ERRORS * 50 / sqrt(self._n_few)
        is_feasible |= ~self._smaller.any(axis=1)  # the baseline itself needs less margin
        is_feasible[list(few.faults)] = False
        self._decide(
            np.flatnonzero(~is_feasible), few, np.zeros(len(self._smaller), dtype=np.bool_)
        )
        self._record_undecided(np.flatnonzero(is_feasible), few)
        ranking = np.argsort(-few_spare_pp, kind="stable")
        return ranking[is_feasible[ranking]], few_rates

    def _decide(self, positions: Positions, played: Readings, has_room: Flags) -> None:
        """Record the outcomes of some of the patches.

        Args:
            positions: positions of these patches in the round, ``[S]``.
            played: readings of these patches, or of all patches of the round; the last variant is
                the baseline.
            has_room: whether each played patch has enough margin.
        """
        is_all = len(played.points) == len(self._smaller) + 1
        variants = positions if is_all else np.arange(len(positions))
        for position, variant in zip(positions.tolist(), variants.tolist(), strict=True):
            genome = self._smaller[position]
            if variant in played.faults:
                self.patches[position] = SmallerPatch(genome, "never ends", played.n_games)
                continue
            games = played.take(np.array([variant, -1]))
            (shortfalls,) = shortfalls_of(self._evaluator, genome[np.newaxis], games, self._games)
            outcome: Outcome = "has room"
            if not has_room[variant]:
                is_broken = any(short.is_broken for short in shortfalls)
                outcome = "broken" if is_broken else "too near"
            self.patches[position] = SmallerPatch(
                genome, outcome, played.n_games, *self._read(games), shortfalls
            )

    def _record_undecided(self, positions: Positions, few: Readings) -> None:
        """Record the short trial of patches that it leaves undecided."""
        for position in positions.tolist():
            games = few.take(np.array([position, -1]))
            self.patches[position] = SmallerPatch(
                self._smaller[position], "not tried", few.n_games, *self._read(games)
            )

    def _read(self, played: Readings) -> tuple[Interval, Floats]:
        """Return the first variant's imbalance with its interval, and its demanded rates."""
        demands = self._evaluator.demands
        rates = demands.rates(played)[0]
        intervals = demands.estimate(rates, played.n_games, demands.joint_confidence)
        return demands.imbalance_pp(intervals), demands.of(rates)


def _reduce_edits(genome: Steps, *, wholly: bool) -> Steps:
    """Return the genomes with one edit reduced by a step and, if `wholly`, also removed.

    Args:
        genome: patch, shape ``[K]``.
        wholly: whether genomes without one whole edit are included.

    Returns:
        Genomes, shape ``[P, K]``.
    """
    edited = np.flatnonzero(genome)
    rows = np.arange(len(edited))
    one_step_less = np.tile(genome, (len(edited), 1))
    without_edit = one_step_less.copy()
    one_step_less[rows, edited] -= np.sign(genome[edited])
    without_edit[rows, edited] = 0
    return np.concatenate([one_step_less, without_edit]) if wholly else one_step_less


def _smaller(genome: Steps, space: SearchSpace) -> Steps:
    """Return the permitted reduced patches of a ``[K]`` genome, shape ``[P, K]``.

    A reduction that violates a bound on a sum, such as `zero_sum`, is combined with a step back of
    a second edit, which may restore the sum.
    """
    smaller = np.unique(_reduce_edits(genome, wholly=True), axis=0)
    is_near = space.leads_on(smaller) & ~space.allows(smaller)
    twice = [_reduce_edits(genome_near, wholly=False) for genome_near in smaller[is_near]]
    smaller = np.unique(np.concatenate([smaller, *twice]), axis=0)
    return smaller[space.allows(smaller)]
