"""Search for strong decks: an evolutionary algorithm (DEAP) with a race in each generation.

Parents and children of a generation play the same opponents on the same seeds, which no other
generation uses. The worse half is dropped, the rest plays twice as many games, and so on
(`balance.decks.halving`). Between generations there is only a `DeckState` of arrays that can be
written to a file, so that a continued search equals one that was never stopped.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from balance.decks.halving import Race, halve
from balance.decks.operators import align, breed, single_swaps
from balance.decks.program import random_decks
from balance.decks.space import DeckSpace, Slots
from balance.evolution import add_to_seen, keys_of, new_children
from balance.metagame.field import Field, play_field
from balance.optimisers.genetic import best, tournament_winners
from balance.settings import Build
from balance.statistics.intervals import Counts, Floats, Positions, wilson
from sim.play import Agent, deck_row
from sim.seeds import generator

# One deck in four is left at the end of a race; with parents and children half would suffice, but
# one more round orders the survivors better. Chosen by hand.
RACED_TO_THE_END = 4
# Most single swaps in the first generation of an improvement, in populations: all swaps of usual
# decks and pools are fewer; for large pools a random part is taken. Chosen by hand.
SINGLE_SWAPS = 25
# Attempts to breed enough children that are new and legal; fewer children are accepted after that,
# since small spaces have no more. Chosen by hand.
_TRIES_FOR_NEW_CHILDREN = 12


@dataclass(frozen=True)
class DeckState:
    """State of a search for decks between two generations.

    Attributes:
        generation: number of generations done; 0 after the first population.
        population: surviving decks, best first, shape [P, size].
        criteria: results of these in the last race, both to be minimised, shape [P, 2]: rank among
            the decks with as many swaps, and rank among all.
        seen: every deck that was played, in the slots in which it was played first, shape [S,
            size].
        seen_points: points of each against each opponent, over all games, shape [S, N].
        seen_games: games of each against each opponent, shape [S].
        history: one row per generation, shape [generations + 1, 3]: games so far, win rate of the
            race's winner in the race, and win rate of the best deck so far over all its games.
    """

    generation: int
    population: Slots
    criteria: Floats
    seen: Slots
    seen_points: Floats
    seen_games: Counts
    history: Floats


@dataclass(frozen=True)
class DeckSearch:
    """Configuration of a search for decks.

    Attributes:
        space: the legal decks.
        field: the opponents.
        pilot: the agent of all decks of the space.
        build: population, generations and games.
        run_seed: seed of the run.
        threads: number of threads; default all cores.
    """

    space: DeckSpace
    field: Field
    pilot: Agent
    build: Build
    run_seed: int
    threads: int | None = None


def search_decks(
    search: DeckSearch,
    *,
    state: DeckState | None = None,
    on_generation: Callable[[DeckState], None] = lambda _: None,
) -> DeckState:
    """Search for strong decks to the last generation.

    Args:
        search: configuration of the search.
        state: state from which the search continues; default the beginning.
        on_generation: callback for progress and checkpoints, called with the state after every
            generation.

    Raises:
        InputError: there is no legal deck.
    """
    if state is None:
        state = _begin(search)
        on_generation(state)
    while state.generation < search.build.generations:
        state = _next_generation(search, state)
        on_generation(state)
    return state


def cautious_rates(state: DeckState, field: Field) -> Floats:
    """Return lower bounds of the win rates of all decks seen, shape [S].

    By these bounds a deck with few lucky games does not rank above one with many games.

    Args:
        state: state of a search.
        field: its opponents.
    """
    return wilson(field.score(state.seen_points), state.seen_games).low


def _begin(search: DeckSearch) -> DeckState:
    """Return the state after the first generation."""
    decks = _first_decks(search, generator(search.run_seed, "build/operators/0"))
    empty = DeckState(
        generation=-1,
        population=decks[:0],
        criteria=np.zeros((0, 2)),
        seen=decks[:0],
        seen_points=np.zeros((0, len(search.field.opponents))),
        seen_games=np.zeros(0, dtype=np.int64),
        history=np.zeros((0, 3)),
    )
    # The first position of each deck: later entries of the reversed list overwrite earlier ones.
    first = {key: k for k, key in reversed(list(enumerate(_keys(decks))))}
    return _select(search, empty, decks[sorted(first.values())])


def _first_decks(search: DeckSearch, rng: np.random.Generator) -> Slots:
    """Return the first generation.

    It is random decks; to improve a deck, also that deck and its single swaps.

    Args:
        search: configuration of the search.
        rng: generator, which is consumed.
    """
    space = search.space
    n = search.build.population
    decks = random_decks(space, n, rng)
    if space.origin is None:
        return decks
    swapped = rng.permutation(single_swaps(space, space.origin))[: SINGLE_SWAPS * n]
    return np.concatenate(
        [space.origin[np.newaxis][: int(space.holds_origin)], swapped, align(decks, space.origin)]
    )


def _next_generation(search: DeckSearch, state: DeckState) -> DeckState:
    """Return the state after one more generation."""
    rng = generator(search.run_seed, f"build/operators/{state.generation + 1}")
    space = search.space
    wanted = search.build.population
    population = state.population

    def breed_legal() -> Slots:
        """Return legal children of tournament winners."""
        parents = tournament_winners(state.criteria, 2 * wanted, rng)
        brood = breed(population[parents], space, rng)
        if space.origin is not None:
            brood = align(brood, space.origin)
        return brood[space.legal(brood)]

    children = new_children(
        population, breed_legal, wanted, n_tries=_TRIES_FOR_NEW_CHILDREN, keys=_keys
    )
    return _select(search, state, np.concatenate([population, children]))


def _select(search: DeckSearch, state: DeckState, decks: Slots) -> DeckState:
    """Race decks on a generation's seeds, and return the state with the best as population.

    Args:
        search: configuration of the search.
        state: state of the generation before.
        decks: decks to race: parents and children.
    """
    generation = state.generation + 1
    race, points = _race(search, decks, f"build/search/{generation}")
    criteria = _criteria(search.space, decks, race)
    kept = best(criteria, search.build.population)
    n_games = int(race.n_games.sum()) * len(search.field.opponents)
    before = int(state.history[-1, 0]) if len(state.history) else 0
    sums = {
        "seen_points": (state.seen_points, points),
        "seen_games": (state.seen_games, race.n_games),
    }
    after = replace(
        state,
        generation=generation,
        population=decks[kept],
        criteria=criteria[kept],
        **add_to_seen(state.seen, decks, sums, keys=_keys),
    )
    best_so_far = int(np.argmax(cautious_rates(after, search.field)))
    pooled = search.field.score(after.seen_points)[best_so_far] / after.seen_games[best_so_far]
    record = [before + n_games, race.rates[race.order[0]], pooled]
    return replace(after, history=np.vstack([state.history, record]))


def _race(search: DeckSearch, decks: Slots, purpose: str) -> tuple[Race, Floats]:
    """Race decks against the field.

    Args:
        search: configuration of the search.
        decks: decks, shape [P, size].
        purpose: name of the stream of game seeds.

    Returns:
        The result of the race, and the points of each deck against each opponent, shape [P, N].
    """
    rows = np.stack([deck_row(deck.tolist(), search.space.power) for deck in decks])
    points = np.zeros((len(decks), len(search.field.opponents)))

    def play(racing: Positions, n_games: int, first: int) -> Floats:
        """Play one round of the race, and return the points of each deck in it."""
        counts = play_field(
            search.field,
            rows[racing],
            search.pilot,
            n_games=n_games,
            run_seed=search.run_seed,
            purpose=purpose,
            first_game=first,
            threads=search.threads,
        )
        points[racing] += counts.points
        return search.field.score(counts.points)

    first_round = search.build.search
    if len(decks) == 1:  # `halve` would play no game
        alone = np.zeros(1, dtype=np.intp)
        rates = play(alone, first_round, 0) / first_round
        return Race(alone, rates, np.array([first_round])), points
    keep = max(1, len(decks) // RACED_TO_THE_END)
    return halve(len(decks), play, first_round=first_round, keep=keep), points


def _criteria(space: DeckSpace, decks: Slots, race: Race) -> Floats:
    """Return the criteria of survival, shape [P, 2].

    The first is the rank among decks with as many swaps, so that the best deck of each number of
    swaps survives; the second is the rank in the race.

    Args:
        space: the legal decks.
        decks: decks of the race, shape [P, size].
        race: its result.
    """
    place = np.empty(len(decks))
    place[race.order] = np.arange(len(decks))
    among = np.empty(len(decks))
    n_swaps = space.n_swaps(decks)
    for n in np.unique(n_swaps):
        alike = np.flatnonzero(n_swaps == n)
        among[alike[np.argsort(place[alike], kind="stable")]] = np.arange(len(alike))
    return np.column_stack([among, place])


def _keys(decks: Slots) -> list[bytes]:
    """Return one key for each deck, equal for all orders of its slots."""
    return keys_of(np.sort(decks, axis=1))
