"""Warnings on a table of results: rows and names that may be wrong, and how they are counted."""

from __future__ import annotations

from typing import Literal, NamedTuple

from sim.errors import listed

Kind = Literal[
    "spellings", "similar", "repeated game", "contradictory game", "repeated row", "same row",
    "two sides", "contradiction", "no result",
]  # fmt: skip
"""Kind of a warning; `ResultsWarning.words` describes each."""


class ResultsWarning(NamedTuple):
    """Warning on a table of results.

    Attributes:
        kind: kind of the warning.
        names: names of the players that the warning concerns; empty if it concerns the whole table.
        n: number of rows, games or pairs that it concerns, depending on the kind.
        details: further words, such as the contradictory results.
    """

    kind: Kind
    names: tuple[str, ...]
    n: int
    details: str = ""

    @property
    def words(self) -> str:
        """The warning as a sentence, which says how the rows are counted."""
        names = tuple(map(repr, self.names))
        if self.kind == "spellings":
            return (
                f"{listed(names)} are counted as one player, {names[0]} (cells with another "
                f"spelling: {self.n:,})"
            )
        if self.kind == "similar":
            return (
                f"{listed(names)} are counted as two players (cells of the rarer one: {self.n:,}); "
                "if they are one, correct the file"
            )
        if self.kind == "contradiction":
            return (
                f"{names[0]} vs {names[1]} is listed from both sides with different results "
                f"({self.details}); their mean is counted"
            )
        return _OF_TABLE[self.kind].format(n=f"{self.n:,}")


_OF_TABLE = {
    "repeated game": "Rows that repeat a game, with its id and result: {n}; each game is counted "
    "once",
    "contradictory game": "Games with different players or results under one id: {n}; they are not "
    "counted",
    "repeated row": "Rows that repeat another row in all cells: {n}; each is counted once",
    "same row": "Rows that repeat another row in all cells, including the time: {n}; each is "
    "counted as a game, so delete them if they are the same games",
    "two sides": "Pairs that are listed from both sides, as a vs b and as b vs a: {n}; each is "
    "counted once",
    "no result": "Rows without games, which are left out: {n}",
}
