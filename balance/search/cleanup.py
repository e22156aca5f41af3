"""Clean-up: backward elimination of edits that a recommended patch does not need.

In each reduced patch one edit is smaller by a step, or absent. A first, short trial discards the
reduced patches that have no chance of a certificate. The remaining patches, most promising first,
are played with as many games as in the selection. The first batch with a patch of enough margin
provides the new recommended patch, and the elimination starts over. The final patch is locally
minimal: on fresh games, no reduced patch has enough margin.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from balance.contest.readings import Readings
from balance.search.selection import Selection
from balance.settings.tables import Games
from balance.space.search_space import SearchSpace, Steps
from balance.statistics.intervals import Flags, Floats, Interval, Positions
from balance.verdict.clean_up_result import CleanUp, Outcome, SmallerPatch, State
from balance.verdict.evaluation import Evaluator
from balance.verdict.room import needed_room_pp, read_room
from balance.verdict.shortfall import shortfalls_of

# Ratio of the selection's games to those of the short trial; chosen by hand, not tuned.
FEW = 5
# Reduced patches per batch of the long trial. Chosen by hand: larger batches waste games after the
# first success, smaller ones take more batches.
AT_ONCE = 3
# Maximum number of standard errors by which a patch may miss its bounds in the short trial: with
# three, about 1 in 1,000 sufficient patches is discarded by chance.
_ERRORS = 3.0


@dataclass
class _GameBudget:
    """Limit on the number of games of a clean-up.

    Attributes:
        most: maximum number of games, over all matchups.
        spent: number of games spent so far, over all matchups.
    """

    most: int
    spent: int = 0

    def spend(self, n_games: int) -> bool:
        """Spend a number of games, or none if fewer are left; return whether they were spent."""
        is_enough = self.spent + n_games <= self.most
        if is_enough:
            self.spent += n_games
        return is_enough


def few_games(evaluator: Evaluator, games: Games) -> int:
    """Return the number of games per matchup of the short trial of each reduced patch.

    The number is a fifth of the selection's games, rounded down to a multiple of the number of
    seatings, but at least two games per seating.

    Args:
        evaluator: evaluator with the contest.
        games: games per matchup of each stage.
    """
    n_seatings = evaluator.contest.n_seatings
    return max(games.select // FEW // n_seatings, 2) * n_seatings


def clean_up(
    evaluator: Evaluator, selection: Selection, games: Games, *, most_games: int
) -> tuple[Selection, CleanUp]:
    """Remove edits that a recommended patch does not need, as far as the games permit.

    A recommended patch that itself lacks the margin for a certificate stays unchanged.

    Args:
        evaluator: evaluator that plays and scores genomes, on streams of seeds named
            `cleanup/<round>/few` and `cleanup/<round>/<position>`.
        selection: selection with the recommended genome.
        games: games per matchup of each stage: `select` applies to each long trial, and `certify`
            determines the margin that the certificate will need.
        most_games: maximum number of games that the clean-up may play, over all matchups.

    Returns:
        The selection with the last replacement as the recommended patch, and the cost and progress
        of the clean-up. The rates of a replacement are those of its short trial.
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
    """Round of the clean-up: trials of all reduced patches of one recommended patch.

    Attributes:
        patches: reduced patches with the outcomes so far, in the order of `smaller`.
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
        """Prepare a round in which every patch has the outcome `not tried`.

        Args:
            evaluator: evaluator that plays and scores the patches.
            games: games per matchup of each stage.
            budget: limit on the number of games, from which the round spends.
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
        """Whether every reduced patch has an outcome other than `not tried`."""
        return all(patch.outcome != "not tried" for patch in self.patches)

    def find_replacement(self, selection: Selection) -> Selection | None:
        """Play the trials until a batch contains a reduced patch with enough margin.

        Args:
            selection: selection that recommends the unreduced patch.

        Returns:
            A copy of the selection that recommends the reduced patch. Among several such patches of
            the batch it is the one with the smallest change, then the largest margin. `None` if no
            reduced patch has enough margin, or if games run out.
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
                # lexsort's last key comes first: enough margin, then the smallest change, then the
                # largest margin.
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
        """Record the short trial of all patches, and rank those that may have enough margin.

        Args:
            few: readings of all patches and of the baseline in the short trial.

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
        """Record the outcomes of selected patches of the round.

        Args:
            positions: positions of the selected patches in the round, ``[S]``.
            played: readings of the selected patches, or of all patches of the round; the last
                variant is the baseline.
            has_room: whether each patch in `played` has enough margin.
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
        """Record the rates of patches that the short trial did not decide, as `not tried`.

        Args:
            positions: positions of these patches in the round.
            few: readings of all patches and of the baseline in the short trial.
        """
        for position in positions.tolist():
            games = few.take(np.array([position, -1]))
            self.patches[position] = SmallerPatch(
                self._smaller[position], "not tried", few.n_games, *self._read(games)
            )

    def _read(self, played: Readings) -> tuple[Interval, Floats]:
        """Return the imbalance and the demanded rates of the first variant of the readings.

        Returns:
            The imbalance in percentage points with its simultaneous 95 % interval, and the demanded
            rates, ``[N]``.
        """
        demands = self._evaluator.demands
        rates = demands.rates(played)[0]
        intervals = demands.estimate(rates, played.n_games, demands.joint_confidence)
        return demands.imbalance_pp(intervals), demands.of(rates)


def _reduce_edits(genome: Steps, *, wholly: bool) -> Steps:
    """Return one genome per edit of a patch, in which this edit is one step smaller.

    Args:
        genome: patch as steps from the baseline, shape ``[K]``.
        wholly: whether to also return one genome per edit in which this edit is absent.

    Returns:
        Genomes, shape ``[P, K]``; an edit of one step leads to duplicates.
    """
    edited = np.flatnonzero(genome)
    rows = np.arange(len(edited))
    one_step_less = np.tile(genome, (len(edited), 1))
    without_edit = one_step_less.copy()
    one_step_less[rows, edited] -= np.sign(genome[edited])
    without_edit[rows, edited] = 0
    return np.concatenate([one_step_less, without_edit]) if wholly else one_step_less


def _smaller(genome: Steps, space: SearchSpace) -> Steps:
    """Return the distinct reduced patches of a patch that the search space permits.

    A reduction that violates a bound on a sum, such as `zero_sum`, is combined with a second edit
    reduced by a step, which may restore the sum.

    Args:
        genome: patch as steps from the baseline, shape ``[K]``.
        space: search space with the limits.

    Returns:
        Reduced patches, shape ``[P, K]``.
    """
    smaller = np.unique(_reduce_edits(genome, wholly=True), axis=0)
    is_near = space.leads_on(smaller) & ~space.allows(smaller)
    twice = [_reduce_edits(genome_near, wholly=False) for genome_near in smaller[is_near]]
    smaller = np.unique(np.concatenate([smaller, *twice]), axis=0)
    return smaller[space.allows(smaller)]
