"""A learner that tries agents in its place and keeps the best; and the family that loads it."""

import json
from dataclasses import replace
from pathlib import Path

from agents import AgentFamily, agent_named
from balance import pairings, play_pairings
from balance.learning.learner_plugins import TrainedAgent


def learn(task):
    """Return the agent of `settings.tries` with the highest win rate in the learner's place."""
    places = pairings(task.contest, task.learner)
    seats = [place.seat for place in places]
    won = {}
    for name in task.settings["tries"]:
        task.on_progress(f"trying {name}")
        games = {"n_games": 200, "run_seed": task.run_seed, "purpose": f"coach/{name}"}
        played = play_pairings(task.contest, places, agent_named(name), **games)
        won[name] = float(played.points[range(len(seats)), seats].sum())
    best = max(won, key=won.get)
    content = json.dumps({"name": task.learner.name, "agent": best}).encode()
    return TrainedAgent(coached(task.learner.name, best), content, ".json", "coached")


def coached(name, agent):
    """Return an agent under another name."""
    return replace(agent_named(agent), name=name)


def load(path):
    """Return the trained agent of a file."""
    found = json.loads(Path(path).read_text())
    return coached(f"coached:{path}", found["agent"])


COACHED = AgentFamily("coached:FILE.json", load, is_fixed=False)
