"""Search methods by name: model-based, evolutionary, or an optimiser from another package.

External optimisers are functions `solve(question, settings, n_games)`. A package declares one in
the entry-point group `evenhand.optimisers`; a notebook registers one with
`balance.register_optimiser`. They receive a `balance.question.Question`, and the genomes that they
return are selected and certified like those of the built-in searches.
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

from balance.budget import games_to_spend
from balance.evolution import places_in
from balance.method import Method
from balance.model.assistant import ModelAssistant
from balance.model.search import EXTENDED_ROUNDS_FACTOR, ModelSearch
from balance.optimisers import OPTIMISERS
from balance.question import AnswerState, Question
from balance.search import SearchState, run_search
from balance.selection import candidates
from balance.settings import BalanceSettings, Search
from balance.statistics.intervals import Positions
from sim.arguments import Arguments
from sim.errors import InputError, known_word
from sim.files.validation import Name
from sim.plugins import installed, only_entry, plugin_error_place, refuse

ENTRY_POINT_GROUP = "evenhand.optimisers"

Solve = Callable[[Question, BalanceSettings, int], npt.ArrayLike]
"""Optimiser: takes a question, the settings and the games it may play; returns genomes, ``[S, K]``,
best first.
"""

_NAMED = Arguments(name=Name)

_solvers: dict[str, Solve] = {}
"""Optimisers that were registered, or loaded from packages, by name."""


class Evolution(Method):
    """Evolutionary search: an optimiser selects and breeds each generation (`balance.search`)."""

    @property
    def can_continue(self) -> bool:
        """Whether it can continue from a relaxed state: not with an assisting model.

        The assisting model's games are played for one search space, before the first generation.
        """
        return not self.settings.search.assist

    def run(
        self, state: SearchState | None, on_round: Callable[[SearchState], None]
    ) -> SearchState:
        """Search to the last generation."""
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
            # A relaxed search may play its full number of games again, on top of earlier ones;
            # relaxation happens only without a total number of games.
            most_games=inf if state is not None and len(state.widened) else most_games,
        )

    def shortlist(self, state: SearchState) -> Positions:
        """Return the candidates on the fronts of change and imbalance."""
        space = self.evaluator.space
        demands = self.evaluator.demands
        n_games = self.settings.games.search
        most = self.settings.search.candidates
        return candidates(state, space, demands, n_search_games=n_games, most=most)


class Solving(Method):
    """Search by an external optimiser, `settings.search.method`, which is called once.

    An interrupted search is replayed: the optimiser starts again, and batches that were played
    before are read from the state, so that they cost only the optimiser's own time.
    """

    kind: ClassVar[type[SearchState]] = AnswerState

    @property
    def can_continue(self) -> bool:
        """Always false: the optimiser is called once."""
        return False

    def run(
        self, state: AnswerState | None, on_round: Callable[[AnswerState], None]
    ) -> AnswerState:
        """Call the optimiser; each of its batches is a round."""
        settings = self.settings
        name = self.settings.search.method
        n_games = games_to_spend(settings, len(self.evaluator.contest.matchups))
        question = Question(
            name,
            self.evaluator,
            n_games=n_games,
            n_search_games=settings.games.search,
            state=state,
            on_batch=on_round,
        )
        return question.final_state(solver_named(name)(question, settings, n_games))

    def shortlist(self, state: SearchState) -> Positions:
        """Return the first genomes of the optimiser's answer, at most `search.candidates`."""
        # A dictionary removes repeated genomes and keeps the optimiser's order.
        answer = dict.fromkeys(places_in(state.seen, state.population).tolist())
        chosen = np.array([*answer][: self.settings.search.candidates])
        change = self.evaluator.space.change(state.seen[chosen])
        return np.asarray(chosen[np.argsort(change, kind="stable")])


METHODS: dict[str, type[Method]] = {"model": ModelSearch, **dict.fromkeys(OPTIMISERS, Evolution)}
"""Built-in search methods by name."""


def method_named(name: str) -> type[Method]:
    """Return the search method with a name.

    Raises:
        InputError: there is none, or the package that declares it is at fault.
    """
    if name in METHODS:
        refuse(f"optimiser {name!r}", plugins().get(name, ()))
        return METHODS[name]
    known_word("method", name, [*METHODS, *solver_names()], "search.method")
    solver_named(name)  # raises an error now if the package is at fault
    return Solving


def check_search(search: Search) -> None:
    """Refuse settings `[search]` that cannot be run.

    Raises:
        InputError: the method does not exist, cannot be assisted, or ignores a setting of
            `balance.breeding`.
    """
    method_named(search.method)
    search.refuse_unused(search.method)
    if search.assist and search.method not in OPTIMISERS:
        raise InputError(
            f"method {search.method!r} cannot be assisted",
            place="search.assist",
            value=search.method,
            limit=tuple(OPTIMISERS),
            remedy=f"known: {', '.join(OPTIMISERS)}",
        )


def register_optimiser(name: str, solve: Solve) -> Solve:
    """Register an optimiser as a search method for the running Python process, and return it.

    Args:
        name: name of the method.
        solve: the optimiser.

    Raises:
        InputError: the name is taken or invalid, or `solve` is not an optimiser.
    """
    _NAMED.check("register_optimiser()", {"name": name})
    if name in {*METHODS, *solver_names()}:
        raise InputError("is already registered", place=f"optimiser {name!r}", separator=" ")
    _solvers[name] = _checked_solver(solve)
    return solve


def most_rounds(search: Search) -> int:
    """Return the most rounds of a search, or its generations after the first."""
    return (
        EXTENDED_ROUNDS_FACTOR * search.rounds if search.method == "model" else search.generations
    )


@cache
def plugins() -> dict[str, list[EntryPoint]]:
    """Return all installed entry points for optimisers, by name, without loading them."""
    return installed(ENTRY_POINT_GROUP)


def solver_names() -> list[str]:
    """Return the names of all external optimisers."""
    return [*dict.fromkeys([*_solvers, *plugins()])]


def solver_named(name: str) -> Solve:
    """Return an external optimiser, loaded if necessary.

    Args:
        name: one of `solver_names`.

    Raises:
        InputError: its package cannot be loaded, declares something else, or is one of several with
            this name; names the package. Errors of the optimiser itself name the package as well.
    """
    if name in _solvers:
        return _solvers[name]
    what = f"optimiser {name!r}"
    entry = only_entry(what, plugins()[name])
    with plugin_error_place(what, entry):
        solve = _checked_solver(entry.load())

    def solve_or_blame(question: Question, settings: BalanceSettings, n_games: int) -> Any:
        """Call the optimiser; its errors name its package."""
        with plugin_error_place(what, entry):
            return solve(question, settings, n_games)

    _solvers[name] = solve_or_blame
    return solve_or_blame


def _checked_solver(declared: Any) -> Solve:
    """Return a declared or registered object if it is an optimiser.

    Raises:
        InputError: it is not a function of three arguments.
    """
    if not callable(declared) or isinstance(declared, type):
        raise InputError(
            f"{declared!r} is not an optimiser",
            value=declared,
            remedy="declare a function of (question, settings, n_games)",
        )
    parameters = signature(declared).parameters
    if len(parameters) != 3:
        raise InputError(
            f"an optimiser takes (question, settings, n_games), not ({', '.join(parameters)})",
            value=tuple(parameters),
            limit=3,
        )
    solve: Solve = declared
    return solve
