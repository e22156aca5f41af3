"""The board: which numbers of an experiment's decks a designer may step, and how far."""

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
from experiments.workbench.refused import Refused
from sim import Card
from sim.cards.names import card_names, fields_of_card
from sim.cards.text.card_text import card_lines
from sim.play import Agent
from sim.play.table import OF_RULES, Gene
from sim.ruleset import RULES

Place = tuple[str, str]
"""A card's id (`sim.ruleset.RULES` for the rules), and a field of it."""


@dataclass(frozen=True)
class Board:
    """An experiment as it lies before a designer.

    Attributes:
        experiment: its cards, decks and demands.
        contest: the same, at play.
        others: the pilots of a second opinion on what is certified.
    """

    experiment: Experiment
    contest: CardContest
    others: tuple[Agent, ...] = ()

    @classmethod
    def of(cls, experiment: Experiment, others: Sequence[Agent] = ()) -> Board:
        """That of an experiment.

        Args:
            experiment: with its cards, decks and demands.
            others: the pilots of a second opinion.

        Raises:
            InputError: none of its numbers may move.
        """
        board = cls(experiment, experiment.contest(), tuple(others))
        _ = board.numbers
        return board

    @cached_property
    def numbers(self) -> Mapping[Place, Number]:
        """All that the experiment would let move if nothing were locked, in the pool's order."""
        free = self.experiment.settings.tune.model_copy(
            update={"lock": (), "direction": {}, "max_cards": None, "max_change": None}
        )
        space = build_space(self.contest, free)
        return {self.place(gene): self._number(gene) for gene in space.genes}

    def place(self, gene: Gene) -> Place:
        """How files write a number."""
        number = self.contest.parameter(gene)
        return number.owner, number.field

    def number(self, card: str, field: str) -> Number:
        """A number that may be stepped.

        Raises:
            Refused: there is none of this name.
        """
        if (card, field) not in self.numbers:
            if all(owner != card for owner, _ in self.numbers):
                raise Refused(f"no card {card!r} with numbers that may move", card)
            raise Refused(f"no number {field!r} of {card!r} may move", f"{card}.{field}")
        return self.numbers[card, field]

    def spelt(self, card: str, field: str | None) -> tuple[str, str | None]:
        """A card and a field as they are called here, from any spelling of their names.

        What stands for nothing stays as it is.

        Raises:
            InputError: a name may mean several.
        """
        pool = self.contest.table.pool
        found = None if card in self.shown else card_names(pool).get(card)
        known = found or card
        if field is None or known == RULES or known not in self.shown:
            return known, field
        return known, fields_of_card(self.card(known)).get(field) or field

    def owner(self, card: str) -> str:
        """A card that is shown, or the rules.

        Raises:
            Refused: there is none of this id.
        """
        if card not in self.shown:
            raise Refused(f"no deck holds a card {card!r}")
        return card

    @cached_property
    def shown(self) -> Mapping[str, tuple[str, ...]]:
        """By card, and for the rules where they may move, the decks that hold it."""
        players = self.contest.players
        holders = {
            card.id: tuple(one.name for one in players if card.id in one.deck.cards)
            for card in self.contest.table.pool.cards
        }
        shown = {card: names for card, names in holders.items() if names}
        rules = {RULES: self.contest.player_names}
        return shown | (rules if any(owner == RULES for owner, _ in self.numbers) else {})

    def card(self, card: str) -> Card:
        """One of those that are shown."""
        return self.contest.table.pool.card(card)

    def name(self, card: str) -> str:
        """What people call it, or the rules."""
        return "Rules" if card == RULES else self.card(card).name

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """What each card that is shown does besides its numbers, as it is today."""
        names = {one.id: one.name for one in self.contest.table.pool.everything}
        cards = (card for card in self.shown if card != RULES)
        return {card: " ".join(card_lines(self.card(card), names)) for card in cards}

    @cached_property
    def told(self) -> ShownRates:
        """The rates that are shown: of matchups, decks, other demands and the first seat."""
        return reported_rates(self.experiment.settings, self.contest)

    @property
    def has_opponents(self) -> bool:
        """Whether there are games at all."""
        return bool(self.contest.matchups)

    def edits(self, values: Mapping[Place, int]) -> Edits:
        """Values as steps from today's numbers."""
        numbers = self.numbers
        return {numbers[place].gene: to - numbers[place].today for place, to in values.items()}

    def patch(self, values: Mapping[Place, int]) -> SizedPatch:
        """Values as a patch from today's."""
        return sized_patch(self.contest, self.edits(values), self.experiment.settings.tune)

    def printed(self, edits: Sequence[Edit]) -> PrintedPatch:
        """A patch as it will be printed."""
        return PrintedPatch.of(self.contest.table.pool, edits)

    def locked_by_file(self) -> Iterator[str]:
        """Cards that the experiment's file locks."""
        words = self.experiment.settings.tune.lock
        for card in self.contest.table.pool.cards:
            if card.id in self.shown and {card.id, *(f"tag:{tag}" for tag in card.tags)} & {*words}:
                yield card.id

    def _number(self, gene: Gene) -> Number:
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
