"""Interface of a search method: the search, its shortlist, and predictions about candidates."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from balance.contest.readings import Readings
from balance.search.evolutionary_search import SearchState
from balance.search.model.prospects import Prospects
from balance.search.model.reach import LeastPatch
from balance.search.selection import Selection, select
from balance.settings.tables import BalanceSettings
from balance.space.search_space import Steps
from balance.statistics.intervals import Floats, Interval, Positions
from balance.verdict.evaluation import Evaluator, Scores


class Method(ABC):
    """Method that searches for a patch, such as a model-based or an evolutionary search.

    Attributes:
        kind: class of the states between rounds, which can be written to a file.
        evaluator: evaluator that plays and scores genomes.
        settings: settings of the run; only `search` and `games` are used.
    """

    kind: ClassVar[type[SearchState]] = SearchState

    def __init__(self, evaluator: Evaluator, settings: BalanceSettings) -> None:
        """Store the evaluator and the settings of the run, without starting the search."""
        self.evaluator = evaluator
        self.settings = settings

    @property
    def can_continue(self) -> bool:
        """Whether the method can continue from a relaxed state (`balance.run.escalation`)."""
        return True

    @abstractmethod
    def run(self, state: Any, on_round: Callable[[Any], None]) -> SearchState:
        """Search until the method stops, and return its final state.

        Args:
            state: state of class `kind` from which the search continues; `None` to begin.
            on_round: callback, called with the state after every round.
        """

    @abstractmethod
    def shortlist(self, state: Any) -> Positions:
        """Return the positions in `state.seen` of the candidates to play again in the selection.

        The candidates are sorted by increasing size.

        Args:
            state: final state of the search.
        """

    def contenders(self, state: Any) -> Positions:  # noqa: ARG002 (for subclasses)
        """Return positions in `state.seen` of candidates that a trial may add to the shortlist.

        By default there are none.

        Args:
            state: final state of the search.
        """
        return np.zeros(0, dtype=np.intp)

    def select(self, state: Any) -> Selection:
        """Play the shortlist again, and those contenders that a short trial does not rule out.

        Args:
            state: final state of the search.
        """
        return select(
            self.evaluator,
            state,
            self.shortlist(state),
            self.settings.games,
            self.likely,
            self.contenders(state),
        )

    def likely(self, genomes: Steps, played: Readings) -> Floats:  # noqa: ARG002 (for subclasses)
        """Return the probability that each shortlisted genome suffices, shape ``[S]``.

        By default all probabilities are 0, for methods without a model of the win rates.

        Args:
            genomes: shortlisted genomes, shape ``[S, K]``.
            played: readings of the genomes in further games.
        """
        return np.zeros(len(genomes))

    def distances_pp(self, state: Any) -> Floats:
        """Return the expected imbalance of each evaluated candidate in percentage points, ``[S]``.

        By default it is the measured one.

        Args:
            state: state of the search, with S evaluated candidates.
        """
        scores: Scores = state.seen_scores(self.evaluator, self.settings.games.search)
        return scores.imbalance_pp

    def least_patch(self, genome: Steps) -> LeastPatch | None:  # noqa: ARG002 (for subclasses)
        """Return lower bounds on a sufficient patch; `None` if they are unknown.

        Args:
            genome: recommended patch, which is assumed to suffice, shape ``[K]``.
        """
        return None

    def predicted_imbalance_pp(self, state: Any, demands: Positions | None = None) -> float | None:  # noqa: ARG002 (for subclasses)
        """Return the smallest expected imbalance of any permitted patch, in percentage points.

        Args:
            state: final state of the search.
            demands: positions of the demands that count; default all.

        Returns:
            The imbalance; `None` if the method cannot predict it, as by default.
        """
        return None

    def expected_pp(self, state: Any) -> Interval | None:  # noqa: ARG002 (for subclasses)
        """Return the smallest expected imbalance of any permitted patch, with its interval.

        Args:
            state: final state of the search.

        Returns:
            The imbalance for all demands in percentage points; `None` if the method cannot predict
            it, as by default.
        """
        return None

    def prospects(self, state: Any) -> Prospects | None:
        """Return a linear model that predicts the imbalance of patches in other search spaces.

        By default the model is fitted to all evaluated candidates.

        Args:
            state: final state of the search.

        Returns:
            The model; `None` if the games of the baseline are unknown, or no candidate was
            evaluated.
        """
        today = self.evaluator.today
        if today is None or not len(state.seen):
            return None
        n_games = self.settings.games.search * state.seen_times
        rates = state.seen_points / n_games[:, np.newaxis]
        return Prospects.of_played(self.evaluator, today, state.seen, rates, n_games)
