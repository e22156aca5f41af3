"""Optimisers from outside: functions `solve(question, settings, n_games)`, by name.

A package declares one in the entry-point group `evenhand.optimisers`, a notebook by
`balance.register_optimiser`. What they are asked is a `balance.question.Question`; what they
answer is selected and certified as what our own searches find.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.metadata import EntryPoint
from inspect import signature
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from balance.budget import games_to_spend
from balance.method import Method
from balance.question import AnswerState, Question
from balance.search import SearchState
from balance.settings import BalanceSettings
from balance.statistics.intervals import Positions
from sim.errors import InputError
from sim.plugins import blaming_package, installed, the_one

ENTRY_POINT_GROUP = "evenhand.optimisers"

Solve = Callable[[Question, BalanceSettings, int], npt.ArrayLike]
"""Of a question, the settings and the games it may take; ``[S, K]`` genomes, best first."""

_solvers: dict[str, Solve] = {}  # that were registered, or loaded


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
    if name not in _solvers:
        _solvers[name] = _loaded(name)
    return _solvers[name]


def add_solver(name: str, solve: Solve) -> None:
    """One more.

    Raises:
        InputError: `solve` is no optimiser.
    """
    _solvers[name] = declared(solve)


def _loaded(name: str) -> Solve:
    what = f"optimiser {name!r}"
    entry = the_one(what, plugins()[name])
    with blaming_package(what, entry):
        solve = declared(entry.load())

    def solve_or_blame(question: Question, settings: BalanceSettings, n_games: int) -> Any:
        with blaming_package(what, entry):
            return solve(question, settings, n_games)

    return solve_or_blame


def declared(found: Any) -> Solve:
    """What was declared or registered, if it is an optimiser.

    Raises:
        InputError: it is no function of three arguments; says what it is.
    """
    if not callable(found) or isinstance(found, type):
        raise InputError(
            f"declared is no optimiser but {found!r}; needed is a function of "
            "(question, settings, n_games)"
        )
    taken = ", ".join(signature(found).parameters)
    if len(signature(found).parameters) != 3:
        raise InputError(f"an optimiser takes (question, settings, n_games), not ({taken})")
    solve: Solve = found
    return solve


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
        settings, name = self.settings, self.settings.search.method
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
        places = {genome.tobytes(): k for k, genome in enumerate(state.seen)}
        answer = dict.fromkeys(places[genome.tobytes()] for genome in state.population)
        chosen = np.array([*answer][: self.settings.search.candidates])
        change = self.evaluator.space.change(state.seen[chosen])
        return np.asarray(chosen[np.argsort(change, kind="stable")])
