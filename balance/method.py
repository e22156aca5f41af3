"""The method of a search: what it plays, and what of that is worth playing again."""

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
    """A way to search.

    Attributes:
        kind: of the states between its rounds, which can be written to a file.
        evaluator: plays and scores genomes.
        settings: of which `search` and `games` count.
    """

    kind: ClassVar[type[SearchState]] = SearchState

    def __init__(self, evaluator: Evaluator, settings: BalanceSettings) -> None:
        """Play and score by an evaluator."""
        self.evaluator = evaluator
        self.settings = settings

    @property
    def goes_on(self) -> bool:
        """Whether it can go on from a state that has been widened (`balance.escalation`)."""
        return True

    @abstractmethod
    def run(self, state: Any, on_round: Callable[[Any], None]) -> SearchState:
        """Search to the end, from a state of its kind or from the beginning (`None`)."""

    @abstractmethod
    def shortlist(self, state: Any) -> Positions:
        """Positions in `state.seen` of the genomes worth playing again, by rising change."""

    def likely(self, genomes: Steps, played: Readings) -> Floats:  # noqa: ARG002 (knows no more)
        """``[S]`` how likely ``[S, K]`` genomes of the shortlist are to do, given games of theirs.

        All 0 where a method knows no more of them than these games.
        """
        return np.zeros(len(genomes))

    def least_change(self, genome: Steps) -> float | None:  # noqa: ARG002 (cannot tell)
        """The change below which no patch can do it, `None` if the method cannot tell.

        Args:
            genome: ``[K]`` the patch that is recommended, as large as is needed.
        """
        return None

    def promise_pp(self, state: Any, demands: Positions | None = None) -> float | None:  # noqa: ARG002 (likewise)
        """The least imbalance to be expected of any patch that is allowed, where it can tell.

        Args:
            state: where the search ended.
            demands: those that count; default all.
        """
        return None

    def expected_pp(self, state: Any) -> Interval | None:  # noqa: ARG002 (likewise)
        """What `promise_pp` tells of all demands, and between which that may be, as far as known.

        Args:
            state: where the search ended.
        """
        return None

    def prospects(self, state: Any) -> Prospects | None:
        """How near patches under other limits may come, by what was played; `None` of nothing.

        By slopes of all genomes seen, unless the method knows more.

        Args:
            state: where the search ended.
        """
        today = self.evaluator.today
        if today is None or not len(state.seen):
            return None
        n_games = self.settings.games.search * state.seen_times
        rates = state.seen_points / n_games[:, np.newaxis]
        return Prospects.of_played(self.evaluator, today, state.seen, rates, n_games)
