"""Methods of searching for patches by name: by a model, by evolution, or somebody else's.

Optimisers from outside are functions `solve(question, settings, n_games)`. A package declares one
in the entry-point group `evenhand.optimisers`, a notebook by `balance.register_optimiser`. What
they are asked is a `balance.question.Question`; what they answer is selected and certified as what
our own searches find.
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
from balance.model.search import TIMES_WITHOUT, ModelSearch
from balance.optimisers import OPTIMISERS
from balance.question import AnswerState, Question
from balance.search import SearchState, run_search
from balance.selection import candidates
from balance.settings import BalanceSettings, Search
from balance.statistics.intervals import Positions
from sim.arguments import Arguments
from sim.errors import InputError, known_word
from sim.files.validation import Name
from sim.plugins import blaming_package, installed, refuse, the_one

ENTRY_POINT_GROUP = "evenhand.optimisers"

Solve = Callable[[Question, BalanceSettings, int], npt.ArrayLike]
"""Of a question, the settings and the games it may take; ``[S, K]`` genomes, best first."""

_NAMED = Arguments(name=Name)

_solvers: dict[str, Solve] = {}  # that were registered, or loaded


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
            # What came before it was widened counts, but not against it: there is no total then.
            most_games=inf if state is not None and len(state.widened) else most_games,
        )

    def shortlist(self, state: SearchState) -> Positions:
        """Of the fronts of change and imbalance."""
        space = self.evaluator.space
        demands = self.evaluator.demands
        n_games = self.settings.games.search
        most = self.settings.search.candidates
        return candidates(state, space, demands, n_search_games=n_games, most=most)


class Solving(Method):
    """The method that asks an optimiser from outside, `settings.search.method`, once.

    A search that was stopped is played back: the optimiser begins again, and batches that were
    played already cost nothing but its own time.
    """

    kind: ClassVar[type[SearchState]] = AnswerState

    @property
    def goes_on(self) -> bool:
        """Never: it is asked once."""
        return False

    def run(
        self, state: AnswerState | None, on_round: Callable[[AnswerState], None]
    ) -> AnswerState:
        """Let it answer; a round is a batch."""
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
        return question.answered(solver_named(name)(question, settings, n_games))

    def shortlist(self, state: SearchState) -> Positions:
        """Its answer, of which the first few count (`search.candidates`)."""
        answer = dict.fromkeys(places_in(state.seen, state.population).tolist())
        chosen = np.array([*answer][: self.settings.search.candidates])
        change = self.evaluator.space.change(state.seen[chosen])
        return np.asarray(chosen[np.argsort(change, kind="stable")])


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
        InputError: there is no such method, nothing in it that could be assisted, or it ignores
            a setting that says how to breed.
    """
    method_named(search.method)
    search.refuse_unused(search.method)
    if search.assist and search.method not in OPTIMISERS:
        raise InputError(
            f"search.assist: {search.method!r} is no optimiser that could be assisted; known: "
            + ", ".join(OPTIMISERS)
        )


def register_optimiser(name: str, solve: Solve) -> Solve:
    """Make `solve` the method `name`, for as long as Python runs; returns it.

    Raises:
        InputError: the name is taken or is none, or `solve` is no optimiser.
    """
    _NAMED.fitting("register_optimiser()", {"name": name})
    if name in {*METHODS, *solver_names()}:
        raise InputError(f"optimiser {name!r} is already registered")
    _solvers[name] = _declared(solve)
    return solve


def most_rounds(search: Search) -> int:
    """How many rounds, or generations after the first, a search may have."""
    return TIMES_WITHOUT * search.rounds if search.method == "model" else search.generations


@cache
def plugins() -> dict[str, list[EntryPoint]]:
    """All that are installed, by name; nothing of them is loaded."""
    return installed(ENTRY_POINT_GROUP)


def solver_names() -> list[str]:
    """What optimisers from outside are called."""
    return [*dict.fromkeys([*_solvers, *plugins()])]


def solver_named(name: str) -> Solve:
    """One of `solver_names`.

    Raises:
        InputError: the package that declares it cannot be loaded, declares something else, or is
            not the only one; names the package. So do all errors of its function.
    """
    if name in _solvers:
        return _solvers[name]
    what = f"optimiser {name!r}"
    entry = the_one(what, plugins()[name])
    with blaming_package(what, entry):
        solve = _declared(entry.load())

    def solve_or_blame(question: Question, settings: BalanceSettings, n_games: int) -> Any:
        with blaming_package(what, entry):
            return solve(question, settings, n_games)

    _solvers[name] = solve_or_blame
    return solve_or_blame


def _declared(found: Any) -> Solve:
    """What was declared or registered, if it is an optimiser.

    Raises:
        InputError: it is no function of three arguments; says what it is.
    """
    if not callable(found) or isinstance(found, type):
        raise InputError(
            f"declared is no optimiser but {found!r}; needed is a function of "
            "(question, settings, n_games)"
        )
    taken = signature(found).parameters
    if len(taken) != 3:
        told = ", ".join(taken)
        raise InputError(f"an optimiser takes (question, settings, n_games), not ({told})")
    solve: Solve = found
    return solve
