"""Declaration of card games, the game of experiment files that name no other one."""

from __future__ import annotations

from agents.registry import known_agents
from experiments.commands.play import start_card_game
from experiments.commands.replay import replay_card_game
from experiments.game import CARDS, Game
from experiments.loading import read_experiment

GAME = Game(
    CARDS,
    read_experiment,
    commands=(
        *(
            "matchups",
            "sensitivity",
            "metagame",
            "power",
            "substitute",
            "balance",
            "report",
            "build",
            "outliers",
        ),
        *(
            "study",
            "train",
            "evaluate",
            "exploit",
            "agents",
            "whatif",
            "compare",
            "agree",
            "calibrate",
            "retrodict",
        ),
        "workbench",
    ),
    options=(
        *("results", "agent", "games", "total", "preset", "workers", "estimate", "robust"),
        *("first", "second", "view", "why", "turn"),
    ),
    replay=replay_card_game,
    sit=start_card_game,
    agents=known_agents,
)
"""Description of card games for the command line."""
