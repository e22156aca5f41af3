"""Installation of plug-in packages without an installer and its network."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path

from tests.command_line import ROOT

HERE = Path(__file__).parent


def install(package: str, site: Path) -> None:
    """Copy the package in the folder of that name into `site`, and declare its entry points."""
    for module in (HERE / package).glob("*.py"):
        shutil.copy(module, site)
    project = tomllib.loads((HERE / package / "pyproject.toml").read_text("utf-8"))["project"]
    describe(site, project["name"], project["entry-points"])


def describe(site: Path, name: str, entry_points: Mapping[str, Mapping[str, str]]) -> None:
    """Write a package's metadata as an installer does: its name, and its entry points by group."""
    folder = site / f"{name.replace('-', '_')}-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(f"Metadata-Version: 2.4\nName: {name}\nVersion: 1.0\n")
    sections = (
        "\n".join([f"[{group}]", *(f"{word} = {place}" for word, place in declared.items())])
        for group, declared in entry_points.items()
    )
    (folder / "entry_points.txt").write_text("\n".join(sections))


def evenhand(site: Path, *arguments: str | Path) -> str:
    """Return the output of the command line while `site` is searched for packages."""
    run = subprocess.run(
        [sys.executable, "-m", "experiments.cli", *arguments],
        env=os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{site}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode in {0, 1}, run.stderr
    return run.stdout
