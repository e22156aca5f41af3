"""Conversion of the chunks of a table of results to rows of numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from balance.statistics.intervals import Counts, Floats
from experiments.observed.cells import Side, first_in, length_in, numbers_of, winner_in
from experiments.observed.pair_results import PairCells, Results
from experiments.observed.results_rows import GRID, KEYS, ResultsRows
from experiments.observed.results_table import Chunk, Column
from experiments.observed.spellings import spelling_key
from experiments.observed.texts import RateForm, Texts
from sim.errors import InputError
from sim.value_error import shown_value

SPELLINGS_MAX = 10_000
"""Maximum number of spellings of players: more are names of people instead of decks."""
GROUPS_MAX = 200
"""Maximum number of patches, and of brackets: more are dates or ratings of single games."""
_WITH_TIME = re.compile(r"[0-9]:[0-9]{2}")
_ISO_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_FACTOR = np.int64(6364136223846793005)  # Knuth's multiplier for random numbers modulo 2^64


@dataclass
class RowReader:
    """Conversion of the chunks of a table to rows of numbers, with what all chunks share.

    Attributes:
        columns: position of each column in the table, by its meaning.
        n_games: number of games behind each rate of a table without a column of games.
        players: spellings of players.
        patches: names of patches.
        brackets: names of brackets.
        dates: dates of rows that sum games.
        days: first and last day of each patch, for dates such as 2026-11-27.
        rate_form: form of the rates.
        has_two: whether a result is written as `2` or `-1`, so that `0` is a draw.
        has_times: whether dates include the time of day.
        n_rows: number of rows with results.
        n_blank: number of rows without results, which are left out.
    """

    columns: Mapping[str, int]
    n_games: int | None = None
    players: Texts = field(default_factory=Texts)
    patches: Texts = field(default_factory=Texts)
    brackets: Texts = field(default_factory=Texts)
    dates: Texts = field(default_factory=Texts)
    days: dict[int, tuple[str, str]] = field(default_factory=dict)
    rate_form: RateForm = field(default_factory=RateForm)
    has_two: bool = False
    has_times: bool = False
    n_rows: int = 0
    n_blank: int = 0

    @property
    def is_by_game(self) -> bool:
        """Whether each row is one game."""
        return "winner" in self.columns

    @property
    def compares_rows(self) -> bool:
        """Whether single rows are compared with each other, so that they must be kept."""
        return not self.is_by_game or "game" in self.columns

    def read(self, chunk: Chunk) -> ResultsRows:
        """Return the rows of a chunk that have results.

        Args:
            chunk: rows of the table.

        Raises:
            InputError: a cell is invalid, or contradicts another cell of its row.
        """
        a, b = (self._players(chunk, role) for role in ("player_a", "player_b"))
        if self.is_by_game:
            results = self._results_of_games(chunk, a, b)
        else:
            results = PairCells(chunk, self.columns).results(self.rate_form, self.n_games)
        turns, timed = self._turns(chunk, results.games)
        patch = self._groups(chunk, "patch", self.patches)
        keys = np.zeros((len(chunk.rows), len(KEYS)), dtype=np.int64)
        keys[:, :5] = np.column_stack(
            [a, b, self._seats(chunk, a, b), patch, self._groups(chunk, "bracket", self.brackets)]
        )
        keys[:, 5] = self._dates(chunk, patch)
        ids = self._column(chunk, "game")
        game = np.zeros(len(chunk.rows), np.int64) if ids is None else _hashes(ids)
        rows = ResultsRows(
            keys, *results, turns=turns, timed=timed, game=game, whole=_row_hashes(chunk)
        ).where(results.games > 0)
        self.n_rows += rows.n_rows
        self.n_blank += len(chunk.rows) - rows.n_rows
        return rows

    def _column(self, chunk: Chunk, role: str) -> Column | None:
        """Return the column with a meaning; `None` if the table has none."""
        return chunk.columns[self.columns[role]] if role in self.columns else None

    def _players(self, chunk: Chunk, role: str) -> Counts:
        """Return the number of the spelling of a player in each row, shape [R].

        Raises:
            InputError: a name is blank, or there are too many names.
        """
        column = chunk.columns[self.columns[role]]
        if "" in column.texts:
            k = np.flatnonzero(column.codes == column.texts.index(""))[0]
            raise InputError(
                "must not be blank",
                place=_place(chunk, column, int(k)),
                value="",
                remedy="name the player, or delete the row",
            )
        numbers = self.players.numbered(column)
        if len(self.players.number_of) > SPELLINGS_MAX:
            raise InputError(
                f"more than {SPELLINGS_MAX:,} names of players",
                place=f"column {column.title!r}",
                limit=SPELLINGS_MAX,
                remedy="choose the columns of decks by --columns player_a=TITLE,player_b=TITLE",
            )
        return numbers

    def _groups(self, chunk: Chunk, role: str, texts: Texts) -> Counts:
        """Return the number of the patch or bracket of each row, 0 without the column, shape [R].

        Raises:
            InputError: there are too many patches or brackets.
        """
        column = self._column(chunk, role)
        if column is None:
            return np.zeros(len(chunk.rows), np.int64)
        numbers = texts.numbered(column)
        if len(texts.number_of) > GROUPS_MAX:
            raise InputError(
                f"more than {GROUPS_MAX} different values",
                place=f"column {column.title!r}",
                limit=GROUPS_MAX,
                remedy=f"give the column another title than one of a {role}, or group its values",
            )
        return numbers

    def _dates(self, chunk: Chunk, patch: Counts) -> Counts:
        """Record the days of each patch; return the number of each row's date, shape [R].

        Dates of single games are all 0, since games are not compared by date.
        """
        column = self._column(chunk, "date")
        if column is None:
            return np.zeros(len(chunk.rows), np.int64)
        self.has_times |= any(_WITH_TIME.search(text) for text in column.texts)
        matches = [_ISO_DAY.match(text) for text in column.texts]
        days = sorted({match[0] for match in matches if match})
        number_of = {day: k for k, day in enumerate(days)}
        of_texts = np.array([number_of[match[0]] if match else -1 for match in matches])
        of_rows = of_texts[column.codes]
        for number in np.unique(patch).tolist():
            in_patch = of_rows[(patch == number) & (of_rows >= 0)]
            if in_patch.size:
                known = self.days.get(number, (days[in_patch[0]],) * 2)
                first = min(known[0], days[in_patch.min()])
                self.days[number] = first, max(known[1], days[in_patch.max()])
        return of_rows * 0 if self.is_by_game else self.dates.numbered(column)

    def _results_of_games(self, chunk: Chunk, a: Counts, b: Counts) -> Results:
        """Return the results of rows that are one game each.

        Raises:
            InputError: a cell names neither player nor a result.
        """
        column = chunk.columns[self.columns["winner"]]
        sides = self._sides(column, a, b, winner_in)
        wrong = np.flatnonzero((sides == Side.NONE) | (sides == Side.NAME))
        if wrong.size:
            k = int(wrong[0])
            text = column.texts[column.codes[k]]
            names = [self.players.texts[spelling[k]] for spelling in (a, b)]
            raise InputError(
                f"{shown_value(text)} must be {names[0]!r} or {names[1]!r}, a or b, 1 or 0, win, "
                "loss or draw",
                place=_place(chunk, column, k),
                value=text,
                limit=tuple(names),
            )
        self.has_two |= bool((sides == Side.TWO).any())
        draws = (sides == Side.DRAW).astype(np.float64)
        points = (sides == Side.A) + draws / 2
        zeros = (sides == Side.ZERO).astype(np.float64)
        return Results(points, np.ones(len(sides)), draws, zeros, np.zeros(len(sides)))

    def _seats(self, chunk: Chunk, a: Counts, b: Counts) -> Counts:
        """Return who moved first in each row: 0 if not known, 1 for player a, 2 for b, shape [R].

        Raises:
            InputError: a cell names neither player nor a seat.
        """
        column = self._column(chunk, "first")
        if column is None:
            return np.zeros(len(chunk.rows), np.int64)
        sides = self._sides(column, a, b, first_in)
        wrong = np.flatnonzero(sides == Side.NAME)
        if wrong.size:
            k = int(wrong[0])
            text = column.texts[column.codes[k]]
            raise InputError(
                f"{shown_value(text)} must be one of the players, a or b, first or second, or "
                "blank",
                place=_place(chunk, column, k),
                value=text,
                limit=("a", "b", "first", "second", ""),
            )
        # In a mirror, a name does not say which of the two players moved first.
        is_word = np.array([first_in(text) != Side.NAME for text in column.texts])[column.codes]
        is_mirror = self._key_numbers(a) == self._key_numbers(b)
        return np.where(is_mirror & ~is_word, Side.NONE, sides)

    def _sides(self, column: Column, a: Counts, b: Counts, parse: Callable[[str], Side]) -> Counts:
        """Return the player that each cell names, as numbers of `Side`, shape [R].

        The name of a player of the row takes precedence over a word; in a mirror, it means a.

        Args:
            column: column of winners or of first seats.
            a: number of the spelling of each row's player a, shape [R].
            b: number of the spelling of each row's player b, shape [R].
            parse: function that returns the meaning of a word.
        """
        number_of = self._numbers_of_keys
        named = np.array([number_of.get(spelling_key(text), -1) for text in column.texts])
        words = np.array([int(parse(text)) for text in column.texts])
        sides = words[column.codes]
        named = named[column.codes]
        sides[named == self._key_numbers(b)] = Side.B
        sides[named == self._key_numbers(a)] = Side.A
        return np.asarray(sides)

    @property
    def _numbers_of_keys(self) -> dict[tuple[str, str], int]:
        """Number of each key that spellings of one name share."""
        keys = dict.fromkeys(map(spelling_key, self.players.texts))
        return {key: k for k, key in enumerate(keys)}

    def _key_numbers(self, spellings: Counts) -> Counts:
        """Return the number of the key of each spelling, shape [R]."""
        number_of = self._numbers_of_keys
        numbers = [number_of[spelling_key(text)] for text in self.players.texts]
        return np.array(numbers)[spellings]

    def _turns(self, chunk: Chunk, games: Floats) -> tuple[Floats, Floats]:
        """Return sums of turns, and numbers of games with a known length, each of shape [R].

        Raises:
            InputError: a length is no number of at least 0.
        """
        column = self._column(chunk, "turns")
        if column is None:
            return np.zeros((2, len(games)))[0], np.zeros(len(games))
        turns = numbers_of(column, chunk.rows, length_in)
        total = np.rint(np.nan_to_num(turns) * games * GRID) / GRID
        return total, np.where(np.isnan(turns), 0.0, games)


def _place(chunk: Chunk, column: Column, k: int) -> str:
    """Return the place of a cell for messages, such as `row 3: column 'Winner'`."""
    return f"row {chunk.rows[k]}: column {column.title!r}"


def _hashes(column: Column) -> Counts:
    """Return a hash of the text of each cell, equal for equal texts within this process."""
    return np.array([hash(text) for text in column.texts], dtype=np.int64)[column.codes]


def _row_hashes(chunk: Chunk) -> Counts:
    """Return a hash of all cells of each row, shape [R]."""
    whole = np.zeros(len(chunk.rows), dtype=np.int64)
    for column in chunk.columns:
        whole = whole * _FACTOR + _hashes(column)
    return whole
