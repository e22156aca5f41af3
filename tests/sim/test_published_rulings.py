"""Published rulings about real cards, one scenario each, with its source."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from sim import load_pool, load_ruleset
from sim.play import pack_table
from sim.real_cards.scenario.position import Ground
from sim.real_cards.scenario.runner import first_difference, missing
from sim.real_cards.scenario.scenario import Scenario, read_scenarios
from sim.seeds import game_seed
from tests.legacy import needs_package

RULINGS = Path(__file__).with_name("published_rulings.jsonl")
N_SEEDS = 5  # few scenarios are random, and those expect only what holds for every seed

pytestmark = needs_package


@pytest.fixture(scope="module")
def ground() -> Ground:
    return Ground(pack_table(load_pool("hearthstone"), load_ruleset("legacy")))


@pytest.mark.parametrize("scenario", read_scenarios(RULINGS), ids=lambda scenario: scenario.id)
def test_a_published_ruling_holds(ground: Ground, scenario: Scenario) -> None:
    assert missing(ground, scenario.card_ids, scenario.setup) == []
    for index in range(N_SEEDS):
        assert first_difference(ground, scenario, game_seed(0, "rulings", index)) is None


def test_every_ruling_names_its_source() -> None:
    scenarios = read_scenarios(RULINGS)
    assert all(scenario.source and scenario.note for scenario in scenarios)
    assert min(Counter(scenario.topic for scenario in scenarios).values()) >= 10
