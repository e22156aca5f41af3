"""Cells of a grid: its single runs, with results that are stored when each run ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import NoneType
from typing import Any, Protocol, TypeVar, get_args, get_type_hints

from experiments.runs.json_file import UNFIT, read_object
from experiments.runs.run import RunOf
from sim.errors import InputError
from sim.play.workers.current import current_workers
from sim.play.workers.seam import Job

CELLS = "cells"  # folder of finished runs, one file each
_REMEDY = "delete the file, or run without --resume"


class Cell(Protocol):
    """Interface of a `NamedTuple` that identifies a run in a grid by fields of the run's row."""

    @property
    def name(self) -> str:
        """Name of the cell, shown to users and used for its file."""

    def _asdict(self) -> dict[str, Any]: ...


class CellRow(Protocol):
    """Interface of the result of a cell: a `NamedTuple`."""

    @property
    def certified(self) -> bool:
        """Whether the run's patch is certified."""

    def _asdict(self) -> dict[str, Any]: ...


CellT = TypeVar("CellT", bound=Cell)
RowT = TypeVar("RowT", bound=CellRow)


def rows_of_cells(
    run: RunOf[Any],
    what: str,
    cells: Sequence[CellT],
    row_type: type[RowT],
    job: Job[CellT, RowT],
) -> list[RowT]:
    """Run the cells of a grid, and return their rows in the same order.

    A continued run reads the rows of cells that it has finished before. Remote workers run one cell
    each. Local cells run one after the other, because the games of a cell use all threads.

    Args:
        run: run of the grid, with the folder in which rows are stored.
        what: name of the progress bar.
        cells: cells to run.
        row_type: type of the rows.
        job: job that runs a cell.

    Raises:
        InputError: the file of a cell is damaged, or belongs to a run with other settings.
    """
    folder = run.folder.path / CELLS
    folder.mkdir(exist_ok=True)
    rows = dict[CellT, RowT]()
    if run.resume:
        files = {cell: folder / f"{cell.name}.json" for cell in cells}
        rows = {
            cell: _read_row(path, row_type, cell._asdict())
            for cell, path in files.items()
            if path.exists()
        }
    missing = [cell for cell in cells if cell not in rows]
    workers = current_workers()
    done: Iterable[tuple[CellT, RowT]] = ((cell, job.do(cell)) for cell in missing)
    if workers.are_remote and len(missing) > 1:
        done = workers.map(job, missing)
    with run.screen.progress(what, len(cells)) as advance:
        advance(len(rows), "")
        for cell, row in done:
            # Written at once, so that a stopped grid loses only the cells that are running.
            run.folder.write_json(f"{CELLS}/{cell.name}.json", row._asdict())
            rows[cell] = row
            n_certified = sum(row.certified for row in rows.values())
            advance(len(rows), f"{n_certified} certified; {cell.name}")
    return [rows[cell] for cell in cells]


def kept_cells(folder: Path, row_type: type[RowT]) -> Iterator[RowT]:
    """Yield all stored rows of a run folder, in the order of the names of their cells.

    Args:
        folder: run folder of the grid.
        row_type: type of the rows.

    Raises:
        InputError: the file of a cell is damaged.
    """
    return (_read_row(path, row_type, {}) for path in sorted((folder / CELLS).glob("*.json")))


def _read_row(path: Path, row_type: type[RowT], identity: dict[str, Any]) -> RowT:
    """Return the stored row of a finished cell.

    Args:
        path: file of the cell.
        row_type: type of the row.
        identity: values that the row must have, by field.

    Raises:
        InputError: the file is damaged, lacks a field, or has other values than `identity`.
    """
    try:
        content = read_object(path)
    except InputError as error:
        raise error.with_fields(remedy=_REMEDY) from None
    hints = get_type_hints(row_type)
    if missing := hints.keys() - content.keys():
        problem = f"{UNFIT}: missing keys {', '.join(sorted(missing))}"
    elif changed := [
        f"{name} = {content[name]!r}, not {value!r}"
        for name, value in identity.items()
        if content[name] != value
    ]:
        problem = f"belongs to a run with other settings: {', '.join(changed)}"
    elif misfits := [name for name in hints if not _fits(content[name], hints[name])]:
        problem = f"{UNFIT}: {misfits[0]} cannot be {content[misfits[0]]!r}"
    else:
        return row_type(**{name: content[name] for name in hints})
    raise InputError(problem, place=path, remedy=_REMEDY)


def _fits(value: Any, hint: Any) -> bool:
    """Return whether a value has the type of a column.

    An integer also fits a column of floats; a boolean fits neither integers nor floats.

    Args:
        value: value from a JSON file.
        hint: type annotation of the column: a type or a union of types.
    """
    kinds = get_args(hint) or (hint,)
    wanted = {*kinds, *([int] if float in kinds else [])}
    return type(value) in wanted or (value is None and NoneType in wanted)
