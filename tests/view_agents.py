"""The scripted agents in plain Python, playing from a learner's 67 values alone.

The positions of the values are written after DESIGN section 5, independently of the engine; the
agents' choices are those of the plain reference.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from tests.reference_duel import AGENTS, Attack, Game, Play, ReferenceCard, ReferenceRules, Unit

Floats = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int64]

END = 39


def read(values: Floats, has_attacked: bool) -> Game:
    """Return a game of the reference in the position that the values describe."""
    numbers = [int(value) for value in values]
    game = Game(ReferenceRules(), ((), ()), game_seed=0)
    game.own.life, game.enemy.life, game.own.mana = numbers[:3]
    game.own.has_attacked = has_attacked
    hand = [numbers[start:][:3] for start in range(4, 40, 4)]
    game.own.hand = [ReferenceCard(*card[::-1]) for card in hand if card[0]]
    for player, start in ((game.own, 40), (game.enemy, 50)):
        units = [numbers[start + 2 * place :][:2] for place in range(5)]
        player.board = [
            Unit(attack, health, ready=bool(numbers[60 + place]))
            for place, (health, attack) in enumerate(units)
            if health
        ]
    return game


def choice(agent: str, values: Floats, _: Bools, has_attacked: bool) -> int:
    """Return the number of the action that an agent of the reference takes."""
    game = read(values, has_attacked)
    own = game.own.board
    enemies = game.enemy.board
    match AGENTS[agent](game, 0):
        case Play(place):
            return place
        case Attack(unit, None):
            return 9 + 6 * own.index(unit) + 5
        case Attack(unit, enemy):
            return 9 + 6 * own.index(unit) + enemies.index(enemy)
    return END


@dataclass(frozen=True)
class Greedy:
    """The greedy agent as a learned one: the action with the best score, of equals the lowest."""

    name: str = "greedy, seen"

    def choose(self, observations: Floats, masks: Bools) -> Numbers:
        n_rows = len(observations)
        scores = np.zeros((n_rows, 40))
        scores[:, :9] = observations[:, 6:40:4]  # costs
        own = observations[:, 40:50].reshape(n_rows, 5, 1, 2)
        enemies = observations[:, 50:60].reshape(n_rows, 1, 5, 2)
        wins = (enemies[..., 0] <= own[..., 1]) * enemies.sum(axis=-1)
        losses = (own[..., 0] <= enemies[..., 1]) * own.sum(axis=-1)
        attacks = scores[:, 9:39].reshape(n_rows, 5, 6)
        attacks[..., :5] = wins - losses
        attacks[..., 5] = own[:, :, 0, 1]
        scores[~masks] = -np.inf
        scores[:, END] = 0.0
        return np.where(scores.max(axis=1) > 0, scores.argmax(axis=1), END)


@dataclass(frozen=True)
class Eager:
    """Agent that takes the legal action with the lowest number."""

    name: str = "eager, seen"

    def choose(self, observations: Floats, masks: Bools) -> Numbers:
        return masks.argmax(axis=1)


ViewAgent = Callable[[Floats, Bools, bool], int]
VIEW_AGENTS: dict[str, ViewAgent] = {
    name: partial(choice, name) for name in ("aggro", "control", "greedy")
}
