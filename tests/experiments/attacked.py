"""Small balance runs to be attacked, and small attacks."""

from __future__ import annotations

from pathlib import Path

from tests.command_line import TINY, Outcome, command

ATTACKED = (
    TINY.replace("band_pp = 40", "band_pp = 8")
    + """
[build]
population = 6
generations = 2
search = 8
select = 20
certify = 100
size = 20
"""
)
"""The tiny experiment with a patch, which is attacked in a second or two."""


def attack(run: Path, *options: str | Path) -> Outcome:
    """Attack a run without drawing."""
    return command("build", "--attack", run, "--results", run.parent, "--no-plots", *options)
