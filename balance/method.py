"""Interface of a search method: how it searches, and what it knows about its candidates."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from balance.evaluation import Evaluator
from balance.model.prospects import Prospects
from balance.readings import Readings
from balance.search import SearchState
from balance.search_space import Steps
from balance.settings import BalanceSettings
from balance.statistics.intervals import Floats, Interval, Positions


class Method(ABC):
    """A search method.

    Attributes:
        kind: class of the states between its rounds, which can be written to a file.
        evaluator: plays and scores genomes.
        settings: settings of the run; `search` and `games` matter here.
    """

    kind: ClassVar[type[SearchState]] = SearchState

    def __init__(self, evaluator: Evaluator, settings: BalanceSettings) -> None:
        """Keep the evaluator, which plays and scores, and the settings."""
        self.evaluator = evaluator
        self.settings = settings

    @property
    def can_continue(self) -> bool:
        """Whether the method can continue from a relaxed state (`balance.escalation`)."""
        return True

    @abstractmethod
    def run(self, state: Any, on_round: Callable[[Any], None]) -> SearchState:
        """Search to the end.

        Args:
            state: state of class `kind` to continue from; `None` to begin.
            on_round: callback, called with the state after every round.
        """

    @abstractmethod
    def shortlist(self, state: Any) -> Positions:
        """Return the positions in `state.seen` of the candidates to play again, by rising change.

        Args:
            state: final state of the search.
        """

    def likely(self, genomes: Steps, played: Readings) -> Floats:  # noqa: ARG002 (for subclasses)
        """Return the probability that each shortlisted genome suffices, ``[S]``.

        All 0 if the method knows no more about them than these games.

        Args:
            genomes: shortlisted genomes, shape ``[S, K]``.
            played: further games of them.
        """
        return np.zeros(len(genomes))

    def least_change(self, genome: Steps) -> float | None:  # noqa: ARG002 (for subclasses)
        """Return a lower bound on the change of a sufficient patch; `None` if none is known.

        Args:
            genome: recommended patch, which suffices, shape ``[K]``.
        """
        return None

    def predicted_imbalance_pp(self, state: Any, demands: Positions | None = None) -> float | None:  # noqa: ARG002 (for subclasses)
        """Return the least imbalance expected of any permitted patch; `None` if unknown.

        Args:
            state: final state of the search.
            demands: positions of the demands that count; default all.
        """
        return None

    def expected_pp(self, state: Any) -> Interval | None:  # noqa: ARG002 (for subclasses)
        """Return `predicted_imbalance_pp` for all demands with its interval; `None` if unknown.

        Args:
            state: final state of the search.
        """
        return None

    def prospects(self, state: Any) -> Prospects | None:
        """Return a linear model that predicts patches under other limits; `None` without games.

        By default it is fitted to all evaluated candidates.

        Args:
            state: final state of the search.
        """
        today = self.evaluator.today
        if today is None or not len(state.seen):
            return None
        n_games = self.settings.games.search * state.seen_times
        rates = state.seen_points / n_games[:, np.newaxis]
        return Prospects.of_played(self.evaluator, today, state.seen, rates, n_games)
