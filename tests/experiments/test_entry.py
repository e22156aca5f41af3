"""The start of a command: help at once, foreign packages, plain streams, early Ctrl-C."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from unittest import mock

import pytest

from experiments.cli.command_list import PANELS
from experiments.cli.entry import foreign_package
from experiments.cli.lazy_group import LazyGroup, command_of
from sim.interruption import uninterrupted
from tests.command_line import (
    LISTED,
    ROOT,
    TINY,
    Outcome,
    command,
    done,
    finish,
    json_of,
    start,
    write_experiment,
)
from tests.messages import check_message

INTERRUPT_AT_AN_IMPORT = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
wanted = sys.argv.pop(1)
class Finder:
    def find_spec(self, name, *_):
        if name == wanted:
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Finder())
from experiments.cli import main
main()
"""


HELP = """
import json, sys
from tests.command_line import command
print(json.dumps([
    [page, *vars(command(*page.split(), "--help")).values(), list(sys.modules)]
    for page in sys.argv[1:]
]))
"""
SLOW = {"numba", "numpy", "pandas", "pymoo", "deap", "matplotlib", "scipy", "multiprocessing"}
EXTRAS = {"torch", "ray", "plotly", "jinja2", "starlette", "openpyxl", "optuna", "hearthstone"}
MODULES_AFTER = """
import sys
from tests.command_line import command
heavy = ("pandas", "scipy.stats", "matplotlib", "pymoo", "deap", "torch", "pyarrow", "ray")
for name, *edits in (["matchups"], ["power"], ["whatif", "ember_whelp.cost+1"]):
    outcome = command(name, sys.argv[1], *edits, *sys.argv[2:])
    print(outcome.status, name, *(module for module in heavy if module in sys.modules))
"""


def evenhand(*arguments: str | Path, cwd: Path = ROOT, **env: str) -> Outcome:
    """Run `python -m experiments.cli`, which looks for modules in the current folder first."""
    finished = subprocess.run(
        [sys.executable, "-m", "experiments.cli", *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), **env},
        capture_output=True,
        check=False,
    )
    out, err = (
        text.decode("utf-8", "surrogateescape") for text in (finished.stdout, finished.stderr)
    )
    return Outcome(finished.returncode, out, err)


@pytest.mark.parametrize("file", ["sim.py", "agents/__init__.py", "balance.py"])
def test_a_foreign_package_is_named_and_not_run(file: str, tmp_path: Path) -> None:
    foreign_file = tmp_path / file
    foreign_file.parent.mkdir(exist_ok=True)
    foreign_file.write_text("raise SystemExit('was run')\n", encoding="utf-8")
    outcome = evenhand("--version", cwd=tmp_path)
    assert outcome.status == 2
    check_message(outcome.err)


def test_a_package_that_was_installed_over_ours_is_named(tmp_path: Path) -> None:
    for package in ("sim", "agents", "balance", "experiments"):
        ignored = shutil.ignore_patterns("__pycache__", "data")
        shutil.copytree(ROOT / package, tmp_path / package, ignore=ignored)
    assert evenhand("--version", cwd=tmp_path).status == 0
    (tmp_path / "agents" / "__init__.py").write_text("raise SystemExit('was run')\n")
    outcome = evenhand("--version", cwd=tmp_path)
    assert outcome.status == 2
    check_message(outcome.err)
    shutil.rmtree(tmp_path / "agents")
    assert evenhand("--version", cwd=tmp_path, PYTHONPATH="").status == 2


def test_our_own_packages_are_no_foreign_ones() -> None:
    assert foreign_package() is None
    with mock.patch.object(sys.modules["sim"], "__spec__", None):
        assert foreign_package() is not None


@pytest.mark.thorough
@pytest.mark.parametrize(
    "module", ["experiments.cli.app", "typer", "experiments.commands.matchups", "sim.play.batch"]
)
def test_ctrl_c_during_imports_is_one_line(module: str, tmp_path: Path) -> None:
    arguments = ("matchups", write_experiment(tmp_path), "--results", tmp_path / "r")
    outcome = finish(start(INTERRUPT_AT_AN_IMPORT, module, *arguments))
    assert outcome.status == 130, outcome.err
    assert (outcome.out, outcome.err) == ("", "evenhand: interrupted\n")


@pytest.mark.thorough
@pytest.mark.parametrize(("encoding", "interval"), [("ascii", " +-"), ("latin-1", " \udcb1")])
def test_output_is_readable_in_every_encoding(encoding: str, interval: str, tmp_path: Path) -> None:
    experiment = write_experiment(tmp_path)
    outcome = evenhand(
        "matchups", experiment, "--results", tmp_path / "r", "--no-plots", PYTHONIOENCODING=encoding
    )
    assert (outcome.status, outcome.err) == (0, "")
    assert interval in outcome.out
    assert "?" not in outcome.out


def test_a_file_name_that_is_no_text_is_printed_as_it_is(tmp_path: Path) -> None:
    outcome = evenhand("cards", "list", os.fsdecode(b"\xff.toml"), cwd=tmp_path)
    assert outcome.status == 2
    assert os.fsdecode(b"\xff.toml") in outcome.err


@pytest.mark.thorough
def test_files_are_utf_8_whatever_the_locale_says(tmp_path: Path) -> None:
    player = 'agent = "aggro"'
    experiment = write_experiment(tmp_path, TINY.replace(player, f'{player}\nname = "Zoë → 火"'))
    runs = []
    for place, env in (("c", {"LC_ALL": "C", "PYTHONUTF8": "0"}), ("u", {"PYTHONUTF8": "1"})):
        results = tmp_path / place
        options = ("--results", results, "--no-plots")
        outcome = evenhand("matchups", experiment, *options, PYTHONCOERCECLOCALE="0", **env)
        assert outcome.status == 0, outcome.err
        (table,) = results.glob("*/matchups.csv")
        runs.append(table.read_bytes())
    assert "Zoë → 火".encode() in runs[0]
    assert runs[0] == runs[1]


def test_the_entry_point_is_the_guarded_one() -> None:
    with mock.patch("experiments.cli.entry.foreign_package", return_value="foreign"):
        assert command("--version") == Outcome(2, "", "evenhand: foreign\n")


def test_help_of_groups_needs_no_command_and_no_heavy_import() -> None:
    commands = [command for panel in PANELS.values() for command in panel]
    groups = [command for command in commands if command.members]
    outcomes = json_of(finish(start(HELP, "", *(group.name for group in groups))))
    for (_, status, page, err, modules), members in zip(
        outcomes, [commands, *(group.members for group in groups)], strict=True
    ):
        assert (status, err) == (0, "")
        assert [command.name for command in members if f"  {command.name} " not in page] == []
        assert (SLOW | EXTRAS) & {*modules} == set()
        assert [module for module in modules if module.startswith("experiments.commands")] == []
    assert [title for title in PANELS if f"{title}:\n" not in outcomes[0][2]] == []


def test_help_of_a_command_needs_no_extra_and_neither_tables_nor_plots() -> None:
    for page, status, out, err, modules in json_of(finish(start(HELP, *LISTED))):
        assert (status, err) == (0, ""), page
        assert f" {page} " in out
        assert (EXTRAS | {"pandas", "matplotlib"}) & {*modules} == set(), page


@pytest.mark.parametrize("name", LISTED)
def test_the_list_of_commands_repeats_the_first_line_of_their_help(name: str) -> None:
    summary, *_ = command_of(LISTED[name]).help.splitlines()
    assert LISTED[name].summary == summary


def test_a_group_finds_its_commands_by_name_only() -> None:
    group = LazyGroup()
    assert group.get_command(None, "matchup") is None
    assert group.get_command(None, "matchups") is group.get_command(None, "matchups")


@pytest.mark.thorough
def test_measuring_imports_no_tables_no_statistics_no_plots(tmp_path: Path) -> None:
    options = ("--results", tmp_path / "r", "--json", "--no-plots")
    outcome = done(finish(start(MODULES_AFTER, write_experiment(tmp_path), *options)))
    assert outcome.out.splitlines() == ["0 matchups", "0 power", "0 whatif"]


def test_without_a_command_the_help_is_shown_and_the_status_says_so() -> None:
    for arguments in ((), ("cards",)):
        outcome = command(*arguments)
        assert outcome.status == 2
        assert outcome.out == ""
        assert "Usage: " in outcome.err


def interrupt_and_continue(reached: list[bool]) -> None:
    with uninterrupted():
        os.kill(os.getpid(), signal.SIGINT)
        reached.append(True)


def test_ctrl_c_waits_while_the_engine_is_loaded() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have it ignored
    reached: list[bool] = []
    with pytest.raises(KeyboardInterrupt):
        interrupt_and_continue(reached)
    assert reached
    with uninterrupted():
        pass
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
