"""Reading of tables of results: `read_results` returns the counts of a file, patch by patch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from balance.observed.observed_matchups import ObservedMatchups
from balance.statistics.intervals import Counts
from experiments.observed.checked_rows import (
    counted_once,
    n_repeats,
    without_repeated_games,
    without_repeated_rows,
)
from experiments.observed.columns import find_columns
from experiments.observed.counts import counts_by_group, counts_of_rows
from experiments.observed.group_order import bracket_order, patch_order
from experiments.observed.results_rows import GRID, ResultsRows, joined
from experiments.observed.results_table import CHUNK, ResultsTable
from experiments.observed.results_warning import ResultsWarning
from experiments.observed.row_reader import RowReader
from experiments.observed.spellings import SpeltNames, merge_spellings, similar_names
from experiments.observed.table_file import open_table
from experiments.observed.texts import RateForm
from sim.arguments import AtLeastOne, checked
from sim.errors import InputError, error_place
from sim.files.limits import too_many_error
from sim.short_repr import short_repr

PLAYERS_MAX = 400
"""Maximum number of players: their 80,000 pairs take a minute, and no one reads more."""
_KEYS = {"patch": 3, "bracket": 4}  # columns of the keys of rows


@dataclass(frozen=True)
class ObservedResults:
    """Results of the games in a file. All counts have the same players, in the same order.

    Attributes:
        path: path of the file.
        columns: titles of the columns that were used, by meaning.
        matchups: counts of all games.
        by_patch: counts by patch, in the order of time; empty without a column of patches.
        by_bracket: counts by bracket, from the lowest; empty without a column of brackets.
        days: first and last day of the games; `None` without dates such as 2026-11-27.
        n_rows: number of rows with results.
        assumed_games: number of games that was assumed behind each rate; `None` if the file has it.
        warnings: rows and names that may be wrong.
    """

    path: Path
    columns: Mapping[str, str]
    matchups: ObservedMatchups
    by_patch: Mapping[str, ObservedMatchups]
    by_bracket: Mapping[str, ObservedMatchups]
    days: tuple[str, str] | None
    n_rows: int
    assumed_games: int | None
    warnings: tuple[ResultsWarning, ...]

    def __repr__(self) -> str:
        return short_repr(self, "n_rows", file=self.path.name, players=self.matchups.n_players)


@checked(n_games=AtLeastOne | None, chunk=AtLeastOne)
def read_results(
    path: Path | str,
    columns: Mapping[str, str] | None = None,
    *,
    n_games: int | None = None,
    chunk: int = CHUNK,
) -> ObservedResults:
    """Read the results of games from a CSV file or a workbook.

    The file has one row per game, or one row per pair with sums (docs/observed_results.md).

    Args:
        path: path of the file.
        columns: titles of columns by meaning, such as `{"player_a": "Deck"}`; other columns are
            found by their titles.
        n_games: number of games behind each rate of a file without a column of games.
        chunk: number of rows read at a time, which does not affect the result.

    Raises:
        InputError: the file cannot be read, lacks a column, or has an invalid cell; the place names
            file, row and column.
    """
    path = Path(path)
    table = open_table(path)
    with error_place(path):
        found = find_columns(table.titles, columns)
        _check_games(found, table, n_games)
        reader = RowReader(found, n_games)
        rates = next((role for role in ("win_rate", "low") if role in found), None)
        if rates is not None:
            reader.rate_form = RateForm.of_title(table.titles[found[rates]])
        rows, repeated = _read_rows(reader, table, chunk)
        players = merge_spellings(reader.players.n_cells)
        _check_players(players)
        rows = _with_players(reader, rows, players)
        rows, warnings = _checked(reader, rows, players.names)
        matchups = counts_of_rows(rows, players.names)
        if not matchups.pairs:
            raise InputError(
                "all games are of a player against itself",
                value=players.names,
                remedy="add games of two different players",
            )
    groups = {
        role: counts_by_group(rows, players.names, _KEYS[role], sorted(texts.texts))
        for role, texts in (("patch", reader.patches), ("bracket", reader.brackets))
        if role in found
    }
    patches = groups.get("patch", {})
    brackets = groups.get("bracket", {})
    days = {reader.patches.texts[k]: span for k, span in reader.days.items() if patches}
    spans = reader.days.values()
    return ObservedResults(
        path=path,
        columns={role: table.titles[place] for role, place in found.items()},
        matchups=matchups,
        by_patch={patch: patches[patch] for patch in patch_order([*patches], days)},
        by_bracket={bracket: brackets[bracket] for bracket in bracket_order([*brackets])},
        days=(min(first for first, _ in spans), max(last for _, last in spans)) if spans else None,
        n_rows=reader.n_rows,
        assumed_games=n_games,
        warnings=(*_warnings_on_names(reader, players), *warnings, *repeated),
    )


def _check_games(found: Mapping[str, int], table: ResultsTable, n_games: int | None) -> None:
    """Check that a number of games is given only for a table of rates without a column of games.

    Raises:
        InputError: the table has games of its own.
    """
    if n_games is None:
        return
    role = next((role for role in ("winner", "wins", "games") if role in found), None)
    if role is not None:
        raise InputError(
            f"the column {table.titles[found[role]]!r} has the games of its own",
            place="--games",
            value=n_games,
            remedy="leave the option out",
            is_complete=True,
        )


def _read_rows(
    reader: RowReader, table: ResultsTable, chunk: int
) -> tuple[ResultsRows, list[ResultsWarning]]:
    """Return the rows of a table with results, and a warning if single games are repeated.

    Raises:
        InputError: a cell is invalid, or no row has a result.
    """
    parts = list[ResultsRows]()
    hashes = list[Counts]()
    filled = (part for part in table.chunks(chunk) if part.rows.size)
    for rows in map(reader.read, filled):
        if reader.compares_rows:
            parts.append(rows)
        else:
            # Without times, equal rows of different games are usual.
            hashes += [rows.whole] if reader.has_times else []
            parts.append(rows.summed())
    if not reader.n_rows:
        raise InputError("no row has a result", remedy="add a row for each game or pair")
    n_repeated = n_repeats(hashes)
    warnings = [ResultsWarning("same row", (), n_repeated)] if n_repeated else []
    return joined(parts), warnings


def _check_players(players: SpeltNames) -> None:
    """Check the number of players.

    Raises:
        InputError: there are fewer than two players, or more than `PLAYERS_MAX`.
    """
    n_players = len(players.names)
    if n_players < 2:
        raise InputError(
            f"the only player is {players.names[0]!r}",
            value=players.names[0],
            limit=2,
            remedy="add games against other players",
        )
    if n_players > PLAYERS_MAX:
        raise too_many_error(n_players, "players", PLAYERS_MAX).with_fields(
            remedy="choose the columns of decks by --columns player_a=TITLE,player_b=TITLE"
        )


def _with_players(reader: RowReader, rows: ResultsRows, players: SpeltNames) -> ResultsRows:
    """Return rows with final points, and with numbers that do not depend on the order of rows.

    These are the numbers of players instead of spellings, and positions in the sorted patches,
    brackets and dates.

    Raises:
        InputError: the form of the rates is not clear.
    """
    of_spellings = np.array([players.player_of[text] for text in reader.players.texts])
    keys = rows.keys.copy()
    keys[:, :2] = of_spellings[keys[:, :2]]
    for k, texts in enumerate((reader.patches, reader.brackets, reader.dates), start=3):
        if texts.number_of:
            keys[:, k] = texts.ranks[keys[:, k]]
    factor = reader.rate_form.factor()
    # Of a column with 1 and 0, 0 is a loss; of one with 1, 2 and 0, or 1, 0 and -1, it is a draw.
    draws = rows.draws + (rows.zeros if reader.has_two else 0)
    points = rows.points * factor + (draws - rows.draws) / 2
    return rows._replace(
        keys=keys,
        draws=draws,
        points=np.rint(points * GRID) / GRID,
        slack=rows.slack * factor,
    )


def _checked(
    reader: RowReader, rows: ResultsRows, names: Sequence[str]
) -> tuple[ResultsRows, list[ResultsWarning]]:
    """Return the rows in which each game is counted once, player a before b, and warnings."""
    warnings = list[ResultsWarning]()
    if reader.n_blank:
        warnings.append(ResultsWarning("no result", (), reader.n_blank))
    if reader.is_by_game:
        rows = rows.turned(rows.keys[:, 0] > rows.keys[:, 1])
        if "game" in reader.columns:
            rows, found = without_repeated_games(rows)
            warnings += found
        return rows.summed(), warnings
    rows, found = without_repeated_rows(rows)
    warnings += found
    rows, found = counted_once(rows, names)
    return rows, [*warnings, *found]


def _warnings_on_names(reader: RowReader, players: SpeltNames) -> list[ResultsWarning]:
    """Return warnings on several spellings of one player, and on similar names."""
    n_cells = reader.players.n_cells
    of_player = dict.fromkeys(players.names, 0)
    for text, n in n_cells.items():
        of_player[players.names[players.player_of[text]]] += n
    merged = [
        ResultsWarning("spellings", spellings, sum(n_cells[text] for text in spellings[1:]))
        for spellings in players.merged
    ]
    similar = [
        ResultsWarning("similar", pair, min(of_player[name] for name in pair))
        for pair in similar_names(players.names)
    ]
    return [*merged, *similar]
