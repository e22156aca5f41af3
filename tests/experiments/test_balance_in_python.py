"""Calls from Python and notebooks give the same certified patch as the command."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from balance import RunContext, run_balance
from experiments.loading import load_experiment
from experiments.notebook import reference_run
from tests.command_line import ROOT, TINY, run_folder, summary_of, write_experiment


@pytest.mark.parametrize(
    "search",
    [
        'method = "nsga2"',
        # Three rounds suffice to compare two runs; more take half a minute.
        pytest.param('method = "model"\nrounds = 3\nwiden = false', marks=pytest.mark.thorough),
    ],
    ids=["nsga2", "model"],
)
def test_a_first_try_in_python_is_the_first_run_of_the_command(search: str, tmp_path: Path) -> None:
    text = TINY.replace('method = "nsga2"', search).replace("40\n\n[tune]", "12\n\n[tune]")
    folder = run_folder("balance", tmp_path, text=text)
    experiment = load_experiment(str(write_experiment(tmp_path, text)))
    run = run_balance(experiment.contest(), experiment.settings, RunContext(try_number=1))
    summary = summary_of(folder)
    assert summary["certified"] == run.certificate.certified
    patch = [(edit["card"], edit["field"], edit["from"], edit["to"]) for edit in summary["patch"]]
    assert patch == [(edit.card, edit.field, edit.before, edit.after) for edit in run.patch]


def test_the_first_notebook_shows_the_patch_of_the_run_that_it_names() -> None:
    text = (ROOT / "notebooks" / "01_first_balance.ipynb").read_text(encoding="utf-8")
    cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
    (shown,) = (cell for cell in cells if "pd.DataFrame(run.patch)" in "".join(cell["source"]))
    assert "try_number=1" in "".join(shown["source"])
    patch = reference_run("quickstart").summary["patch"]
    assert rows_of_output(shown) == [(edit["field"], edit["from"], edit["to"]) for edit in patch]


def rows_of_output(cell: dict[str, Any]) -> list[tuple[str, int, int]]:
    """Return field, value before and value after of each row of a cell's table."""
    (output,) = cell["outputs"]
    lines = "".join(output["data"]["text/plain"]).splitlines()
    matches = (re.search(r"(\w+) +(\d+) +(\d+)$", line) for line in lines)
    return [(row[1], int(row[2]), int(row[3])) for row in matches if row]
