"""Result of a search for substitutes: all candidates, with their win rates and differences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, NamedTuple

from balance.cards.card_contest import Player
from balance.decks.open_slots import Filling, Vacancies
from balance.decks.role_words import role_in_words
from balance.metagame.field import Field
from balance.result.result import Result, ResultTable
from balance.statistics.intervals import Interval
from sim.files.row_file import entry
from sim.short_repr import short_repr


class SubstituteRow(NamedTuple):
    """Row of `substitutes.csv`: cards that replace the missing cards, and the measured change.

    Attributes:
        rank: rank by win rate, from 1 for the best.
        role_rank: rank by similarity to the missing cards, from 1 for the most similar.
        cards: ids of the cards, separated by blanks.
        names: names of the cards, separated by commas.
        distance: distance to the missing cards, in steps of printed numbers.
        gain_pp: change of the win rate in percentage points, with its 95 % interval; `None` if the
            race dropped the candidate before it was measured.
        n: number of games that measured `gain_pp` against each opponent; `None` if not measured.
        race_gain_pp: change of the win rate estimated by the race, in percentage points.
        games_spent: number of games that the race played with the candidate.
        what_changes: difference to the missing cards, in words.
    """

    rank: int
    role_rank: int
    cards: str
    names: str
    distance: int
    gain_pp: Annotated[Interval, ("gain_pp", "low_pp", "high_pp")] | None
    n: int | None
    race_gain_pp: float
    games_spent: int
    what_changes: str


@dataclass(frozen=True)
class Candidate:
    """Combination of cards that fills the slots of all missing cards, with its results.

    Attributes:
        cards: position in the pool of the card that fills each vacancy.
        distance: sum of the distances to the missing cards (`balance.decks.roles`), in steps.
        gain: change of the deck's win rate against the field, with a paired interval, on seeds that
            influenced no choice; `None` if the candidate was not measured.
        race_gain: change of the win rate in the games that ranked the candidate; too high on
            average for the first candidates.
        n_games: number of games against each opponent, over the race and the later stages.
    """

    cards: Filling
    distance: int
    gain: Interval | None
    race_gain: float
    n_games: int


@dataclass(frozen=True)
class Substitution(Result):
    """Substitutes for the missing cards of a deck, in two orders.

    Attributes:
        player: player of the intact deck.
        field: opponents with their weights.
        vacancies: vacant slots of the deck.
        candidates: all candidates: first the measured ones by falling win rate, then the others in
            the order of the race.
        by_role: positions in `candidates`, by rising distance from the missing cards.
        intact: win rate of the intact deck against the field, with an interval over seeds.
        n_games: number of games against each opponent behind `intact` and each measured `gain`.
        total_games: number of games of all stages, over all decks and opponents.
    """

    player: Player
    field: Field
    vacancies: Vacancies
    candidates: tuple[Candidate, ...]
    by_role: tuple[int, ...]
    intact: Interval
    n_games: int
    total_games: int

    def __repr__(self) -> str:
        return short_repr(self, "n_games", player=self.player.name, candidates=len(self.candidates))

    def names_of(self, candidate: Candidate) -> str:
        """Return the names of a candidate's cards, in the order of the missing cards."""
        cards = self.field.table.pool.cards
        return ", ".join(cards[card].name for card in candidate.cards)

    @cached_property
    def tables(self) -> Mapping[str, ResultTable]:
        """Table `substitutes` with one row per candidate, by decreasing win rate."""
        cards = self.field.table.pool.cards
        vacancies = self.vacancies.open
        role_rank = {k: place for place, k in enumerate(self.by_role, 1)}
        rows = [
            SubstituteRow(
                rank,
                role_rank[rank - 1],
                " ".join(cards[card].id for card in candidate.cards),
                self.names_of(candidate),
                candidate.distance,
                None if candidate.gain is None else candidate.gain.times(100),
                None if candidate.gain is None else self.n_games,
                100 * candidate.race_gain,
                candidate.n_games,
                "; ".join(
                    role_in_words(cards[vacancy.card], cards[card])
                    for vacancy, card in zip(vacancies, candidate.cards, strict=True)
                ),
            )
            for rank, candidate in enumerate(self.candidates, 1)
        ]
        return {"substitutes": ResultTable(SubstituteRow, rows)}

    def to_dict(self) -> dict[str, Any]:
        """Return the entries of `summary.json` for `substitute`, without those of the settings."""
        cards = self.field.table.pool.cards
        columns = ("distance", "gain_pp", "low_pp", "high_pp", "n")
        ranked = {
            row.rank - 1: {"cards": row.cards.split()}
            | {column: value for column, value in entry(row).items() if column in columns}
            for row in self.rows(SubstituteRow)
            if row.gain_pp is not None
        }
        field = zip(self.field.opponents, self.field.weights, strict=True)
        return {
            "deck": self.player.name,
            "agent": self.player.agent.name,
            "missing": [
                {"card": cards[vacancy.card].id, "copies": len(vacancy.slots)}
                for vacancy in self.vacancies.open
            ],
            "field": {opponent.name: float(weight) for opponent, weight in field},
            "intact": self.intact.as_entry(n=self.n_games),
            "by_win_rate": [*ranked.values()],
            "by_role": [ranked[k] for k in self.by_role if k in ranked],
            "candidates": len(self.candidates),
            "games": self.total_games,
        }
