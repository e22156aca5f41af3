"""`evenhand init`: a folder with a game that can be balanced, to begin with."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import sim
from experiments.files.output_file import is_there
from experiments.files.starter import GAME, make_starter


def run_init(
    folder: Path,
    sheet: Path | None,
    ruleset: str | None,
    page: str | None = None,
    notes: Collection[str] = (),
) -> list[str]:
    """Write the files of a game into a folder, and nothing over anything.

    Args:
        folder: where; it may be there.
        sheet: the cards, see `experiments.files.starter.make_starter`, likewise the others.
        ruleset: the rules.
        page: of a workbook, the title of the sheet with the cards.
        notes: titles of columns that are notes, whatever they resemble.

    Returns:
        What to tell of it, by lines.

    Raises:
        InputError: a file is there already, the folder cannot be made, or the sheet is wrong.
    """
    if sheet is None and (page is not None or notes):
        raise sim.InputError(f"--{'note' if page is None else 'sheet'}: is for a sheet, see --from")
    starter = make_starter(sheet, ruleset, page, notes)
    if taken := [name for name in starter.files if is_there(folder / name)]:
        raise sim.InputError(
            f"{folder / taken[0]}: is already there; init overwrites nothing, name another folder"
        )
    with sim.blaming_system(folder, "made"):
        folder.mkdir(parents=True, exist_ok=True)
    for name, content in starter.files.items():
        sim.write_atomically(folder / name, content)
    enter = "" if folder == Path() else f"cd {folder} && "
    return [
        f"{folder}: wrote {', '.join(starter.files)}",
        *starter.remarks,
        f"Next: {enter}evenhand balance {GAME}",
    ]
