"""View model: the numbers of an experiment's decks that a designer may change, and their ranges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from balance import CardContest, Edit, build_space
from balance.pool_edits import SizedPatch, sized_patch
from balance.whatif import Edits
from experiments.experiment import Experiment
from experiments.files.edits import Number
from experiments.results.compared import ShownRates, reported_rates
from experiments.results.printed import PrintedPatch
from experiments.workbench.page_errors import number_place
from sim import Card, InputError
from sim.cards.names import card_names, fields_of_card
from sim.cards.text.card_text import card_lines
from sim.play import Agent
from sim.play.table import OF_RULES, Gene
from sim.ruleset import RULES

Place = tuple[str, str]
"""A card's id (`sim.ruleset.RULES` for the rules), and the name of one of its fields."""


@dataclass(frozen=True)
class ViewModel:
    """An experiment as the page shows it.

    Attributes:
        experiment: the experiment, with its cards, decks and demands.
        contest: the experiment's contest, for playing games.
        others: agents that give a second opinion on certified patches.
    """

    experiment: Experiment
    contest: CardContest
    others: tuple[Agent, ...] = ()

    @classmethod
    def of(cls, experiment: Experiment, others: Sequence[Agent] = ()) -> ViewModel:
        """Return the view model of an experiment.

        Args:
            experiment: the experiment, with its cards, decks and demands.
            others: agents that give a second opinion on certified patches.

        Raises:
            InputError: none of its numbers may change.
        """
        view = cls(experiment, experiment.contest(), tuple(others))
        _ = view.numbers  # fail now, not at the first request
        return view

    @cached_property
    def numbers(self) -> Mapping[Place, Number]:
        """Numbers that may change if nothing is locked, by place, in the order of the pool."""
        # Locks and limits are the designer's to change on the page, so they are removed here.
        free = self.experiment.settings.tune.model_copy(
            update={"lock": (), "direction": {}, "max_cards": None, "max_change": None}
        )
        space = build_space(self.contest, free)
        return {self.place(gene): self._number_of(gene) for gene in space.genes}

    def place(self, gene: Gene) -> Place:
        """Return the place of a gene: the card and field by which files name the number."""
        number = self.contest.parameter(gene)
        return number.owner, number.field

    def number(self, card: str, field: str) -> Number:
        """Return a number that may change.

        Args:
            card: id of a card, or `sim.ruleset.RULES`.
            field: name of one of its fields.

        Raises:
            InputError: no number at this place may change.
        """
        if (card, field) not in self.numbers:
            if all(owner != card for owner, _ in self.numbers):
                raise InputError("no card of this id has numbers that may change", place=card)
            raise InputError(
                f"no number {field!r} may change", place=number_place(card, field), value=field
            )
        return self.numbers[card, field]

    def known_names(self, card: str, field: str | None) -> tuple[str, str | None]:
        """Return the id of a card and the name of a field from any spelling of their names.

        Args:
            card: id or name of a card; unknown ones are returned as they are.
            field: field of the card, or `None`; unknown ones are returned as they are.

        Raises:
            InputError: a name is ambiguous.
        """
        pool = self.contest.table.pool
        by_name = None if card in self.decks_by_card else card_names(pool).get(card)
        known = by_name or card
        if field is None or known == RULES or known not in self.decks_by_card:
            return known, field
        return known, fields_of_card(self.card(known)).get(field) or field

    def check_owner(self, card: str) -> str:
        """Return the id of a card on the page, or of the rules, unchanged.

        Raises:
            InputError: the page shows no card of this id.
        """
        if card not in self.decks_by_card:
            raise InputError("no deck holds a card of this id", place=card)
        return card

    @cached_property
    def decks_by_card(self) -> Mapping[str, tuple[str, ...]]:
        """Names of the decks that hold each card on the page; all decks for the rules.

        The rules are present only if some of their numbers may change.
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
        """Return the card with an id."""
        return self.contest.table.pool.card(card)

    def name(self, card: str) -> str:
        """Return the name that the page shows for a card's id, or for the rules."""
        return "Rules" if card == RULES else self.card(card).name

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """Rules text of each card on the page, by its id, at the baseline."""
        names = {entry.id: entry.name for entry in self.contest.table.pool.everything}
        cards = (card for card in self.decks_by_card if card != RULES)
        return {card: " ".join(card_lines(self.card(card), names)) for card in cards}

    @cached_property
    def shown_rates(self) -> ShownRates:
        """Rates on the page: matchups, decks, other demands and the first seat."""
        return reported_rates(self.experiment.settings, self.contest)

    @property
    def has_opponents(self) -> bool:
        """Whether there is a matchup, so that games can be played."""
        return bool(self.contest.matchups)

    def edits(self, values: Mapping[Place, int]) -> Edits:
        """Return new values of numbers as steps from their baseline values."""
        numbers = self.numbers
        return {numbers[place].gene: to - numbers[place].today for place, to in values.items()}

    def patch(self, values: Mapping[Place, int]) -> SizedPatch:
        """Return new values of numbers as a patch of the baseline, with its size."""
        return sized_patch(self.contest, self.edits(values), self.experiment.settings.tune)

    def printed(self, edits: Sequence[Edit]) -> PrintedPatch:
        """Return the cards that a patch changes, as they are printed before and after it."""
        return PrintedPatch.of(self.contest.table.pool, edits)

    def cards_locked_by_file(self) -> Iterator[str]:
        """Yield the ids of the cards on the page that the experiment's file locks."""
        locks = {*self.experiment.settings.tune.lock}
        for card in self.contest.table.pool.cards:
            words = {card.id, *(f"tag:{tag}" for tag in card.tags)}
            if card.id in self.decks_by_card and words & locks:
                yield card.id

    def _number_of(self, gene: Gene) -> Number:
        """Return the number of a gene with the range in which the page may set it."""
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
