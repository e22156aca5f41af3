"""Methods of searching for patches by name: by a model, by evolution, or somebody else's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import numpy as np

from balance.budget import games_to_spend
from balance.evaluation import Evaluator
from balance.model.assistant import ModelAssistant
from balance.model.search import ModelSearch
from balance.optimisers import OPTIMISERS
from balance.readings import Readings
from balance.search import SearchState, run_search
from balance.search_space import Steps
from balance.selection import candidates
from balance.settings import BalanceSettings, Search
from balance.solving import Solve, Solving, add_solver, plugins, solver_named, solver_names
from balance.statistics.intervals import Floats, Positions
from sim.errors import InputError, unknown_word
from sim.plugins import refuse


class Method(Protocol):
    """A way to search: what is played, and what of that is worth playing again.

    Attributes:
        kind: of the states between its rounds, which can be written to a file.
    """

    kind: ClassVar[type[SearchState]]

    def __init__(self, evaluator: Evaluator, settings: BalanceSettings) -> None:
        """Play and score by an evaluator; of the settings, `search` and `games` count."""

    def run(self, state: Any, on_round: Callable[[Any], None]) -> SearchState:
        """Search to the end, from a state of its kind or from the beginning (`None`)."""

    def shortlist(self, state: Any) -> Positions:
        """Positions in `state.seen` of the genomes worth playing again, by rising change."""

    def likely(self, genomes: Steps, played: Readings) -> Floats:
        """``[S]`` how likely ``[S, K]`` genomes of the shortlist are to do, given games of theirs.

        All 0 where a method knows no more of them than these games.
        """


@dataclass(frozen=True)
class Evolution:
    """Generation after generation, of which an optimiser chooses (`balance.search`)."""

    kind: ClassVar[type[SearchState]] = SearchState

    evaluator: Evaluator
    settings: BalanceSettings

    def run(
        self, state: SearchState | None, on_round: Callable[[SearchState], None]
    ) -> SearchState:
        """Search to the last generation."""
        search, games = self.settings.search, self.settings.games
        return run_search(
            self.evaluator,
            search,
            n_games=games.search,
            state=state,
            on_generation=on_round,
            assistant=ModelAssistant(self.evaluator, games) if search.assist else None,
            most_games=games_to_spend(self.settings, len(self.evaluator.contest.matchups)),
        )

    def shortlist(self, state: SearchState) -> Positions:
        """Of the fronts of change and imbalance."""
        space, demands = self.evaluator.space, self.evaluator.demands
        n_games, most = self.settings.games.search, self.settings.search.candidates
        return candidates(state, space, demands, n_search_games=n_games, most=most)

    def likely(self, genomes: Steps, played: Readings) -> Floats:  # noqa: ARG002 (knows no more)
        """All 0."""
        return np.zeros(len(genomes))


METHODS: dict[str, type[Method]] = {"model": ModelSearch, **dict.fromkeys(OPTIMISERS, Evolution)}


def method_named(name: str) -> type[Method]:
    """The method that an experiment calls `name`.

    Raises:
        InputError: there is none, or the package that brings it is at fault.
    """
    if name in METHODS:
        refuse(f"optimiser {name!r}", plugins().get(name, ()))
        return METHODS[name]
    if name not in solver_names():
        names = [*METHODS, *solver_names()]
        raise InputError(f"search.method: {unknown_word('method', name, names)}")
    solver_named(name)  # which may be at fault
    return Solving


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
    return search.rounds if search.method == "model" else search.generations
