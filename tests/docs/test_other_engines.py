"""Engines of others, as docs/other_engines.md describes them: its games are short and repeatable.

evenhand does not need these engines, so games of an engine are skipped where it is not installed.
"""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from experiments.simulator.simulator_experiment import read_simulator
from experiments.simulator.trust import trusting
from sim.files.toml_file import read_toml
from tests.command_line import ROOT

LINES_MAX = 60
WIDTH_MAX = 100
WORDS_MAX = 900

PAGE = (ROOT / "docs" / "other_engines.md").read_text()
BLOCK = re.compile(r"`(\w+\.\w+)`:\n\n```\w+\n(.*?)```", re.DOTALL)
FILES = dict(BLOCK.findall(PAGE))
"""Games and experiment files of the page, by their names."""

GAMES = [name for name in FILES if not name.endswith(".toml")]
PACKAGES = {"locm.toml": "gym_locm", "gin.toml": "pyspiel"}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The current folder, with all files of the page; nothing is trusted."""
    monkeypatch.setenv("EVENHAND_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def winners(file):
    """Return the winners of a few games of a file, which are played anew."""
    path = Path(file)
    with trusting(is_given=True):
        experiment = read_simulator(read_toml(path), path)
    readings = experiment.contest().play([[]], (), n_games=24, run_seed=1, purpose="test")
    return readings.rates.tolist()


def test_the_page_is_short_and_has_three_games_with_their_files():
    assert len(GAMES) == 3
    assert {Path(name).stem for name in GAMES} == {Path(name).stem for name in FILES}
    prose = re.sub(r"```.*?```|^    [^\n]*", "", PAGE, flags=re.DOTALL | re.MULTILINE)
    assert len(prose.split()) <= WORDS_MAX


@pytest.mark.parametrize("name", FILES)
def test_files_are_short(name):
    lines = FILES[name].splitlines()
    assert len(lines) <= LINES_MAX
    assert max(map(len, lines)) <= WIDTH_MAX


@pytest.mark.parametrize("name", FILES)
def test_files_can_be_parsed(name, folder):
    ending = Path(name).suffix
    if ending == ".py":
        assert ast.get_docstring(ast.parse(FILES[name]))
    elif ending == ".toml":
        assert tomllib.loads(FILES[name])["name"] == Path(name).stem
    elif (node := shutil.which("node")) is not None:
        subprocess.run([node, "--check", folder / name], check=True)
    else:
        pytest.skip("no interpreter of JavaScript")


@pytest.mark.parametrize("file", PACKAGES)
def test_games_of_python_engines_are_repeatable(file, folder):
    pytest.importorskip(PACKAGES[file])
    first = winners(file)
    shutil.rmtree(folder / "results", ignore_errors=True)
    assert winners(file) == first


def test_games_of_the_engine_in_javascript_are_repeatable(folder):
    node = shutil.which("node")
    if node is None:
        pytest.skip("no interpreter of JavaScript")
    found = subprocess.run([node, "-e", "require('@pkmn/sim')"], capture_output=True, check=False)
    if found.returncode != 0:
        pytest.skip("@pkmn/sim is not installed; NODE_PATH may name its folder")
    first = winners("battles.toml")
    shutil.rmtree(folder / "results", ignore_errors=True)
    assert winners("battles.toml") == first
