"""Check whether the sheet next to a pool file was edited after the pool was made from it."""

from __future__ import annotations

from pathlib import Path

from experiments.files.sheets import import_sheet
from experiments.spreadsheet.sheet_file import SHEET_ENDINGS
from sim import REAL_POOL, InputError, find_data_file, load_pool


def stale_sheet_note(pool: str, near: Path) -> str:
    """Return a note on a sheet with edits that the pool file lacks; `""` if there is none.

    Only a sheet newer than the pool file is read, so the check is usually fast. If the pool or the
    sheet is faulty, `""` is returned.

    Args:
        pool: name or path of the pool, as in the experiment.
        near: experiment file, from which a relative path is resolved.
    """
    if pool == REAL_POOL:
        return ""
    try:
        file = find_data_file("pools", pool, near=near)
        sheets = [file.with_suffix(ending) for ending in SHEET_ENDINGS]
        newer = [sheet for sheet in sheets if _is_newer(sheet, file)]
        if not newer or not _differs(newer[0], file):
            return ""
    except InputError:  # the pool or the sheet is faulty: commands that read it raise the error
        return ""
    return (
        f"{newer[0]} was changed after {file.name} was made from it; the cards and decks of the "
        f"TOML files are played. To apply the changes: evenhand cards import {newer[0]} --force"
    )


def _is_newer(sheet: Path, file: Path) -> bool:
    """Return whether a sheet was modified after a file; `False` if one does not exist."""
    try:
        return sheet.stat().st_mtime > file.stat().st_mtime
    except OSError:
        return False


def _differs(sheet: Path, file: Path) -> bool:
    """Return whether an import would change a deck, or the cards in more than notes."""
    imported = import_sheet(sheet, file)
    # `model_dump` leaves out notes, which games do not read.
    is_changed = imported.pool.model_dump() != load_pool(str(file)).model_dump()
    return is_changed or bool(imported.changed_decks)
