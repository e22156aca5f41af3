"""What a turn agent is told: how far it searches, and its weights, as one row of words.

The names here are those of weight files (`agents.search.turn.weights`); their order is that of
the words. A side's weights come twice, for its own side and for the enemy's: what the enemy has
usually counts below zero.
"""

from __future__ import annotations

from sim.engine.layout import numbered

(
    N_NODES,  # positions that one decision may try
    N_LEAVES,  # ends of the turn that the enemy answers
    N_WORLDS,  # in which it does, and in which luck is tried
    SETTINGS_SIZE,
    *_,
) = numbered()

# --- weights of a side ---
(
    LIFE,  # through a concave map: the last points count most
    ATTACK,  # of minions that can attack in their side's next turn
    HEALTH,  # of minions
    BODIES,  # minions
    GUARD,  # health of minions with taunt
    SHIELD,  # attack of minions with a shield
    SKILL,  # keywords of minions beside taunt and shield
    TEXT,  # minions whose text listens to something
    FROZEN,  # attack of minions that will miss their side's next turn
    HAND,  # cards
    WEAPON,  # attack times durability
    SECRET,  # secrets that wait
    DECK,  # cards left, of the last few
    SIDE_SIZE,
    *_,
) = numbered()
OWN = SETTINGS_SIZE
ENEMY = OWN + SIDE_SIZE

# --- weights of both sides together, and of the turn ---
(
    CRYSTALS,  # the own mana cap beyond the enemy's
    PLAYABLE,  # mana of the own hand that the next turn can use
    UNUSED,  # mana left over in this turn
    OVERLOAD,  # mana that the next turn will miss
    DANGER,  # the enemy could kill with what stands there
    THREAT,  # the enemy could take half of the life that is left
    FINISH,  # the own side could kill in its next turn with what stands there
    PRESSURE,  # it could take half of the enemy's life
    MASTERY,  # the enemy has no minion, and the own side has
    FRESH,  # for the order of search only: attack that has not been used in this turn
    REPLY,  # of 16 parts of a leaf's worth, how many come from after the enemy's answer
    DEAREST,  # the cost of the dearest card that a mulligan keeps
    MIND_SIZE,
    *_,
) = numbered(ENEMY + SIDE_SIZE)
