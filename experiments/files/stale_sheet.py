"""Whether the sheet next to a pool file has been edited since the pool was made of it."""

from __future__ import annotations

from pathlib import Path

from experiments.files.sheets import import_sheet
from sim import REAL_POOL, InputError, find_data_file, load_pool
from sim.files.sheet import SHEET_ENDINGS


def stale_sheet_note(pool: str, near: Path) -> str:
    """A line that says so and how to take the edits over; empty if the pool is up to date.

    A sheet is compared only if it is newer than its pool file, so that this costs nothing usually.

    Args:
        pool: name or path of the pool, as an experiment names it.
        near: the experiment's file.
    """
    if pool == REAL_POOL:
        return ""
    try:
        file = find_data_file("pools", pool, near=near)
        sheets = [file.with_suffix(ending) for ending in SHEET_ENDINGS]
        newer = [sheet for sheet in sheets if _is_newer(sheet, file)]
        if not newer or not _differs(newer[0], file):
            return ""
    except InputError:  # no such pool or a sheet that cannot be read: commands that read it say so
        return ""
    return (
        f"{newer[0]} was changed after {file.name} was made of it; the cards and decks of the TOML "
        f"files are played. To take the changes over: evenhand cards import {newer[0]} --force"
    )


def _is_newer(sheet: Path, file: Path) -> bool:
    try:
        return sheet.stat().st_mtime > file.stat().st_mtime
    except OSError:
        return False


def _differs(sheet: Path, file: Path) -> bool:
    """Whether an import would change what games read of the cards, or a deck."""
    imported = import_sheet(sheet, file)
    is_changed = imported.pool.model_dump() != load_pool(str(file)).model_dump()  # without notes
    return is_changed or bool(imported.changed_decks)
