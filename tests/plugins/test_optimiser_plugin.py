"""An optimiser of a package from outside searches as ours do, and a faulty one is named."""

from __future__ import annotations

import json
import re
from pathlib import Path
from unittest import mock

import pytest

from balance.conformance import MethodSuite
from experiments.runs import run
from sim.errors import InputError
from tests.command_line import TINY, ask, refusal, run_folder, write_experiment
from tests.experiments.stopping import stopped_after
from tests.plugins.installed import HERE, describe, evenhand, install

PACKAGE = "evenhand_climber"
CLIMBING = TINY.replace('method = "nsga2"', 'method = "climber"')


class TestClimber(MethodSuite):
    """By the name that the package gives it."""

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
def test_stopped_between_rounds_the_command_resumes_to_the_same(method: str, site: Path) -> None:
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

def two(question, settings): ...

def greedy(question, settings, n_games):
    while True:
        question.score([[0] * len(question.space.genes)])

def breaks(question, settings, n_games):
    raise RuntimeError("one\\ntwo")
"""
FAULTS = {  # what the package declares for which name, and what is said
    "no module": ("x", "nowhere:x", "ModuleNotFoundError: No module named 'nowhere'"),
    "a number": ("x", "odd:number", "declared is no optimiser but 7; needed is a function of"),
    "two arguments": ("x", "odd:two", r"takes \(question, settings, n_games\), not \(question, se"),
    "takes ours": ("nsga2", "odd:greedy", "the name is taken"),
    "breaks": ("x", "odd:breaks", "RuntimeError: one two"),
    "spends too much": (
        "x",
        "odd:greedy",
        "a batch of 1 and today's takes 40 games; it has 20 left",
    ),
}


@pytest.mark.thorough
@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_package_is_named_in_one_line(fault: str, site: Path) -> None:
    name, place, complaint = FAULTS[fault]
    (site / "odd.py").write_text(MODULE, "utf-8")
    describe(site, "odd-searches", {"evenhand.optimisers": {name: place}})
    said = refusal(ask("balance", site, "--json", text=TINY.replace('"nsga2"', f'"{name}"')))
    assert re.search(f"optimiser '{name}' of package 'odd-searches': .*{complaint}", said)


def test_a_full_disk_is_not_blamed_on_the_package(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(PACKAGE, site)
    disk_is_full = mock.Mock(side_effect=InputError("disk full", is_complete=True))
    monkeypatch.setattr(run, "save_checkpoint", disk_is_full)
    outcome = ask("balance", site, "--json", text=CLIMBING)
    assert (outcome.status, outcome.err.splitlines()[-1]) == (2, "evenhand: disk full")
