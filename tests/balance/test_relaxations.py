"""Relaxations: what might help where settings bind."""

from __future__ import annotations

from dataclasses import replace

from balance import BalanceSettings, build_space
from balance.relaxations import relaxed_spaces
from sim.play.table import pack_table
from tests.balance.contests import THREE


def test_hands_are_offered_around_todays_however_small_that_is() -> None:
    rules = THREE.table.ruleset.model_copy(update={"opening_hand": (0, 9)})
    contest = replace(THREE, table=pack_table(THREE.table.pool, rules))
    settings = BalanceSettings.model_validate({"seed": 1, "target": {"first_seat": 0.5}})
    spaces, _ = relaxed_spaces(contest, settings, build_space(contest, settings.tune))
    assert {name for name in spaces if "opening_hand" in name} == {
        "tune.rules.opening_hand_first = [0, 2]",
        "tune.rules.opening_hand_second = [7, 9]",
    }
