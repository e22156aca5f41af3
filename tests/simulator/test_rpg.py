"""One game in two languages: the same winners, and a certified patch of 16 real parameters."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path

import pytest

from balance import BalanceSettings, Guards, question_of, run_stages
from balance.settings.tables import Games
from balance.simulator.parameters import Parameters
from balance.simulator.simulated_contest import SimulatedContest
from sim.simulator.block import Block
from sim.simulator.parameter_entry import ParameterEntry
from sim.simulator.program import ProgramSimulator
from sim.simulator.python_function import FunctionSimulator
from tests.simulator.blocks import results, seeds_of
from tests.simulator.rpg import PLAYERS, play

NODE = shutil.which("node")
STRONG = {"knight.attack": 12.5, "mage.hp": 92, "rogue.speed": 1.05}
RANGES = {
    "hp": (100.0, 60.0, 140.0, 4.0),
    "attack": (12.0, 8.0, 20.0, 0.5),
    "armour": (2.0, 0.0, 6.0, 0.5),
    "speed": (1.0, 0.7, 1.5, 0.05),
}


def contest_of(**values: float) -> SimulatedContest:
    """Return the duel with other values of some parameters, written with `_` for the dot."""
    entries = {}
    for player in PLAYERS:
        for field, (usual, low, high, step) in RANGES.items():
            value = values.get(f"{player}_{field}", usual)
            entries[f"{player}.{field}"] = ParameterEntry(
                value=value, low=low, high=high, step=step, players=(player,)
            )
    return SimulatedContest(FunctionSimulator(play, PLAYERS), Parameters(entries, PLAYERS))


@pytest.mark.skipif(NODE is None, reason="needs node")
def test_the_twins_play_the_same_games() -> None:
    usual = contest_of().parameters.values({})
    blocks = [
        Block(usual | changes, players, seeds_of(60))
        for players in (("knight", "rogue"), ("mage", "cleric"), ("cleric", "knight"))
        for changes in ({}, STRONG)
    ]
    program = ProgramSimulator([str(NODE), "rpg.js"], Path(__file__).parent)
    with closing(program):
        winners = results(program, blocks)
    assert winners == results(FunctionSimulator(play, PLAYERS), blocks)
    assert len({tuple(block[0]) for block in winners}) > 1


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 9))
def test_sixteen_real_parameters_are_balanced(seed: int) -> None:
    contest = contest_of(knight_attack=12.5, mage_hp=92.0, rogue_speed=1.1, cleric_armour=2.5)
    settings = BalanceSettings(seed=seed, guards=Guards.none(), games=Games(total=120_000))
    found = run_stages(question_of(contest, settings, contest.space()))
    assert found.certificate.certified
