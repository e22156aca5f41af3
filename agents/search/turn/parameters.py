"""Offsets of a turn agent's settings and weights in one row of 16-bit words.

The names are those of weight files (`agents.search.turn.weights`). The weights of a side occur
twice, for the own side and for the enemy's; most weights of the enemy's side are negative.
"""

from sim.engine.layout import numbered

# --- weights of a side ---
(
    LIFE,  # per unit of concave life (`features.concave`): the last points count most
    POINTS,  # per point of life, each alike
    ATTACK,  # per attack of minions that can attack in their side's next turn
    HEALTH,  # per health of minions
    BODIES,  # per minion
    GUARD,  # per health of minions with taunt
    SHIELD,  # per attack plus 1 of minions with a shield
    SKILL,  # per attack plus 1 of minions with windfury, stealth, poison or frost
    TEXT,  # per minion with a text that listens to an event
    FROZEN,  # per attack of minions that will miss their side's next turn
    HAND,  # per card in the hand
    WEAPON,  # per attack times durability of the weapon
    SECRET,  # per waiting secret
    DECK,  # per card left in the deck, of the last `features.DECK_SHORT`
    SIDE_SIZE,  # number of the weights of a side
    *_,
) = numbered()

(
    NODES,  # positions that one decision may try
    WINS,  # positions that it may try before these, in search of a line that wins in this turn
    # --- search ---
    DEPTH,  # most actions in a line, 0 for no limit
    LEAVES,  # ends of the turn that the enemy answers
    WORLDS,  # worlds in which the enemy answers, and in which random outcomes are averaged
    REPLY,  # 16ths of the value of a turn's end that come from the position after the answer
    FRESH,  # for the order of search only: per attack and mana not yet used in this turn
    # --- mulligan ---
    CHEAP,  # cost up to which every card is kept
    DEAREST,  # cost up to which one card of each cost is kept
    # --- prospects: weights of both sides together ---
    CRYSTALS,  # per mana by which the own mana cap exceeds the enemy's
    PLAYABLE,  # per mana of the own next turn that the own hand can use
    UNUSED,  # per mana left over
    OVERLOAD,  # per mana that the own next turn will miss
    TRICKS,  # per spell in the own hand
    DANGER,  # the enemy's characters in play could kill the own player in its next turn
    THREAT,  # they could take half of its life
    FINISH,  # the own characters in play could kill the enemy player in the own next turn
    PRESSURE,  # they could take half of its life
    MASTERY,  # the own side has minions, and the enemy none
    OWN,  # first of the own side's weights
    *_,
) = numbered()
ENEMY = OWN + SIDE_SIZE  # first of the enemy side's weights
PARAMETERS_SIZE = ENEMY + SIDE_SIZE  # number of words in all
