"""View model of an experiment without cards: its numbers by owner, as the game declares them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, cast

import numpy as np

from balance import BalanceSettings, Edit
from balance.cards.pool_edits import SizedPatch
from balance.cards.printed_patch import PrintedPatch
from balance.contest.contest import Contest
from balance.contest.moved import MovedContest
from balance.space.search_space import CardChange, SearchSpace, Steps
from balance.space.tune import Tune
from experiments.contest_experiment import ContestExperiment
from experiments.files.edits import Number
from experiments.results.compared import ShownRates, reported_rates
from experiments.runs.ledger import Attempt
from experiments.workbench.view_model import Place, ViewModel
from sim.errors import InputError

_STEPS_MAX = 1000  # largest limit of steps that `[tune]` permits, so that ranges alone limit them


@dataclass(frozen=True)
class ContestViewModel(ViewModel):
    """An experiment of a contest as the page shows it: each owner of numbers is a tile."""

    has_cards: ClassVar[bool] = False

    @classmethod
    def of_contest(cls, experiment: ContestExperiment) -> ContestViewModel:
        """Return the view model of an experiment.

        Raises:
            InputError: no number of the experiment may change.
        """
        experiment.space()
        # The contest gets a callback later, by which the page can cancel games.
        contest: Any = experiment.contest()
        if not isinstance(contest, MovedContest):
            contest = MovedContest(contest)
        return cls(cast("Any", experiment), contest)

    @property
    def _own(self) -> ContestExperiment:
        """Experiment with its own type."""
        return cast("ContestExperiment", self.experiment)

    @property
    def settings(self) -> BalanceSettings:
        """Settings of the experiment, in which ranges alone limit the steps of numbers."""
        tune = Tune(max_steps=_STEPS_MAX)
        return self._own.balance_settings().model_copy(update={"tune": tune})

    @cached_property
    def numbers(self) -> Mapping[Place, Number]:
        """Numbers that may change, by owner and field."""
        space = self._own.space()
        numbers = [self.contest.parameter(gene) for gene in space.genes]
        return {
            (number.owner, number.field): Number(
                gene,
                number.label or number.field,
                number.value,
                number.value + int(low),
                number.value + int(high),
            )
            for gene, number, low, high in zip(
                space.genes, numbers, space.low, space.high, strict=True
            )
        }

    def known_names(self, card: str, field: str | None) -> tuple[str, str | None]:
        """Return the owner and the field unchanged, since they have only one spelling."""
        return card, field

    @cached_property
    def decks_by_card(self) -> Mapping[str, tuple[str, ...]]:
        """Names of the players that the numbers of each owner can affect, by owner."""
        names = self.contest.player_names
        players = dict[str, tuple[str, ...]]()
        for (owner, _), number in self.numbers.items():
            reached = self.contest.reach([number.gene])[0]
            own = tuple(name for name, is_own in zip(names, reached, strict=True) if is_own)
            players[owner] = tuple(dict.fromkeys([*players.get(owner, ()), *own]))
        return players

    def name(self, card: str) -> str:
        """Return the display name of an owner."""
        gene = next(number.gene for (owner, _), number in self.numbers.items() if owner == card)
        return self.contest.parameter(gene).name

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """Nothing, since owners have no texts."""
        return {}

    @cached_property
    def shown_rates(self) -> ShownRates:
        """Rates that the page shows: matchups, players and other demands."""
        return reported_rates(self.settings, self.contest)

    @property
    def attempt(self) -> Attempt:
        """Question that a certificate answers, for the ledger of repeated attempts."""
        return self._own.attempt()

    @property
    def players(self) -> list[tuple[str, str]]:
        """Name of each player; players of games without cards have no agents."""
        return [(name, "") for name in self.contest.player_names]

    @property
    def sources(self) -> dict[str, Any]:
        """Name of the game in place of rules and cards, and the owners that affect each player."""
        owners = self.decks_by_card
        return {
            "ruleset": self._own.settings.game,
            "pool": "",
            "decks": [
                {
                    "name": name,
                    "agent": "",
                    "cards": [
                        {"card": owner, "copies": 1}
                        for owner, players in owners.items()
                        if name in players
                    ],
                }
                for name in self.contest.player_names
            ],
        }

    def check_rules(self, numbers: Mapping[str, int]) -> None:
        """Accept all numbers, since the game itself refuses those that it cannot play."""

    def patch(self, values: Mapping[Place, int]) -> SizedPatch:
        """Return the patch that sets numbers to new values, with the size of the patch."""
        return self._own.sized_patch(self.edits(values))

    def edited(self, contest: Any, values: Mapping[Place, int]) -> Any:
        """Return a contest in which numbers have new values."""
        steps = {gene: step for gene, step in self.edits(values).items() if step}
        moved = {
            gene: contest.moved.get(gene, 0) + steps.get(gene, 0)
            for gene in [*dict.fromkeys([*contest.moved, *steps])]
        }
        return replace(contest, moved=moved) if steps else contest

    def space(self, contest: Contest, tune: Tune) -> SearchSpace:
        """Return the search space of the numbers in their ranges, under constraints.

        Args:
            contest: contest from which the search starts.
            tune: constraints, of which limits of steps, cards and change apply.

        Raises:
            InputError: no number may change.
        """
        full = self._own.space()
        moved = np.array(
            [
                contest.parameter(gene).value - self.contest.parameter(gene).value
                for gene in full.genes
            ],
            dtype=np.int16,
        )
        # A table of limits is by fields of cards.
        limit = tune.max_steps if isinstance(tune.max_steps, int) else _STEPS_MAX
        low = np.maximum(full.low - moved, -limit).astype(np.int16)
        high = np.minimum(full.high - moved, limit).astype(np.int16)
        most = tune.max_card_change
        limited = None
        if most is not None:
            limited = CardChange(full.owners, np.full(len(full.genes), most))
        space = replace(full, low=low, high=high, card_change=limited)
        if tune.max_cards is not None:
            space = replace(space, most_cards=tune.max_cards)
        if tune.max_change is not None:
            space = replace(space, most_change=tune.max_change)
        free = [gene for k, gene in enumerate(space.genes) if low[k] < high[k]]
        if not free:
            raise InputError("no number may change", place="tune")
        return space.with_only(free)

    def space_of_edits(self, values: Mapping[Place, int]) -> tuple[SearchSpace, Steps]:
        """Return the smallest search space that contains given edits, and their steps, ``[K]``."""
        return self._own.space_of_edits(self.edits(values))

    def printed(self, edits: Sequence[Edit]) -> PrintedPatch:  # noqa: ARG002 (no cards are printed)
        """Return no printed cards."""
        return PrintedPatch()

    def cards_locked_by_file(self) -> Iterator[str]:
        """Yield nothing, since files of such games lock no cards."""
        return iter(())
