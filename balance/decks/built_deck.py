"""Result of building or improving a deck: its win rates, the search, candidates and swaps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, NamedTuple

from balance.decks.deck_search import DeckState
from balance.decks.selection import DeckSelection
from balance.metagame.field import Field
from balance.result.result import Result, ResultTable
from balance.statistics.intervals import Interval
from sim.cards.deck import Deck
from sim.files.row_file import entry
from sim.play.agent import Agent
from sim.short_repr import short_repr

DECK_FILE = "deck.toml"
"""Name of the file with the deck in a run folder."""


class OpponentRow(NamedTuple):
    """Win rate of a built deck against one opponent, in the games of its certificate.

    Attributes:
        player: name of the opponent.
        agent: name of the agent that plays the opponent's deck.
        weight: weight of the opponent in the field.
        win_rate: win rate of the built deck against the opponent, as a fraction.
        n: number of games against the opponent.
    """

    player: str
    agent: str
    weight: float
    win_rate: Annotated[Interval, ("win_rate", "low", "high")]
    n: int


class SearchRow(NamedTuple):
    """A generation of the search for decks.

    Attributes:
        generation: number of the generation, from 0.
        games: number of games of the search up to and including this generation.
        race_win_rate: win rate of the race's winner in the race, as a fraction.
        win_rate: win rate of the best deck so far over all its games, as a fraction.
    """

    generation: int
    games: int
    race_win_rate: float
    win_rate: float


class CandidateRow(NamedTuple):
    """A deck of the search that was evaluated again.

    Numbers of games are totals over all opponents.

    Attributes:
        rank: rank of the deck, from 1 for the best.
        swaps: number of replaced copies of cards.
        win_rate: win rate against the field, as a fraction.
        n: number of games behind `win_rate`.
        behind: win rate of the best deck less that of this deck, in percentage points.
        claimed: win rate in the games of the search, as a fraction.
        n_claimed: number of games behind `claimed`.
        cards: cards with numbers of copies, as text.
    """

    rank: int
    swaps: int
    win_rate: Annotated[Interval, ("win_rate", "low", "high")]
    n: int
    behind: Annotated[Interval, ("behind_pp", "behind_low_pp", "behind_high_pp")]
    claimed: float
    n_claimed: int
    cards: str


class SwapRow(NamedTuple):
    """The best deck with a given number of swaps from the original deck.

    Attributes:
        swaps: number of replaced copies of cards.
        out: cards that leave the deck, with numbers of copies, as text.
        in_: cards that enter the deck, with numbers of copies, as text.
        gain_pp: gain in win rate over the original deck, in percentage points.
        win_rate: win rate against the field, as a fraction.
        n: number of games against all opponents together.
        recommended: whether the deck is the recommended deck.
    """

    swaps: int
    out: str
    in_: str
    gain_pp: Annotated[Interval, ("gain_pp", "low_pp", "high_pp")]
    win_rate: Interval
    n: int
    recommended: bool


@dataclass(frozen=True)
class Improvement:
    """Best deck with a given number of swaps, measured on games that influenced no choice.

    Attributes:
        n_swaps: number of cards of the original deck that are replaced.
        deck: improved deck.
        score: win rate of the improved deck against the field, with an interval over seeds.
        gain: win rate less that of the original deck, with an interval paired by seed.
    """

    n_swaps: int
    deck: Deck
    score: Interval
    gain: Interval


@dataclass(frozen=True)
class BuiltDeck(Result):
    """Built or improved deck, its certified win rate, and the results of all stages.

    Attributes:
        deck: resulting deck, which is the original deck if no improvement was verified.
        agent: agent that pilots the deck.
        field: the ``N`` opponents and their weights.
        origin: deck to improve; `None` for a new deck.
        n_games: number of games against each opponent in the certification.
        score: win rate of `deck` against the field in the certification, with an interval over
            seeds.
        win_rates: win rate of `deck` against each opponent in the certification, with Wilson
            intervals, shape [N].
        certified: whether the lower bound of `score` reaches the goal; `None` if no goal is set.
        tried: recommended improvement, whether verified or not; `None` for a new deck, or if the
            selection preferred the original deck.
        improvements: best deck with each number of swaps, by rising number of swaps; empty for a
            new deck.
        selection: decks of the search that were played again, with their results.
        state: final state of the search.
        games: number of games of each stage, over all decks and opponents, by name of the stage.
    """

    deck: Deck
    agent: Agent
    field: Field
    origin: Deck | None
    n_games: int
    score: Interval
    win_rates: Interval
    certified: bool | None
    tried: Improvement | None
    improvements: tuple[Improvement, ...]
    selection: DeckSelection
    state: DeckState
    games: dict[str, int]

    def __repr__(self) -> str:
        return short_repr(self, "certified", "score", "n_games", deck=self.deck.name)

    @property
    def n_field_games(self) -> int:
        """Number of games in the certification against all opponents together."""
        return self.n_games * len(self.field.opponents)

    @cached_property
    def tables(self) -> Mapping[str, ResultTable]:
        """Tables of opponents, the search, and candidates; for an improved deck also of swaps."""
        tables = {
            "opponents": ResultTable(OpponentRow, self._opponent_rows()),
            "search": ResultTable(SearchRow, self._search_rows()),
            "candidates": ResultTable(CandidateRow, self._candidate_rows()),
        }
        if self.origin is None:
            return tables
        return tables | {"swaps": ResultTable(SwapRow, self._swap_rows(self.origin))}

    def to_dict(self) -> dict[str, Any]:
        """Return the entries of `summary.json` on the deck, its win rates and its swaps."""
        return {
            "certified": self.certified,
            "deck": {"name": self.deck.name, "file": DECK_FILE, "cards": self.deck.cards},
            "agent": self.agent.name,
            **self.score.as_entry(n=self.n_field_games),
            "opponents": [entry(row) for row in self.rows(OpponentRow)],
            "improved": self.origin and self.origin.name,
            "is_changed": self.deck != self.origin,
            "gain_pp": self.tried
            and self.tried.gain.times(100).as_entry("gain", n=self.n_field_games),
            "swaps": [entry(row) for row in self.rows(SwapRow)],
            "games": self.games,
            "decks_searched": len(self.state.seen),
        }

    def _opponent_rows(self) -> list[OpponentRow]:
        """Return one row per opponent in the field."""
        players = zip(self.field.opponents, self.field.weights, strict=True)
        return [
            OpponentRow(player.name, player.agent.name, weight, self.win_rates.at(k), self.n_games)
            for k, (player, weight) in enumerate(players)
        ]

    def _search_rows(self) -> list[SearchRow]:
        """Return one row per generation of the search."""
        history = self.state.history.tolist()
        return [SearchRow(k, int(n_games), *rates) for k, (n_games, *rates) in enumerate(history)]

    def _candidate_rows(self) -> list[CandidateRow]:
        """Return one row per deck that was evaluated again, the best deck first."""
        selection = self.selection
        n_opponents = len(self.field.opponents)
        return [
            CandidateRow(
                k + 1,
                selection.n_swaps[k],
                selection.score.at(k),
                selection.n_games * n_opponents,
                selection.behind.at(k).times(100),
                selection.claimed[k],
                int(selection.n_claimed[k]) * n_opponents,
                _copies(deck.cards),
            )
            for k, deck in enumerate(selection.decks)
        ]

    def _swap_rows(self, origin: Deck) -> list[SwapRow]:
        """Return one row per number of swaps from the original deck."""
        rows = list[SwapRow]()
        for improvement in self.improvements:
            out, in_ = map(_copies, difference(origin, improvement.deck))
            gain_pp = improvement.gain.times(100)
            is_best = improvement.deck == self.deck
            n = self.n_field_games
            rows.append(
                SwapRow(improvement.n_swaps, out, in_, gain_pp, improvement.score, n, is_best)
            )
        return rows


def difference(before: Deck, after: Deck) -> tuple[dict[str, int], dict[str, int]]:
    """Return the removed copies of each card, and the added copies of each card.

    Args:
        before: deck before the change.
        after: deck after the change.

    Returns:
        Number of copies by card, as positive numbers. A card that both decks contain equally often
        is left out.
    """
    cards = {**before.cards, **after.cards}
    change = {card: after.cards.get(card, 0) - before.cards.get(card, 0) for card in cards}
    out = {card: -copies for card, copies in change.items() if copies < 0}
    return out, {card: copies for card, copies in change.items() if copies > 0}


def _copies(cards: Mapping[str, int]) -> str:
    """Return cards with their copies as text, such as `2 ember_whelp; 1 guard`."""
    return "; ".join(f"{copies} {card}" for card, copies in cards.items())
