"""Stages of a balancing run, for any contest: from the baseline's games to a certificate.

Only the search takes long, so only its states are passed to a callback that may save them. The
other stages are deterministic functions of the question, and are repeated when a run is resumed.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from balance.contest.patch import patch_of
from balance.contest.readings import Readings
from balance.run.context import RunContext
from balance.run.escalation import Escalation
from balance.run.explanation import Explanation, explain
from balance.run.found_patch import FoundPatch
from balance.run.question import Measured, Question, ResultT
from balance.search.cleanup import clean_up
from balance.search.evolutionary_search import SearchState
from balance.search.measured import measured_patches
from balance.search.method import Method
from balance.search.methods import method_named
from balance.search.selection import Selection
from balance.settings.budget import left_for_cleanup
from balance.settings.tables import BalanceSettings
from balance.verdict.certificate import Certificate, certify
from balance.verdict.clean_up_result import CleanUp
from balance.verdict.evaluation import Evaluator
from sim.files.validation import revalidated

# Number of games that the clean-up may play after a short search and a short selection; otherwise
# it may play as many as the longer of the two. Chosen by hand, not tuned.
LEAST_FOR_CLEANUP = 1_000_000


class Searched(NamedTuple):
    """Result of the search and the selection, after all relaxations.

    Attributes:
        settings: settings of the last search.
        evaluator: evaluator of the last search's space, with the seed of the run.
        method: method of the last search.
        state: final state of the search.
        selection: best candidates of the search, played again.
        widened: descriptions of the relaxations that were made.
    """

    settings: BalanceSettings
    evaluator: Evaluator
    method: Method
    state: SearchState
    selection: Selection
    widened: tuple[str, ...]


def run_stages(
    question: Question[ResultT],
    context: RunContext | None = None,
    *,
    measured: Measured | None = None,
) -> ResultT:
    """Find a patch that answers a question, and certify it; explain a failure.

    Args:
        question: contest, settings and search space, as `prepare` returns them.
        context: state to continue from, attempt number, and callbacks; by default none.
        measured: result of `question.measure`; `None` to measure.

    Raises:
        InputError: a setting is invalid, or the search method does not exist or would ignore one.
    """
    context = context or RunContext()
    revalidated(question.settings, source="settings")
    question.settings.search.refuse_unused(question.settings.search.method)
    if measured is None:
        context.on_stage("measure")
        measured = question.measure()
    searched = _search(question, measured, context)
    context.on_stage("clean up")
    selection, cleanup = _clean_up(searched, measured)
    context.on_stage("certify")
    certificate, certified = certify(
        searched.evaluator,
        selection.genome,
        n_games=searched.settings.games.certify,
        first_side=measured.first_side,
    )
    explanation = None
    if context.explains and not certificate.inside.all():
        context.on_stage("explain")
        explanation = _explain(question, searched, selection, cleanup, certificate, certified)
    evaluator = searched.evaluator
    found = FoundPatch(
        evaluator,
        searched.state,
        selection,
        cleanup,
        certificate,
        certified,
        patch_of(selection.genome, evaluator.space, evaluator.contest),
        searched.method.least_patch(selection.genome),
        searched.method,
        searched.widened,
        explanation,
        _games_before_search(evaluator, measured),
    )
    return question.result(found, measured)


def _search(question: Question[ResultT], measured: Measured, context: RunContext) -> Searched:
    """Search, and select the best candidates; relax the search and continue while that may help."""
    evaluator = question.evaluator(measured, context.try_number)
    wider = partial(question.wider_space, measured.space)
    escalation = Escalation(question.settings, evaluator, wider)
    settings = question.settings
    state = context.state
    while True:
        if state is not None:
            settings, evaluator = escalation.at(state.widened)
        context.on_stage("search")
        method = method_named(settings.search.method)(evaluator, settings)
        final_state = method.run(state, context.on_generation)
        context.on_stage("select")
        selection = method.select(final_state)
        state = escalation.next_state(method, final_state, selection)
        if state is None:
            break
        context.on_stage(f"widen: {escalation.describe(state.widened)[-1]}")
    # A relaxed search used a different seed. The later stages use that of the run, from which the
    # games of the final patch can then be replayed.
    evaluator = replace(evaluator, run_seed=question.settings.seed)
    widened = escalation.describe(final_state.widened)
    return Searched(settings, evaluator, method, final_state, selection, widened)


def _clean_up(searched: Searched, measured: Measured) -> tuple[Selection, CleanUp]:
    """Remove edits that the selected patch does not need, within the games that are left."""
    evaluator = searched.evaluator
    games = searched.settings.games
    n_searched = int(searched.state.history[-1, 0])
    n_selected = searched.selection.n_played
    n_played = _games_before_search(evaluator, measured) + n_searched + n_selected
    left = left_for_cleanup(searched.settings, n_played, len(evaluator.contest.matchups))
    most_games = max(n_searched, n_selected, LEAST_FOR_CLEANUP) if left is None else left
    return clean_up(evaluator, searched.selection, games, most_games=most_games)


def _games_before_search(evaluator: Evaluator, measured: Measured) -> int:
    """Return the number of games that measuring and narrowing have played, over all matchups."""
    return measured.today.n_games * len(evaluator.contest.matchups) + measured.n_narrowed


def _explain(
    question: Question[ResultT],
    searched: Searched,
    selection: Selection,
    cleanup: CleanUp,
    certificate: Certificate,
    certified: Readings,
) -> Explanation | None:
    """Return the explanation of demands that the certificate did not verify.

    Args:
        question: question of the run.
        searched: result of the search.
        selection: selected candidates, with the patch that the clean-up recommends.
        cleanup: result of the clean-up.
        certificate: verdict on the recommended patch.
        certified: games of the certificate, with the baseline as last variant.

    Returns:
        The explanation; `None` if the readings of the baseline are unknown, or if a total number of
        games is set and the method has no linear model of the search.
    """
    settings, evaluator, method, state, *_ = searched
    # If a total number of games is set, none are left for an explanation. It then uses the games of
    # the search.
    prospects = method.prospects(state) if settings.games.total is not None else None
    if settings.games.total is not None and prospects is None:
        return None
    explanation = explain(
        evaluator,
        settings,
        question.relaxed_spaces(settings, evaluator.space),
        np.concatenate([selection.rates, evaluator.demands.rates(certified)]),
        partial(method.predicted_imbalance_pp, state),
        prospects,
        method.expected_pp(state),
    )
    if explanation is None:
        return None
    measured = measured_patches(evaluator, selection, cleanup, certificate)
    return explanation.consistent_with(evaluator.demands, measured)
