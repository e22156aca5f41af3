"""Search for strong decks: an evolutionary algorithm (DEAP) with a race in each generation.

Parents and children of a generation play the same opponents on the same seeds, which no other
generation uses. After each round of the race the worse half is dropped, and the rest plays twice as
many games (`balance.decks.halving`). The search keeps all its data in a `DeckState` of arrays that
can be written to a file, so a continued search has the same result as an uninterrupted one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from balance.decks.halving import Race, halve
from balance.decks.operators import align, breed, single_swaps
from balance.decks.program import random_decks
from balance.decks.space import DeckSpace, Slots
from balance.metagame.field import Field, play_field
from balance.search.evolution import add_to_seen, keys_of, new_children
from balance.search.optimisers.genetic import best, tournament_winners
from balance.settings.tables import Build
from balance.statistics.intervals import Counts, Floats, Positions, wilson
from sim.play import Agent, deck_row
from sim.seeds import generator

# One deck in four is left at the end of a race. Half would be enough survivors, but one more round
# ranks them better. Chosen by hand.
RACED_TO_THE_END = 4
# Maximum number of single swaps in the first generation of an improvement, in population sizes.
# Usual decks and pools have fewer swaps; of more, a random part is used. Chosen by hand.
SINGLE_SWAPS = 25
# Attempts to breed enough new, legal children; after that fewer children are accepted, since small
# spaces may not have more. Chosen by hand.
_TRIES_FOR_NEW_CHILDREN = 12


@dataclass(frozen=True)
class DeckState:
    """State of a search for decks between two generations.

    Attributes:
        generation: number of the last generation; 0 after the first population.
        population: surviving decks, best first, shape [P, size].
        criteria: criteria of the surviving decks in the last race, to be minimised, shape [P, 2]:
            rank among the decks with the same number of swaps, and rank among all decks.
        seen: all decks that were played, with their slots as first played, shape [S, size].
        seen_points: points of each played deck against each opponent, over all games, shape [S, N].
        seen_games: number of games of each played deck against each opponent, shape [S].
        history: one row per generation, shape [generations + 1, 3]: total number of games so far,
            win rate of the race's winner in the race, and win rate of the best deck so far over all
            its games.
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
        space: space of legal decks.
        field: opponents with their weights.
        pilot: agent that plays all decks of the space.
        build: settings with the population, the generations and the games of each stage.
        run_seed: seed of the run.
    """

    space: DeckSpace
    field: Field
    pilot: Agent
    build: Build
    run_seed: int


def search_decks(
    search: DeckSearch,
    *,
    state: DeckState | None = None,
    on_generation: Callable[[DeckState], None] = lambda _: None,
) -> DeckState:
    """Search for strong decks, and return the state after the last generation.

    Args:
        search: configuration of the search.
        state: state from which the search continues; by default it starts anew.
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
    """Return the lower Wilson bounds of the win rates of all played decks, shape [S].

    If decks are ranked by these bounds, a deck with few lucky games does not rank first.

    Args:
        state: state of a search.
        field: opponents of the search, with their weights.
    """
    return wilson(field.score(state.seen_points), state.seen_games).low


def _begin(search: DeckSearch) -> DeckState:
    """Race the first generation of a new search, and return the state after it."""
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
    # Position of the first copy of each deck: in the reversed list it overwrites all later copies.
    first = {key: k for k, key in reversed(list(enumerate(_keys(decks))))}
    return _select(search, empty, decks[sorted(first.values())])


def _first_decks(search: DeckSearch, rng: np.random.Generator) -> Slots:
    """Return the decks of the first generation, possibly with repeats, shape [P, size].

    They are random decks. If a deck is improved, its single swaps and, if it is legal, the deck
    itself are added.

    Args:
        search: configuration of the search.
        rng: generator of the random choices, which is advanced.
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
    """Breed and race one more generation, and return the state after it."""
    rng = generator(search.run_seed, f"build/operators/{state.generation + 1}")
    space = search.space
    wanted = search.build.population
    population = state.population

    def breed_legal() -> Slots:
        """Return the legal children of pairs of tournament winners, shape [n, size]."""
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
    """Race decks on the seeds of a new generation, and return the state with the survivors.

    Args:
        search: configuration of the search.
        state: state after the previous generation.
        decks: decks to race (parents and children), shape [P, size].
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
    """Race decks against the field; a single deck plays one round.

    Args:
        search: configuration of the search.
        decks: decks to race, shape [P, size].
        purpose: name of the stream of game seeds.

    Returns:
        The result of the race, and the points of each deck against each opponent, shape [P, N].
    """
    rows = np.stack([deck_row(deck.tolist(), search.space.power) for deck in decks])
    points = np.zeros((len(decks), len(search.field.opponents)))

    def play(racing: Positions, n_games: int, first: int) -> Floats:
        """Play one round, add its results to `points`, and return each deck's points, weighted."""
        counts = play_field(
            search.field,
            rows[racing],
            search.pilot,
            n_games=n_games,
            run_seed=search.run_seed,
            purpose=purpose,
            first_game=first,
        )
        points[racing] += counts.points
        return search.field.score(counts.points)

    first_round = search.build.search
    if len(decks) == 1:  # `halve` plays no game with a single candidate
        alone = np.zeros(1, dtype=np.intp)
        rates = play(alone, first_round, 0) / first_round
        return Race(alone, rates, np.array([first_round])), points
    keep = max(1, len(decks) // RACED_TO_THE_END)
    return halve(len(decks), play, first_round=first_round, keep=keep), points


def _criteria(space: DeckSpace, decks: Slots, race: Race) -> Floats:
    """Return the criteria of survival of each deck, shape [P, 2].

    The first criterion is the rank among decks with the same number of swaps, so that the best deck
    of each number of swaps survives. The second is the rank in the race.

    Args:
        space: space of legal decks.
        decks: decks of the race, shape [P, size].
        race: result of the race.
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
    """Return a key for each deck that does not depend on the order of its slots."""
    return keys_of(np.sort(decks, axis=1))
