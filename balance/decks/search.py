"""The search for strong decks: an evolution (DEAP) whose generations are races.

Parents and children of a generation play the same opponents on the same seeds, which no other
generation has; the worse half drops out, the rest plays twice as many games, and so on
(`balance.decks.halving`). Between generations there is only a `DeckState`, arrays that can be
written to a file: a search continued from one is the search that was never stopped.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from balance.decks.halving import Race, halve
from balance.decks.operators import aligned, breed, single_swaps
from balance.decks.program import random_decks
from balance.decks.space import DeckSpace, Slots
from balance.evolution import add_to_seen, keys_of, new_children
from balance.metagame.field import Field, play_field
from balance.optimisers.genetic import best, tournament_winners
from balance.settings import Build
from balance.statistics.intervals import Counts, Floats, Positions, wilson
from sim.play import Agent, deck_row
from sim.seeds import generator

RACED_TO_THE_END = 4  # one in so many
SINGLE_SWAPS = 25  # at most so many times the population begin an improvement
_TRIES_FOR_NEW_CHILDREN = 12


@dataclass(frozen=True)
class DeckState:
    """Everything a search for decks knows between two generations.

    Attributes:
        generation: generations done; 0 after the first population.
        population: ``[P, size]`` slots of the decks that live on, best first.
        criteria: ``[P, 2]`` what they came to in the last race, to be minimised: place among
            the decks with as many swaps, and place among all.
        seen: ``[S, size]`` every deck that was played, in the slots in which it came first.
        seen_points: ``[S, N]`` points against each opponent over all its games.
        seen_games: ``[S]`` games against each opponent.
        history: ``[generations + 1, 3]`` per generation: games so far, win rate of the race's
            best in the race, and over all its games of the deck that now seems best.
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
    """What is searched, and how.

    Attributes:
        space: the legal decks.
        field: the opponents.
        pilot: the agent of all decks of the space.
        build: population, generations and games.
        run_seed: the run's seed.
        threads: threads to use; default all cores.
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
    """Search to the last generation.

    Args:
        search: what is searched, and how.
        state: where to continue; default the beginning.
        on_generation: called with the state after every generation (progress, checkpoints).

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
    """``[S]`` lower bounds of the win rates of all decks seen: luck alone ranks none high."""
    return wilson(field.score(state.seen_points), state.seen_games).low


def _begin(search: DeckSearch) -> DeckState:
    decks = _first_decks(search, generator(search.run_seed, "build/operators/0"))
    nothing = DeckState(
        generation=-1,
        population=decks[:0],
        criteria=np.zeros((0, 2)),
        seen=decks[:0],
        seen_points=np.zeros((0, len(search.field.opponents))),
        seen_games=np.zeros(0, dtype=np.int64),
        history=np.zeros((0, 3)),
    )
    first = {key: k for k, key in reversed(list(enumerate(_keys(decks))))}  # of each deck
    return _select(search, nothing, decks[sorted(first.values())])


def _first_decks(search: DeckSearch, rng: np.random.Generator) -> Slots:
    """Random decks; to improve a deck, also that deck and what one swap makes of it."""
    space = search.space
    n = search.build.population
    decks = random_decks(space, n, rng)
    if space.origin is None:
        return decks
    near = rng.permutation(single_swaps(space, space.origin))[: SINGLE_SWAPS * n]
    return np.concatenate(
        [space.origin[np.newaxis][: int(space.holds_origin)], near, aligned(decks, space.origin)]
    )


def _next_generation(search: DeckSearch, state: DeckState) -> DeckState:
    rng = generator(search.run_seed, f"build/operators/{state.generation + 1}")
    space = search.space
    wanted = search.build.population
    population = state.population

    def bred() -> Slots:
        parents = tournament_winners(state.criteria, 2 * wanted, rng)
        brood = breed(population[parents], space, rng)
        if space.origin is not None:
            brood = aligned(brood, space.origin)
        return brood[space.legal(brood)]

    children = new_children(population, bred, wanted, n_tries=_TRIES_FOR_NEW_CHILDREN, keys=_keys)
    return _select(search, state, np.concatenate([population, children]))


def _select(search: DeckSearch, state: DeckState, decks: Slots) -> DeckState:
    """Race all decks on one generation's seeds and let the best live on."""
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
    promising = int(np.argmax(cautious_rates(after, search.field)))
    pooled = search.field.score(after.seen_points)[promising] / after.seen_games[promising]
    record = [before + n_games, race.rates[race.order[0]], pooled]
    return replace(after, history=np.vstack([state.history, record]))


def _race(search: DeckSearch, decks: Slots, purpose: str) -> tuple[Race, Floats]:
    """How the race of ``[P, size]`` decks ended, and their ``[P, N]`` points."""
    rows = np.stack([deck_row(deck.tolist(), search.space.power) for deck in decks])
    points = np.zeros((len(decks), len(search.field.opponents)))

    def play(racing: Positions, n_games: int, first: int) -> Floats:
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
    if len(decks) == 1:  # nobody to race against
        alone = np.zeros(1, dtype=np.intp)
        rates = play(alone, first_round, 0) / first_round
        return Race(alone, rates, np.array([first_round])), points
    keep = max(1, len(decks) // RACED_TO_THE_END)
    return halve(len(decks), play, first_round=first_round, keep=keep), points


def _criteria(space: DeckSpace, decks: Slots, race: Race) -> Floats:
    """``[P, 2]`` place among the decks with as many swaps, so that each number has its best."""
    place = np.empty(len(decks))
    place[race.order] = np.arange(len(decks))
    among = np.empty(len(decks))
    n_swaps = space.n_swaps(decks)
    for n in np.unique(n_swaps):
        alike = np.flatnonzero(n_swaps == n)
        among[alike[np.argsort(place[alike], kind="stable")]] = np.arange(len(alike))
    return np.column_stack([among, place])


def _keys(decks: Slots) -> list[bytes]:
    """One key for all orders of a deck's slots."""
    return keys_of(np.sort(decks, axis=1))
