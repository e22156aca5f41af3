"""Cells: the runs of a grid, each kept as it ends, so that a grid that was stopped goes on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import NoneType
from typing import Any, Protocol, TypeVar, get_args, get_type_hints

from experiments.runs.json_file import read_object
from experiments.runs.run import Run
from sim.errors import InputError
from sim.play.workers.current import current_workers
from sim.play.workers.seam import Job

CELLS = "cells"  # folder of finished runs, one file each


class Cell(Protocol):
    """What tells a run of a grid from all others: a `NamedTuple` of fields that its row has too."""

    @property
    def name(self) -> str:
        """Of its file, and for people."""

    def _asdict(self) -> dict[str, Any]: ...


class CellRow(Protocol):
    """The row that a cell comes to: a `NamedTuple`."""

    @property
    def certified(self) -> bool:
        """Whether its patch is."""

    def _asdict(self) -> dict[str, Any]: ...


CellT = TypeVar("CellT", bound=Cell)
RowT = TypeVar("RowT", bound=CellRow)


def rows_of_cells(
    run: Run,
    what: str,
    cells: Sequence[CellT],
    row_type: type[RowT],
    job: Job[CellT, RowT],
) -> list[RowT]:
    """The rows of all cells, of an earlier run where it is to be continued and has them.

    Workers elsewhere take a cell each; here cells come one after the other, as the games of each
    have all threads.

    Args:
        run: whose folder keeps them.
        what: the progress bar's name.
        cells: what to run.
        row_type: what one comes to.
        job: runs a cell.

    Raises:
        InputError: the file of a cell is damaged, or of another run.
    """
    folder = run.folder.path / CELLS
    folder.mkdir(exist_ok=True)
    rows = dict[CellT, RowT]()
    if run.resume:
        files = {cell: folder / f"{cell.name}.json" for cell in cells}
        rows = {
            cell: _kept(path, row_type, cell._asdict())
            for cell, path in files.items()
            if path.exists()
        }
    missing = [cell for cell in cells if cell not in rows]
    workers = current_workers()
    done: Iterable[tuple[CellT, RowT]] = ((cell, job.do(cell)) for cell in missing)
    if workers.are_elsewhere and len(missing) > 1:
        done = workers.map(job, missing)
    with run.screen.progress(what, len(cells)) as advance:
        advance(len(rows), "")
        for cell, row in done:
            run.folder.write_json(f"{CELLS}/{cell.name}.json", row._asdict())
            rows[cell] = row
            n_certified = sum(row.certified for row in rows.values())
            advance(len(rows), f"{n_certified} certified; {cell.name}")
    return [rows[cell] for cell in cells]


def kept_cells(folder: Path, row_type: type[RowT]) -> Iterator[RowT]:
    """All rows that are kept in a run folder, by the names of their cells.

    Raises:
        InputError: the file of a cell is damaged.
    """
    return (_kept(path, row_type, {}) for path in sorted((folder / CELLS).glob("*.json")))


def _kept(path: Path, row_type: type[RowT], asked: dict[str, Any]) -> RowT:
    """The row of a cell that was finished earlier."""
    try:
        kept = read_object(path)
    except InputError as error:
        raise InputError(f"{error}; delete it or run without --resume") from None
    hints = get_type_hints(row_type)
    if missing := hints.keys() - kept.keys():
        problem = f"no {', '.join(sorted(missing))}"
    elif changed := [
        f"{name} {kept[name]} -> {value}" for name, value in asked.items() if kept[name] != value
    ]:
        problem = f"it is of another run: {', '.join(changed)}"
    elif strange := [name for name in hints if not _fits(kept[name], hints[name])]:
        problem = f"{strange[0]} is {kept[strange[0]]!r}"
    else:
        return row_type(**{name: kept[name] for name in hints})
    raise InputError(
        f"{path}: damaged, or of other settings ({problem}); delete it or run without --resume"
    )


def _fits(value: Any, hint: Any) -> bool:
    """Whether a value is of a column; whole numbers are numbers too, and truth values are none."""
    kinds = get_args(hint) or (hint,)
    wanted = {*kinds, *([int] if float in kinds else [])}
    return type(value) in wanted or (value is None and NoneType in wanted)
