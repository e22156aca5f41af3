"""Tables of results of games as text, and their reading, for tests."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from hypothesis import strategies as st

from experiments.observed import ObservedResults, read_results

PLAYERS = ("Zoo", "Face Hunter", "Müller's Mage", "Control")


class Game(NamedTuple):
    """One game.

    Attributes:
        a: first named player.
        b: second named player.
        points: points of `a`: 1, 0.5 or 0.
        first: seat of `a` in words, `first` or `second`, or blank.
        patch: name of the patch.
    """

    a: str
    b: str
    points: float
    first: str = ""
    patch: str = "1"


GAMES = st.lists(
    st.builds(
        Game,
        st.sampled_from(PLAYERS),
        st.sampled_from(PLAYERS),
        st.sampled_from([1.0, 0.5, 0.0]),
        st.sampled_from(["first", "second", ""]),
        st.sampled_from(["1.9", "1.10"]),
    ),
    min_size=1,
    max_size=40,
).filter(lambda games: any(game.a != game.b for game in games))


def game_rows(games: Sequence[Game]) -> list[str]:
    """Return the lines of a table with one row per game, below its titles."""
    words = {1.0: "a", 0.5: "draw", 0.0: "b"}
    return [f"{g.a},{g.b},{words[g.points]},{g.first},{g.patch}" for g in games]


GAME_TITLES = "a,b,winner,first,patch"


def read(
    text: str | bytes, *args: Any, name: str = "results.csv", **options: Any
) -> ObservedResults:
    """Return the results in a table.

    Args:
        text: content of the file.
        args: further arguments of `read_results`.
        name: name of the file.
        options: keywords of `read_results`.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return read_results(path, *args, **options)


def table(*lines: str) -> str:
    """Return lines as the text of a file."""
    return "\n".join([*lines, ""])
