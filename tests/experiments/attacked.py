"""Small balance runs to be attacked, and small attacks."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.command_line import TINY, Outcome, command, run_folder

BUILD = """
[build]
population = 6
generations = 2
search = 8
select = 20
certify = 100
size = 20
"""
ATTACKED = TINY.replace("band_pp = 40", "band_pp = 8") + BUILD
"""The tiny experiment with a patch, which is attacked in a second or two."""


def finished_run(place: Path) -> Path:
    """The folder of a finished balance run of `ATTACKED`."""
    return run_folder("balance", place, text=ATTACKED)


def copy_of(run: Path, place: Path) -> Path:
    """The same run in a folder of results of its own, to be spoiled."""
    return Path(shutil.copytree(run, place / "copies" / run.name))


def attack(run: Path, *options: str | Path) -> Outcome:
    """Attack a run without drawing."""
    return command("build", "--attack", run, "--results", run.parent, "--no-plots", *options)
