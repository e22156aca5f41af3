"""Relaxations: the values offered for restrictive settings."""

from __future__ import annotations

from dataclasses import replace

from balance import BalanceSettings, build_space
from balance.cards.relaxations import relaxed_spaces
from sim.play.table import pack_table
from tests.balance.contests import THREE


def test_opening_hands_are_offered_around_the_baseline() -> None:
    rules = THREE.table.ruleset.model_copy(update={"opening_hand": (0, 9)})
    contest = replace(THREE, table=pack_table(THREE.table.pool, rules))
    settings = BalanceSettings.model_validate({"seed": 1, "target": {"first_seat": 0.5}})
    spaces, _ = relaxed_spaces(contest, settings, build_space(contest, settings.tune))
    assert {name for name in spaces if "opening_hand" in name} == {
        "tune.rules.opening_hand_first = [0, 2]",
        "tune.rules.opening_hand_second = [7, 9]",
    }


def test_extras_of_the_second_player_are_offered_unless_they_may_move_already() -> None:
    rules = THREE.table.ruleset.with_numbers({"extra_life_second": 2})
    contest = replace(THREE, table=pack_table(THREE.table.pool, rules))
    data = {
        "seed": 1,
        "target": {"first_seat": 0.5},
        "tune": {"rules": {"extra_mana_second": (0, 3)}},
    }
    settings = BalanceSettings.model_validate(data)
    spaces, wide = relaxed_spaces(contest, settings, build_space(contest, settings.tune))
    offered = {name for name in spaces if "_second" in name and "hand" not in name}
    assert offered == {"tune.rules.extra_life_second = [0, 7]"}
    fields = [gene.field for gene in wide.genes]
    ends = {name: int(wide.high[fields.index(name)]) for name in fields if name.startswith("extra")}
    assert ends == {"extra_mana_second": 3, "extra_life_second": 5}
