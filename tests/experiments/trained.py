"""What `evenhand train` would leave behind, without the training: pilots of a second each."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from agents import DQNPilot, save_pilot
from tests.balance.contests import RUSH_KEEP
from tests.balance.pilots import trained_pilot
from tests.command_line import TINY

LEARNERS = """
[[learner]]
name = "rush pilot"
decks = ["ember_rush"]
opponents = ["self", "tide_keep"]

[[learner]]
name = "keep_pilot"
decks = ["tide_keep"]
opponents = ["self", "ember_rush"]
"""
BY_LEARNERS = TINY.replace('by = "power"', 'by = "power"\nagent = "learners"') + LEARNERS
"""The tiny experiment, whose power is measured by the agents that it trains."""

WITH_PILOTS = TINY.replace('agent = "aggro"', 'agent = "dqn:tiny/rush pilot"').replace(
    'agent = "control"', 'agent = "dqn:tiny/keep_pilot"'
)
"""The tiny experiment with these agents as its players."""


@cache
def pilot_of(player: str) -> DQNPilot:
    return trained_pilot(RUSH_KEEP, player)


def finished_training(results: Path) -> Path:
    """A finished training run of the tiny experiment in `results`."""
    folder = results / "tiny-train-00000000"
    folder.mkdir(parents=True)
    for file, player in (("rush_pilot.pt", "ember_rush"), ("keep_pilot.pt", "tide_keep")):
        pilot = pilot_of(player)
        save_pilot(folder / file, pilot.network, pilot.provenance)
    (folder / "run.json").write_text(
        json.dumps({"command": "train", "experiment": "tiny"}), encoding="utf-8"
    )
    (folder / "summary.json").write_text("{}", encoding="utf-8")
    return folder
