"""Programs that evenhand ships: templates of `init`, and examples of the documentation."""

from __future__ import annotations

import re
import runpy
import shutil
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest

from sim.simulator.block import Block
from sim.simulator.program import ProgramSimulator
from tests.command_line import ROOT, command, done, json_of, refusal
from tests.simulator.blocks import seeds_of

PAGE = (ROOT / "docs" / "simulator.md").read_text()


def winners(simulator, block):
    """Return the winners of a block, and end the program."""
    ((_, played),) = simulator.play([block])
    simulator.close()
    return played.winners


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder, which is the current one; nothing is trusted."""
    monkeypatch.setenv("EVENHAND_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_two_templates_are_the_same_game(folder):
    for kind in ("python", "program"):
        lines = done(command("init", kind, "--simulator", kind)).out.splitlines()
        assert "simulator check" in lines[-1]
    program = ProgramSimulator([sys.executable, "duel.py"], folder / "program")
    tables = tomllib.loads((folder / "python" / "game.toml").read_text())
    declared = {
        f"{group}.{name}": entry
        for group, entries in tables["parameters"].items()
        for name, entry in entries.items()
    }
    hello = program.hello
    assert {
        name: entry.model_dump(exclude_defaults=True) for name, entry in hello.parameters.items()
    } == declared
    for kind in ("python", "program"):
        players = tomllib.loads((folder / kind / "game.toml").read_text())["players"]
        assert tuple(players) == hello.players
    play = runpy.run_path(str(folder / "python" / "duel.py"))["play"]
    for players in (("knight", "archer"), ("mage", "knight")):
        block = Block(hello.numbers, players, seeds_of(300))
        played = winners(program, block)
        # The program reads seeds as words, so the games of the two differ, but not their chances.
        words = [play(hello.numbers, players, f"{seed:016x}") for seed in block.seeds.tolist()]
        assert played.tolist() == [-1 if winner is None else winner for winner in words]
        assert 0.05 < np.mean(played == 0) < 0.95


def test_the_template_passes_the_check(folder, monkeypatch):
    monkeypatch.setattr("experiments.simulator.checked_game._TIMED_MAX", 4)
    monkeypatch.setattr("experiments.simulator.checked_game._SEEDS_MAX", 20)
    done(command("init", "--simulator", "program"))
    if shutil.which("python3") is None:
        pytest.skip("the template starts python3")
    summary = json_of(command("simulator", "check", "my_game/game.toml", "--trust", "--json"))
    assert summary["failed"] is False
    assert len(summary["edits"]) == 9


def test_options_of_cards_do_not_fit_a_simulator(folder):
    refusal(command("init", "--simulator", "python", "--rule", "life=30"))
    refusal(command("init", "--simulator", "lua"))
    assert list(folder.iterdir()) == []
    done(command("init", "--simulator", "python"))
    refusal(command("init", "--simulator", "python"))


@pytest.mark.parametrize(
    ("language", "interpreter"), [("python", sys.executable), ("javascript", "node")]
)
def test_the_examples_of_the_page_play(tmp_path, language, interpreter):
    if shutil.which(interpreter) is None:
        pytest.skip(f"{interpreter} is not installed")
    (code,) = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    Path(tmp_path / "game").write_text(code)
    simulator = ProgramSimulator([interpreter, "game"], tmp_path, n_children=2)
    block = Block(simulator.hello.numbers, ("red", "blue"), seeds_of(2000))
    with_bonus = winners(simulator, block)
    without = winners(simulator, block._replace(numbers={"red.bonus": 0}))
    # Exactly: two dice differ in 30 of 36 rolls; with the bonus, 21 of 36 are won and 10 lost.
    assert abs(np.mean(with_bonus == 0) - 21 / 36) < 0.05
    assert abs(np.mean(without == 0) - 15 / 36) < 0.05
    assert {*with_bonus.tolist()} == {-1, 0, 1}
