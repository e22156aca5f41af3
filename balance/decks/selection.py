"""Selection among the decks of a search: play the most promising ones again on fresh seeds.

The search's own win rates of its best decks are too high, because it selected by them. The new
games are independent of that selection.

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

# Decks that are played again, over all numbers of swaps together. Trade-off between games and the
# chance to include the best deck; chosen by hand.
CANDIDATES = 30

# Fewest decks of each number of swaps that are played again, if the search has as many. Chosen by
# hand, so that each number of swaps has a choice.
PER_SWAPS = 5


@dataclass(frozen=True)
class DeckSelection:
    """The ``K`` decks of a search that were played again, best first.

    Attributes:
        decks: the decks, with slots in the order of their files.
        n_swaps: number of the original deck's cards that each replaces, shape [K]; 0 without one.
        claimed: win rate against the field in the search's games, shape [K].
        n_claimed: number of these games per opponent, shape [K].
        n_games: games of each deck against each opponent on the stream `build/select`.
        score: win rate against the field in these games, with intervals over seeds, shape [K].
        behind: win rate of the first deck less that of each, paired by seed, shape [K].
        recommended: position of the deck with the fewest swaps among those not certainly behind the
            first; without an original deck the first.
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
        """Numbers of swaps from 1, each with the position of the best deck with that many swaps."""
        numbers, first = np.unique(self.n_swaps, return_index=True)
        pairs = zip(numbers.tolist(), first.tolist(), strict=True)
        return tuple((n_swaps, position) for n_swaps, position in pairs if n_swaps > 0)


def select_deck(search: DeckSearch, state: DeckState, *, name: str) -> DeckSelection:
    """Play the most promising decks of a search again, and recommend one.

    Args:
        search: the search.
        state: its final state.
        name: name of all the decks.
    """
    chosen = _select_promising(search, state)
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
    """Play decks against a search's field, with the results of every seed.

    Args:
        search: field, pilot and seeds.
        decks: the decks.
        n_games: games of each deck against each opponent.
        purpose: name of the stream of game seeds.
    """
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


def _select_promising(search: DeckSearch, state: DeckState) -> Positions:
    """Return the decks with the best cautious win rates, some of each number of swaps.

    Args:
        search: the search.
        state: its final state.

    Returns:
        Positions in `state.seen`.
    """
    best_first = np.argsort(-cautious_rates(state, search.field), kind="stable")
    n_swaps = search.space.n_swaps(state.seen)[best_first]
    numbers = np.unique(n_swaps)
    n_each = max(PER_SWAPS, -(-CANDIDATES // len(numbers)))
    return np.concatenate([best_first[n_swaps == number][:n_each] for number in numbers])
