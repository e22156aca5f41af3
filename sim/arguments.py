"""Checks of the arguments of public functions, by the same code as the keys of files.

    @checked(n_games=GameCount, run_seed=Seed)
    def play_matchups(contest: CardContest, *, n_games: int, run_seed: int) -> ...

refuses `n_games=11` with the same message as a file with `games = 11`.
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

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

# Maximum number of threads, chosen by hand: more than the cores of common machines.
THREADS_MAX = 1024

Seed = Annotated[int, Field(ge=0, le=STREAM_MAX)]
"""Type of the seed of a run, or of a seed derived from another seed (`sim.seeds`)."""

ThreadCount = Annotated[int, Field(ge=1, le=THREADS_MAX)]
"""Type of a number of threads."""

Threads = ThreadCount | None
"""Type of a number of threads; `None` means those of the current workers."""

# Maximum number of games of one row of a batch: days of play, and a gigabyte of results.
ROW_GAMES_MAX = 10**9

RowGames = Annotated[int, Field(ge=1, le=ROW_GAMES_MAX)]
"""Type of the number of games of one row of a batch."""

Count = Annotated[int, Field(ge=0)]
"""Type of a number of things that may be 0."""

AtLeastOne = Annotated[int, Field(ge=1)]
"""Type of a number of things that is at least 1."""


class Arguments:
    """Checks of some arguments of a function by their types, as for fields of a `StrictModel`.

    Whole numbers of numpy are accepted like those of Python.
    """

    def __init__(self, **kinds: Any) -> None:
        """Set the types of the arguments to check.

        Args:
            kinds: type of each argument, by the argument's name.
        """
        self._kinds = kinds

    def check(self, source: str, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the checked arguments, converted to their types, without the unchecked arguments.

        Args:
            source: name of the function, for messages.
            values: values of all arguments by name.

        Raises:
            InputError: an argument does not fit its type; the message names the source, the
                argument, its value and the limit.
        """
        plain = {name: _plain(values[name]) for name in self._kinds}
        return dict(validate(self._model, plain, source=source))

    @cached_property
    def _model(self) -> type[StrictModel]:
        """Pydantic model of the arguments, built on first use, since building it is slow."""
        fields: dict[str, Any] = {name: (kind, ...) for name, kind in self._kinds.items()}
        return create_model("Arguments", __base__=StrictModel, **fields)


def checked(**kinds: Any) -> Callable[[Callable[Parameters, Result]], Callable[Parameters, Result]]:
    """Return a decorator that checks some arguments of a function before each call.

    The decorated function receives the checked values, converted to their types.

    Args:
        kinds: type of each checked argument, see `Arguments`.
    """
    arguments = Arguments(**kinds)

    def decorate(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
        parameters = signature(function)
        name = function.__qualname__.removesuffix(".__init__")

        @wraps(function)
        def call_checked(*args: Parameters.args, **keywords: Parameters.kwargs) -> Result:
            bound = parameters.bind(*args, **keywords)
            bound.apply_defaults()
            bound.arguments.update(arguments.check(f"{name}()", bound.arguments))
            return function(*bound.args, **bound.kwargs)

        return call_checked

    return decorate


def _plain(value: object) -> object:
    """Return a numpy scalar as the Python value, and any other value unchanged."""
    return value.item() if isinstance(value, np.generic) else value
