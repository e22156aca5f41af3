"""Names of tables of results on the command line."""

from __future__ import annotations

from pathlib import Path

from experiments.spreadsheet.sheet_file import SHEET_ENDINGS


def is_results_file(name: str) -> bool:
    """Return whether a word of the command line names a table of results, by its ending."""
    return Path(name).suffix.lower() in SHEET_ENDINGS
