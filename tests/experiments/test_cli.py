"""The command line itself: help at once, nothing imported that a command does not need."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from experiments.cli import app as cli
from sim.interruption import uninterrupted
from tests.command_line import (
    command,
    done,
    finish,
    json_of,
    start,
    write_experiment,
)

COMMANDS = (
    "matchups", "power", "balance", "study", "train", "evaluate", "exploit", "replay", "bench",
    "warm", "cards", "substitute", "metagame", "build", "outliers", "report", "conformance", "deck",
    "suite", "whatif", "compare", "workbench", "play", "agents", "init", "workers",
)  # fmt: skip
HELP = """
import json, sys
from tests.command_line import command
below = [("cards", page) for page in ("import", "export", "list", "show", "coverage")]
below += [("deck", page) for page in ("import", "export")]
below += [("suite", page) for page in ("make", "run", "score")]
below += [("workers", "check")]
pages = [(), *((name,) for name in sys.argv[1:]), *below]
outcomes = [command(*page, "--help") for page in pages]
heavy = {"numba", "numpy", "pandas", "pymoo", "deap", "matplotlib", "scipy", "torch", "ray"}
heavy |= {"multiprocessing"}
print(json.dumps({
    "status": [outcome.status for outcome in outcomes],
    "errors": [outcome.err for outcome in outcomes],
    "pages": [outcome.out for outcome in outcomes],
    "heavy": sorted(heavy & set(sys.modules)),
}))
"""
MODULES_AFTER = """
import sys
from experiments.cli import main
try:
    main()
finally:
    heavy = ("pandas", "scipy.stats", "matplotlib", "pymoo", "deap", "torch", "pyarrow", "ray")
    print(*(name for name in heavy if name in sys.modules), file=sys.stderr)
"""


def test_help_of_every_command_needs_no_heavy_import() -> None:
    answer = json_of(finish(start(HELP, *COMMANDS)))
    assert set(answer["status"]) == {0}
    assert set(answer["errors"]) == {""}
    assert answer["heavy"] == []
    for name, page in zip(COMMANDS, answer["pages"][1:], strict=False):
        assert f"evenhand {name}" in page or f" {name} " in page
        assert name in answer["pages"][0]


def test_the_commands_that_help_lists_are_the_ones_tested() -> None:
    groups = {group.name for group in cli.app.registered_groups}
    names = {entry.name or entry.callback.__name__ for entry in cli.app.registered_commands}  # type: ignore[union-attr]
    assert groups | names == set(COMMANDS)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["matchups", "power", "whatif"])
def test_measuring_imports_no_tables_no_statistics_no_plots(name: str, tmp_path: Path) -> None:
    edits = ["ember_whelp.cost+1"] if name == "whatif" else []
    arguments = (name, write_experiment(tmp_path), *edits, "--results", tmp_path / "r")
    outcome = done(finish(start(MODULES_AFTER, *arguments, "--json", "--no-plots")))
    assert f'"command": "{name}"' in outcome.out
    assert outcome.err.strip() == ""


def test_without_a_command_the_help_is_shown_and_the_status_says_so() -> None:
    for arguments in ((), ("cards",)):
        outcome = command(*arguments)
        assert outcome.status == 2
        assert outcome.out == ""
        assert outcome.err.startswith("evenhand: which command?\n\nUsage: ")


def interrupt_and_go_on(reached: list[bool]) -> None:
    with uninterrupted():
        os.kill(os.getpid(), signal.SIGINT)
        reached.append(True)


def test_ctrl_c_waits_while_the_engine_is_loaded() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # whatever was inherited
    reached: list[bool] = []
    with pytest.raises(KeyboardInterrupt):
        interrupt_and_go_on(reached)
    assert reached
    with uninterrupted():
        pass
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
