"""Result of a balancing run of any contest: the patch, its certificate, and how it was found."""

from __future__ import annotations

from dataclasses import dataclass

from balance.contest.demands import Demands
from balance.contest.patch import Edit
from balance.contest.readings import Readings
from balance.run.explanation import Explanation
from balance.search.evolutionary_search import SearchState
from balance.search.measured import measured_patches
from balance.search.method import Method
from balance.search.selection import Selection
from balance.search.without_margin import WithoutMargin, smallest_without_margin
from balance.verdict.certificate import Certificate
from balance.verdict.clean_up_result import CleanUp
from balance.verdict.edit_effects import EditEffects
from balance.verdict.edit_reasons import EditReason, reasons_of
from balance.verdict.evaluation import Evaluator
from sim.short_repr import short_repr


@dataclass(frozen=True)
class FoundPatch:
    """Result of search, selection, clean-up and certification.

    Attributes:
        evaluator: evaluator that played and scored the candidates.
        state: final state of the search.
        selection: best candidates of the search, played again, with the patch that the clean-up
            recommends.
        cleanup: result of the clean-up.
        certificate: verdict on the recommended patch.
        certified: games of the certificate; the first variant is the patch, the last the baseline.
        patch: edits of the recommended patch.
        least_change: lower bound on the change of a sufficient patch; `None` if the method of the
            search gives no bound.
        method: method of the last search.
        widened: descriptions of the relaxations that the run made.
        explanation: reasons why demands are not verified; `None` if all are verified, or if no
            explanation was made.
        n_spent: number of games before the search, over all matchups.
    """

    evaluator: Evaluator
    state: SearchState
    selection: Selection
    cleanup: CleanUp
    certificate: Certificate
    certified: Readings
    patch: tuple[Edit, ...]
    least_change: float | None
    method: Method
    widened: tuple[str, ...]
    explanation: Explanation | None
    n_spent: int

    def __repr__(self) -> str:
        scores = self.selection.scores
        best = self.selection.recommended
        return short_repr(
            self,
            certified=self.certificate.certified,
            change=scores.change[best],
            cards=scores.cards_touched[best],
            games=self.certificate.n_games,
        )

    @property
    def reported_demands(self) -> Demands:
        """Demands in the order of reports: an entry for every matchup, then all other demands."""
        return self.certificate.demands.with_matchups(self.evaluator.contest.matchup_names)

    @property
    def bound(self) -> float | None:
        """Lower bound on the change of a sufficient patch; `None` if it is unknown or unfounded.

        The bound assumes that the recommended patch suffices, so it is `None` without a
        certificate.
        """
        return self.least_change if self.certificate.certified else None

    @property
    def is_nearest(self) -> bool:
        """Whether the recommended patch has the smallest imbalance of all selected candidates."""
        imbalance_pp = self.selection.scores.imbalance_pp
        return bool(imbalance_pp[self.selection.recommended] <= imbalance_pp.min())

    @property
    def without_margin(self) -> WithoutMargin | None:
        """Smallest measured patch inside every limit that lacks the margin for a certificate.

        `None` if no such patch is smaller than the recommended one.
        """
        games = self.method.settings.games
        return smallest_without_margin(self.evaluator, self.selection, self.cleanup, games)

    def consistent_explanation(self, effects: EditEffects | None) -> Explanation | None:
        """Return the explanation without statements that measured patches contradict.

        Args:
            effects: effects of the edits; `None` if they were not measured.

        Returns:
            The explanation; `None` if the run made no explanation.
        """
        if self.explanation is None:
            return None
        measured = measured_patches(
            self.evaluator, self.selection, self.cleanup, self.certificate, effects
        )
        return self.explanation.consistent_with(self.evaluator.demands, measured)

    def edit_reasons(self, effects: EditEffects | None) -> list[EditReason]:
        """Return the reasons why each edit of the patch is needed.

        Args:
            effects: effects of the edits, for edits that the clean-up did not decide; `None` if
                they were not measured.
        """
        return reasons_of(self.evaluator, self.selection.genome, self.cleanup, effects)
