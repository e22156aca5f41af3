"""An optimiser of a plug-in package searches like a built-in one; a faulty one is named."""

from __future__ import annotations

import json
from pathlib import Path
from unittest import mock

import pytest

from balance.conformance import MethodSuite
from experiments.runs import run
from sim.errors import InputError
from tests.command_line import TINY, ask, refusal, run_folder, write_experiment
from tests.experiments.stopping import stopped_after
from tests.messages import check_message
from tests.plugins.installed import HERE, describe, evenhand, install

PACKAGE = "evenhand_climber"
CLIMBING = TINY.replace('method = "nsga2"', 'method = "climber"')


class TestClimber(MethodSuite):
    """The suite for optimisers, by the name that the package gives it."""

    @pytest.fixture
    def method(self, site: Path) -> str:
        install(PACKAGE, site)
        return "climber"


def test_its_module_is_short() -> None:
    assert len((HERE / PACKAGE / f"{PACKAGE}.py").read_text("utf-8").splitlines()) <= 30


@pytest.mark.thorough
def test_the_command_line_searches_with_it(tmp_path: Path) -> None:
    install(PACKAGE, tmp_path)
    experiment = write_experiment(tmp_path, CLIMBING)
    options = ("--json", "--no-plots", "--results", tmp_path / "results")
    assert json.loads(evenhand(tmp_path, "balance", experiment, *options))["certified"]


@pytest.mark.thorough
@pytest.mark.parametrize("method", ["climber", "model"])
def test_a_search_stopped_between_rounds_resumes_to_the_same_result(
    method: str, site: Path
) -> None:
    install(PACKAGE, site)
    text = CLIMBING.replace('"climber"', f'"{method}"')
    whole = run_folder("balance", site, text=text, results="whole")
    with stopped_after(1):
        assert ask("balance", site, "--no-plots", text=text).status == 130
    resumed = run_folder("balance", site, "--resume", text=text)
    for table in ("front.csv", "convergence.csv", "patch_notes.txt"):
        assert (resumed / table).read_bytes() == (whole / table).read_bytes()


MODULE = """
number = 7

def two(problem, settings): ...

def greedy(problem, settings, n_games):
    while True:
        problem.score([[0] * len(problem.space.genes)])

def breaks(problem, settings, n_games):
    raise RuntimeError("one\\ntwo")
"""
FAULTS = {  # name of the optimiser, and the object that the package declares for it
    "no module": ("x", "nowhere:x"),
    "a number": ("x", "odd:number"),
    "two arguments": ("x", "odd:two"),
    "a built-in name": ("nsga2", "odd:greedy"),
    "breaks": ("x", "odd:breaks"),
    "spends too much": ("x", "odd:greedy"),
}


@pytest.mark.thorough
@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_package_is_named_in_one_line(fault: str, site: Path) -> None:
    name, place = FAULTS[fault]
    (site / "odd.py").write_text(MODULE, "utf-8")
    describe(site, "odd-searches", {"evenhand.optimisers": {name: place}})
    outcome = ask("balance", site, "--json", text=TINY.replace('"nsga2"', f'"{name}"'))
    check_message(refusal(outcome))


def test_a_full_disk_is_not_blamed_on_the_package(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(PACKAGE, site)
    disk_is_full = mock.Mock(side_effect=InputError("disk full", is_complete=True))
    monkeypatch.setattr(run, "save_checkpoint", disk_is_full)
    outcome = ask("balance", site, "--json", text=CLIMBING)
    assert (outcome.status, outcome.err.splitlines()[-1]) == (2, "evenhand: disk full")
