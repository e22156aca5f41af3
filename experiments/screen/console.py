"""What a person sees while and after a command runs: tables, sentences, progress bars."""

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

_MORE = 1.25  # times the games that a stage has played it may take, if that is more than thought


class GamesBar:
    """The bar of a job in stages, whose games are guessed until each has been played."""

    def __init__(self, progress: Progress, what: str, stages: Mapping[str, int]) -> None:
        """A bar called `what`, of stages in their order with the games that each may take."""
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
        """Games played, and games that there may be in all."""
        here = max(self._expected, round(_MORE * self._here))
        return self._before + self._here, self._before + here + sum(self._coming.values())

    def begin(self, stage: str) -> None:
        """The next stage begins; those before it are over, whatever they were thought to take."""
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
        """So many more games have been played."""
        self._here += n_games
        completed, total = self.amount
        self._task.total = total  # by `update` the bar would forget how fast it went
        self._progress.update(self._id, completed=completed)

    def say(self, figure: str) -> None:
        """Show the figure that matters."""
        self._progress.update(self._id, figure=figure)


Advance = Callable[[int, str], None]
"""Tells a progress bar how many units of work are done, and the figure that matters."""


class Table(NamedTuple):
    """A table for people; the first column is text, the others are numbers."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]


Shown = Table | str
"""What people read: a table, or a line."""

_ENDLESS = 10_000  # letters
_LABEL_MAX = 24  # letters of a first column that do not give way on narrow screens
_GAP = 2  # letters between two columns
_LABEL_LINES = 2  # of a label there: `Lantern Fest vs` above `Wok Rush` reads as one name


class _Thousands(ProgressColumn):
    """Games played and expected: `1,204k/2,116k games`."""

    def render(self, task: Task) -> Text:
        return Text(f"{task.completed / 1000:,.0f}k/{(task.total or 0) / 1000:,.0f}k games")


def _rich_table(
    title: str,
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    columns: Sequence[int],
    label_width: int | None = None,
) -> RichTable:
    """A table of the first column and some others; their numbers are never cut.

    Args:
        title: above it.
        header: of all columns.
        rows: their cells.
        columns: which others.
        label_width: of the first column, which makes the others as narrow as their words; by
            default all are as wide as there is room.
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
    """Of a column of numbers: its longest number, or a word of its header."""
    cells = (*header[position].split(), *(row[position] for row in rows))
    return max(map(cell_len, cells))


def least_label_width(labels: Sequence[str]) -> int:
    """The least width of a first column: of its words, and so that few labels take three lines."""
    words = [word for label in labels for word in label.split()]
    longest = min(max(map(len, words), default=0), _LABEL_MAX)
    fits = (
        width
        for width in range(longest, _LABEL_MAX)
        if all(len(wrap(label, width or 1)) <= _LABEL_LINES for label in labels)
    )
    return next(fits, _LABEL_MAX if words else 0)


def columns_that_fit(widths: Sequence[int], room: int) -> list[list[int]]:
    """Columns in groups, each as many as fit beside the labels, at least one.

    Args:
        widths: of the columns.
        room: for the columns of a group, and the gaps before them.
    """
    groups = list[list[int]]()
    left = 0
    for column, width in enumerate(widths):
        if not groups or width + _GAP > left:
            groups.append([])
            left = room
        groups[-1].append(column)
        left -= width + _GAP
    return groups


class Screen:
    """Where a command writes: tables and sentences on standard output, progress beside it.

    With `json` tables and sentences are left out: standard output belongs to the summary.
    """

    def __init__(self, *, json: bool) -> None:
        # Names are the users' own: `[red]` and `:fire:` are text, not markup.
        self._people = Console(highlight=False, markup=False, emoji=False, quiet=json)
        self._errors = Console(stderr=True, highlight=False, markup=False, emoji=False)

    def say(self, text: str = "") -> None:
        """Print a line for people."""
        self._people.print(text, soft_wrap=True)

    def note(self, text: str) -> None:
        """Print a line about the work itself, on standard error."""
        self._errors.print(text, style="dim", soft_wrap=True)

    def stage(self, text: str) -> None:
        """Note what a long command is doing, for somebody who watches; in a pipe say nothing."""
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

        Where a terminal is too narrow for the numbers, the columns that do not fit follow in
        further tables, each with the first column. Elsewhere, as in a pipe, lines are longer than
        the screen. No number is left out.
        """
        rows = list(rows)
        everything = range(1, len(header))
        table = _rich_table(title, header, rows, everything)
        endless = self._people.options.update(width=_ENDLESS)
        wanted = measure_renderables(self._people, endless, [table])
        screen = self._people.width
        if not self._people.is_terminal or wanted.maximum <= screen:
            self._people.print(table, width=max(screen, wanted.minimum), crop=False)
            return
        widths = [_least_width(header, rows, position) for position in everything]
        label = least_label_width([row[0] for row in rows])
        for number, columns in enumerate(columns_that_fit(widths, screen - label)):
            group = [1 + column for column in columns]
            numbers = sum(widths[column] + _GAP for column in columns)
            longest = max((cell_len(row[0]) for row in rows), default=0)
            room = max(label, min(screen - numbers, longest))
            part = _rich_table("" if number else title, header, rows, group, room)
            self._people.print(part, width=max(screen, room + numbers), crop=False)

    @contextmanager
    def progress(self, what: str, total: int) -> Iterator[Advance]:
        """A progress bar on standard error while the block runs."""
        with self.side_by_side([what], total) as (advance,):
            yield advance

    @property
    def is_watched(self) -> bool:
        """Whether somebody sees progress bars."""
        return self._errors.is_terminal

    @contextmanager
    def games(self, what: str, stages: Mapping[str, int]) -> Iterator[GamesBar]:
        """A bar of games while the block runs, of stages that may take so many each."""
        with self._bars(_Thousands()) as progress:
            yield GamesBar(progress, what, stages)

    @contextmanager
    def side_by_side(self, tasks: Sequence[str], total: int) -> Iterator[Sequence[Advance]]:
        """A progress bar for each of several tasks of equal length; threads may report."""
        with self._bars(MofNCompleteColumn()) as progress:

            def bar(what: str) -> Advance:
                task = progress.add_task(what, total=total, figure="")

                def advance(done: int, figure: str) -> None:
                    progress.update(task, completed=done, figure=figure)

                return advance

            yield [bar(what) for what in tasks]

    def _bars(self, amount: ProgressColumn) -> Progress:
        """What shows bars, of which a column tells how much is done."""
        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            amount,
            TimeRemainingColumn(table_column=Column(min_width=len("0:00:00"))),
            TextColumn("{task.fields[figure]}", markup=False),
        )
        # Where nobody watches, a bar would only leave empty lines.
        return Progress(*columns, console=self._errors, transient=True, disable=not self.is_watched)
