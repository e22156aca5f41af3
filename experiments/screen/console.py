"""Output while a command runs and after it: tables, sentences, progress bars."""

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

# A stage that has played more games than expected is expected to end at this multiple of them.
# Chosen by hand: the bar then neither reaches its end too early nor jumps.
_MORE = 1.25


class GamesBar:
    """The progress bar of a job in stages, with estimates for the games of stages to come."""

    def __init__(self, progress: Progress, what: str, stages: Mapping[str, int]) -> None:
        """Add a bar to a display.

        Args:
            progress: the display.
            what: name of the job.
            stages: expected number of games of each stage, in their order.
        """
        self._progress = progress
        self._what = what
        self._coming = dict(stages)
        self._before = 0
        self._here = 0
        self._expected = 0
        self._id = progress.add_task(what, total=sum(stages.values()), figure="")
        self._task = progress.tasks[-1]

    @property
    def amount(self) -> tuple[int, int]:
        """The number of games played so far, and the expected number in all."""
        here = max(self._expected, round(_MORE * self._here))
        return self._before + self._here, self._before + here + sum(self._coming.values())

    def begin(self, stage: str) -> None:
        """Begin a stage; the stages before it are over, whatever number of games they took.

        Args:
            stage: name of the stage; an unknown name is shown, too, without expected games.
        """
        self._before = self._before + self._here
        self._here = 0
        self._expected = 0
        if stage in self._coming:
            names = [*self._coming]
            self._expected = self._coming[stage]
            for name in names[: names.index(stage) + 1]:
                del self._coming[name]
        name = self._what if stage == self._what else f"{self._what}: {stage}"
        self._progress.update(self._id, description=name, figure="")
        self.played(0)

    def played(self, n_games: int) -> None:
        """Add games to those that have been played."""
        self._here += n_games
        completed, total = self.amount
        self._task.total = total  # with a new total, `update` would reset the measured speed
        self._progress.update(self._id, completed=completed)

    def say(self, figure: str) -> None:
        """Show the figure that matters most, next to the bar."""
        self._progress.update(self._id, figure=figure)


Advance = Callable[[int, str], None]
"""Sets a progress bar to a number of finished units of work, and shows a figure next to it."""


class Table(NamedTuple):
    """A table for the screen; the first column is text, the others are numbers.

    Attributes:
        title: line above the table.
        header: titles of the columns.
        rows: cells of each row.
    """

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]


Shown = Table | str
"""A part of the output: a table, or a line."""

_ENDLESS = 10_000  # letters: a width that no table reaches, to measure the width it would take
_LABEL_MAX = 24  # letters that a first column keeps on narrow screens: most names of two decks fit
_GAP = 2  # letters between two columns
_LABEL_LINES = 2  # lines of such a label: `Lantern Fest vs` above `Wok Rush` reads as one name


class _Thousands(ProgressColumn):
    """A column of a progress bar with the games played and expected: `1,204k/2,116k games`."""

    def render(self, task: Task) -> Text:
        """Return the text of the column."""
        return Text(f"{task.completed / 1000:,.0f}k/{(task.total or 0) / 1000:,.0f}k games")


def _rich_table(
    title: str,
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    columns: Sequence[int],
    label_width: int | None = None,
) -> RichTable:
    """Return a table of the first column and some others; numbers are never cut.

    Args:
        title: line above the table.
        header: titles of all columns.
        rows: cells of all columns.
        columns: positions of the other columns to include.
        label_width: width of the first column, with all other columns as narrow as their words; by
            default all columns share the available width.
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
    """Return the least width of a column of numbers: its longest number, or word of its title."""
    cells = (*header[position].split(), *(row[position] for row in rows))
    return max(map(cell_len, cells))


def least_label_width(labels: Sequence[str]) -> int:
    """Return the least width of a first column.

    All words fit into it, and few labels take more than two lines.
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
    """Return columns in groups, each with as many as fit next to the labels, but at least one.

    Args:
        widths: width of each column.
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
    """The output of a command: tables and sentences on standard output, progress on standard error.

    With `json`, tables and sentences are left out, since standard output is for the summary.
    """

    def __init__(self, *, json: bool) -> None:
        # Names are written by users: `[red]` and `:fire:` are text, not markup.
        self._output = Console(highlight=False, markup=False, emoji=False, quiet=json)
        self._errors = Console(stderr=True, highlight=False, markup=False, emoji=False)

    def say(self, text: str = "") -> None:
        """Print a line on standard output."""
        self._output.print(text, soft_wrap=True)

    def note(self, text: str) -> None:
        """Print a line about the work itself, on standard error."""
        self._errors.print(text, style="dim", soft_wrap=True)

    def stage(self, text: str) -> None:
        """Print what a long command is doing, but only if a person watches; nothing in a pipe."""
        if self.is_watched:
            self.note(text)

    def show(self, *parts: Shown) -> None:
        """Print tables and lines."""
        for part in parts:
            if isinstance(part, str):
                self.say(part)
            else:
                self.table(*part)

    def table(self, title: str, header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
        """Print a table.

        In a terminal that is too narrow for all numbers, the columns that do not fit follow in
        further tables, each with the first column. Elsewhere, as in a pipe, lines are longer than
        the screen. No number is ever left out.
        """
        rows = list(rows)
        everything = range(1, len(header))
        table = _rich_table(title, header, rows, everything)
        endless = self._output.options.update(width=_ENDLESS)
        wanted = measure_renderables(self._output, endless, [table])
        screen = self._output.width
        if not self._output.is_terminal or wanted.maximum <= screen:
            self._output.print(table, width=max(screen, wanted.minimum), crop=False)
            return
        widths = [_least_width(header, rows, position) for position in everything]
        label = least_label_width([row[0] for row in rows])
        for number, columns in enumerate(columns_that_fit(widths, screen - label)):
            # Positions in the whole table, in which column 0 is the label.
            group = [1 + column for column in columns]
            numbers = sum(widths[column] + _GAP for column in columns)
            longest = max((cell_len(row[0]) for row in rows), default=0)
            room = max(label, min(screen - numbers, longest))
            part = _rich_table("" if number else title, header, rows, group, room)
            self._output.print(part, width=max(screen, room + numbers), crop=False)

    @contextmanager
    def progress(self, what: str, total: int) -> Iterator[Advance]:
        """Show a progress bar on standard error while the block runs.

        Args:
            what: name of the work.
            total: number of units of work.
        """
        with self.side_by_side([what], total) as (advance,):
            yield advance

    @property
    def is_watched(self) -> bool:
        """Whether a person sees progress bars: standard error is a terminal."""
        return self._errors.is_terminal

    @contextmanager
    def games(self, what: str, stages: Mapping[str, int]) -> Iterator[GamesBar]:
        """Show a bar of games while the block runs.

        Args:
            what: name of the job.
            stages: expected number of games of each stage, in their order.
        """
        with self._bars(_Thousands()) as progress:
            yield GamesBar(progress, what, stages)

    @contextmanager
    def side_by_side(self, tasks: Sequence[str], total: int) -> Iterator[Sequence[Advance]]:
        """Show a progress bar for each of several tasks of equal length, also from threads.

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
        """Return a display of progress bars.

        Args:
            amount: the column with the amount of work that is done.
        """
        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            amount,
            TimeRemainingColumn(table_column=Column(min_width=len("0:00:00"))),
            TextColumn("{task.fields[figure]}", markup=False),
        )
        # In a pipe or a file, a bar would only leave empty lines.
        return Progress(*columns, console=self._errors, transient=True, disable=not self.is_watched)
