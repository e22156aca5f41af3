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

from balance.decks.deck_search import DeckSearch, DeckState, cautious_rates
from balance.decks.space import deck_of
from balance.metagame.field import FieldCounts, play_field
from balance.statistics.intervals import Counts, Floats, Interval, Positions, paired_mean
from sim.cards.deck import Deck
from sim.play.batch import row_of_deck

# Minimum number of decks that are played again, over all numbers of swaps together. Trade-off
# between games and the chance to include the best deck; chosen by hand.
CANDIDATES = 30

# Minimum number of decks with each number of swaps that are played again, so that there is a choice
# for each number of swaps. Chosen by hand.
PER_SWAPS = 5


@dataclass(frozen=True)
class DeckSelection:
    """``K`` decks of a search that were played again, best first, with their results.

    Attributes:
        decks: decks that were played again, with their slots in the order of deck files.
        n_swaps: number of cards of the original deck that each deck replaces, shape [K]; all 0 if
            there is no original deck.
        claimed: win rate of each deck against the field in the search's games, shape [K].
        n_claimed: number of games per opponent behind `claimed`, shape [K].
        n_games: number of games of each deck against each opponent on the stream `build/select`.
        score: win rate of each deck against the field on that stream, with intervals over seeds,
            shape [K].
        behind: win rate of the first deck less that of each deck, with intervals paired by seed,
            shape [K].
        recommended: position of the recommended deck: the one with the fewest swaps among those for
            which the lower bound of `behind` is at most 0. Ties go to the better deck.
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
        """Pairs of a number of swaps and the position of the best deck with this number of swaps.

        They are in rising order and include only numbers above 0.
        """
        numbers, first = np.unique(self.n_swaps, return_index=True)
        pairs = zip(numbers.tolist(), first.tolist(), strict=True)
        return tuple((n_swaps, position) for n_swaps, position in pairs if n_swaps > 0)


def select_deck(search: DeckSearch, state: DeckState, *, name: str) -> DeckSelection:
    """Play the most promising decks of a search again, and recommend one.

    Args:
        search: configuration of the search.
        state: final state of the search.
        name: name that all the decks get.
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
        # `argmin` returns the first of equal numbers of swaps, which is the better deck.
        recommended=int(np.argmin(np.where(behind.low <= 0, n_swaps, search.space.size + 1))),
    )


def play_decks(
    search: DeckSearch, decks: Sequence[Deck], *, n_games: int, purpose: str
) -> FieldCounts:
    """Play decks against a search's field, with the results of every seed.

    Args:
        search: configuration of the search, with the field, the pilot and the run seed.
        decks: decks to play.
        n_games: number of games of each deck against each opponent.
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
    )


def _select_promising(search: DeckSearch, state: DeckState) -> Positions:
    """Return the positions in `state.seen` of the decks to play again.

    For each number of swaps these are the decks with the best `cautious_rates`: an equal part of
    30 decks, but at least 5 if the search played as many.

    Args:
        search: configuration of the search.
        state: final state of the search.
    """
    best_first = np.argsort(-cautious_rates(state, search.field), kind="stable")
    n_swaps = search.space.n_swaps(state.seen)[best_first]
    numbers = np.unique(n_swaps)
    n_each = max(PER_SWAPS, -(-CANDIDATES // len(numbers)))
    return np.concatenate([best_first[n_swaps == number][:n_each] for number in numbers])
