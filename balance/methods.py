"""Methods of searching for patches by name: by a model, by evolution, or somebody else's."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from balance.budget import games_to_spend
from balance.method import Method
from balance.model.assistant import ModelAssistant
from balance.model.search import TIMES_WITHOUT, ModelSearch
from balance.optimisers import OPTIMISERS
from balance.search import SearchState, run_search
from balance.selection import candidates
from balance.settings import Search
from balance.solving import Solve, Solving, add_solver, plugins, solver_named, solver_names
from balance.statistics.intervals import Positions
from sim.errors import InputError, known_word
from sim.plugins import refuse


class Evolution(Method):
    """Generation after generation, of which an optimiser chooses (`balance.search`)."""

    @property
    def goes_on(self) -> bool:
        """Unless it is assisted, by what is measured before the first generation."""
        return not self.settings.search.assist

    def run(
        self, state: SearchState | None, on_round: Callable[[SearchState], None]
    ) -> SearchState:
        """Search to the last generation."""
        search, games = self.settings.search, self.settings.games
        most_games = games_to_spend(self.settings, len(self.evaluator.contest.matchups))
        return run_search(
            self.evaluator,
            search,
            n_games=games.search,
            state=state,
            on_generation=on_round,
            assistant=ModelAssistant(self.evaluator, games) if search.assist else None,
            # What came before it was widened counts, but not against it: there is no total then.
            most_games=inf if state is not None and len(state.widened) else most_games,
        )

    def shortlist(self, state: SearchState) -> Positions:
        """Of the fronts of change and imbalance."""
        space, demands = self.evaluator.space, self.evaluator.demands
        n_games, most = self.settings.games.search, self.settings.search.candidates
        return candidates(state, space, demands, n_search_games=n_games, most=most)


METHODS: dict[str, type[Method]] = {"model": ModelSearch, **dict.fromkeys(OPTIMISERS, Evolution)}


def method_named(name: str) -> type[Method]:
    """The method that an experiment calls `name`.

    Raises:
        InputError: there is none, or the package that brings it is at fault.
    """
    if name in METHODS:
        refuse(f"optimiser {name!r}", plugins().get(name, ()))
        return METHODS[name]
    known_word("method", name, [*METHODS, *solver_names()], "search.method")
    solver_named(name)  # which may be at fault
    return Solving


def check_search(search: Search) -> None:
    """Refuse a search that cannot be made.

    Raises:
        InputError: there is no such method, or nothing in it that could be assisted.
    """
    method_named(search.method)
    if search.assist and search.method not in OPTIMISERS:
        raise InputError(
            f"search.assist: {search.method!r} is no optimiser that could be assisted; known: "
            + ", ".join(OPTIMISERS)
        )


def register_optimiser(name: str, solve: Solve) -> Solve:
    """Make `solve` the method `name`, for as long as Python runs; returns it.

    Raises:
        InputError: the name is taken, or `solve` is no optimiser (`balance.solving`).
    """
    if name in {*METHODS, *solver_names()}:
        raise InputError(f"optimiser {name!r} is already registered")
    add_solver(name, solve)
    return solve


def most_rounds(search: Search) -> int:
    """How many rounds, or generations after the first, a search may have."""
    return TIMES_WITHOUT * search.rounds if search.method == "model" else search.generations
