"""The files of a run are the same on another processor, byte for byte, but for times."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import ROOT, THREE, timeless, write_experiment
from tests.processors import OTHERS

pytestmark = [pytest.mark.thorough, pytest.mark.timeout(900)]  # twice all commands

# Fronts and races of more than 16, which sorts put in order by instructions of the processor's.
EXPERIMENT = (
    THREE.replace("population = 8", "population = 60")
    .replace("band_pp = 40", "band_pp = 5")
    .replace(
        "[narrow]", "[tune.weights]\ncard = 0.5\ncost = 0.7\nattack = 0.1\nhealth = 0.2\n\n[narrow]"
    )
    + """
[build]
population = 40
generations = 5
search = 10
select = 40
certify = 80

[outliers]
games = 20

[study]
narrow = ["lever"]
method = ["dense_ga", "model"]
run_seeds = 1
"""
)
# A total makes the study's searches short, which are many.
STUDIED = EXPERIMENT.replace("[games]", "[games]\ntotal = 200_000")
COMMANDS = (
    "balance", "metagame", "study", "substitute --deck ember_rush --card ember_whelp",
    "build", "outliers", "build --improve ember_rush --swaps 2", "build --attack --rounds 1",
)  # fmt: skip
ALL = """
import sys
from pathlib import Path
from tests.command_line import command, only_folder
experiment, studied, folder, *lines = sys.argv[1:]
for line in lines:
    name, *options = line.split()
    if "--attack" in options:
        options[:1] = ["--attack", str(only_folder(Path(folder, "balance")))]
    else:
        options = [studied if name == "study" else experiment, *options]
    results = Path(folder, line.replace(" ", "_"))
    if name != "outliers":  # it draws no figures
        options.append("--no-plots")
    outcome = command(name, *options, "--results", results)
    assert outcome.status in {0, 1}, outcome.err
    print(outcome.out)
"""


def run_all(folder: Path, variables: dict[str, str]) -> dict[str, Any]:
    """Run all commands in a process with environment variables; return screens and files."""
    folder.mkdir()
    experiment = write_experiment(folder, EXPERIMENT)
    studied = write_experiment(folder, STUDIED, "studied.toml")
    process = subprocess.run(
        [sys.executable, "-c", ALL, experiment, studied, folder, *COMMANDS],
        env={**os.environ, **variables, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    shown = process.stdout.replace(str(folder), "")
    lines = [line for line in shown.splitlines() if " s)" not in line]
    return {"shown": lines, **timeless(folder)}


def test_runs_are_the_same_on_another_processor(tmp_path: Path) -> None:
    here = run_all(tmp_path / "here", {})
    there = run_all(tmp_path / "there", OTHERS["Prescott"])
    ended = [file for file in here if Path(file).name in {"summary.json", "attack.json"}]
    assert len(ended) == len(COMMANDS)
    assert set(there) == set(here)
    assert [file for file in here if there[file] != here[file]] == []
