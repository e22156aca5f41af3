"""Stages that find a patch for any contest: search, selection, clean-up, certificate, explanation.

Only the search takes long, so only its states are passed to a callback that may save them. The
other stages are deterministic functions of contest and settings, and are repeated when a run is
resumed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

import numpy as np

from balance.contest.contest import Contest
from balance.contest.demands import Demands
from balance.contest.patch import Edit, patch_of
from balance.contest.readings import Readings
from balance.run.escalation import Escalation, Wider
from balance.run.explanation import Explanation, RelaxedSpaces, explain
from balance.search.cleanup import clean_up
from balance.search.evolutionary_search import SearchState
from balance.search.measured import measured_patches
from balance.search.method import Method
from balance.search.methods import method_named
from balance.search.selection import Selection, select
from balance.search.without_margin import WithoutMargin, smallest_without_margin
from balance.settings.budget import left_for_cleanup
from balance.settings.tables import BalanceSettings
from balance.space.search_space import SearchSpace
from balance.verdict.certificate import Certificate, certify
from balance.verdict.clean_up_result import CleanUp
from balance.verdict.edit_effects import EditEffects
from balance.verdict.edit_reasons import EditReason, reasons_of
from balance.verdict.evaluation import Evaluator
from sim.arguments import Count, checked
from sim.files.validation import revalidated

# Number of games that the clean-up may play after a short search; after a longer search it may play
# as many as the search. Chosen by hand, not tuned.
LEAST_FOR_CLEANUP = 1_000_000

Relaxed = Callable[[BalanceSettings, SearchSpace], RelaxedSpaces]
"""Function of the settings and the search space of a run that returns the spaces with one setting
relaxed each.
"""


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


def nothing_relaxed(_: BalanceSettings, space: SearchSpace) -> RelaxedSpaces:
    """Return relaxed spaces for a contest without settings that can be relaxed: only its space."""
    return {}, space


@checked(first_side=Literal[-1, 1], n_spent=Count)
def find_patch(
    evaluator: Evaluator,
    settings: BalanceSettings,
    *,
    escalation: Escalation | None = None,
    relaxed: Relaxed = nothing_relaxed,
    explains: bool = True,
    first_side: int = 1,
    n_spent: int = 0,
    state: SearchState | None = None,
    on_stage: Callable[[str], None] = lambda _: None,
    on_generation: Callable[[SearchState], None] = lambda _: None,
) -> FoundPatch:
    """Search, select, clean up and certify a patch for any contest; explain a failure.

    If the selected patch is not likely to be certified, the search is relaxed and continued.

    Args:
        evaluator: evaluator that plays and scores genomes.
        settings: settings of the run; only `search` and `games` are used.
        escalation: relaxations that the run may make; `None` to make none.
        relaxed: function that returns the relaxed spaces for an explanation.
        explains: whether to explain a failure, which may take longer than the search.
        first_side: 1 if games other than the certificate's show an advantage of the first seat,
            otherwise -1.
        n_spent: number of games that measuring and narrowing have played, over all matchups.
        state: state from which the search continues; `None` to begin a search.
        on_stage: callback, called with the name of each stage when it begins.
        on_generation: callback, called with the state of the search after every generation.

    Raises:
        InputError: the search method does not exist or would ignore a setting, or an argument is
            invalid.
    """
    revalidated(settings, source="settings")
    settings.search.refuse_unused(settings.search.method)
    run_seed = evaluator.run_seed
    while True:
        if escalation and state is not None:
            settings, evaluator = escalation.at(state.widened)
        games = settings.games
        on_stage("search")
        method = method_named(settings.search.method)(evaluator, settings)
        final_state = method.run(state, on_generation)
        on_stage("select")
        selection = select(
            evaluator, final_state, method.shortlist(final_state), games, method.likely
        )
        state = escalation.next_state(method, final_state, selection) if escalation else None
        if escalation is None or state is None:
            break
        on_stage(f"widen: {escalation.describe(state.widened)[-1]}")
    state = final_state
    # A relaxed search used a different seed. The later stages use that of the run, from which the
    # games of the final patch can then be replayed.
    evaluator = replace(evaluator, run_seed=run_seed)
    on_stage("clean up")
    n_searched = int(state.history[-1, 0])
    n_selected = evaluator.games_of(len(selection.genomes), games.select)
    n_played = n_spent + n_searched + n_selected
    left = left_for_cleanup(settings, n_played, len(evaluator.contest.matchups))
    most_games = max(n_searched, LEAST_FOR_CLEANUP) if left is None else left
    selection, cleanup = clean_up(evaluator, selection, games, most_games=most_games)
    on_stage("certify")
    genome = selection.genome
    certificate, readings = certify(evaluator, genome, n_games=games.certify, first_side=first_side)
    explanation = None
    if explains and not certificate.inside.all():
        on_stage("explain")
        explanation = _explain_failure(
            method, state, settings, relaxed, evaluator, selection, readings
        )
        if explanation is not None:
            measured = measured_patches(evaluator, selection, cleanup, certificate)
            explanation = explanation.consistent_with(evaluator.demands, measured)
    return FoundPatch(
        evaluator,
        state,
        selection,
        cleanup,
        certificate,
        readings,
        patch_of(genome, evaluator.space, evaluator.contest),
        method.least_change(genome),
        method,
        escalation.describe(state.widened) if escalation else (),
        explanation,
        n_spent,
    )


def _explain_failure(
    method: Method,
    state: SearchState,
    settings: BalanceSettings,
    relaxed: Relaxed,
    evaluator: Evaluator,
    selection: Selection,
    certified: Readings,
) -> Explanation | None:
    """Return the explanation of demands that the certificate did not verify.

    Args:
        method: method of the search.
        state: final state of the search.
        settings: settings of the search.
        relaxed: function that returns the relaxed spaces.
        evaluator: evaluator of the run.
        selection: selected candidates, played again.
        certified: games of the certificate, with the baseline as last variant.

    Returns:
        The explanation; `None` if the readings of the baseline are unknown, or if a total number of
        games is set and the method has no linear model of the search.
    """
    # If a total number of games is set, none are left for an explanation. It then uses the games of
    # the search.
    searched = method.prospects(state) if settings.games.total is not None else None
    if settings.games.total is not None and searched is None:
        return None
    return explain(
        evaluator,
        settings,
        relaxed(settings, evaluator.space),
        np.concatenate([selection.points / selection.n_games, evaluator.demands.rates(certified)]),
        partial(method.predicted_imbalance_pp, state),
        searched,
        method.expected_pp(state),
    )


def play_today(contest: Contest, settings: BalanceSettings) -> Readings:
    """Play the games of the baseline with which a run begins, `games.matchups` per matchup.

    Args:
        contest: players and matchups.
        settings: settings of the run, with its seed and its numbers of games.
    """
    return contest.play(
        np.zeros((1, 0), dtype=np.int16),
        (),
        n_games=settings.games.matchups,
        run_seed=settings.seed,
        purpose="matchups",
    )


def balance_contest(
    contest: Contest,
    space: SearchSpace,
    settings: BalanceSettings,
    *,
    today: Readings | None = None,
    wider: Wider | None = None,
    relaxed: Relaxed = nothing_relaxed,
    explains: bool = True,
    first_side: int = 1,
    n_narrowed: int = 0,
    state: SearchState | None = None,
    try_number: int | None = None,
    on_stage: Callable[[str], None] = lambda _: None,
    on_generation: Callable[[SearchState], None] = lambda _: None,
) -> FoundPatch:
    """Measure the baseline of any contest, unless its games are given, and find a patch.

    Args:
        contest: players and matchups.
        space: search space of the patch.
        settings: settings of the run; only `seed`, `target`, `guards`, `search` and `games` are
            used.
        today: games of the baseline, as `play_today` plays them; `None` to play them.
        wider: function that returns the search space after relaxations; `None` to always use
            `space`.
        relaxed: function that returns the relaxed spaces for an explanation.
        explains: whether to explain a failure, which may take longer than the search.
        first_side: 1 if games other than the certificate's show an advantage of the first seat,
            otherwise -1.
        n_narrowed: number of games that narrowing has played, over all matchups.
        state: state from which the search continues; `None` to begin a search.
        try_number: number of this certification attempt for its question, from 1
            (`balance.verdict.risk`); `None` if attempts are not counted. An uncounted attempt gets
            the whole risk and needs less margin, so it may recommend a different patch than the
            first counted attempt.
        on_stage: callback, called with the name of each stage when it begins.
        on_generation: callback, called with the state of the search after every generation.
    """
    if today is None:
        on_stage("measure")
        today = play_today(contest, settings)
    evaluator = Evaluator.of(contest, space, settings, try_number=try_number, today=today)
    return find_patch(
        evaluator,
        settings,
        escalation=Escalation(settings, evaluator, wider),
        relaxed=relaxed,
        explains=explains,
        first_side=first_side,
        n_spent=today.n_games * len(contest.matchups) + n_narrowed,
        state=state,
        on_stage=on_stage,
        on_generation=on_generation,
    )
