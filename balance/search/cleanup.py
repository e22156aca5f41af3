"""Clean-up: backward elimination of edits that a recommended patch does not need.

In each reduced patch one edit is smaller by a step or absent, or all edits of a card are absent. A
first, short trial discards the reduced patches that have no chance of a certificate. The remaining
patches are played with as many games as in the selection, in the order of the size that each is
expected to save. The first batch with a patch of enough margin provides the new recommended patch,
and the elimination starts over. The final patch is locally minimal: on fresh games, no reduced
patch has enough margin.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from balance.contest.readings import Readings
from balance.search.selection import Selection
from balance.search.short_trial import ShortTrial, few_games, play_short_trial
from balance.settings.tables import Games
from balance.space.search_space import SearchSpace, Steps
from balance.statistics.arithmetic import normal_share
from balance.statistics.intervals import Flags, Floats, Interval, Positions
from balance.verdict.clean_up_result import CleanUp, Outcome, SmallerPatch, State
from balance.verdict.evaluation import Evaluator
from balance.verdict.room import read_room
from balance.verdict.shortfall import shortfalls_of
from sim.play.table import OF_RULES

# Reduced patches per batch of the long trial. Chosen by hand: larger batches waste games after the
# first success, smaller ones take more batches.
AT_ONCE = 3


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
        round_ = _Round(evaluator, games, budget, f"cleanup/{n_replaced}", smaller)
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
        purpose: str,
        smaller: Steps,
    ) -> None:
        """Prepare a round in which every patch has the outcome `not tried`.

        Args:
            evaluator: evaluator that plays and scores the patches.
            games: games per matchup of each stage.
            budget: limit on the number of games, from which the round spends.
            purpose: prefix of the names of the streams of game seeds.
            smaller: reduced patches as steps from the baseline, shape ``[P, K]``.
        """
        self._evaluator = evaluator
        self._games = games
        self._budget = budget
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
            the batch it is the one of the smallest size, then the largest margin. `None` if no
            reduced patch has enough margin, or if games run out.
        """
        evaluator = self._evaluator
        games = self._games
        n_few = few_games(evaluator, games)
        if not self._budget.spend(evaluator.games_of(len(self._smaller), n_few)):
            return None
        trial = play_short_trial(evaluator, self._smaller, games, f"{self._purpose}/few")
        few_rates = evaluator.demands.rates(trial.played)
        promising = self._rank_by_trial(trial)
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
                # lexsort's last key comes first: enough margin, then the smallest size, then the
                # largest margin.
                best = np.lexsort([-spare_pp, scores.size, ~has_room])[0]
                points = evaluator.demands.points(played)[best]
                return selection.with_recommended(
                    self._smaller[batch[best]],
                    few_rates[batch[best]],
                    n_few,
                    points,
                    games.select,
                    scores.take(best[np.newaxis]),
                )
        return None

    def _rank_by_trial(self, trial: ShortTrial) -> Positions:
        """Record the short trial of all patches, and rank those that may pass with more games.

        Args:
            trial: short trial of all patches of the round.

        Returns:
            Positions of these patches, by falling expected saving: the probability of enough margin
            times the size saved.
        """
        none = np.zeros(len(self._smaller), dtype=np.bool_)
        self._decide(np.flatnonzero(~trial.may_pass), trial.played, none)
        self._record_undecided(np.flatnonzero(trial.may_pass), trial.played)
        sizes = self._evaluator.space.size(self._smaller)
        saving = normal_share(trial.spare_pp / trial.error_pp) * (sizes.max() + 1 - sizes)
        ranking = np.lexsort([-trial.spare_pp, -saving])
        return np.asarray(ranking[trial.may_pass[ranking]])

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


def _reduce_cards(genome: Steps, space: SearchSpace) -> Steps:
    """Return one genome per edited card of a patch, in which all edits of this card are absent.

    Args:
        genome: patch as steps from the baseline, shape ``[K]``.
        space: search space with the owners of numbers.
    """
    cards = np.unique(space.owners[(genome != 0) & (space.owners != OF_RULES)])
    return np.where(space.owners == cards[:, np.newaxis], 0, genome).astype(genome.dtype)


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
    reduced = (_reduce_edits(genome, wholly=True), _reduce_cards(genome, space))
    smaller = np.unique(np.concatenate(reduced), axis=0)
    is_near = space.leads_on(smaller) & ~space.allows(smaller)
    twice = [_reduce_edits(genome_near, wholly=False) for genome_near in smaller[is_near]]
    smaller = np.unique(np.concatenate([smaller, *twice]), axis=0)
    return smaller[space.allows(smaller)]
