"""View model of an experiment: the numbers that a designer may edit, their ranges and the rates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from balance import BalanceSettings, CardContest, Edit, build_space
from balance.cards.card_contest import patched
from balance.cards.pool_edits import SizedPatch, sized_patch, space_of_edits
from balance.cards.printed_patch import PrintedPatch
from balance.contest.whatif import Edits
from balance.space.search_space import SearchSpace, Steps
from balance.space.tune import Tune
from experiments.experiment import Experiment
from experiments.files.edits import Number
from experiments.results.compared import ShownRates, reported_rates
from experiments.runs.ledger import Attempt, attempt_of
from experiments.workbench.page_errors import number_place
from sim import Card, InputError
from sim.cards.names import card_names, fields_of_card
from sim.cards.text.card_text import card_lines
from sim.play import Agent
from sim.play.table import OF_RULES, Gene
from sim.ruleset import RULES

Place = tuple[str, str]
"""Place of a number: id of a card (`sim.ruleset.RULES` for the rules), and name of a field."""


@dataclass(frozen=True)
class ViewModel:
    """An experiment as the page shows it.

    Attributes:
        experiment: experiment with its cards, decks and demands.
        contest: contest of the experiment's players, which plays games.
        others: agents that play for the second opinion on certified patches.
    """

    experiment: Experiment
    contest: CardContest
    others: tuple[Agent, ...] = ()

    has_cards: ClassVar[bool] = True
    """Whether the owners of numbers are cards and rules, which have files of their own."""

    @classmethod
    def of(cls, experiment: Experiment, others: Sequence[Agent] = ()) -> ViewModel:
        """Return the view model of an experiment.

        Args:
            experiment: experiment with its cards, decks and demands.
            others: agents that play for the second opinion on certified patches.

        Raises:
            InputError: no number of the experiment may change.
        """
        view = cls(experiment, experiment.contest(), tuple(others))
        _ = view.numbers  # computed now, so that an error occurs before the first request
        return view

    @cached_property
    def numbers(self) -> Mapping[Place, Number]:
        """Numbers that may change if nothing is locked, by place, in the order of the pool."""
        # The designer can change locks and limits on the page, so they do not apply here.
        free = self.experiment.settings.tune.model_copy(
            update={"lock": (), "direction": {}, "max_cards": None, "max_change": None}
        )
        space = build_space(self.contest, free)
        return {self.place(gene): self._number_of(gene) for gene in space.genes}

    def place(self, gene: Gene) -> Place:
        """Return the place of the number that a gene of the search space changes."""
        number = self.contest.parameter(gene)
        return number.owner, number.field

    def number(self, card: str, field: str) -> Number:
        """Return a number that may change.

        Args:
            card: id of a card, or `sim.ruleset.RULES`.
            field: name of a field of the card.

        Raises:
            InputError: no number at this place may change.
        """
        if (card, field) not in self.numbers:
            if all(owner != card for owner, _ in self.numbers):
                raise InputError(
                    "no deck has a card with this id and with numbers that can change",
                    place=card,
                    value=card,
                )
            raise InputError(
                f"the card has no number {field!r} that can change",
                place=number_place(card, field),
                value=field,
            )
        return self.numbers[card, field]

    def known_names(self, card: str, field: str | None) -> tuple[str, str | None]:
        """Return the id of a card and the name of a field, given any accepted spelling of both.

        Args:
            card: id or name of a card; an unknown name is returned unchanged.
            field: name of a field of the card, or `None`; `None` and an unknown name are returned
                unchanged.

        Raises:
            InputError: several cards or fields have the name.
        """
        pool = self.contest.table.pool
        by_name = None if card in self.decks_by_card else card_names(pool).get(card)
        known = by_name or card
        if field is None or known == RULES or known not in self.decks_by_card:
            return known, field
        return known, fields_of_card(self.card(known)).get(field) or field

    def check_owner(self, card: str) -> str:
        """Check that the page shows a card or the rules; return the id unchanged.

        Raises:
            InputError: no deck contains the card, or the rules may not change.
        """
        if card not in self.decks_by_card:
            raise InputError("no deck contains a card with this id", place=card)
        return card

    @cached_property
    def decks_by_card(self) -> Mapping[str, tuple[str, ...]]:
        """Names of the players with each card in their decks, by card id; unused cards are absent.

        The rules have an entry with all players if any number of the rules may change.
        """
        players = self.contest.players
        holders = {
            card.id: tuple(player.name for player in players if card.id in player.deck.cards)
            for card in self.contest.table.pool.cards
        }
        held = {card: names for card, names in holders.items() if names}
        rules = {RULES: self.contest.player_names}
        return held | (rules if any(owner == RULES for owner, _ in self.numbers) else {})

    def card(self, card: str) -> Card:
        """Return the baseline card with an id."""
        return self.contest.table.pool.card(card)

    def name(self, card: str) -> str:
        """Return the name that the page shows for a card or the rules, given the id."""
        return "Rules" if card == RULES else self.card(card).name

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """Rules text of each card on the page with the baseline numbers, by card id."""
        names = {entry.id: entry.name for entry in self.contest.table.pool.everything}
        cards = (card for card in self.decks_by_card if card != RULES)
        return {card: " ".join(card_lines(self.card(card), names)) for card in cards}

    @cached_property
    def shown_rates(self) -> ShownRates:
        """Rates that the page shows: matchups, decks, other demands and the first seat."""
        return reported_rates(self.experiment.settings, self.contest)

    @property
    def settings(self) -> BalanceSettings:
        """Settings of the experiment for the balancing stages."""
        return self.experiment.balance_settings()

    @property
    def attempt(self) -> Attempt:
        """Question that a certificate answers, for the ledger of repeated attempts."""
        return attempt_of(self.experiment)

    @property
    def players(self) -> list[tuple[str, str]]:
        """Name and agent of each player."""
        return [(player.name, player.agent.name) for player in self.contest.players]

    @property
    def sources(self) -> dict[str, Any]:
        """Names of the rules and the cards, and the decks, as the event `state` holds them."""
        return {
            "ruleset": self.experiment.ruleset.name,
            "pool": self.experiment.pool.name,
            "decks": [
                {
                    "name": player.name,
                    "agent": player.agent.name,
                    "cards": [{"card": card, "copies": n} for card, n in player.deck.cards.items()],
                }
                for player in self.contest.players
            ],
        }

    def check_rules(self, numbers: Mapping[str, int]) -> None:
        """Check that numbers of the rules are consistent with each other.

        Raises:
            InputError: the rules do not permit the values together.
        """
        self.contest.table.ruleset.with_numbers(numbers)

    def edited(self, contest: CardContest, values: Mapping[Place, int]) -> CardContest:
        """Return a contest in which numbers have new values.

        Args:
            contest: contest with the baseline numbers.
            values: new value of each number by place.
        """
        edits = self.patch(values).edits
        return patched(contest, edits) if edits else contest

    def space(self, contest: CardContest, tune: Tune) -> SearchSpace:
        """Return the search space of a contest under constraints.

        Args:
            contest: contest from which the search starts.
            tune: constraints.

        Raises:
            InputError: no number may change.
        """
        return build_space(contest, tune)

    def space_of_edits(self, values: Mapping[Place, int]) -> tuple[SearchSpace, Steps]:
        """Return the smallest search space that contains given edits, and their steps, ``[K]``."""
        return space_of_edits(self.contest, self.edits(values), self.settings.tune)

    @property
    def has_opponents(self) -> bool:
        """Whether the experiment has at least one matchup, so that games can be played."""
        return bool(self.contest.matchups)

    def edits(self, values: Mapping[Place, int]) -> Edits:
        """Return the number of steps of each number from its baseline, by gene.

        Args:
            values: new value of each number by place; every number must be in `numbers`.
        """
        numbers = self.numbers
        return {numbers[place].gene: to - numbers[place].today for place, to in values.items()}

    def patch(self, values: Mapping[Place, int]) -> SizedPatch:
        """Return the patch that sets numbers to new values, with the size of the patch.

        Args:
            values: new value of each number by place; every number must be in `numbers`.
        """
        return sized_patch(self.contest, self.edits(values), self.experiment.settings.tune)

    def printed(self, edits: Sequence[Edit]) -> PrintedPatch:
        """Return the printed cards that a patch changes, before and after the patch."""
        return PrintedPatch.of(self.contest.table.pool, edits)

    def cards_locked_by_file(self) -> Iterator[str]:
        """Yield the ids of cards on the page that the experiment's file locks, by id or tag."""
        locks = {*self.experiment.settings.tune.lock}
        for card in self.contest.table.pool.cards:
            words = {card.id, *(f"tag:{tag}" for tag in card.tags)}
            if card.id in self.decks_by_card and words & locks:
                yield card.id

    def _number_of(self, gene: Gene) -> Number:
        """Return the number that a gene changes, with the range that the page permits.

        The range of a card's number is the intersection of the possible range and the ruleset's
        limits; the range of a number of the rules is set in `[tune]`.
        """
        parameter = self.contest.parameter(gene)
        settings = self.experiment.settings
        if gene.owner == OF_RULES:
            least, most = settings.tune.rules[gene.field]
        else:
            card = self.contest.table.pool.cards[gene.owner]
            bounds = (card.possible(gene.field), self.contest.table.ruleset.limits.of(gene.field))
            least = max(low for low, _ in bounds)
            most = min(high for _, high in bounds)
        return Number(gene, parameter.label or gene.field, parameter.value, least, most)
