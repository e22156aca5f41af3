"""The committed runs belong to the present experiment files, and can be read."""

from __future__ import annotations

import json
import re

import pytest

from experiments import notebook
from experiments.loading import load_experiment
from experiments.notebook import REFERENCE, reference_run
from experiments.runs.json_file import to_json
from sim.errors import InputError

RUNS = {"quickstart": "balance", "thesis_dqn_variants": "train"}
SIZE_MAX = 400_000  # bytes, all files together


@pytest.mark.parametrize(("name", "command"), RUNS.items())
def test_a_run_is_that_of_the_present_experiment_file(name, command):
    run = reference_run(name, command)  # named by the hash of all that its results depend on
    experiment = load_experiment(name)
    assert run.command == command
    assert run.provenance["seed"] == experiment.settings.seed
    assert run.resolved == json.loads(to_json({"command": command, **experiment.resolved(command)}))


def test_every_table_can_be_read():
    for name, command in RUNS.items():
        run = reference_run(name, command)
        tables = sorted(path.name for path in run.path.glob("*.csv"))
        assert tables
        for table in tables:
            assert len(run.frame(table)) > 0, table


def test_nothing_else_lies_there_and_all_of_it_is_small():
    folders = {path.name for path in REFERENCE.iterdir() if path.is_dir()}
    assert folders == {reference_run(*run).path.name for run in RUNS.items()}
    files = [path for path in REFERENCE.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) <= SIZE_MAX
    for path in files:
        assert not re.search(r"/(?:home|root|tmp|work|Users)/", path.read_text()), path


def test_the_quickstart_is_certified():
    assert reference_run("quickstart").summary["certified"] is True


def test_a_stale_or_missing_run_says_how_it_is_made(tmp_path, monkeypatch):
    monkeypatch.setattr(notebook, "REFERENCE", tmp_path)
    with pytest.raises(InputError, match=r"quickstart-\w{8}: no such run; .*make reference"):
        reference_run("quickstart")
