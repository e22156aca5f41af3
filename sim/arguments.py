"""Arguments of public functions, checked by the same code as the keys of files.

    @checked(n_games=GameCount, threads=Threads)
    def play_matchups(contest: CardContest, *, n_games: int, threads: int | None = None) -> ...

refuses `n_games=11` with the line that a file with `games = 11` is refused with.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, wraps
from inspect import signature
from typing import Annotated, Any, ParamSpec, TypeVar

import numpy as np
from pydantic import Field, create_model

from sim.files.validation import StrictModel, validate
from sim.seeds import STREAM_MAX

Given = ParamSpec("Given")
Returned = TypeVar("Returned")

THREADS_MAX = 1024  # as the command line has it; more than any machine has cores

Seed = Annotated[int, Field(ge=0, le=STREAM_MAX)]
"""A run's seed; functions also take those that are derived from other seeds (`sim.seeds`)."""

Threads = Annotated[int, Field(ge=1, le=THREADS_MAX)] | None
"""Threads to use; `None` for the default."""

ROW_GAMES_MAX = 10**9  # of a row: days of games, and a gigabyte for their results

RowGames = Annotated[int, Field(ge=1, le=ROW_GAMES_MAX)]
"""Games of one row of a batch."""

Count = Annotated[int, Field(ge=0)]
AtLeastOne = Annotated[int, Field(ge=1)]


class Arguments:
    """Some arguments of a function, each of a type that a field of a `StrictModel` would have.

    Whole numbers of numpy count as Python's.
    """

    def __init__(self, **kinds: Any) -> None:
        """Take the type of each argument."""
        self._kinds = kinds

    def fitting(self, source: str, given: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments as their types make them; others are left out.

        Raises:
            InputError: one does not fit; names the source, the argument, its value and the limit.
        """
        plain = {name: _plain(given[name]) for name in self._kinds}
        return dict(validate(self._model, plain, source=source))

    @cached_property
    def _model(self) -> type[StrictModel]:
        """Made when it is first needed, since that takes a while and most are never called."""
        fields: dict[str, Any] = {name: (kind, ...) for name, kind in self._kinds.items()}
        return create_model("Arguments", __base__=StrictModel, **fields)


def checked(**kinds: Any) -> Callable[[Callable[Given, Returned]], Callable[Given, Returned]]:
    """Decorate a function of which some arguments are checked before it is called.

    Args:
        kinds: by argument, its type, see `Arguments`.
    """
    arguments = Arguments(**kinds)

    def decorated(function: Callable[Given, Returned]) -> Callable[Given, Returned]:
        taken = signature(function)
        called = function.__qualname__.removesuffix(".__init__")

        @wraps(function)
        def checking(*args: Given.args, **named: Given.kwargs) -> Returned:
            bound = taken.bind(*args, **named)
            bound.apply_defaults()
            fitting = arguments.fitting(f"{called}()", bound.arguments)
            bound.arguments.update(fitting)
            return function(*bound.args, **bound.kwargs)

        return checking

    return decorated


def _plain(value: object) -> object:
    """A number of numpy as Python's; anything else as it is."""
    return value.item() if isinstance(value, np.generic) else value
