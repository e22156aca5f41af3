"""Experiments that train in seconds, and pilots that nobody trained, or for a second."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from agents import DQNPilot, TrainSettings, pilot_of, save_pilot
from agents.dqn.network import Architecture, QNetwork
from agents.dqn.provenance import Provenance, Stamp, stamps_of_cards
from balance.learning.learner import Learner
from balance.learning.training import begin_training, provenance
from experiments.experiment import Experiment
from sim import Pool, load_deck
from tests.balance.contests import RUSH_KEEP
from tests.balance.pilots import trained_pilot
from tests.command_line import TINY
from tests.duels import CORE, DUEL

PLAYERS = TINY[: TINY.index("\n[target]")]
ONE_LEARNER = """
[[learner]]
name = "ember"
decks = ["ember_rush"]
opponents = ["tide_keep"]
seat = "second"
"""
LEARNERS = (
    ONE_LEARNER
    + """
[[learner]]
name = "both decks"
decks = ["ember_rush", "tide_keep"]
opponents = ["ember_rush", "self"]
leave_out = 0.1
"""
)
SETTINGS = """
[train]
steps = 700
n_environments = 8
steps_per_update = 8
batch = 16
hidden = 8
epsilon_steps = 300
replay = 400
warm_up = 64
target_every = 10
snapshot_every = 200
evaluate_every = 250
evaluate_games = 20

[evaluate]
games = 100
rollout_games = 2
histogram_games = 60
"""
TRAINING = PLAYERS + LEARNERS + SETTINGS
"""An experiment with two learners, one of which meets itself."""

PILOTS = """
[[learner]]
name = "rush pilot"
decks = ["ember_rush"]
opponents = ["self", "tide_keep"]

[[learner]]
name = "keep_pilot"
decks = ["tide_keep"]
opponents = ["self", "ember_rush"]
"""
SHORT = TINY.replace("generations = 6", "generations = 1").replace("select = 100", "select = 20")
BY_LEARNERS = SHORT.replace('by = "power"', 'by = "power"\nagent = "learners"') + PILOTS
"""The tiny experiment, with power measured by the agents that it trains."""

WITH_PILOTS = SHORT.replace('agent = "aggro"', 'agent = "dqn:tiny/rush pilot"').replace(
    'agent = "control"', 'agent = "dqn:tiny/keep_pilot"'
)
"""The tiny experiment with these agents as its players."""


def write_pilot(
    path: Path, *, decks: tuple[str, ...] = ("ember_rush",), pool: Pool = CORE, seed: int = 1
) -> Path:
    """A pilot of chance that says it was trained for these decks; returns its file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    origin = Provenance(
        ruleset=Stamp.of(DUEL),
        pool=pool.name,
        cards=stamps_of_cards(pool, range(len(pool.everything))),
        decks=tuple(Stamp.of(load_deck(deck)) for deck in decks),
        settings=TrainSettings(hidden=8),
        seed=seed,
        steps=1,
        opponents="aggro",
        seat="second",
        leave_out=0.0,
        versions={},
    )
    save_pilot(
        path, QNetwork(Architecture(hidden=8, dueling=True, one_hot=True), seed=seed), origin
    )
    return path


def write_untrained(path: Path, experiment: Experiment, learner: Learner) -> Path:
    """A pilot of chance of any experiment's learner; returns its file."""
    settings = experiment.settings.train.model_copy(
        update={"hidden": 8, "n_environments": 2, "replay": 64, "warm_up": 64}
    )
    contest = experiment.contest()
    trainer = begin_training(contest, learner, settings, run_seed=1)
    pilot = pilot_of(trainer, learner.name)
    save_pilot(path, pilot.network, provenance(contest, learner, trainer, run_seed=1))
    return path


def write_run(results: Path, name: str, *learners: str, experiment: str, seed: int = 1) -> Path:
    """A finished training run of pilots of chance; returns its folder."""
    run = results / name
    run.mkdir(parents=True, exist_ok=True)
    for learner in learners:
        write_pilot(run / f"{learner}.pt", decks=("ember_rush", "tide_keep"), seed=seed)
    return _finished(run, experiment)


def _finished(run: Path, experiment: str) -> Path:
    provenance = {"command": "train", "experiment": experiment}
    (run / "run.json").write_text(json.dumps(provenance), encoding="utf-8")
    (run / "summary.json").write_text("{}\n", encoding="utf-8")
    return run


@cache
def pilot_of_player(player: str) -> DQNPilot:
    """A trained pilot, after a second."""
    return trained_pilot(RUSH_KEEP, player)


def finished_training(results: Path) -> Path:
    """A finished training run of the tiny experiment in `results`, as `train` would leave it."""
    folder = results / "tiny-train-00000000"
    folder.mkdir(parents=True)
    for file, player in (("rush_pilot.pt", "ember_rush"), ("keep_pilot.pt", "tide_keep")):
        pilot = pilot_of_player(player)
        save_pilot(folder / file, pilot.network, pilot.provenance)
    return _finished(folder, "tiny")
