"""What can go wrong before a command begins: foreign packages, plain streams, Ctrl-C at once."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from unittest import mock

import pytest

from experiments.cli.entry import foreign_package
from tests.command_line import ROOT, TINY, Outcome, command, finish, start, write_experiment

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


def evenhand(*arguments: str | Path, cwd: Path = ROOT, **env: str) -> Outcome:
    """`python -m experiments.cli`, which looks for modules in the current folder first."""
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
    name = file.partition("/")[0].removesuffix(".py")
    assert outcome.err == (
        f"evenhand: {foreign_file} is found where evenhand's package '{name}' should be; move or "
        "rename it, or install evenhand in a virtual environment of its own\n"
    )


def test_a_package_that_was_installed_over_ours_is_named(tmp_path: Path) -> None:
    for package in ("sim", "agents", "balance", "experiments"):
        ignored = shutil.ignore_patterns("__pycache__", "data")
        shutil.copytree(ROOT / package, tmp_path / package, ignore=ignored)
    assert evenhand("--version", cwd=tmp_path).status == 0
    (tmp_path / "agents" / "__init__.py").write_text("raise SystemExit('was run')\n")
    outcome = evenhand("--version", cwd=tmp_path)
    assert outcome.status == 2
    assert outcome.err.startswith(f"evenhand: {tmp_path / 'agents' / '__init__.py'} is found where")
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
@pytest.mark.parametrize(
    ("encoding", "interval"), [("ascii", " +-"), ("latin-1", " \udcb1"), ("utf-8", " ±")]
)
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
    with mock.patch("experiments.cli.entry.foreign_package", return_value="is found"):
        assert command("--version") == Outcome(2, "", "evenhand: is found\n")
