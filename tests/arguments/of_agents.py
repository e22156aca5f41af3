"""Calls of `agents` and of `experiments.loading` that must be refused."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from agents import (
    TrainSettings,
    agent_named,
    big_two,
    compiled_agent_named,
    load_pilot,
    register_agent,
)
from agents.environments import make_big_two, make_big_twos, make_duel, make_duels
from experiments.loading import load_experiment
from tests.arguments.values import AGGRO, NO_COUNTS, NO_NAMES

OF_AGENTS: dict[str, list[partial[Any]]] = {
    "agents.TrainSettings": [
        *(partial(TrainSettings, steps=n) for n in NO_COUNTS),
        partial(TrainSettings, evaluate_games=11),
    ],
    "agents.agent_named": [
        *(partial(agent_named, name) for name in NO_NAMES),
        *(partial(agent_named, f"turn:{n}") for n in ("0", "-1", "1.5", "nan", "x", "")),
        *(partial(agent_named, f"rollout:{n}") for n in ("0", "-1", "1.5", "nan", "x", "")),
        partial(agent_named, "dqn:no_such_file.pt"),
        partial(agent_named, "aggro:2"),
    ],
    "agents.compiled_agent_named": [
        *(partial(compiled_agent_named, name) for name in NO_NAMES),
    ],
    "agents.load_pilot": [
        partial(load_pilot, path) for path in (Path("no_such_file"), "", "a\0b", 5, None)
    ],
    "agents.register_agent": [
        *(partial(register_agent, name, AGGRO) for name in (None, 5, "", " ", "x" * 300)),
        partial(register_agent, "aggro", AGGRO),
        partial(register_agent, "a:b", AGGRO),
        *(partial(register_agent, "of_the_table", agent) for agent in (AGGRO, None, 5, dict)),
    ],
    "agents.big_two.agent_named": [partial(big_two.agent_named, name) for name in NO_NAMES],
    "agents.environments.make_duel": [
        *(partial(make_duel, opponent=name) for name in (*NO_NAMES, [])),
        *(partial(make_duel, deck=name) for name in (*NO_NAMES, [])),
    ],
    "agents.environments.make_duels": [
        *(partial(make_duels, n) for n in NO_COUNTS),
        *(partial(make_duels, 1, opponent=name) for name in (*NO_NAMES, [])),
    ],
    "agents.environments.make_big_two": [
        *(partial(make_big_two, opponents=name) for name in (*NO_NAMES, [])),
    ],
    "agents.environments.make_big_twos": [
        *(partial(make_big_twos, n) for n in NO_COUNTS),
        *(partial(make_big_twos, 1, opponents=name) for name in (*NO_NAMES, [])),
    ],
    "experiments.loading.load_experiment": [
        *(partial(load_experiment, name) for name in NO_NAMES),
        partial(load_experiment, "quickstart_scripts", preset="thesiss"),
        partial(load_experiment, "quickstart_scripts", agent="nobody"),
    ],
}

TAKES_ANYTHING_OF_AGENTS = {
    "agents.agent_names": "no arguments",
    "agents.pilot_of": "a trainer, and any name",
    "agents.require_torch": "no arguments",
    "agents.save_pilot": "a pilot, and a path as `sim.write_atomically` takes it",
}

DATA_OF_AGENTS = {"agents.AgentFamily", "agents.DQNPilot", "agents.Progress", "agents.Trainer"}
