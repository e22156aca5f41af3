"""Registry of search methods: model-based, evolutionary, and optimisers from other packages.

An external optimiser is a function `solve(problem, settings, n_games)`. A package declares it in
the entry-point group `evenhand.optimisers`; a notebook registers it with
`balance.register_optimiser`. It receives a `balance.search.problem.SearchProblem`. The genomes that
it returns are selected and certified in the same way as those of the built-in searches.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.metadata import EntryPoint
from inspect import signature
from math import inf
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from balance.search.evolution import places_in
from balance.search.evolutionary_search import SearchState, run_search
from balance.search.method import Method
from balance.search.model.assistant import ModelAssistant
from balance.search.model.model_search import EXTENDED_ROUNDS_FACTOR, ModelSearch
from balance.search.optimisers import OPTIMISERS
from balance.search.problem import AnswerState, SearchProblem
from balance.search.selection import candidates
from balance.settings.budget import games_to_spend
from balance.settings.tables import BalanceSettings, Search
from balance.statistics.intervals import Positions
from sim.arguments import Arguments
from sim.errors import InputError, known_word, listed
from sim.files.validation import Name
from sim.plugins import installed, only_entry, plugin_error_place, refuse

ENTRY_POINT_GROUP = "evenhand.optimisers"

Solve = Callable[[SearchProblem, BalanceSettings, int], npt.ArrayLike]
"""External optimiser: function of a problem, the settings of the run and the maximum number of
games, over all matchups. It returns genomes, best first, shape ``[S, K]``.
"""

_NAMED = Arguments(name=Name)

_solvers: dict[str, Solve] = {}
"""External optimisers by name: registered ones, and those that were loaded from packages."""


class Evolution(Method):
    """Evolutionary search with the generations of an optimiser of `search.optimisers`."""

    @property
    def can_continue(self) -> bool:
        """Whether the search can continue from a relaxed state: true without an assisting model.

        The games of an assisting model are played for a single search space, before the first
        generation.
        """
        return not self.settings.search.assist

    def run(
        self, state: SearchState | None, on_round: Callable[[SearchState], None]
    ) -> SearchState:
        """Search to the last generation, or until the permitted games are spent.

        Args:
            state: state from which the search continues; `None` to begin.
            on_round: callback, called with the state after every generation.
        """
        search = self.settings.search
        games = self.settings.games
        most_games = games_to_spend(self.settings, len(self.evaluator.contest.matchups))
        return run_search(
            self.evaluator,
            search,
            n_games=games.search,
            state=state,
            on_generation=on_round,
            assistant=ModelAssistant(self.evaluator, games) if search.assist else None,
            # After a relaxation the search may play its full number of games again, so there is no
            # limit. Searches with a total number of games are never relaxed.
            most_games=inf if state is not None and len(state.widened) else most_games,
        )

    def shortlist(self, state: SearchState) -> Positions:
        """Return the positions of the candidates on the fronts of size and imbalance.

        At most `search.candidates` candidates are returned, sorted by increasing size.
        """
        space = self.evaluator.space
        demands = self.evaluator.demands
        n_games = self.settings.games.search
        most = self.settings.search.candidates
        return candidates(state, space, demands, n_search_games=n_games, most=most)


class Solving(Method):
    """Search by an external optimiser, `settings.search.method`, which is called once.

    When an interrupted search is resumed, the optimiser starts again. The results of batches that
    were played before are read from the state, so that only the optimiser's own work is repeated.
    """

    kind: ClassVar[type[SearchState]] = AnswerState

    @property
    def can_continue(self) -> bool:
        """Whether the search can continue from a relaxed state: false, since it has no rounds."""
        return False

    def run(
        self, state: AnswerState | None, on_round: Callable[[AnswerState], None]
    ) -> AnswerState:
        """Call the optimiser, and return the state with all its batches and returned genomes.

        Args:
            state: state of an interrupted search; `None` to begin.
            on_round: callback, called with the state after every batch.
        """
        settings = self.settings
        name = self.settings.search.method
        n_games = games_to_spend(settings, len(self.evaluator.contest.matchups))
        problem = SearchProblem(
            name,
            self.evaluator,
            n_games=n_games,
            n_search_games=settings.games.search,
            state=state,
            on_batch=on_round,
        )
        return problem.final_state(solver_named(name)(problem, settings, n_games))

    def shortlist(self, state: SearchState) -> Positions:
        """Return the positions of the first distinct genomes that the optimiser returned.

        At most `search.candidates` genomes are returned, sorted by increasing size.
        """
        # A dictionary removes repeated genomes and keeps the optimiser's order.
        answer = dict.fromkeys(places_in(state.seen, state.population).tolist())
        chosen = np.array([*answer][: self.settings.search.candidates])
        size = self.evaluator.space.size(state.seen[chosen])
        return np.asarray(chosen[np.argsort(size, kind="stable")])


METHODS: dict[str, type[Method]] = {"model": ModelSearch, **dict.fromkeys(OPTIMISERS, Evolution)}
"""Built-in search methods by name."""


def method_named(name: str) -> type[Method]:
    """Return the class of the search method with a name.

    Raises:
        InputError: no method has the name, or the package that declares it is faulty.
    """
    if name in METHODS:
        refuse(f"optimiser {name!r}", plugins().get(name, ()))
        return METHODS[name]
    known_word("method", name, [*METHODS, *solver_names()], "search.method")
    solver_named(name)  # raises the errors of a faulty package before the run begins
    return Solving


def check_search(search: Search) -> None:
    """Refuse settings `[search]` that do not fit their search method.

    Raises:
        InputError: the method does not exist, ignores a setting of `balance.settings.breeding` that
            is not at its default, or cannot be assisted by a model although `assist` is set.
    """
    method_named(search.method)
    search.refuse_unused(search.method)
    if search.assist and search.method not in OPTIMISERS:
        raise InputError(
            f"true is not possible with method {search.method!r}",
            place="search.assist",
            separator=" = ",
            value=search.method,
            limit=tuple(OPTIMISERS),
            remedy=f"leave it out, or set search.method to {listed(map(repr, OPTIMISERS), 'or')}",
        )


def register_optimiser(name: str, solve: Solve) -> Solve:
    """Register an optimiser as a search method for the running Python process, and return it.

    Args:
        name: name of the search method, for `search.method`.
        solve: function of a problem, the settings and the maximum number of games, which returns
            genomes.

    Raises:
        InputError: the name is taken or invalid, or `solve` is not a function of three arguments.
    """
    _NAMED.check("register_optimiser()", {"name": name})
    if name in {*METHODS, *solver_names()}:
        raise InputError(
            "the name is already registered",
            place=f"optimiser {name!r}",
            value=name,
            remedy="choose another name",
        )
    _solvers[name] = _checked_solver(solve)
    return solve


def most_rounds(search: Search) -> int:
    """Return the maximum number of rounds of a model-based search, or of generations of another."""
    return (
        EXTENDED_ROUNDS_FACTOR * search.rounds if search.method == "model" else search.generations
    )


@cache
def plugins() -> dict[str, list[EntryPoint]]:
    """Return the entry points of all installed optimisers by name, without loading them.

    Several packages may declare the same name.
    """
    return installed(ENTRY_POINT_GROUP)


def solver_names() -> list[str]:
    """Return the names of all external optimisers, registered or installed."""
    return [*dict.fromkeys([*_solvers, *plugins()])]


def solver_named(name: str) -> Solve:
    """Return an external optimiser, after loading its package if necessary.

    Errors that an optimiser from a package raises when it is called name the package.

    Args:
        name: name of the optimiser, from `solver_names`.

    Raises:
        InputError: the package cannot be loaded, its entry point is not an optimiser, or several
            packages declare the name.
    """
    if name in _solvers:
        return _solvers[name]
    place = f"optimiser {name!r}"
    entry = only_entry(place, plugins()[name])
    with plugin_error_place(place, entry):
        solve = _checked_solver(entry.load())

    def solve_or_blame(problem: SearchProblem, settings: BalanceSettings, n_games: int) -> Any:
        """Return the genomes of the optimiser; the errors that it raises name its package."""
        with plugin_error_place(place, entry):
            return solve(problem, settings, n_games)

    _solvers[name] = solve_or_blame
    return solve_or_blame


def _checked_solver(declared: Any) -> Solve:
    """Return a declared or registered object after checking that it is an optimiser.

    Raises:
        InputError: the object is not a function of three arguments.
    """
    if not callable(declared) or isinstance(declared, type):
        raise InputError(
            f"{declared!r} is not an optimiser",
            value=declared,
            remedy="declare a function of (problem, settings, n_games)",
        )
    parameters = signature(declared).parameters
    if len(parameters) != 3:
        raise InputError(
            f"an optimiser takes (problem, settings, n_games), not ({', '.join(parameters)})",
            value=tuple(parameters),
            limit=3,
        )
    solve: Solve = declared
    return solve
