"""Clean-up after a search for decks: the most promising ones once more, on fresh seeds.

What a search says of its best decks is too good to be true, since it chose them by it. Played
again on seeds of their own they are ordered anew.

Reference: J. Boesel, B. L. Nelson, S.-H. Kim, "Using ranking and selection to 'clean up' after
simulation optimization", Operations Research 51 (2003).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from balance.decks.search import DeckSearch, DeckState, cautious_rates
from balance.decks.space import deck_of
from balance.metagame.field import FieldCounts, play_field
from balance.statistics.intervals import Counts, Floats, Interval, Positions, paired_mean
from sim.cards.deck import Deck
from sim.play.batch import row_of_deck

CANDIDATES = 30
"""Decks of a search that are played again, over all numbers of swaps together."""

PER_SWAPS = 5
"""The fewest of each number of swaps, as far as there are so many."""


@dataclass(frozen=True)
class DeckSelection:
    """``K`` decks of a search, played again; the best first.

    Attributes:
        decks: the decks, in the slots of their files.
        n_swaps: ``[K]`` cards of the origin that each replaces; 0 where there is no origin.
        claimed: ``[K]`` win rate against the field over its games of the search.
        n_claimed: ``[K]`` these games, per opponent.
        n_games: games of each against each opponent on the stream `build/select`.
        score: ``[K]`` win rate there against the field, the interval over seeds.
        behind: ``[K]`` how much less than that of the first, paired by seed.
        recommended: position of the deck with the fewest swaps of those that are not certainly
            behind the first; without an origin the first.
    """

    decks: tuple[Deck, ...]
    n_swaps: Counts
    claimed: Floats
    n_claimed: Counts
    n_games: int
    score: Interval
    behind: Interval
    recommended: int

    @property
    def by_swaps(self) -> tuple[tuple[int, int], ...]:
        """Numbers of swaps from 1, each with the position of the best deck that has so many."""
        numbers, first = np.unique(self.n_swaps, return_index=True)
        pairs = zip(numbers.tolist(), first.tolist(), strict=True)
        return tuple((n_swaps, position) for n_swaps, position in pairs if n_swaps > 0)


def select_deck(search: DeckSearch, state: DeckState, *, name: str) -> DeckSelection:
    """Play the most promising decks again and choose one.

    Args:
        search: what was searched.
        state: how the search ended.
        name: of all the decks.
    """
    chosen = _promising(search, state)
    n_games = search.build.select
    table = search.field.table
    hero = search.space.hero
    decks = [deck_of(slots, name, table, hero) for slots in state.seen[chosen]]
    counts = play_decks(search, decks, n_games=n_games, purpose="build/select")
    score = counts.score()
    order = np.argsort(-score.estimate, kind="stable")
    n_swaps = search.space.n_swaps(state.seen[chosen])[order]
    behind = paired_mean(counts.by_seed[order[0]] - counts.by_seed[order])
    claimed = search.field.score(state.seen_points[chosen]) / state.seen_games[chosen]
    return DeckSelection(
        decks=tuple(decks[position] for position in order),
        n_swaps=n_swaps,
        claimed=claimed[order],
        n_claimed=state.seen_games[chosen][order],
        n_games=n_games,
        score=score.at(order),
        behind=behind,
        recommended=int(np.argmin(np.where(behind.low <= 0, n_swaps, search.space.size + 1))),
    )


def play_decks(
    search: DeckSearch, decks: Sequence[Deck], *, n_games: int, purpose: str
) -> FieldCounts:
    """Play decks against the field, keeping what each seed came to."""
    pool = search.field.table.pool
    return play_field(
        search.field,
        np.stack([row_of_deck(deck, pool) for deck in decks]),
        search.pilot,
        n_games=n_games,
        run_seed=search.run_seed,
        purpose=purpose,
        keep_games=True,
        threads=search.threads,
    )


def _promising(search: DeckSearch, state: DeckState) -> Positions:
    """The decks with the best cautious win rates, of each number of swaps some."""
    best_first = np.argsort(-cautious_rates(state, search.field), kind="stable")
    n_swaps = search.space.n_swaps(state.seen)[best_first]
    numbers = np.unique(n_swaps)
    n_each = max(PER_SWAPS, -(-CANDIDATES // len(numbers)))
    return np.concatenate([best_first[n_swaps == number][:n_each] for number in numbers])
