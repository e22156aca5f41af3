"""Context of a balancing run: where it continues, which attempt it is, and who follows it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from balance.search.evolutionary_search import SearchState
from sim.arguments import Arguments, AtLeastOne

_LIMITS = Arguments(try_number=AtLeastOne | None)


def _ignore(_: object) -> None:
    """Do nothing, in place of a callback."""


@dataclass(frozen=True)
class RunContext:
    """What a balancing run needs besides its question.

    Only `try_number` can change the result; a run that continues from a state has the same result
    as one that was never stopped. Games are played by the current workers
    (`sim.play.workers.current`).

    Attributes:
        state: state from which the search continues; `None` to begin a search.
        try_number: number of this certification attempt for its question, from 1
            (`balance.verdict.risk`); `None` if attempts are not counted. An uncounted attempt gets
            the whole risk and needs less margin, so it may recommend a different patch than the
            first counted attempt.
        explains: whether to explain a failure, which may take longer than the search.
        on_stage: callback, called with the name of each stage when it begins.
        on_generation: callback, called with the state of the search after every generation.
    """

    state: SearchState | None = None
    try_number: int | None = None
    explains: bool = True
    on_stage: Callable[[str], None] = _ignore
    on_generation: Callable[[SearchState], None] = _ignore

    def __post_init__(self) -> None:
        """Refuse an attempt number below 1.

        Raises:
            InputError: the number of the attempt is invalid.
        """
        _LIMITS.check("RunContext", vars(self))
