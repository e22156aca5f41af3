"""Crash words: what a fault of ours is called on the page, for whoever reports it."""

from __future__ import annotations

import traceback
from pathlib import Path


def crash_words(error: BaseException) -> str:
    """In one line that it is our fault, what it is, and where in the code it was."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f", {Path(frames[-1].filename).name} line {frames[-1].lineno}" if frames else ""
    told = " ".join(f"{type(error).__name__}: {error}".split())
    return f"a fault of evenhand, please report it ({told}{where})"
