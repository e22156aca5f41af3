"""Weights of turn agents as text files, and as the words that the search reads."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from agents.search.turn import mind as of

Words16 = npt.NDArray[np.int16]
_SIDE = "LIFE ATTACK HEALTH BODIES GUARD SHIELD SKILL TEXT FROZEN HAND WEAPON SECRET DECK".lower().split()
_TURN = "CRYSTALS PLAYABLE UNUSED OVERLOAD DANGER THREAT FINISH PRESSURE MASTERY FRESH REPLY DEAREST".lower().split()
HAND = dict(
    own=dict(life=6, attack=100, health=90, bodies=60, guard=20, shield=50, skill=30, text=60, frozen=50, hand=200, weapon=60, secret=150, deck=5),
    enemy=dict(life=-8, attack=-110, health=-95, bodies=-80, guard=-20, shield=-60, skill=-40, text=-80, frozen=-60, hand=-150, weapon=-60, secret=-150, deck=-5),
    turn=dict(crystals=150, playable=30, unused=-20, overload=-50, danger=-1500, threat=-300, finish=800, pressure=150, mastery=150, fresh=60, reply=10, dearest=3),
)

def weights_named(name, agent):
    return HAND


def mind_of(weights, n_nodes, n_leaves=16, n_worlds=3):
    own = [weights["own"][k] for k in _SIDE]
    enemy = [weights["enemy"][k] for k in _SIDE]
    turn = [weights["turn"][k] for k in _TURN]
    return np.array([n_nodes, n_leaves, n_worlds, *own, *enemy, *turn], dtype=np.int16)
