"""Console output of commands: tables, lines and progress bars."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from textwrap import wrap
from typing import NamedTuple

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console
from rich.measure import measure_renderables
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Column
from rich.table import Table as RichTable
from rich.text import Text

# Ratio of the estimated total games of a stage to its games so far. It applies once this estimate
# exceeds the expected games. Chosen by hand, not tuned: the bar then neither ends early nor jumps.
_MORE = 1.25


class GamesBar:
    """Progress bar of a job in stages, which includes the expected games of later stages."""

    def __init__(self, progress: Progress, what: str, stages: Mapping[str, int]) -> None:
        """Add the bar to a display.

        Args:
            progress: display to which the bar is added.
            what: name of the job.
            stages: expected number of games of each stage, in the order of the stages.
        """
        self._progress = progress
        self._what = what
        self._later_stages = dict(stages)
        self._n_earlier = 0
        self._n_current = 0
        self._n_expected = 0
        self._id = progress.add_task(what, total=sum(stages.values()), figure="")
        self._task = progress.tasks[-1]

    @property
    def amount(self) -> tuple[int, int]:
        """Number of games played so far, and the expected total number of games."""
        current = max(self._n_expected, round(_MORE * self._n_current))
        return self._n_earlier + self._n_current, self._n_earlier + current + sum(
            self._later_stages.values()
        )

    def begin(self, stage: str) -> None:
        """Begin a stage, and count all earlier stages as finished.

        Args:
            stage: name of the stage; a stage that is not expected is also shown.
        """
        self._n_earlier = self._n_earlier + self._n_current
        self._n_current = 0
        self._n_expected = 0
        if stage in self._later_stages:
            names = [*self._later_stages]
            self._n_expected = self._later_stages[stage]
            for name in names[: names.index(stage) + 1]:
                del self._later_stages[name]
        name = self._what if stage == self._what else f"{self._what}: {stage}"
        self._progress.update(self._id, description=name, figure="")
        self.played(0)

    def played(self, n_games: int) -> None:
        """Advance the bar by a number of games that were played in the current stage."""
        self._n_current += n_games
        completed, total = self.amount
        self._task.total = total  # passed to `update`, a new total would reset the measured speed
        self._progress.update(self._id, completed=completed)

    def say(self, figure: str) -> None:
        """Show a text, such as the best result so far, next to the bar."""
        self._progress.update(self._id, figure=figure)


Advance = Callable[[int, str], None]
"""Function that sets a progress bar to a number of finished units and shows a text next to it."""


class Table(NamedTuple):
    """Table for the screen, with text in the first column and numbers in the other columns.

    Attributes:
        title: line above the table; may be empty.
        header: title of each column.
        rows: cells of each row, one for each column.
    """

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]


Shown = Table | str
"""Part of the output: a table or a line."""

_ENDLESS = 10_000  # characters; wider than any table, to measure the width that a table needs
_LABEL_MAX = 24  # characters of a first column on narrow screens; most names of two decks fit
_GAP = 2  # characters between two columns
_LABEL_LINES = 2  # lines of a label: `Lantern Fest vs` above `Wok Rush` reads as one name


class _Thousands(ProgressColumn):
    """Column of a progress bar with the played and the expected games: `1,204k/2,116k games`."""

    def render(self, task: Task) -> Text:
        """Return the played and the expected games of a task in thousands."""
        return Text(f"{task.completed / 1000:,.0f}k/{(task.total or 0) / 1000:,.0f}k games")


def _rich_table(
    title: str,
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    columns: Sequence[int],
    label_width: int | None = None,
) -> RichTable:
    """Return a table of the first column and selected other columns; numbers are never cut.

    Args:
        title: line above the table.
        header: title of each column.
        rows: cells of each row, one for each column.
        columns: positions of the other columns to include, from 1.
        label_width: width of the first column in characters; the other columns then get their
            minimum width. `None` to share the available width among all columns.
    """
    table = RichTable(
        title=title or None,
        title_justify="left",
        title_style="bold",
        box=SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        collapse_padding=True,
    )
    least = least_label_width([row[0] for row in rows])
    table.add_column(header[0], overflow="fold", min_width=least, width=label_width)
    for position in columns:
        width = _least_width(header, rows, position)
        fixed = None if label_width is None else width
        table.add_column(header[position], justify="right", min_width=width, width=fixed)
    for row in rows:
        table.add_row(row[0], *(row[position] for position in columns))
    return table


def _least_width(header: Sequence[str], rows: Sequence[Sequence[str]], position: int) -> int:
    """Return the minimum width of a column: the longest number, or word of the title."""
    cells = (*header[position].split(), *(row[position] for row in rows))
    return max(map(cell_len, cells))


def least_label_width(labels: Sequence[str]) -> int:
    """Return the minimum width of a first column in characters, at most `_LABEL_MAX`.

    With this width, all words fit, and no label takes more than `_LABEL_LINES` lines, unless the
    maximum is too narrow for that.
    """
    words = [word for label in labels for word in label.split()]
    longest = min(max(map(len, words), default=0), _LABEL_MAX)
    fits = (
        width
        for width in range(longest, _LABEL_MAX)
        if all(len(wrap(label, width or 1)) <= _LABEL_LINES for label in labels)
    )
    return next(fits, _LABEL_MAX if words else 0)


def columns_that_fit(widths: Sequence[int], room: int) -> list[list[int]]:
    """Group columns into tables, each with as many columns as fit, but at least one.

    Args:
        widths: width of each column in characters.
        room: width for the columns of a group and the gaps before them.
    """
    groups = list[list[int]]()
    free = 0
    for column, width in enumerate(widths):
        if not groups or width + _GAP > free:
            groups.append([])
            free = room
        groups[-1].append(column)
        free -= width + _GAP
    return groups


class Screen:
    """Output of a command: tables and lines on standard output, progress on standard error.

    If `json` is set, tables and lines are omitted, because standard output is for the summary.
    """

    def __init__(self, *, json: bool) -> None:
        # Users choose the names: `[red]` and `:fire:` are text, not markup.
        self._output = Console(highlight=False, markup=False, emoji=False, quiet=json)
        self._errors = Console(stderr=True, highlight=False, markup=False, emoji=False)

    def say(self, text: str = "") -> None:
        """Print a line on standard output."""
        self._output.print(text, soft_wrap=True)

    def note(self, text: str) -> None:
        """Print a dimmed line about the progress of the work on standard error."""
        self._errors.print(text, style="dim", soft_wrap=True)

    def stage(self, text: str) -> None:
        """Print the current stage of a command, but only if the screen is watched."""
        if self.is_watched:
            self.note(text)

    def show(self, *parts: Shown) -> None:
        """Print tables and lines on standard output, in the given order."""
        for part in parts:
            if isinstance(part, str):
                self.say(part)
            else:
                self.table(*part)

    def table(self, title: str, header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
        """Print a table on standard output without leaving out any number.

        In a terminal that is too narrow, the columns that do not fit follow in further tables, each
        with the first column. If the output is not a terminal, lines may be longer than its width.
        """
        rows = list(rows)
        other_columns = range(1, len(header))
        table = _rich_table(title, header, rows, other_columns)
        endless = self._output.options.update(width=_ENDLESS)
        wanted = measure_renderables(self._output, endless, [table])
        screen = self._output.width
        if not self._output.is_terminal or wanted.maximum <= screen:
            self._output.print(table, width=max(screen, wanted.minimum), crop=False)
            return
        widths = [_least_width(header, rows, position) for position in other_columns]
        label = least_label_width([row[0] for row in rows])
        for number, columns in enumerate(columns_that_fit(widths, screen - label)):
            # Positions in the whole table, where column 0 is the label.
            group = [1 + column for column in columns]
            numbers = sum(widths[column] + _GAP for column in columns)
            longest = max((cell_len(row[0]) for row in rows), default=0)
            room = max(label, min(screen - numbers, longest))
            part = _rich_table("" if number else title, header, rows, group, room)
            self._output.print(part, width=max(screen, room + numbers), crop=False)

    @contextmanager
    def progress(self, what: str, total: int) -> Iterator[Advance]:
        """Show a progress bar on standard error while the block runs; yield its `Advance`.

        Args:
            what: name of the work.
            total: number of units of work.
        """
        with self.side_by_side([what], total) as (advance,):
            yield advance

    @property
    def is_watched(self) -> bool:
        """Whether standard error is a terminal, so that progress bars are visible."""
        return self._errors.is_terminal

    @contextmanager
    def games(self, what: str, stages: Mapping[str, int]) -> Iterator[GamesBar]:
        """Show a progress bar of games on standard error while the block runs.

        Args:
            what: name of the job.
            stages: expected number of games of each stage, in the order of the stages.
        """
        with self._bars(_Thousands()) as progress:
            yield GamesBar(progress, what, stages)

    @contextmanager
    def side_by_side(self, tasks: Sequence[str], total: int) -> Iterator[Sequence[Advance]]:
        """Show a progress bar for each of several tasks; yield the tasks' `Advance` functions.

        The functions may be called from other threads.

        Args:
            tasks: names of the tasks.
            total: number of units of work of each task.
        """
        with self._bars(MofNCompleteColumn()) as progress:

            def bar(what: str) -> Advance:
                task = progress.add_task(what, total=total, figure="")

                def advance(done: int, figure: str) -> None:
                    progress.update(task, completed=done, figure=figure)

                return advance

            yield [bar(what) for what in tasks]

    def _bars(self, amount: ProgressColumn) -> Progress:
        """Return a display of progress bars on standard error, disabled if no one watches it.

        Args:
            amount: column with the finished amount of work.
        """
        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            amount,
            TimeRemainingColumn(table_column=Column(min_width=len("0:00:00"))),
            TextColumn("{task.fields[figure]}", markup=False),
        )
        # In a pipe or a file, a bar would only add empty lines.
        return Progress(*columns, console=self._errors, transient=True, disable=not self.is_watched)
