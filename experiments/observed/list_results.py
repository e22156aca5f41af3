"""Table with the observed win rates of deck lists: one row per list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from balance.statistics.intervals import Flags, Floats
from experiments.observed.cells import Rate, count_in, numbers_of, rate_in
from experiments.observed.columns import named_columns, require_columns
from experiments.observed.results_table import Chunk, Column
from experiments.observed.table_file import open_table
from experiments.observed.texts import RateForm
from sim.errors import InputError, error_place

LIST_COLUMNS: dict[str, tuple[str, ...]] = {
    "deck": ("deck", "list", "deck list", "player", "name", "deck name", "deck id", "id"),
    "archetype": ("archetype", "class", "hero", "deck type", "group"),
    "games": ("games", "n", "n games", "matches", "played", "games played", "total games"),
    "win_rate": (
        *("win rate", "wr", "win pct", "win rate pct", "winning pct", "rate", "win percentage"),
        *("win percent", "win rate percent", "pct", "percent", "percentage"),
    ),
}
"""Titles of each column, in any case and with any signs between words; `%` reads as `pct`."""
_SIZE_MAX = 10_000  # lists of a table; one chunk holds them all


@dataclass(frozen=True)
class ListResults:
    """Observed results of ``L`` lists.

    Attributes:
        path: path of the table.
        names: names of the lists.
        archetypes: archetype of each list; `""` for all if the table has no such column.
        rates: win rate of each list, shape [L].
        games: number of games of each list, shape [L].
        columns: titles of the columns that were used, by meaning.
    """

    path: Path
    names: tuple[str, ...]
    archetypes: tuple[str, ...]
    rates: Floats
    games: Floats
    columns: Mapping[str, str]


def read_list_results(path: Path, chosen: Mapping[str, str] | None = None) -> ListResults:
    """Read the win rates of lists.

    Args:
        path: path of a CSV file or a workbook with the columns deck, games and win_rate, and
            optionally archetype.
        chosen: titles of columns by meaning; other columns are found by their titles.

    Raises:
        InputError: the table cannot be read, lacks a column, has an invalid cell, or lists a deck
            twice.
    """
    table = open_table(path)
    with error_place(path):
        found = named_columns(table.titles, chosen, LIST_COLUMNS)
        require_columns(("deck", "games", "win_rate"), found, table.titles, LIST_COLUMNS)
        chunk = next(table.chunks(_SIZE_MAX + 1), None)
        if chunk is None or not len(chunk.rows):
            raise InputError("no row has a result", remedy="add a row for each deck")
        if len(chunk.rows) > _SIZE_MAX:
            raise InputError(
                f"more than {_SIZE_MAX:,} rows",
                value=len(chunk.rows),
                limit=_SIZE_MAX,
                remedy="keep the decks that the experiment has",
            )
        column = {role: chunk.columns[place] for role, place in found.items()}
        names = _texts_of(column["deck"])
        _check_names(chunk, column["deck"], names)
        games = numbers_of(column["games"], chunk.rows, count_in)
        rates = _rates_in(chunk, column["win_rate"])
        for role, values in (("games", games), ("win_rate", rates)):
            _refuse(chunk, column[role], np.isnan(values), "must not be blank")
        _refuse(chunk, column["games"], games == 0, "must be at least 1")
    archetypes = _texts_of(column["archetype"]) if "archetype" in found else ("",) * len(names)
    used = {role: table.titles[place] for role, place in found.items()}
    return ListResults(path, names, archetypes, rates, games, used)


def _texts_of(column: Column) -> tuple[str, ...]:
    """Return the text of each cell."""
    return tuple(column.texts[code] for code in column.codes.tolist())


def _check_names(chunk: Chunk, column: Column, names: Sequence[str]) -> None:
    """Check that each row names another deck.

    Raises:
        InputError: a name is blank or repeated.
    """
    _refuse(chunk, column, np.array([not name for name in names]), "must not be blank")
    _, firsts = np.unique(column.codes, return_index=True)
    is_repeated = np.ones(len(names), dtype=np.bool_)
    is_repeated[firsts] = False
    _refuse(chunk, column, is_repeated, "is listed twice")


def _rates_in(chunk: Chunk, column: Column) -> Floats:
    """Return the win rates in a column as shares, NaN for blank cells, shape [L].

    Raises:
        InputError: a cell is no rate, or the form of the rates is not clear.
    """
    form = RateForm.of_title(column.title)

    def rate_of(text: str) -> float:
        """Return the number in a cell, and record its form."""
        rate: Rate = rate_in(text)
        first = np.flatnonzero(column.codes == column.texts.index(text))[0]
        form.add(rate, f"row {chunk.rows[first]}: column {column.title!r}")
        return rate.number

    rates = numbers_of(column, chunk.rows, rate_of)
    return np.asarray(rates * form.factor(), dtype=np.float64)


def _refuse(chunk: Chunk, column: Column, wrong: Flags, problem: str) -> None:
    """Raise an error for the first row that is wrong, if there is one.

    Raises:
        InputError: a row is wrong.
    """
    if wrong.any():
        k = int(np.flatnonzero(wrong)[0])
        text = column.texts[column.codes[k]]
        raise InputError(
            f"{text!r} {problem}" if text else problem,
            place=f"row {chunk.rows[k]}: column {column.title!r}",
            value=text,
        )
