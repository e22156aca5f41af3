"""Distinct texts of a column, and the form of a column of rates, over all chunks of a table."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from balance.statistics.intervals import Counts
from experiments.observed.cells import Rate
from experiments.observed.results_table import Column
from sim.errors import InputError


@dataclass
class Texts:
    """Distinct texts of a column over all chunks, numbered in the order of their occurrence.

    Attributes:
        number_of: number of each text.
        n_cells: number of cells of each text.
    """

    number_of: dict[str, int] = field(default_factory=dict)
    n_cells: dict[str, int] = field(default_factory=dict)

    def numbered(self, column: Column) -> Counts:
        """Return the number of each cell's text, shape [R], and count the cells of each text."""
        n_cells = np.bincount(column.codes, minlength=len(column.texts))
        for text, n in zip(column.texts, n_cells.tolist(), strict=True):
            if n:
                self.number_of.setdefault(text, len(self.number_of))
                self.n_cells[text] = self.n_cells.get(text, 0) + n
        numbers = np.array([self.number_of.get(text, 0) for text in column.texts], dtype=np.int64)
        return numbers[column.codes]

    @property
    def texts(self) -> list[str]:
        """Texts in the order of their numbers."""
        return [*self.number_of]

    @property
    def ranks(self) -> Counts:
        """Position of each text among the sorted texts, which the order of rows does not affect."""
        ranks = np.zeros(len(self.number_of), dtype=np.int64)
        for rank, text in enumerate(sorted(self.number_of)):
            ranks[self.number_of[text]] = rank
        return ranks


@dataclass
class RateForm:
    """Form of the rates of a column, which must be the same in all cells.

    Attributes:
        is_percent: whether the title says percent, or a cell has a percent sign or is above 1.
        is_titled: whether the title says so, in which case no cell is unclear.
        least: smallest positive rate without a percent sign, and its place.
    """

    is_percent: bool = False
    is_titled: bool = False
    least: tuple[float, str] | None = None

    @classmethod
    def of_title(cls, title: str) -> RateForm:
        """Return the form of a column without cells, which its title may determine."""
        is_titled = any(word in title.lower() for word in ("%", "pct", "percent"))
        return cls(is_titled, is_titled)

    def add(self, rate: Rate, place: str) -> None:
        """Record the rate of a cell."""
        self.is_percent |= rate.is_percent or rate.number > 1
        is_unclear = 0 < rate.number <= 1 and not rate.is_percent
        if is_unclear and (self.least is None or (rate.number, place) < self.least):
            self.least = rate.number, place

    def factor(self) -> float:
        """Return the factor that converts the numbers of the column to shares.

        Raises:
            InputError: the column has percentages, and a number that may be a share.
        """
        if self.is_percent and not self.is_titled and self.least is not None:
            number, place = self.least
            raise InputError(
                f"{number:g} may be a share or a percentage",
                place=place,
                value=number,
                remedy=f"write {100 * number:g} % or {number:g} %",
            )
        return 0.01 if self.is_percent else 1.0
