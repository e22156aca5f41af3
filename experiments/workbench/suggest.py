"""Search for the smallest patches that balance an experiment under a draft's locks.

Locked numbers keep their values, edited or not. All other numbers start from the baseline and may
change. The search and its seeds are the same as in the command `balance`: without locks, the last
suggestion is the patch that `balance` recommends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from balance import CONFIDENCE, CardContest, Evaluator
from balance.run.question import question_of
from balance.run.suggestion import Suggested, suggest_patches
from balance.settings.tables import BalanceSettings
from balance.space.search_space import SearchSpace
from experiments.screen import VERDICT_WORDS, percent_between, wanted_words
from experiments.workbench.draft import Draft, edits_of
from experiments.workbench.page_errors import CONSTRAINTS, number_place
from experiments.workbench.session import Proposal
from experiments.workbench.view_model import Place, ViewModel
from sim.errors import InputError
from sim.play.table import OF_RULES


def suggest(
    view: ViewModel,
    draft: Draft,
    propose: Callable[[Proposal], None],
    *,
    contest: CardContest,
    try_number: int,
) -> None:
    """Search for the smallest patches, and call `propose` with each patch when it is found.

    Args:
        view: view model of the experiment.
        draft: draft with the locks, the edits of locked numbers, and the constraints.
        propose: called with each patch; the last patch is the recommendation of the search.
        contest: contest with the baseline numbers; its callback `on_games` may cancel the job.
        try_number: number of the next certificate of the question; it determines the margin inside
            the bounds that a patch needs.

    Raises:
        InputError: no number may change, or the locked edits use up a limit of the constraints.
    """
    problem = _DraftProblem(view, draft, contest)
    question = question_of(problem.contest, problem.settings, problem.space)
    settings = question.settings
    evaluator = question.evaluator(question.measure(), try_number)
    suggest_patches(
        evaluator,
        settings,
        lambda suggested: propose(problem.proposal(evaluator, suggested)),
    )


@dataclass(frozen=True)
class _DraftProblem:
    """Search problem that a draft poses: start of the search, search space and settings.

    Attributes:
        view: view model of the experiment.
        draft: draft with the locks and constraints.
        today: contest with the baseline numbers.
    """

    view: ViewModel
    draft: Draft
    today: CardContest

    @cached_property
    def kept(self) -> dict[Place, int]:
        """New value of each number that is both edited and locked; all patches include them."""
        values = self.draft.values.items()
        return {place: to for place, to in values if self.draft.is_locked(*place)}

    @cached_property
    def contest(self) -> CardContest:
        """Contest with the edits of locked numbers, from which the search starts."""
        return self.view.edited(self.today, self.kept)

    @cached_property
    def settings(self) -> BalanceSettings:
        """Settings of the search: the experiment's settings with the draft's constraints.

        The limits of cards and change are reduced by the amounts that the locked edits use. The
        method is always the model search, and the number of games is not limited.

        Raises:
            InputError: the locked edits use up a limit.
        """
        own = self.view.settings
        constraints = self.draft.constraints
        spent = self.view.patch(self.kept)
        tune = constraints.tune(own.tune)
        for name, most, used in (
            ("max_cards", tune.max_cards, spent.cards_touched),
            ("max_change", tune.max_change, spent.change),
        ):
            if most is not None and used:
                if used >= most:
                    raise InputError(
                        f"the locked edits use {used:g} of {most:g}",
                        place=number_place(CONSTRAINTS, name),
                        value=used,
                        limit=most,
                        remedy="raise the limit, or unlock or revert an edit",
                    )
                tune = tune.model_copy(update={name: most - used})
        search = own.search.model_copy(update={"method": "model", "assist": False})
        games = own.games.model_copy(update={"total": None})
        return own.model_copy(update={"tune": tune, "search": search, "games": games})

    @cached_property
    def space(self) -> SearchSpace:
        """Search space of the unlocked numbers that may change under the constraints.

        Numbers of cards on which the locked edits use up the limit of steps are left out.

        Raises:
            InputError: no number may change.
        """
        nothing = "no number can change: each is locked, or at its limit in this direction"
        remedy = "unlock a number, or permit both directions"
        try:
            space = self.view.space(self.contest, self.settings.tune)
        except InputError:
            place = number_place(CONSTRAINTS, "direction")
            raise InputError(nothing, place=place, remedy=remedy) from None
        places = {gene: self.view.place(gene) for gene in space.genes}
        free = [gene for gene, place in places.items() if not self.draft.is_locked(*place)]
        limit = space.card_change
        if limit is not None:
            limit = limit.less(self._spent_by_card)
            is_open = dict(zip(space.genes, limit.most > 0, strict=True))
            free = [gene for gene in free if gene.owner == OF_RULES or is_open[gene]]
        if not free:
            raise InputError(nothing, remedy=remedy)
        return replace(space, card_change=limit).with_only(free)

    @property
    def _spent_by_card(self) -> dict[int, int]:
        """Number of steps of the locked edits, by index of the card in the pool."""
        spent = Counter[int]()
        for gene, steps in self.view.edits(self.kept).items():
            spent[gene.owner] += abs(steps)
        return spent

    def proposal(self, evaluator: Evaluator, suggested: Suggested) -> Proposal:
        """Return a patch of the search, with the locked edits, as a patch of the baseline.

        The text of the proposal names the rate with the smallest margin inside its bounds.

        Args:
            evaluator: evaluator of the search, with its search space and demands.
            suggested: patch that the search suggests, with its scores.
        """
        space = evaluator.space
        values = dict(self.kept)
        for k in np.flatnonzero(suggested.genome).tolist():
            number = self.contest.parameter(space.genes[k])
            values[number.owner, number.field] = number.value + int(suggested.genome[k])
        demands = evaluator.demands
        rates = demands.estimate(suggested.scores.win_rate[0], suggested.n_games, CONFIDENCE)
        spare = np.minimum(rates.estimate - demands.low, demands.high - rates.estimate)
        worst = int(spare.argmin())
        verdicts = demands.verdicts(rates)
        n_not_inside = sum(verdict != "inside" for verdict in verdicts)
        text = (
            f"The worst rate, {demands.names[worst]}, is {VERDICT_WORDS[verdicts[worst]].phrase} "
            f"(wanted: {wanted_words(*demands.bounds[:, worst])}), at "
            f"{percent_between(rates.at(worst))}, in {suggested.n_games:,} games per matchup"
        )
        if n_not_inside > 1:
            text += f"; {n_not_inside} of {len(verdicts)} rates are not shown to be inside"
        cleanup = suggested.cleanup
        state = "" if cleanup is None else cleanup.state
        if cleanup is not None and state == "out of games":
            text += (
                f". Backward elimination ran out of games after {cleanup.n_tried} of "
                f"{cleanup.n_smaller} patches with one edit fewer"
            )
        return Proposal(
            edits=edits_of(values),
            likely=suggested.is_likely,
            text=text,
            verdict=verdicts[worst],
            clean_up=state,
        )
