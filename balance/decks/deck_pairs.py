"""Games between pairs of random decks, from which the effects of all cards are estimated.

A search for strong decks plays strong cards often and weak cards hardly ever. This design gives all
cards of a pool the same chance. The cards of the first deck of a pair are random, with as many
copies of each card as the rules permit. The second deck is random too, but avoids the cards of the
first deck as far as possible, so that most cards differ between the decks: the variance of an
estimated effect is then about a third of that with decks of single random copies. One pilot plays
both decks, in both seatings. In some pairs a card costs one mana more or one mana less than
printed, so that the games also show what a card would do at these costs.

Reference: A. Atkinson, A. Donev, R. Tobias, "Optimum Experimental Designs, with SAS" (2007).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from balance.decks.program import cheapest_decks
from balance.decks.space import DeckSpace, Slots
from balance.space.search_space import Steps
from balance.statistics.intervals import Counts, Flags, Floats
from sim.play import Agent, Batch, Gene, Table, deck_row, play
from sim.ruleset import N_SEATS
from sim.seeds import generator, stream_seed

CopiesAhead = npt.NDArray[np.int8]
"""How many more copies of each card the first deck of each pair has than the second, at each of
`COST_STEPS`, shape [n, 3, C].
"""

# Maximum number of pairs. With more games the pairs play several games in each seating, so that the
# regression of a pool with hundreds of cards needs about 1 GB and a few minutes. Chosen by hand.
PAIRS_MAX = 30_000
# Maximum number of pairs if limits on several cards require an integer program for each deck, which
# takes about 20 ms. Chosen by hand.
SOLVED_PAIRS_MAX = 1_000
ROUNDS = 20
"""Number of parts in which the pairs are played, for progress and checkpoints."""
COST_STEPS = (0, 1, -1)
"""Steps of a card's cost at which the design measures the card: as printed, one more, one less."""

# Share of the pairs in which a card costs one mana more, and share in which it costs one mana less.
# Most games are left for the printed cost, which the effect and the curve need. Chosen by hand.
_SHARE_MOVED = 1 / 6
_VARIANTS = 100  # combinations of moved costs in a round: more would fill memory; chosen by hand
_PROBES = 20  # decks that show whether a space needs integer programs; chosen by hand


@dataclass(frozen=True)
class PairState:
    """State of the games between two rounds.

    Attributes:
        generation: number of finished rounds.
        points: points of the first deck of each pair that has played, draws counted half, shape
            [n].
    """

    generation: int
    points: Floats


@dataclass(frozen=True)
class PairDesign:
    """Plan of games between pairs of random decks.

    Attributes:
        space: space of legal decks.
        table: table with the ``C`` cards and the rules in one variant.
        pilot: agent that plays all decks.
        n_pairs: number of pairs.
        n_games: number of games of each pair, half in each seating.
        run_seed: seed of the run.
    """

    space: DeckSpace
    table: Table
    pilot: Agent
    n_pairs: int
    n_games: int
    run_seed: int

    def pairs_of_round(self, index: int) -> range:
        """Return the positions of the pairs of a round.

        Args:
            index: number of the round, from 0.
        """
        return range(index * self.n_pairs // ROUNDS, (index + 1) * self.n_pairs // ROUNDS)

    def decks_of_round(self, index: int) -> Slots:
        """Return the pairs of decks of a round, shape [n, 2, size].

        Args:
            index: number of the round, from 0.

        Raises:
            InputError: there is no legal deck.
        """
        shape = (2, len(self.pairs_of_round(index)), len(self.space.pool.cards))
        numbers = generator(self.run_seed, f"outliers/decks/{index}").random(shape)
        first = cheapest_decks(self.space, numbers[0])
        # A card of the first deck has a larger number than all other cards.
        second = cheapest_decks(self.space, numbers[1] + (self.space.counts(first) > 0))
        return np.stack([first, second], axis=1)

    def steps_of_round(self, index: int) -> Steps:
        """Return the steps of each card's cost in each variant of a round, shape [V, C].

        Pair k of the round plays variant k modulo V.

        Args:
            index: number of the round, from 0.
        """
        rng = generator(self.run_seed, f"outliers/costs/{index}")
        numbers = rng.random((_VARIANTS, len(self.space.pool.cards)))
        rises = (numbers < _SHARE_MOVED) & self._may_move[0]
        falls = (numbers > 1 - _SHARE_MOVED) & self._may_move[1]
        return np.asarray(rises.astype(np.int16) - falls.astype(np.int16))

    @cached_property
    def _may_move(self) -> tuple[Flags, Flags]:
        """Whether the ruleset permits one mana more, and one mana less, for each card."""
        low, high = self.table.ruleset.limits.of("cost")
        costs = self.space.costs
        has_cost = np.array(["cost" in card.fields for card in self.space.pool.cards])
        return has_cost & (costs < high), has_cost & (costs > low)


def pair_design(
    space: DeckSpace, table: Table, pilot: Agent, *, games_per_card: int, run_seed: int
) -> PairDesign:
    """Return the plan of games for all cards of a space.

    The total number of games is `games_per_card` for each card that decks may hold, rounded up to
    equally many games of all pairs.

    Args:
        space: space of legal decks.
        table: table with the cards and rules in one variant.
        pilot: agent that plays all decks.
        games_per_card: number of games per card of the space.
        run_seed: seed of the run.

    Raises:
        InputError: there is no legal deck.
    """
    total = games_per_card * int(np.count_nonzero(space.most))
    limit = PAIRS_MAX if _is_free(space) else SOLVED_PAIRS_MAX
    n_pairs = min(-(-total // N_SEATS), limit)
    per_seating = -(-total // (N_SEATS * n_pairs))
    return PairDesign(space, table, pilot, n_pairs, N_SEATS * per_seating, run_seed)


def play_deck_pairs(
    design: PairDesign,
    *,
    state: PairState | None = None,
    on_round: Callable[[PairState], None] = lambda _: None,
) -> PairState:
    """Play all pairs of a design, and return the state after the last round.

    Args:
        design: plan of the games.
        state: state from which the games continue; by default they start anew.
        on_round: callback for progress and checkpoints, called with the state after every round.

    Raises:
        InputError: there is no legal deck.
    """
    if state is None:
        state = PairState(0, np.zeros(0))
    while state.generation < ROUNDS:
        points = _play_round(design, state.generation)
        state = PairState(state.generation + 1, np.append(state.points, points))
        on_round(state)
    return state


def copies_ahead(design: PairDesign) -> CopiesAhead:
    """Return how many more copies the first deck of each pair has than the second.

    In each pair the number is 0 at two of the three costs of a card.

    Args:
        design: plan of the games.
    """
    ahead = []
    for index in range(ROUNDS):
        decks = design.decks_of_round(index)
        counts = design.space.counts(decks[:, 0]) - design.space.counts(decks[:, 1])
        of_pairs = counts.astype(np.int8)  # at most 60 copies
        steps = design.steps_of_round(index)[_variants(len(decks))]
        ahead.append(np.stack([of_pairs * (steps == step) for step in COST_STEPS], axis=1))
    return np.concatenate(ahead)


def _is_free(space: DeckSpace) -> bool:
    """Return whether decks of random cards are legal without an integer program."""
    if space.budget is not None:
        return False
    numbers = np.random.default_rng(0).random((_PROBES, len(space.pool.cards)))
    single_limits = replace(space, curve={}, quotas={}, factions=None, origin=None)
    return bool(space.legal(cheapest_decks(single_limits, numbers)).all())


def _variants(n_pairs: int) -> Counts:
    """Return the variant of each pair of a round, shape [n]."""
    return np.arange(n_pairs) % _VARIANTS


def _play_round(design: PairDesign, index: int) -> Floats:
    """Play the pairs of a round, and return the points of their first decks, shape [n].

    Args:
        design: plan of the games.
        index: number of the round, from 0.
    """
    pairs = design.pairs_of_round(index)
    if not len(pairs):
        return np.zeros(0)
    decks = design.decks_of_round(index).reshape(-1, design.space.size)
    cards = range(len(design.space.pool.cards))
    genes = [Gene(card, "cost") for card in cards if "cost" in design.space.pool.cards[card].fields]
    steps = design.steps_of_round(index)[:, [gene.owner for gene in genes]]
    first = np.arange(0, len(decks), N_SEATS)
    per_seating = design.n_games // N_SEATS
    batch = Batch(
        decks=np.stack([deck_row(deck.tolist(), design.space.power) for deck in decks]),
        variant=np.tile(_variants(len(pairs)), N_SEATS),
        # All first seatings, then all second seatings on the same seeds.
        seats=np.concatenate([np.stack([first, first + 1], 1), np.stack([first + 1, first], 1)]),
        n_games=np.full(len(decks), per_seating),
        first_game=np.tile(np.array(pairs), N_SEATS) * per_seating,
        stream=stream_seed(design.run_seed, "outliers/games"),
    )
    table = design.table.vary(genes, steps)
    points = play(batch, table, [design.pilot] * len(decks)).points
    return np.asarray(points[: len(pairs), 0] + points[len(pairs) :, 1])
