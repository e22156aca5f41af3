"""The found patch of any contest: search, select, clean up, certify, and explain what fails.

Only the search is long, so only the search hands out states to be kept; the other stages are
functions of contest and settings, and are simply done again when a run is resumed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

import numpy as np

from balance.budget import left_for_cleanup
from balance.certificate import Certificate, certify
from balance.clean_up_result import CleanUp
from balance.cleanup import clean_up
from balance.contest import Contest
from balance.demands import Demands
from balance.edit_effects import EditEffects
from balance.edit_reasons import EditReason, reasons_of
from balance.escalation import Escalation, Wider
from balance.evaluation import Evaluator
from balance.explanation import Explanation, RelaxedSpaces, explain
from balance.measured import measured_patches
from balance.method import Method
from balance.methods import method_named
from balance.patch import Edit, patch_of
from balance.readings import Readings
from balance.search import SearchState
from balance.search_space import SearchSpace
from balance.selection import Selection, select
from balance.settings import BalanceSettings
from balance.without_margin import WithoutMargin, smallest_without_margin
from sim.arguments import Count, checked
from sim.files.validation import revalidated

LEAST_FOR_CLEANUP = 1_000_000  # games; else it may take as many as the search

Relaxed = Callable[[BalanceSettings, SearchSpace], RelaxedSpaces]
"""What may move with each setting relaxed, of settings and the space that they come to."""


@dataclass(frozen=True)
class FoundPatch:
    """What a search, a selection and a certificate came to.

    Attributes:
        evaluator: what played and scored the candidates.
        state: the finished search.
        selection: its best genomes, played again.
        cleanup: what it took to take back what the best could do without.
        certificate: the verdict on the recommended one.
        certified: the certificate's games: the patch, then today.
        patch: the recommended edits.
        least_change: that below which no patch can do it, as far as the method can tell.
        method: of the search, with what it has learned.
        widened: what the run widened by itself, in words.
        explanation: why demands are not shown to hold, if a model was asked.
        n_spent: games before the search, all matchups together.
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
    def told(self) -> Demands:
        """What reports tell of: every matchup, whatever is demanded of it, then other demands."""
        return self.certificate.demands.with_matchups(self.evaluator.contest.matchup_names)

    @property
    def bound(self) -> float | None:
        """`least_change` of a certified patch; beside another one it would claim too much."""
        return self.least_change if self.certificate.certified else None

    @property
    def is_nearest(self) -> bool:
        """Whether no patch that was played again reads nearer to its aims than the recommended."""
        imbalance_pp = self.selection.scores.imbalance_pp
        return bool(imbalance_pp[self.selection.recommended] <= imbalance_pp.min())

    @property
    def without_margin(self) -> WithoutMargin | None:
        """The smallest patch of less change that reads inside every limit, but by too little."""
        games = self.method.settings.games
        return smallest_without_margin(self.evaluator, self.selection, self.cleanup, games)

    def explained(self, effects: EditEffects | None) -> Explanation | None:
        """`explanation`, as far as the effects of edits do not contradict it either."""
        if self.explanation is None:
            return None
        measured = measured_patches(
            self.evaluator, self.selection, self.cleanup, self.certificate, effects
        )
        return self.explanation.beside(self.evaluator.demands, measured)

    def edit_reasons(self, effects: EditEffects | None) -> list[EditReason]:
        """Why each edit stays, by the clean-up, or else by the effects of edits."""
        return reasons_of(self.evaluator, self.selection.genome, self.cleanup, effects)


def nothing_relaxed(_: BalanceSettings, space: SearchSpace) -> RelaxedSpaces:
    """What explanations of a contest look at whose settings nobody knows how to relax."""
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
    """Search, select, clean up and certify, for any contest.

    Args:
        evaluator: plays and scores genomes.
        settings: of which `search` and `games` count here.
        escalation: what may be widened where nothing is found; default nothing.
        relaxed: what an explanation asks about where demands are not shown to hold.
        explains: whether anybody wants to know why, which may take longer than the search.
        first_side: 1 if today's advantage is the first seat's, else -1, by other games.
        n_spent: games that measuring and narrowing took, of a total (`balance.budget`).
        state: where the search continues; default its beginning.
        on_stage: told the name of each stage as it begins.
        on_generation: told the state after every generation.

    Raises:
        InputError: there is no such method of searching, it would ignore a setting, or an argument
            is none of these.
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
        found = method.run(state, on_generation)
        on_stage("select")
        selection = select(evaluator, found, method.shortlist(found), games, method.likely)
        state = escalation.following(method, found, selection) if escalation else None
        if escalation is None or state is None:
            break
        on_stage(f"widen: {escalation.said(state.widened)[-1]}")
    state = found
    evaluator = replace(evaluator, run_seed=run_seed)  # by which others replay it
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
        explanation = _explained(method, state, settings, relaxed, evaluator, selection, readings)
        if explanation is not None:
            measured = measured_patches(evaluator, selection, cleanup, certificate)
            explanation = explanation.beside(evaluator.demands, measured)
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
        escalation.said(state.widened) if escalation else (),
        explanation,
        n_spent,
    )


def _explained(
    method: Method,
    state: SearchState,
    settings: BalanceSettings,
    relaxed: Relaxed,
    evaluator: Evaluator,
    selection: Selection,
    certified: Readings,
) -> Explanation | None:
    """Why demands are not shown to hold, by the search's model or by what it has played.

    Args:
        method: of the search.
        state: where the search ended.
        settings: of the search.
        relaxed: what may move with each setting relaxed.
        evaluator: of the run.
        selection: patches that were played again.
        certified: the certificate's games, the last of which are today's.
    """
    # A total leaves no games for an explanation, which then rests on what the search has played.
    searched = method.prospects(state) if settings.games.total is not None else None
    if settings.games.total is not None and searched is None:
        return None
    return explain(
        evaluator,
        settings,
        relaxed(settings, evaluator.space),
        np.concatenate([selection.points / selection.n_games, evaluator.demands.rates(certified)]),
        partial(method.promise_pp, state),
        searched,
        method.expected_pp(state),
    )


def play_today(contest: Contest, settings: BalanceSettings, threads: int | None = None) -> Readings:
    """The games of today's numbers with which a run begins."""
    return contest.play(
        np.zeros((1, 0), dtype=np.int16),
        (),
        n_games=settings.games.matchups,
        run_seed=settings.seed,
        purpose="matchups",
        threads=threads,
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
    threads: int | None = None,
    state: SearchState | None = None,
    try_number: int | None = None,
    on_stage: Callable[[str], None] = lambda _: None,
    on_generation: Callable[[SearchState], None] = lambda _: None,
) -> FoundPatch:
    """Measure today's numbers, unless that was done, and find a patch, for any contest.

    Args:
        contest: who meets whom.
        space: what may move.
        settings: of which `seed`, `target`, `guards`, `search` and `games` count here.
        today: the games of today's numbers, of as many candidates; default they are played.
        wider: what may move once settings are widened; default the same.
        relaxed: what an explanation asks about where demands are not shown to hold.
        explains: whether anybody wants to know why, which may take longer than the search.
        first_side: 1 if today's advantage is the first seat's, else -1, by other games.
        n_narrowed: games that narrowing took, all matchups together.
        threads: threads to use; default all cores.
        state: where the search continues; default its beginning.
        try_number: which try of its question this is, if tries are counted (`balance.risk`); 1 is
            a first run of `evenhand balance`. Uncounted, a try has all the risk, so needs less
            room, and may come to another patch.
        on_stage: told the name of each stage as it begins.
        on_generation: told the state after every generation.
    """
    if today is None:
        on_stage("measure")
        today = play_today(contest, settings, threads)
    evaluator = Evaluator.of(
        contest, space, settings, threads=threads, try_number=try_number, today=today
    )
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
