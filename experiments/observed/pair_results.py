"""Results in rows that each sum the games of a pair: wins with losses or games, or a win rate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from balance.statistics.intervals import Flags, Floats
from experiments.observed.cells import count_in, numbers_of, rate_in
from experiments.observed.results_table import Chunk
from experiments.observed.texts import RateForm
from sim.errors import InputError
from sim.value_error import shown_value


class Results(NamedTuple):
    """Results of the rows of a chunk; the fields are those of `ResultsRows`, each of shape [R]."""

    points: Floats
    games: Floats
    draws: Floats
    zeros: Floats
    slack: Floats


@dataclass(frozen=True)
class PairCells:
    """Cells of a chunk in which each row sums the games of a pair.

    Attributes:
        chunk: rows of the table.
        columns: position of each column in the table, by its meaning.
    """

    chunk: Chunk
    columns: Mapping[str, int]

    def results(self, form: RateForm, n_games: int | None) -> Results:
        """Return the results of the rows; rows without results have 0 games.

        Args:
            form: form of the rates, to which those of the chunk are added.
            n_games: number of games behind each rate of a table without a column of games.

        Raises:
            InputError: a number is missing or invalid, or the numbers of a row contradict each
                other.
        """
        given = self._counts("draws")
        draws = np.zeros(len(self.chunk.rows)) if given is None else np.nan_to_num(given)
        if "wins" in self.columns:
            return self._of_wins(draws)
        if "win_rate" in self.columns:
            rates, units = self._rates("win_rate", form)
        else:
            rates, units = self._bands(form)
        return self._of_rates(rates, units, draws, n_games)

    def _counts(self, role: str) -> Floats | None:
        """Return the numbers of games in a column, NaN for blank cells; `None` without a column."""
        if role not in self.columns:
            return None
        column = self.chunk.columns[self.columns[role]]
        return numbers_of(column, self.chunk.rows, count_in)

    def _of_wins(self, draws: Floats) -> Results:
        """Return the results of rows with wins, and losses or games."""
        wins = self._counts("wins")
        losses = self._counts("losses")
        games = self._counts("games")
        given = {
            role: values
            for role, values in (("wins", wins), ("losses", losses), ("games", games))
            if values is not None
        }
        is_blank = np.all([np.isnan(values) for values in given.values()], axis=0) & (draws == 0)
        if games is not None:
            is_blank |= games == 0
        for role, values in given.items():
            self._refuse(role, np.isnan(values) & ~is_blank, "must not be blank")
        wins = given["wins"]
        if games is None:
            games = wins + given["losses"] + draws
        self._refuse("wins", wins + draws > games, "more wins and draws than games")
        if losses is not None:
            is_other = wins + losses + draws != games
            self._refuse("games", is_other & ~is_blank, "must be the sum of wins, losses and draws")
        return self._results(is_blank, wins + draws / 2, games, draws, np.zeros(len(games)))

    def _rates(self, role: str, form: RateForm) -> tuple[Floats, Floats]:
        """Return the rates in a column as they are written, and the units of their last digits."""
        column = self.chunk.columns[self.columns[role]]
        units = np.zeros(len(column.texts))
        number_of = {text: k for k, text in enumerate(column.texts)}

        def rate_of(text: str) -> float:
            """Return the number in a cell, and record its form and the unit of its last digit."""
            rate = rate_in(text)
            units[number_of[text]] = rate.unit
            first = np.flatnonzero(column.codes == number_of[text])[0]
            form.add(rate, f"row {self.chunk.rows[first]}: column {column.title!r}")
            return rate.number

        rates = numbers_of(column, self.chunk.rows, rate_of)
        return rates, units[column.codes]

    def _bands(self, form: RateForm) -> tuple[Floats, Floats]:
        """Return the middles and the widths of the bands of rates.

        Raises:
            InputError: a bound is missing, or a lower bound is above the upper bound.
        """
        low, high = (self._rates(role, form)[0] for role in ("low", "high"))
        for role, own, other in (("low", low, high), ("high", high, low)):
            self._refuse(role, np.isnan(own) & ~np.isnan(other), "must not be blank")
        self._refuse("low", low > high, "the lower bound is above the upper bound")
        return (low + high) / 2, high - low

    def _of_rates(
        self, rates: Floats, units: Floats, draws: Floats, n_games: int | None
    ) -> Results:
        """Return the results of rows with a rate and a number of games.

        Args:
            rates: rates as they are written, NaN for blank cells, shape [R].
            units: width of the range in which each rate may lie, shape [R].
            draws: number of draws, shape [R].
            n_games: number of games behind each rate of a table without a column of games.

        Raises:
            InputError: a number is missing, or the numbers of a row contradict each other.
        """
        games = self._counts("games")
        if games is None and n_games is None:
            role = "win_rate" if "win_rate" in self.columns else "low"
            title = self.chunk.columns[self.columns[role]].title
            raise InputError(
                "rates without numbers of games have no intervals",
                place=f"column {title!r}",
                value=title,
                limit="games",
                remedy="add a column of games, or give the number behind each rate by --games N",
            )
        if games is None:
            games = np.where(np.isnan(rates), np.nan, float(n_games or 0))
        is_blank = np.isnan(rates) & (np.isnan(games) | (games == 0)) | (games == 0)
        self._refuse("win_rate", np.isnan(rates) & ~is_blank, "must not be blank")
        self._refuse("games", np.isnan(games) & ~is_blank, "must not be blank")
        self._refuse("draws", draws > games, "more draws than games")
        return self._results(is_blank, rates * games, games, draws, units * games)

    def _results(
        self, is_blank: Flags, points: Floats, games: Floats, draws: Floats, slack: Floats
    ) -> Results:
        """Return the results, with 0 in rows without results."""
        known = [np.where(is_blank, 0.0, values) for values in (points, games, draws, slack)]
        return Results(known[0], known[1], known[2], np.zeros(len(is_blank)), known[3])

    def _refuse(self, role: str, wrong: Flags, problem: str) -> None:
        """Raise an error for the first row that is wrong, if there is one.

        Args:
            role: meaning of the column that the error names, if the table has it.
            wrong: whether each row is wrong, shape [R].
            problem: description of the problem.

        Raises:
            InputError: a row is wrong.
        """
        if not wrong.any():
            return
        k = int(np.flatnonzero(wrong)[0])
        place = f"row {self.chunk.rows[k]}"
        if role not in self.columns:
            raise InputError(problem, place=place)
        column = self.chunk.columns[self.columns[role]]
        text = column.texts[column.codes[k]]
        raise InputError(
            f"{shown_value(text)}: {problem}" if text else problem,
            place=f"{place}: column {column.title!r}",
            value=text,
        )
