"""What a turn agent is told: how far it searches, and its weights, as one row of words.

The names here are those of weight files (`agents.search.turn.weights`). A side's weights come
twice, for the own side and for the enemy's: what the enemy has usually counts below zero.
"""

from sim.engine.layout import numbered

# --- weights of a side ---
(
    LIFE,  # through a concave map: the last points count most
    POINTS,  # of life, each alike
    ATTACK,  # of minions that can attack in their side's next turn
    HEALTH,  # of minions
    BODIES,  # minions
    GUARD,  # health of minions with taunt
    SHIELD,  # attack of minions with a shield, and 1
    SKILL,  # attack of minions with other keywords that help, and 1
    TEXT,  # minions whose text listens to something
    FROZEN,  # attack of minions that will miss their side's next turn
    HAND,  # cards
    WEAPON,  # attack times durability
    SECRET,  # secrets that wait
    DECK,  # cards left, of the last few
    SIDE_SIZE,
    *_,
) = numbered()

(
    NODES,  # positions that one decision may try
    WINS,  # and that it may try before these, in search of a line that wins in this turn
    # --- search ---
    DEPTH,  # actions in a row, 0 for no limit
    LEAVES,  # ends of the turn that the enemy answers
    WORLDS,  # in which it does, and in which luck is tried
    REPLY,  # of 16 parts of a leaf's worth, how many come from after the enemy's answer
    FRESH,  # for the order of search only: attack and mana not yet used in this turn
    # --- mulligan ---
    CHEAP,  # cost up to which every card is kept
    DEAREST,  # and up to which one card of each cost is
    # --- prospects: weights of both sides together ---
    CRYSTALS,  # the own mana cap beyond the enemy's
    PLAYABLE,  # mana of the own next turn that the own hand can use
    UNUSED,  # mana left over
    OVERLOAD,  # mana that the own next turn will miss
    TRICKS,  # spells in the own hand
    DANGER,  # the enemy could kill with what stands there
    THREAT,  # it could take half of the life that is left
    FINISH,  # the own side could kill in its next turn with what stands there
    PRESSURE,  # it could take half of the enemy's life
    MASTERY,  # the own side has minions, and the enemy none
    OWN,  # the weights of the own side,
    *_,
) = numbered()
ENEMY = OWN + SIDE_SIZE  # and of the enemy's
PARAMETERS_SIZE = ENEMY + SIDE_SIZE
