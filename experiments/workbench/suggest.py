"""Suggestions: the smallest patches that the model search finds under a draft's locks.

What is locked stays as it is, edited or not; all else may move from today's numbers. The search is
that of `balance`, and so are its seeds: where nothing is locked or edited, it ends with the patch
that `balance` would recommend.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from balance import CONFIDENCE, CardContest, Evaluator, build_space
from balance.card_contest import patched
from balance.found_patch import play_today
from balance.search_space import SearchSpace
from balance.settings import BalanceSettings
from balance.suggestion import Suggested, suggest_patches
from experiments.screen import percent_between
from experiments.workbench.board import Board, Place
from experiments.workbench.draft import Draft, edits_of
from experiments.workbench.refused import Refused
from experiments.workbench.session import Proposal
from sim.errors import InputError
from sim.play.table import OF_RULES

_STANDS = {
    "inside": "is nearest to its bounds,",
    "outside": "is OUT OF BAND,",
    "not shown": "is not shown to be inside its bounds,",
}


def suggest(
    board: Board,
    draft: Draft,
    tell: Callable[[Proposal], None],
    *,
    contest: CardContest,
    try_number: int,
    threads: int | None,
) -> None:
    """Tell of the smallest patches, at first of those that the search passes on its way.

    Args:
        board: whose numbers.
        draft: says what is locked, and what patches have to keep.
        tell: told each patch.
        contest: the board's.
        try_number: of the certificate that may follow, whose room they need.
        threads: threads to use; default all cores.

    Raises:
        Refused: nothing may move, or what is locked breaks a constraint by itself.
    """
    question = _Question(board, draft, contest)
    settings = question.settings
    asked = question.contest
    evaluator = Evaluator.of(
        asked,
        question.space,
        settings,
        threads=threads,
        try_number=try_number,
        today=play_today(asked, settings, threads),
    )
    suggest_patches(evaluator, settings, lambda found: tell(question.proposal(evaluator, found)))


@dataclass(frozen=True)
class _Question:
    """What is asked: what may move, from which cards on.

    Attributes:
        board: whose numbers.
        draft: says what is locked.
        today: the board's contest.
    """

    board: Board
    draft: Draft
    today: CardContest

    @cached_property
    def kept(self) -> dict[Place, int]:
        """Edits that are locked, which all patches have."""
        values = self.draft.values.items()
        return {place: to for place, to in values if self.draft.is_locked(*place)}

    @cached_property
    def contest(self) -> CardContest:
        """The contest with these edits, from which the search goes on."""
        edits = self.board.patch(self.kept).edits
        return patched(self.today, edits) if edits else self.today

    @cached_property
    def settings(self) -> BalanceSettings:
        """Those of the experiment, with the draft's constraints less what is spent by the locks."""
        told = self.board.experiment.settings
        constraints = self.draft.constraints
        spent = self.board.patch(self.kept)
        tune = constraints.tune(told.tune)
        for name, most, used in (
            ("max_cards", tune.max_cards, spent.cards_touched),
            ("max_change", tune.max_change, spent.change),
        ):
            if most is not None and used:
                if used >= most:
                    place = f"constraints.{name}"
                    raise Refused(f"what is locked takes {used:g} of {most:g} already", place)
                tune = tune.model_copy(update={name: most - used})
        search = told.search.model_copy(update={"method": "model", "assist": False})
        games = told.games.model_copy(update={"total": None})
        return told.model_copy(update={"tune": tune, "search": search, "games": games})

    @cached_property
    def space(self) -> SearchSpace:
        """What may move."""
        nothing = "no number may move: all are locked, or have no way to go"
        try:
            space = build_space(self.contest, self.settings.tune)
        except InputError:
            raise Refused(nothing, "constraints.direction") from None
        places = {gene: self.board.place(gene) for gene in space.genes}
        free = [gene for gene, place in places.items() if not self.draft.is_locked(*place)]
        limit = space.card_change
        if limit is not None:
            limit = limit.less(self._spent_by_card)
            is_open = dict(zip(space.genes, limit.most > 0, strict=True))
            free = [gene for gene in free if gene.owner == OF_RULES or is_open[gene]]
        if not free:
            raise Refused(nothing)
        return replace(space, card_change=limit).with_only(free)

    @property
    def _spent_by_card(self) -> dict[int, int]:
        """Steps of each card that the locked edits take already."""
        spent = Counter[int]()
        for gene, steps in self.board.edits(self.kept).items():
            spent[gene.owner] += abs(steps)
        return spent

    def proposal(self, evaluator: Evaluator, found: Suggested) -> Proposal:
        """A suggestion as a patch of today's numbers, and what is known of it."""
        space = evaluator.space
        values = dict(self.kept)
        for k in np.flatnonzero(found.genome).tolist():
            number = self.contest.parameter(space.genes[k])
            values[number.owner, number.field] = number.value + int(found.genome[k])
        demands = evaluator.demands
        rates = demands.estimate(found.scores.win_rate[0], found.n_games, CONFIDENCE)
        spare = np.minimum(rates.estimate - demands.low, demands.high - rates.estimate)
        worst = int(spare.argmin())
        verdicts = demands.verdicts(rates)
        n_not_inside = sum(one != "inside" for one in verdicts)
        least, most = (100 * float(bound) for bound in demands.bounds[:, worst])
        text = (
            f"{demands.names[worst]} {_STANDS[verdicts[worst]]} {least:g} to {most:g}, at "
            f"{percent_between(rates.at(worst))}, in {found.n_games:,} games per matchup"
        )
        if n_not_inside > 1:
            text += f"; {n_not_inside} of {len(verdicts)} rates are not shown to be inside"
        state = "" if found.cleanup is None else found.cleanup.state
        if found.cleanup is not None and state == "out of games":
            text += (
                f". Taking edits back ran out of games after {found.cleanup.n_tried} of "
                f"{found.cleanup.n_smaller} patches with an edit less"
            )
        return Proposal(
            edits=edits_of(values),
            likely=found.is_likely,
            text=text,
            verdict=verdicts[worst],
            clean_up=state,
        )
