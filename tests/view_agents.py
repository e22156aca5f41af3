"""The scripted agents once more, in plain Python, from nothing but a learner's 67 values.

Written from DESIGN section 5 and independent of the engine, also in where the values lie.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int64]

END = 39
BOARD_ROOM = 5


class UnitSeen(NamedTuple):
    """A unit on a board; `place` counts from the oldest."""

    place: int
    health: int
    attack: int


@dataclass(frozen=True)
class Seen:
    """What the 67 values say."""

    life: int
    enemy_life: int
    own: list[UnitSeen]
    enemies: list[UnitSeen]
    ready: list[UnitSeen]


def read(values: Floats) -> Seen:
    numbers = [int(value) for value in values]

    def units(start: int) -> list[UnitSeen]:
        pairs = [numbers[start + 2 * place :][:2] for place in range(5)]
        return [UnitSeen(place, *pair) for place, pair in enumerate(pairs) if pair[0] > 0]

    own = units(40)
    return Seen(
        life=numbers[0],
        enemy_life=numbers[1],
        own=own,
        enemies=units(50),
        ready=[unit for unit in own if numbers[60 + unit.place]],
    )


def attack(unit: UnitSeen, enemy: UnitSeen | None) -> int:
    return 9 + 6 * unit.place + (5 if enemy is None else enemy.place)


def aggro(values: Floats, mask: Bools, has_attacked: bool) -> int:
    return _play_then_attack(values, mask, has_attacked, _killed_when_hurt)


def control(values: Floats, mask: Bools, has_attacked: bool) -> int:
    return _play_then_attack(values, mask, has_attacked, _worth_fighting)


def _play_then_attack(
    values: Floats,
    mask: Bools,
    has_attacked: bool,
    whom: Callable[[UnitSeen, Seen], UnitSeen | None],
) -> int:
    seen = read(values)
    plays = np.flatnonzero(mask[:9])
    if len(plays) and len(seen.own) < BOARD_ROOM and not has_attacked:
        return int(plays[0])
    if not seen.ready:
        return END
    unit = seen.ready[0]
    return attack(unit, whom(unit, seen))


def _killed_when_hurt(unit: UnitSeen, seen: Seen) -> UnitSeen | None:
    killed = [enemy for enemy in seen.enemies if enemy.health <= unit.attack]
    return killed[0] if killed and seen.life < 12 else None


def _worth_fighting(unit: UnitSeen, seen: Seen) -> UnitSeen | None:
    threat = sum(enemy.attack for enemy in seen.enemies)
    wins = sum(one.attack for one in seen.ready) >= seen.enemy_life
    if not seen.enemies or wins or 2 * threat > sum(one.health for one in seen.own):
        return None
    killed = [enemy for enemy in seen.enemies if enemy.health <= unit.attack]
    survived = [enemy for enemy in killed if enemy.attack < unit.health]
    if killed:
        return (survived or killed)[0]
    if threat > seen.life:
        return max(seen.enemies, key=lambda enemy: enemy.attack)
    return min(seen.enemies, key=lambda enemy: enemy.health)


def greedy(values: Floats, mask: Bools, has_attacked: bool) -> int:
    return int(Greedy().choose(values[None], mask[None])[0])


@dataclass(frozen=True)
class Greedy:
    """The greedy agent as a learned one: of all actions the best score, of equals the lowest."""

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
        best = scores.argmax(axis=1)
        return np.where(scores.max(axis=1) > 0, best, END)


@dataclass(frozen=True)
class Eager:
    """Whatever is legal and has the lowest number; the enemy player is hit last."""

    name: str = "eager, seen"

    def choose(self, observations: Floats, masks: Bools) -> Numbers:
        return masks.argmax(axis=1)


ViewAgent = Callable[[Floats, Bools, bool], int]
VIEW_AGENTS: dict[str, ViewAgent] = {"aggro": aggro, "control": control, "greedy": greedy}
